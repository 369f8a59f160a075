//! Threads that may be exchanged: of each kind of outcome at least one is seen.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use commute_explore::{
    Dpor, Engine, Extent, Knowledge, Mcr, Ncmc, Next, NodeId, Program, ResultId, ThreadId, Trouble,
};

use crate::interpreted::{Interpreted, Source, Stmt};
use crate::outcomes_of::{Outcome, explored_program, with_nodes};
use crate::random::{Dice, program};
use crate::reachable::reachable_with;
use crate::workloads::qw2004;
use crate::{POINTS, programs};

/// A program that says of some threads that they do the same.
struct Alike {
    program: Interpreted,
    threads: Range<usize>,
}

/// Says that these threads do the same.
fn tell(known: &mut Knowledge, threads: Range<usize>) {
    // Names are given in the order in which threads are started.
    let all = (1..threads.end).map(|n| known.thread(ThreadId::MAIN, n as u32 - 1));
    let alike: Vec<ThreadId> = all.skip(threads.start - 1).collect();
    for pair in alike.windows(2) {
        known.follow(pair[1], pair[0]);
    }
}

impl Program for Alike {
    fn start(&mut self, known: &mut Knowledge) {
        self.program.start(known);
        tell(known, self.threads.clone());
    }

    fn next(
        &mut self,
        thread: ThreadId,
        node: NodeId,
        known: &mut Knowledge,
    ) -> Result<Next, Trouble> {
        self.program.next(thread, node, known)
    }

    fn step(
        &mut self,
        thread: ThreadId,
        result: ResultId,
        known: &mut Knowledge,
    ) -> Result<(), Trouble> {
        self.program.step(thread, result, known)
    }

    fn stop(&mut self) {
        self.program.stop();
    }
}

fn check(source: &Source, threads: Range<usize>, told: &str) -> Option<(usize, usize)> {
    let all = reachable_with(source, POINTS, &|known| tell(known, threads.clone()))?;
    let kinds = |outcomes: &BTreeSet<Outcome>| -> BTreeSet<Outcome> {
        let kind = |outcome: &Outcome| outcome.up_to_exchange(threads.clone());
        outcomes.iter().map(kind).collect()
    };
    let mut seen = 0;
    let engines: [(&mut dyn Engine, bool); 5] = [
        (&mut Dpor, false),
        (&mut Ncmc, false),
        (&mut Mcr, false),
        (&mut with_nodes(0), true),
        (&mut with_nodes(200_000), true),
    ];
    for (engine, one_of_each) in engines {
        let mut alike = Alike {
            program: Interpreted::new(source.clone()),
            threads: threads.clone(),
        };
        let told = format!("{}, {told}", engine.name());
        let is_default = engine.name() == "outcomes";
        let most = if is_default { usize::MAX } else { 300 };
        let Some(explored) = explored_program(engine, &mut alike, most) else {
            continue;
        };
        assert_eq!(explored.extent, Extent::Everything, "{told}");
        assert!(explored.outcomes.is_subset(&all), "{told}");
        let (seen_kinds, all_kinds) = (kinds(&explored.outcomes), kinds(&all));
        let missing: Vec<&Outcome> = all_kinds.difference(&seen_kinds).collect();
        assert!(missing.is_empty(), "{missing:#?}, {told}");
        assert_eq!(explored.counts.outcomes, all_kinds.len() as u64, "{told}");
        if one_of_each {
            assert_eq!(explored.counts.redundant, 0, "{told}");
        }
        seen = seen_kinds.len();
    }
    Some((seen, all.len()))
}

#[test]
fn every_kind_of_outcome_is_seen() {
    let (mut seen, mut all) = (0, 0);
    for seed in programs(300, 5_000) {
        let mut source = program(&mut Dice::new(seed), 4, 2);
        // Whoever waits for one of them tells it from the others.
        let joins = { source.threads[0].iter() }.any(|stmt| matches!(stmt, Stmt::Join(_)));
        if joins || source.threads.len() < 3 {
            continue;
        }
        let body = Rc::clone(&source.threads[1]);
        source.threads[2..].fill(body);
        let threads = 1..source.threads.len();
        let told = format!("seed {seed}: {source:#?}");
        if let Some((few, many)) = check(&source, threads, &told) {
            seen += few;
            all += many;
        }
    }
    println!("{seen} of {all} outcomes");
    assert!(seen * 4 < all * 3);
}

#[test]
fn ten_adders_have_eleven_kinds_of_outcomes() {
    for (adders, nodes) in [(3, 0), (3, 200_000), (10, 200_000)] {
        let mut alike = Alike {
            program: Interpreted::new(qw2004(adders)),
            threads: 2..2 + adders,
        };
        let seen = explored_program(&mut with_nodes(nodes), &mut alike, usize::MAX);
        let seen = seen.expect("no end to it");
        assert_eq!(seen.extent, Extent::Everything);
        let kinds = adders as u64 + 1;
        assert_eq!(
            (seen.counts.outcomes, seen.counts.executions),
            (kinds, kinds)
        );
    }
}
