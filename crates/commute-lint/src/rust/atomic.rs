//! What the program says should be atomic: functions with `#[commute::atomic]`,
//! and closures that `commute::atomic` runs.
//!
//! The attribute is gone when the compiler prints MIR, and a comment may look
//! like one; but it leaves a static behind, in the function, with or without
//! `--cfg commute`.

use std::collections::BTreeSet;

use crate::ir::{FunctionId, Program};
use crate::rust::mir::syntax::{BodyKind, Mir};
use crate::rust::text::Path;

/// The static that the attribute puts into a function.
const BLOCK: &str = "::__COMMUTE_BLOCK";

/// What is known to be atomic.
#[derive(Default)]
pub(crate) struct Atomic {
    /// Functions, by crate and path.
    functions: BTreeSet<(String, String)>,
    /// Closures. Who calls them is known when bodies are lowered.
    closures: BTreeSet<FunctionId>,
}

impl Atomic {
    /// Notes the functions of a crate that have the attribute.
    pub(crate) fn find(&mut self, krate: &str, mir: &Mir) {
        for body in &mir.bodies {
            if body.kind == BodyKind::Static
                && let Some(function) = body.name.strip_suffix(BLOCK)
            {
                let key = (krate.to_owned(), function.to_owned());
                self.functions.insert(key);
            }
        }
    }

    /// Whether a function has the attribute.
    pub(crate) fn contains(&self, krate: &str, name: &str) -> bool {
        let key = (krate.to_owned(), name.to_owned());
        self.functions.contains(&key)
    }

    /// Notes that `commute::atomic` is given this closure.
    pub(crate) fn runs(&mut self, closure: FunctionId) {
        self.closures.insert(closure);
    }

    /// Says it of the closures.
    pub(crate) fn finish(self, program: &mut Program) {
        for closure in self.closures {
            if let Some(function) = program.functions.get_mut(closure.index()) {
                function.atomic = true;
            }
        }
    }
}

/// Whether a call runs a closure that should be atomic.
pub(crate) fn runs_closure(called: &Path) -> bool {
    called.plain == "commute::atomic"
}

/// Whether a call is only the attribute's: it enters what is atomic anyway.
pub(crate) fn is_mark(called: &Path) -> bool {
    called.plain.starts_with("commute::hidden::")
}
