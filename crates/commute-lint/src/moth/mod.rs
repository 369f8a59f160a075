//! MoTH (Dias, Pessanha, Lourenço: Precise Detection of Atomicity Violations,
//! HVC 2012), as the paper has it, and extended.
//!
//! Values are followed through the program by a graph of causal dependencies
//! (`dependencies`, §4). A value that leaves an atomic method and comes back
//! in another is stale if somebody writes the variable it was read from
//! (`stale`, §5.2); variables that are accessed together in one method and
//! apart in others are a high-level data race (`consistency`, §5.1).
//!
//! [`Algorithm::Moth`] is the paper; the files name where they deviate. As the
//! paper's tables need it, reads with a stale index or key count.
//! [`Algorithm::MothExtended`] has views per path instead of one per method,
//! which finds VectorFail, and operations on atomics are regions.

mod actions;
mod bits;
mod calls;
mod closures;
mod consistency;
mod correlation;
mod dependencies;
mod effects;
#[cfg(test)]
mod figures;
mod graph;
mod lost;
mod references;
mod regions;
mod report;
mod stale;
mod summaries;
#[cfg(test)]
mod tests;
mod variables;
mod versions;
mod views;

use std::collections::{BTreeMap, BTreeSet};

use self::consistency::{artho, conflicts};
use self::correlation::Correlations;
use self::dependencies::Dependencies;
use self::lost::lost;
use self::report::Reporter;
use self::stale::view_dependencies;
use self::variables::Global;
use self::views::{PATHS, View, views};
use crate::ir::{FunctionId, Program};
use crate::options::{Algorithm, Options};
use crate::violation::{Outcome, Violation};

/// Finds violations: one for each ordered pair of regions for stale values,
/// one for each process and maximal view for high-level data races. A race
/// between two regions that are a stale pair, too, is told once.
pub fn violations(program: &Program, options: &Options) -> Outcome {
    let program = &*closures::followed(program);
    let roots: Vec<FunctionId> = program.processes.iter().map(|p| p.function).collect();
    let extended = options.algorithm == Algorithm::MothExtended;
    let found = Dependencies::of(program, &roots, options.atomics && extended);
    let processes: Vec<Vec<u32>> = found
        .roots
        .iter()
        .map(|root| found.executes(*root))
        .collect();
    let paths = options.paths && extended;
    let views = views(program, &found, if paths { PATHS } else { 1 });
    let reporter = Reporter::new(program, &found, &processes);
    let mut correlations = Correlations::new(&found);
    let mut stale_pairs = 0;
    let violations: Vec<Violation> = match options.algorithm {
        Algorithm::Artho => {
            let conflicts = artho(&processes, &views);
            conflicts
                .iter()
                .map(|conflict| reporter.conflict(conflict, true))
                .collect()
        }
        Algorithm::Moth | Algorithm::MothExtended | Algorithm::Commute => {
            let pairs = stale_pairs_of(&found, &processes, &views, options.reads);
            stale_pairs = pairs.len();
            let mut told = stale_values(&pairs, &reporter, options.reads);
            let conflicts = conflicts(&processes, &views, options.torn_writes, &mut correlations);
            let pairs: BTreeSet<(String, String)> = told
                .iter()
                .map(|violation| violation.regions.clone())
                .collect();
            let races = conflicts
                .iter()
                .map(|conflict| reporter.conflict(conflict, false));
            told.extend(races.filter(|race| {
                let (first, second) = race.regions.clone();
                !pairs.contains(&race.regions) && !pairs.contains(&(second, first))
            }));
            told
        }
    };
    let mut limits = Vec::new();
    if stale_pairs > STORIES {
        limits.push(format!(
            "more than {STORIES} pairs of regions; some are left out"
        ));
    }
    if found.shared {
        limits.push("functions called in very many regions were not told apart by them".to_owned());
    }
    if correlations.gave_up() {
        limits.push("not all pairs of variables were looked at for torn reads".to_owned());
    }
    Outcome {
        violations: in_order(violations),
        regions: found.regions.len(),
        lost: lost(program, &found),
        limits,
    }
}

type Pairs = BTreeMap<(u32, u32), Vec<stale::Stale>>;

/// Definition 11 (stale-value safety), broken.
fn stale_pairs_of(
    found: &Dependencies,
    processes: &[Vec<u32>],
    views: &[Vec<View>],
    reads: bool,
) -> Pairs {
    // `writes(x, p)` for any process.
    let executed: BTreeSet<u32> = processes.iter().flatten().copied().collect();
    let views = executed.iter().flat_map(|region| &views[*region as usize]);
    let accesses = views.flatten().filter(|access| access.1);
    let written: BTreeSet<Global> = accesses.map(|access| access.0).collect();
    let mut pairs = Pairs::new();
    for edge in view_dependencies(found, reads, |global| written.contains(&global)) {
        pairs.entry((edge.from, edge.to)).or_default().push(edge);
    }
    pairs
}

fn stale_values(pairs: &Pairs, reporter: &Reporter<'_>, reads: bool) -> Vec<Violation> {
    let told = pairs.values().take(STORIES).filter_map(|edges| {
        let told = edges.iter().take(TRIED);
        let told = told.filter_map(|edge| reporter.stale(*edge, reads));
        told.min_by_key(|violation| violation.kind)
    });
    told.collect()
}

/// How many stale pairs are told. More than anybody reads, and each takes a
/// search of its own.
const STORIES: usize = 1_000;

/// How many variables of a pair of regions are tried for the clearest story.
const TRIED: usize = 4;

fn in_order(mut violations: Vec<Violation>) -> Vec<Violation> {
    violations.sort_by_cached_key(|violation| {
        let sites: Vec<_> = violation.path.iter().map(|stop| stop.site).collect();
        (
            sites,
            violation.kind,
            violation.regions.clone(),
            violation.title.clone(),
        )
    });
    violations
}
