//! Shutdown flag, as far as the cases use it.
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
pub struct Ticker {
    stop: Arc<AtomicBool>,
    handle: Mutex<Option<std::thread::JoinHandle<()>>>,
    ticks: Arc<Mutex<u64>>,
}
impl Ticker {
    pub fn start() -> Ticker {
        let stop = Arc::new(AtomicBool::new(false));
        let ticks = Arc::new(Mutex::new(0));
        let (flag, count) = (stop.clone(), ticks.clone());
        let handle = std::thread::spawn(move || {
            while !flag.load(Ordering::Acquire) {
                *count.lock().unwrap() += 1;
            }
        });
        Ticker {
            stop,
            handle: Mutex::new(Some(handle)),
            ticks,
        }
    }
    pub fn stop(&self) -> u64 {
        self.stop.store(true, Ordering::Release);
        let handle = self.handle.lock().unwrap().take();
        if let Some(handle) = handle {
            let _ = handle.join();
        }
        *self.ticks.lock().unwrap()
    }
}
