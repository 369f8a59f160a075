//! Types whose values change only through `&mut`.
//!
//! What a section of a lock only looked at is what it was, unless it has interior
//! mutability, which cannot be asked of a type. So types are known by their names, and
//! any other counts as changed by whoever had it.

use std::any::type_name;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// Types that the program declared.
static DECLARED: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());

const PLAIN: &[&str] = &[
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
    "i128", "isize", "f32", "f64", "()", "String",
];

/// Types that are plain if their parameters are.
const AROUND: &[&str] = &[
    "Vec",
    "Option",
    "Box",
    "Result",
    "VecDeque",
    "BTreeMap",
    "BTreeSet",
    "HashMap",
    "HashSet",
    "BinaryHeap",
    "LinkedList",
    "Wrapping",
    "Reverse",
    "Duration",
    "RandomState",
    "Global",
    "BuildHasherDefault",
    "Range",
];

/// Says that values of `T` change only through `&mut T`: that it contains no `Cell`,
/// no lock, no atomic, and nothing that leads to one.
pub(crate) fn declare<T: ?Sized>() {
    let mut declared = DECLARED.write().unwrap_or_else(PoisonError::into_inner);
    if !declared.contains(&type_name::<T>()) {
        declared.push(type_name::<T>());
    }
}

/// Whether values of `T` are known to change only through `&mut T`.
pub(crate) fn is_plain<T: ?Sized>() -> bool {
    thread_local! {
        static KNOWN: RefCell<BTreeMap<&'static str, bool>> = const { RefCell::new(BTreeMap::new()) };
    }
    let name = type_name::<T>();
    let known = KNOWN.try_with(|known| {
        let mut known = known.borrow_mut();
        *known.entry(name).or_insert_with(|| is_plain_name(name))
    });
    known.unwrap_or(false)
}

/// By its name, as the compiler writes it: all its parts have to be known.
fn is_plain_name(name: &str) -> bool {
    let declared = DECLARED.read().unwrap_or_else(PoisonError::into_inner);
    if declared.contains(&name) {
        return true;
    }
    // A pointer or a reference leads elsewhere; a function, `dyn` or a closure may be
    // anything.
    if name.contains(['*', '&', '{']) || name.contains("dyn ") || name.contains("fn(") {
        return false;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut words = name.split(|c| !is_word(c)).filter(|word| !word.is_empty());
    words.all(|path| {
        let of_std = ["core::", "alloc::", "std::"];
        let of_std = of_std.iter().any(|library| path.starts_with(library));
        let last = path.rsplit("::").next().unwrap_or(path);
        let is_length = path.chars().all(|c| c.is_ascii_digit());
        let known = PLAIN.contains(&last) || AROUND.contains(&last);
        is_length || declared.contains(&path) || (known && (of_std || path == last))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_types_are_known_and_others_are_not() {
        assert!(is_plain::<u32>());
        assert!(is_plain::<(u8, [i64; 3])>());
        assert!(is_plain::<Vec<Option<String>>>());
        assert!(is_plain::<std::collections::HashMap<u8, Box<str>>>());
        assert!(!is_plain::<std::cell::Cell<u32>>());
        assert!(!is_plain::<Vec<std::sync::Arc<u32>>>());
        assert!(!is_plain::<&u32>());
        assert!(!is_plain::<fn()>());
        assert!(!is_plain::<Box<dyn Send>>());
    }

    #[test]
    fn a_type_of_the_program_is_what_it_says() {
        struct Vec;
        struct Declared;
        assert!(!is_plain::<Vec>());
        declare::<Declared>();
        assert!(is_plain::<Declared>());
        assert!(is_plain::<Option<Declared>>());
    }
}
