//! What is known of a program, from all its runs.

use std::collections::BTreeSet;
use std::panic::Location;
use std::sync::Arc;

use commute_model::Value;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::calls::{Calls, Effect};
use crate::code::{Code, Next, NodeId};
use crate::exchange::Exchange;
use crate::model::{Label, Model};
use crate::words::{ObjectId, OpId, Operation, ResultId, ThreadId};
use crate::world::{StateId, World};

type Set<T> = IndexSet<T, FxBuildHasher>;
type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Names, models and code of a program.
///
/// What a model says is asked once for each state and call; states are numbers then,
/// and a step is a look at a table.
#[derive(Debug)]
pub struct Knowledge {
    /// By parent, how many it had started before, and the place among those who may be
    /// exchanged, from 1; 0 for any other.
    pub(crate) threads: Set<(Option<ThreadId>, u32, u32)>,
    /// By the place where it is first used, how many were before there, and its state.
    pub(crate) objects: Map<(NodeId, u32, Value), Object>,
    /// Objects that turned out to be others.
    renamed: FxHashMap<ObjectId, ObjectId>,
    /// Whether one has just done so.
    is_renamed: bool,
    /// Digests of the places and lines of loops that seemed to wait and gave up.
    pub(crate) gave_up: BTreeSet<u64>,
    ops: Set<Operation>,
    /// What is known of each operation.
    calls: Vec<Calls>,
    /// All that are ever called.
    methods: Set<&'static str>,
    results: Set<Value>,
    pub(crate) code: Code,
    pub(crate) exchange: Exchange,
    /// What the next choice comes to.
    decided: Option<ResultId>,
    shown: Shown,
}

/// What people call things. Nothing is decided by it.
#[derive(Debug, Default)]
struct Shown {
    locations: FxHashMap<NodeId, &'static Location<'static>>,
    thread_names: FxHashMap<ThreadId, String>,
    object_names: FxHashMap<ObjectId, String>,
}

#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) model: Arc<dyn Model>,
    states: Set<Value>,
}

impl Object {
    /// The state with this number.
    pub(crate) fn state(&self, state: StateId) -> &Value {
        &self.states[state.0 as usize]
    }
}

impl Default for Knowledge {
    fn default() -> Knowledge {
        Knowledge {
            threads: Set::from_iter([(None, 0, 0)]),
            objects: Map::default(),
            renamed: FxHashMap::default(),
            is_renamed: false,
            gave_up: BTreeSet::new(),
            ops: Set::default(),
            calls: Vec::new(),
            methods: Set::default(),
            results: Set::from_iter([Value::unit()]),
            code: Code::default(),
            exchange: Exchange::default(),
            decided: None,
            shown: Shown::default(),
        }
    }
}

pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 of a kind")
}

impl Knowledge {
    /// The thread that `parent` starts after `before` others.
    pub fn thread(&mut self, parent: ThreadId, before: u32) -> ThreadId {
        ThreadId(number(
            self.threads.insert_full((Some(parent), before, 0)).0,
        ))
    }

    /// The thread with this number, wherever it is started.
    pub fn thread_numbered(&mut self, number: u32) -> ThreadId {
        ThreadId(self::number(
            self.threads.insert_full((None, number + 1, 0)).0,
        ))
    }

    /// The same, if it was ever started; of threads that may be exchanged, the one of this
    /// rank, from 1.
    pub(crate) fn known_thread(
        &self,
        parent: ThreadId,
        (before, rank): (u32, u32),
    ) -> Option<ThreadId> {
        let index = self.threads.get_index_of(&(Some(parent), before, rank))?;
        Some(ThreadId(number(index)))
    }

    /// Who started a thread, and after how many others.
    pub fn parent(&self, thread: ThreadId) -> Option<(ThreadId, u32)> {
        let (parent, before, _) = self.threads[thread.index()];
        parent.map(|parent| (parent, before))
    }

    /// An object that is first used there, after `before` others, in this state.
    pub fn object(
        &mut self,
        first: NodeId,
        before: u32,
        model: &Arc<dyn Model>,
        initial: Value,
    ) -> ObjectId {
        let entry = self.objects.entry((first, before, initial.clone()));
        let index = entry.index();
        entry.or_insert_with(|| Object {
            model: Arc::clone(model),
            states: Set::from_iter([initial]),
        });
        let object = ObjectId(number(index));
        self.name_of(object)
    }

    /// What an object is called now.
    pub(crate) fn name_of(&self, object: ObjectId) -> ObjectId {
        self.renamed.get(&object).copied().unwrap_or(object)
    }

    /// Whether an object has turned out to be another since this was last asked.
    pub(crate) fn take_renamed(&mut self) -> bool {
        std::mem::take(&mut self.is_renamed)
    }

    /// All objects that turned out to be others, with what they are called now.
    pub(crate) fn renamings(&self) -> Vec<(ObjectId, ObjectId)> {
        // order: each is another object.
        self.renamed.iter().map(|(from, to)| (*from, *to)).collect()
    }

