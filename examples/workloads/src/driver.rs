//! A driver that is stopped while it has work to do.

use commute::sync::{Condvar, Mutex};
use commute::{Called, Model, Value};

/// Counts what it has begun, and itself; whoever stops it waits until nothing is left.
#[derive(Debug, Default)]
pub struct Driver {
    state: Mutex<DriverState>,
    changed: Condvar,
}

#[commute::object(model = DriverState)]
impl Driver {
    /// Begins something, unless it is being stopped.
    pub fn enter(&self) -> bool {
        self.state.lock().unwrap().enter()
    }

    /// Ends something.
    pub fn leave(&self) {
        self.state.lock().unwrap().leave();
        self.changed.notify_all();
    }

    /// From now on nothing begins.
    pub fn stop(&self) {
        self.state.lock().unwrap().stopping = true;
    }

    /// Waits until nothing is left.
    pub fn wait(&self) {
        let state = self.state.lock().unwrap();
        drop(self.changed.wait_while(state, |state| !state.event));
    }
}

/// What a driver knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DriverState {
    pending: u32,
    stopping: bool,
    /// That there was nothing left.
    event: bool,
}

impl Default for DriverState {
    fn default() -> DriverState {
        DriverState {
            pending: 1,
            stopping: false,
            event: false,
        }
    }
}

impl DriverState {
    fn enter(&mut self) -> bool {
        self.pending += u32::from(!self.stopping);
        !self.stopping
    }

    fn leave(&mut self) {
        self.pending -= 1;
        self.event |= self.pending == 0;
    }
}

impl Model for DriverState {
    fn step(&mut self, method: &str, _args: &[Value]) -> Option<Value> {
        match method {
            "enter" => Some(self.enter().into()),
            "leave" => {
                self.leave();
                Some(().into())
            }
            "stop" => {
                self.stopping = true;
                Some(().into())
            }
            "wait" => self.event.then(|| ().into()),
            _ => panic!("what does `{method}` do?"),
        }
    }

    fn waits(method: &str) -> bool {
        method == "wait"
    }

    fn only_reads(method: &str) -> bool {
        method == "wait"
    }

    fn commute(first: &Called<'_>, second: &Called<'_>) -> bool {
        let refused = |call: &Called<'_>| call.result.as_bool() == Some(false);
        match (first.method, second.method) {
            ("enter", "enter") | ("leave", "leave") | ("stop", "leave") | ("leave", "stop") => true,
            ("enter", "leave" | "wait") => refused(first),
            ("leave" | "wait", "enter") => refused(second),
            ("wait", "leave") => true,
            _ => false,
        }
    }
}
