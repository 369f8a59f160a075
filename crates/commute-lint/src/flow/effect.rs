//! What functions of libraries do.

use crate::flow::memory::Noted;
use crate::flow::path::{Hop, Root};
use crate::flow::state::State;
use crate::flow::value::{Origins, Region, Set, Source, Value, add, add_all};
use crate::flow::walk::Walk;
use crate::ir::{Callee, Effect, FunctionId, Local, Mode, Operand, Operation, Place, TypeKind};
use crate::suppression::Suppression;

impl Walk<'_, '_> {
    pub(crate) fn call(
        &mut self,
        state: &mut State,
        to: &Place,
        callee: &Callee,
        arguments: &[Operand],
    ) -> Value {
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| self.operand(state, argument))
            .collect();
        let mut all = Origins::default();
        for value in &values {
            all.join(&self.through(state, value).all_origins());
        }
        if !self.formats(to.local) && !self.logs(callee) {
            self.meet(&all);
        }
        self.act(state, to, callee, &values);
        let result = match callee {
            Callee::Functions(functions) => {
                let mut result = self.functions(state, functions, &values);
                if to.steps.is_empty() && self.type_kind(to.local) == TypeKind::Scalar {
                    result.points.clear();
                }
                self.hand_over(state, to, &values, &mut result);
                result
            }
            Callee::Library { name, effect } => {
                let call = Call {
                    to,
                    name,
                    arguments,
                    values: &values,
                    all,
                };
                self.effect(state, effect, &call)
            }
        };
        self.note_guard(to, callee, arguments, &result);
        result
    }

    /// Whether a local is something to be printed: it matters by whom.
    pub(crate) fn formats(&self, local: Local) -> bool {
        let ty = self.type_name(local);
        ty.contains("fmt::Arguments") || ty.contains("fmt::rt::Argument")
    }

    fn logs(&self, callee: &Callee) -> bool {
        let Callee::Library { effect, .. } = callee else {
            return false;
        };
        *effect == Effect::Log && self.world.applies(Suppression::Log)
    }

    fn effect(&mut self, state: &mut State, effect: &Effect, call: &Call<'_>) -> Value {
        let mut result = self.result(state, effect, call);
        if makes_it_depend(call.name) {
            result.origins = result.origins.also_deciding();
        }
        result
    }

    fn result(&mut self, state: &mut State, effect: &Effect, call: &Call<'_>) -> Value {
        let first = call.values.first().cloned().unwrap_or_default();
        match effect {
            Effect::Log if self.world.applies(Suppression::Log) => {
                self.drop_guards(state, call.values);
                Value::default()
            }
            Effect::Pure => {
                self.drop_guards(state, call.values);
                Value::from(call.all.clone())
            }
            Effect::Poll(_) | Effect::Acquire(_) if self.is_future(state, &first) => {
                self.poll(state, call, &first)
            }
            Effect::Poll(Some(body)) => {
                let mut future = self.through(state, &first);
                add(&mut future.futures, *body);
                self.poll(state, call, &future)
            }
            Effect::Same | Effect::Poll(None) => {
                let owned = first.all_guards();
                let made = match is_variant(call.name) {
                    true => self.apply(state, call),
                    false => Value::default(),
                };
                let mut same = self.through(state, &first);
                if takes_for_granted(call.name) {
                    self.unwrap(&same);
                } else if has_a_default(call.name) {
                    self.replace_missing(&same);
                }
                self.copied(state, call, &mut same, !owned.is_empty());
                if owned.is_empty() {
                    same = same.lent();
                }
                same.join(&made);
                same
            }
            Effect::Wrap => {
                let mut value = self.wrap(call.values);
                self.hold_bodies(call, &mut value);
                value
            }
            Effect::Acquire(mode) => {
                self.note_lock(state, call.name, &first);
                self.acquire(state, &first, *mode)
            }
            Effect::Enter => self.enter(state, &first),
            Effect::Release => {
                self.drop_guards(state, call.values);
                Value::default()
            }
            Effect::Wait => self.wait(state, call),
            Effect::Operation(operation) => self.operation(state, operation, call),
            Effect::Spawn(number) => {
                self.spawn(state, call, *number);
                // The handle: who has it may wait for the end.
                let spot = self.spot;
                Value::to(self.world.paths.root(Root::New(spot)))
            }
            Effect::Join => {
                self.join(state, &first);
                self.unknown(state, call)
            }
            Effect::Apply | Effect::Scope | Effect::Parallel { .. } => {
                let before = state.threads.running.clone();
                let mut result = match effect {
                    Effect::Parallel { often } => self.parallel(state, call, *often),
                    _ => self.apply(state, call),
                };
                if *effect != Effect::Apply {
                    state.threads.running = before;
                }
                result.origins.join(&call.all);
                for value in call.values {
                    let value = self.through(state, value);
                    let mut lent = value.lent();
                    lent.fields.clear();
                    // They have run.
                    lent.futures.clear();
                    result.join(&lent);
                }
                self.hand_over(state, call.to, call.values, &mut result);
                result
            }
            Effect::Log | Effect::Unknown => self.unknown(state, call),
        }
    }

    /// The results of operations are taken for granted.
    pub(crate) fn unwrap(&mut self, value: &Value) {
        for origin in value.origins.iter().filter(|origin| !origin.decides) {
            if let Source::Access(number) = origin.source {
                self.accesses[number as usize].unwrapped = true;
            }
        }
    }

    /// What is missing is replaced: who reads copes with that, who takes
    /// something out does not notice.
    fn replace_missing(&mut self, value: &Value) {
        for origin in value.origins.iter().filter(|origin| !origin.decides) {
            if let Source::Access(number) = origin.source {
                let access = &mut self.accesses[number as usize];
                access.unwrapped |= access.writes;
            }
        }
    }

    /// A copy of what a reference points to is a read of it.
    fn copied(&mut self, state: &State, call: &Call<'_>, value: &mut Value, owned: bool) {
        let ty = self.type_name(call.to.local);
        let guard = self.type_kind(call.to.local) == TypeKind::Guard;
        let refers = ty.contains('&') || guard || ty.contains("Iter<");
        // Whether something is there is read, also if a reference comes of it.
        let looks = is_variant(call.name) && call.name.contains("::as_");
        if owned || refers && !looks || !call.to.steps.is_empty() {
            return;
        }
        for (part, path) in value.points.clone().iter().enumerate() {
            let noted = Noted {
                path: *path,
                reads: true,
                writes: false,
                operation: None,
                name: call.name,
                index: Value::default(),
                value: Set::new(),
                origins: Origins::default(),
                object: Origins::default(),
            };
            if let Some(number) = self.touch(state, 400 + part as u32, noted) {
                value.origins.add(&self.origin(state, number));
            }
        }
    }

    fn wrap(&mut self, values: &[Value]) -> Value {
        let mut value = Value::default();
        for part in values {
            value.join(part);
        }
        if value.points.is_empty() && value.guards.is_empty() {
            let spot = self.spot;
            value.points.push(self.world.paths.root(Root::New(spot)));
        } else if value
            .points
            .iter()
            .all(|path| matches!(self.world.paths.root_of(*path), Root::Constant(_)))
        {
            // A number in a new box is something new.
            let spot = self.spot;
            value.points.clear();
            value.points.push(self.world.paths.root(Root::New(spot)));
        }
        value
    }

    fn acquire(&mut self, state: &mut State, lock: &Value, mode: Mode) -> Value {
        let lock = self.through(state, lock);
        let mut guard = Value::default();
        let mut paths = lock.points.clone();
        if paths.is_empty() {
            let spot = self.spot;
            paths.push(self.world.paths.root(Root::New(spot)));
        }
        let region = self.region(0, paths[0], mode, false);
        for path in paths {
            add(&mut guard.points, self.world.paths.hop(path, Hop::Content));
        }
        // Taken again in a loop: what is known from the last time is old.
        state.release(region);
        add(&mut guard.guards, region);
        state.hold(region);
        guard
    }

    fn enter(&mut self, state: &mut State, object: &Value) -> Value {
        let object = self.through(state, object);
        let lock = object.points.first().copied().unwrap_or_else(|| {
            let spot = self.spot;
            self.world.paths.root(Root::New(spot))
        });
        let region = self.region(0, lock, Mode::Exclusive, false);
        state.release(region);
        let mut guard = Value::default();
        add(&mut guard.guards, region);
        state.hold(region);
        guard
    }

    /// The lock is given up and taken again. It is the same region, or a loop
    /// around the wait would have two; but what was read in it before may be
    /// out of date.
    fn wait(&mut self, state: &mut State, call: &Call<'_>) -> Value {
        let mut result = self.apply(state, call);
        // `wait_while` looks again by itself.
        let once = !self.is_looped() && !call.name.ends_with("_while");
        if once {
            self.waits_once(state);
        }
        for value in call.values {
            let owner = self.owner(state, value);
            let guards = match owner {
                Some(local) => state.locals[local.index()].all_guards(),
                None => value.all_guards(),
            };
            for region in guards {
                self.end(state, region);
                let info = &mut self.regions[region.0 as usize];
                info.waits = true;
                info.waits_once |= once;
                state.hold(region);
                if let Some(local) = owner {
                    let slot = &mut state.locals[local.index()];
                    add(&mut std::rc::Rc::make_mut(slot).guards, region);
                    continue;
                }
                let mut guard = value.clone();
                guard.guards.clear();
                guard.guards.push(region);
                guard.origins = Origins::default();
                result.join(&guard);
            }
        }
        result
    }

    /// The local that a reference points to, if guards are in it.
    fn owner(&self, state: &State, value: &Value) -> Option<Local> {
        let mut points = value.points.iter();
        points.find_map(|path| match self.world.paths.split(*path) {
            (Root::Local(local), hops) if hops.is_empty() => {
                let value = state.locals.get(local.index())?;
                (!value.all_guards().is_empty()).then_some(local)
            }
            _ => None,
        })
    }

    fn operation(&mut self, state: &mut State, operation: &Operation, call: &Call<'_>) -> Value {
        let Some(first) = call.values.first() else {
            return Value::default();
        };
        if operation.atomic {
            self.note_lock(state, call.name, first);
        }
        let object = self.through(state, first);
        let object = match call.arguments.first() {
            Some(Operand::Place(place, _)) => self.alive(place.local, object),
            _ => object,
        };
        let index = match operation.key.and_then(|key| call.values.get(key)) {
            Some(key) => {
                let key = self.through(state, key);
                Value {
                    points: key.points.clone(),
                    origins: key.all_origins(),
                    ..Value::default()
                }
            }
            None => Value::default(),
        };
        let mut origins = Origins::default();
        for value in &call.values[1..] {
            let value = self.through(state, value);
            origins.join(&value.all_origins());
        }
        let written = match (operation.spec, call.values.get(1)) {
            (Some("atomic"), Some(value)) => value.points.clone(),
            _ => Set::new(),
        };
        let mut result = if call.values.len() > 1 {
            self.apply(state, call)
        } else {
            Value::default()
        };
        if operation.writes {
            // `list.push(key)`: the list depends on the key, and on what
            // decided that it is pushed.
            let mut put = origins.clone();
            put.join(&self.decided(state));
            self.taint(state, first, &put);
        }
        // What an atomic gives back was there before: no argument is in it.
        let mut result_origins = match operation.spec {
            Some("atomic") => Origins::default(),
            _ => origins.clone(),
        };
        result_origins.join(&result.origins);
        if object.points.is_empty() {
            result_origins.join(&object.all_origins());
        }
        let mut own: Set<Region> = Set::new();
        for (part, path) in object.points.iter().enumerate() {
            let region = operation.atomic.then(|| {
                let mode = if operation.writes {
                    Mode::Exclusive
                } else {
                    Mode::Shared
                };
                let region = self.region(10 + part as u32, *path, mode, true);
                state.release(region);
                state.hold(region);
                add(&mut own, region);
                region
            });
            let content = match operation.atomic {
                true => self.world.paths.hop(*path, Hop::Content),
                false => self.used_at(*path),
            };
            let noted = Noted {
                path: content,
                reads: operation.reads,
                writes: operation.writes,
                operation: Some(operation.clone()),
                name: call.name,
                index: index.clone(),
                value: written.clone(),
                origins: origins.clone(),
                object: object.origins.clone(),
            };
            let number = self.touch(state, 200 + part as u32, noted);
            if let Some(number) = number {
                self.take_out(number);
            }
            match number {
                Some(number) if operation.reads => {
                    result_origins.add(&self.origin(state, number));
                }
                Some(_) => {}
                None => result_origins.join(&object.all_origins()),
            }
            if operation.lends {
                let lent = if operation.atomic { content } else { *path };
                let element = self.world.paths.hop(lent, Hop::Element);
                add(&mut result.points, element);
                if let Some(region) = region {
                    add(&mut result.guards, region);
                }
            }
        }
        result.origins = result_origins;
        for region in own {
            if result.guards.binary_search(&region).is_err() {
                state.release(region);
                result.release(region);
            }
        }
        self.drop_guards(state, &call.values[1..]);
        result
    }

    /// The closures among the arguments run.
    pub(crate) fn apply(&mut self, state: &mut State, call: &Call<'_>) -> Value {
        let mut result = Value::default();
        for number in 0..call.arguments.len() {
            // Functions that are not closures have no value of their own.
            let bodies = match self.body_of(call.arguments.get(number)) {
                Some(_) => self.bodies_of(call, number),
                None => Vec::new(),
            };
            for body in bodies {
                let value = self.closure(state, call, number, body);
                result.join(&value);
            }
        }
        result
    }

    /// The closure that is the argument of this number runs, with whatever the
    /// others are.
    pub(crate) fn closure(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        number: usize,
        body: FunctionId,
    ) -> Value {
        let mut other = Value::default();
        for (value, argument) in call.values.iter().zip(call.arguments) {
            if self.body_of(Some(argument)).is_none() {
                let value = self.through(state, value);
                other.join(&value.lent());
            }
        }
        let count = self.world.program.function(body).parameters as usize;
        // A closure gets itself; a function has only its parameters.
        let is_closure = self.is_closure(&call.arguments[number]);
        let mut arguments = match is_closure {
            true => vec![call.values[number].clone()],
            false => Vec::new(),
        };
        arguments.resize(count.max(arguments.len()), other);
        // `unwrap_or_else` and its like decide whether the closure runs.
        let variant = is_variant(call.name);
        let given = match call.values.first() {
            Some(first) if variant => self.through(state, first).all_origins(),
            _ => Origins::default(),
        };
        let given = std::mem::replace(&mut self.given, given);
        // They run it at most once.
        let often = std::mem::replace(&mut self.often, !variant);
        let value = self.instance(state, body, &arguments, 20 + number as u32, None);
        self.often = often;
        self.given = given;
        value
    }

    pub(crate) fn body_of(&self, operand: Option<&Operand>) -> Option<FunctionId> {
        let Some(Operand::Place(place, _)) = operand else {
            return None;
        };
        if !place.steps.is_empty() {
            return None;
        }
        let variable = self.function.locals.get(place.local.index())?;
        self.world.program.bodies.get(&variable.ty).copied()
    }

    fn is_closure(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Place(place, _) => self.type_name(place.local).contains('{'),
            _ => false,
        }
    }

    /// Guards that went into a call come out with its result, or end there.
    pub(crate) fn hand_over(
        &mut self,
        state: &mut State,
        to: &Place,
        values: &[Value],
        result: &mut Value,
    ) {
        let mut guards: Set<Region> = Set::new();
        for value in values {
            add_all(&mut guards, &value.all_guards());
        }
        if guards.is_empty() {
            return;
        }
        if self.type_kind(to.local) == TypeKind::Guard || self.is_future_type(to.local) {
            add_all(&mut result.guards, &guards);
            return;
        }
        for region in guards {
            self.end(state, region);
            result.release(region);
        }
    }

    fn drop_guards(&mut self, state: &mut State, values: &[Value]) {
        for value in values {
            for region in value.all_guards() {
                self.end(state, region);
            }
        }
    }
}

/// A call of a library function.
pub(crate) struct Call<'a> {
    pub(crate) to: &'a Place,
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a [Operand],
    pub(crate) values: &'a [Value],
    /// All that the arguments come from.
    pub(crate) all: Origins,
}

/// Whether a function is one of something that is there or not.
fn is_variant(name: &str) -> bool {
    let classes = ["Option::", "Result::", "bool::"];
    classes.iter().any(|class| name.starts_with(class))
}

/// Whether it depends on a value if anything comes of it: then `?` is not about
/// an error, but about the value.
fn makes_it_depend(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    matches!(name, "Option::filter" | "bool::then" | "bool::then_some")
        || last.starts_with("checked_")
}

/// Whether a function gives what is in an `Option` or a `Result`, come what may.
fn takes_for_granted(name: &str) -> bool {
    let name = name.rsplit("::").next().unwrap_or(name);
    matches!(name, "unwrap" | "expect" | "unwrap_unchecked")
}

fn has_a_default(name: &str) -> bool {
    name.ends_with("::unwrap_or") || name.ends_with("::unwrap_or_default")
}
