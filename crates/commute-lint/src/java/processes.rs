//! What runs concurrently: `main`, whatever a thread is started with, and, in
//! a library, the methods that others may call.

use std::collections::BTreeSet;

use cafebabe::MethodAccessFlags;

use super::hierarchy::World;
use crate::ir::{FunctionId, Process};

/// Every process is taken to run several times at once: programs start
/// threads in loops, and servers run `main` of a class for each request. The
/// paper assumes it as well (one thread class is enough for a violation).
const SEVERAL: bool = true;

/// What the bodies of all functions said about processes.
#[derive(Default)]
pub(super) struct Facts {
    /// The types of what threads are started with, and the type that the
    /// starter expected.
    pub(super) started: BTreeSet<(String, String)>,
    /// The classes that have regions.
    pub(super) regions: BTreeSet<usize>,
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

/// The processes of a program whose functions have these names.
pub(super) fn processes(world: &World<'_>, facts: &Facts, names: &[String]) -> Vec<Process> {
    let mut functions = mains(world);
    for (class, expected) in &facts.started {
        let method = entry(expected);
        let mut reached = world.reached(class, method);
        if reached.is_empty() {
            // All that is known is the type that the starter asked for.
            reached = world.reached(expected, method);
        }
        functions.extend(reached.iter());
    }
    if functions.is_empty() {
        functions = callable(world, facts);
    }
    let process = |function: FunctionId| Process {
        name: names[function.index()].clone(),
        function,
        several: SEVERAL,
    };
    functions.into_iter().map(process).collect()
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

/// The public methods of classes that have regions: there the author thought
/// of several threads.
fn callable(world: &World<'_>, facts: &Facts) -> BTreeSet<FunctionId> {
    let mut functions = BTreeSet::new();
    for &index in &facts.regions {
        let class = &world.classes[index];
        for (method, function) in class.file.methods.iter().zip(&class.functions) {
            let flags = method.access_flags;
            if flags.contains(MethodAccessFlags::PUBLIC)
                && !flags.contains(MethodAccessFlags::SYNTHETIC)
                && !method.name.starts_with('<')
            {
                functions.extend(function);
            }
        }
    }
    functions
}
