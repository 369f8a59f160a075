//! tokio select state.
//@ finding: Worker::run_once
use std::sync::Arc;
use tokio::sync::{Mutex, Notify};
#[derive(Clone, Copy, PartialEq)]
pub enum State {
    Idle,
    Running,
    Stopped,
}
pub struct Worker {
    state: Arc<Mutex<State>>,
    notify: Notify,
}
impl Worker {
    #[cfg(not(fixed))]
    pub async fn run_once(&self) {
        {
            let state = self.state.lock().await;
            if *state != State::Idle {
                return;
            }
        }
        self.notify.notified().await;
        let mut state = self.state.lock().await;
        *state = State::Running;
    }
    #[cfg(fixed)]
    pub async fn run_once(&self) {
        {
            let state = self.state.lock().await;
            if *state != State::Idle {
                return;
            }
        }
        self.notify.notified().await;
        let mut state = self.state.lock().await;
        if *state == State::Idle {
            *state = State::Running;
        }
    }
    pub async fn stop(&self) {
        *self.state.lock().await = State::Stopped;
        self.notify.notify_one();
    }
}
