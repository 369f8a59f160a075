//! What of a function its callers need to know.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::control::Arm;
use crate::flow::access::{RegionInfo, Summary};
use crate::flow::cover::joined;
use crate::flow::path::{PathId, Root};
use crate::flow::state::State;
use crate::flow::value::{Origin, Origins, Region, Set, Source, Value};
use crate::flow::walk::Walk;

/// More accesses of a function are not told to its callers.
const ACCESSES: usize = 200;

/// Of those that no lock of the function guards, more are left out.
const UNGUARDED: usize = 48;

/// More pointers that a function stores are not told.
const STORED: usize = 100;

/// What more of the caller's memory holds is not told.
const OUTPUTS: usize = 32;

impl Walk<'_, '_> {
    pub(crate) fn summary(&mut self, exit: Option<State>) -> Summary {
        let mut summary = Summary {
            locks: !self.regions.is_empty(),
            threads: self.threads.clone(),
            cut: self.cut,
            ..Summary::default()
        };
        let numbers = self.kept(&mut summary);
        for (path, field) in &self.stored {
            let named = match self.world.paths.root_of(*path) {
                Root::New(_) | Root::Static(_) => true,
                Root::Parameter(_) => self.world.is_pointer(*field),
                Root::Local(_) | Root::Constant(_) => false,
            };
            if named && summary.stored.len() < STORED {
                summary.stored.push((*path, *field));
            }
        }
        if let Some(exit) = exit {
            self.end_of(exit, &numbers, &mut summary);
        }
        summary.regions = self.told_regions(&summary);
        summary
    }

    /// What callers see of a function's end.
    fn end_of(&mut self, exit: State, numbers: &FxHashMap<u32, u32>, summary: &mut Summary) {
        summary.running = exit.threads.running;
        summary.result = told(&exit.locals[0], numbers);
        self.one_of_each(&mut summary.result);
        let origins = summary.result.all_origins();
        let given = origins.iter().filter_map(|origin| match origin.source {
            Source::Access(number) if !origin.decides => {
                Some(summary.accesses[number as usize].path)
            }
            _ => None,
        });
        summary.given = given.collect();
        for (path, value) in &exit.cells {
            let value = told(value, numbers);
            let shared = !value.all_guards().is_empty()
                || value
                    .all_origins()
                    .iter()
                    .any(|origin| matches!(origin.source, Source::Access(_)));
            let parameter = matches!(self.world.paths.root_of(*path), Root::Parameter(_));
            if shared && parameter && summary.outputs.len() < OUTPUTS {
                summary.outputs.push((*path, value));
            }
        }
    }

    /// The regions that a summary mentions.
    fn told_regions(&self, summary: &Summary) -> BTreeMap<Region, RegionInfo> {
        let mut told: BTreeSet<Region> = BTreeSet::new();
        let held = |origins: &Origins, told: &mut BTreeSet<Region>| {
            told.extend(origins.iter().flat_map(|origin| &origin.held));
        };
        for access in &summary.accesses {
            told.extend(access.held.iter().chain(&access.region));
            held(&access.origins, &mut told);
            held(&access.key_origins, &mut told);
        }
        let outputs = summary.outputs.iter().map(|(_, value)| value);
        for value in outputs.chain([&summary.result]) {
            value.each(&mut |part| {
                told.extend(&part.guards);
                held(&part.origins, &mut told);
            });
        }
        let info = |region: Region| (region, self.regions[region.0 as usize].clone());
        told.into_iter().map(info).collect()
    }

    /// Of guards of one lock only one can have been taken: callers are told of
    /// one. Functions that hand guards on to each other would have more and
    /// more of them.
    fn one_of_each(&self, value: &mut Value) {
        let region = |region: &Region| &self.regions[region.0 as usize];
        let mut kept: Set<Region> = Set::new();
        for guard in &value.guards {
            let alike = |other: &Region| {
                let (one, other) = (region(guard), region(other));
                one.lock == other.lock && one.mode == other.mode
            };
            if !kept.iter().any(alike) {
                kept.push(*guard);
            }
        }
        value.guards = kept;
        for part in value.fields.values_mut() {
            self.one_of_each(part);
        }
    }

