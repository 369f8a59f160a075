//! Which class the object in a field is of, where the field's type is only an
//! interface: `Map<K, V> map = new ConcurrentHashMap<>()`.
//!
//! A call of `Map.get` says nothing about whether it is atomic. What was stored
//! in the field does, if whoever stores there makes the object on the spot.

use cafebabe::bytecode::Opcode;
use rustc_hash::FxHashMap;

use super::class;
use super::hierarchy::World;
use super::library;
use super::names;

/// The classes of what fields hold, by the class that declares the field and
/// its name, with a dot between. Only those whose methods are atomic.
pub(super) type Holders = FxHashMap<String, String>;

/// Finds them.
pub(super) fn find(world: &World<'_>) -> Holders {
    let mut found: FxHashMap<String, Option<String>> = FxHashMap::default();
    for class in &world.classes {
        for method in &class.file.methods {
            let bytecode = class::code(method).and_then(|code| code.bytecode.as_ref());
            let opcodes = bytecode.map_or(&[][..], |bytecode| bytecode.opcodes.as_slice());
            for (index, (_, opcode)) in opcodes.iter().enumerate() {
                let (Opcode::Putfield(member) | Opcode::Putstatic(member)) = opcode else {
                    continue;
                };
                let ty = &member.name_and_type.descriptor;
                let interface = names::class_of(ty).is_some_and(library::is_known);
                if !interface {
                    continue;
                }
                let before: Vec<&Opcode<'_>> = (opcodes[..index].iter().rev())
                    .map(|(_, opcode)| opcode)
                    .filter(|opcode| !matches!(opcode, Opcode::Checkcast(_)))
                    .take(2)
                    .collect();
                if let Some(Opcode::AconstNull) = before.first() {
                    continue;
                }
                let made = made(&before).filter(|class| library::is_atomic(class));
                let declared = world.declares(&member.class_name, &member.name_and_type.name);
                let key = format!("{declared}.{}", member.name_and_type.name);
                let known = found.entry(key).or_insert_with(|| made.clone());
                if made.is_none() {
                    *known = None;
                }
            }
        }
    }
    // order: from one map to another.
    found
        .into_iter()
        .filter_map(|(field, class)| Some((field, class?)))
        .collect()
}

/// The class of what the last instruction leaves on the stack, if it makes it.
fn made(before: &[&Opcode<'_>]) -> Option<String> {
    match before.first()? {
        Opcode::Invokespecial(member) if member.name_and_type.name == "<init>" => {
            Some(member.class_name.to_string())
        }
        Opcode::Invokestatic(member) if member.class_name == "java/util/Collections" => {
            let class = match &*member.name_and_type.name {
                "synchronizedMap" | "synchronizedSortedMap" | "synchronizedNavigableMap" => {
                    "java/util/Hashtable"
                }
                "synchronizedList" | "synchronizedCollection" => "java/util/Vector",
                "synchronizedSet" | "synchronizedSortedSet" | "synchronizedNavigableSet" => {
                    "java/util/concurrent/CopyOnWriteArraySet"
                }
                // Atomic if the map is.
                "newSetFromMap" => {
                    return made(&before[1..])
                        .filter(|class| library::is_atomic(class))
                        .map(|_| "java/util/concurrent/ConcurrentHashMap$KeySetView".to_owned());
                }
                _ => return None,
            };
            Some(class.to_owned())
        }
        Opcode::Invokestatic(member) => {
            let result = names::signature(&member.name_and_type.descriptor).1;
            Some(names::class_of(result)?.to_owned())
        }
        _ => None,
    }
}
