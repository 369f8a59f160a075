//! What a shutdown may come before is polled beside it: the next number is read
//! by one future and stored by another, and two get one number. One future now
//! does both under one lock.
//@ finding: Numbers::next
use tokio::sync::{Mutex, Notify};

pub struct Numbers {
    next: Mutex<u64>,
    stop: Notify,
}

impl Numbers {
    async fn read(&self) -> u64 {
        *self.next.lock().await
    }

    async fn write(&self, next: u64) {
        *self.next.lock().await = next;
    }

    async fn step(&self) -> u64 {
        let mut next = self.next.lock().await;
        *next += 1;
        *next
    }

    #[cfg(not(fixed))]
    pub async fn next(&self) -> Option<u64> {
        let number = tokio::select! {
            _ = self.stop.notified() => { return None; }
            number = self.read() => { number }
        };
        tokio::select! {
            _ = self.stop.notified() => { None }
            _ = self.write(number + 1) => { Some(number) }
        }
    }

    #[cfg(fixed)]
    pub async fn next(&self) -> Option<u64> {
        tokio::select! {
            _ = self.stop.notified() => { None }
            number = self.step() => { Some(number) }
        }
    }
}
