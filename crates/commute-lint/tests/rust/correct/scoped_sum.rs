//! Scoped sum, as far as the cases use it.
use std::sync::Mutex;
pub fn sum(parts: &[Vec<u64>]) -> u64 {
    let total = Mutex::new(0);
    std::thread::scope(|scope| {
        for part in parts {
            scope.spawn(|| {
                let sum: u64 = part.iter().sum();
                *total.lock().unwrap() += sum;
            });
        }
    });
    total.into_inner().unwrap()
}
