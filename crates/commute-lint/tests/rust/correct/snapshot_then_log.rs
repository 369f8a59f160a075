//! Snapshot then log, as far as the cases use it.
use std::sync::Mutex;
#[derive(Clone, Debug)]
pub struct State {
    pub peers: usize,
    pub height: u64,
}
pub struct Node {
    state: Mutex<State>,
}
impl Node {
    pub fn advance(&self) {
        let before = self.state.lock().unwrap().clone();
        println!("before {before:?}");
        let mut state = self.state.lock().unwrap();
        state.height += 1;
        state.peers = state.peers.max(1);
    }
    pub fn print(&self) {
        println!("{:?}", self.state.lock().unwrap());
    }
}
