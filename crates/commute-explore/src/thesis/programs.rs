//! The programs on data structures of chapter 4 of the thesis, as scripts.

use std::sync::Arc;

use commute_model::Value;
use commute_spec::models::{Model as Sequential, UnionFind};

use crate::model::Model;
use crate::models::Specified;
use crate::scripted::{Does, Script, Scripted};

/// An object with a specification.
pub(super) fn object(name: &str) -> (Arc<dyn Model>, Value) {
    let model = Specified::named(name).expect("a built-in model");
    let initial = model.initial();
    (Arc::new(model), initial)
}

/// Disjoint sets of so many elements.
fn union_find(size: usize) -> (Arc<dyn Model>, Value) {
    // Specified objects keep their model for ever; there are few of these.
    let model: &'static UnionFind = Box::leak(Box::new(UnionFind::new(size as u32)));
    let initial = model.initial();
    (Arc::new(Specified::new(model)), initial)
}

/// A thread that does this, whatever comes of it.
pub(super) fn does(calls: Vec<(&'static str, Vec<Value>)>) -> Script {
    Box::new(move |results| match calls.get(results.len()) {
        Some((method, args)) => Does::Call(0, method, args.clone()),
        None => Does::Return,
    })
}

/// A first thread that starts `count` others, and then does this.
pub(super) fn starts(count: usize, then: impl Fn(&[Value]) -> Does + 'static) -> Script {
    Box::new(move |results| match results.get(count..) {
        None => Does::Start(results.len() + 1),
        Some(rest) => then(rest),
    })
}

/// `n` threads on one object, each of which does what `calls` says.
fn each(
    object: (Arc<dyn Model>, Value),
    n: usize,
    calls: impl Fn(i128) -> Vec<(&'static str, Vec<Value>)>,
) -> Scripted {
    let mut scripts = vec![starts(n, |_| Does::Return)];
    scripts.extend((0..n).map(|i| does(calls(i as i128))));
    Scripted::new(vec![object], scripts)
}

pub(super) fn int(n: i128) -> Value {
    Value::Int(n)
}

/// A state of a set or of disjoint sets: all below `n`.
fn below(n: usize) -> Value {
    Value::tuple((0..n).map(|i| int(i as i128)))
}

/// N-COUNTER-INC: each increments.
pub(super) fn counter(n: usize) -> Scripted {
    each(object("counter"), n, |_| vec![("inc", vec![])])
}

/// N-SET-ADD: each adds a number of its own.
pub(super) fn set_add(n: usize) -> Scripted {
    each(object("set"), n, |i| vec![("add", vec![int(i)])])
}

/// The set holds them all; each looks for its own.
pub(super) fn set_seek(n: usize) -> Scripted {
    let (model, _) = object("set");
    each((model, below(n)), n, |i| vec![("contains", vec![int(i)])])
}

/// All but one add, and that one asks how many there are.
pub(super) fn set_add_size(n: usize) -> Scripted {
    each(object("set"), n, move |i| match i < n as i128 - 1 {
        true => vec![("add", vec![int(i)])],
        false => vec![("size", vec![])],
    })
}

/// Each looks under one of three keys.
pub(super) fn ht_get(n: usize) -> Scripted {
    each(object("map"), n, |i| vec![("get", vec![int(i % 3)])])
}

/// Each puts, under one of three keys.
pub(super) fn ht_put(n: usize) -> Scripted {
    each(object("map"), n, |i| {
        vec![("put", vec![int(i % 3), int(i)])]
    })
}

/// Each puts under one of two keys, and gets from the other.
pub(super) fn ht_mixed(n: usize) -> Scripted {
    each(object("map"), n, |i| {
        let put = ("put", vec![int(i % 2), int(i)]);
        vec![put, ("get", vec![int((i + 1) % 2)])]
    })
}

/// All are joined; each asks for its representative.
pub(super) fn uf_find(n: usize) -> Scripted {
    let (model, _) = union_find(n);
    let joined = Value::tuple([below(n)]);
    each((model, joined), n, |i| vec![("find", vec![int(i)])])
}

/// Even ones join their number with the next, odd ones ask for their representative.
pub(super) fn uf_mixed(n: usize) -> Scripted {
    each(union_find(n + 1), n, |i| match i % 2 {
        0 => vec![("union", vec![int(i), int(i + 1)])],
        _ => vec![("find", vec![int(i)])],
    })
}
