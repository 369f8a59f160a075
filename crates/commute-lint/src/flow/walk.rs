//! One function is followed to its fixpoint: which values flow where, which
//! regions are held, which memory is used.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::access::{Access, RegionInfo, Summary, ThreadInfo, Trail};
use crate::flow::control;
use crate::flow::mentions::{Mentions, assigned_often, gone};
use crate::flow::order::reverse_postorder;
use crate::flow::path::{PathId, Root, Spot};
use crate::flow::state::State;
use crate::flow::threads::{Threads, awaiting};
use crate::flow::value::{Origin, Origins, Region, Set, Source, Value, add};
use crate::flow::way::Step;
use crate::flow::world::World;
use crate::ir::{
    FieldId, Function, FunctionId, Local, Mode, Operand, Program, Rule, Site, Statement,
    Terminator, TypeKind,
};
use crate::lost::Loss;
use crate::suppression::Suppression;

/// After so many rounds over a function its fixpoint is given up.
const ROUNDS: usize = 60;

/// How deep the fields of a value are told apart.
const DEPTH: usize = 3;

/// For each read, the lines that its value travels through.
pub(crate) type Ways = BTreeMap<u32, BTreeSet<(Site, Step)>>;

/// What is known of one function while it is followed.
pub(crate) struct Walk<'w, 'p> {
    pub(crate) world: &'w mut World<'p>,
    pub(crate) id: FunctionId,
    pub(crate) function: &'p Function,
    /// Which parameters may point to what a lock of the caller guards.
    pub(crate) guardable: Vec<bool>,
    pub(crate) deciders: control::Deciders,
    /// For each block the loop that it is in, of those around it the largest.
    pub(crate) loops: Vec<Option<u32>>,
    /// Locals that are assigned in several places: who assigns depends on the
    /// branches taken.
    several: Vec<bool>,
    pub(crate) accesses: Vec<Access>,
    access_numbers: FxHashMap<(Spot, u32, PathId, Option<Region>), u32>,
    pub(crate) regions: Vec<RegionInfo>,
    region_numbers: FxHashMap<(Spot, u32), Region>,
    pub(crate) threads: Vec<ThreadInfo>,
    pub(crate) thread_numbers: FxHashMap<(Spot, u32), u32>,
    /// Where each of them is started.
    pub(crate) starts: Vec<Spot>,
    /// The loops that wait for threads.
    pub(crate) awaiting: BTreeSet<u32>,
    /// Reads whose values meet: in one expression, call, branch or structure.
    pub(crate) meets: BTreeSet<(u32, u32)>,
    /// What is read in one region and computed with together.
    pub(crate) combined: BTreeSet<(PathId, PathId)>,
    pub(crate) given_out: BTreeSet<(u32, (u32, u32))>,
    /// One is read, the other decides about it.
    pub(crate) decides: BTreeSet<(u32, u32)>,
    /// Reads that decide about what no memory shows.
    pub(crate) acts: BTreeSet<u32>,
    /// The lines that values travel through.
    pub(crate) ways: Ways,
    pub(crate) stored: BTreeSet<(PathId, FieldId)>,
    /// The region that the whole body is, if it is one.
    whole: Option<Region>,
    pub(crate) cut: bool,
    /// What is called where locks are taken, and why that is lost, if it is.
    pub(crate) acquisitions: BTreeMap<(Spot, Site), (String, Option<Loss>)>,
    /// Whether a closure is being called by a library: it may do so often.
    pub(crate) often: bool,
    /// What decides whether the closure runs that is being called.
    pub(crate) given: Origins,
    pub(crate) spot: Spot,
    pub(crate) site: Site,
    trails: FxHashSet<Trail>,
}

