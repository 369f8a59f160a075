//! The newest tick of a column is kept by a function inside of the method. Two
//! threads that have the column both may store an older one last. With
//! `&mut self` nobody else has it, whatever the inner function is given.
//@ finding: Column::add::keep
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Tick(AtomicU32);

impl Tick {
    pub fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
    fn set(&self, tick: u32) {
        self.0.store(tick, Ordering::Relaxed)
    }
}

pub struct Column {
    newest: Option<Tick>,
}

impl Column {
    #[cfg(not(fixed))]
    pub fn add(&self, tick: u32) {
        fn keep(newest: &Tick, tick: u32) {
            if tick > newest.get() {
                newest.set(tick);
            }
        }
        if let Some(newest) = &self.newest {
            keep(newest, tick);
        }
    }

    #[cfg(fixed)]
    pub fn add(&mut self, tick: u32) {
        fn keep(newest: &Tick, tick: u32) {
            if tick > newest.get() {
                newest.set(tick);
            }
        }
        if let Some(newest) = &self.newest {
            keep(newest, tick);
        }
    }
}
