//! What functions of Rust's libraries do, as far as the analysis cares.
//!
//! Rules go by the names of types and methods, not by whole paths: the same
//! lock is `parking_lot::lock_api::Mutex` here and `lock_api::mutex::Mutex`
//! there. What no rule knows is [`Effect::Unknown`]: then the types say what is
//! read and written.

mod collections;
mod guards;
mod rayon;

use crate::ir::{Effect, Mode, Operation};
use crate::rust::atomic;
use crate::rust::text::{Path, last, plain, referent};

pub(crate) use guards::{is_guard, is_lock_guard, mentions_lock_guard, mode_of};

/// What a call does.
pub(crate) enum Known {
    Effect(Effect),
    /// Something new, as `Mutex::new`.
    Make,
}

/// What is known of a function; `closures` are the numbers of arguments that
/// can be called.
pub(crate) fn known(path: &Path, closures: &[usize]) -> Known {
    let class_text = plain(referent(&path.of));
    let class = last(&class_text);
    let name = path.name.as_str();
    if is_log(&path.plain, &path.of_trait) {
        return Known::Effect(Effect::Log);
    }
    if atomic::is_mark(path) {
        return Known::Make;
    }
    if !closures.is_empty()
        && let Some(effect) = rayon::effect(path)
    {
        return Known::Effect(effect);
    }
    if let Some(closure) = closures.first()
        && name.starts_with("spawn")
    {
        return Known::Effect(Effect::Spawn(*closure));
    }
    if name == "join" && matches!(class, "JoinHandle" | "ScopedJoinHandle") {
        return Known::Effect(Effect::Join);
    }
    if matches!(name, "scope" | "scope_fifo" | "in_place_scope") && !closures.is_empty() {
        return Known::Effect(Effect::Scope);
    }
    if is_lock(class)
        && let Some(known) = of_lock(name)
    {
        return known;
    }
    if class.starts_with("Atomic") || class == "Atomic" {
        return of_atomic(name);
    }
    if class == "Condvar" && name.starts_with("wait") {
        return Known::Effect(Effect::Wait);
    }
    // The lock is given up for a while, to wait for nobody in particular.
    if is_guard(class) && matches!(name, "unlocked" | "unlocked_fair" | "bump") {
        return Known::Effect(Effect::Wait);
    }
    if class.starts_with("ArcSwap") {
        return of_swap(name);
    }
    if name == "drop" && path.plain.ends_with("mem::drop") {
        return Known::Effect(Effect::Release);
    }
    if path.plain.ends_with("::mem::replace")
        || path.plain.ends_with("::mem::take")
        || path.plain.ends_with("::mem::swap")
    {
        return Known::Effect(Effect::Operation(collections::taken(name)));
    }
    if let Some(operation) = collections::operation(&class_text, name) {
        return Known::Effect(Effect::Operation(operation));
    }
    if is_entry(class)
        && let Some(effect) = of_entry(name)
    {
        return Known::Effect(effect);
    }
    if name == "poll" && path.of_trait.ends_with("Future") {
        return Known::Effect(Effect::Poll(None));
    }
    if is_same(class, name) {
        return Known::Effect(Effect::Same);
    }
    if is_wrap(class, name) {
        return Known::Effect(Effect::Wrap);
    }
    // These are values, not objects: what they are made of is in them.
    if name == "new" && matches!(class, "Arguments" | "Duration" | "NonZero" | "Path") {
        return Known::Effect(Effect::Pure);
    }
    if matches!(name, "new" | "default" | "with_capacity" | "new_const") {
        return Known::Make;
    }
    if !closures.is_empty() {
        return Known::Effect(Effect::Apply);
    }
    Known::Effect(Effect::Unknown)
}

fn is_log(path: &str, of_trait: &str) -> bool {
    path.starts_with("log::")
        || path.starts_with("tracing")
        || path.starts_with("metrics::")
        || path.contains("::io::_print")
        || path.contains("::io::_eprint")
        || of_trait.ends_with("::fmt::Debug")
        || of_trait.ends_with("::fmt::Display")
}

fn is_lock(class: &str) -> bool {
    matches!(
        class,
        "Mutex"
            | "RwLock"
            | "FairMutex"
            | "ReentrantMutex"
            | "ReentrantLock"
            | "SpinLock"
            | "SpinMutex"
            | "TicketMutex"
            | "ShardedLock"
            | "BiLock"
    )
}

fn of_lock(name: &str) -> Option<Known> {
    let mode = match name {
        "lock"
        | "try_lock"
        | "lock_owned"
        | "try_lock_owned"
        | "blocking_lock"
        | "lock_arc"
        | "try_lock_for"
        | "try_lock_until"
        | "blocking_lock_owned"
        | "write"
        | "try_write"
        | "write_owned"
        | "try_write_owned"
        | "blocking_write"
        | "write_arc"
        | "try_write_for"
        | "try_write_until"
        | "lock_blocking"
        | "write_blocking" => Mode::Exclusive,
        "read"
        | "try_read"
        | "read_owned"
        | "try_read_owned"
        | "blocking_read"
        | "read_arc"
        | "read_recursive"
        | "try_read_for"
        | "upgradable_read"
        | "try_upgradable_read"
        | "upgradeable_read"
        | "read_blocking" => Mode::Shared,
        "new" | "const_new" | "default" | "from" => return Some(Known::Make),
        "get_mut" | "into_inner" | "clear_poison" => return Some(Known::Effect(Effect::Same)),
        "is_locked" | "is_poisoned" => return Some(Known::Effect(Effect::Pure)),
        _ => return None,
    };
    Some(Known::Effect(Effect::Acquire(mode)))
}

