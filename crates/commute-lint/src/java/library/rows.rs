//! The form of the tables.

use super::Called;
use crate::ir::{Effect, Operation};

/// One method of a class of the JDK.
#[derive(Clone, Copy)]
pub(super) struct Row {
    name: &'static str,
    /// How many arguments it has, if there are others of that name.
    arguments: Option<usize>,
    /// Its method in the specification, or a name of our own.
    method: &'static str,
    /// Its method in the specification if nobody looks at the result.
    dropped: Option<&'static str>,
    specified: bool,
    reads: bool,
    writes: bool,
    key: Option<usize>,
    checks: bool,
    lends: bool,
}

const fn row(name: &'static str, method: &'static str, reads: bool, writes: bool) -> Row {
    Row {
        name,
        arguments: None,
        method,
        dropped: None,
        specified: true,
        reads,
        writes,
        key: None,
        checks: false,
        lends: false,
    }
}

/// A method that looks.
pub(super) const fn reads(name: &'static str, method: &'static str) -> Row {
    row(name, method, true, false)
}

/// A method that changes, and says nothing about what was there.
pub(super) const fn writes(name: &'static str, method: &'static str) -> Row {
    row(name, method, false, true)
}

/// A method that does both.
pub(super) const fn updates(name: &'static str, method: &'static str) -> Row {
    row(name, method, true, true)
}

impl Row {
    /// Only with this many arguments.
    pub(super) const fn of(mut self, arguments: usize) -> Row {
        self.arguments = Some(arguments);
        self
    }

    /// This argument is a key or an index.
    pub(super) const fn key(mut self, argument: usize) -> Row {
        self.key = Some(argument);
        self
    }

    /// It decides and acts at once.
    pub(super) const fn checks(mut self) -> Row {
        self.checks = true;
        self
    }

    /// The result points into the object.
    pub(super) const fn lends(mut self) -> Row {
        self.lends = true;
        self
    }

    /// Another method of the specification if nobody looks at the result.
    pub(super) const fn dropped(mut self, method: &'static str) -> Row {
        self.dropped = Some(method);
        self
    }

    /// No specification has it.
    pub(super) const fn plain(mut self) -> Row {
        self.specified = false;
        self
    }

    /// What it does.
    pub(super) fn effect(&self, family: &Family, dropped: bool) -> Effect {
        let (method, reads) = match self.dropped {
            Some(method) if dropped => (method, false),
            _ => (self.method, self.reads),
        };
        Effect::Operation(Operation {
            spec: family.spec.filter(|_| self.specified),
            method,
            reads,
            writes: self.writes,
            atomic: family.atomic,
            key: self.key,
            checks: self.checks && !(dropped && self.dropped.is_some()),
            lends: self.lends,
        })
    }

    /// The methods of the specification that it stands for.
    #[cfg(test)]
    pub(super) fn specified(&self) -> Vec<&'static str> {
        let methods = [Some(self.method), self.dropped];
        let methods = methods.into_iter().flatten();
        methods.filter(|_| self.specified).collect()
    }
}

/// Classes that have the same methods.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// Their specification.
    pub(super) spec: Option<&'static str>,
    /// Whether each method is atomic by itself.
    pub(super) atomic: bool,
    /// Their methods.
    pub(super) rows: &'static [Row],
}

impl Family {
    /// The row of a method.
    pub(super) fn row(&self, called: &Called<'_>) -> Option<&'static Row> {
        self.rows.iter().find(|row| {
            row.name == called.name && row.arguments.is_none_or(|count| count == called.arguments)
        })
    }
}
