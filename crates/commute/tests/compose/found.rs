//! What was wrong once.

use commute::compose::{Fresh, check, fresh};
use commute::crossbeam::queue::SegQueue;
use commute::dashmap::DashMap;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};

use crate::expect::BothWays;

/// A version of an object without a model said who came last, and not what was there.
#[test]
fn a_push_is_atomic() {
    check(SegQueue::new)
        .method(|queue: &SegQueue<u8>, value: u8| queue.push(value))
        .observe("len", |queue: &SegQueue<u8>, ()| queue.len())
        .assert_atomic_both_ways();
}

/// Jobs by their numbers.
type Jobs = (AtomicU32, DashMap<u32, u8>);

fn submit(jobs: &Jobs, work: u8) -> Fresh {
    let number = jobs.0.fetch_add(1, SeqCst);
    jobs.1.insert(number, work);
    fresh(number.into())
}

fn oldest(jobs: &Jobs, (): ()) -> Option<(Fresh, u8)> {
    let first = jobs.1.iter().map(|entry| *entry.key()).min()?;
    let (number, work) = jobs.1.remove(&first)?;
    Some((fresh(number.into()), work))
}

fn all(jobs: &Jobs, (): ()) -> Vec<u8> {
    let mut all: Vec<u8> = jobs.1.iter().map(|entry| *entry.value()).collect();
    all.sort_unstable();
    all
}

/// Where something was observed in the end, nobody did anything after the method.
#[test]
fn what_is_left_is_seen_by_who_takes_it() {
    let checked = check(Jobs::default)
        .method(submit)
        .peer("oldest", oldest)
        .observe("all", all)
        .steps(3)
        .run();
    assert!(!checked.is_atomic());
}

/// An object in a box had two names, and nobody ran what would have shown it.
#[test]
fn what_is_in_boxes_has_one_name() {
    type Numbers = (Box<AtomicU32>, Box<AtomicU32>);
    let increment = |numbers: &Numbers, (): ()| {
        numbers.1.load(SeqCst);
        let now = numbers.0.load(SeqCst);
        numbers.0.store(now + 1, SeqCst);
    };
    let checked = check(Numbers::default)
        .method(increment)
        .observe("see", |numbers: &Numbers, (): ()| numbers.0.load(SeqCst))
        .steps(1)
        .run();
    assert!(!checked.is_atomic());
}

/// An observer that does not see everything hid what came after the method.
#[test]
fn an_observer_hides_nothing() {
    type Two = (AtomicU32, AtomicU32);
    let checked = check(Two::default)
        .method(|two: &Two, (): ()| two.0.store(two.0.load(SeqCst), SeqCst))
        .peer("add", |two: &Two, (): ()| two.0.fetch_add(1, SeqCst))
        .observe("see", |two: &Two, (): ()| two.1.load(SeqCst))
        .run();
    assert!(!checked.is_atomic());
}
