//! Threads that a call starts.

use crate::flow::access::ThreadInfo;
use crate::flow::effect::Call;
use crate::flow::path::Root;
use crate::flow::state::State;
use crate::flow::value::{Source, Value};
use crate::flow::walk::Walk;
use crate::ir::FunctionId;

impl Walk<'_, '_> {
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
                body,
            });
        }
        // What it is given of a collection, no other is.
        let arguments = [value, Value::default(), Value::default()];
        self.instance(state, body, &arguments, 40 + part as u32, Some(thread));
    }
}
