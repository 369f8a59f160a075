//! Explorations in parts: by several processes that do not hear of each other, and by
//! one that was interrupted.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use commute_explore::{
    Before, Engine as _, Extent, Knowledge, Limits, Listener, Memory, Outcomes, Progress, Report,
    Run, Settings, Shard, Subject, Verdict, Watch, explore,
};

use crate::interpreted::{Interpreted, Source};
use crate::outcomes_of::{explored, with_nodes};
use crate::random::{Dice, program, program_that_spins};
use crate::reachable::reachable;
use crate::{POINTS, programs};

const SHAPES: &[(usize, usize)] = &[(3, 2), (3, 3), (4, 2), (4, 3)];

fn sources(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Source)> {
    seeds.map(|seed| {
        let (threads, length) = SHAPES[seed as usize % SHAPES.len()];
        let mut dice = Dice::new(seed);
        let source = match seed % 5 {
            0 => program_that_spins(&mut dice, 3, 2),
            _ => program(&mut dice, threads, length),
        };
        (seed, source)
    })
}

/// Every outcome is counted in one shard, and none is run twice in one. How many there
/// are, and the most in one shard; none if there are too many.
fn counts_once(source: &Source, of: u64, [nodes, shared_nodes]: [usize; 2]) -> Option<(u64, u64)> {
    let all = reachable(source, POINTS)?;
    let (mut seen, mut counts) = (BTreeSet::new(), Vec::new());
    for index in 0..of {
        let mut engine = Outcomes {
            shard: Some(Shard { index, of }),
            shared_nodes,
            ..with_nodes(nodes)
        };
        let part = explored(&mut engine, source, usize::MAX).expect("no end to it");
        assert_eq!(part.extent, Extent::Everything, "{source:#?}");
        assert_eq!(part.counts.redundant, 0, "{source:#?}");
        counts.push(part.counts.outcomes - part.counts.elsewhere);
        seen.extend(part.outcomes);
    }
    let missed: Vec<_> = all.difference(&seen).collect();
    let told = format!("{of} shards: {source:#?}\nmissed {missed:#?}");
    assert_eq!(seen.len(), all.len(), "{told}");
    assert_eq!(counts.iter().sum::<u64>(), all.len() as u64, "{told}");
    Some((all.len() as u64, counts.into_iter().max()?))
}

fn shared(nodes: [usize; 2], seeds: std::ops::Range<u64>) {
    let (mut total, mut most) = (0, 0);
    for (seed, source) in sources(seeds) {
        let of = 2 + seed / 4 % 3;
        let Some((all, largest)) = counts_once(&source, of, nodes) else {
            continue;
        };
        if of == 2 && all >= 16 {
            total += all;
            most += largest;
        }
    }
    println!("of two shards, the larger one has {most} of {total} outcomes");
    assert!(
        most * 4 < total * 3,
        "nearly all are in one shard: {most} of {total}"
    );
}

#[test]
fn each_outcome_of_the_graph_counts_in_one_shard() {
    let all = Outcomes::default().nodes;
    shared([all, usize::MAX], programs(200, 10_000));
}

/// What is behind what others have is not searched.
#[test]
fn each_outcome_of_a_divided_graph_counts_in_one_shard() {
    let all = Outcomes::default().nodes;
    shared([all, 0], programs(100, 5_000));
    shared([all, 20], programs(100, 5_000));
}

#[test]
fn each_outcome_that_is_covered_counts_in_one_shard() {
    shared([0, usize::MAX], programs(200, 10_000));
}

/// Thread 1 has seen what the first thread did behind the place where it was cut off:
/// what else could it have seen?
#[test]
fn what_is_behind_a_cut_is_not_taken_for_granted() {
    let (_, source) = sources(5162..5163).next().unwrap();
    counts_once(&source, 4, [0, usize::MAX]);
}

#[test]
fn each_outcome_counts_in_one_shard_where_the_graph_was_left_off() {
    shared([30, usize::MAX], programs(100, 5_000));
}

/// Remembers what it is told.
#[derive(Default)]
struct Diary(Before);

