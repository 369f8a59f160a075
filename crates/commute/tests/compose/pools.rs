//! Things that are taken and given back.

use commute::compose::{Check, check};
use commute::parking_lot;
use commute::sync::Mutex;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::collections::VecDeque;

use crate::expect::{BothWays, holds_only_without};

/// Connections that nobody uses.
struct Pool {
    idle: Mutex<Vec<u8>>,
}

impl Pool {
    fn new() -> Pool {
        Pool {
            idle: Mutex::new(vec![7]),
        }
    }

    fn take(&self) -> Option<u8> {
        self.idle.lock().unwrap().pop()
    }

    /// What is there now may be gone then.
    fn look_then_take(&self) -> Option<u8> {
        if self.idle.lock().unwrap().is_empty() {
            return None;
        }
        let taken = self.idle.lock().unwrap().pop();
        Some(taken.expect("it was not empty"))
    }

    fn take_one(&self) -> u8 {
        self.take().expect("no connection is idle")
    }

    /// Nobody gets a connection after somebody asked for too many.
    fn take_one_or_poison(&self) -> u8 {
        let mut idle = self.idle.lock().unwrap();
        idle.pop().expect("no connection is idle")
    }
}

fn pool<R: std::fmt::Debug + 'static>(method: fn(&Pool) -> R) -> Check<Pool> {
    check(Pool::new)
        .method(move |pool: &Pool, ()| method(pool))
        .peer("give_back", |pool: &Pool, connection: u8| {
            pool.idle.lock().unwrap().push(connection);
        })
        .observe("idle", |pool: &Pool, ()| pool.idle.lock().unwrap().clone())
        .also_from(|pool: &Pool, ()| pool.idle.lock().unwrap().clear())
}

#[test]
fn what_is_taken_was_there() {
    pool(Pool::take).assert_atomic_both_ways();
    holds_only_without(pool(Pool::look_then_take), [&["itself"]]);
}

#[test]
fn who_panics_in_one_step_does_so_atomically() {
    pool(Pool::take_one).assert_atomic_both_ways();
    pool(Pool::take_one_or_poison).assert_atomic_both_ways();
}

/// So many may be inside.
#[derive(Default)]
struct Permits {
    taken: AtomicU32,
}

const PERMITS: u32 = 1;

impl Permits {
    fn try_take(&self) -> bool {
        let mut taken = self.taken.load(SeqCst);
        while taken < PERMITS {
            let tried = self
                .taken
                .compare_exchange(taken, taken + 1, SeqCst, SeqCst);
            match tried {
                Ok(_) => return true,
                Err(now) => taken = now,
            }
        }
        false
    }

    /// Who takes one too many holds it for a moment.
    fn take_then_give_back(&self) -> bool {
        let is_free = self.taken.fetch_add(1, SeqCst) < PERMITS;
        if !is_free {
            self.taken.fetch_sub(1, SeqCst);
        }
        is_free
    }
}

fn permits(method: fn(&Permits) -> bool) -> Check<Permits> {
    check(Permits::default)
        .method(move |permits: &Permits, ()| method(permits))
        .peer("release", |permits: &Permits, ()| {
            let one_less = |taken: u32| taken.checked_sub(1);
            permits.taken.fetch_update(SeqCst, SeqCst, one_less).is_ok()
        })
        .observe("free", |permits: &Permits, ()| {
            PERMITS.saturating_sub(permits.taken.load(SeqCst))
        })
        .also_from(|permits: &Permits, ()| permits.taken.store(PERMITS, SeqCst))
}

#[test]
fn a_permit_that_is_released_can_be_taken() {
    permits(Permits::try_take).assert_atomic_both_ways();
    holds_only_without(permits(Permits::take_then_give_back), [&["release"]]);
}

const ROOM: usize = 1;

/// Work, but not too much of it.
#[derive(Default)]
struct Backlog(parking_lot::RwLock<VecDeque<u8>>);

impl Backlog {
    fn push(&self, job: u8) -> Result<(), u8> {
        let mut jobs = self.0.write();
        if jobs.len() >= ROOM {
            return Err(job);
        }
        jobs.push_back(job);
        Ok(())
    }

    /// Another may have the last place before the lock is taken to write.
    fn look_then_push(&self, job: u8) -> Result<(), u8> {
        if self.0.read().len() >= ROOM {
            return Err(job);
        }
        self.0.write().push_back(job);
        Ok(())
    }

    /// Nobody else comes between such a reader and a writer.
    fn look_and_upgrade(&self, job: u8) -> Result<(), u8> {
        let jobs = self.0.upgradable_read();
        if jobs.len() >= ROOM {
            return Err(job);
        }
        parking_lot::RwLockUpgradableReadGuard::upgrade(jobs).push_back(job);
        Ok(())
    }
}

fn backlog(method: fn(&Backlog, u8) -> Result<(), u8>) -> Check<Backlog> {
    check(Backlog::default)
        .method(method)
        .peer("next", |backlog: &Backlog, ()| {
            backlog.0.write().pop_front()
        })
        .observe("jobs", |backlog: &Backlog, ()| backlog.0.read().clone())
        .also_from(|backlog: &Backlog, ()| backlog.0.write().push_back(9))
}

#[test]
fn there_is_room_when_it_is_used() {
    backlog(Backlog::push).assert_atomic_both_ways();
    backlog(Backlog::look_and_upgrade).assert_atomic_both_ways();
    holds_only_without(backlog(Backlog::look_then_push), [&["itself"]]);
}
