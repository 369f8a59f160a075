//! The variables and the stack of a method, as locals.
//!
//! Within a block the stack holds values by name: a variable that is loaded
//! stays that variable, what is computed is a local of its own. Where blocks
//! meet, each depth of the stack has one local, which all predecessors assign.

use cafebabe::attributes::{AttributeData, CodeData, LocalVariableEntry};
use rustc_hash::FxHashMap;

use super::arithmetic::Kind;
use super::body::{Body, Value, of};
use crate::ir::{Local, Operand, Place, Rule};

/// The variables and the stack at an instruction.
pub(super) struct Frame<'m, 'a> {
    pub(super) stack: Vec<Value>,
    /// The names of variables, if the compiler wrote them down.
    named: Vec<(&'m LocalVariableEntry<'a>, Kind)>,
    /// The locals of variables. A slot is used for several variables, which
    /// have several names or at least kinds.
    variables: FxHashMap<(u16, Kind, Option<&'m str>), Local>,
    /// The locals of depths of the stack.
    depths: FxHashMap<(usize, Kind), Local>,
}

impl<'m, 'a> Frame<'m, 'a> {
    pub(super) fn new(code: &'m CodeData<'a>) -> Frame<'m, 'a> {
        let named = (code.attributes.iter())
            .filter_map(|attribute| match &attribute.data {
                AttributeData::LocalVariableTable(entries) => Some(entries),
                _ => None,
            })
            .flatten()
            .map(|entry| (entry, Kind::of(&entry.descriptor.to_string())))
            .collect();
        Frame {
            stack: Vec::new(),
            named,
            variables: FxHashMap::default(),
            depths: FxHashMap::default(),
        }
    }

    /// The entry for a slot at an offset.
    fn entry(&self, slot: u16, kind: Kind, offset: usize) -> Option<&'m LocalVariableEntry<'a>> {
        let valid = |(entry, of): &&(&LocalVariableEntry<'a>, Kind)| {
            let start = usize::from(entry.start_pc);
            entry.index == slot
                && *of == kind
                && (start..start + usize::from(entry.length)).contains(&offset)
        };
        self.named.iter().find(valid).map(|(entry, _)| *entry)
    }

    /// A parameter is the variable in its slot from the beginning.
    pub(super) fn parameter(
        &mut self,
        body: &mut Body<'_, '_>,
        slot: u16,
        descriptor: &str,
        is_this: bool,
    ) {
        let kind = Kind::of(descriptor);
        let entry = self.entry(slot, kind, 0);
        let name = entry.map(|entry| &*entry.name);
        let ty = body.tables.ty(descriptor);
        let local = body.local(name.or(is_this.then_some("this")), ty);
        self.variables.insert((slot, kind, name), local);
        // Code that names no variables, or not everywhere, means this one.
        self.variables.insert((slot, kind, None), local);
    }

    /// The local of a variable at an offset; a value that is stored says what
    /// it is if nothing else does.
    pub(super) fn variable(
        &mut self,
        body: &mut Body<'_, '_>,
        slot: u16,
        kind: Kind,
        offset: usize,
        stored: Option<&Value>,
    ) -> Local {
        let entry = self.entry(slot, kind, offset);
        let name = entry.map(|entry| &*entry.name);
        let key = (slot, kind, name);
        if let Some(&local) = self.variables.get(&key) {
            // Another variable, of which only the slot is known.
            let known = body.locals[local.index()].ty;
            if name.is_none() && stored.is_some_and(|value| value.ty != known) {
                body.locals[local.index()].ty = body.tables.ty(kind.descriptor());
            }
            return local;
        }
        let ty = match (entry, stored) {
            (Some(entry), _) => body.tables.ty(&entry.descriptor.to_string()),
            (None, Some(value)) => value.ty,
            (None, None) => body.tables.ty(kind.descriptor()),
        };
        let local = body.local(name, ty);
        self.variables.insert(key, local);
        local
    }

    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(super) fn pop(&mut self) -> Result<Value, String> {
        self.stack
            .pop()
            .ok_or_else(|| "it takes a value from an empty stack".to_owned())
    }

