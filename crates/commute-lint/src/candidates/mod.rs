//! Candidates for composing: methods that perform several operations on one
//! concurrent collection (the extractor of COLT: Shacham, Bronson, Aiken,
//! Sagiv, Vechev, Yahav: Testing Atomicity of Composed Concurrent Operations,
//! OOPSLA 2011).
//!
//! Each operation is atomic, all together need not be. A map or set in a lock
//! that a method takes several times is such a collection, too.
//!
//! Whether a method is atomic is not decided here; `commute::compose` does that.
//! Not seen are operations on elements of a collection of collections, in
//! closures that a library calls, and more than one call away.

mod objects;
mod order;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use self::objects::{Object, Root};
use self::objects::{Performed, Summary};
use self::order::Order;
use crate::ir::{Function, FunctionId, Local, Program, Site, TypeKind};

/// A method that performs several operations on one collection.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The method. Of an `async` one, that which callers call.
    pub method: FunctionId,
    /// Its body: of an `async` one, the coroutine.
    pub body: FunctionId,
    /// The collection.
    pub object: Object,
    /// Its type, without modules and arguments: `DashMap`.
    pub collection: String,
    /// Whether it is a plain collection in a lock.
    pub locked: bool,
    /// The operations, in an order in which they may come.
    pub operations: Vec<Step>,
    /// Other methods of the same type that use the collection.
    pub peers: Vec<Peer>,
}

/// An operation of a candidate.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name: `DashMap::insert`.
    pub name: String,
    /// Where the candidate performs it.
    pub site: Site,
    /// The function that it calls to do so, if it does not itself.
    pub through: Option<FunctionId>,
    /// Whether it may perform it more than once.
    pub repeats: bool,
}

/// Another method of a candidate's type.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The method.
    pub method: FunctionId,
    /// Its body: of an `async` one, the coroutine.
    pub body: FunctionId,
    /// Whether it changes anything.
    pub writes: bool,
}

impl Object {
    /// As people write it: `self.map`.
    pub fn text(&self, program: &Program, method: FunctionId) -> String {
        let mut text = match &self.root {
            Root::Parameter(local) => {
                let locals = &program.function(method).locals;
                let name = locals.get(local.index()).and_then(|v| v.name.clone());
                name.unwrap_or_else(|| format!("parameter {}", local.0))
            }
            Root::Static(name) => name.rsplit("::").next().unwrap_or(name).to_owned(),
        };
        for field in &self.fields {
            text.push('.');
            match program.fields.get(field.index()) {
                Some(field) => text.push_str(&field.name),
                None => text.push('?'),
            }
        }
        text
    }
}

/// All candidates, in the order of the source.
pub fn candidates(program: &Program) -> Vec<Candidate> {
    let summaries = objects::summaries(program);
    let methods: Vec<Method> = { summaries.into_iter().zip(0..) }
        .filter(|(summary, _)| !summary.performed.is_empty())
        .map(|(summary, id)| Method::new(program, FunctionId(id), summary))
        .collect();
    let mut all: Vec<Candidate> = methods
        .iter()
        .flat_map(|method| method.candidates(program, &methods))
        .collect();
    all.sort_by_key(|candidate| {
        let function = program.function(candidate.method);
        (function.site, function.name.clone())
    });
    all
}

/// What people call a method: of a coroutine, what made it.
struct Method {
    id: FunctionId,
    body: FunctionId,
    /// What it does to collections.
    performed: Vec<Performed>,
    /// Whether it changes those, or anything else.
    writes: bool,
}

impl Method {
    fn new(program: &Program, body: FunctionId, summary: Summary) -> Method {
        let Summary { mut performed, .. } = summary;
        let writes = performed.iter().any(is_change);
        performed.retain(is_of_collection);
        let outer = caller(program, body);
        // The parameters of the method are the first fields of its coroutine.
        for performed in performed.iter_mut().filter(|_| outer.is_some()) {
            let field = performed.object.fields.first();
            let field = field.and_then(|field| program.fields.get(field.index()));
            let number = field.and_then(|field| field.name.parse::<u32>().ok());
            if let Some(number) = number {
                performed.object.root = Root::Parameter(Local(number + 1));
                performed.object.fields.remove(0);
            }
        }
        Method {
            id: outer.unwrap_or(body),
            body,
            performed,
            writes,
        }
    }

    fn candidates(&self, program: &Program, methods: &[Method]) -> Vec<Candidate> {
        let mut objects: BTreeMap<&Object, Vec<&Performed>> = BTreeMap::new();
        for performed in &self.performed {
            objects
                .entry(&performed.object)
                .or_default()
                .push(performed);
        }
        let shared = objects
            .into_iter()
            .filter(|(object, _)| self.is_shared(program, object));
        let order = Order::of(program.function(self.body));
        let several = shared.filter_map(|(object, done)| {
            let repeats = several(&order, &done)?;
            let mut operations: Vec<Step> = Vec::new();
            let mut listed: Vec<&Performed> = Vec::new();
            for (performed, repeats) in done.iter().zip(repeats) {
                if !listed.iter().any(|other| is_copy(other, performed, &order)) {
                    listed.push(performed);
                    operations.push(Step {
                        name: performed.name.clone(),
                        site: performed.site,
                        through: performed.through,
                        repeats,
                    });
                }
            }
            let name = &done[0].name;
            Some(Candidate {
                method: self.id,
                body: self.body,
                object: object.clone(),
                collection: name.split(['.', ':']).next().unwrap_or(name).to_owned(),
                locked: !done[0].operation.atomic,
                operations,
                peers: self.peers(program, methods, object),
            })
        });
        several.collect()
    }