fn on_atomic(method: &'static str, reads: bool, writes: bool) -> Operation {
    Operation {
        spec: Some("atomic"),
        method,
        reads,
        writes,
        atomic: true,
        key: None,
        checks: false,
        lends: false,
    }
}

fn of_atomic(name: &str) -> Known {
    let operation = match name {
        "load" => on_atomic("load", true, false),
        "store" => on_atomic("store", false, true),
        "swap" => on_atomic("swap", true, true),
        "fetch_add" => on_atomic("fetch_add", true, true),
        "fetch_sub" => on_atomic("fetch_sub", true, true),
        "fetch_or" => on_atomic("fetch_or", true, true),
        "fetch_and" => on_atomic("fetch_and", true, true),
        "fetch_xor" => on_atomic("fetch_xor", true, true),
        "fetch_max" => on_atomic("fetch_max", true, true),
        "fetch_min" => on_atomic("fetch_min", true, true),
        "fetch_nand" => on_atomic("fetch_nand", true, true),
        "compare_exchange"
        | "compare_exchange_weak"
        | "compare_and_swap"
        | "fetch_update"
        | "try_update"
        | "update" => Operation {
            checks: true,
            ..on_atomic("compare_exchange", true, true)
        },
        "new" | "default" | "from" => return Known::Make,
        _ => return Known::Effect(Effect::Same),
    };
    Known::Effect(Effect::Operation(operation))
}

fn of_swap(name: &str) -> Known {
    let operation = match name {
        "load" | "load_full" => on_atomic("load", true, false),
        "store" => on_atomic("store", false, true),
        "swap" => on_atomic("swap", true, true),
        "rcu" | "compare_and_swap" => Operation {
            checks: true,
            ..on_atomic("compare_exchange", true, true)
        },
        "new" | "from" | "from_pointee" | "default" | "empty" => return Known::Make,
        _ => return Known::Effect(Effect::Unknown),
    };
    Known::Effect(Effect::Operation(operation))
}

fn is_entry(class: &str) -> bool {
    matches!(class, "Entry" | "OccupiedEntry" | "VacantEntry")
}

/// The map was asked when the entry was made: what follows is decided by the
/// answer, and comes as a pointer into the map.
fn of_entry(name: &str) -> Option<Effect> {
    match name {
        "or_insert" | "or_default" | "insert_entry" | "into_mut" | "get" | "get_mut" => {
            Some(Effect::Same)
        }
        "insert" | "remove" | "remove_entry" => {
            Some(Effect::Operation(collections::decided(name == "insert")))
        }
        _ => None,
    }
}

/// Pointers and wrappers that only stand in front of something.
fn is_pointer(class: &str) -> bool {
    matches!(
        class,
        "Arc"
            | "Rc"
            | "Box"
            | "Pin"
            | "Weak"
            | "CachePadded"
            | "Lazy"
            | "LazyLock"
            | "OnceLock"
            | "OnceCell"
    )
}

fn is_same(class: &str, name: &str) -> bool {
    match name {
        "deref" | "deref_mut" | "as_ref" | "as_mut" | "borrow" | "borrow_mut" | "clone"
        | "cloned" | "copied" | "to_owned" | "to_string" | "to_vec" | "unwrap" | "expect"
        | "unwrap_unchecked" | "unwrap_or_default" | "unwrap_or" | "ok" | "err" | "as_deref"
        | "as_deref_mut" | "as_str" | "as_bytes" | "as_slice" | "as_mut_slice" | "into_iter"
        | "into_future" | "branch" | "from_residual" | "from_output" | "into" | "from"
        | "new_unchecked" | "get_unchecked_mut" | "as_pin_mut" | "into_inner" | "ok_or"
        | "transpose" | "flatten" | "into_boxed_slice" | "upgrade" | "downgrade" | "get_ref"
        | "as_ptr" | "by_ref" | "leak" | "map_unchecked_mut" | "index" | "index_mut" => true,
        "get_mut" | "get" | "make_mut" | "get_or_init" | "force" => is_pointer(class),
        // A view of a map that is good for several operations.
        "pin" | "pin_owned" => matches!(class, "HashMap" | "HashSet"),
        "read" | "unwrap_or_else" => matches!(class, "Option" | "Result"),
        _ => false,
    }
}

fn is_wrap(class: &str, name: &str) -> bool {
    match name {
        "new" | "pin" | "from" | "new_cyclic" => {
            is_pointer(class)
                || matches!(
                    class,
                    "Some" | "Reverse" | "ManuallyDrop" | "Wrapping" | "AssertUnwindSafe"
                )
        }
        "Some" | "Ok" | "Err" | "Ready" => true,
        _ => false,
    }
}

/// Whether a value of this type is to be awaited, as far as locks give it.
pub(crate) fn is_future(ty: &str) -> bool {
    ty.contains("{async ") || plain(ty).contains("uture") || ty.contains("Future<Output")
}

/// Whether a value of this type is made of futures and runs them when it is
/// awaited. `join!` asks what keeps their results for them, which is as if they
/// had run when that was made.
pub(crate) fn is_adaptor(ty: &str) -> bool {
    is_future(ty) && !last(&plain(ty)).ends_with("MaybeDone")
}

/// Fields of these are what they wrap.
pub(crate) fn is_transparent(class: &str) -> bool {
    ["std::", "core::", "alloc::"]
        .iter()
        .any(|start| class.starts_with(start))
}
