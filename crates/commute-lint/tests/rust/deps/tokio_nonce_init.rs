//! A client of a blockchain numbers its transactions. The first number comes
//! from the network, if it was not asked before; several tasks that send their
//! first transaction all ask and all set the number back. A mutex now lets in
//! one, and the others look again.
//@ finding: NonceManager::initialize
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tokio::sync::Mutex;

pub struct Provider {
    count: u64,
}

impl Provider {
    async fn transaction_count(&self) -> Result<u64, String> {
        tokio::task::yield_now().await;
        Ok(self.count)
    }
}

pub struct NonceManager {
    provider: Provider,
    initialized: AtomicBool,
    guard: Mutex<()>,
    nonce: AtomicU64,
}

impl NonceManager {
    #[cfg(not(fixed))]
    async fn initialize(&self) -> Result<(), String> {
        if !self.initialized.load(Ordering::SeqCst) {
            let nonce = self.provider.transaction_count().await?;
            self.nonce.store(nonce, Ordering::SeqCst);
            self.initialized.store(true, Ordering::SeqCst);
        }
        Ok(())
    }

    #[cfg(fixed)]
    async fn initialize(&self) -> Result<(), String> {
        if self.initialized.load(Ordering::SeqCst) {
            return Ok(());
        }
        let _guard = self.guard.lock().await;
        if !self.initialized.load(Ordering::SeqCst) {
            let nonce = self.provider.transaction_count().await?;
            self.nonce.store(nonce, Ordering::SeqCst);
            self.initialized.store(true, Ordering::SeqCst);
        }
        Ok(())
    }

    pub async fn next(&self) -> Result<u64, String> {
        self.initialize().await?;
        Ok(self.nonce.fetch_add(1, Ordering::SeqCst))
    }
}
