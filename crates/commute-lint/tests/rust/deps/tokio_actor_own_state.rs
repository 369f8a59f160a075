//! An actor keeps what it knows behind a lock, which its handle shows to
//! others. It is the only one that writes, but two were started. One is now
//! started by who makes it.
//@ finding: Actor::run
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

struct Actor {
    total: Arc<Mutex<u64>>,
    messages: mpsc::Receiver<u64>,
}

async fn cost(message: u64) -> u64 {
    tokio::task::yield_now().await;
    message
}

impl Actor {
    async fn run(mut self) {
        while let Some(message) = self.messages.recv().await {
            let total = *self.total.lock().await;
            let cost = cost(message).await;
            *self.total.lock().await = total + cost;
        }
    }
}

pub struct Handle {
    total: Arc<Mutex<u64>>,
}

impl Handle {
    pub async fn total(&self) -> u64 {
        *self.total.lock().await
    }
}

#[cfg(not(fixed))]
pub fn start(messages: mpsc::Receiver<u64>, more: mpsc::Receiver<u64>) -> Handle {
    let total = Arc::new(Mutex::new(0));
    let handle = Handle {
        total: total.clone(),
    };
    for messages in [messages, more] {
        let actor = Actor {
            total: total.clone(),
            messages,
        };
        tokio::spawn(actor.run());
    }
    handle
}

#[cfg(fixed)]
pub fn start(messages: mpsc::Receiver<u64>) -> Handle {
    let total = Arc::new(Mutex::new(0));
    let actor = Actor {
        total: total.clone(),
        messages,
    };
    tokio::spawn(actor.run());
    Handle { total }
}
