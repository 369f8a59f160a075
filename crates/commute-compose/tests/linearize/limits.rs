//! How much a search takes.

use commute_compose::linearize::{Answer, Call, History, Limits, Outcome, Recording};
use commute_compose::linearize::{SequentialSpecification, Unknown, check};
use commute_spec::models;

use crate::model;
use crate::random::{Random, Shape, history};

/// Many writers at once, and a read that nobody explains.
fn hard(writers: usize) -> History {
    let mut recording = Recording::new();
    for writer in 0..writers {
        let process = format!("W{writer}");
        recording.invoke(&process, "", "add", [1.into()]).unwrap();
    }
    recording.invoke("R", "", "read", []).unwrap();
    recording.returns("R", -1).unwrap();
    for writer in 0..writers {
        recording.returns(&format!("W{writer}"), ()).unwrap();
    }
    recording.finish()
}

#[test]
fn steps_are_bounded() {
    let counter = model("counter");
    let answer = |steps| check(&counter, &hard(8), &Limits::default().steps(steps));
    assert_eq!(answer(0), Answer::Unknown(Unknown::Steps(0)));
    assert_eq!(answer(100), Answer::Unknown(Unknown::Steps(100)));
    assert!(answer(1_000_000).is_not_linearizable());
}

/// 2^8 sets of calls rather than 8! orders.
#[test]
fn nothing_is_looked_at_twice() {
    let counter = model("counter");
    let needs = |limits: &Limits| {
        let enough = |steps: &u64| {
            check(&counter, &hard(8), &limits.clone().steps(*steps)).is_not_linearizable()
        };
        (0..30).map(|n| 1 << n).find(enough).unwrap()
    };
    let limits = Limits::default();
    let (with, without) = (needs(&limits), needs(&limits.memory(0)));
    assert!(with <= 1 << 12, "{with} steps");
    assert!(without >= 1 << 16, "{without} steps");
}

/// An order is found about as fast as it is read.
#[test]
fn long_histories_take_few_steps() {
    for (name, methods) in [
        ("register", &["read", "write"][..]),
        ("map", &["put", "get", "cas", "remove"]),
        ("counter", &["inc", "add", "read"]),
    ] {
        let shape = Shape {
            processes: 4,
            calls: 1000,
            wrong: 0,
            pending: false,
        };
        for seed in 0..5 {
            let real = models::named(name).unwrap();
            let history = history(real, methods, &shape, &mut Random::new(seed));
            let answer = check(&model(name), &history, &Limits::default().steps(100_000));
            assert!(answer.is_linearizable(), "{name}, seed {seed}");
        }
    }
}

/// Heads or tails: the object chooses.
struct Coin;

impl SequentialSpecification for Coin {
    type State = bool;

    fn initial(&self) -> bool {
        false
    }

    fn step(&self, state: &bool, call: &Call) -> Vec<Outcome<bool>> {
        match call.method.as_str() {
            "toss" => [false, true].map(|side| Outcome::new(side, ())).into(),
            "look" => vec![Outcome::new(*state, *state)],
            _ => vec![],
        }
    }
}

#[test]
fn a_specification_may_choose() {
    let text = |sides: &[bool]| {
        let looks = sides
            .iter()
            .map(|s| format!("A invoke look()\nA return {s}\n"));
        format!("A invoke toss()\nA return\n{}", looks.collect::<String>())
    };
    for (sides, expected) in [
        (&[true, true][..], true),
        (&[false, false], true),
        (&[true, false], false),
    ] {
        let history = History::parse(text(sides)).unwrap();
        let answer = check(&Coin, &history, &Limits::default());
        assert_eq!(answer.is_linearizable(), expected, "{sides:?}");
    }
}
