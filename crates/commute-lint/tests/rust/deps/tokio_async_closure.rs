//! Handlers are async closures. One reads the newest block that was seen, asks
//! a peer, and notes what it has got: a newer one that came meanwhile is
//! forgotten. It is now compared again.
//@ finding: watch
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

async fn each(mut ids: mpsc::Receiver<u64>, handle: impl AsyncFn(u64)) {
    while let Some(id) = ids.recv().await {
        handle(id).await;
    }
}

async fn ask(id: u64) -> u64 {
    tokio::task::yield_now().await;
    id
}

#[cfg(not(fixed))]
pub async fn watch(newest: Arc<Mutex<u64>>, ids: mpsc::Receiver<u64>) {
    each(ids, async |id| {
        let seen = *newest.lock().await;
        if id > seen {
            let got = ask(id).await;
            *newest.lock().await = got;
        }
    })
    .await;
}

#[cfg(fixed)]
pub async fn watch(newest: Arc<Mutex<u64>>, ids: mpsc::Receiver<u64>) {
    each(ids, async |id| {
        let got = ask(id).await;
        let mut newest = newest.lock().await;
        if got > *newest {
            *newest = got;
        }
    })
    .await;
}