    /// Whether others can have it at the same time.
    fn is_shared(&self, program: &Program, object: &Object) -> bool {
        let Root::Parameter(local) = &object.root else {
            return true;
        };
        let ty = ty(program, program.function(self.id), *local);
        let Some((name, kind)) = ty.filter(|_| program.guarded) else {
            return true;
        };
        let through_pointer = |field| program.shared.contains(field);
        match kind {
            TypeKind::Shared => true,
            TypeKind::Mutable => object.fields.iter().any(through_pointer),
            _ => name.contains("Arc<") || object.fields.iter().any(through_pointer),
        }
    }

    fn peers(&self, program: &Program, methods: &[Method], object: &Object) -> Vec<Peer> {
        let Root::Parameter(local) = &object.root else {
            return Vec::new();
        };
        let receiver = |method: &Method| ty(program, program.function(method.id), *local);
        let Some(own) = receiver(self) else {
            return Vec::new();
        };
        let is_other = |method: &&Method| {
            method.id != self.id
                && receiver(method) == Some(own)
                && method.performed.iter().any(|p| p.object == *object)
        };
        let others: Vec<&Method> = methods.iter().filter(is_other).collect();
        let is_public = |method: &Method| program.function(method.id).public;
        // What only the type itself calls is no peer; if nothing is public, who knows.
        let all = !is_public(self) && !others.iter().any(|method| is_public(method));
        let peers = others.into_iter().filter(|method| all || is_public(method));
        peers
            .map(|method| Peer {
                method: method.id,
                body: method.body,
                writes: method.writes,
            })
            .collect()
    }
}

/// The name and kind of a local's type.
fn ty<'p>(program: &'p Program, function: &Function, local: Local) -> Option<(&'p str, TypeKind)> {
    let ty = function.locals.get(local.index())?.ty;
    let ty = program.types.get(ty.index())?;
    Some((&ty.name, ty.kind))
}

/// The `async` function that a coroutine is the body of.
fn caller(program: &Program, body: FunctionId) -> Option<FunctionId> {
    let function = program.function(body);
    let name = function.name.strip_suffix("::{closure#0}")?;
    let (ty, _) = ty(program, function, Local(1))?;
    if !ty.contains("{async fn body of ") {
        return None;
    }
    let named = |other: &&Function| other.name == name && other.site.file == function.site.file;
    let before = |other: &&Function| other.site.line <= function.site.line;
    let found = program.functions.iter().filter(named).filter(before);
    let found = found.max_by_key(|other| other.site.line)?;
    let at = { program.functions.iter() }.position(|other| std::ptr::eq(other, found))?;
    Some(FunctionId(at as u32))
}

/// Atomics are not collections, and of what locks guard maps and sets count.
fn is_of_collection(performed: &Performed) -> bool {
    let operation = &performed.operation;
    match operation.atomic {
        true => operation.spec != Some("atomic"),
        false => performed.guard.is_some() && matches!(operation.spec, Some("map" | "set")),
    }
}

fn is_change(performed: &Performed) -> bool {
    // What is lent to be changed counts as read where it is lent.
    performed.operation.writes || performed.name.ends_with("_mut")
}

/// Whether two operations are one in the source: compilers write some code several
/// times (`finally`), once for each way that leads there. What comes after the
/// other in one turn is another operation, also if both are on one line.
fn is_copy(one: &Performed, other: &Performed, order: &Order<'_>) -> bool {
    one.site == other.site
        && one.name == other.name
        && !one.comes_before(other, order)
        && !other.comes_before(one, order)
}

/// Which of these may come more than once, if it is several that come in one
/// call, and not under one lock.
fn several(order: &Order<'_>, done: &[&Performed]) -> Option<Vec<bool>> {
    let mut repeats = Vec::new();
    let mut any = false;
    for (at, one) in done.iter().enumerate() {
        let after = order.after(one.block);
        // In a loop: every turn takes a lock again, unless it is taken before.
        let round = one.guard.map_or(one.block, |(block, _)| block);
        let again = order.after(round)[round] && after[one.block];
        any |= again;
        repeats.push(again);
        any |= done.iter().enumerate().any(|(then, other)| {
            let follows = after[other.block] || one.block == other.block && at < then;
            let apart = one.operation.atomic || one.guard != other.guard;
            follows && apart && !is_copy(one, other, order)
        });
    }
    any.then_some(repeats)
}
