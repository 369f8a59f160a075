//! A hook that is added after the check is never run.
//@ finding: Runtime::on_exit
use std::sync::Mutex;

type Hook = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    closed: bool,
    hooks: Vec<Hook>,
}

#[derive(Default)]
pub struct Runtime {
    state: Mutex<State>,
    name: String,
}

impl Runtime {
    pub fn name(&self) -> &str {
        &self.name
    }
    #[cfg(not(fixed))]
    fn is_closed(&self) -> bool {
        self.state.lock().unwrap().closed
    }
    #[cfg(not(fixed))]
    pub fn on_exit(&self, hook: Hook) {
        if self.is_closed() {
            hook();
            return;
        }
        self.state.lock().unwrap().hooks.push(hook);
    }
    #[cfg(fixed)]
    pub fn on_exit(&self, hook: Hook) {
        let mut state = self.state.lock().unwrap();
        if state.closed {
            drop(state);
            hook();
            return;
        }
        state.hooks.push(hook);
    }
    pub fn shutdown(&self) {
        let hooks = {
            let mut state = self.state.lock().unwrap();
            state.closed = true;
            std::mem::take(&mut state.hooks)
        };
        for hook in hooks {
            hook();
        }
    }
}
