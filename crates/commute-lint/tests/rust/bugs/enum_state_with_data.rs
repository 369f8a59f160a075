//! enum state with data.
//@ finding: Stream::reset
use std::sync::{Arc, Mutex};
enum State {
    Open { window: u32 },
    HalfClosed,
    Closed(u32),
}
struct Shared {
    state: State,
    resets: u32,
}
pub struct Stream {
    shared: Arc<Mutex<Shared>>,
}
impl Stream {
    fn is_closed(&self) -> bool {
        matches!(self.shared.lock().unwrap().state, State::Closed(_))
    }
    #[cfg(not(fixed))]
    pub fn reset(&self, code: u32) {
        if self.is_closed() {
            return;
        }
        let mut shared = self.shared.lock().unwrap();
        shared.state = State::Closed(code);
        shared.resets += 1;
    }
    #[cfg(fixed)]
    pub fn reset(&self, code: u32) {
        let mut shared = self.shared.lock().unwrap();
        if matches!(shared.state, State::Closed(_)) {
            return;
        }
        shared.state = State::Closed(code);
        shared.resets += 1;
    }
    pub fn finish(&self) {
        self.shared.lock().unwrap().state = State::HalfClosed;
    }
    pub fn grow(&self, by: u32) {
        if let State::Open { window } = &mut self.shared.lock().unwrap().state {
            *window += by;
        }
    }
    pub fn code(&self) -> Option<u32> {
        match self.shared.lock().unwrap().state {
            State::Closed(code) => Some(code),
            _ => None,
        }
    }
}
