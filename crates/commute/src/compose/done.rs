//! What came of the checks of a test.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use commute_explore::Story;
use commute_explore::runtime::is_inside;

use super::checked::{Checked, Outcome};
use super::story;

/// What came of the checks of a test that is explored, in order. It is run again and
/// again, with the same checks.
static DONE: Mutex<Vec<Done>> = Mutex::new(Vec::new());

/// How many checks there were in this run of the test.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// What came of a check.
#[derive(Clone)]
pub(crate) struct Done {
    pub(crate) checked: Checked,
    /// What went wrong, if something did.
    pub(crate) story: Option<Story>,
    /// Whether the test asked for it to be atomic.
    pub(crate) is_asserted: bool,
    /// Whether it uses orderings that are weaker than those that were tried.
    pub(crate) is_weak: bool,
}

fn done() -> MutexGuard<'static, Vec<Done>> {
    DONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A test is run, maybe again.
pub(crate) fn begin() {
    NEXT.store(0, SeqCst);
}

/// What came of all checks.
pub(crate) fn results() -> Vec<Done> {
    done().clone()
}

/// The last check had to be atomic.
pub(super) fn asserted() {
    if is_inside()
        && let Some(last) = done().get_mut(NEXT.load(SeqCst).wrapping_sub(1))
    {
        last.is_asserted = true;
    }
}

/// What came of the next check, if it was made before.
pub(super) fn next() -> Option<Checked> {
    let index = NEXT.fetch_add(1, SeqCst);
    done().get(index).map(|done| done.checked.clone())
}

/// This came of the next check.
pub(super) fn add(result: Done) {
    done().push(result);
}

impl Done {
    /// Nothing was run.
    pub(super) fn nothing(outcome: Outcome) -> Done {
        Done {
            checked: Checked {
                text: story::text(&outcome, None, &[]),
                outcome,
                executions: 0,
                pruned: 0,
                histories: 0,
                only_without: Vec::new(),
                notes: Vec::new(),
            },
            story: None,
            is_asserted: false,
            is_weak: false,
        }
    }
}
