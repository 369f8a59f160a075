//! Futures: what was made to be awaited runs when it is polled.
//!
//! A box, `dyn Future` and `impl Future` do not say which body that is; the
//! value does.

use std::collections::BTreeSet;

use crate::flow::call::CANDIDATES;
use crate::flow::effect::Call;
use crate::flow::state::State;
use crate::flow::value::{Value, add};
use crate::flow::walk::Walk;
use crate::ir::{Callee, FieldId, FunctionId, Local, Place, Program, Statement, TypeId, TypeKind};

/// The body that runs if a value of this type is awaited.
pub(crate) fn body(program: &Program, ty: TypeId) -> Option<FunctionId> {
    let name = &program.types[ty.index()].name;
    let is_future = name.starts_with("{async ") && !name.starts_with("{async closure@");
    program.bodies.get(&ty).copied().filter(|_| is_future)
}

impl Walk<'_, '_> {
    /// The body of the future that is made here.
    pub(crate) fn future_of(&self, to: &Place) -> Option<FunctionId> {
        let variable = self.function.locals.get(to.local.index())?;
        body(self.world.program, variable.ty).filter(|_| to.steps.is_empty())
    }

    /// Whether a value is a closure or a future, or holds one.
    pub(crate) fn holds_closure(&self, value: &Value) -> bool {
        let of_closure = |field: FieldId| {
            let class = &self.world.program.fields[field.index()].class;
            class.starts_with('{')
        };
        let mut fields = value.fields.iter();
        !value.futures.is_empty()
            || fields.any(|(field, part)| of_closure(*field) || self.holds_closure(part))
    }

    /// Whether it is known what runs if this is polled.
    pub(crate) fn is_future(&mut self, state: &State, value: &Value) -> bool {
        !self.through(state, value).futures.is_empty()
    }

    /// Whether a local is a future: it keeps what it was given until it ends.
    pub(crate) fn is_future_type(&self, local: Local) -> bool {
        let ty = self.type_name(local);
        ty.starts_with("{async ") || ty.contains("Future<Output")
    }

    /// Closures that a future is made of run when it is awaited.
    pub(crate) fn hold_bodies(&self, call: &Call<'_>, value: &mut Value) {
        let ty = self.type_name(call.to.local);
        if !ty.contains("uture") && !ty.contains("{async ") {
            return;
        }
        for number in 0..call.arguments.len() {
            for body in self.bodies_of(call, number) {
                add(&mut value.futures, body);
            }
        }
    }

    /// What runs if the argument of this number is called or awaited. Of a
    /// future the value knows best.
    pub(crate) fn bodies_of(&self, call: &Call<'_>, number: usize) -> Vec<FunctionId> {
        match call.values.get(number) {
            Some(value) if !value.futures.is_empty() => value.futures.to_vec(),
            _ => self
                .body_of(call.arguments.get(number))
                .into_iter()
                .collect(),
        }
    }

    fn is_coroutine(&self, body: FunctionId) -> bool {
        let program = self.world.program;
        let first = program.function(body).locals.get(1);
        first.is_some_and(|first| program.types[first.ty.index()].name.contains("{async "))
    }

    pub(crate) fn poll(&mut self, state: &mut State, call: &Call<'_>, future: &Value) -> Value {
        let future = self.through(state, future);
        let bodies = future.futures.iter().copied();
        let (coroutines, closures): (Vec<_>, Vec<_>) =
            bodies.partition(|body| self.is_coroutine(*body));
        let mut result = self.functions(state, &coroutines, call.values);
        // `map` and `then` give the result to a closure, `poll_fn` has no other.
        for (part, body) in closures.into_iter().enumerate() {
            let given = match coroutines.is_empty() {
                true => call.values.get(1).cloned().unwrap_or_default(),
                false => result.clone(),
            };
            let arguments = [future.clone(), given];
            let part = (CANDIDATES + 2 * part) as u32;
            let mut value = self.instance(state, body, &arguments, part, None);
            let next = std::mem::take(&mut value.futures);
            for body in next {
                let last = [value.clone()];
                value.join(&self.instance(state, body, &last, part + 1, None));
            }
            result.join(&value);
        }
        if call.to.steps.is_empty() && self.type_kind(call.to.local) == TypeKind::Scalar {
            result.points.clear();
        }
        self.hand_over(state, call.to, call.values, &mut result);
        result
    }
}

/// Whether a function is the body of a future that another one makes.
pub(crate) fn is_made(program: &Program, function: FunctionId) -> bool {
    let first = program.function(function).locals.get(1);
    first.is_some_and(|first| {
        let name = &program.types[first.ty.index()].name;
        name.contains("{async ") && !name.contains("{async fn body")
    })
}

/// Bodies of private `async` functions that are called: who calls them waits
/// for them, though what they do may have been too much to tell.
pub(crate) fn awaited(program: &Program) -> BTreeSet<String> {
    let functions = program.functions.iter();
    let blocks = functions.flat_map(|function| &function.blocks);
    let called: BTreeSet<FunctionId> = blocks
        .flat_map(|block| &block.statements)
        .filter_map(|(statement, _)| match statement {
            Statement::Call {
                callee: Callee::Functions(called),
                ..
            } => Some(called),
            _ => None,
        })
        .flatten()
        .copied()
        .collect();
    called
        .into_iter()
        .map(|id| program.function(id))
        .filter(|function| !function.public)
        .filter(|function| {
            let result = &program.types[function.locals[0].ty.index()].name;
            result.contains("{async fn body")
        })
        .map(|function| format!("{}::{{closure#0}}", function.name))
        .collect()
}
