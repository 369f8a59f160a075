//! What was wrong once.

use commute::compose::{Fresh, check, fresh};
use commute::crossbeam::queue::SegQueue;
use commute::dashmap::DashMap;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// A version of an object without a model said who came last, and not what was there.
#[test]
fn a_push_is_atomic() {
    check(SegQueue::new)
        .method(|queue: &SegQueue<u8>, value: u8| queue.push(value))
        .observe("len", |queue: &SegQueue<u8>, ()| queue.len())
        .assert_atomic();
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
