//! Counts while it maps; what comes back was read in the closures, which have
//! ended.
//@ finding: numbered
use rayon::prelude::*;
use std::sync::Mutex;
pub fn numbered(lines: &[String]) -> (usize, usize) {
    let count = Mutex::new(0);
    #[cfg(not(fixed))]
    let next = || {
        let n = *count.lock().unwrap() + 1;
        *count.lock().unwrap() = n;
        n
    };
    #[cfg(fixed)]
    let next = || {
        let mut count = count.lock().unwrap();
        *count += 1;
        *count
    };
    let sum: usize = lines.par_iter().map(|line| line.len() + next()).sum();
    let last = lines.par_iter().map(|_| next()).max().unwrap_or(0);
    *count.lock().unwrap() = last;
    (sum, last)
}
