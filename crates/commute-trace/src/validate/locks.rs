//! A lock is held by one thread, as often as it likes, or shared by several.

use commute_model::{CondvarId, Id, LockId, Name, Op, ThreadId};
use smallvec::SmallVec;

use super::{At, Report, state};

#[derive(Default, Debug)]
pub(super) struct Locks {
    locks: Vec<Lock>,
    /// What threads wait for.
    waiting: Vec<Option<Wait>>,
}

#[derive(Default, Debug)]
struct Lock {
    owner: Option<Hold>,
    shared: SmallVec<[Hold; 2]>,
}

#[derive(Clone, Copy, Debug)]
struct Hold {
    thread: ThreadId,
    /// How many times it was acquired and not released.
    depth: u64,
    /// Since when.
    at: At,
}

#[derive(Clone, Copy, Debug)]
struct Wait {
    condvar: CondvarId,
    lock: LockId,
    /// How many times the lock was held, and will be again.
    depth: u64,
    at: At,
}

impl Lock {
    /// Somebody other than `thread` who holds the lock in a way that excludes an
    /// exclusive (or else a shared) acquisition by `thread`.
    fn in_the_way(&self, thread: ThreadId, exclusive: bool) -> Option<(Hold, &'static str)> {
        if let Some(owner) = self.owner
            && owner.thread != thread
        {
            return Some((owner, "holds"));
        }
        let shares = || self.shared.iter().copied();
        match exclusive {
            // Its own shared hold is in the way too: there is no upgrade.
            true => shares()
                .max_by_key(|hold| hold.thread != thread)
                .map(|hold| (hold, "shares")),
            false => None,
        }
    }
}

impl Locks {
    /// Nothing but a wake ends a wait.
    pub(super) fn runs(&mut self, thread: ThreadId, op: &Op, report: &mut Report<'_>) {
        if matches!(op, Op::Wake(..)) {
            return;
        }
        if let Some(wait) = state(&mut self.waiting, thread.index()).take() {
            let name = report.names.threads.name(thread);
            let condvar = report.names.condvars.name(wait.condvar);
            let line = wait.at.line;
            report.error(format!(
                "{name} runs, but waits for `{condvar}` since line {line}"
            ));
        }
    }

    pub(super) fn acquire(
        &mut self,
        thread: ThreadId,
        id: LockId,
        depth: u64,
        report: &mut Report<'_>,
    ) {
        let lock = state(&mut self.locks, id.index());
        match &mut lock.owner {
            Some(owner) if owner.thread == thread => {
                owner.depth += depth;
                return;
            }
            _ => {}
        }
        if let Some((hold, how)) = lock.in_the_way(thread, true) {
            report.error(refusal(report, thread, "acquires", id, hold, how));
            lock.shared.clear();
        }
        lock.owner = Some(Hold {
            thread,
            depth,
            at: report.at,
        });
    }

    pub(super) fn acquire_shared(&mut self, thread: ThreadId, id: LockId, report: &mut Report<'_>) {
        let lock = state(&mut self.locks, id.index());
        if let Some((hold, how)) = lock.in_the_way(thread, false) {
            report.error(refusal(report, thread, "acquires shared", id, hold, how));
            lock.owner = None;
        }
        match lock.shared.iter_mut().find(|hold| hold.thread == thread) {
            Some(hold) => hold.depth += 1,
            None => lock.shared.push(Hold {
                thread,
                depth: 1,
                at: report.at,
            }),
        }
    }

    pub(super) fn release(&mut self, thread: ThreadId, id: LockId, report: &mut Report<'_>) {
        let lock = state(&mut self.locks, id.index());
        if let Some(owner) = &mut lock.owner
            && owner.thread == thread
        {
            owner.depth -= 1;
            if owner.depth == 0 {
                lock.owner = None;
            }
            return;
        }
        report.error(match lock.owner.or(lock.shared.first().copied()) {
            Some(hold) if hold.thread != thread && lock.owner.is_some() => {
                lock.owner = None;
                refusal(report, thread, "releases", id, hold, "holds")
            }
            _ if lock.shared.iter().any(|hold| hold.thread == thread) => {
                let (name, lock) = names_of(report, thread, id);
                format!("{name} releases `{lock}`, which it only shares (`rrel` is meant?)")
            }
            _ => {
                let (name, lock) = names_of(report, thread, id);
                format!("{name} releases `{lock}`, which it does not hold")
            }
        });
    }

