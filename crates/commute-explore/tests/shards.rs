//! Shards of random real programs, whose objects are named by where they are first used:
//! all shards together say what the undivided exploration says, or that they cannot know.

#![expect(clippy::print_stdout, reason = "figures of what was compared")]

use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use commute_explore::runtime::{self, Arg, Call, First, Mark, Object, Returned, Test, visit};
use commute_explore::{Cause, Report, Settings, Shard, Verdict, explore, models};
use commute_model::Value;

/// A program: of each thread the objects that it uses. Where it goes depends on what it
/// gets: after an odd number it skips an object.
#[derive(Clone, Debug)]
struct Source {
    objects: usize,
    threads: Vec<Vec<Use>>,
    /// A thread that got numbers with this digest panics: in few outcomes.
    rare: u64,
}

#[derive(Clone, Copy, Debug)]
struct Use {
    object: usize,
    /// The object that is used instead after an odd number.
    otherwise: usize,
    changes: bool,
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }
}

fn source(seed: u64) -> Source {
    let mut dice = Dice(seed);
    let objects = 2 + dice.roll(2);
    let threads = 2 + dice.roll(3);
    let mut one = |_| {
        let length = 2 + dice.roll(2);
        let mut does = |_| Use {
            object: dice.roll(objects),
            otherwise: dice.roll(objects),
            changes: dice.roll(3) > 0,
        };
        (0..length).map(&mut does).collect()
    };
    Source {
        objects,
        threads: (0..threads).map(&mut one).collect(),
        rare: seed % 61,
    }
}

fn atomic(mark: &Mark, method: &'static str, args: &[Arg]) -> i128 {
    let first = || {
        First::new(
            Arc::new(models::Atomic {
                bits: 32,
                signed: false,
            }),
            Value::Int(0),
            "number",
            None,
        )
    };
    let objects = [Object {
        mark,
        first: &first,
    }];
    let call = Call::new(&objects, method, args, Location::caller());
    visit(&call, |value| value.as_int()).flatten().unwrap_or(0)
}

fn body(source: &Source) {
    let marks: Arc<Vec<Mark>> = Arc::new((0..source.objects).map(|_| fresh()).collect());
    for uses in &source.threads {
        let (marks, uses) = (Arc::clone(&marks), uses.clone());
        let rare = source.rare;
        let handle = Arc::new(fresh());
        let first = || {
            let model = Arc::new(models::Thread);
            First::new(model, models::Thread::initial(), "thread", None)
        };
        let objects = [Object {
            mark: &handle,
            first: &first,
        }];
        let call = Call::new(&objects, "spawn", &[], Location::caller());
        let does = move || {
            let (mut last, mut digest) = (0, 0_u64);
            for Use {
                object,
                otherwise,
                changes,
            } in uses
            {
                let object = if last % 2 == 1 { otherwise } else { object };
                last = match changes {
                    true => atomic(&marks[object], "fetch_add", &[Arg::Int(1)]),
                    false => atomic(&marks[object], "load", &[]),
                };
                digest = digest * 5 + last as u64;
            }
            if digest % 61 == rare {
                return Returned::Panicked;
            }
            Returned::Value(Value::Int(digest.into()))
        };
        let job = move || catch_unwind(AssertUnwindSafe(does)).unwrap_or(Returned::Panicked);
        runtime::spawn(&call, None, Box::new(job));
    }
}

fn fresh() -> Mark {
    [AtomicU32::new(0), AtomicU32::new(0)]
}

fn explored(source: &Source, shard: Option<Shard>) -> Report {
    let settings = Settings {
        shard,
        keep_going: true,
        max_executions: Some(3_000),
        ..Settings::default()
    };
    let source = source.clone();
    let mut test = Test::new(move || body(&source));
    explore(&mut test, &settings, &mut |_| None).unwrap()
}

fn programs() -> u64 {
    match std::env::var("COMMUTE_PROGRAMS") {
        Ok(count) => count.parse().expect("a number of programs"),
        Err(_) => 300,
    }
}

#[test]
fn shards_say_what_the_whole_says_or_that_they_cannot_know() {
    let (mut equal, mut unsure, mut failing) = (0, 0, 0);
    for seed in 0..programs() {
        let source = source(seed);
        let whole = explored(&source, None);
        if !whole.reasons.is_empty() {
            continue;
        }
        let of = 2 + seed % 3;
        let shards = (0..of).map(|index| explored(&source, Some(Shard { index, of })));
        let joined = Report::join(shards.collect());
        match joined.verdict {
            Verdict::Inconclusive => {
                assert!(joined.must_be_undivided(), "seed {seed}: {joined:?}");
                unsure += 1;
            }
            // A failure is one, whatever else is missing.
            Verdict::Failed => {
                assert_eq!(whole.verdict, Verdict::Failed, "seed {seed}: {source:?}");
                failing += 1;
            }
            Verdict::Passed => {
                assert_eq!(whole.verdict, Verdict::Passed, "seed {seed}: {source:?}");
                assert_eq!(joined.outcomes, whole.outcomes, "seed {seed}: {source:?}");
                equal += 1;
            }
        }
    }
    println!("{equal} equal, {failing} failing, {unsure} to be explored undivided");
    assert!(equal > 50 && failing > 10 && unsure > 2);
}

/// Each of the shards has reasons to pass, and all of them together are not the whole.
#[test]
fn shards_without_an_outcome_or_with_other_names_are_inconclusive() {
    let part = |index, names: &str, outcomes| {
        let source = Source {
            objects: 1,
            threads: Vec::new(),
            rare: 0,
        };
        let report = explored(&source, Some(Shard { index, of: 2 }));
        Report {
            names: Some(names.to_owned()),
            outcomes,
            ..report
        }
    };
    let join = |one, other| Report::join(vec![one, other]);
    let passed = join(part(0, "a", 1), part(1, "a", 0));
    assert_eq!(passed.verdict, Verdict::Passed);
    let empty = join(part(0, "a", 0), part(1, "a", 0));
    assert_eq!(empty.causes, [Cause::NoOutcome]);
    let differ = join(part(0, "a", 1), part(1, "b", 1));
    let shards = [0, 1].map(|index| Some(Shard { index, of: 2 }));
    assert_eq!(differ.causes, [Cause::ShardsDiffer { shards }]);
    for joined in [empty, differ] {
        assert_eq!(joined.verdict, Verdict::Inconclusive);
        assert!(
            joined.reasons[0].ends_with("run it undivided"),
            "{joined:?}"
        );
    }
}
