//! Whether two accesses commute: the specifications say, where there is one.

use commute_model::Value;
use commute_spec::{Invocation, Library, Specification};

use crate::flow::path::{PathId, Paths, Root};
use crate::flow::value::Set;
use crate::ir::Operation;
use crate::options::Options;
use crate::suppression::Suppression;

/// What of an access decides whether it commutes with another.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    pub(crate) operation: Option<Operation>,
    /// What its key is a copy of.
    pub(crate) key: Set<PathId>,
    /// What it writes is a copy of this.
    pub(crate) value: Set<PathId>,
    /// Whether its result is used.
    pub(crate) tested: bool,
}

/// The shipped specifications.
pub(crate) struct Conflicts {
    library: Library,
    options: Options,
}

impl Conflicts {
    pub(crate) fn new(options: Options) -> Conflicts {
        Conflicts {
            library: Library::shipped(),
            options,
        }
    }

    /// Whether an act writes a constant over what was there.
    pub(crate) fn is_constant(&self, paths: &Paths, act: &Act) -> bool {
        overwrites(act) && constant(paths, &act.value).is_some()
    }

    /// Whether one sees that something is there and takes it, and another only
    /// adds to the end: that may come in between, for what was there still is.
    pub(crate) fn only_adds(&self, [check, take, other]: [&Act; 3]) -> bool {
        let is = |act: &Act, methods: &[&str]| {
            let operation = act.operation.as_ref();
            operation.is_some_and(|operation| methods.contains(&operation.method))
        };
        self.options.applies(Suppression::Commuting)
            && is(check, &["is_empty", "len"])
            && is(take, &["pop", "remove"])
            && is(other, &["push"])
    }

    /// Whether it is certain that the order of two accesses to one variable
    /// does not matter. `same` says that they are of one thread, so that equal
    /// names of keys are equal keys.
    pub(crate) fn commute(&self, paths: &Paths, a: &Act, b: &Act, same: bool) -> bool {
        if !a.writes && !b.writes {
            return true;
        }
        if !self.options.applies(Suppression::Commuting) {
            return false;
        }
        if overwrites(a) && overwrites(b) && constant(paths, &a.value).is_some() {
            // The same value twice. No logical fragment can say that.
            return constant(paths, &a.value) == constant(paths, &b.value);
        }
        let (Some(x), Some(y)) = (&a.operation, &b.operation) else {
            return false;
        };
        if x.spec.is_none() || x.spec != y.spec {
            return false;
        }
        let specification = x.spec.and_then(|spec| self.library.specification(spec));
        let Some(specification) = specification else {
            return false;
        };
        let (Some(first), Some(second)) =
            (method(specification, a, x), method(specification, b, y))
        else {
            return false;
        };
        let keys = keys(paths, a, b, same);
        let one = values(specification, first, x, keys.0);
        let two = values(specification, second, y, keys.1);
        let results =
            |method: usize| vec![Value::Opaque; specification.methods[method].results.len()];
        let (results_one, results_two) = (results(first), results(second));
        let a = Invocation::new(first, &one, &results_one);
        let b = Invocation::new(second, &two, &results_two);
        specification.surely_commutes(a, b)
    }
}

/// The method of the specification: if nobody looks at the result, the one
/// that has none.
fn method(specification: &Specification, act: &Act, operation: &Operation) -> Option<usize> {
    let name = operation.method;
    if !act.tested {
        let silent = match name {
            "fetch_add" | "fetch_sub" => "add".to_owned(),
            "fetch_max" => "max".to_owned(),
            name => format!("{name}_"),
        };
        if let Some(method) = specification.method(&silent) {
            return Some(method);
        }
    }
    specification.method(name)
}

/// Whether nothing is left of what was there.
fn overwrites(act: &Act) -> bool {
    let method = act.operation.as_ref().map(|operation| operation.method);
    act.writes && !act.reads && method.is_none_or(|method| method == "store")
}

/// Keys as values: equal ones are equal, constants that differ differ, of
/// others nothing is known.
fn keys(paths: &Paths, a: &Act, b: &Act, same: bool) -> (Value, Value) {
    match (constant(paths, &a.key), constant(paths, &b.key)) {
        (Some(x), Some(y)) => (Value::Int(x.into()), Value::Int(y.into())),
        _ if same && !a.key.is_empty() && a.key == b.key => (Value::Int(0), Value::Int(0)),
        _ => (Value::Opaque, Value::Opaque),
    }
}

fn constant(paths: &Paths, copies: &[PathId]) -> Option<u32> {
    match copies {
        [path] if paths.before(*path).is_none() => match paths.root_of(*path) {
            Root::Constant(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn values(
    specification: &Specification,
    method: usize,
    operation: &Operation,
    key: Value,
) -> Vec<Value> {
    let mut values = vec![Value::Opaque; specification.methods[method].args.len()];
    if operation.key == Some(1)
        && let Some(first) = values.first_mut()
    {
        *first = key;
    }
    values
}