    pub(super) fn release_shared(&mut self, thread: ThreadId, id: LockId, report: &mut Report<'_>) {
        let lock = state(&mut self.locks, id.index());
        if let Some(i) = lock.shared.iter().position(|hold| hold.thread == thread) {
            lock.shared[i].depth -= 1;
            if lock.shared[i].depth == 0 {
                lock.shared.swap_remove(i);
            }
            return;
        }
        let owned = lock.owner.is_some_and(|owner| owner.thread == thread);
        let (name, lock) = names_of(report, thread, id);
        report.error(match owned {
            true => format!(
                "{name} releases shared `{lock}`, which it does not share (`rel` is meant?)"
            ),
            false => format!("{name} releases shared `{lock}`, which it does not share"),
        });
    }

    pub(super) fn wait(
        &mut self,
        thread: ThreadId,
        condvar: CondvarId,
        id: LockId,
        report: &mut Report<'_>,
    ) {
        let lock = state(&mut self.locks, id.index());
        let mut depth = 1;
        match lock.owner {
            Some(owner) if owner.thread == thread => {
                depth = owner.depth;
                lock.owner = None;
            }
            _ => {
                let (name, lock) = names_of(report, thread, id);
                let condvar = report.names.condvars.name(condvar);
                report.error(format!(
                    "{name} waits for `{condvar}` with `{lock}`, which it does not hold"
                ));
            }
        }
        *state(&mut self.waiting, thread.index()) = Some(Wait {
            condvar,
            lock: id,
            depth,
            at: report.at,
        });
    }

    pub(super) fn wake(
        &mut self,
        thread: ThreadId,
        condvar: CondvarId,
        id: LockId,
        report: &mut Report<'_>,
    ) {
        let wait = state(&mut self.waiting, thread.index()).take();
        let depth = match wait {
            Some(wait) if wait.condvar == condvar && wait.lock == id => wait.depth,
            other => {
                let name = report.names.threads.name(thread);
                let condvars = &report.names.condvars;
                let woken = condvars.name(condvar);
                report.error(match other {
                    Some(wait) => {
                        let (meant, line) = (condvars.name(wait.condvar), wait.at.line);
                        let lock = report.names.locks.name(wait.lock);
                        format!(
                            "{name} wakes from `{woken}`, but waits for `{meant}` with `{lock}` \
                             since line {line}"
                        )
                    }
                    None => format!("{name} wakes from `{woken}`, but does not wait"),
                });
                1
            }
        };
        self.acquire(thread, id, depth, report);
    }

    pub(super) fn finish(&self, report: &mut Report<'_>) {
        for (index, lock) in self.locks.iter().enumerate() {
            let holds = lock.owner.iter().map(|hold| (hold, "holds"));
            let shares = lock.shared.iter().map(|hold| (hold, "shares"));
            for (hold, how) in holds.chain(shares) {
                let (name, lock) = names_of(report, hold.thread, LockId::from_index(index));
                report.note(hold.at, format!("{name} still {how} `{lock}` at the end"));
            }
        }
        for (index, wait) in self.waiting.iter().enumerate() {
            if let Some(wait) = wait {
                let name = report.names.threads.name(ThreadId::from_index(index));
                let condvar = report.names.condvars.name(wait.condvar);
                report.note(
                    wait.at,
                    format!("{name} still waits for `{condvar}` at the end"),
                );
            }
        }
    }
}

fn names_of<'a>(report: &Report<'a>, thread: ThreadId, lock: LockId) -> (Name<'a>, Name<'a>) {
    (
        report.names.threads.name(thread),
        report.names.locks.name(lock),
    )
}

/// What to say when `hold` is in the way.
fn refusal(
    report: &Report<'_>,
    thread: ThreadId,
    does: &str,
    lock: LockId,
    hold: Hold,
    how: &str,
) -> String {
    let (name, lock) = names_of(report, thread, lock);
    let line = hold.at.line;
    match hold.thread == thread {
        true => format!("{name} {does} `{lock}`, which it {how} itself since line {line}"),
        false => {
            let other = report.names.threads.name(hold.thread);
            format!("{name} {does} `{lock}`, which {other} {how} since line {line}")
        }
    }
}