/// What judgements need to know of a function.
pub(crate) struct Followed {
    /// Those that judgements ask for, and so below.
    pub(crate) accesses: Vec<Access>,
    pub(crate) regions: Vec<RegionInfo>,
    /// How many regions are its own, and not of a function that it calls.
    pub(crate) own_regions: usize,
    /// Writes that may be torn apart.
    pub(crate) writes: Vec<u32>,
    pub(crate) meets: BTreeSet<(u32, u32)>,
    /// What is read in one region and computed with together.
    pub(crate) combined: BTreeSet<(PathId, PathId)>,
    pub(crate) decides: BTreeSet<(u32, u32)>,
    /// Reads that decide about what no memory shows.
    pub(crate) acts: BTreeSet<u32>,
    /// The lines that values travel through.
    pub(crate) ways: Ways,
    /// Reads that the result depends on.
    pub(crate) returned: BTreeSet<u32>,
    /// Those that are part of it, and where they become so.
    pub(crate) given_out: BTreeSet<(u32, (u32, u32))>,
    /// In which block each access is, and at which statement of it.
    pub(crate) spots: Vec<(u32, u32)>,
    pub(crate) threads: Vec<ThreadInfo>,
    /// Pointers that are stored in fields, all of them.
    pub(crate) stored: BTreeSet<(PathId, FieldId)>,
    /// What is called where locks are taken, and why that is lost, if it is.
    pub(crate) acquisitions: Vec<(Site, String, Option<Loss>)>,
}

pub(crate) fn follow(world: &mut World<'_>, id: FunctionId) -> (Summary, Followed) {
    let program = world.program;
    let function = program.function(id);
    let loops = loops(function);
    let mut walk = Walk {
        world,
        id,
        function,
        guardable: guardable(program, function),
        deciders: control::deciders(function),
        loops: loops.clone(),
        several: assigned_often(function),
        accesses: Vec::new(),
        access_numbers: FxHashMap::default(),
        regions: Vec::new(),
        region_numbers: FxHashMap::default(),
        threads: Vec::new(),
        thread_numbers: FxHashMap::default(),
        starts: Vec::new(),
        awaiting: awaiting(function, &loops),
        meets: BTreeSet::new(),
        combined: BTreeSet::new(),
        given_out: BTreeSet::new(),
        decides: BTreeSet::new(),
        acts: BTreeSet::new(),
        ways: BTreeMap::new(),
        stored: BTreeSet::new(),
        whole: None,
        cut: false,
        acquisitions: BTreeMap::new(),
        often: false,
        given: Origins::default(),
        spot: Spot {
            function: id,
            block: 0,
            statement: 0,
        },
        site: function.site,
        trails: FxHashSet::default(),
    };
    let exit = walk.fixpoint();
    walk.finish(exit)
}

fn guardable(program: &Program, function: &Function) -> Vec<bool> {
    let locals = function.locals.iter().enumerate();
    locals
        .map(|(at, variable)| {
            let ty = &program.types[variable.ty.index()];
            let named = || {
                ty.name
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|name| program.guardable.contains(name))
            };
            let closure = ty.name.contains('{');
            at > 0 && at <= function.parameters as usize && (!program.guarded || closure || named())
        })
        .collect()
}

fn loops(function: &Function) -> Vec<Option<u32>> {
    let mut graph = petgraph::graphmap::DiGraphMap::<u32, ()>::new();
    for (from, block) in function.blocks.iter().enumerate() {
        graph.add_node(from as u32);
        for to in block.terminator.targets() {
            graph.add_edge(from as u32, to.0, ());
        }
    }
    let mut loops = vec![None; function.blocks.len()];
    for (number, component) in petgraph::algo::tarjan_scc(&graph).into_iter().enumerate() {
        let itself = component.len() == 1 && graph.contains_edge(component[0], component[0]);
        if component.len() > 1 || itself {
            for block in component {
                loops[block as usize] = Some(number as u32);
            }
        }
    }
    loops
}

