//! arc inner handle.
//@ finding: Client::next_sequence
use std::sync::{Arc, Mutex};
struct Shared {
    sequence: u32,
    pending: Vec<u32>,
}
struct Inner {
    shared: Mutex<Shared>,
}
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}
impl Client {
    #[cfg(not(fixed))]
    pub fn next_sequence(&self) -> u32 {
        let sequence = self.inner.shared.lock().unwrap().sequence;
        let next = sequence.wrapping_add(1);
        let mut shared = self.inner.shared.lock().unwrap();
        shared.sequence = next;
        shared.pending.push(sequence);
        sequence
    }
    #[cfg(fixed)]
    pub fn next_sequence(&self) -> u32 {
        let mut shared = self.inner.shared.lock().unwrap();
        let sequence = shared.sequence;
        shared.sequence = sequence.wrapping_add(1);
        shared.pending.push(sequence);
        sequence
    }
}
