//! The largest length of all lines, by a parallel iterator.
//@ finding: longest
use rayon::prelude::*;
use std::sync::Mutex;
pub fn longest(lines: &[String]) -> usize {
    let most = Mutex::new(0);
    #[cfg(not(fixed))]
    lines.par_iter().for_each(|line| {
        let known = *most.lock().unwrap();
        if line.len() > known {
            *most.lock().unwrap() = line.len();
        }
    });
    #[cfg(fixed)]
    lines.par_iter().for_each(|line| {
        let mut most = most.lock().unwrap();
        if line.len() > *most {
            *most = line.len();
        }
    });
    most.into_inner().unwrap()
}
