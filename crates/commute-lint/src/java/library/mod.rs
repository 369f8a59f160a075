//! What the methods of the JDK do, without their code.
//!
//! The tables say it for what programs share: collections, atomics, text. For
//! the rest there is a rule: a method whose name says that it changes its
//! object does, one whose name says that it looks does not, and of all others
//! nothing is known.

mod concurrent;
mod guess;
mod maps;
mod platform;
mod rows;
mod sequences;
mod sets;
mod text;

use rows::Family;

use super::names;
use crate::ir::Effect;

/// A call of a method that was not given.
#[derive(Clone, Copy)]
pub(super) struct Called<'c> {
    /// The class, as class files name it.
    pub(super) class: &'c str,
    /// The method.
    pub(super) name: &'c str,
    /// How many arguments it has, without the object.
    pub(super) arguments: usize,
    /// Whether it has no object.
    pub(super) is_static: bool,
    /// Whether nobody looks at the result.
    pub(super) dropped: bool,
}

impl Called<'_> {
    /// Its name in reports.
    pub(super) fn shown(&self) -> String {
        let name = match self.name {
            "<init>" => "new",
            name => name,
        };
        format!("{}.{name}", names::short(self.class))
    }

    /// What it does.
    pub(super) fn effect(&self) -> Effect {
        if let Some(effect) = platform::effect(self).or_else(|| concurrent::effect(self)) {
            return effect;
        }
        let family = family(self.class);
        if let Some(family) = &family
            && let Some(row) = family.row(self)
        {
            return row.effect(family, self.dropped);
        }
        guess::effect(self, family.is_some_and(|family| family.atomic))
    }
}

/// Whether a table says what the methods of a class do. If so, that is better
/// than the code of some other class that happens to extend it.
pub(super) fn is_known(class: &str) -> bool {
    family(class).is_some()
}

/// Whether a class changes fields of others by their names or addresses.
pub(super) fn is_past_the_language(class: &str) -> bool {
    class.ends_with("/Unsafe")
        || class == "java/lang/invoke/VarHandle"
        || class.starts_with("java/util/concurrent/atomic/Atomic")
            && class.ends_with("FieldUpdater")
}

/// Whether a method does what cannot be seen from the call: it calls the method
/// or sets the field that an object names.
pub(super) fn is_reflection(class: &str, name: &str) -> bool {
    match class {
        "java/lang/reflect/Method" => name == "invoke",
        "java/lang/reflect/Field" => name.starts_with("set") && name != "setAccessible",
        "java/lang/invoke/MethodHandle" => name.starts_with("invoke"),
        _ => false,
    }
}

/// Whether a class belongs to the platform.
pub(super) fn is_platform(class: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/", "com/sun/"]
        .iter()
        .any(|package| class.starts_with(package))
}

/// Whether each method of a class is atomic by itself.
pub(super) fn is_atomic(class: &str) -> bool {
    family(class).is_some_and(|family| family.atomic)
}

/// Whether a class is older than those that are not atomic, and stands in their
/// place: who uses it need not have thought of several threads.
pub(super) fn is_old(class: &str) -> bool {
    matches!(
        class,
        "java/io/StringWriter" | "java/lang/StringBuffer" | "java/util/Stack"
    )
}

fn family(class: &str) -> Option<Family> {
    maps::family(class)
        .or_else(|| sets::family(class))
        .or_else(|| sequences::family(class))
        .or_else(|| concurrent::family(class))
        .or_else(|| text::family(class))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(class: &str, name: &str, arguments: usize) -> Effect {
        let called = Called {
            class,
            name,
            arguments,
            is_static: false,
            dropped: false,
        };
        called.effect()
    }

    #[test]
    fn tables_come_before_guesses() {
        let Effect::Operation(put) = of("java/util/HashMap", "put", 2) else {
            panic!("put is an operation");
        };
        assert_eq!((put.spec, put.method), (Some("map"), "insert"));
        assert_eq!((put.key, put.atomic), (Some(1), false));
        let Effect::Operation(put) = of("java/util/concurrent/ConcurrentHashMap", "put", 2) else {
            panic!("put is an operation");
        };
        assert!(put.atomic);
        let Effect::Operation(close) = of("java/net/Socket", "close", 0) else {
            panic!("close is an operation");
        };
        assert!(close.writes);
        assert_eq!(of("some/Library", "frobnicate", 0), Effect::Unknown);
    }

    /// The names that the tables use are those of the shipped specifications.
    #[test]
    fn specifications_have_the_methods() {
        let tables = [
            maps::ROWS,
            sets::ROWS,
            sequences::LIST,
            sequences::QUEUE,
            sequences::STACK,
            sequences::HEAP,
            concurrent::ATOMIC,
            concurrent::ADDER,
            concurrent::SEMAPHORE,
        ];
        let specs = [
            "map",
            "hashset",
            "vec",
            "queue",
            "stack",
            "priority_queue",
            "atomic",
            "counter",
            "semaphore",
        ];
        for (rows, spec) in tables.into_iter().zip(specs) {
            let source = (commute_spec::shipped::SOURCES.iter())
                .find(|(name, _)| *name == spec)
                .map_or("", |(_, text)| text);
            for method in rows.iter().flat_map(|row| row.specified()) {
                assert!(
                    source.contains(&format!("  {method}(")),
                    "{spec} has no {method}"
                );
            }
        }
    }
}
