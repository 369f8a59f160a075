//! Two callers both find the service stopped.
//@ finding: Service::start
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
pub struct Service {
    running: Arc<AtomicBool>,
    worker: Mutex<Option<JoinHandle<()>>>,
}
impl Service {
    #[cfg(not(fixed))]
    pub fn start(&self) -> Result<(), String> {
        if self.running.load(Ordering::SeqCst) {
            return Err("already running".into());
        }
        self.running.store(true, Ordering::SeqCst);
        let running = self.running.clone();
        let handle = std::thread::spawn(move || {
            while running.load(Ordering::SeqCst) {
                std::thread::yield_now()
            }
        });
        *self.worker.lock().unwrap() = Some(handle);
        Ok(())
    }
    #[cfg(fixed)]
    pub fn start(&self) -> Result<(), String> {
        if self.running.swap(true, Ordering::SeqCst) {
            return Err("already running".into());
        }
        let running = self.running.clone();
        let handle = std::thread::spawn(move || {
            while running.load(Ordering::SeqCst) {
                std::thread::yield_now()
            }
        });
        *self.worker.lock().unwrap() = Some(handle);
        Ok(())
    }
    pub fn stop(&self) {
        self.running.store(false, Ordering::SeqCst);
        if let Some(worker) = self.worker.lock().unwrap().take() {
            let _ = worker.join();
        }
    }
}
