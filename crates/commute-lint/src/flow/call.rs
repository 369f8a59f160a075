//! What a called function does, seen by its caller.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::flow::access::{Access, LONGEST, RegionInfo, Summary, ThreadInfo, Trail};
use crate::flow::path::{Hop, PathId, Root};
use crate::flow::state::State;
use crate::flow::threads::Threads;
use crate::flow::value::{Origin, Origins, Region, Set, Source, Value, add, add_all};
use crate::flow::walk::Walk;
use crate::ir::{FunctionId, Local};

/// More candidates of a call are not followed one by one.
pub(crate) const CANDIDATES: usize = 4;

/// Of a function that starts more, those with one body are one.
const THREADS: usize = 32;

/// A call while it is looked at.
struct Seen<'a> {
    summary: &'a Summary,
    arguments: &'a [Value],
    /// Which of several candidates, and who runs it.
    part: u32,
    thread: Option<u32>,
    paths: FxHashMap<PathId, Set<PathId>>,
    regions: FxHashMap<Region, Region>,
    accesses: FxHashMap<u32, Vec<u32>>,
    /// What arguments come from, before the call.
    given: FxHashMap<Local, Origins>,
}

/// What was decided and checked before a call.
#[derive(Default)]
struct Before {
    decided: Origins,
    rechecks: Set<PathId>,
    validated: Set<Region>,
    /// The reads that made the last decisions, if somebody asked.
    near: OnceCell<Set<u32>>,
}

impl Walk<'_, '_> {
    /// The functions run one after the other, or one of them. What they return.
    pub(crate) fn functions(
        &mut self,
        state: &mut State,
        functions: &[FunctionId],
        arguments: &[Value],
    ) -> Value {
        let mut result = Value::default();
        let mut functions = functions.to_vec();
        if functions.len() > CANDIDATES {
            // Those that use shared memory come first: of the others all that
            // counts is what they return.
            functions.sort_by_key(|function| !self.matters(*function));
            self.cut |= self.matters(functions[CANDIDATES]);
        }
        for (part, function) in functions.iter().take(CANDIDATES).enumerate() {
            let value = self.instance(state, *function, arguments, part as u32, None);
            result.join(&value);
        }
        result
    }

    /// Whether a function does something with shared memory.
    fn matters(&self, function: FunctionId) -> bool {
        self.world.summary(function).is_none_or(|summary| {
            !summary.accesses.is_empty()
                || summary.locks
                || !summary.threads.is_empty()
                || !summary.stored.is_empty()
        })
    }

    /// One function runs, in a thread of its own if `thread` says so.
    pub(crate) fn instance(
        &mut self,
        state: &mut State,
        function: FunctionId,
        arguments: &[Value],
        part: u32,
        thread: Option<u32>,
    ) -> Value {
        let Some(summary) = self.world.summary(function) else {
            // It calls itself: nothing is known yet.
            let mut origins = Origins::default();
            for argument in arguments {
                origins.join(&argument.all_origins());
            }
            return Value::from(origins);
        };
        let mut seen = Seen {
            summary: &summary,
            arguments,
            part: (part + 1) * 1_000,
            thread,
            paths: FxHashMap::default(),
            regions: FxHashMap::default(),
            accesses: FxHashMap::default(),
            given: FxHashMap::default(),
        };
        let before = self.before(state, thread);
        for number in 0..summary.accesses.len() {
            self.inner_access(state, &mut seen, number, &before);
        }
        self.note_given_locks(state, &summary, arguments, function);
        for (number, info) in summary.threads.iter().enumerate() {
            let number = number as u32;
            let outer = self.inner_thread(seen.part + number, info, thread);
            let still = thread.is_some() || summary.running.contains(&number);
            state.threads.start(outer, still);
        }
        for (path, field) in &summary.stored {
            for path in self.outer_path(state, &mut seen, *path) {
                self.stored.insert((path, *field));
            }
        }
        if thread.is_some() {
            return Value::default();
        }
        for (path, value) in &summary.outputs {
            let value = self.outer_value(state, &mut seen, value);
            for path in self.outer_path(state, &mut seen, *path) {
                self.put(state, path, value.clone());
            }
        }
        let result = self.outer_value(state, &mut seen, &summary.result);
        for region in result.all_guards() {
            // Who is given a guard has the region.
            let trail = self.trail();
            self.regions[region.0 as usize].trail = trail;
            state.hold(region);
        }
        result
    }

    /// What was decided and checked before a call.
    fn before(&self, state: &State, thread: Option<u32>) -> Before {
        let decided = self.decided(state);
        let mut before = Before::default();
        if thread.is_none() && !state.held.is_empty() {
            before.rechecks = self.locked_checks(state, &decided);
            before.validated = self.validated(state);
        }
        before.decided = decided;
        before
    }

