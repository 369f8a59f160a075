//! Workers wait for the end of a server: they look at a flag and then wait to
//! be notified. A notification that comes in between wakes nobody, and the
//! worker waits for an hour. It now registers first and looks afterwards.
//@ finding: Signal::wait
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

struct Inner {
    requested: AtomicBool,
    notify: Notify,
}

#[derive(Clone)]
pub struct Signal {
    inner: Arc<Inner>,
}

impl Signal {
    pub fn is_requested(&self) -> bool {
        self.inner.requested.load(Ordering::SeqCst)
    }

    pub fn request(&self) {
        self.inner.requested.store(true, Ordering::SeqCst);
        self.inner.notify.notify_waiters();
    }

    #[cfg(not(fixed))]
    pub async fn wait(&self) {
        if self.is_requested() {
            return;
        }
        self.inner.notify.notified().await;
    }

    #[cfg(fixed)]
    pub async fn wait(&self) {
        let notified = self.inner.notify.notified();
        if self.is_requested() {
            return;
        }
        notified.await;
    }
}
