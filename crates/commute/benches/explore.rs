//! Executions per second of small tests: what a run costs, whatever is searched for.
#![allow(clippy::print_stdout)]

#[cfg(commute)]
fn main() {
    explored::main();
}

#[cfg(not(commute))]
fn main() {
    println!("needs --cfg commute");
}

#[cfg(commute)]
mod explored {
    use std::ops::ControlFlow;
    use std::time::Instant;

    use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use commute::sync::{Arc, Mutex};
    use commute::thread;
    use commute_explore::runtime::Test;
    use commute_explore::{Exhaustive, Knowledge, Limits, Run, Subject, Watch, explore_with};

    struct Counts {
        runs: u64,
        most: u64,
    }

    impl Watch for Counts {
        fn ran(&mut self, _run: &Run, _is_new: bool, _known: &Knowledge) -> ControlFlow<()> {
            self.runs += 1;
            ControlFlow::Continue(())
        }

        fn enough(&mut self) -> Option<String> {
            (self.runs >= self.most).then(|| "enough".to_owned())
        }
    }

    fn atomics() {
        let total = Arc::new(AtomicU32::new(0));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let total = Arc::clone(&total);
                thread::spawn(move || {
                    total.fetch_add(1, SeqCst);
                    total.load(SeqCst);
                    total.fetch_add(1, SeqCst);
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    }

    fn mutexes() {
        let total = Arc::new(Mutex::new(0));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let total = Arc::clone(&total);
                thread::spawn(move || {
                    *total.lock().unwrap() += 1;
                    *total.lock().unwrap() += 1;
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    }

    fn three() {
        let total = Arc::new(AtomicU32::new(0));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let total = Arc::clone(&total);
                thread::spawn(move || {
                    total.fetch_add(1, SeqCst);
                    total.fetch_add(1, SeqCst);
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    }

    pub(super) fn main() {
        for (name, body) in [
            ("2 threads x 3 atomic operations", atomics as fn()),
            ("2 threads x 2 sections of a mutex", mutexes),
            ("3 threads x 2 atomic operations", three),
        ] {
            let mut test = Test::new(body);
            let mut subject = Subject::new(&mut test, Limits::default());
            let mut counts = Counts {
                runs: 0,
                most: 300_000,
            };
            let start = Instant::now();
            explore_with(&mut Exhaustive::default(), &mut subject, &mut counts);
            let seconds = start.elapsed().as_secs_f64();
            let rate = counts.runs as f64 / seconds;
            println!("{name:36} {rate:>10.0} executions/s ({} runs)", counts.runs);
        }
    }
}
