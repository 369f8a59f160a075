//! The largest value of a parallel iterator, by load and store.
//@ finding: longest_line
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Report {
    pub longest: usize,
    pub lines: usize,
}

fn width(line: &str) -> usize {
    line.chars().filter(|c| !c.is_control()).count()
}

pub fn longest_line(lines: &[String]) -> Report {
    let longest = AtomicUsize::new(0);
    let counted = AtomicUsize::new(0);
    lines.par_iter().for_each(|line| {
        let width = width(line);
        counted.fetch_add(1, Ordering::Relaxed);
        #[cfg(not(fixed))]
        if width > longest.load(Ordering::Relaxed) {
            longest.store(width, Ordering::Relaxed);
        }
        #[cfg(fixed)]
        longest.fetch_max(width, Ordering::Relaxed);
    });
    Report {
        longest: longest.into_inner(),
        lines: counted.into_inner(),
    }
}
