//! Threads of a scope take work by its number, after they looked if there is some.
//@ finding: run
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

struct Work {
    next: usize,
    done: BTreeMap<usize, u64>,
}

fn compute(number: usize) -> u64 {
    (0..number as u64).sum()
}

pub fn run(count: usize, threads: usize) -> BTreeMap<usize, u64> {
    let work = Mutex::new(Work { next: 0, done: BTreeMap::new() });
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    #[cfg(not(fixed))]
                    let number = {
                        let number = work.lock().unwrap().next;
                        if number >= count {
                            break;
                        }
                        work.lock().unwrap().next = number + 1;
                        number
                    };
                    #[cfg(fixed)]
                    let number = {
                        let mut work = work.lock().unwrap();
                        let number = work.next;
                        if number >= count {
                            break;
                        }
                        work.next = number + 1;
                        number
                    };
                    let result = compute(number);
                    work.lock().unwrap().done.insert(number, result);
                }
            });
        }
    });
    work.into_inner().unwrap().done
}
