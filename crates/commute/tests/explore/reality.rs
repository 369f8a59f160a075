//! What happens really was explored: random programs, run by threads of the operating
//! system, do nothing that was not seen.
//!
//! The types then are std's, and no model has a say, so this finds models that permit too
//! little. What they permit too much, the results of real objects show, which are
//! compared with what the model says in every run.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc as Shared;
use std::time::Duration;

use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::mpsc::{Receiver, SyncSender, sync_channel};
use commute::sync::{Arc, Condvar, Mutex, OnceLock, RwLock};
use commute::thread;

use crate::seen::seen;

/// What one thread does: operations by number, with an argument.
type Plan = Vec<(u8, u32)>;

/// What each operation of each thread said.
type Results = Vec<Vec<u32>>;

struct World {
    number: AtomicU32,
    list: Mutex<Vec<u32>>,
    changed: Condvar,
    value: RwLock<u32>,
    cell: OnceLock<u32>,
    sender: SyncSender<u32>,
    receiver: Mutex<Receiver<u32>>,
}

const NONE: u32 = 99;

fn act(world: &World, (op, n): (u8, u32)) -> u32 {
    match op {
        0 => world.number.fetch_add(n, SeqCst),
        1 => world.number.load(SeqCst),
        2 => world.number.swap(n, SeqCst),
        3 => u32::from(world.number.compare_exchange(0, n, SeqCst, SeqCst).is_ok()),
        4 => {
            let mut list = world.list.lock().unwrap();
            list.push(n);
            world.changed.notify_one();
            list.len() as u32
        }
        5 => world.list.try_lock().map_or(NONE, |list| list.len() as u32),
        6 => {
            let list = world.list.lock().unwrap();
            let time = Duration::from_micros(u64::from(n) * 20);
            let (list, result) = world.changed.wait_timeout(list, time).unwrap();
            list.len() as u32 * 2 + u32::from(result.timed_out())
        }
        7 => *world.value.read().unwrap(),
        8 => std::mem::replace(&mut *world.value.write().unwrap(), n),
        9 => *world.cell.get_or_init(|| n),
        10 => world.cell.get().copied().unwrap_or(NONE),
        11 => u32::from(world.sender.try_send(n).is_ok()),
        _ => {
            let receiver = world.receiver.lock().unwrap();
            receiver.try_recv().unwrap_or(NONE)
        }
    }
}

fn run(plans: &[Plan]) -> Results {
    let (sender, receiver) = sync_channel(1);
    let world = Arc::new(World {
        number: AtomicU32::new(0),
        list: Mutex::new(Vec::new()),
        changed: Condvar::new(),
        value: RwLock::new(0),
        cell: OnceLock::new(),
        sender,
        receiver: Mutex::new(receiver),
    });
    let threads: Vec<_> = plans
        .iter()
        .map(|plan| {
            let (world, plan) = (Arc::clone(&world), plan.clone());
            thread::spawn(move || plan.iter().map(|step| act(&world, *step)).collect())
        })
        .collect();
    let results = threads.into_iter().map(|thread| thread.join().unwrap());
    results.collect()
}

#[test]
fn what_happens_was_seen() {
    let mut state = 3_u64;
    let mut next = move |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % n
    };
    let (mut really, mut explored) = (0, 0);
    for program in 0..20 {
        let plans: Shared<Vec<Plan>> = Shared::new(
            (0..2)
                .map(|_| {
                    let length = 2 + next(2);
                    (0..length)
                        .map(|_| (next(13) as u8, 1 + next(3) as u32))
                        .collect()
                })
                .collect(),
        );
        let all = Rc::new(RefCell::new(BTreeSet::new()));
        let (seen_here, explored_plans) = (Rc::clone(&all), Shared::clone(&plans));
        let seen = seen(move || {
            let results = run(&explored_plans);
            seen_here.borrow_mut().insert(results);
        });
        assert_eq!(seen.because, None, "program {program}: {plans:?}");
        let all = all.borrow();
        let mut happened = BTreeSet::new();
        for _ in 0..200 {
            happened.insert(run(&plans));
        }
        for results in &happened {
            assert!(
                all.contains(results),
                "{plans:?} did {results:?}, not in {all:?}"
            );
        }
        really += happened.len();
        explored += all.len();
    }
    // It is no test if nothing ever happens.
    assert!(really > 20 && explored > really, "{really} of {explored}");
}
