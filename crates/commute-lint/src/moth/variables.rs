//! Variables (MoTH, §3): local ones, and global ones, which are fields.
//!
//! A global variable is (class, field); two objects of a class are not told
//! apart. Of a place it is the last field that is reached through a pointer;
//! elements count as their array's field. A static is a global variable with a
//! name of its own.
//!
//! Deviation: the paper's locals hold objects; Rust's also hold references
//! into them, and guards. A local that borrows a global variable *stands for*
//! it, also where it was passed to another function or returned from one. This
//! is found without regard to the order of statements and to calling contexts.
//!
//! Cost: linear in the program, times the variables a reference may stand for.
//! Known gap: a reference that is stored in a structure and taken out again
//! stands for the field it was stored in.

use std::collections::BTreeMap;

use crate::ir::{Field, FunctionId, Local, Operand, Place, Program, Statement, Step};

/// A global variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Global(pub(crate) u32);

/// A variable as one function sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Variable {
    /// A local of the function.
    Local(Local),
    /// A global variable.
    Global(Global),
}

/// All global variables, and which locals stand for them.
pub(crate) struct Variables {
    names: Vec<String>,
    /// Nothing for fields of tuples and closures, which have no class: they
    /// belong to what they are in.
    of_field: Vec<Option<Global>>,
    of_static: BTreeMap<String, Global>,
    /// Of each function, where its locals begin in `stands_for`.
    pub(super) offsets: Vec<usize>,
    pub(super) stands_for: Vec<Vec<Global>>,
    /// The locals of the same function that a local may point to.
    pub(super) points_to: Vec<Vec<Local>>,
}

impl Variables {
    pub(crate) fn of(program: &Program) -> Variables {
        let mut names: Vec<String> = program.fields.iter().map(|f| f.to_string()).collect();
        names.sort_unstable();
        names.dedup();
        let global = |name: &String| {
            let index = names.binary_search(name).unwrap_or_default();
            Global(index as u32)
        };
        let has_class = |field: &Field| !field.class.starts_with(['(', '{']);
        let fields = program
            .fields
            .iter()
            .map(|field| has_class(field).then(|| global(&field.to_string())));
        let of_field = fields.collect();
        let mut of_static = BTreeMap::new();
        for name in statics(program) {
            if !of_static.contains_key(name) {
                of_static.insert(name.to_owned(), Global(names.len() as u32));
                names.push(name.to_owned());
            }
        }
        let mut offsets = vec![0];
        for function in &program.functions {
            offsets.push(offsets[offsets.len() - 1] + function.locals.len());
        }
        let mut variables = Variables {
            names,
            of_field,
            of_static,
            stands_for: vec![Vec::new(); offsets[offsets.len() - 1]],
            points_to: vec![Vec::new(); offsets[offsets.len() - 1]],
            offsets,
        };
        variables.references(program);
        variables
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn name(&self, global: Global) -> &str {
        &self.names[global.0 as usize]
    }

    /// What a local stands for.
    pub(crate) fn behind(&self, function: FunctionId, local: Local) -> &[Global] {
        &self.stands_for[self.offsets[function.index()] + local.index()]
    }

    /// The locals that a local may point to.
    pub(crate) fn pointees(&self, function: FunctionId, local: Local) -> &[Local] {
        &self.points_to[self.offsets[function.index()] + local.index()]
    }

    /// The global variables that a place may be; none if it is in a local.
    pub(crate) fn globals(&self, function: FunctionId, place: &Place) -> Vec<Global> {
        match self.field(place) {
            Some(global) => vec![global],
            None if place.steps.contains(&Step::Deref) => {
                self.behind(function, place.local).to_vec()
            }
            None => Vec::new(),
        }
    }

    /// The last field that is reached through a pointer.
    pub(super) fn field(&self, place: &Place) -> Option<Global> {
        let pointer = place.steps.iter().position(|step| *step == Step::Deref)?;
        let behind = place.steps[pointer..].iter().rev();
        behind
            .filter_map(|step| match step {
                Step::Field(field) => self.of_field[field.index()],
                Step::Deref | Step::Element(_) => None,
            })
            .next()
    }

    /// The variable behind the address of a static.
    pub(crate) fn of_static(&self, name: &str) -> Option<Global> {
        self.of_static.get(name).copied()
    }
}

fn statics(program: &Program) -> impl Iterator<Item = &str> {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    let statements = blocks.flat_map(|block| &block.statements);
    let operands = statements.flat_map(|(statement, _)| match statement {
        Statement::Assign { from, .. } => from.as_slice(),
        Statement::Call { arguments, .. } => arguments,
        Statement::Drop(_) => &[],
    });
    operands.filter_map(|operand| match operand {
        Operand::Static(name) => Some(name.as_str()),
        Operand::Place(..) | Operand::Constant(_) => None,
    })
}
