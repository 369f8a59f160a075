//! Threads that a call starts, or waits for.

use std::collections::BTreeSet;

use crate::flow::access::ThreadInfo;
use crate::flow::effect::Call;
use crate::flow::path::Root;
use crate::flow::state::State;
use crate::flow::value::{Set, Source, Value, add, add_all};
use crate::flow::walk::Walk;
use crate::ir::{Callee, Effect, Function, FunctionId, Statement};

/// The threads of a function, at some point of it.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Threads {
    /// Those that may have been started.
    pub(crate) started: Set<u32>,
    /// Those of them that may still run.
    pub(crate) running: Set<u32>,
}

impl Threads {
    pub(crate) fn start(&mut self, thread: u32, still: bool) {
        add(&mut self.started, thread);
        if still {
            add(&mut self.running, thread);
        }
    }

    /// Joins what is known on another way. Whether it says more.
    pub(crate) fn join(&mut self, other: &Threads) -> bool {
        let before = (self.started.len(), self.running.len());
        add_all(&mut self.started, &other.started);
        add_all(&mut self.running, &other.running);
        before != (self.started.len(), self.running.len())
    }
}

impl Walk<'_, '_> {
    /// Waits for the thread that a handle belongs to. If it is not known which
    /// one that is, and it happens in a loop, for all that were started before
    /// the loop: their handles are in a collection.
    pub(crate) fn join(&mut self, state: &mut State, handle: &Value) {
        let handle = self.through(state, handle);
        let own = self.loops[self.spot.block as usize];
        let is_of = |thread: u32| {
            let made = Root::New(self.starts[thread as usize]);
            let mut points = handle.points.iter();
            points.any(|path| self.world.paths.root_of(*path) == made)
        };
        let is_named = (0..self.starts.len() as u32).any(is_of);
        let running = state.threads.running.iter().copied();
        let ended: Set<u32> = running
            .filter(|thread| match is_named {
                true => is_of(*thread),
                false => {
                    let start = self.starts[*thread as usize].block;
                    own.is_some() && self.loops[start as usize] != own
                }
            })
            .collect();
        state
            .threads
            .running
            .retain(|thread| !ended.contains(thread));
    }

    /// A way out of a loop that waits for threads: all that were started before
    /// it have ended, for it was left when there were no more.
    pub(crate) fn leave_loop(&self, state: &mut State, from: usize, to: usize) {
        let own = self.loops[from];
        if self.loops[to] == own || !own.is_some_and(|own| self.awaiting.contains(&own)) {
            return;
        }
        let running = &mut state.threads.running;
        running.retain(|thread| {
            let start = self.starts[*thread as usize].block;
            self.loops[start as usize] == own
        });
    }

    /// A thread runs the argument of this number.
    pub(crate) fn spawn(&mut self, state: &mut State, call: &Call<'_>, number: usize) {
        let several = self.is_looped();
        let value = call.values.get(number).cloned().unwrap_or_default();
        let bodies = self.bodies_of(call, number);
        for (part, body) in bodies.into_iter().enumerate() {
            self.start(state, value.clone(), (part, body), several);
        }
    }

    /// All closures among the arguments run at the same time. The first is run
    /// by who calls, and so may all others be if there are several of each.
    pub(crate) fn parallel(&mut self, state: &mut State, call: &Call<'_>, often: bool) -> Value {
        let arguments = call.arguments.iter().enumerate();
        let bodies: Vec<(usize, FunctionId)> = arguments
            .filter_map(|(number, argument)| Some((number, self.body_of(Some(argument))?)))
            .collect();
        let several = often || self.is_looped();
        let threads = if often {
            &bodies
        } else {
            &bodies[1.min(bodies.len())..]
        };
        for (number, body) in threads {
            let value = call.values[*number].clone();
            self.start(state, value, (*number, *body), several);
        }
        let mine = if often { bodies.len() } else { 1 };
        let mut result = Value::default();
        for (number, body) in bodies.into_iter().take(mine) {
            let value = self.closure(state, call, number, body);
            result.join(&value);
        }
        self.forget_own(&mut result);
        result
    }

    /// What was read of what is new here is as good as new: whoever else had it
    /// has come to its end.
    fn forget_own(&self, value: &mut Value) {
        value.origins.retain(|origin| match origin.source {
            Source::Access(number) => {
                let path = self.accesses[number as usize].path;
                let root = self.world.paths.root_of(path);
                !matches!(root, Root::New(_) | Root::Local(_))
            }
            Source::Parameter(_) => true,
        });
        for part in value.fields.values_mut() {
            self.forget_own(part);
        }
    }

    /// `part` tells threads that one call starts apart.
    fn start(
        &mut self,
        state: &mut State,
        value: Value,
        (part, body): (usize, FunctionId),
        several: bool,
    ) {
        let trail = self.trail();
        let next = self.threads.len() as u32;
        let key = (self.spot, part as u32);
        let thread = *self.thread_numbers.entry(key).or_insert(next);
        if thread == next {
            self.threads.push(ThreadInfo {
                trail,
                several,
                once_in: (!several).then_some(self.id).into_iter().collect(),
                body,
            });
            self.starts.push(self.spot);
        }
        state.threads.start(thread, true);
        // What it is given of a collection, no other is.
        let arguments = [value, Value::default(), Value::default()];
        self.instance(state, body, &arguments, 40 + part as u32, Some(thread));
    }
}

/// The loops that wait for threads, and start none.
pub(crate) fn awaiting(function: &Function, loops: &[Option<u32>]) -> BTreeSet<u32> {
    let (mut wait, mut start) = (BTreeSet::new(), BTreeSet::new());
    for (block, own) in function.blocks.iter().zip(loops) {
        for (statement, _) in &block.statements {
            let Statement::Call {
                callee: Callee::Library { effect, .. },
                ..
            } = statement
            else {
                continue;
            };
            match effect {
                Effect::Join => wait.extend(own),
                Effect::Spawn(_) => start.extend(own),
                _ => {}
            }
        }
    }
    wait.difference(&start).copied().collect()
}
