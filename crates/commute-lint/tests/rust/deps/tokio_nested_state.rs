//! Nested structures behind one async lock; a check in one method of the inner
//! type, the action in another.
//@ finding: Gateway::subscribe
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tokio::sync::Mutex;

#[derive(Default)]
struct Topics {
    by_name: HashMap<String, HashSet<u64>>,
}

impl Topics {
    fn has_room(&self, name: &str) -> bool {
        self.by_name.get(name).map_or(true, |members| members.len() < 8)
    }
    fn join(&mut self, name: &str, who: u64) {
        self.by_name.entry(name.to_owned()).or_default().insert(who);
    }
}

#[derive(Default)]
struct State {
    topics: Topics,
    seen: u64,
}

#[derive(Clone, Default)]
pub struct Gateway {
    state: Arc<Mutex<State>>,
}

async fn authorise(who: u64) -> bool {
    tokio::task::yield_now().await;
    who != 0
}

impl Gateway {
    pub async fn saw(&self) -> u64 {
        let mut state = self.state.lock().await;
        state.seen += 1;
        state.seen
    }
    #[cfg(not(fixed))]
    pub async fn subscribe(&self, name: &str, who: u64) -> Result<(), String> {
        if !self.state.lock().await.topics.has_room(name) {
            return Err(format!("{name} is full"));
        }
        if !authorise(who).await {
            return Err("no".to_owned());
        }
        self.state.lock().await.topics.join(name, who);
        Ok(())
    }
    #[cfg(fixed)]
    pub async fn subscribe(&self, name: &str, who: u64) -> Result<(), String> {
        if !authorise(who).await {
            return Err("no".to_owned());
        }
        let mut state = self.state.lock().await;
        if !state.topics.has_room(name) {
            return Err(format!("{name} is full"));
        }
        state.topics.join(name, who);
        Ok(())
    }
}
