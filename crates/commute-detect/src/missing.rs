//! What would have ordered two events: the lock one of them did not hold, the
//! join that did not happen.

use commute_model::{LockId, Names, Note, ThreadId};

use crate::access::Access;
use crate::hb::HappensBefore;

/// Says why nothing orders `earlier` before `later`, and what would.
pub(crate) fn synchronisation(
    hb: &HappensBefore,
    earlier: &Access,
    later: &Access,
    names: &Names,
) -> [Note; 2] {
    let (u, t) = (hb.thread(earlier.epoch), hb.thread(later.epoch));
    let about = Pair {
        names,
        u,
        t,
        earlier: earlier.index(),
        later: later.index(),
    };
    let (threads, thread_help) = about.threads(hb);
    let held = [earlier.held, later.held].map(|set| hb.locksets.locks(set));
    let (locks, lock_help) = match &held {
        [Some(first), Some(second)] => about.locks(first, second),
        _ => (String::new(), None),
    };
    let why: Vec<_> = [threads, locks]
        .into_iter()
        .filter(|s| !s.is_empty())
        .collect();
    let help = lock_help
        .or(thread_help)
        .unwrap_or_else(|| "hold one lock around both, or join one thread before the other".into());
    [Note::new("why", why.join("; ")), Note::new("help", help)]
}

struct Pair<'a> {
    names: &'a Names,
    /// The earlier thread.
    u: ThreadId,
    /// The later thread.
    t: ThreadId,
    earlier: u64,
    later: u64,
}

impl Pair<'_> {
    fn threads(&self, hb: &HappensBefore) -> (String, Option<String>) {
        let [u, t] = [self.u, self.t].map(|t| self.names.threads.name(t));
        let (of_u, of_t) = (hb.forked(self.u), hb.forked(self.t));
        if let Some(fork) = of_u
            && fork.parent == self.t
        {
            let why = format!(
                "{t} forked {u} (event {}) and has not joined it",
                fork.index
            );
            let help = format!("join {u} before event {}", self.later);
            return (why, Some(help));
        }
        if let Some(fork) = of_t
            && fork.parent == self.u
        {
            let why = format!(
                "{u} forked {t} (event {}) before event {}",
                fork.index, self.earlier
            );
            let help = format!(
                "do event {} before the fork, or join {t} first",
                self.earlier
            );
            return (why, Some(help));
        }
        if let (Some(first), Some(second)) = (of_u, of_t)
            && first.parent == second.parent
        {
            let parent = self.names.threads.name(first.parent);
            let why = format!(
                "{parent} forked {u} (event {}) and {t} (event {}), and neither waits for the other",
                first.index, second.index
            );
            return (why, None);
        }
        (format!("no lock, fork or join leads from {u} to {t}"), None)
    }

    fn locks(&self, first: &[LockId], second: &[LockId]) -> (String, Option<String>) {
        let [u, t] = [self.u, self.t].map(|t| self.names.threads.name(t));
        let list = |locks: &[LockId]| {
            let shown = locks.iter().take(3);
            let mut text: Vec<_> = shown
                .map(|l| format!("`{}`", self.names.locks.name(*l)))
                .collect();
            if locks.len() > 3 {
                text.push(format!("{} more", locks.len() - 3));
            }
            text.join(", ")
        };
        let shared = first.iter().find(|l| second.contains(l));
        match (first, second) {
            ([], []) => ("neither holds a lock".into(), None),
            (_, _) if shared.is_some() => {
                let lock = list(&[*shared.expect("just found")]);
                let why = format!("both hold {lock}, but shared holds order nothing");
                (
                    why,
                    Some(format!("hold {lock} exclusively where the object changes")),
                )
            }
            ([], held) => (
                format!("{t} holds {}, {u} held no lock", list(held)),
                Some(format!(
                    "hold {} at event {} too",
                    list(&held[..1]),
                    self.earlier
                )),
            ),
            (held, []) => (
                format!("{u} held {}, {t} holds no lock", list(held)),
                Some(format!(
                    "hold {} at event {} too",
                    list(&held[..1]),
                    self.later
                )),
            ),
            (held, other) => (
                format!(
                    "{u} held {}, {t} holds {}: no lock in common",
                    list(held),
                    list(other)
                ),
                Some("hold the same lock around both".into()),
            ),
        }
    }
}
