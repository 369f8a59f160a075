//! A circuit breaker that is half open lets so many requests try. It compares
//! with those that have ended, and nothing is noted for those that run: any
//! number get in before the first ends. A place is now taken at the beginning.
//@ finding: Breaker::call
use tokio::sync::Mutex;

#[derive(Default)]
struct Circuit {
    succeeded: usize,
    failed: usize,
    #[cfg(fixed)]
    admitted: usize,
    permitted: usize,
}

impl Circuit {
    #[cfg(not(fixed))]
    fn try_acquire(&mut self) -> bool {
        self.succeeded + self.failed < self.permitted
    }

    #[cfg(fixed)]
    fn try_acquire(&mut self) -> bool {
        if self.admitted >= self.permitted {
            return false;
        }
        self.admitted += 1;
        true
    }

    fn record(&mut self, success: bool) {
        if success {
            self.succeeded += 1;
        } else {
            self.failed += 1;
        }
    }
}

#[derive(Default)]
pub struct Breaker {
    circuit: Mutex<Circuit>,
}

impl Breaker {
    pub async fn call<F>(&self, request: F) -> Result<u32, String>
    where
        F: Future<Output = Result<u32, String>>,
    {
        let admitted = self.circuit.lock().await.try_acquire();
        if !admitted {
            return Err("open".to_owned());
        }
        let result = request.await;
        self.circuit.lock().await.record(result.is_ok());
        result
    }
}
