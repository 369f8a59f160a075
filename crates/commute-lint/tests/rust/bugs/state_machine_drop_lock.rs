//! The state is checked, the lock is given up for the slow part, the state is set whatever it is now.
//@ finding: Link::connect
use std::sync::Mutex;
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    Idle,
    Connecting,
    Connected,
    Closed,
}
pub struct Link {
    state: Mutex<State>,
}
fn dial() -> bool {
    std::env::args().count() > 1
}
impl Link {
    #[cfg(not(fixed))]
    pub fn connect(&self) -> bool {
        let state = self.state.lock().unwrap();
        if *state != State::Idle {
            return false;
        }
        drop(state);
        if !dial() {
            return false;
        }
        *self.state.lock().unwrap() = State::Connected;
        true
    }
    #[cfg(fixed)]
    pub fn connect(&self) -> bool {
        let mut state = self.state.lock().unwrap();
        if *state != State::Idle {
            return false;
        }
        *state = State::Connecting;
        drop(state);
        let ok = dial();
        let mut state = self.state.lock().unwrap();
        if *state == State::Connecting {
            *state = if ok { State::Connected } else { State::Idle };
        }
        ok
    }
    pub fn close(&self) {
        *self.state.lock().unwrap() = State::Closed;
    }
}
