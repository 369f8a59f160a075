//! free functions arc state.
//@ finding: handle_join
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
pub struct State {
    pub players: HashMap<String, u32>,
    pub started: bool,
}
#[cfg(not(fixed))]
pub fn handle_join(state: Arc<Mutex<State>>, name: String) -> Result<u32, String> {
    let started = state.lock().unwrap().started;
    if started {
        return Err("game has started".into());
    }
    let id = state.lock().unwrap().players.len() as u32;
    state.lock().unwrap().players.insert(name, id);
    Ok(id)
}
#[cfg(fixed)]
pub fn handle_join(state: Arc<Mutex<State>>, name: String) -> Result<u32, String> {
    let mut state = state.lock().unwrap();
    if state.started {
        return Err("game has started".into());
    }
    let id = state.players.len() as u32;
    state.players.insert(name, id);
    Ok(id)
}
pub fn handle_start(state: Arc<Mutex<State>>) {
    state.lock().unwrap().started = true;
}
