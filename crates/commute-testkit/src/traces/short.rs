//! Random traces of threads that live for a few events.

use commute_model::{LockId, Op, ThreadId};
use commute_spec::Library;

use super::{Builder, Life, Mix, Trace};
use crate::random::Random;

/// A random trace of threads that live for a few events: most are joined soon, by the
/// thread that forked them or by another one, and their parents fork the next. Sometimes
/// the join closes a cycle, a parent does not know of it, a joined thread is joined or
/// forked again, or a thread has no event.
pub fn short_lives(seed: u64, types: &[&'static str], library: &Library) -> Trace {
    let length = 20 + (seed % 50) as usize;
    lives(seed, (length, 10), types, library)
}

/// As [`short_lives`], of few events and without a thread that was joined before.
pub fn few_short_lives(seed: u64, types: &[&'static str], library: &Library) -> Trace {
    lives(seed, (10 + (seed % 8) as usize, 0), types, library)
}

/// A trace of [`short_lives`] with so many events, in which so many of a hundred forks and
/// joins are of a thread that was joined before.
fn lives(
    seed: u64,
    (length, again): (usize, usize),
    types: &[&'static str],
    library: &Library,
) -> Trace {
    let mut random = Random::new(seed);
    let mix = Mix {
        threads: 2,
        events: 0,
        variables: 1 + random.below(3),
        locks: 1 + random.below(2),
        types: types.to_vec(),
        synchronisation: 0,
        blocks: [0, 10, 25][random.below(3)],
    };
    let limit = 2 + random.below(3);
    // How often a thread synchronises otherwise, and does anything but fork and join.
    let (locking, working) = (random.below(50), 30 + random.below(50));
    let mut builder = Builder::new(seed, &mix, library);
    builder.life = vec![Life::Running];
    builder.depth = vec![0];
    builder.waiting = vec![None];
    while builder.trace.events.len() < length {
        let is_live = |&t: &usize| builder.life[t] == Life::Running;
        let live: Vec<usize> = (0..builder.life.len()).filter(is_live).collect();
        let t = *random.pick(&live);
        if random.chance(working) {
            builder.work(t, locking);
            continue;
        }
        let is_new = live.len() <= 1 || (live.len() < limit && random.chance(60));
        if is_new {
            // Also a name that a thread had before.
            let u = if random.chance(again) {
                random.below(builder.life.len())
            } else {
                builder.life.len()
            };
            builder.fork_new(t, u);
        } else {
            // Mostly a thread that is there, seldom one that was joined before.
            let u = if random.chance(again) {
                random.below(builder.life.len())
            } else {
                *random.pick(&live)
            };
            builder.join_short(t, u);
        }
    }
    builder.trace
}

impl Builder<'_> {
    /// An event of `t` that neither forks nor joins.
    fn work(&mut self, t: usize, locking: usize) {
        if self.mix.blocks > 0 && self.random.chance(self.mix.blocks) {
            self.begin_or_end(t);
        } else if self.random.chance(locking) {
            self.lock_simply(t);
        } else if !self.mix.types.is_empty() && self.random.chance(50) {
            self.act(t);
        } else {
            self.touch(t);
        }
    }

    /// Acquires or releases a lock.
    fn lock_simply(&mut self, t: usize) {
        let l = self.random.below(self.mix.locks);
        let id = LockId(l as u32);
        match self.owner[l] {
            Some((holder, _)) if holder == t => {
                self.owner[l] = None;
                self.push(t, Op::Release(id));
            }
            Some(_) => {}
            None => {
                self.owner[l] = Some((t, 1));
                self.push(t, Op::Acquire(id));
            }
        }
    }

    /// Forks `u`, which does not run, or is a new thread.
    fn fork_new(&mut self, t: usize, u: usize) {
        if u == self.life.len() {
            self.trace.names.threads.intern(&format!("T{u}"));
            self.life.push(Life::NotStarted);
            self.depth.push(0);
            self.waiting.push(None);
        }
        if u != 0 && self.life[u] != Life::Running {
            self.life[u] = Life::Running;
            self.push(t, Op::Fork(ThreadId(u as u32)));
        }
    }

    /// Joins `u`, which releases its locks and mostly ends its blocks before.
    fn join_short(&mut self, t: usize, u: usize) {
        if u == t || u == 0 {
            return;
        }
        if self.life[u] == Life::Running {
            for l in 0..self.owner.len() {
                if self.owner[l].is_some_and(|(holder, _)| holder == u) {
                    self.owner[l] = None;
                    self.push(u, Op::Release(LockId(l as u32)));
                }
            }
            while self.depth[u] > 0 && self.random.chance(95) {
                self.depth[u] -= 1;
                self.push(u, Op::End(None));
            }
        }
        self.life[u] = Life::Joined;
        self.push(t, Op::Join(ThreadId(u as u32)));
    }
}
