//! View consistency (MoTH, §5.1, Definitions 5 to 9; Artho, Havelund, Biere:
//! High-level data races, 2003).
//!
//! A maximal view of a process is a set of variables that belong together. If
//! another process accesses them in parts that are no chain of subsets, it may
//! see or leave something in between. MoTH looks at views of reads against
//! maximal views of writes and the other way round, and a torn read counts
//! only if the parts are used together (common correlation).
//!
//! Deviations: all pairs of processes are looked at, a process and itself
//! included, because several of a kind may run (without that, programs with
//! one kind of thread have no violations at all). With views per path, two
//! views of one region are alternatives and are not compared. A conflict is
//! counted once for each process and maximal view; maximal views that the same
//! two parts are apart in count once. Which two parts are named is a choice:
//! not the region that has the maximal view itself if there are others, and,
//! where accesses are not told apart (Artho), regions that write.
//!
//! Cost: maximal views with less than two variables cannot be torn and are
//! left out; the others are compared with the views that overlap them.

use std::collections::{BTreeMap, BTreeSet};

use super::correlation::Correlations;
use super::variables::Global;
use super::views::{View, only};

/// A set of variables that one region accesses.
pub(crate) type Part = (BTreeSet<Global>, u32);

/// Variables that belong together and are accessed apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Conflict {
    /// The process that accesses them apart, by its number.
    pub(crate) process: usize,
    /// The maximal view, and the region that has it.
    pub(crate) together: Part,
    /// The two overlapping views, and their regions.
    pub(crate) apart: (Part, Part),
    /// Whether the parts are written (and read otherwise).
    pub(crate) write: bool,
}

/// Definition 5: the views of a process with these accesses.
pub(crate) fn process_views(regions: &[u32], views: &[Vec<View>], write: bool) -> Vec<Part> {
    restricted(regions, views, |view| only(view, write))
}

fn restricted(
    regions: &[u32],
    views: &[Vec<View>],
    of: impl Fn(&View) -> BTreeSet<Global>,
) -> Vec<Part> {
    let mut found = BTreeSet::new();
    for region in regions {
        found.extend(
            views[*region as usize]
                .iter()
                .map(|view| (of(view), *region)),
        );
    }
    found
        .into_iter()
        .filter(|part| !part.0.is_empty())
        .collect()
}

/// Definition 6: the views that are in no other view of the process.
pub(crate) fn maximal(views: &[Part]) -> Vec<Part> {
    let distinct: BTreeMap<&BTreeSet<Global>, u32> = views
        .iter()
        .rev()
        .map(|(set, region)| (set, *region))
        .collect();
    let mut by_variable: BTreeMap<Global, Vec<&BTreeSet<Global>>> = BTreeMap::new();
    for set in distinct.keys() {
        for global in *set {
            by_variable.entry(*global).or_default().push(set);
        }
    }
    let is_maximal = |set: &BTreeSet<Global>| {
        // Whoever contains it contains its rarest variable.
        let holders = set.iter().map(|global| &by_variable[global]);
        let holders = holders.min_by_key(|holders| holders.len());
        !holders.is_some_and(|holders| {
            holders
                .iter()
                .any(|other| other.len() > set.len() && set.is_subset(other))
        })
    };
    let maximal = distinct.iter().filter(|(set, _)| is_maximal(set));
    maximal
        .map(|(set, region)| ((*set).clone(), *region))
        .collect()
}

/// Definition 7: what views have in common with a maximal view.
pub(crate) fn overlap(views: &[Part], maximal: &BTreeSet<Global>) -> Vec<Part> {
    let common = views.iter().map(|(set, region)| {
        let common: BTreeSet<Global> = set.intersection(maximal).copied().collect();
        (common, *region)
    });
    let common: BTreeSet<Part> = common.filter(|part| !part.0.is_empty()).collect();
    common.into_iter().collect()
}

/// Definition 8: two overlapping views that are no chain, and, if correlations
/// are given, whose variables are used together.
pub(crate) fn incompatible(
    overlapping: &[Part],
    mut correlations: Option<&mut Correlations<'_>>,
) -> Option<(Part, Part)> {
    for (index, one) in overlapping.iter().enumerate() {
        for other in &overlapping[index + 1..] {
            let chain = one.0.is_subset(&other.0) || other.0.is_subset(&one.0);
            if chain || one.1 == other.1 {
                continue;
            }
            let together = match &mut correlations {
                None => true,
                Some(correlations) => {
                    pairs(one, other).any(|(x, y)| correlations.common((x, one.1), (y, other.1)))
                }
            };
            if together {
                // Regions are numbered as calls lead to them.
                let (first, second) = if one.1 < other.1 {
                    (one, other)
                } else {
                    (other, one)
                };
                return Some((first.clone(), second.clone()));
            }
        }
    }
    None
}

