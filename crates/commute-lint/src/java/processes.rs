//! What runs concurrently: `main`, whatever a thread is started with, and, in
//! a library, the methods that others may call.

use std::collections::{BTreeMap, BTreeSet};

use cafebabe::MethodAccessFlags;
use cafebabe::descriptors::FieldType;

use super::hierarchy::World;
use crate::ir::{Callee, Function, FunctionId, Process, Statement};

/// What the bodies of all functions said about processes.
#[derive(Default)]
pub(super) struct Facts {
    /// The types of what threads are started with, and the type that the
    /// starter expected; and whether there may be several at once.
    pub(super) started: BTreeMap<(String, String), bool>,
    /// The classes that have regions.
    pub(super) regions: BTreeSet<usize>,
}

/// Whether a thread can be given an object of this type.
pub(super) fn is_task(class: &str) -> bool {
    matches!(
        class,
        "java/lang/Runnable" | "java/util/concurrent/Callable" | "java/util/TimerTask"
    )
}

/// The method that is run of something that a thread is started with.
fn entry(expected: &str) -> &'static str {
    match expected {
        "java/util/concurrent/Callable" => "call()Ljava/lang/Object;",
        "java/util/function/Supplier" => "get()Ljava/lang/Object;",
        "java/util/function/Consumer" => "accept(Ljava/lang/Object;)V",
        "java/util/function/Function" => "apply(Ljava/lang/Object;)Ljava/lang/Object;",
        "java/util/function/BiConsumer" => "accept(Ljava/lang/Object;Ljava/lang/Object;)V",
        "java/util/function/BiFunction" => {
            "apply(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"
        }
        "java/util/concurrent/RecursiveAction" => "compute()V",
        "java/util/concurrent/RecursiveTask" | "java/util/concurrent/ForkJoinTask" => {
            "compute()Ljava/lang/Object;"
        }
        _ => "run()V",
    }
}

/// The processes of a program with these functions.
///
/// `main` runs once, and what it starts outside of loops does. Whatever others
/// may call, they call often. Where no thread starts and yet something locks,
/// `main` only shows how classes are used that are meant for several threads.
pub(super) fn processes(world: &World<'_>, facts: &Facts, functions: &[Function]) -> Vec<Process> {
    let mains = mains(world);
    let mut found: BTreeMap<FunctionId, bool> = BTreeMap::new();
    for main in &mains {
        found.insert(*main, false);
    }
    for ((class, expected), several) in &facts.started {
        let method = entry(expected);
        let mut reached = world.reached(class, method);
        if reached.is_empty() {
            // All that is known is the type that the starter asked for.
            reached = world.reached(expected, method);
        }
        for function in reached.iter() {
            let known = found.entry(*function).or_insert(*several);
            *known |= several;
        }
    }
    let alone = facts.started.is_empty();
    let reached = match mains.is_empty() || alone {
        true => BTreeSet::new(),
        false => reached(functions, found.keys().copied()),
    };
    let visible = match mains.is_empty() || !alone {
        true => Visible::Everywhere,
        false => Visible::InPackage,
    };
    for function in callable(world, facts, &reached, visible) {
        // What threads run is public, and yet nobody calls it.
        found.entry(function).or_insert(true);
    }
    let process = |(function, several): (FunctionId, bool)| Process {
        name: functions[function.index()].name.clone(),
        function,
        several,
    };
    found.into_iter().map(process).collect()
}

/// All functions that these call, and those that they call, and so on.
fn reached(functions: &[Function], from: impl Iterator<Item = FunctionId>) -> BTreeSet<FunctionId> {
    let mut todo: Vec<FunctionId> = from.collect();
    let mut seen: BTreeSet<FunctionId> = todo.iter().copied().collect();
    while let Some(function) = todo.pop() {
        let blocks = functions[function.index()].blocks.iter();
        for (statement, _) in blocks.flat_map(|block| &block.statements) {
            let Statement::Call {
                callee: Callee::Functions(called),
                ..
            } = statement
            else {
                continue;
            };
            todo.extend(called.iter().filter(|called| seen.insert(**called)));
        }
    }
    seen
}

fn mains(world: &World<'_>) -> BTreeSet<FunctionId> {
    let flags = MethodAccessFlags::PUBLIC | MethodAccessFlags::STATIC;
    let main = |class: &super::class::Class<'_>| {
        let index = class.method("main([Ljava/lang/String;)V")?;
        let method = &class.file.methods[index];
        class.functions[index].filter(|_| method.access_flags.contains(flags))
    };
    world.classes.iter().filter_map(main).collect()
}

/// From where a method can be called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visible {
    Everywhere,
    InPackage,
}

impl Visible {
    fn holds(self, flags: MethodAccessFlags) -> bool {
        match self {
            Visible::Everywhere => flags.contains(MethodAccessFlags::PUBLIC),
            Visible::InPackage => !flags.contains(MethodAccessFlags::PRIVATE),
        }
    }
}

/// The methods that others see of classes that have regions, in themselves, a class they
/// extend, one around or inside of them, or an object that they keep: there the
/// author thought of several threads. Not of those that the program itself uses: how, can be
/// seen.
fn callable(
    world: &World<'_>,
    facts: &Facts,
    used: &BTreeSet<FunctionId>,
    visible: Visible,
) -> BTreeSet<FunctionId> {
    let mut functions = BTreeSet::new();
    let locks = |name: &str| {
        facts
            .regions
            .contains(&world.number(name).unwrap_or(usize::MAX))
    };
    let nest = |name: &str| name.split('$').next().unwrap_or_default().to_owned();
    let nests: BTreeSet<String> = (facts.regions.iter())
        .map(|index| nest(world.classes[*index].name()))
        .collect();
    for (index, class) in world.classes.iter().enumerate() {
        let inherits = || world.above(class.name()).any(locks);
        // Who keeps an object that has locks composes what it does.
        let keeps = || {
            let mut fields = class.file.fields.iter();
            fields.any(|field| match &field.descriptor.field_type {
                FieldType::Object(name) => locks(name),
                _ => false,
            })
        };
        let own = facts.regions.contains(&index) || nests.contains(&nest(class.name()));
        if !own && !inherits() && !keeps() {
            continue;
        }
        let mut own = class.functions.iter().flatten();
        if own.any(|function| used.contains(function)) {
            continue;
        }
        for (method, function) in class.file.methods.iter().zip(&class.functions) {
            let flags = method.access_flags;
            if visible.holds(flags)
                && !flags.contains(MethodAccessFlags::SYNTHETIC)
                && !method.name.starts_with('<')
            {
                functions.extend(function);
            }
        }
    }
    functions
}
