//! Versions and dependencies within one function (MoTH, §4.1, Figure 4).
//!
//! The figure carries the set `H` of current versions from statement to
//! statement. On a control flow graph that is the analysis of reaching
//! definitions: a variable that is not in `H` has the version `h?`
//! (Definition 3), a write replaces all versions (Definition 4), and where ways
//! meet, sets are united (rules Conditional and Loop; `h?` stays in the set on
//! the way that does not write).
//!
//! Deviations: Figure 4 looks at the body of a loop once, so what one round
//! writes and the next one reads is no dependency by its letter; here it is.
//! A region inside of a function has its own `h?` of global variables, as an
//! atomic method has. The result is one version, as the paper's `retVar`.
//!
//! Cost: one bit per definition and block, and as many rounds as loops are
//! nested.

use super::actions::{Action, Actions, Target};
use super::bits::Bits;
use super::graph::{Edge, Label};
use super::regions::Regions;
use super::summaries::{Summaries, read};
use super::variables::{Global, Variable};
use crate::control;
use crate::ir::{Function, FunctionId, Local, Site, Terminator};

/// The nodes and edges of a function, before it is known in which region it
/// runs. The first node is the result, the second the context, then come the
/// parameters.
#[derive(Default)]
pub(crate) struct Template {
    pub(crate) nodes: Vec<Part>,
    pub(crate) edges: Vec<(u32, Edge)>,
    pub(crate) calls: Vec<CallSite>,
    /// The nodes of the versions that variables are left with.
    pub(crate) left: Vec<(Global, u32)>,
    /// Reads and writes of global variables, by region of the function.
    pub(crate) accesses: Vec<Touch>,
}

/// A node of a template.
pub(crate) struct Part {
    pub(crate) label: Label,
    pub(crate) region: Option<u16>,
    pub(crate) site: Site,
}

/// A call.
pub(crate) struct CallSite {
    pub(crate) callees: Vec<FunctionId>,
    pub(crate) region: Option<u16>,
    /// The versions of each argument.
    pub(crate) arguments: Vec<Vec<u32>>,
    /// The versions that get the result.
    pub(crate) results: Vec<u32>,
    /// The nodes that decide whether it is called.
    pub(crate) decided: Vec<u32>,
    /// The node of each variable that the call leaves in another version.
    pub(crate) after: Vec<(Global, u32)>,
}

/// An access to a global variable.
#[derive(Clone, Copy)]
pub(crate) struct Touch {
    pub(crate) region: Option<u16>,
    pub(crate) global: Global,
    pub(crate) write: bool,
    pub(crate) site: Site,
    pub(crate) node: u32,
}

pub(crate) const RESULT: u32 = 0;
pub(crate) const CONTEXT: u32 = 1;
pub(crate) const PARAMETERS: u32 = 2;

/// Makes the template of a function.
pub(crate) fn template(
    function: &Function,
    id: FunctionId,
    actions: &[Actions],
    regions: &Regions,
    summaries: &Summaries,
    globals: usize,
) -> Template {
    let mut wanted = read(actions, globals);
    wanted.union(&summaries.wanted[id.index()]);
    let mut maker = Maker {
        function,
        actions,
        regions,
        summaries,
        wanted,
        template: Template::default(),
        definitions: Vec::new(),
        at: Vec::new(),
        ranges: rustc_hash::FxHashMap::default(),
    };
    maker.declare();
    maker.define(id);
    maker.connect(id);
    maker.template
}

struct Maker<'a> {
    function: &'a Function,
    actions: &'a [Actions],
    regions: &'a Regions,
    summaries: &'a Summaries,
    wanted: Bits,
    template: Template,
    /// Variable, node; sorted by variable.
    definitions: Vec<(Variable, u32)>,
    /// What each step of each block defines: variable, node, whether it
    /// replaces earlier versions.
    at: Vec<Vec<Vec<(Variable, u32, bool)>>>,
    ranges: rustc_hash::FxHashMap<Variable, (u32, u32)>,
}