fn pairs<'a>(one: &'a Part, other: &'a Part) -> impl Iterator<Item = (Global, Global)> + 'a {
    let left = one.0.iter();
    left.flat_map(|x| other.0.iter().map(|y| (*x, *y)))
        .filter(|(x, y)| x != y)
}

/// Definition 9 (view consistency): the conflicts of a program whose processes
/// execute these regions. `torn_writes` off leaves `comp_w` out.
pub(crate) fn conflicts(
    processes: &[Vec<u32>],
    views: &[Vec<View>],
    torn_writes: bool,
    correlations: &mut Correlations<'_>,
) -> Vec<Conflict> {
    let mut found = Vec::new();
    for write in [true, false] {
        if write && !torn_writes {
            continue;
        }
        let seen = views_of(processes, |regions| process_views(regions, views, write));
        let against = views_of(processes, |regions| process_views(regions, views, !write));
        let correlations = if write {
            None
        } else {
            Some(&mut *correlations)
        };
        let named = BTreeSet::new();
        compare(&seen, &against, write, &named, correlations, &mut found);
    }
    found
}

/// View consistency as Artho, Havelund and Biere have it: views of all
/// accesses, whatever they are used for.
pub(crate) fn artho(processes: &[Vec<u32>], views: &[Vec<View>]) -> Vec<Conflict> {
    let all = |view: &View| view.iter().map(|access| access.0).collect();
    let seen = views_of(processes, |regions| restricted(regions, views, all));
    let writes = |region: &u32| views[*region as usize].iter().flatten().any(|a| a.1);
    let writers = processes.iter().flatten().copied().filter(writes);
    let mut found = Vec::new();
    compare(&seen, &seen, false, &writers.collect(), None, &mut found);
    found
}

fn views_of(processes: &[Vec<u32>], of: impl Fn(&[u32]) -> Vec<Part>) -> Vec<Vec<Part>> {
    processes.iter().map(|regions| of(regions)).collect()
}

fn compare(
    seen: &[Vec<Part>],
    against: &[Vec<Part>],
    write: bool,
    named: &BTreeSet<u32>,
    mut correlations: Option<&mut Correlations<'_>>,
    found: &mut Vec<Conflict>,
) {
    let mut together: BTreeMap<BTreeSet<Global>, u32> = BTreeMap::new();
    for views in against {
        for (set, region) in maximal(views).into_iter().filter(|(set, _)| set.len() > 1) {
            together.entry(set).or_insert(region);
        }
    }
    // By variable, which processes have which views of it.
    for (process, views) in seen.iter().enumerate() {
        let mut by_variable: BTreeMap<Global, Vec<usize>> = BTreeMap::new();
        for (index, (set, _)) in views.iter().enumerate() {
            for global in set {
                by_variable.entry(*global).or_default().push(index);
            }
        }
        let mut told = BTreeSet::new();
        for (set, region) in &together {
            let touching = set.iter().filter_map(|global| by_variable.get(global));
            let touching: BTreeSet<usize> = touching.flatten().copied().collect();
            if touching.len() < 2 {
                continue;
            }
            let views: Vec<Part> = touching.iter().map(|view| views[*view].clone()).collect();
            let overlapping = overlap(&views, set);
            let only = |wanted: &dyn Fn(u32) -> bool| -> Vec<Part> {
                let parts = overlapping.iter().filter(|part| wanted(part.1));
                parts.cloned().collect()
            };
            let parts = |other: u32| other != *region;
            let choices = [
                only(&|r| parts(r) && named.contains(&r)),
                only(&parts),
                only(&|_| true),
            ];
            let apart = choices
                .iter()
                .find_map(|choice| incompatible(choice, correlations.as_deref_mut()));
            if let Some(apart) = apart
                && told.insert(apart.clone())
            {
                found.push(Conflict {
                    process,
                    together: (set.clone(), *region),
                    apart,
                    write,
                });
            }
        }
    }
}
