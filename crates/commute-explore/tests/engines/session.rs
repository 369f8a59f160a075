//! A test from beginning to end: verdicts, stories, replays.

use std::rc::Rc;
use std::sync::Arc;

use commute_explore::{Model, Planned, Report, Settings, Verdict, Wrong, explore, models};
use commute_model::Value;

use crate::interpreted::{Interpreted, Source, Stmt};

fn settings() -> Settings {
    Settings {
        engine: "exhaustive".to_owned(),
        ..Settings::default()
    }
}

fn explored(source: &Source, settings: &Settings) -> Report {
    explore(&mut Interpreted::new(source.clone()), settings, &mut |_| {
        None
    })
    .unwrap()
}

fn source(objects: Vec<(Arc<dyn Model>, Value)>, threads: Vec<Vec<Stmt>>) -> Source {
    let mut all: Vec<Rc<[Stmt]>> = vec![Rc::from([])];
    all.extend(threads.into_iter().map(Rc::from));
    Source {
        objects,
        threads: all,
    }
}

fn lock() -> (Arc<dyn Model>, Value) {
    (Arc::new(models::Lock), models::Lock::initial())
}

/// Two locks, taken in different orders.
fn deadlock() -> Source {
    let thread = |a, b| {
        vec![
            Stmt::Lock(a),
            Stmt::Lock(b),
            Stmt::Unlock(b, false),
            Stmt::Unlock(a, false),
        ]
    };
    source(vec![lock(), lock()], vec![thread(0, 1), thread(1, 0)])
}

fn schedule(report: &Report) -> Vec<Planned> {
    let steps = report.failures[0].steps.iter();
    let planned = steps.map(|told| Planned {
        thread: told.thread.clone(),
        does: told.line(),
    });
    planned.collect()
}

#[test]
fn a_deadlock_is_told_with_who_waits_for_what() {
    let report = explored(&deadlock(), &settings());
    assert_eq!(report.verdict, Verdict::Failed);
    let [story] = &report.failures[..] else {
        panic!("{report:?}");
    };
    let Wrong::Deadlock { waiting } = &story.wrong else {
        panic!("{story:?}");
    };
    let because: Vec<_> = waiting.iter().map(|w| w.because.clone().unwrap()).collect();
    assert_eq!(because, ["T2 has it", "T1 has it"]);
    // main, T1, T2: nobody comes twice.
    assert_eq!(story.switches, 2, "{:?}", story.steps);
}

#[test]
fn a_schedule_can_be_run_again() {
    let first = explored(&deadlock(), &settings());
    let replay = Settings {
        replay: Some(schedule(&first)),
        ..settings()
    };
    let again = explored(&deadlock(), &replay);
    assert_eq!(again.failures, first.failures);
    assert_eq!(again.executions, 1);
}

#[test]
fn a_replay_says_where_the_program_is_another_one() {
    let first = explored(&deadlock(), &settings());
    let replay = Settings {
        replay: Some(schedule(&first)),
        ..settings()
    };
    let mended = source(
        vec![lock(), lock()],
        vec![
            vec![Stmt::Lock(0), Stmt::Unlock(0, false)],
            vec![Stmt::Lock(0), Stmt::Unlock(0, false)],
        ],
    );
    let again = explored(&mended, &replay);
    let Wrong::Diverged { planned, found, .. } = &again.failures[0].wrong else {
        panic!("{again:?}");
    };
    assert!(planned.contains("lock#1.lock()"), "{planned}");
    assert!(!found.is_empty());
}

#[test]
fn limits_make_a_test_inconclusive() {
    let fine = source(
        vec![lock()],
        vec![vec![Stmt::Lock(0), Stmt::Unlock(0, true)]; 2],
    );
    let report = explored(&fine, &settings());
    assert_eq!(report.verdict, Verdict::Passed, "{report:?}");
    assert_eq!(report.outcomes, 2);
    let few = Settings {
        max_executions: Some(1),
        ..settings()
    };
    let report = explored(&fine, &few);
    assert_eq!(report.verdict, Verdict::Inconclusive);
    assert!(report.reasons[0].contains("--max-executions"), "{report:?}");
}

#[test]
fn all_failures_are_found_if_asked_for() {
    let semaphore = (Arc::new(models::Semaphore) as Arc<dyn Model>, Value::Int(1));
    let fails = vec![
        Stmt::Call(0, "try_acquire", vec![]),
        Stmt::FailIf(false.into()),
        Stmt::Call(0, "acquire", vec![]),
    ];
    let all = Settings {
        keep_going: true,
        ..settings()
    };
    let report = explored(&source(vec![semaphore], vec![fails.clone(), fails]), &all);
    assert_eq!(report.failures.len(), 1, "{report:?}");
    assert!(report.executions > 2);
}
