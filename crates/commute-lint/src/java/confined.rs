//! Objects that one thread runs, and no other.
//!
//! A `Thread` is started once. A task that is made where it is handed over
//! (`executor.execute(new Task())`) is run by whoever gets it there. Two runs of
//! such a `run` have two objects.

use std::collections::{BTreeMap, BTreeSet};

use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::MemberRef;

use super::arithmetic;
use super::class;
use super::hierarchy::World;
use super::names;
use super::processes::is_task;
use super::tables::Tables;
use crate::ir::{FieldId, FunctionId};

/// The methods that run such objects.
pub(super) fn find(world: &World<'_>) -> BTreeSet<FunctionId> {
    let handed_over = handed_over(world);
    let mut found = BTreeSet::new();
    for class in &world.classes {
        let runs = match world.is_a(class.name(), "java/lang/Thread") {
            true => ["run()V"].as_slice(),
            false if handed_over.contains(class.name()) => {
                ["run()V", "call()Ljava/lang/Object;"].as_slice()
            }
            false => continue,
        };
        let methods = runs.iter().filter_map(|run| class.method(run));
        found.extend(methods.filter_map(|method| class.functions[method]));
    }
    found
}

/// The classes of which every object is handed over where it is made.
fn handed_over(world: &World<'_>) -> BTreeSet<String> {
    // Whether all that were seen so far are.
    let mut made: BTreeMap<&str, bool> = BTreeMap::new();
    let methods = (world.classes.iter())
        .flat_map(|class| class.file.methods.iter().map(move |method| (class, method)));
    for (class, method) in methods {
        let Some(code) = class::code(method).and_then(|code| code.bytecode.as_ref()) else {
            continue;
        };
        // `this(…)` and `super(…)` make nothing.
        let constructor = method.name == "<init>";
        for (index, (_, opcode)) in code.opcodes.iter().enumerate() {
            let Opcode::Invokespecial(called) = opcode else {
                continue;
            };
            let own = constructor && world.is_a(class.name(), &called.class_name);
            if called.name_and_type.name != "<init>" || own {
                continue;
            }
            let mut after = code.opcodes[index + 1..].iter().map(|(_, opcode)| opcode);
            let next = after.find(|opcode| !only_pushes(opcode));
            let all = made.entry(&called.class_name).or_insert(true);
            *all &= next.is_some_and(takes_task);
        }
    }
    let alone = made.into_iter().filter(|(_, all)| *all);
    alone.map(|(class, _)| class.to_owned()).collect()
}

/// Fields that hold objects made for them: whoever stores there makes the object
/// on the spot.
pub(super) fn parts(world: &World<'_>, tables: &mut Tables) -> BTreeSet<FieldId> {
    let mut stored: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    let methods = world.classes.iter().flat_map(|class| &class.file.methods);
    for code in methods.filter_map(|method| class::code(method)?.bytecode.as_ref()) {
        let opcodes = code.opcodes.iter().map(|(_, opcode)| opcode);
        let before = std::iter::once(None).chain(opcodes.clone().map(Some));
        for (before, opcode) in before.zip(opcodes) {
            let Opcode::Putfield(member) = opcode else {
                continue;
            };
            let name = &*member.name_and_type.name;
            let declared = world.declares(&member.class_name, name);
            let makes = matches!(before, Some(Opcode::Invokespecial(made))
                if made.name_and_type.name == "<init>");
            let all = stored.entry((declared, name)).or_insert(true);
            *all &= makes;
        }
    }
    let own = stored.into_iter().filter(|(_, all)| *all);
    own.map(|((class, name), _)| tables.field(class, name))
        .collect()
}

/// Whether an instruction only puts something beside what is on the stack.
fn only_pushes(opcode: &Opcode<'_>) -> bool {
    arithmetic::constant(opcode).is_some()
        || arithmetic::loads(opcode).is_some()
        || matches!(
            opcode,
            Opcode::Getfield(_)
                | Opcode::Getstatic(_)
                | Opcode::Ldc(_)
                | Opcode::LdcW(_)
                | Opcode::Ldc2W(_)
        )
}

/// Whether a call gives a task to a thread, or to who runs it in one.
fn takes_task(opcode: &Opcode<'_>) -> bool {
    let called: &MemberRef<'_> = match opcode {
        Opcode::Invokevirtual(called) | Opcode::Invokestatic(called) => called,
        Opcode::Invokespecial(called) if called.class_name == "java/lang/Thread" => called,
        Opcode::Invokeinterface(called, _) => called,
        _ => return false,
    };
    let class = &*called.class_name;
    let descriptor = called.name_and_type.descriptor.to_string();
    let (parameters, _) = names::signature(&descriptor);
    let platform = class == "java/lang/Thread"
        || class == "java/util/Timer"
        || class.starts_with("java/util/concurrent/");
    platform && (parameters.iter()).any(|parameter| names::class_of(parameter).is_some_and(is_task))
}
