//! The same client code, once with std's types and once with ours: that it compiles
//! compares signatures, that it passes compares behaviour. In a normal build the
//! two are the same; with `--cfg commute` ours are instrumented, pass through when
//! the tests of `of_commute` run, and are recorded when those of `recorded` run them
//! again.

mod of_commute;
mod of_std;
#[cfg(commute)]
mod trace;

/// Runs the tests of `of_commute` in a process that is recorded, and looks at what
/// was: a trace that a program could have produced, whose actions the sequential
/// models reproduce.
#[cfg(commute)]
mod recorded {
    use crate::trace::Trace;

    fn check(module: &str) -> Trace {
        let trace = Trace::of_tests(&format!("of_commute::{module}::"));
        trace.is_well_formed();
        trace.is_named_after_the_client();
        trace.replays();
        trace
    }

    #[test]
    fn mutex() {
        let trace = check("mutex");
        assert!(trace.count("acq(") > 4000);
        // Who has no birthplace has a number.
        assert_eq!(trace.count("acq(mutex)"), 2);
        assert_eq!(trace.count("acq(mutex#"), 4);
    }

    #[test]
    fn rwlock() {
        assert!(check("rwlock").count("racq(") > 2000);
    }

    #[test]
    fn condvar() {
        assert!(check("condvar").count("wake(") > 100);
    }

    #[test]
    fn threads() {
        let trace = check("threads");
        assert_eq!(trace.count("fork(named)"), 1);
        assert_eq!(trace.count("join(named)"), 1);
    }

    #[test]
    fn atomics() {
        let trace = check("atomics");
        assert!(trace.count("fetch_add(") > 4000);
        assert!(trace.count("cas_cur(") > 1000);
        assert!(trace.count("load(") > 1000);
    }

    #[test]
    fn channels() {
        let trace = check("channels");
        assert!(trace.count("send(") > 1500);
        assert!(trace.count("recv(") > 1500);
        assert!(trace.count("close()/true") > 5);
        assert!(trace.count("disconnect()") > 5);
    }

    #[test]
    fn once() {
        let trace = check("once");
        assert_eq!(trace.count("acq(once@"), 4);
        assert!(trace.count("acq(once_lock@") > 20);
        assert!(trace.count("acq(lazy_lock@") > 4);
        assert!(trace.count("recv()/nil") > 40);
    }

    #[test]
    fn barriers() {
        let trace = check("barriers");
        assert!(trace.count("arrive()") > 300);
        assert_eq!(trace.count("leave()"), trace.count("arrive()"));
        // Of 4 threads, of 2, of 1 (twice), and of none, which is one of 1.
        for (parties, barriers) in [(4, 1), (2, 1), (1, 3)] {
            let kind = format!(":barrier({parties})");
            let made = trace
                .operations()
                .filter(|op| op.starts_with("new(") && op.contains(&kind));
            assert_eq!(made.count(), barriers, "{kind}");
        }
    }
}
