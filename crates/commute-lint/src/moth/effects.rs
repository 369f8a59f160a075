//! What calls of libraries do, as actions.
//!
//! An operation that changes an object writes the variable that the object is
//! in, others read it; a function that nobody described writes what mutable
//! references point to and reads the rest.
//!
//! Deviation: the paper analyses the bodies of library functions; a summary
//! stands for them. Known gap: a copy of a collection (`clone`) stands for the
//! collection, and is not followed as a value.

use super::actions::{Action, Reader, Target, part};
use super::references::changes;
use super::variables::{Global, Variable};
use crate::ir::{Effect, Operand, Place, TypeKind};

impl Reader<'_> {
    /// What a function that nobody described may write of an argument.
    fn changed(&self, operand: &Operand) -> Vec<Target> {
        let Operand::Place(place, _) = operand else {
            return Vec::new();
        };
        let mut targets = match changes(self.program, self.function, place.local) {
            true => self.behind_mutable(operand),
            false => Vec::new(),
        };
        if self.kind(place) == TypeKind::Mutable && place.steps.is_empty() {
            targets.extend(self.pointed_to(place.local));
        }
        targets
    }

    /// The locals that an operand points to.
    fn pointees(&self, operand: &Operand) -> Vec<Variable> {
        match operand {
            Operand::Place(place, _) if place.steps.is_empty() => {
                let targets = self.pointed_to(place.local);
                targets.map(|target| target.variable).collect()
            }
            Operand::Place(..) | Operand::Constant(_) | Operand::Static(_) => Vec::new(),
        }
    }

    /// What an operand refers to, to be written.
    fn behind_mutable(&self, operand: &Operand) -> Vec<Target> {
        let globals = self.behind(operand).into_iter().map(Variable::Global);
        let mut targets: Vec<Target> = globals.map(part).collect();
        if let Operand::Place(place, _) = operand
            && place.steps.is_empty()
        {
            targets.extend(self.pointed_to(place.local));
        }
        targets
    }

    /// What an iterator points into is read at its position, and what is
    /// passed besides a reference says where.
    fn looked_up(&self, arguments: &[Operand]) -> Vec<Action> {
        let is_plain = |operand: &&Operand| match operand {
            Operand::Place(place, _) => self.kind(place) != TypeKind::Shared,
            Operand::Constant(_) | Operand::Static(_) => false,
        };
        let positions = arguments.iter().filter(is_plain);
        let positions: Vec<Variable> = positions.flat_map(|o| self.reads(o)).collect();
        if positions.is_empty() {
            return Vec::new();
        }
        let objects = arguments.iter().flat_map(|operand| self.behind(operand));
        objects
            .map(|object| Action::Use(object, positions.clone()))
            .collect()
    }

    pub(super) fn library(
        &self,
        to: &Place,
        effect: &Effect,
        arguments: &[Operand],
    ) -> Vec<Action> {
        let values = |taken: &[Operand]| -> Vec<Variable> {
            taken
                .iter()
                .flat_map(|operand| self.reads(operand))
                .collect()
        };
        let contents = |taken: &[Operand]| -> Vec<Variable> {
            let behind = taken.iter().flat_map(|operand| self.behind(operand));
            behind.map(Variable::Global).collect()
        };
        let result = |sources: Vec<Variable>| Action::Define(self.targets(to), sources);
        let first = &arguments[..arguments.len().min(1)];
        let rest = &arguments[first.len()..];
        match effect {
            Effect::Unknown
            | Effect::Pure
            | Effect::Join
            | Effect::Apply
            | Effect::Scope
            | Effect::Parallel { .. } => {
                let mut sources = values(arguments);
                let mut actions = vec![Action::Together(sources.clone())];
                if *effect == Effect::Unknown {
                    actions.extend(self.looked_up(arguments));
                }
                let targets: Vec<Target> = arguments.iter().flat_map(|o| self.changed(o)).collect();
                if *effect == Effect::Unknown && !targets.is_empty() {
                    actions.push(Action::Define(targets, sources.clone()));
                }
                sources.extend(contents(arguments));
                actions.push(result(sources));
                actions
            }
            Effect::Same | Effect::Poll(_) => {
                let mut sources = values(first);
                if self.kind(to) == TypeKind::Scalar {
                    sources.extend(contents(first));
                }
                vec![result(sources)]
            }
            Effect::Wrap | Effect::Wait => vec![result(values(arguments))],
            Effect::Acquire(_) | Effect::Enter | Effect::Spawn(_) => vec![result(Vec::new())],
            Effect::Release | Effect::Log => Vec::new(),
            Effect::Operation(operation) => {
                let objects: Vec<Global> = first.iter().flat_map(|o| self.behind(o)).collect();
                let given = values(rest);
                let mut actions = vec![Action::Together(given.clone())];
                if operation.reads && !given.is_empty() {
                    let uses = objects.iter();
                    actions.extend(uses.map(|object| Action::Use(*object, given.clone())));
                }
                if operation.writes {
                    let targets = first.iter().flat_map(|o| self.behind_mutable(o)).collect();
                    actions.push(Action::Define(targets, given.clone()));
                }
                let mut sources = given;
                if operation.reads && objects.is_empty() {
                    // The object is a local, or what one points to.
                    sources.extend(values(first));
                    sources.extend(first.iter().flat_map(|object| self.pointees(object)));
                }
                if operation.reads {
                    sources.extend(objects.into_iter().map(Variable::Global));
                }
                if operation.lends {
                    sources.extend(values(first));
                }
                actions.push(result(sources));
                actions
            }
        }
    }
}
