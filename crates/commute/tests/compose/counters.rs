//! Methods on atomics: limits, turns, identifiers, maxima.

use commute::compose::{Check, check, fresh};
use commute::dashmap::DashSet;
use commute::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::SeqCst};

use crate::expect::{BothWays, holds_only_without};

/// Lets one through in each period.
#[derive(Default)]
struct RateLimiter {
    used: AtomicU32,
}

const LIMIT: u32 = 1;

impl RateLimiter {
    fn try_acquire(&self) -> bool {
        self.used
            .fetch_update(SeqCst, SeqCst, |used| (used < LIMIT).then_some(used + 1))
            .is_ok()
    }

    fn try_acquire_in_two_steps(&self) -> bool {
        if self.used.load(SeqCst) >= LIMIT {
            return false;
        }
        self.used.fetch_add(1, SeqCst);
        true
    }
}

fn limiter(method: fn(&RateLimiter) -> bool) -> Check<RateLimiter> {
    check(RateLimiter::default)
        .method(move |limiter: &RateLimiter, ()| method(limiter))
        .peer("next_period", |limiter: &RateLimiter, ()| {
            limiter.used.store(0, SeqCst);
        })
        .observe("used", |limiter: &RateLimiter, ()| {
            limiter.used.load(SeqCst)
        })
        .also_from(|limiter: &RateLimiter, ()| limiter.used.store(LIMIT, SeqCst))
}

#[test]
fn a_limit_is_kept_if_it_is_checked_when_it_is_used() {
    limiter(RateLimiter::try_acquire).assert_atomic_both_ways();
    holds_only_without(
        limiter(RateLimiter::try_acquire_in_two_steps),
        [&["itself"]],
    );
}

const BACKENDS: usize = 3;

/// Whose turn it is.
#[derive(Default)]
struct RoundRobin {
    next: AtomicUsize,
}

impl RoundRobin {
    fn pick(&self) -> usize {
        let mut turn = self.next.load(SeqCst);
        loop {
            let after = (turn + 1) % BACKENDS;
            match self.next.compare_exchange(turn, after, SeqCst, SeqCst) {
                Ok(_) => return turn,
                Err(now) => turn = now,
            }
        }
    }

    fn pick_and_store(&self) -> usize {
        let turn = self.next.load(SeqCst);
        self.next.store((turn + 1) % BACKENDS, SeqCst);
        turn
    }

    /// Starts over by another operation than the one that takes the turn.
    fn pick_then_wrap(&self) -> usize {
        let turn = self.next.fetch_add(1, SeqCst);
        if turn + 1 == BACKENDS {
            self.next.store(0, SeqCst);
        }
        turn
    }
}

fn round_robin(method: fn(&RoundRobin) -> usize) -> Check<RoundRobin> {
    check(RoundRobin::default)
        .method(move |turns: &RoundRobin, ()| method(turns))
        .observe("next", |turns: &RoundRobin, ()| {
            turns.next.load(SeqCst) % BACKENDS
        })
        .also_from(|turns: &RoundRobin, ()| turns.next.store(BACKENDS - 1, SeqCst))
}

#[test]
fn everybody_has_a_turn_if_it_is_taken_in_one_step() {
    round_robin(RoundRobin::pick)
        .steps(3)
        .assert_atomic_both_ways();
    holds_only_without(round_robin(RoundRobin::pick_and_store), [&["itself"]]);
    holds_only_without(round_robin(RoundRobin::pick_then_wrap), [&["itself"]]);
}

/// Jobs with numbers.
#[derive(Default)]
struct Jobs {
    drawn: AtomicU64,
    queued: DashSet<u64>,
}

impl Jobs {
    fn submit(&self) -> u64 {
        let number = self.drawn.fetch_add(1, SeqCst);
        self.queued.insert(number);
        number
    }
}

/// Which number it is says who came first. Where nobody is to know, two may get each
/// other's.
#[test]
fn a_number_is_drawn_before_the_job_is_there() {
    let jobs = || check(Jobs::default).observe("waiting", |jobs: &Jobs, ()| jobs.queued.len());
    jobs()
        .method(|jobs: &Jobs, ()| fresh(jobs.submit()))
        .assert_atomic_both_ways();
    let numbers = jobs().method(|jobs: &Jobs, ()| jobs.submit());
    holds_only_without(numbers, [&["itself"], &["waiting"]]);
}

/// The most that was seen.
#[derive(Default)]
struct HighWater {
    most: AtomicU32,
}

impl HighWater {
    fn record(&self, level: u32) {
        let mut most = self.most.load(SeqCst);
        while level > most {
            match self.most.compare_exchange_weak(most, level, SeqCst, SeqCst) {
                Ok(_) => return,
                Err(now) => most = now,
            }
        }
    }

    fn record_and_store(&self, level: u32) {
        if level > self.most.load(SeqCst) {
            self.most.store(level, SeqCst);
        }
    }
}

fn high_water(method: fn(&HighWater, u32)) -> Check<HighWater> {
    check(HighWater::default)
        .method(method)
        .peer("take", |mark: &HighWater, ()| mark.most.swap(0, SeqCst))
        .observe("most", |mark: &HighWater, ()| mark.most.load(SeqCst))
}

#[test]
fn a_maximum_is_never_lowered_by_a_loop_that_tries_again() {
    high_water(HighWater::record)
        .steps(3)
        .assert_atomic_both_ways();
    holds_only_without(high_water(HighWater::record_and_store), [&["itself"]]);
}

/// Hits, and all lookups.
#[derive(Default)]
struct HitRate {
    hits: AtomicU32,
    lookups: AtomicU32,
    /// Both of them, in halves.
    both: AtomicU64,
}

#[test]
fn two_counters_are_one_if_they_are_in_one_word() {
    let halves = |both: u64| (both >> 32, both & 0xFFFF_FFFF);
    check(HitRate::default)
        .method(|rate: &HitRate, is_hit: bool| {
            rate.both.fetch_add(u64::from(is_hit) << 32 | 1, SeqCst);
        })
        .observe("both", move |rate: &HitRate, ()| {
            halves(rate.both.load(SeqCst))
        })
        .assert_atomic_both_ways();
    let apart = check(HitRate::default)
        .method(|rate: &HitRate, is_hit: bool| {
            rate.lookups.fetch_add(1, SeqCst);
            if is_hit {
                rate.hits.fetch_add(1, SeqCst);
            }
        })
        .observe("both", |rate: &HitRate, ()| {
            (rate.hits.load(SeqCst), rate.lookups.load(SeqCst))
        });
    holds_only_without(apart, [&["both"]]);
}

/// Who does it.
#[derive(Default)]
struct Election {
    is_over: AtomicBool,
}

#[test]
fn there_is_one_leader_if_asking_is_standing() {
    let election = || {
        check(Election::default).peer("resign", |election: &Election, ()| {
            election.is_over.swap(false, SeqCst)
        })
    };
    election()
        .method(|election: &Election, ()| !election.is_over.swap(true, SeqCst))
        .assert_atomic_both_ways();
    let in_two_steps = election().method(|election: &Election, ()| {
        let stands = !election.is_over.load(SeqCst);
        if stands {
            election.is_over.store(true, SeqCst);
        }
        stands
    });
    holds_only_without(in_two_steps, [&["itself"]]);
}