    /// The state of an object, as one of another that begins like it.
    pub(crate) fn same_state(&mut self, from: ObjectId, state: StateId, to: ObjectId) -> StateId {
        let value = self.state_value(from, state).clone();
        let states = &mut self.objects[to.index()].states;
        StateId(number(states.insert_full(value).0))
    }

    /// The two are one object, which was first used in different places in different
    /// runs. The exploration has to begin anew. False if they cannot be one, because they
    /// do not begin alike.
    pub fn rename(&mut self, a: ObjectId, b: ObjectId) -> bool {
        let (from, to) = (a.max(b), a.min(b));
        let initial = |object: ObjectId| {
            let (key, object) = self.objects.get_index(object.index())?;
            Some((&key.2, object.model.name()))
        };
        if from == to || initial(from) != initial(to) {
            return false;
        }
        // Whatever became the one is now the other.
        // order: each is changed for itself.
        for target in self.renamed.values_mut() {
            if *target == from {
                *target = to;
            }
        }
        self.renamed.insert(from, to);
        self.is_renamed = true;
        true
    }

    /// Forgets what is done at all places; the places and all names stay.
    pub fn forget_code(&mut self) {
        self.code.forget();
        self.exchange.forget();
    }

    /// Whether two objects may be one that has two names: nothing but where they were
    /// first used tells them apart.
    pub fn may_be_one(&self, a: ObjectId, b: ObjectId) -> bool {
        let (Some(one), Some(other)) = (
            self.objects.get_index(a.index()),
            self.objects.get_index(b.index()),
        ) else {
            return false;
        };
        let is_placed = |number: u32| number >= crate::runtime::PLACED;
        let ((_, number, state), (_, others, other_state)) = (one.0, other.0);
        a != b
            && !(is_placed(*number) && is_placed(*others))
            && state == other_state
            && one.1.model.name() == other.1.model.name()
    }

    /// How many objects there are.
    pub fn objects(&self) -> usize {
        self.objects.len()
    }

    /// What an object is.
    pub fn model(&self, object: ObjectId) -> &Arc<dyn Model> {
        &self.objects[object.index()].model
    }

    /// The number of an operation.
    pub fn op(&mut self, op: Operation) -> OpId {
        let (index, is_new) = self.ops.insert_full(op);
        if is_new {
            self.calls.push(Calls::of(&self.ops[index]));
            self.methods.insert(self.ops[index].method);
        }
        OpId(number(index))
    }

    /// Whether a method of this name is called anywhere that is known.
    pub fn calls(&self, method: &str) -> bool {
        self.methods.contains(method)
    }

    /// The operation with this number.
    pub fn operation(&self, op: OpId) -> &Operation {
        &self.ops[op.index()]
    }

    /// The number of a result.
    pub fn result(&mut self, result: Value) -> ResultId {
        ResultId(number(self.results.insert_full(result).0))
    }

    /// The result with this number.
    pub fn value(&self, result: ResultId) -> &Value {
        &self.results[result.index()]
    }

    /// Whoever makes the next step chooses this.
    pub fn decide(&mut self, choice: Value) {
        self.decided = Some(self.result(choice));
    }

    /// What was decided for the next step.
    pub(crate) fn take_decision(&mut self) -> Option<ResultId> {
        self.decided.take()
    }

    /// The state of an object in a world.
    pub fn state(&self, world: &World, object: ObjectId) -> &Value {
        &self.objects[object.index()].states[world.state(object).0 as usize]
    }

    /// What the operation would return now; nothing if it has to wait.
    #[inline]
    pub fn peek(&mut self, world: &World, op: OpId) -> Option<ResultId> {
        Some(self.effect(world, op)?.result)
    }

    /// Does the operation, if that is possible now.
    #[inline]
    pub fn step(&mut self, world: &mut World, op: OpId) -> Option<ResultId> {
        let effect = self.effect(world, op)?;
        let Calls { first, second, .. } = self.calls[op.index()];
        world.set(first, effect.states.0);
        if let Some(second) = second {
            world.set(second, effect.states.1);
        }
        Some(effect.result)
    }

    #[inline]
    fn effect(&mut self, world: &World, op: OpId) -> Option<Effect> {
        let calls = &self.calls[op.index()];
        let first = world.state(calls.first);
        let second = calls.second.map_or(StateId::INITIAL, |o| world.state(o));
        match calls.asked.get(first, second) {
            Some(effect) => effect,
            None => self.ask(op, first, second),
        }
    }

    #[cold]
    fn ask(&mut self, op: OpId, first: StateId, second: StateId) -> Option<Effect> {
        let operation = &self.ops[op.index()];
        let values = operation.objects.iter().zip([first, second]);
        let values: SmallVec<[&Value; 2]> = values
            .map(|(object, state)| &self.objects[object.index()].states[state.0 as usize])
            .collect();
        let model = &self.objects[operation.objects[0].index()].model;
        let stepped = model.step(&values, operation.method, &operation.args);
        drop(values);
        let effect = stepped.map(|stepped| {
            let mut states = [first, second];
            let after = operation.objects.iter().zip(stepped.states);
            for (to, (object, state)) in states.iter_mut().zip(after) {
                let known = &mut self.objects[object.index()].states;
                *to = StateId(number(known.insert_full(state).0));
            }
            Effect {
                states: (states[0], states[1]),
                result: ResultId(number(self.results.insert_full(stepped.result).0)),
            }
        });
        self.calls[op.index()].asked.put(first, second, effect);
        effect
    }

