//! A buffer is popped, used, and pushed back by a guard of our own.
use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

pub struct Buffers {
    free: Mutex<Vec<Vec<u8>>>,
    keep: usize,
}

pub struct Lent<'a> {
    buffers: &'a Buffers,
    bytes: Vec<u8>,
}

impl Buffers {
    pub fn new(keep: usize) -> Buffers {
        Buffers {
            free: Mutex::new(Vec::new()),
            keep,
        }
    }
    pub fn lend(&self) -> Lent<'_> {
        let bytes = self.free.lock().unwrap().pop();
        Lent {
            buffers: self,
            bytes: bytes.unwrap_or_else(|| Vec::with_capacity(4096)),
        }
    }
}

impl Deref for Lent<'_> {
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        let mut free = self.buffers.free.lock().unwrap();
        if free.len() < self.buffers.keep {
            free.push(bytes);
        }
    }
}
