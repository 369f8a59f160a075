//! A ticket is read, and the next one made in a second operation.
//@ finding: Balancer::next
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Balancer {
    turn: AtomicUsize,
    tickets: AtomicUsize,
}

impl Balancer {
    pub const fn new() -> Balancer {
        Balancer { turn: AtomicUsize::new(0), tickets: AtomicUsize::new(1) }
    }
    pub fn turn(&self) -> usize {
        self.turn.load(Ordering::Relaxed)
    }
    #[cfg(not(fixed))]
    pub fn next(&self) -> usize {
        let ticket = self.tickets.load(Ordering::SeqCst);
        self.tickets.fetch_add(1, Ordering::SeqCst);
        ticket
    }
    #[cfg(fixed)]
    pub fn next(&self) -> usize {
        self.tickets.fetch_add(1, Ordering::SeqCst)
    }
    pub fn advance(&self) {
        self.turn.fetch_add(1, Ordering::Relaxed);
    }
}
