//! Actions seen through a specification.

use std::fmt;

use commute_model::{Action, Value};

use crate::specification::Method;

/// An invocation of a method of a specification: its index and its slots, the
/// arguments followed by the results.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'a> {
    /// Index of the method in its specification.
    pub method: usize,
    args: &'a [Value],
    results: &'a [Value],
}

impl<'a> Invocation<'a> {
    /// An invocation of method number `method` with these slots.
    pub fn new(method: usize, args: &'a [Value], results: &'a [Value]) -> Invocation<'a> {
        Invocation {
            method,
            args,
            results,
        }
    }

    /// Reads `action` as an invocation of `declared`, which has index `method`.
    ///
    /// # Errors
    /// If it does not have the declared number of arguments or results.
    #[inline]
    pub fn bind(
        method: usize,
        declared: &Method,
        action: &'a Action,
    ) -> Result<Invocation<'a>, BindError> {
        let arity = (declared.args.len(), declared.results.len());
        Invocation::with_arity(method, arity, action)
    }

    /// Reads `action` as an invocation of the method with index `method`, which
    /// has so many arguments and results.
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    #[inline(always)]
    pub fn with_arity(
        method: usize,
        (arguments, declared): (usize, usize),
        action: &'a Action,
    ) -> Result<Invocation<'a>, BindError> {
        let args = &action.args[..];
        if args.len() != arguments {
            return Err(BindError {
                what: "argument",
                expected: arguments,
                found: args.len(),
            });
        }
        let results = match &action.result {
            None => &[],
            // A tuple is several results, or the one result.
            Some(Value::Tuple(values)) if declared != 1 => &values[..],
            Some(value) => std::slice::from_ref(value),
        };
        if results.len() != declared {
            return Err(BindError {
                what: "result",
                expected: declared,
                found: results.len(),
            });
        }
        Ok(Invocation {
            method,
            args,
            results,
        })
    }

    /// Slot `n`: an argument, or a result.
    ///
    /// # Panics
    /// If the method has no such slot.
    #[inline(always)]
    pub fn slot(&self, n: usize) -> &'a Value {
        match self.args.get(n) {
            Some(value) => value,
            None => &self.results[n - self.args.len()],
        }
    }

    /// Whether a slot is opaque or has an opaque part.
    pub fn has_opaque(&self) -> bool {
        self.args.iter().chain(self.results).any(Value::has_opaque)
    }

    /// The arguments.
    pub fn args(&self) -> &'a [Value] {
        self.args
    }

    /// The results.
    pub fn results(&self) -> &'a [Value] {
        self.results
    }
}

/// An action does not fit the signature of its method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BindError {
    /// `argument` or `result`.
    pub what: &'static str,
    /// How many are declared.
    pub expected: usize,
    /// How many there are.
    pub found: usize,
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BindError {
            what,
            expected,
            found,
        } = self;
        let s = if *expected == 1 { "" } else { "s" };
        write!(f, "takes {expected} {what}{s}, found {found}")?;
        Ok(())
    }
}

impl std::error::Error for BindError {}
