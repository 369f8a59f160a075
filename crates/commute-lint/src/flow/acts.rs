//! Calls that do something although no memory shows it: who gets nothing back
//! from a call and gives it nothing to change calls it for what it does.

use crate::flow::path::Root;
use crate::flow::state::State;
use crate::flow::value::{Source, Value};
use crate::flow::walk::Walk;
use crate::ir::{Callee, Effect, Place};

impl Walk<'_, '_> {
    /// Notes which reads decide about a call that does something.
    pub(crate) fn act(&mut self, state: &State, to: &Place, callee: &Callee, values: &[Value]) {
        let acts = match callee {
            Callee::Library { effect, .. } => match effect {
                Effect::Spawn(_) => true,
                Effect::Unknown | Effect::Apply | Effect::Scope => self.is_for_effect(to, values),
                _ => false,
            },
            Callee::Functions(_) => self.is_for_effect(to, values),
        };
        if !acts {
            return;
        }
        let decided = self.decided(state);
        for origin in decided.iter() {
            if let Source::Access(number) = origin.source {
                self.acts.insert(number);
            }
        }
    }

    fn is_for_effect(&self, to: &Place, values: &[Value]) -> bool {
        let result = self.type_name(to.local);
        let nothing = matches!(result, "()" | "void" | "std::task::Poll<()>")
            || result.starts_with("std::result::Result<(),");
        let local = |value: &Value| {
            let mut points = value.points.iter();
            points.any(|path| matches!(self.world.paths.root_of(*path), Root::Local(_)))
        };
        nothing && !values.iter().any(local)
    }
}