    fn put(&mut self, state: &mut State, path: PathId, value: Value) {
        let (root, hops) = self.world.paths.split(path);
        if let Root::Local(local) = root
            && let Some(slot) = state.locals.get_mut(local.index())
        {
            let mut at = std::rc::Rc::make_mut(slot);
            for hop in &hops {
                if let Hop::Field(field) = hop {
                    at = at.fields.entry(*field).or_default();
                }
            }
            at.join(&value);
        } else if self.world.paths.lock_of(path).is_none() {
            state.cells.insert(path, std::rc::Rc::new(value));
        }
    }

    /// What a path of the called function is here.
    fn outer_path(&mut self, state: &State, seen: &mut Seen<'_>, path: PathId) -> Set<PathId> {
        if let Some(known) = seen.paths.get(&path) {
            return known.clone();
        }
        let (root, hops) = self.world.paths.split(path);
        let result = match root {
            Root::Parameter(local) => match seen.arguments.get(local.index().wrapping_sub(1)) {
                Some(argument) => {
                    let mut found = self.along(state, argument, &hops).points;
                    if found.is_empty() && seen.thread.is_some() {
                        found.extend(self.handle(&hops));
                    }
                    found
                }
                None => Set::new(),
            },
            Root::Local(_) => Set::new(),
            Root::Static(_) | Root::Constant(_) | Root::New(_) => {
                let mut set = Set::new();
                set.push(path);
                set
            }
        };
        seen.paths.insert(path, result.clone());
        result
    }

    /// What a thread reaches through a structure that it took along. What that
    /// shares with others is known by the field of the shared pointer: it was
    /// put there in this function, or the structure is a copy of a handle.
    fn handle(&mut self, hops: &[Hop]) -> Option<PathId> {
        let shared = |hop: &Hop| match hop {
            Hop::Field(field) => self.world.program.shared.binary_search(field).is_ok(),
            _ => false,
        };
        let from = hops.iter().position(shared)?;
        let made = self.stored.iter().find(|(path, field)| {
            let root = self.world.paths.root_of(*path);
            Hop::Field(*field) == hops[from] && matches!(root, Root::New(_))
        });
        let (mut path, rest) = match made {
            Some((path, _)) => (*path, &hops[from + 1..]),
            None => {
                let number = self.world.paths.text("a handle");
                (self.world.paths.root(Root::Static(number)), &hops[from..])
            }
        };
        for hop in rest {
            path = self.world.paths.hop(path, *hop);
        }
        Some(path)
    }

    /// The place of an access, here. Where everything is a field, what a field
    /// holds is another place than the field.
    fn outer_place(&mut self, state: &State, seen: &mut Seen<'_>, access: &Access) -> Set<PathId> {
        match access.operation {
            Some(_) => self.outer_path(state, seen, access.path),
            None => self.outer_field(state, seen, access.path),
        }
    }

    /// The place that was looked at before an access of the called function, here.
    fn outer_check(&mut self, state: &State, seen: &mut Seen<'_>, path: PathId) -> Set<PathId> {
        // order: a list, and not the map of that name; any of it will do.
        let mut accesses = seen.summary.accesses.iter();
        let is_object = accesses.any(|access| access.path == path && access.operation.is_some());
        if is_object {
            self.outer_path(state, seen, path)
        } else {
            self.outer_field(state, seen, path)
        }
    }

    /// A field of the called function's objects, here.
    fn outer_field(&mut self, state: &State, seen: &mut Seen<'_>, path: PathId) -> Set<PathId> {
        let paths = &self.world.paths;
        let (Some(before), Some(hop)) = (paths.before(path), paths.last(path)) else {
            return self.outer_path(state, seen, path);
        };
        if self.world.program.guarded {
            return self.outer_path(state, seen, path);
        }
        let objects = self.outer_path(state, seen, before);
        objects
            .iter()
            .map(|object| self.world.paths.hop(*object, hop))
            .collect()
    }

    /// Where one gets from a value by these hops.
    fn along(&mut self, state: &State, value: &Value, hops: &[Hop]) -> Value {
        let mut at = self.through(state, value);
        for hop in hops {
            if let Hop::Field(field) = hop
                && let Some(part) = at.fields.get(field)
                && (!part.points.is_empty() || !part.fields.is_empty())
            {
                let part = part.clone();
                at = self.through(state, &part);
                continue;
            }
            let points = at.points.clone();
            at = Value::default();
            for path in points {
                let path = self.world.paths.hop(path, *hop);
                match state.cells.get(&path) {
                    Some(cell) if *hop != Hop::Content => at.join(&Value::clone(cell)),
                    _ => add(&mut at.points, path),
                }
            }
            at = self.through(state, &at);
        }
        at
    }

