//! The causal dependencies of a program (MoTH, §4.1): Figures 4 and 5 for all
//! methods, connected at calls.
//!
//! A method that is called inside of a region belongs to it: its versions have
//! the region as their third part. So a method has an *instance* for each
//! region it is called in, and one for calls outside of regions; within an
//! instance, calling contexts are not told apart, as in the paper. Versions of
//! arguments lead to `meth.p_i`, `meth.ret` leads to the version of the result,
//! and what decides about a call decides about everything in the method (the
//! initial `IS` is the union over all calls).
//!
//! Deviation: of nested atomic methods the outermost counts; the paper forbids
//! nesting. As in the paper, a method's `(g, h?)` is not connected with the
//! versions of `g` that its caller has.
//!
//! Cost: linear in the instances. Beyond [`INSTANCES`] per function, on
//! average, a method's instance is shared between regions, and the outcome
//! says so.

use rustc_hash::FxHashMap;

use super::actions::{Actions, actions};
use super::bits::Bits;
use super::calls::bottom_up;
use super::graph::{Edge, Graph, Label, Node, RegionId};
use super::regions::{Regions, lenders, regions};
use super::summaries::Summaries;
use super::variables::{Global, Variables};
use super::versions::{CONTEXT, PARAMETERS, RESULT, Template, template};
use crate::ir::{FunctionId, Program, Site};

/// How many instances a function may have, on average.
const INSTANCES: usize = 4;

/// An atomic method, or an atomic part of a function: the paper's `Atomics`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) function: FunctionId,
    /// Which part of the function; all of it if there is no number.
    pub(crate) part: Option<u16>,
    pub(crate) site: Site,
}

/// A function in a region, or outside of all.
pub(crate) struct Instance {
    pub(crate) function: FunctionId,
    /// The region that all of it is in.
    pub(crate) region: RegionId,
    pub(crate) calls: Vec<u32>,
    /// The regions that begin here.
    pub(crate) regions: Vec<u32>,
}

/// An access to a global variable inside of a region, or outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Access {
    pub(crate) region: RegionId,
    pub(crate) global: Global,
    pub(crate) write: bool,
    pub(crate) site: Site,
    pub(crate) function: FunctionId,
    pub(crate) node: u32,
}

/// What the definitions are about.
pub(crate) struct Dependencies {
    pub(crate) variables: Variables,
    pub(crate) graph: Graph,
    pub(crate) regions: Vec<Region>,
    pub(crate) instances: Vec<Instance>,
    /// In the order of instances.
    pub(crate) accesses: Vec<Access>,
    /// The instance that each root is.
    pub(crate) roots: Vec<u32>,
    pub(crate) actions: Vec<Vec<Actions>>,
    pub(crate) parts: Vec<Regions>,
    pub(crate) order: Vec<Vec<FunctionId>>,
    /// Whether instances had to be shared.
    pub(crate) shared: bool,
}

impl Dependencies {
    /// The dependencies of what is reached from the roots.
    pub(crate) fn of(program: &Program, roots: &[FunctionId], atomics: bool) -> Dependencies {
        let variables = Variables::of(program);
        let lenders = lenders(program);
        let order = bottom_up(program, roots);
        let count = program.functions.len();
        let mut all = vec![Vec::new(); count];
        let mut parts = vec![Regions::default(); count];
        for member in order.iter().flatten() {
            let function = program.function(*member);
            all[member.index()] = actions(program, &variables, *member);
            if !function.atomic {
                parts[member.index()] = regions(function, &lenders, atomics);
            }
        }
        let summaries = Summaries::of(program, &all, &order, variables.len());
        let mut templates: Vec<Template> = Vec::new();
        templates.resize_with(count, Template::default);
        for member in order.iter().flatten() {
            let index = member.index();
            let function = program.function(*member);
            templates[index] = template(
                function,
                *member,
                &all[index],
                &parts[index],
                &summaries,
                variables.len(),
            );
        }
        let mut maker = Maker {
            program,
            templates: &templates,
            parts: &parts,
            limit: order.iter().map(Vec::len).sum::<usize>() * INSTANCES + 64,
            known: FxHashMap::default(),
            any: FxHashMap::default(),
            region_ids: FxHashMap::default(),
            regions: Vec::new(),
            instances: Vec::new(),
            offsets: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            accesses: Vec::new(),
            shared: false,
        };
        let roots = roots.iter().map(|root| maker.instance(*root, None));
        let roots: Vec<u32> = roots.collect();
        let mut next = 0;
        while next < maker.instances.len() {
            maker.connect(next);
            next += 1;
        }
        Dependencies {
            graph: Graph::new(maker.nodes, maker.edges),
            regions: maker.regions,
            instances: maker.instances,
            accesses: maker.accesses,
            shared: maker.shared,
            variables,
            roots,
            actions: all,
            parts,
            order,
        }
    }

    /// The regions that an instance may execute, and what it calls:
    /// `executes` (MoTH, §5.1).
    pub(crate) fn executes(&self, instance: u32) -> Vec<u32> {
        let mut seen = Bits::new(self.instances.len());
        let mut found = Bits::new(self.regions.len());
        let mut waiting = vec![instance];
        seen.insert(instance as usize);
        while let Some(instance) = waiting.pop() {
            let instance = &self.instances[instance as usize];
            for region in instance.region.iter().chain(&instance.regions) {
                found.insert(*region as usize);
            }
            for call in &instance.calls {
                if seen.insert(*call as usize) {
                    waiting.push(*call);
                }
            }
        }
        found.iter().map(|region| region as u32).collect()
    }
}