    /// The topmost values, the deepest first.
    pub(super) fn pop_many(&mut self, count: usize) -> Result<Vec<Value>, String> {
        match self.stack.len().checked_sub(count) {
            Some(rest) => Ok(self.stack.split_off(rest)),
            None => Err("it takes a value from an empty stack".to_owned()),
        }
    }

    /// The topmost values that take this many slots together.
    fn pop_slots(&mut self, slots: usize) -> Result<Vec<Value>, String> {
        let mut values = Vec::new();
        let mut left = slots;
        while left > 0 {
            let value = self.pop()?;
            left = left
                .checked_sub(1 + usize::from(value.wide))
                .ok_or("it takes half of a value from the stack")?;
            values.push(value);
        }
        values.reverse();
        Ok(values)
    }

    /// Drops what takes this many slots.
    pub(super) fn drop_slots(&mut self, slots: usize) -> Result<(), String> {
        self.pop_slots(slots).map(|_| ())
    }

    /// Doubles what takes this many slots, and puts the copy below what takes
    /// that many.
    pub(super) fn double(&mut self, slots: usize, below: usize) -> Result<(), String> {
        let top = self.pop_slots(slots)?;
        let under = self.pop_slots(below)?;
        self.stack.extend(top.iter().cloned());
        self.stack.extend(under);
        self.stack.extend(top);
        Ok(())
    }

    /// A local is about to change: what the stack has of it is saved.
    pub(super) fn save(&mut self, body: &mut Body<'_, '_>, changes: Local) {
        body.changes(changes);
        let mut saved: Option<Local> = None;
        for value in &mut self.stack {
            if value.local() != Some(changes) {
                continue;
            }
            let local = *saved.get_or_insert_with(|| {
                let local = body.local(None, value.ty);
                body.assign(Place::local(local), Rule::Copy, vec![of(changes)]);
                local
            });
            value.operand = of(local);
        }
    }

    /// The block ends: what is on the stack goes to the locals of its depths,
    /// or to those that a block which was there before uses.
    pub(super) fn spill(
        &mut self,
        body: &mut Body<'_, '_>,
        known: Option<&[Value]>,
    ) -> Result<(), String> {
        if known.is_some_and(|known| known.len() != self.stack.len()) {
            return Err("the depth of its stack depends on the way taken".to_owned());
        }
        let mut targets = Vec::with_capacity(self.stack.len());
        for (depth, value) in self.stack.iter().enumerate() {
            let target = match known.and_then(|known| known[depth].local()) {
                Some(local) => local,
                None => {
                    let kind = kind_of(body, value);
                    *(self.depths.entry((depth, kind)))
                        .or_insert_with(|| body.local(None, value.ty))
                }
            };
            targets.push(target);
        }
        // One of them may be needed for another depth.
        for (depth, &target) in targets.iter().enumerate() {
            let elsewhere =
                |(at, value): (usize, &Value)| at != depth && value.local() == Some(target);
            if self.stack.iter().enumerate().any(elsewhere) {
                let local = body.local(None, self.stack[depth].ty);
                body.assign(Place::local(local), Rule::Copy, vec![of(target)]);
                for (at, value) in self.stack.iter_mut().enumerate() {
                    if at != depth && value.local() == Some(target) {
                        value.operand = of(local);
                    }
                }
            }
        }
        for (value, target) in self.stack.iter_mut().zip(targets) {
            if value.local() != Some(target) {
                let from = std::mem::replace(&mut value.operand, of(target));
                body.assign(Place::local(target), Rule::Copy, vec![from]);
            }
            value.operand = Operand::Place(Place::local(target), false);
        }
        Ok(())
    }
}

fn kind_of(body: &Body<'_, '_>, value: &Value) -> Kind {
    match body.tables.types[value.ty.index()].name.as_str() {
        "int" | "short" | "byte" | "char" | "boolean" => Kind::Int,
        "long" => Kind::Long,
        "float" => Kind::Float,
        "double" => Kind::Double,
        _ => Kind::Reference,
    }
}