    /// The closure or future that the called function was given at a path of
    /// its own, with what it has caught.
    fn given_closure(&mut self, state: &State, arguments: &[Value], path: PathId) -> Option<Value> {
        let (Root::Parameter(local), hops) = self.world.paths.split(path) else {
            return None;
        };
        let argument = arguments.get(local.index().wrapping_sub(1))?;
        if !self.holds_closure(argument) {
            return None;
        }
        let mut given = self.along(state, argument, &hops);
        given.points.clear();
        Some(given.lent()).filter(|given| self.holds_closure(given))
    }

    fn outer_region(
        &mut self,
        state: &State,
        seen: &mut Seen<'_>,
        region: Region,
    ) -> Option<Region> {
        if let Some(known) = seen.regions.get(&region) {
            return Some(*known);
        }
        let info = &seen.summary.regions[&region];
        let lock = *self.outer_path(state, seen, info.lock).first()?;
        let longer = self.longer(&info.trail);
        let info = RegionInfo {
            lock,
            mode: info.mode,
            single: info.single,
            trail: longer,
            ends: info.ends.clone(),
            waits: info.waits,
            waits_once: info.waits_once,
        };
        let outer = self.inner_region(seen.part + region.0, info);
        seen.regions.insert(region, outer);
        Some(outer)
    }

    fn longer(&mut self, trail: &Trail) -> Trail {
        let mut longer: SmallVec<[_; LONGEST]> = SmallVec::new();
        longer.push((self.id, self.site));
        longer.extend(trail.iter().copied().take(LONGEST - 1));
        self.shared(&longer)
    }

    fn inner_access(
        &mut self,
        state: &mut State,
        seen: &mut Seen<'_>,
        number: usize,
        before: &Before,
    ) {
        let summary = seen.summary;
        let access = &summary.accesses[number];
        // It calls itself: once more is enough to see what one run of it does
        // to the next.
        if self.times(&access.trail) > 1 {
            return;
        }
        let mut held: Set<Region> = Set::new();
        for region in &access.held {
            if let Some(region) = self.outer_region(state, seen, *region) {
                add(&mut held, region);
            }
        }
        let thread = match (seen.thread, access.thread) {
            (by, Some(inner)) => {
                let info = &summary.threads[inner as usize];
                Some(self.inner_thread(seen.part + inner, info, by))
            }
            (by, None) => by,
        };
        if thread.is_none() {
            add_all(&mut held, &state.held);
        }
        let inner_region = access
            .region
            .and_then(|region| self.outer_region(state, seen, region));
        let mut origins = self.outer_origins(state, seen, &access.origins, false);
        let mut key_origins = self.outer_origins(state, seen, &access.key_origins, false);
        let mut object = self.outer_origins(state, seen, &access.object, false);
        if thread.is_some() {
            origins = Origins::default();
            key_origins = Origins::default();
            object = Origins::default();
        } else {
            origins.join(&before.decided);
        }
        let mut key = Set::new();
        for path in &access.key {
            add_all(&mut key, &self.outer_path(state, seen, *path));
        }
        let mut value = Set::new();
        for path in &access.value {
            add_all(&mut value, &self.outer_path(state, seen, *path));
        }
        let mut rechecks = Set::new();
        for path in &access.rechecks {
            add_all(&mut rechecks, &self.outer_check(state, seen, *path));
        }
        let mut threads = Threads::default();
        if thread.is_none() {
            threads = state.threads.clone();
            for inner in &access.threads.started {
                let info = &summary.threads[*inner as usize];
                let outer = self.inner_thread(seen.part + inner, info, None);
                threads.start(outer, access.threads.running.contains(inner));
            }
        }
        let trail = self.longer(&access.trail);
        for path in self.outer_place(state, seen, access) {
            let around = match thread {
                Some(_) => None,
                None => self.region_of(state, path),
            };
            let region = match self.world.program.guarded {
                true => inner_region.or(around),
                // The outermost counts: whatever is inside of it is one.
                false => around.or(inner_region),
            };
            if region.is_none() && (self.is_copy(path) || !self.may_be_shared(path)) {
                continue;
            }
            let outer = Access {
                path,
                reads: access.reads,
                writes: access.writes,
                operation: access.operation.clone(),
                name: access.name.clone(),
                key: key.clone(),
                key_origins: key_origins.clone(),
                object: object.clone(),
                value: value.clone(),
                region,
                held: held.clone(),
                origins: origins.clone(),
                near: match access.when.len() <= 1 {
                    true => before.near.get_or_init(|| self.nearest(state)).clone(),
                    false => Set::new(),
                },
                rechecks: match access.writes && thread.is_none() {
                    true => self.rechecks_of_call(state, (access, region), &rechecks, before),
                    false => Set::new(),
                },
                validated: match access.writes && thread.is_none() {
                    true => before.validated.clone(),
                    false => Set::new(),
                },
                tested: access.tested,
                unwrapped: access.unwrapped,
                taken: access.taken,
                trail: trail.clone(),
                when: access.when.clone(),
                thread,
                threads: threads.clone(),
            };
            let outer = self.note(seen.part + number as u32, outer);
            seen.accesses.entry(number as u32).or_default().push(outer);
        }
    }

