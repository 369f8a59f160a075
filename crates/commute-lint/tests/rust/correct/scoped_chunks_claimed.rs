//! Workers of a scope claim chunks by `fetch_add`, and write their own results.
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

fn transform(value: &u32) -> u64 {
    u64::from(*value).pow(2)
}

pub fn process(values: &[u32], workers: usize) -> Vec<u64> {
    const CHUNK: usize = 64;
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Vec<u64>)>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if start >= values.len() {
                        break;
                    }
                    let end = (start + CHUNK).min(values.len());
                    let part = values[start..end].iter().map(transform).collect();
                    results.lock().unwrap().push((start, part));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(start, _)| *start);
    results.into_iter().flat_map(|(_, part)| part).collect()
}