impl Listener for Diary {
    fn progress(&mut self, _: Progress) -> Option<String> {
        None
    }

    fn remember(&mut self, memory: Memory) {
        match memory {
            Memory::Run(run) => self.0.runs.push(run),
            Memory::LookedAt(runs) => self.0.looked_at = runs,
            Memory::Nothing => self.0 = Before::default(),
        }
    }
}

/// Explores a few runs at a time.
fn bit_by_bit(source: &Source, runs: u64) -> (Report, usize) {
    let mut before = Before::default();
    for sittings in 1.. {
        let settings = Settings {
            max_executions: Some(runs),
            keep_going: true,
            remember: true,
            before: before.clone(),
            ..Settings::default()
        };
        let mut diary = Diary(before.clone());
        let mut program = Interpreted::new(source.clone());
        let report = explore(&mut program, &settings, &mut diary).unwrap();
        if report.reasons.is_empty() {
            return (report, sittings);
        }
        before = diary.0;
    }
    unreachable!("it ends or it does not")
}

#[test]
fn an_exploration_goes_on_where_it_was_left_off() {
    let mut several = 0;
    for (seed, source) in sources(programs(100, 3_000)) {
        let Some(all) = reachable(&source, POINTS) else {
            continue;
        };
        let (report, sittings) = bit_by_bit(&source, 3);
        assert_ne!(report.verdict, Verdict::Inconclusive, "seed {seed}");
        assert_eq!(report.outcomes, all.len() as u64, "seed {seed}");
        assert_eq!(report.executions, all.len() as u64, "seed {seed}");
        assert_eq!(report.redundant, 0, "seed {seed}");
        several += usize::from(sittings > 2);
    }
    assert!(several > 5, "only {several} took several sittings");
}

/// Sees so many runs.
#[derive(Default)]
struct Sitting {
    before: Before,
    stop_at: usize,
}

impl Watch for Sitting {
    fn ran(&mut self, run: &Run, is_new: bool, known: &Knowledge) -> ControlFlow<()> {
        assert!(is_new, "a run is redundant");
        self.before.runs.push(run.turns(known));
        ControlFlow::Continue(())
    }

    fn looked_at(&mut self, runs: usize) {
        self.before.looked_at = runs;
    }

    fn enough(&mut self) -> Option<String> {
        (self.before.runs.len() >= self.stop_at).then(|| "enough for now".to_owned())
    }
}

/// The same, where runs have to be looked at, and some were.
#[test]
fn what_was_looked_at_is_not_looked_at_again() {
    let mut several = 0;
    for (seed, source) in sources(programs(60, 3_000)) {
        let Some(all) = reachable(&source, POINTS) else {
            continue;
        };
        let mut engine = with_nodes(0);
        let mut watch = Sitting::default();
        while {
            watch.stop_at = engine.before.runs.len() + 3;
            watch.before = Before::default();
            let mut program = Interpreted::new(source.clone());
            let mut subject = Subject::new(&mut program, Limits::default());
            engine.explore(&mut subject, &mut watch) != Extent::Everything
        } {
            several += usize::from(watch.before.looked_at > 0);
            engine.before = watch.before.clone();
        }
        assert_eq!(watch.before.runs.len(), all.len(), "seed {seed}");
    }
    assert!(several > 5, "only {several} sittings had looked at runs");
}

#[test]
fn what_does_not_fit_is_not_gone_on_with() {
    let source = program(&mut Dice::new(1), 3, 2);
    for run in ["0*500", "0.7", "nonsense"] {
        let settings = Settings {
            before: Before {
                runs: vec![run.to_owned()],
                looked_at: 0,
            },
            ..Settings::default()
        };
        let mut listener = |_: Progress| None;
        let report = explore(
            &mut Interpreted::new(source.clone()),
            &settings,
            &mut listener,
        );
        let report = report.unwrap();
        assert_eq!(report.verdict, Verdict::Inconclusive, "{run}");
        assert!(report.reasons[0].contains("explored before"), "{report:?}");
    }
}