impl Walk<'_, '_> {
    fn fixpoint(&mut self) -> Option<State> {
        let blocks = self.function.blocks.len();
        let mut before: Vec<Option<State>> = vec![None; blocks];
        let mut visits = vec![0usize; blocks];
        let mut exit: Option<State> = None;
        let mut todo: BTreeSet<(usize, u32)> = BTreeSet::new();
        let order = reverse_postorder(self.function);
        let mut mentions = Mentions::of(self.function);
        if blocks == 0 {
            return None;
        }
        before[0] = Some(self.begin());
        todo.insert((order[0], 0));
        while let Some((_, block)) = todo.pop_first() {
            let at = block as usize;
            visits[at] += 1;
            if visits[at] > ROUNDS {
                self.cut = true;
                continue;
            }
            let Some(mut state) = before[at].clone() else {
                continue;
            };
            self.run(block, &mut state);
            let terminator = &self.function.blocks[at].terminator;
            if matches!(terminator, Terminator::Return) {
                match &mut exit {
                    Some(exit) => {
                        exit.join(&state);
                    }
                    None => exit = Some(state.clone()),
                }
            }
            let several = terminator.targets().len() > 1 && !state.maybe.is_empty();
            for target in terminator.targets() {
                let mut state = state.clone();
                if several {
                    gone(&mut state, &mut mentions, target.index());
                }
                self.leave_loop(&mut state, at, target.index());
                let into = &mut before[target.index()];
                let changed = match into {
                    Some(into) => into.join(&state),
                    None => {
                        *into = Some(state);
                        true
                    }
                };
                if changed {
                    todo.insert((order[target.index()], target.0));
                }
            }
        }
        exit
    }

    fn begin(&mut self) -> State {
        let nothing = Rc::new(Value::default());
        let mut locals = vec![nothing; self.function.locals.len()];
        for number in 1..=self.function.parameters {
            let local = Local(number);
            let mut value = Value::to(self.world.paths.root(Root::Parameter(local)));
            value.origins = Origins::one(Origin {
                source: Source::Parameter(local),
                decides: false,
                decided: false,
                held: Set::new(),
            });
            if let Some(slot) = locals.get_mut(local.index()) {
                *slot = Rc::new(value);
            }
        }
        let mut state = State {
            locals,
            cells: BTreeMap::new(),
            held: Set::new(),
            maybe: Set::new(),
            threads: Threads::default(),
            branches: BTreeMap::new(),
        };
        if self.function.atomic {
            let number = self.world.paths.text("atomic");
            let lock = self.world.paths.root(Root::Static(number));
            let region = self.region(u32::MAX, lock, Mode::Exclusive, false);
            self.whole = Some(region);
            state.hold(region);
        }
        state
    }

    fn run(&mut self, block: u32, state: &mut State) {
        let function = self.function;
        let body = &function.blocks[block as usize];
        for (number, (statement, site)) in body.statements.iter().enumerate() {
            self.spot = Spot {
                function: self.id,
                block,
                statement: number as u32,
            };
            self.site = *site;
            self.statement(state, statement);
        }
        self.spot = Spot {
            function: self.id,
            block,
            statement: body.statements.len() as u32,
        };
        self.site = body.site;
        if let (Terminator::Return, Some(region)) = (&body.terminator, self.whole) {
            self.end(state, region);
        }
        if let Terminator::Branch { on, .. } = &body.terminator {
            let value = self.operand(state, on);
            let origins = value.all_origins();
            self.meet(&origins);
            match self.deciders.forks[block as usize] {
                true => self.test(&origins),
                // An assertion.
                false => self.unwrap(&value),
            }
            self.step(Step::Decides, &origins);
            state.branches.insert(block, Rc::new(origins));
        }
    }

    fn statement(&mut self, state: &mut State, statement: &Statement) {
        match statement {
            Statement::Assign {
                to,
                rule,
                from,
                fields,
            } => {
                let mut value = self.value(state, *rule, from, fields);
                if *rule == Rule::Aggregate
                    && let Some(body) = self.future_of(to)
                {
                    add(&mut value.futures, body);
                }
                self.assign(state, to, value);
            }
            Statement::Call {
                to,
                callee,
                arguments,
            } => {
                let value = self.call(state, to, callee, arguments);
                self.assign(state, to, value);
            }
            Statement::Drop(place) => {
                let guards = self.peek(state, place).all_guards();
                for region in guards {
                    self.end(state, region);
                }
            }
        }
    }

