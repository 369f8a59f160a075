//! The Java front end: class files to [`crate::ir`].
//!
//! Class files are read by `cafebabe`; what is ours is the way from a stack
//! machine to locals and blocks (`lowering`, `frame`, `instruction`), the
//! hierarchy of classes that decides what a call reaches (`hierarchy`),
//! lambdas (`closures`), the regions (`regions`), the JDK in tables
//! (`library`) and the processes (`processes`).
//!
//! - A field is (class, field), with the class that declares it; the elements of
//!   an array belong to the field that it was read from.
//! - Static fields are fields of an object that the class is.
//! - A method with `@Atomic` is a region, whatever package the annotation is
//!   from. `synchronized` and `java.util.concurrent` locks are regions, too.
//! - Exceptions come from calls and `throw`; after a call that somebody may
//!   catch, a branch on a constant leads to the handlers.
//! - What cannot be read or is not understood is a gap, and the rest is
//!   analysed: classes that are broken, `jsr` and `ret`, an `invokedynamic`
//!   of another language, locks that are given up in another method.

pub mod archive;
mod arithmetic;
mod body;
mod calls;
mod class;
mod closures;
mod confined;
mod flow;
mod frame;
mod hierarchy;
mod holders;
mod instruction;
mod jumps;
mod library;
mod lowering;
mod method;
mod names;
mod processes;
mod regions;
mod shape;
mod tables;

use std::collections::BTreeSet;

use body::Body;
use cafebabe::FieldAccessFlags;
use cafebabe::bytecode::Opcode;
use hierarchy::World;
use processes::Facts;
use tables::Tables;

use crate::ir::{FieldId, FileId, Function, Program};

/// A class file.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name in messages: a file, or a file and the entry in it.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// The program that these classes are.
pub fn program(classes: &[Input]) -> Program {
    let mut tables = Tables::default();
    // Site::UNKNOWN is in file 0.
    tables.file("");
    let files = class::check(classes, &mut tables);
    let classes = class::read(&files, &mut tables);
    let mut world = World::new(classes, &mut tables);
    let sites = closures::find(&mut world);
    world.holders = holders::find(&world);
    let mut facts = Facts::default();
    let mut functions: Vec<Function> = Vec::with_capacity(world.functions);
    for class in 0..world.classes.len() {
        for method in 0..world.classes[class].file.methods.len() {
            if world.classes[class].functions[method].is_some() {
                let at = method::At { class, method };
                let function = method::lower(&world, &mut tables, &mut facts, &sites, at);
                functions.push(function);
            }
        }
    }
    method::natives(&world, &mut tables);
    for closure in &world.closures {
        let name = closures::shown(closure);
        let body = Body::new(&world, &mut tables, &mut facts, closure.home, name);
        functions.push(body.forward(closure));
    }
    Program {
        processes: processes::processes(&world, &facts, &functions),
        confined: confined::find(&world),
        parts: confined::parts(&world, &mut tables),
        volatile: volatile(&world, &mut tables),
        unchecked: unchecked(&world, &mut tables),
        functions,
        fields: tables.fields,
        types: tables.types,
        files: tables.files,
        gaps: tables.gaps,
        ..Program::default()
    }
}

/// The files of classes that change fields past the language: who makes locks
/// and queues that way keeps an order that cannot be seen.
fn unchecked(world: &World<'_>, tables: &mut Tables) -> BTreeSet<FileId> {
    let mut found = BTreeSet::new();
    for class in &world.classes {
        let codes = (class.file.methods.iter())
            .filter_map(|method| class::code(method)?.bytecode.as_ref())
            .flat_map(|bytecode| &bytecode.opcodes);
        let mut called = codes.filter_map(|(_, opcode)| match opcode {
            Opcode::Invokevirtual(member) => Some(&*member.class_name),
            _ => None,
        });
        if called.any(library::is_past_the_language)
            && let Some(source) = class.source()
        {
            found.insert(tables.file(&source));
        }
    }
    found
}

/// The fields that are `volatile`.
fn volatile(world: &World<'_>, tables: &mut Tables) -> BTreeSet<FieldId> {
    let mut found = BTreeSet::new();
    for class in &world.classes {
        for field in &class.file.fields {
            if field.access_flags.contains(FieldAccessFlags::VOLATILE) {
                found.insert(tables.field(class.name(), &field.name));
            }
        }
    }
    found
}
