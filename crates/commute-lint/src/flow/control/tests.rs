//! Branches that decide and checks that every way passes, against their
//! definitions: a block is taken away, and what can still be reached is seen.

use proptest::prelude::*;

use super::{Arm, deciders};
use crate::flow::cover::is_whole;
use crate::ir::{Block, BlockId, Function, Operand, Site, Terminator};

fn function(terminators: Vec<Terminator>) -> Function {
    let block = |terminator| Block {
        statements: Vec::new(),
        terminator,
        site: Site::UNKNOWN,
    };
    Function {
        name: "f".to_owned(),
        site: Site::UNKNOWN,
        parameters: 0,
        locals: Vec::new(),
        blocks: terminators.into_iter().map(block).collect(),
        atomic: false,
        public: false,
    }
}

fn branch(targets: &[u32]) -> Terminator {
    Terminator::Branch {
        on: Operand::Constant("true".to_owned()),
        targets: targets.iter().copied().map(BlockId).collect(),
    }
}

fn functions() -> impl Strategy<Value = Function> {
    (2u32..8).prop_flat_map(|blocks| {
        let terminator = prop_oneof![
            3 => (0..blocks, 0..blocks).prop_map(|(a, b)| branch(&[a, b])),
            3 => (0..blocks).prop_map(|to| Terminator::Goto(BlockId(to))),
            1 => Just(Terminator::Return),
            1 => Just(Terminator::Stop),
        ];
        prop::collection::vec(terminator, blocks as usize).prop_map(function)
    })
}

/// The blocks that can be reached, the first among them, without one.
fn reached(ways: &[Vec<u32>], from: u32, without: Option<u32>) -> Vec<u32> {
    let mut seen = Vec::new();
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        if Some(at) != without && !seen.contains(&at) {
            seen.push(at);
            todo.extend(&ways[at as usize]);
        }
    }
    seen
}

fn all_ways(function: &Function) -> Vec<Vec<u32>> {
    let targets = |block: &Block| block.terminator.targets().iter().map(|to| to.0).collect();
    function.blocks.iter().map(targets).collect()
}

/// Whether a block only leads to the end of the program: from there nothing
/// returns, and nothing goes round.
fn stops(function: &Function, ways: &[Vec<u32>], block: u32) -> bool {
    let seen = reached(ways, block, None);
    let goes_round = |at: &u32| {
        let mut next = ways[*at as usize].iter();
        next.any(|next| reached(ways, *next, None).contains(at))
    };
    let returns = |at: &u32| matches!(function.blocks[*at as usize].terminator, Terminator::Return);
    !seen.iter().any(|at| returns(at) || goes_round(at))
}

/// Where each block goes on, if it can.
fn ways_on(function: &Function) -> Vec<Vec<u32>> {
    let all = all_ways(function);
    let on = |targets: &Vec<u32>| {
        let mut on: Vec<u32> = targets.clone();
        on.retain(|to| !stops(function, &all, *to));
        if on.is_empty() {
            on = targets.clone();
        }
        on.sort_unstable();
        on.dedup();
        on
    };
    all.iter().map(on).collect()
}

/// Whether a block comes after another on every way to the end.
fn comes_after(ways: &[Vec<u32>], block: u32, other: u32) -> bool {
    let around = reached(ways, other, Some(block));
    !around.iter().any(|at| ways[*at as usize].is_empty())
}

/// Ferrante, Ottenstein and Warren: an arm decides about a block that comes
/// after the arm on every way, but not after the branch.
fn decides(ways: &[Vec<u32>], (from, to): Arm, block: u32) -> bool {
    let after_branch = block != from && comes_after(ways, block, from);
    ways[from as usize].len() > 1 && comes_after(ways, block, to) && !after_branch
}