    fn value(
        &mut self,
        state: &mut State,
        rule: Rule,
        from: &[Operand],
        fields: &[FieldId],
    ) -> Value {
        match (rule, from) {
            (Rule::Copy, [operand]) => self.operand(state, operand),
            (Rule::Borrow, [Operand::Place(place, _)]) => self.address(state, place),
            (Rule::New, _) => {
                let spot = self.spot;
                Value::to(self.world.paths.root(Root::New(spot)))
            }
            (Rule::Aggregate, _) if fields.len() == from.len() && !from.is_empty() => {
                self.structure(state, from, fields)
            }
            (Rule::Discriminant, [Operand::Place(place, _)])
                if self
                    .type_name(place.local)
                    .starts_with("std::ops::ControlFlow")
                    && self.world.applies(Suppression::Question) =>
            {
                // `?` decides about what decided that it is an error, not about
                // the value.
                let value = self.operand(state, &from[0]);
                Value::from(value.all_origins().only_deciding())
            }
            _ => {
                let mut value = Value::default();
                let mut origins = Origins::default();
                for operand in from {
                    let part = self.operand(state, operand);
                    origins.join(&part.all_origins());
                    if rule != Rule::Compute && rule != Rule::Discriminant {
                        value.join(&part);
                    }
                }
                self.meet(&origins);
                if rule == Rule::Compute {
                    self.combine(&origins);
                }
                value.origins = origins;
                value
            }
        }
    }

    /// A structure keeps its parts apart. Pointers that it stores make two
    /// names of one thing.
    fn structure(&mut self, state: &mut State, from: &[Operand], fields: &[FieldId]) -> Value {
        let mut value = Value::default();
        for (operand, field) in from.iter().zip(fields) {
            let mut part = self.operand(state, operand);
            if self.world.names(*field) {
                for path in &part.points {
                    self.stored.insert((*path, *field));
                }
            }
            value.origins.join(&part.all_origins());
            if !self.world.keeps(*field) {
                // Its methods know the field by its name.
                part.guards = part.all_guards();
                part.points.clear();
                part.fields.clear();
            }
            value.fields.insert(*field, part);
        }
        let origins = value.origins.clone();
        let formats = |operand: &Operand| match operand {
            Operand::Place(place, _) => self.formats(place.local),
            _ => false,
        };
        if !from.iter().any(formats) {
            self.meet(&origins);
        }
        value
    }

    fn assign(&mut self, state: &mut State, to: &crate::ir::Place, mut value: Value) {
        self.step_to(to, &value.origins);
        if self.is_failure(to) {
            // `?` on a lock that was not taken: no guard is on this way, and
            // nothing of what would have come otherwise.
            value = value.lent();
            value.origins = value.origins.deciding();
        }
        let several = self.several.get(to.local.index()).copied().unwrap_or(false);
        if several || !to.steps.is_empty() {
            let decided = self.decided(state);
            self.meet_deciding(&value.origins, &decided);
            value.origins.join(&decided);
        }
        self.give_out(to, &value);
        value.flatten(DEPTH);
        self.store(state, to, value);
    }

    /// Whether a place holds what `?` returns early, and no guard is in that.
    fn is_failure(&self, to: &crate::ir::Place) -> bool {
        let ty = self.type_name(to.local);
        let never = [
            "std::result::Result<std::convert::Infallible",
            "std::option::Option<std::convert::Infallible",
        ];
        to.steps.is_empty()
            && never.iter().any(|never| ty.starts_with(never))
            && self.type_kind(to.local) != TypeKind::Guard
    }

    pub(crate) fn is_looped(&self) -> bool {
        self.loops[self.spot.block as usize].is_some()
    }

    pub(crate) fn trail(&mut self) -> Trail {
        self.shared(&[(self.id, self.site)])
    }

