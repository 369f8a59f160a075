//! Functions that take closures or futures, once for each that they are given:
//! what they do is what those do.

use rustc_hash::FxHashMap;

use crate::ir::FunctionId;
use crate::rust::mir::syntax::{
    Body, Function, Operand, Place, Statement, Step, Terminator, Value,
};
use crate::rust::text::referent;

/// More instances of functions than this are not made.
const MANY: usize = 20_000;

/// Types that stand for others, and what they stand for.
pub(crate) type Change = Vec<(String, String)>;

#[derive(Default)]
pub(crate) struct Instances {
    /// The types of the parameters of all functions as they are declared.
    pub(crate) parameters: Vec<Vec<String>>,
    /// A function with others in the place of types.
    known: FxHashMap<(FunctionId, Change), FunctionId>,
    /// Instances in the order of their numbers.
    pub(crate) order: Vec<(FunctionId, Change)>,
}

impl Instances {
    /// The function that runs if arguments of these numbers, counted from 0,
    /// have these types.
    pub(crate) fn of_arguments(
        &mut self,
        id: FunctionId,
        arguments: &[(usize, String)],
    ) -> FunctionId {
        let Some(parameters) = self.parameters.get(id.index()) else {
            return id;
        };
        let mut change = Change::new();
        for (at, ty) in arguments {
            let general = parameters.get(*at).map(|general| referent(general));
            if let Some(general) = general.filter(|general| is_general(general))
                && change.iter().all(|(known, _)| known != general)
            {
                change.push((general.to_owned(), referent(ty).to_owned()));
            }
        }
        self.changed(id, change)
    }

    /// The function with other types.
    pub(crate) fn changed(&mut self, id: FunctionId, change: Change) -> FunctionId {
        if change.is_empty() || self.order.len() >= MANY {
            return id;
        }
        let next = self.parameters.len() + self.order.len();
        let key = (id, change);
        *self.known.entry(key).or_insert_with_key(|key| {
            self.order.push(key.clone());
            FunctionId(next as u32)
        })
    }
}

/// Whether a parameter's type stands for closures: `F`, `impl Fn()`.
fn is_general(ty: &str) -> bool {
    ty.starts_with("impl ") || !ty.is_empty() && ty.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The types of futures that a body makes.
pub(crate) fn futures(body: &Body) -> Vec<String> {
    let mut made: Vec<String> = Vec::new();
    for (statement, _) in body.blocks.iter().flat_map(|block| &block.statements) {
        let Statement::Assign(to, Value::Aggregate(name, _)) = statement else {
            continue;
        };
        let ty = match to.steps.last() {
            None => {
                let mut locals = body.locals.iter();
                locals
                    .find(|decl| decl.local == to.local)
                    .map(|decl| &decl.ty)
            }
            Some(Step::Field(_, ty)) => Some(ty),
            Some(_) => None,
        };
        if let Some(ty) = ty.filter(|ty| ty.starts_with("{async "))
            && name.starts_with('{')
            && !made.contains(ty)
        {
            made.push(ty.clone());
        }
    }
    made
}

/// The type with others in it.
pub(crate) fn with_type(ty: &str, change: &Change) -> String {
    let all = change.iter();
    all.fold(ty.to_owned(), |ty, (general, by)| {
        replaced(&ty, general, by)
    })
}

/// The body with other types.
pub(crate) fn with_types(body: &Body, change: &Change) -> Body {
    let mut body = body.clone();
    for (general, by) in change {
        let replace = |text: &mut String| {
            if text.contains(general.as_str()) {
                *text = replaced(text, general, by);
            }
        };
        body.parameters.iter_mut().for_each(replace);
        replace(&mut body.result);
        for decl in &mut body.locals {
            replace(&mut decl.ty);
        }
        for block in &mut body.blocks {
            for (statement, _) in &mut block.statements {
                in_statement(statement, &replace);
            }
            in_terminator(&mut block.terminator, &replace);
        }
    }
    body
}

/// A name is replaced where it is a whole one, without a path.
fn replaced(text: &str, general: &str, by: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '\'');
    let is_name = general.chars().all(char::is_alphanumeric);
    let mut replaced = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(general) {
        let end = at + general.len();
        let inside = text[..at].ends_with(is_part) && !text[..at].ends_with("::<")
            || text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if at < done || is_name && inside {
            continue;
        }
        replaced.push_str(&text[done..at]);
        replaced.push_str(by);
        done = end;
    }
    replaced.push_str(&text[done..]);
    replaced
}

fn in_statement(statement: &mut Statement, replace: &impl Fn(&mut String)) {
    match statement {
        Statement::Assign(to, value) => {
            in_place(to, replace);
            in_value(value, replace);
        }
        Statement::SetDiscriminant(place, _) => in_place(place, replace),
        Statement::Inert | Statement::Intrinsic(..) => {}
    }
}

fn in_value(value: &mut Value, replace: &impl Fn(&mut String)) {
    match value {
        Value::Use(operand) | Value::Repeat(operand) => in_operand(operand, replace),
        Value::Cast(operand, ty) => {
            in_operand(operand, replace);
            replace(ty);
        }
        Value::Ref(_, place) | Value::Discriminant(place) => in_place(place, replace),
        Value::Compute(_, operands) => {
            for operand in operands {
                in_operand(operand, replace);
            }
        }
        Value::Aggregate(name, parts) => {
            replace(name);
            for (_, operand) in parts {
                in_operand(operand, replace);
            }
        }
    }
}

fn in_terminator(terminator: &mut Terminator, replace: &impl Fn(&mut String)) {
    match terminator {
        Terminator::Call {
            to,
            function,
            arguments,
            ..
        } => {
            in_place(to, replace);
            match function {
                Function::Path(path) => replace(path),
                Function::Pointer(operand) => in_operand(operand, replace),
            }
            for argument in arguments {
                in_operand(argument, replace);
            }
        }
        Terminator::Switch(operand, _) | Terminator::Assert(operand, _) => {
            in_operand(operand, replace);
        }
        Terminator::Drop(place, _) => in_place(place, replace),
        _ => {}
    }
}

fn in_operand(operand: &mut Operand, replace: &impl Fn(&mut String)) {
    match operand {
        Operand::Copy(place) | Operand::Move(place) => in_place(place, replace),
        Operand::Constant(text) | Operand::Function(text) => replace(text),
    }
}

fn in_place(place: &mut Place, replace: &impl Fn(&mut String)) {
    for step in &mut place.steps {
        if let Step::Field(_, ty) = step {
            replace(ty);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_are_replaced() {
        let ty = "Timeout<F, Fn(F) -> a::F, FF, 'F>";
        assert_eq!(replaced(ty, "F", "X"), "Timeout<X, Fn(X) -> a::F, FF, 'F>");
        assert_eq!(replaced("timeout::<F>", "F", "X"), "timeout::<X>");
        let call = "<impl FnOnce(u8) as FnOnce<(u8,)>>::call_once";
        let general = "impl FnOnce(u8)";
        assert_eq!(
            replaced(call, general, "{c}"),
            "<{c} as FnOnce<(u8,)>>::call_once"
        );
    }
}