/// Every way from the begin passes the branch, and either it decides, or of its
/// arms one leads to the block and another does not, unless it comes back to the
/// branch.
fn is_check(ways: &[Vec<u32>], direct: &[Arm], branch: u32, block: u32) -> bool {
    let is_passed = branch != block
        && reached(ways, 0, None).contains(&block)
        && !reached(ways, 0, Some(branch)).contains(&block);
    let leads = |to: &u32| reached(ways, *to, Some(branch)).contains(&block);
    let arms = &ways[branch as usize];
    let separates = arms.iter().any(leads) && !arms.iter().all(leads);
    let decides = direct.iter().any(|(decider, _)| *decider == branch);
    is_passed && (separates || decides)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn deciders_are_as_defined(function in functions()) {
        let ways = ways_on(&function);
        let blocks = 0..ways.len() as u32;
        // Loops without an end get one somewhere: that is no definition.
        let ends = |at| !comes_after(&ways, u32::MAX, at);
        if !blocks.clone().all(ends) {
            return Ok(());
        }
        let found = deciders(&function);
        for block in blocks.clone() {
            let mut expected: Vec<Arm> = Vec::new();
            for from in blocks.clone() {
                let arms = ways[from as usize].iter().map(|to| (from, *to));
                expected.extend(arms.filter(|arm| decides(&ways, *arm, block)));
            }
            let mut direct = found.direct[block as usize].clone();
            direct.sort_unstable();
            prop_assert_eq!(direct, expected, "block {}", block);
        }
    }

    #[test]
    fn checks_are_as_defined(function in functions()) {
        let ways = ways_on(&function);
        let found = deciders(&function);
        for block in 0..ways.len() as u32 {
            let expected: Vec<u32> = (0..ways.len() as u32)
                .filter(|branch| is_check(&ways, &found.direct[block as usize], *branch, block))
                .collect();
            prop_assert_eq!(&found.checks[block as usize], &expected, "block {}", block);
        }
    }

    #[test]
    fn blocks_that_cover_all_ways_are_on_each(
        function in functions(),
        chosen in prop::collection::vec(any::<bool>(), 8),
    ) {
        let ways = ways_on(&function);
        let blocks = 0..ways.len() as u32;
        if !blocks.clone().all(|at| !comes_after(&ways, u32::MAX, at)) {
            return Ok(());
        }
        let found = deciders(&function);
        let within = reached(&ways, 0, None);
        let chosen: Vec<u32> = blocks
            .filter(|block| chosen[*block as usize] && within.contains(block))
            .collect();
        let arms = |block: &u32| found.all[*block as usize].to_vec();
        let arms: Vec<Vec<Arm>> = chosen.iter().map(arms).collect();
        if is_whole(&function, &arms) {
            let mut around = ways.clone();
            for block in &chosen {
                around[*block as usize] = vec![*block];
            }
            let seen = reached(&around, 0, None);
            let mut ends = seen.iter().filter(|at| around[**at as usize].is_empty());
            prop_assert_eq!(ends.next(), None, "around {:?}", chosen);
        }
    }

    #[test]
    fn forks_go_on_in_several_ways(function in functions()) {
        let forks = deciders(&function).forks;
        let ways = ways_on(&function);
        prop_assert!(forks.iter().zip(&ways).all(|(fork, ways)| *fork == (ways.len() > 1)));
    }
}

/// `loop { if ready { break } }; write`: nothing decides about the write, but
/// the branch is a check.
#[test]
fn a_loop_that_tries_again_is_a_check() {
    let waits = function(vec![
        Terminator::Goto(BlockId(1)),
        branch(&[1, 2]),
        Terminator::Return,
    ]);
    let found = deciders(&waits);
    assert!(found.direct[2].is_empty());
    assert_eq!(found.checks[2], [1]);
}

/// `if a { if b { return } }; write`: both are looked at before the write.
#[test]
fn what_is_checked_in_steps_is_a_check() {
    let steps = function(vec![
        branch(&[1, 3]),
        branch(&[2, 3]),
        Terminator::Return,
        Terminator::Return,
    ]);
    assert_eq!(deciders(&steps).checks[3], [0]);
}

/// `assert!(ok, "{name}")`: the message is made in blocks of its own.
#[test]
fn an_assertion_decides_nothing() {
    let asserts = function(vec![
        branch(&[1, 3]),
        Terminator::Goto(BlockId(2)),
        Terminator::Stop,
        Terminator::Return,
    ]);
    let found = deciders(&asserts);
    assert!(found.all[3].is_empty());
    assert!(!found.forks[0]);
}
