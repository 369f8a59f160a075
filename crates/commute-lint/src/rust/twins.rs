//! Closures that one macro makes are told apart.
//!
//! The compiler names a closure by its place in the source. All that `select!`
//! makes are in the macro's definition: one name for all of them. Here each
//! gets its own, in its body and where it is made.

use std::collections::BTreeMap;

use crate::rust::mir::syntax::{Body, BodyKind, Mir, Operand, Place, Statement, Step, Value};
use crate::rust::resolve::closure_of;

/// Gives closures that have one name, and are in one function or in several,
/// names of their own.
pub(crate) fn tell_apart(mir: &mut Mir) {
    let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, body) in mir.bodies.iter().enumerate() {
        if body.kind == BodyKind::Function
            && !body.name.contains("::{synthetic#")
            && let Some(closure) = closure_of(body)
        {
            all.entry(closure.to_owned()).or_default().push(at);
        }
    }
    all.retain(|_, twins| twins.len() > 1);
    if all.is_empty() {
        return;
    }
    let functions = mir.bodies.iter().enumerate();
    let functions = functions.filter(|(_, body)| body.kind == BodyKind::Function);
    let by_name: BTreeMap<String, usize> = functions
        .map(|(at, body)| (body.name.clone(), at))
        .collect();
    for (ty, twins) in all {
        let mut families: BTreeMap<usize, Vec<(u32, usize)>> = BTreeMap::new();
        for twin in twins {
            if let Some((parent, number)) = family(&mir.bodies[twin].name)
                && let Some(parent) = by_name.get(parent)
            {
                families.entry(*parent).or_default().push((number, twin));
            }
        }
        for (parent, mut children) in families {
            // Both are in the order of the source.
            children.sort_unstable();
            let made = made(&mir.bodies[parent], &ty);
            if made.len() != children.len() {
                continue;
            }
            for (at, (_, child)) in made.into_iter().zip(children) {
                let open = ty.strip_suffix('}').unwrap_or(&ty);
                let name = format!("{open} #{child}}}");
                rename_made(&mut mir.bodies[parent], at, &ty, &name);
                rename_own(&mut mir.bodies[child], &ty, &name);
            }
        }
    }
}

/// Who a closure belongs to, and which of its closures it is.
fn family(name: &str) -> Option<(&str, u32)> {
    let (parent, last) = name.rsplit_once("::")?;
    let number = last.strip_prefix("{closure#")?.strip_suffix('}')?;
    Some((parent, number.parse().ok()?))
}

/// A statement: its block, and its place there.
type At = (usize, usize);

/// Where values of this type are made.
fn made(body: &Body, ty: &str) -> Vec<At> {
    let mut made = Vec::new();
    for (block, content) in body.blocks.iter().enumerate() {
        for (at, (statement, _)) in content.statements.iter().enumerate() {
            if let Statement::Assign(to, Value::Aggregate(name, _)) = statement
                && name.starts_with('{')
                && type_of(body, to) == Some(ty)
            {
                made.push((block, at));
            }
        }
    }
    made
}

fn type_of<'b>(body: &'b Body, place: &'b Place) -> Option<&'b str> {
    match place.steps.last() {
        Some(Step::Field(_, ty)) => Some(ty),
        Some(_) => None,
        None => {
            let mut locals = body.locals.iter();
            let decl = locals.find(|decl| decl.local == place.local)?;
            Some(&decl.ty)
        }
    }
}

/// The closure that is made there has another name, and so has what it is
/// copied to.
fn rename_made(body: &mut Body, (block, at): At, ty: &str, name: &str) {
    let mut renamed = Vec::new();
    if let Statement::Assign(to, Value::Aggregate(class, _)) =
        &mut body.blocks[block].statements[at].0
    {
        if class == ty {
            name.clone_into(class);
        }
        match to.steps.last_mut() {
            Some(Step::Field(_, ty)) => name.clone_into(ty),
            _ => renamed.push(to.local),
        }
    }
    for (statement, _) in body.blocks.iter().flat_map(|block| &block.statements) {
        if let Statement::Assign(to, Value::Use(from) | Value::Cast(from, _)) = statement
            && let Operand::Copy(from) | Operand::Move(from) = from
            && from.steps.is_empty()
            && to.steps.is_empty()
            && renamed.contains(&from.local)
        {
            renamed.push(to.local);
        }
    }
    let locals = body.locals.iter_mut();
    for decl in locals.filter(|decl| decl.ty == ty && renamed.contains(&decl.local)) {
        name.clone_into(&mut decl.ty);
    }
}

/// The body of the closure knows it by its new name.
fn rename_own(body: &mut Body, ty: &str, name: &str) {
    if let Some(first) = body.parameters.first_mut() {
        *first = first.replace(ty, name);
    }
    let reference = format!("&mut {ty}");
    for decl in &mut body.locals {
        if decl.ty == ty || decl.ty == reference {
            decl.ty = decl.ty.replace(ty, name);
        }
    }
}
