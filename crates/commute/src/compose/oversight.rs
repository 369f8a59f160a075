//! How long a check may take, and who is told how far it is.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use commute_explore::Progress;
use commute_explore::runtime::still_busy;

/// Between two words.
const BEAT: Duration = Duration::from_millis(100);

/// Questions between two looks at the clock.
const PATIENCE: u32 = 64;

/// What is allowed, and who listens.
pub(crate) struct Oversight {
    pub(crate) max_seconds: Option<f64>,
    pub(crate) max_executions: Option<u64>,
    /// Is told now and then; says why to stop, if that is so.
    pub(crate) listen: Box<dyn FnMut(Progress) -> Option<String> + Send>,
    pub(crate) since: Instant,
}

/// Of the test that is explored.
static OVERSIGHT: Mutex<Option<Oversight>> = Mutex::new(None);

/// From now on.
pub(crate) fn begin(oversight: Oversight) {
    *OVERSIGHT.lock().unwrap_or_else(PoisonError::into_inner) = Some(oversight);
}

/// Of one check.
pub(super) struct Watch {
    questions: u32,
    next: Instant,
}

/// A check begins.
pub(super) fn watch() -> Watch {
    Watch {
        questions: 0,
        next: Instant::now() + BEAT,
    }
}

impl Watch {
    /// Whether to stop, and why.
    pub(super) fn enough(&mut self, executions: u64, histories: u64) -> Option<String> {
        self.questions += 1;
        if !self.questions.is_multiple_of(PATIENCE) {
            return None;
        }
        let now = Instant::now();
        let mut oversight = OVERSIGHT.lock().unwrap_or_else(PoisonError::into_inner);
        let oversight = oversight.as_mut()?;
        if let Some(most) = oversight.max_executions.filter(|most| executions >= *most) {
            return Some(format!("{most} executions were made (--max-executions)"));
        }
        let seconds = (now - oversight.since).as_secs_f64();
        if let Some(most) = oversight.max_seconds.filter(|most| seconds >= *most) {
            return Some(format!("the time is over: {most} s (--max-seconds)"));
        }
        if now < self.next {
            return None;
        }
        self.next = now + BEAT;
        still_busy();
        (oversight.listen)(Progress {
            executions,
            outcomes: histories,
            queue: 0,
            seconds,
            seconds_left: None,
        })
    }
}
