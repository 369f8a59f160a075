//! A job is marked as running in the region that looks at the mark, or only
//! sometimes.
//@ suppression: Claim
//@ finding: run
use std::sync::Mutex;
#[derive(PartialEq, Clone, Copy)]
enum State {
    Idle,
    Busy,
}
struct Inner {
    state: State,
    result: Option<u64>,
}
pub struct Job {
    inner: Mutex<Inner>,
}
fn compute() -> u64 {
    std::process::id().into()
}
impl Job {
    pub fn run(&self, long: bool) -> bool {
        let mut inner = self.inner.lock().unwrap();
        if inner.state == State::Busy {
            return false;
        }
        #[cfg(not(fixed))]
        if long {
            inner.state = State::Busy;
        }
        #[cfg(fixed)]
        {
            inner.state = State::Busy;
        }
        drop(inner);
        let result = compute();
        let mut inner = self.inner.lock().unwrap();
        inner.result = Some(result);
        inner.state = State::Idle;
        true
    }
}