    /// The accesses callers are told of: of accesses that are alike, one.
    fn kept(&self, summary: &mut Summary) -> FxHashMap<u32, u32> {
        let mut numbers = FxHashMap::default();
        let mut unguarded = 0;
        let mut alike: BTreeMap<_, u32> = BTreeMap::new();
        let mut ways: BTreeMap<u32, Vec<Arc<[Arm]>>> = BTreeMap::new();
        // Guarded ones first: they must not be left out for others.
        let mut order: Vec<u32> = (0..self.accesses.len() as u32).collect();
        order.sort_by_key(|number| self.accesses[*number as usize].region.is_none());
        for number in order {
            let access = &self.accesses[number as usize];
            if !self.is_told(access.path) {
                continue;
            }
            let kind = (
                access.path,
                access.reads,
                access.writes,
                access.name.clone(),
                access.region,
                access.thread,
                (access.key.clone(), access.value.clone()),
            );
            let next = summary.accesses.len() as u32;
            let kept = *alike.entry(kind.clone()).or_insert(next);
            if kept == next {
                unguarded += usize::from(access.region.is_none());
                if unguarded > UNGUARDED && access.region.is_none() {
                    alike.remove(&kind);
                    continue;
                }
                if summary.accesses.len() >= ACCESSES {
                    summary.cut = true;
                    continue;
                }
                let mut told = access.clone();
                told.origins = parameters(&access.origins);
                told.key_origins = parameters(&access.key_origins);
                told.near = Set::new();
                told.validated = Set::new();
                told.object = parameters(&access.object);
                summary.accesses.push(told);
            } else if let Some(told) = summary.accesses.get_mut(kept as usize) {
                told.origins.join(&parameters(&access.origins));
                told.rechecks = crate::flow::value::common(&told.rechecks, &access.rechecks);
                told.tested |= access.tested;
                told.unwrapped |= access.unwrapped;
                told.taken &= access.taken;
            }
            if access.trail.len() == 1 {
                ways.entry(kept).or_default().push(access.when.clone());
            }
            numbers.insert(number, kept);
        }
        for (kept, ways) in ways.iter().filter(|(_, ways)| ways.len() > 1) {
            if let Some(told) = summary.accesses.get_mut(*kept as usize)
                && told.trail.len() == 1
                && let Some(when) = joined(self.function, ways)
            {
                told.when = when;
            }
        }
        numbers
    }

    fn is_told(&self, path: PathId) -> bool {
        !matches!(
            self.world.paths.root_of(path),
            Root::Local(_) | Root::Constant(_)
        )
    }
}

fn parameters(origins: &Origins) -> Origins {
    let mut kept = Origins::default();
    for origin in origins.iter() {
        if matches!(origin.source, Source::Parameter(_)) {
            kept.add(origin);
        }
    }
    kept
}

fn told(value: &Value, numbers: &FxHashMap<u32, u32>) -> Value {
    let mut origins = Origins::default();
    for origin in value.origins.iter() {
        let source = match origin.source {
            Source::Access(number) => match numbers.get(&number) {
                Some(kept) => Source::Access(*kept),
                None => continue,
            },
            parameter => parameter,
        };
        origins.add(&Origin {
            source,
            decides: origin.decides,
            decided: origin.decided,
            held: origin.held.clone(),
        });
    }
    Value {
        points: value.points.clone(),
        guards: value.guards.clone(),
        futures: value.futures.clone(),
        origins,
        fields: value
            .fields
            .iter()
            .map(|(field, part)| (*field, told(part, numbers)))
            .collect(),
    }
}
