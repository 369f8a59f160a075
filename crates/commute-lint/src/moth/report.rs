//! What was found, told as a way through the source.

use std::collections::{BTreeMap, BTreeSet};

use super::consistency::Conflict;
use super::correlation::versions;
use super::dependencies::{Access, Dependencies, enters};
use super::graph::{Edge, Label};
use super::stale::{Phase, Stale, fresh, stays_outside};
use super::variables::{Global, Variable};
use crate::ir::Program;
use crate::violation::{Confidence, Kind, Stop, Violation};

/// Turns findings into violations.
pub(crate) struct Reporter<'a> {
    pub(crate) program: &'a Program,
    pub(crate) found: &'a Dependencies,
    /// The processes that execute each region, by number.
    pub(crate) executed: Vec<Vec<usize>>,
    versions: rustc_hash::FxHashMap<(Global, u32), Vec<u32>>,
    /// The first access of each region to each variable.
    accesses: BTreeMap<(Global, bool, u32), &'a Access>,
    fresh: super::bits::Bits,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(
        program: &'a Program,
        found: &'a Dependencies,
        processes: &[Vec<u32>],
    ) -> Reporter<'a> {
        let mut executed = vec![Vec::new(); found.regions.len()];
        for (process, regions) in processes.iter().enumerate() {
            for region in regions {
                executed[*region as usize].push(process);
            }
        }
        let mut accesses = BTreeMap::new();
        for access in &found.accesses {
            if let Some(region) = access.region {
                accesses
                    .entry((access.global, access.write, region))
                    .or_insert(access);
            }
        }
        Reporter {
            accesses,
            program,
            found,
            executed,
            versions: versions(found),
            fresh: fresh(&found.graph),
        }
    }

    fn region(&self, region: u32) -> &str {
        &self.found.regions[region as usize].name
    }

    fn function(&self, node: u32) -> String {
        let instance = self.found.graph.nodes[node as usize].instance;
        let function = self.found.instances[instance as usize].function;
        self.program.function(function).name.clone()
    }

    fn access(&self, region: u32, global: Global, write: bool) -> Option<&'a Access> {
        self.accesses.get(&(global, write, region)).copied()
    }

    fn access_stop(&self, access: &Access, what: String) -> Stop {
        Stop {
            site: access.site,
            function: self.program.function(access.function).name.clone(),
            what,
        }
    }

    /// A stale value: the way of the value, by data alone if there is one.
    pub(crate) fn stale(&self, edge: Stale, reads: bool) -> Option<Violation> {
        let written = |label: Label| enters(label, false).is_some();
        let ways = [(true, false), (false, false), (true, true), (false, true)];
        let mut ways = ways.into_iter().filter(|(_, uses)| reads || !uses);
        let (data, way) = ways.find_map(|(data, uses)| {
            let wanted = |label: Label| match uses {
                false => written(label),
                true => enters(label, true).is_some(),
            };
            Some((data, self.way(edge, data, &wanted)?))
        })?;
        let last = *way.last()?;
        let kind = match self.found.graph.nodes[last as usize].label {
            Label::Use(_) => Kind::StaleRead,
            _ if data => Kind::StaleValue,
            _ => Kind::StaleCheck,
        };
        let variable = self.found.variables.name(edge.variable).to_owned();
        let (from, to) = (self.region(edge.from), self.region(edge.to));
        let does = match kind {
            Kind::StaleValue => "is written in",
            Kind::StaleCheck => "decides what is written in",
            _ => "is used to read in",
        };
        let title = format!("a value of `{variable}` that was read in `{from}` {does} `{to}`");
        let why = format!(
            "between `{from}` and `{to}` others may write `{variable}`, and the value is stale"
        );
        Some(Violation {
            also: Vec::new(),
            between: None,
            kind,
            confidence: Confidence::High,
            title,
            path: self.stops(&way, &variable),
            others: self.writer(edge).into_iter().collect(),
            why,
            help: format!("make `{from}` and `{to}` one atomic region, or check again in `{to}`"),
            written: None,
            regions: (from.to_owned(), to.to_owned()),
            variable,
        })
    }

    fn way(&self, edge: Stale, data: bool, wanted: &dyn Fn(Label) -> bool) -> Option<Vec<u32>> {
        let graph = &self.found.graph;
        let from = self.versions.get(&(edge.variable, edge.from))?;
        let alone = edge.from == edge.to;
        let region = |node: u32| graph.nodes[node as usize].region;
        let next = |at: u32, phase: Phase, step: Edge| -> Option<Phase> {
            if data && !step.data {
                return None;
            }
            let outside = stays_outside(graph, &self.fresh, step);
            Some(match phase {
                Phase::Back => Phase::Back,
                _ if !alone => Phase::Inside,
                Phase::Inside if outside && region(at) == Some(edge.from) => Phase::Outside,
                Phase::Outside if outside => Phase::Outside,
                Phase::Outside if step.data && region(step.to) == Some(edge.to) => Phase::Back,
                Phase::Inside | Phase::Outside => Phase::Inside,
            })
        };
        let wanted = |node: u32, phase: Phase| {
            let phase = if alone { phase == Phase::Back } else { true };
            phase && region(node) == Some(edge.to) && wanted(graph.nodes[node as usize].label)
        };
        graph.way(from, Phase::Inside, next, wanted)
    }

    fn stops(&self, way: &[u32], variable: &str) -> Vec<Stop> {
        let mut stops: Vec<Stop> = Vec::new();
        let graph = &self.found.graph;
        for (index, node) in way.iter().enumerate() {
            let content = &graph.nodes[*node as usize];
            let region = content.region.map(|region| self.region(region));
            let last = index + 1 == way.len();
            let what = match (content.label, region) {
                (_, Some(region)) if index == 0 => format!("`{variable}` is read in `{region}`"),
                (Label::Use(global), Some(region)) if last => {
                    let name = self.found.variables.name(global);
                    format!("used to read `{name}` in `{region}`")
                }
                (label, Some(region)) if last => {
                    let name = enters(label, true).map(|global| self.found.variables.name(global));
                    format!("`{}` is written in `{region}`", name.unwrap_or_default())
                }
                (Label::Version { variable, .. }, _) => {
                    format!("goes to `{}`", self.name(*node, variable))
                }
                (Label::Parameter(_), _) => format!("passed to `{}`", self.function(*node)),
                (Label::Result, _) => format!("returned by `{}`", self.function(*node)),
                (Label::Branch, _) => "decides here".to_owned(),
                (Label::Context, _) => format!("decides whether `{}` runs", self.function(*node)),
                _ => continue,
            };
            stops.push(Stop {
                site: content.site,
                function: self.function(*node),
                what,
            });
        }
        stops
    }

    fn name(&self, node: u32, variable: Variable) -> String {
        match variable {
            Variable::Global(global) => self.found.variables.name(global).to_owned(),
            Variable::Local(local) => {
                let instance = self.found.graph.nodes[node as usize].instance;
                let function = self.found.instances[instance as usize].function;
                let local = &self.program.function(function).locals[local.index()];
                local.name.clone().unwrap_or_else(|| "a value".to_owned())
            }
        }
    }

    /// The write of some process that makes the value stale, of another region
    /// if there is one.
    fn writer(&self, edge: Stale) -> Option<Stop> {
        let range = (edge.variable, true, 0)..=(edge.variable, true, u32::MAX);
        let writes = self
            .accesses
            .range(range)
            .map(|(key, access)| (*access, key.2));
        let other = |(_, region): &(&Access, u32)| *region == edge.to || *region == edge.from;
        let (access, region) = writes.min_by_key(other)?;
        let process = *self.executed[region as usize].first()?;
        let name = &self.program.processes[process].name;
        let variable = self.found.variables.name(edge.variable);
        let region = self.region(region);
        let what = format!("`{variable}` is written in `{region}` by `{name}`");
        Some(self.access_stop(access, what))
    }

    /// Variables that belong together and are accessed apart.
    pub(crate) fn conflict(&self, conflict: &Conflict, all: bool) -> Violation {
        let ((one, first), (other, second)) = &conflict.apart;
        let (kind, did) = match conflict.write {
            true => (Kind::TornWrite, "written"),
            false => (Kind::TornRead, "read"),
        };
        let names = |set: &BTreeSet<Global>| -> String {
            let names = set.iter().map(|global| self.found.variables.name(*global));
            names.collect::<Vec<_>>().join(", ")
        };
        let stop = |part: &BTreeSet<Global>, others: &BTreeSet<Global>, region: u32| {
            let global = part.difference(others).chain(part).next()?;
            let either = || {
                self.access(region, *global, !conflict.write)
                    .filter(|_| all)
            };
            let access = self
                .access(region, *global, conflict.write)
                .or_else(either)?;
            let (name, region) = (self.found.variables.name(*global), self.region(region));
            Some(self.access_stop(access, format!("`{name}` is {did} in `{region}`")))
        };
        let path = [stop(one, other, *first), stop(other, one, *second)];
        let (set, region) = &conflict.together;
        let together = set.iter().filter_map(|global| {
            let either = || {
                self.access(*region, *global, conflict.write)
                    .filter(|_| all)
            };
            let access = self
                .access(*region, *global, !conflict.write)
                .or_else(either)?;
            let (name, region) = (self.found.variables.name(*global), self.region(*region));
            let does = if access.write { "written" } else { "read" };
            Some(self.access_stop(access, format!("`{name}` is {does} in `{region}`")))
        });
        let process = &self.program.processes[conflict.process].name;
        let (first, second) = (self.region(*first), self.region(*second));
        let (variables, region) = (names(set), self.region(*region));
        let belongs = if conflict.write { "reads" } else { "writes" };
        Violation {
            also: Vec::new(),
            between: None,
            kind,
            confidence: Confidence::High,
            title: format!("`{variables}` are {did} in `{first}` and `{second}`, not together"),
            path: path.into_iter().flatten().collect(),
            others: together.collect(),
            why: format!("`{region}` {belongs} them together; `{process}` may come between"),
            help: format!("make `{first}` and `{second}` one atomic region"),
            written: None,
            regions: (first.to_owned(), second.to_owned()),
            variable: variables,
        }
    }
}
