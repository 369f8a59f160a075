//! A breaker that counts failures and starts again at three. It counts in the
//! first region, but that does not make the count its own.
//@ suppression: Claim
//@ finding: failed
use std::sync::Mutex;
struct Breaker {
    failures: u32,
    is_open: bool,
}
pub struct Client {
    breaker: Mutex<Breaker>,
}
fn alert(failures: u32) {
    std::hint::black_box(failures);
}
impl Client {
    pub fn failed(&self) {
        let mut breaker = self.breaker.lock().unwrap();
        breaker.failures += 1;
        if breaker.failures < 3 {
            return;
        }
        #[cfg(fixed)]
        {
            breaker.failures = 0;
        }
        drop(breaker);
        alert(3);
        let mut breaker = self.breaker.lock().unwrap();
        breaker.is_open = true;
        #[cfg(not(fixed))]
        {
            breaker.failures = 0;
        }
    }
}
