//! Tasks report progress by reading, waiting, and writing.
//@ finding: download
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

pub struct Progress {
    done: Mutex<u64>,
    total: u64,
}

async fn fetch(part: u64) -> u64 {
    tokio::task::yield_now().await;
    part * 512
}

async fn download(progress: Arc<Progress>, part: u64) {
    #[cfg(not(fixed))]
    {
        let done = *progress.done.lock().await;
        let bytes = fetch(part).await;
        *progress.done.lock().await = done + bytes;
    }
    #[cfg(fixed)]
    {
        let bytes = fetch(part).await;
        *progress.done.lock().await += bytes;
    }
}

pub async fn download_all(parts: u64) -> u64 {
    let progress = Arc::new(Progress {
        done: Mutex::new(0),
        total: parts * 512,
    });
    let mut tasks = JoinSet::new();
    for part in 0..parts {
        tasks.spawn(download(Arc::clone(&progress), part));
    }
    while let Some(result) = tasks.join_next().await {
        if result.is_err() {
            eprintln!("a part failed");
        }
    }
    let done = *progress.done.lock().await;
    done * 100 / progress.total.max(1)
}