    /// A trail. Those that are equal share their memory: there are many on a line.
    pub(crate) fn shared(&mut self, places: &[(FunctionId, Site)]) -> Trail {
        if let Some(known) = self.trails.get(places) {
            return known.clone();
        }
        let trail: Trail = Arc::from(places);
        self.trails.insert(trail.clone());
        trail
    }

    /// The region that begins here; `part` tells several apart.
    pub(crate) fn region(&mut self, part: u32, lock: PathId, mode: Mode, single: bool) -> Region {
        let trail = self.trail();
        self.inner_region(
            part,
            RegionInfo {
                lock,
                mode,
                single,
                trail,
                ends: Set::new(),
                waits: false,
                waits_once: false,
            },
        )
    }

    pub(crate) fn inner_region(&mut self, part: u32, info: RegionInfo) -> Region {
        let next = Region(self.regions.len() as u32);
        let region = *self.region_numbers.entry((self.spot, part)).or_insert(next);
        if region == next {
            self.regions.push(info);
        }
        region
    }

    pub(crate) fn end(&mut self, state: &mut State, region: Region) {
        let site = self.site;
        add(&mut self.regions[region.0 as usize].ends, site);
        state.release(region);
    }

    /// An access is noted, or what is new about it is.
    pub(crate) fn note(&mut self, part: u32, access: Access) -> u32 {
        let key = (self.spot, part, access.path, access.region);
        if let Some(number) = self.access_numbers.get(&key) {
            let known = &mut self.accesses[*number as usize];
            known.origins.join(&access.origins);
            known.key_origins.join(&access.key_origins);
            known.object.join(&access.object);
            known.held = crate::flow::value::common(&known.held, &access.held);
            known.rechecks = crate::flow::value::common(&known.rechecks, &access.rechecks);
            crate::flow::value::add_all(&mut known.key, &access.key);
            crate::flow::value::add_all(&mut known.value, &access.value);
            crate::flow::value::add_all(&mut known.near, &access.near);
            known.threads.join(&access.threads);
            return *number;
        }
        let number = self.accesses.len() as u32;
        self.accesses.push(access);
        self.access_numbers.insert(key, number);
        number
    }

    /// Results of operations are looked at.
    pub(crate) fn test(&mut self, origins: &Origins) {
        for origin in origins.iter().filter(|origin| !origin.decides) {
            if let Source::Access(number) = origin.source {
                self.accesses[number as usize].tested = true;
            }
        }
    }

    pub(crate) fn type_kind(&self, local: Local) -> TypeKind {
        let Some(variable) = self.function.locals.get(local.index()) else {
            return TypeKind::Other;
        };
        self.world.program.types[variable.ty.index()].kind
    }

    pub(crate) fn type_name(&self, local: Local) -> &str {
        match self.function.locals.get(local.index()) {
            Some(variable) => &self.world.program.types[variable.ty.index()].name,
            None => "",
        }
    }

    fn finish(mut self, exit: Option<State>) -> (Summary, Followed) {
        let mut spots = vec![(0, 0); self.accesses.len()];
        // order: each entry has its own place in the list.
        for ((spot, ..), number) in &self.access_numbers {
            spots[*number as usize] = (spot.block, spot.statement);
        }
        let result = exit.as_ref().map(|exit| exit.locals[0].all_origins());
        let returned = result
            .iter()
            .flat_map(Origins::iter)
            .filter_map(|origin| match origin.source {
                Source::Access(number) => Some(number),
                Source::Parameter(_) => None,
            })
            .collect();
        let summary = self.summary(exit);
        let mut followed = Followed {
            accesses: self.accesses,
            regions: self.regions,
            own_regions: 0,
            writes: Vec::new(),
            meets: self.meets,
            combined: self.combined,
            decides: self.decides,
            acts: self.acts,
            ways: self.ways,
            returned,
            given_out: self.given_out,
            spots,
            threads: self.threads,
            stored: self.stored,
            acquisitions: { self.acquisitions.into_iter() }
                .map(|((_, site), (call, loss))| (site, call, loss))
                .collect(),
        };
        followed.forget(self.world, self.id);
        (summary, followed)
    }
}
