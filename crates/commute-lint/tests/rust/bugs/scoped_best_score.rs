//! Workers of a scope compare with the best and replace it in two steps.
//@ finding: search
use std::sync::Mutex;
use std::thread;

#[derive(Clone, Copy, Debug, Default)]
pub struct Candidate {
    seed: u64,
    score: u64,
}

fn evaluate(seed: u64) -> Candidate {
    let mut x = seed | 1;
    for _ in 0..16 {
        x ^= x << 13;
        x ^= x >> 7;
    }
    Candidate { seed, score: x % 1000 }
}

pub fn search(seeds: &[u64], workers: usize) -> Candidate {
    let best = Mutex::new(Candidate::default());
    let size = seeds.len().div_ceil(workers.max(1)).max(1);
    thread::scope(|scope| {
        for chunk in seeds.chunks(size) {
            let best = &best;
            scope.spawn(move || {
                for &seed in chunk {
                    let candidate = evaluate(seed);
                    #[cfg(not(fixed))]
                    {
                        let known = best.lock().unwrap().score;
                        if candidate.score > known {
                            *best.lock().unwrap() = candidate;
                        }
                    }
                    #[cfg(fixed)]
                    {
                        let mut best = best.lock().unwrap();
                        if candidate.score > best.score {
                            *best = candidate;
                        }
                    }
                }
            });
        }
    });
    best.into_inner().unwrap()
}