    /// Whether the operation changes nothing when it returns `result`, in any state.
    pub fn only_reads(&self, op: OpId, result: ResultId) -> bool {
        let operation = self.operation(op);
        let model = self.model(operation.objects[0]);
        operation.spawns.is_none()
            && model.only_reads(operation.method, &operation.args, self.value(result))
    }

    /// A call, and its result if that is fixed.
    pub fn label(&self, op: OpId, result: Option<ResultId>) -> Label<'_> {
        let operation = self.operation(op);
        Label {
            method: operation.method,
            args: &operation.args,
            result: result.map(|result| self.value(result)),
        }
    }

    /// The state with this number.
    pub fn state_value(&self, object: ObjectId, state: StateId) -> &Value {
        &self.objects[object.index()].states[state.0 as usize]
    }

    /// Where a thread begins that was started at `by`.
    pub fn root(&mut self, thread: ThreadId, by: Option<NodeId>) -> NodeId {
        let (parent, number, _) = self.threads[thread.index()];
        let by = by.filter(|_| parent.is_some());
        let number = number.into();
        if let Some(root) = self.code.known_root(thread, by) {
            return root;
        }
        let like = by.and_then(|by| self.start_of_all(thread, by));
        self.code.root(thread, by, like, number)
    }

    /// What is done at a place, if that is known.
    pub fn next(&self, node: NodeId) -> Option<&Next> {
        self.code.next(node)
    }

    /// Learns what is done at a place; gives back what was known, if that is something
    /// else.
    pub fn learn(&mut self, node: NodeId, next: Next) -> Result<(), Next> {
        self.code.learn(node, next)
    }

    /// Whether some thread looks at something again and again.
    pub fn has_spins(&self) -> bool {
        self.code.has_spins()
    }

    /// Where the operation of a place leads, if it returns `result`.
    pub fn after(&mut self, node: NodeId, result: ResultId) -> NodeId {
        if let Some(child) = self.code.known_after(node, result) {
            return child;
        }
        let does = self.likeness_of_step(node, result);
        let value = &self.results[result.index()];
        self.code.after(node, result, value, does)
    }

    /// The same, if anything was ever there.
    pub fn known_after(&self, node: NodeId, result: ResultId) -> Option<NodeId> {
        self.code.known_after(node, result)
    }

    /// The name of a place as a value: the version of what is written there. It is the
    /// same in every process.
    pub fn version(&self, node: NodeId) -> Value {
        Value::Int(self.code.digest(node).into())
    }

    /// What tells a place from others, in every process.
    pub fn digest(&self, node: NodeId) -> u64 {
        self.code.digest(node)
    }

    /// Whether a thread may look again after the operation of a place, as far as that is
    /// known.
    pub(crate) fn may_spin(&self, node: NodeId) -> bool {
        self.code.may_spin(node)
    }

    /// Whether a thread may come back there after it looked at several things, as far as
    /// that is known.
    pub(crate) fn begins_round(&self, node: NodeId) -> bool {
        self.code.begins_round(node)
    }

    /// The place before, and what was returned there.
    pub fn before(&self, node: NodeId) -> Option<(NodeId, ResultId)> {
        self.code.parent(node)
    }

    /// How many operations lead to a place.
    pub fn depth(&self, node: NodeId) -> u32 {
        self.code.depth(node)
    }

    /// Whose code a place is in.
    pub fn owner(&self, node: NodeId) -> ThreadId {
        self.code.thread(node)
    }

    /// Where in the source the operation of a place is.
    pub fn locate(&mut self, node: NodeId, location: &'static Location<'static>) {
        self.shown.locations.entry(node).or_insert(location);
    }

    /// Where that is, if it was said.
    pub fn location(&self, node: NodeId) -> Option<&'static Location<'static>> {
        self.shown.locations.get(&node).copied()
    }

    /// Gives a thread a name for people.
    pub fn call_thread(&mut self, thread: ThreadId, name: &str) {
        { self.shown.thread_names.entry(thread) }.or_insert_with(|| name.to_owned());
    }

    /// What people call a thread.
    pub fn thread_name(&self, thread: ThreadId) -> String {
        match self.shown.thread_names.get(&thread) {
            Some(name) => name.clone(),
            None if thread == ThreadId::MAIN => "main".to_owned(),
            None => format!("T{}", thread.0),
        }
    }

    /// Gives an object a name for people.
    pub fn call_object(&mut self, object: ObjectId, name: &str) {
        { self.shown.object_names.entry(object) }.or_insert_with(|| name.to_owned());
    }

    /// What people call an object.
    pub fn object_name(&self, object: ObjectId) -> String {
        match self.shown.object_names.get(&object) {
            Some(name) => name.clone(),
            None => format!("{}#{}", self.model(object).name(), object.0),
        }
    }
}
