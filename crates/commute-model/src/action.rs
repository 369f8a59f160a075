//! Actions on library objects.

use std::fmt;

use smallvec::SmallVec;

use crate::Names;
use crate::id::{MethodId, ObjectId};
use crate::value::Value;

/// One invocation `o.m(args)/result` of a method of a library object.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// The object.
    pub object: ObjectId,
    /// The method.
    pub method: MethodId,
    /// The arguments.
    pub args: SmallVec<[Value; 2]>,
    /// What it returned. Several or shadow results are a tuple; which of the
    /// two a tuple is, only the specification knows.
    pub result: Option<Value>,
}

/// An action that a pass can keep for its report. Not the one of the standard library:
/// nobody has weak references, and to find out whether it is kept costs no more than a
/// load, for every action of a trace.
pub type SharedAction = triomphe::Arc<Action>;

impl Clone for Action {
    fn clone(&self) -> Action {
        Action {
            object: self.object,
            method: self.method,
            args: self.args.clone(),
            result: self.result.clone(),
        }
    }

    /// Overwrites an action in place: detectors keep the last one of millions.
    fn clone_from(&mut self, other: &Action) {
        self.object = other.object;
        self.method = other.method;
        if self.args.len() == other.args.len() {
            for (mine, theirs) in self.args.iter_mut().zip(&other.args) {
                mine.clone_from(theirs);
            }
        } else {
            self.args = other.args.clone();
        }
        self.result.clone_from(&other.result);
    }
}

impl Action {
    /// The action as text traces write it.
    pub fn display<'a>(&'a self, names: &'a Names) -> impl fmt::Display + 'a {
        DisplayAction {
            action: self,
            names,
        }
    }
}

struct DisplayAction<'a> {
    action: &'a Action,
    names: &'a Names,
}

impl fmt::Display for DisplayAction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Action {
            object,
            method,
            args,
            result,
        } = self.action;
        let object = self.names.objects.name(*object);
        let method = self.names.methods.name(*method);
        write!(f, "{object}.{method}(")?;
        for (i, value) in args.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{value}")?;
        }
        f.write_str(")")?;
        match result {
            Some(value) => write!(f, "/{value}"),
            None => Ok(()),
        }
    }
}