impl Maker<'_> {
    fn node(&mut self, label: Label, region: Option<u16>, site: Site) -> u32 {
        let part = Part {
            label,
            region,
            site,
        };
        self.template.nodes.push(part);
        self.template.nodes.len() as u32 - 1
    }

    fn declare(&mut self) {
        let site = self.function.site;
        self.node(Label::Result, None, site);
        self.node(Label::Context, None, site);
        for parameter in 0..self.function.parameters {
            let node = self.node(Label::Parameter(parameter), None, site);
            let local = Local(parameter + 1);
            self.definitions.push((Variable::Local(local), node));
        }
    }

    fn target(&mut self, target: Target, region: Option<u16>, site: Site) -> (Variable, u32, bool) {
        let variable = target.variable;
        if variable == Variable::Local(Local(0)) {
            return (variable, RESULT, false);
        }
        let label = Label::Version {
            variable,
            entry: false,
        };
        let node = self.node(label, region, site);
        if let Variable::Global(global) = variable
            && !target.new
        {
            self.touch(region, global, true, site, node);
        }
        (variable, node, target.whole)
    }

    fn touch(&mut self, region: Option<u16>, global: Global, write: bool, site: Site, node: u32) {
        self.template.accesses.push(Touch {
            region,
            global,
            write,
            site,
            node,
        });
    }

    /// Makes a version for each write, and numbers the versions so that those
    /// of one variable are next to each other.
    fn define(&mut self, id: FunctionId) {
        for (block, content) in self.actions.iter().enumerate() {
            let mut here = Vec::new();
            for step in &content.steps {
                let region = self.regions.at(block, step.statement);
                let mut defined = Vec::new();
                match &step.action {
                    Action::Define(targets, _) => {
                        for target in targets {
                            defined.push(self.target(*target, region, step.site));
                        }
                    }
                    Action::Call { to, callees, .. } => {
                        for (global, whole) in self.changed(callees) {
                            let node = self.node(Label::After(global), region, step.site);
                            defined.push((Variable::Global(global), node, whole));
                        }
                        for target in to {
                            defined.push(self.target(*target, region, step.site));
                        }
                    }
                    Action::Use(..) | Action::Together(_) => {}
                }
                let versions = defined.iter().map(|(variable, node, _)| (*variable, *node));
                self.definitions.extend(versions);
                here.push(defined);
            }
            self.at.push(here);
        }
        self.begin(id);
        self.definitions.sort_unstable();
        self.definitions.dedup();
        for (index, (variable, _)) in self.definitions.iter().enumerate() {
            let index = index as u32;
            let range = self.ranges.entry(*variable).or_insert((index, index));
            range.1 = index + 1;
        }
    }

    /// The variables that a call leaves in another version, as far as anybody
    /// asks, and whether that replaces all versions.
    fn changed(&self, callees: &[FunctionId]) -> Vec<(Global, bool)> {
        let mut found = Bits::new(self.wanted.iter().last().map_or(0, |last| last + 1));
        for callee in callees {
            found.union(&self.summaries.written[callee.index()]);
        }
        found.intersect(&self.wanted);
        let surely = |global| {
            let replaced = &self.summaries.replaced;
            callees.iter().all(|c| replaced[c.index()].contains(global))
        };
        let globals = found.iter();
        globals.map(|g| (Global(g as u32), surely(g))).collect()
    }

    /// Versions with `h?`, for what is read.
    fn begin(&mut self, id: FunctionId) {
        let mut read = Vec::new();
        for content in self.actions {
            read.extend(&content.condition);
            for step in &content.steps {
                match &step.action {
                    Action::Define(_, from) | Action::Use(_, from) | Action::Together(from) => {
                        read.extend(from);
                    }
                    Action::Call { arguments, .. } => read.extend(arguments.iter().flatten()),
                }
            }
        }
        let left = self.summaries.wanted[id.index()].iter();
        read.extend(left.map(|g| Variable::Global(Global(g as u32))));
        read.sort_unstable();
        read.dedup();
        for variable in read {
            let known = match variable {
                Variable::Local(local) => local.0 <= self.function.parameters,
                Variable::Global(_) => false,
            };
            if !known {
                // In which region it is first read is not known yet; versions
                // with `h?` are made per region.
                self.definitions.push((variable, u32::MAX));
            }
        }
    }

    fn transfer(&self, versions: &mut Bits, defined: &[(Variable, u32, bool)]) {
        for (variable, node, whole) in defined {
            let Some((from, to)) = self.ranges.get(variable).copied() else {
                continue;
            };
            let (from, to) = (from as usize, to as usize);
            if *whole {
                (from..to).for_each(|index| versions.remove(index));
            }
            let own = self.definitions[from..to].binary_search(&(*variable, *node));
            versions.insert(from + own.unwrap_or_default());
        }
    }

    /// The versions at the beginning of each block.
    fn reaching(&self) -> Vec<Option<Bits>> {
        let blocks = &self.function.blocks;
        let mut entry: Vec<Option<Bits>> = vec![None; blocks.len()];
        let mut first = Bits::new(self.definitions.len());
        for (index, (_, node)) in self.definitions.iter().enumerate() {
            let parameters = PARAMETERS..PARAMETERS + self.function.parameters;
            if *node == u32::MAX || parameters.contains(node) {
                first.insert(index);
            }
        }
        let Some(start) = entry.first_mut() else {
            return entry;
        };
        *start = Some(first);
        let mut waiting = std::collections::BTreeSet::from([0]);
        while let Some(block) = waiting.pop_first() {
            let Some(mut versions) = entry[block].clone() else {
                continue;
            };
            for defined in &self.at[block] {
                self.transfer(&mut versions, defined);
            }
            for target in blocks[block].terminator.targets() {
                let changed = match &mut entry[target.index()] {
                    Some(known) => known.union(&versions),
                    unknown => {
                        *unknown = Some(versions.clone());
                        true
                    }
                };
                if changed {
                    waiting.insert(target.index());
                }
            }
        }
        entry
    }

    fn connect(&mut self, id: FunctionId) {
        let entry = self.reaching();
        let decides = control::direct(self.function);
        let mut branches = vec![u32::MAX; entry.len()];
        for (block, content) in self.function.blocks.iter().enumerate() {
            if content.terminator.targets().len() > 1 && entry[block].is_some() {
                let region = self.regions.at(block, content.statements.len());
                branches[block] = self.node(Label::Branch, region, content.site);
            }
        }
        let mut unknown = Unknown::default();
        let mut left: Vec<(Global, u32)> = Vec::new();
        for global in self.summaries.wanted[id.index()].iter() {
            let global = Global(global as u32);
            let node = self.node(Label::Left(global), None, self.function.site);
            left.push((global, node));
        }
        for (block, versions) in entry.into_iter().enumerate() {
            let Some(mut versions) = versions else {
                continue;
            };
            let mut decided = vec![CONTEXT];
            let deciding = decides[block]
                .iter()
                .map(|(branch, _)| branches[*branch as usize]);
            decided.extend(deciding.filter(|branch| *branch != u32::MAX));
            self.block(block, &mut versions, &decided, &mut unknown);
            let end = self
                .regions
                .at(block, self.function.blocks[block].statements.len());
            let site = self.function.blocks[block].site;
            if branches[block] != u32::MAX {
                let condition = &self.actions[block].condition;
                let from = self.versions(&versions, condition, end, site, &mut unknown);
                self.edges(&from, branches[block], true);
                for branch in decided {
                    self.edge(branch, branches[block], false);
                }
            }
            if self.function.blocks[block].terminator == Terminator::Return {
                for (global, node) in &left {
                    let variable = Variable::Global(*global);
                    let (from, to) = self.ranges.get(&variable).copied().unwrap_or((0, 0));
                    for index in versions.range(from as usize, to as usize) {
                        let version = self.definitions[index].1;
                        if version != u32::MAX {
                            self.edge(version, *node, true);
                        }
                    }
                }
            }
        }
        self.template.left = left;
    }

    fn block(&mut self, block: usize, versions: &mut Bits, decided: &[u32], unknown: &mut Unknown) {
        let actions = self.actions;
        for (index, step) in actions[block].steps.iter().enumerate() {
            let region = self.regions.at(block, step.statement);
            let site = step.site;
            let defined = std::mem::take(&mut self.at[block][index]);
            match &step.action {
                Action::Define(_, from) => {
                    let from = self.versions(versions, from, region, site, unknown);
                    for (_, node, _) in &defined {
                        self.edges(&from, *node, true);
                    }
                }
                Action::Use(global, from) => {
                    let from = self.versions(versions, from, region, site, unknown);
                    let node = self.node(Label::Use(*global), region, site);
                    self.edges(&from, node, true);
                }
                Action::Together(from) => {
                    let from = self.versions(versions, from, region, site, unknown);
                    let node = self.node(Label::Together, region, site);
                    self.edges(&from, node, true);
                    self.edges(decided, node, false);
                }
                Action::Call {
                    callees, arguments, ..
                } => {
                    // In the paper's Jimple a method begins with assignments
                    // to its parameters; what decides about it meets them.
                    let together = self.node(Label::Together, region, site);
                    self.edges(decided, together, false);
                    let mut given = Vec::new();
                    for argument in arguments {
                        let from = self.versions(versions, argument, region, site, unknown);
                        self.edges(&from, together, true);
                        given.push(from);
                    }
                    let mut call = CallSite {
                        callees: callees.clone(),
                        region,
                        arguments: given,
                        results: Vec::new(),
                        decided: decided.to_vec(),
                        after: Vec::new(),
                    };
                    for (variable, node, _) in &defined {
                        match (variable, self.template.nodes[*node as usize].label) {
                            (_, Label::After(global)) => call.after.push((global, *node)),
                            _ => call.results.push(*node),
                        }
                    }
                    self.template.calls.push(call);
                }
            }
            for (_, node, _) in &defined {
                let label = self.template.nodes[*node as usize].label;
                if label.is_version() {
                    decided
                        .iter()
                        .for_each(|branch| self.edge(*branch, *node, false));
                }
            }
            self.transfer(versions, &defined);
            self.at[block][index] = defined;
        }
    }

    fn is_elsewhere(&self, variable: Variable, node: u32, region: Option<u16>) -> bool {
        let global = matches!(variable, Variable::Global(_));
        global && region.is_some() && self.template.nodes[node as usize].region != region
    }

    fn edge(&mut self, from: u32, to: u32, data: bool) {
        self.template.edges.push((from, Edge { to, data }));
    }

    fn edges(&mut self, from: &[u32], to: u32, data: bool) {
        from.iter().for_each(|from| self.edge(*from, to, data));
    }

    /// `ver_H` (Definition 3) of some variables.
    fn versions(
        &mut self,
        versions: &Bits,
        variables: &[Variable],
        region: Option<u16>,
        site: Site,
        unknown: &mut Unknown,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        for variable in variables {
            if *variable == Variable::Local(Local(0)) {
                found.push(RESULT);
                continue;
            }
            let (from, to) = self.ranges.get(variable).copied().unwrap_or((0, 0));
            for index in versions.range(from as usize, to as usize) {
                let node = match self.definitions[index].1 {
                    // A region reads anew what others may have written since.
                    node if node == u32::MAX || self.is_elsewhere(*variable, node, region) => {
                        *unknown.0.entry((*variable, region)).or_insert_with(|| {
                            let label = Label::Version {
                                variable: *variable,
                                entry: true,
                            };
                            self.template.nodes.push(Part {
                                label,
                                region,
                                site,
                            });
                            self.template.nodes.len() as u32 - 1
                        })
                    }
                    node => node,
                };
                found.push(node);
            }
            if let Variable::Global(global) = variable {
                let node = found.last().copied().unwrap_or(RESULT);
                self.touch(region, *global, false, site, node);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The versions with `h?` that were made.
#[derive(Default)]
struct Unknown(rustc_hash::FxHashMap<(Variable, Option<u16>), u32>);