    /// How often this function is on a trail.
    fn times(&self, trail: &Trail) -> usize {
        let own = trail.iter().filter(|(function, _)| *function == self.id);
        own.count()
    }

    /// What was looked at again before a write of a called function: there, if
    /// it is in the region of the write here, or before the call.
    fn rechecks_of_call(
        &self,
        state: &State,
        (access, region): (&Access, Option<Region>),
        there: &Set<PathId>,
        before: &Before,
    ) -> Set<PathId> {
        let mut rechecks = before.rechecks.clone();
        for path in there {
            if access.region.is_some() || self.region_of(state, *path) == region {
                add(&mut rechecks, *path);
            }
        }
        rechecks
    }

    /// A thread that a called function starts, here; a thread of ours, if it
    /// calls that function.
    fn inner_thread(&mut self, part: u32, info: &ThreadInfo, by: Option<u32>) -> u32 {
        let mut next = self.threads.len() as u32;
        let again = self.times(&info.trail) > 0;
        // Calls of calls start the same again and again.
        if (self.threads.len() >= THREADS || again)
            && let Some(known) = self.threads.iter().position(|one| one.body == info.body)
        {
            self.threads[known].several = true;
            self.threads[known].once_in.clear();
            next = known as u32;
        }
        let number = *self.thread_numbers.entry((self.spot, part)).or_insert(next);
        if number as usize == self.threads.len() {
            let by = by.is_some_and(|by| self.threads[by as usize].several);
            let several = info.several || self.often || self.is_looped() || by || again;
            let trail = self.longer(&info.trail);
            let mut once_in = info.once_in.clone();
            once_in.extend((!several).then_some(self.id));
            self.threads.push(ThreadInfo {
                trail,
                several,
                once_in,
                body: info.body,
            });
            self.starts.push(self.spot);
        }
        number
    }

    /// What something in the called function comes from, here. `own` says
    /// whether its own reads count: dependences among them were looked at in
    /// the function itself.
    fn outer_origins(
        &mut self,
        state: &State,
        seen: &mut Seen<'_>,
        origins: &Origins,
        own: bool,
    ) -> Origins {
        let mut outer = Origins::default();
        for origin in origins.iter() {
            match origin.source {
                Source::Parameter(local) => {
                    // What a call returns comes from what it made of them.
                    let all = match seen.given.get(&local) {
                        Some(known) if !own => known.clone(),
                        _ => self.given_origins(state, seen.arguments, local),
                    };
                    if !own {
                        seen.given.insert(local, all.clone());
                    }
                    outer.join(&if origin.decides { all.deciding() } else { all });
                }
                Source::Access(number) if own => {
                    let mut held = state.held.clone();
                    for region in &origin.held {
                        if let Some(region) = self.outer_region(state, seen, *region) {
                            add(&mut held, region);
                        }
                    }
                    let Some(numbers) = seen.accesses.get(&number) else {
                        continue;
                    };
                    for number in numbers {
                        outer.add(&Origin {
                            source: Source::Access(*number),
                            decides: origin.decides,
                            decided: origin.decided,
                            held: held.clone(),
                        });
                    }
                }
                Source::Access(_) => {}
            }
        }
        outer
    }

    /// What an argument of a call and its parts come from.
    fn given_origins(&mut self, state: &State, arguments: &[Value], local: Local) -> Origins {
        let Some(argument) = arguments.get(local.index().wrapping_sub(1)) else {
            return Origins::default();
        };
        let seen = self.through(state, argument);
        let mut all = seen.all_origins();
        for part in seen.fields.values() {
            all.join(&self.through(state, part).all_origins());
        }
        all
    }

    fn outer_value(&mut self, state: &State, seen: &mut Seen<'_>, value: &Value) -> Value {
        let mut outer = Value {
            origins: self.outer_origins(state, seen, &value.origins, true),
            futures: value.futures.clone(),
            ..Value::default()
        };
        for path in &value.points {
            add_all(&mut outer.points, &self.outer_path(state, seen, *path));
            if let Some(given) = self.given_closure(state, seen.arguments, *path) {
                outer.join(&given);
            }
        }
        for region in &value.guards {
            if let Some(region) = self.outer_region(state, seen, *region) {
                add(&mut outer.guards, region);
            }
        }
        for (field, part) in &value.fields {
            let part = self.outer_value(state, seen, part);
            outer.fields.insert(*field, part);
        }
        outer
    }
}