struct Maker<'a> {
    program: &'a Program,
    templates: &'a [Template],
    parts: &'a [Regions],
    limit: usize,
    known: FxHashMap<(FunctionId, RegionId), u32>,
    /// The first instance inside of a region, to be shared.
    any: FxHashMap<FunctionId, u32>,
    region_ids: FxHashMap<(FunctionId, Option<u16>), u32>,
    regions: Vec<Region>,
    instances: Vec<Instance>,
    offsets: Vec<u32>,
    nodes: Vec<Node>,
    edges: Vec<(u32, Edge)>,
    accesses: Vec<Access>,
    shared: bool,
}

impl Maker<'_> {
    fn region(&mut self, function: FunctionId, part: Option<u16>) -> u32 {
        if let Some(known) = self.region_ids.get(&(function, part)) {
            return *known;
        }
        let body = self.program.function(function);
        let begins = &self.parts[function.index()].begins;
        let (name, site) = match part {
            None => (body.name.clone(), body.site),
            Some(part) => {
                let (block, statement) = begins[part as usize];
                let name = match begins.len() {
                    1 => body.name.clone(),
                    _ => format!("{}#{}", body.name, part + 1),
                };
                (name, body.blocks[block].statements[statement].1)
            }
        };
        let id = self.regions.len() as u32;
        self.regions.push(Region {
            name,
            function,
            part,
            site,
        });
        self.region_ids.insert((function, part), id);
        id
    }

    /// The instance of a function that is called in a region, or outside.
    fn instance(&mut self, function: FunctionId, region: RegionId) -> u32 {
        let region = match region {
            None if self.program.function(function).atomic => Some(self.region(function, None)),
            region => region,
        };
        if let Some(known) = self.known.get(&(function, region)) {
            return *known;
        }
        if self.instances.len() >= self.limit
            && region.is_some()
            && let Some(other) = self.any.get(&function)
        {
            self.shared = true;
            return *other;
        }
        let id = self.instances.len() as u32;
        self.known.insert((function, region), id);
        if region.is_some() {
            self.any.entry(function).or_insert(id);
        }
        let offset = self.nodes.len() as u32;
        let parts = self.parts[function.index()].begins.len() as u16;
        let own: Vec<u32> = match region {
            None => (0..parts)
                .map(|part| self.region(function, Some(part)))
                .collect(),
            Some(_) => Vec::new(),
        };
        // Inside of a region no part is a region of its own.
        let place = |part: Option<u16>| region.or_else(|| Some(own[usize::from(part?)]));
        let template = &self.templates[function.index()];
        self.nodes.extend(template.nodes.iter().map(|part| Node {
            label: part.label,
            region: place(part.region),
            instance: id,
            site: part.site,
        }));
        self.edges.extend(template.edges.iter().map(|(from, edge)| {
            let to = edge.to + offset;
            (from + offset, Edge { to, ..*edge })
        }));
        self.accesses
            .extend(template.accesses.iter().map(|touch| Access {
                region: place(touch.region),
                global: touch.global,
                write: touch.write,
                site: touch.site,
                function,
                node: touch.node + offset,
            }));
        self.offsets.push(offset);
        self.instances.push(Instance {
            function,
            region,
            calls: Vec::new(),
            regions: own,
        });
        id
    }

    /// Connects the calls of an instance with the methods.
    fn connect(&mut self, instance: usize) {
        let Instance {
            function, region, ..
        } = self.instances[instance];
        let offset = self.offsets[instance];
        let templates = self.templates;
        for call in &templates[function.index()].calls {
            // Of nested regions the outermost counts.
            let region = match (region, call.region) {
                (None, Some(part)) => Some(self.region(function, Some(part))),
                (region, _) => region,
            };
            for callee in &call.callees {
                let target = self.instance(*callee, region);
                self.instances[instance].calls.push(target);
                let base = self.offsets[target as usize];
                let parameters = self.program.function(*callee).parameters;
                for (index, versions) in call.arguments.iter().enumerate() {
                    if (index as u32) < parameters {
                        let to = base + PARAMETERS + index as u32;
                        let versions = versions.iter();
                        let edges = versions.map(|v| (v + offset, Edge { to, data: true }));
                        self.edges.extend(edges);
                    }
                }
                for version in &call.results {
                    let to = version + offset;
                    self.edges.push((base + RESULT, Edge { to, data: true }));
                }
                for decided in &call.decided {
                    let to = base + CONTEXT;
                    self.edges
                        .push((decided + offset, Edge { to, data: false }));
                }
                for (global, node) in &templates[callee.index()].left {
                    let to = call.after.iter().find(|(after, _)| after == global);
                    if let Some((_, to)) = to {
                        let to = to + offset;
                        self.edges.push((base + node, Edge { to, data: true }));
                    }
                }
            }
        }
        let calls = &mut self.instances[instance].calls;
        calls.sort_unstable();
        calls.dedup();
    }
}

/// Whether a node is a version of a global variable that was written, or a
/// read with arguments, and of which variable.
pub(crate) fn enters(label: Label, reads: bool) -> Option<Global> {
    use super::variables::Variable;
    match label {
        Label::Version {
            variable: Variable::Global(global),
            entry: false,
        } => Some(global),
        Label::Use(global) if reads => Some(global),
        _ => None,
    }
}
