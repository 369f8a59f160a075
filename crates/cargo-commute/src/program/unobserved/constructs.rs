//! The constructs of unsafe code by which threads may share plain memory, by their names.

use commute_report::UnsafeConstruct;

/// Methods that use the memory a raw pointer points to.
const METHODS: &[&str] = &[
    "as_mut",
    "as_ref",
    "copy_from",
    "copy_from_nonoverlapping",
    "copy_to",
    "copy_to_nonoverlapping",
    "read_unaligned",
    "read_volatile",
    "write_bytes",
    "write_unaligned",
    "write_volatile",
];

/// Methods that free it.
const FREEING_METHODS: &[&str] = &["dealloc", "deallocate", "drop_in_place"];

/// Functions of `std::ptr` that use the memory a raw pointer points to. Those of this name
/// in other modules do something else.
const OF_PTR: &[&str] = &["copy", "read", "replace", "swap", "write"];

/// The same of functions whose names say it all.
const FUNCTIONS: &[&str] = &[
    "copy_nonoverlapping",
    "from_raw_parts_mut",
    "read_unaligned",
    "read_volatile",
    "swap_nonoverlapping",
    "write_bytes",
    "write_unaligned",
    "write_volatile",
];

/// Functions that free a raw pointer, or make a value that does.
const FREEING: &[&str] = &[
    "dealloc",
    "decrement_strong_count",
    "drop_in_place",
    "free",
    "from_raw",
    "realloc",
];

/// What a method does to a raw pointer, by its name and the number of arguments.
pub(super) fn of_method(name: &str, arguments: usize) -> Option<UnsafeConstruct> {
    // Those of a lock take no argument, or their result is unwrapped.
    let is_access = matches!((name, arguments), ("read", 0) | ("write", 1));
    if FREEING_METHODS.contains(&name) {
        Some(UnsafeConstruct::Free)
    } else {
        (METHODS.contains(&name) || is_access).then_some(UnsafeConstruct::RawPointer)
    }
}

/// What a function does to a raw pointer.
pub(super) fn of_function(module: &str, name: &str) -> Option<UnsafeConstruct> {
    let is_of_ptr = ["ptr", "intrinsics"].contains(&module);
    let owns = ["Vec", "String", "Box"].contains(&module);
    if FREEING.contains(&name) || name == "from_raw_parts" && owns {
        Some(UnsafeConstruct::Free)
    } else if FUNCTIONS.contains(&name)
        || name == "from_raw_parts"
        || is_of_ptr && OF_PTR.contains(&name)
    {
        Some(UnsafeConstruct::RawPointer)
    } else {
        None
    }
}

/// What `unsafe impl` of a trait promises.
pub(super) fn of_trait(name: &str) -> Option<UnsafeConstruct> {
    match name {
        "Send" => Some(UnsafeConstruct::UnsafeSend),
        "Sync" => Some(UnsafeConstruct::UnsafeSync),
        _ => None,
    }
}

/// Whether a type is one that plain memory is shared by.
pub(super) fn is_cell(name: &str) -> bool {
    ["UnsafeCell", "SyncUnsafeCell"].contains(&name)
}
