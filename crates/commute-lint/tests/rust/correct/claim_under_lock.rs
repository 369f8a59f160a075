//! The state is set in the region that checks; the second region only finishes.
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
    pub fn run(&self) -> bool {
        let mut inner = self.inner.lock().unwrap();
        if inner.state == State::Busy {
            return false;
        }
        inner.state = State::Busy;
        drop(inner);
        let result = compute();
        let mut inner = self.inner.lock().unwrap();
        inner.result = Some(result);
        inner.state = State::Idle;
        true
    }
}
