//! Calls of functions that nobody described: the types say what they may do.

use crate::flow::effect::Call;
use crate::flow::memory::Noted;
use crate::flow::path::{PathId, Root};
use crate::flow::state::State;
use crate::flow::value::{Origins, Set, Value};
use crate::flow::walk::Walk;
use crate::ir::{Local, Operand, Place, TypeKind};

impl Walk<'_, '_> {
    /// Nobody said what it does: the types do.
    pub(crate) fn unknown(&mut self, state: &mut State, call: &Call<'_>) -> Value {
        let mut result = self.apply(state, call);
        result.origins.join(&call.all);
        for (number, value) in call.values.iter().enumerate() {
            let seen = self.through(state, value);
            let seen = match call.arguments.get(number) {
                Some(Operand::Place(place, _)) => self.alive(place.local, seen),
                _ => seen,
            };
            let (reads, writes) = match self.passes(call, value) {
                true => (false, false),
                false => self.used(call.arguments.get(number), value),
            };
            if !reads && !writes {
                let mut lent = seen.lent();
                lent.fields.clear();
                result.join(&lent);
                continue;
            }
            let mut others = Origins::default();
            for (other, value) in call.values.iter().enumerate() {
                if other != number {
                    others.join(&self.through(state, value).all_origins());
                }
            }
            for (part, path) in seen.points.iter().enumerate() {
                let noted = Noted {
                    path: self.used_at(*path),
                    reads,
                    writes,
                    operation: None,
                    name: call.name,
                    index: Value::default(),
                    value: Set::new(),
                    origins: others.clone(),
                    object: seen.origins.clone(),
                };
                let part = 300 + 10 * number as u32 + part as u32;
                if let Some(number) = self.touch(state, part, noted) {
                    result.origins.add(&self.origin(state, number));
                }
            }
            if writes {
                self.taint(state, value, &others);
            }
            let mut lent = seen.lent();
            lent.fields.clear();
            lent.origins = Origins::default();
            result.join(&lent);
        }
        if self.type_kind(call.to.local) == TypeKind::Scalar {
            result.points.clear();
        }
        self.hand_over(state, call.to, call.values, &mut result);
        result
    }

    /// Whether a guard is given away and comes back: who is not of this program
    /// and gets it as a whole has no business with what is in it.
    fn passes(&self, call: &Call<'_>, value: &Value) -> bool {
        !value.all_guards().is_empty() && self.type_kind(call.to.local) == TypeKind::Guard
    }

    /// How an argument is used by a function nobody knows: whether what it
    /// points to is read, and whether it is written.
    fn used(&self, operand: Option<&Operand>, value: &Value) -> (bool, bool) {
        let Some(Operand::Place(place, _)) = operand else {
            return (false, false);
        };
        let kind = if place.steps.is_empty() {
            self.type_kind(place.local)
        } else {
            TypeKind::Other
        };
        // A pointer to a local: what counts is what the local itself is.
        let local = value
            .points
            .iter()
            .find_map(|path| match self.world.paths.split(*path) {
                (Root::Local(local), hops) if hops.is_empty() => Some(local),
                _ => None,
            });
        match (kind, local) {
            (TypeKind::Scalar, _) => (false, false),
            (TypeKind::Mutable, Some(local)) => {
                let mutable = self.type_kind(local) == TypeKind::Mutable
                    || names_a_mutable_view(self.type_name(local));
                (true, mutable)
            }
            (TypeKind::Mutable, None) => (true, true),
            (TypeKind::Shared, _) => (true, false),
            (TypeKind::Guard | TypeKind::Other, _) => (
                !value.points.is_empty(),
                names_a_mutable_view(self.operand_type(place)),
            ),
        }
    }

    fn operand_type(&self, place: &Place) -> &str {
        match place.steps.is_empty() {
            true => self.type_name(place.local),
            false => "",
        }
    }

    /// What a mutable argument points to depends on the other arguments now.
    pub(crate) fn taint(&mut self, state: &mut State, value: &Value, origins: &Origins) {
        let locals: Vec<Local> = value
            .points
            .iter()
            .filter_map(|path| match self.world.paths.root_of(*path) {
                Root::Local(local) => Some(local),
                _ => None,
            })
            .collect();
        for local in locals {
            if let Some(slot) = state.locals.get_mut(local.index()) {
                std::rc::Rc::make_mut(slot).origins.join(origins);
            }
        }
        let cells: Vec<PathId> = value.points.iter().copied().collect();
        for path in cells {
            if let Some(cell) = state.cells.get_mut(&path) {
                std::rc::Rc::make_mut(cell).origins.join(origins);
            }
        }
    }
}

fn names_a_mutable_view(ty: &str) -> bool {
    ty.starts_with("&mut")
        || [
            "IterMut<",
            "ValuesMut<",
            "RefMut<",
            "MutexGuard<",
            "WriteGuard<",
            "Entry<",
            "Drain<",
        ]
        .iter()
        .any(|name| ty.contains(name))
}
