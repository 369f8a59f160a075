//! Guards, by the names of types.

use crate::ir::Mode;
use crate::rust::text::{arguments, last, plain, split};

/// Whether a value of this type owns a guard: it is one, or holds one. The
/// analysis knows it as [`crate::ir::TypeKind::Guard`].
pub(crate) fn is_guard(ty: &str) -> bool {
    if ty.starts_with(['&', '*', '{']) {
        return false;
    }
    if let Some(parts) = ty.strip_prefix('(').and_then(|ty| ty.strip_suffix(')')) {
        return split(parts).into_iter().any(is_guard);
    }
    let name = plain(ty);
    let own = last(&name);
    own.contains("Guard")
        || lends(&name, own)
        || arguments(ty).into_iter().any(is_guard) && !is_lazy(own)
}

/// Whether a value of this type owns the guard of a lock: it is one, or holds
/// one. Guards of cells, of entries and of other things than locks do not count.
pub(crate) fn is_lock_guard(ty: &str) -> bool {
    let is_general = ["dyn ", "impl "].iter().any(|start| ty.starts_with(start));
    if is_general || ty.starts_with(['&', '*', '{']) {
        return false;
    }
    if let Some(parts) = ty.strip_prefix('(').and_then(|ty| ty.strip_suffix(')')) {
        return split(parts).into_iter().any(is_lock_guard);
    }
    let name = plain(ty);
    let own = last(&name);
    guards_lock(own) || arguments(ty).into_iter().any(is_lock_guard) && !is_lazy(own)
}

/// Whether the name of a guard of a lock is somewhere in a type, or the type is
/// that of an early result of `?`.
pub(crate) fn mentions_lock_guard(ty: &str) -> bool {
    if ty.contains("<std::convert::Infallible") {
        return true;
    }
    let mut names = ty.split(|c: char| !c.is_alphanumeric() && c != '_');
    names.any(guards_lock)
}

/// Whether a type without its modules is the guard of a lock, by its name:
/// `MutexGuard`, `OwnedRwLockWriteGuard`, `ReadGuard`.
fn guards_lock(own: &str) -> bool {
    let is_guard = own.contains("Guard");
    is_guard
        && (["Mutex", "Lock"].iter().any(|lock| own.contains(lock))
            || own.ends_with("ReadGuard")
            || own.ends_with("WriteGuard"))
}

/// What collections and cells lend. Others have types of these names, too.
fn lends(name: &str, own: &str) -> bool {
    let of_a_library = [
        "dashmap",
        "scc::",
        "hash_map",
        "btree_map",
        "map::Entry",
        "cell::",
    ];
    let is_lent = matches!(
        own,
        "Ref"
            | "RefMut"
            | "RefMulti"
            | "RefMutMulti"
            | "MappedRef"
            | "MappedRefMut"
            | "Entry"
            | "OccupiedEntry"
            | "VacantEntry"
    );
    is_lent && of_a_library.iter().any(|library| name.contains(library))
}

/// Whether a type only names the types of its arguments.
fn is_lazy(own: &str) -> bool {
    own.contains("uture") || matches!(own, "PhantomData" | "Weak")
}

/// How the lock of a guard is taken, by the guard's name.
pub(crate) fn mode_of(guard: &str) -> Mode {
    match guard.contains("ReadGuard") {
        true => Mode::Shared,
        false => Mode::Exclusive,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_of_locks_are_known_by_their_types() {
        for ty in [
            "std::sync::MutexGuard<'_, u32>",
            "std::option::Option<tokio::sync::OwnedRwLockReadGuard<u32>>",
            "(std::sync::MutexGuard<'_, bool>, std::sync::WaitTimeoutResult)",
            "spin::rwlock::RwLockUpgradableGuard<'_, T>",
        ] {
            assert!(is_lock_guard(ty) && mentions_lock_guard(ty), "{ty}");
        }
        for ty in [
            "std::sync::Mutex<u32>",
            "std::option::Option<dashmap::mapref::one::Ref<'_, u32, u32>>",
            "crossbeam_epoch::Guard",
            "tokio::runtime::EnterGuard<'_>",
            "scopeguard::ScopeGuard<u32, F>",
            "std::pin::Pin<&mut impl Future<Output = T>>",
        ] {
            assert!(!is_lock_guard(ty) && !mentions_lock_guard(ty), "{ty}");
        }
        for ty in [
            "&mut std::option::Option<std::sync::MutexGuard<'_, u32>>",
            "std::pin::Pin<std::boxed::Box<dyn std::future::Future<Output = std::sync::MutexGuard<'a, T>> + std::marker::Send + 'a>>",
        ] {
            assert!(!is_lock_guard(ty) && mentions_lock_guard(ty), "{ty}");
        }
    }

    #[test]
    fn guards_are_known_by_their_types() {
        for ty in [
            "std::sync::MutexGuard<'_, u32>",
            "lock_api::rwlock::RwLockUpgradableReadGuard<'_, R, T>",
            "async_lock::MutexGuardArc<T>",
            "std::result::Result<std::sync::MutexGuard<'_, T>, std::sync::PoisonError<std::sync::MutexGuard<'_, T>>>",
            "std::task::Poll<tokio::sync::MutexGuard<'_, u32>>",
            "(std::sync::MutexGuard<'_, bool>, std::sync::WaitTimeoutResult)",
            "std::option::Option<dashmap::mapref::one::Ref<'_, u32, u32>>",
            "std::collections::hash_map::Entry<'_, u32, u32>",
            "std::vec::Vec<std::sync::MutexGuard<'_, u32>>",
        ] {
            assert!(is_guard(ty), "{ty}");
        }
        for ty in [
            "&std::sync::MutexGuard<'_, u32>",
            "std::option::Option<&std::sync::MutexGuard<'_, u32>>",
            "graph::Ref<u32>",
            "Entry<u32>",
            "u32",
            "()",
            "std::sync::Mutex<u32>",
            "std::pin::Pin<&mut impl Future<Output = std::sync::MutexGuard<'_, u32>>>",
            "{closure@src/lib.rs:1:2: 3:4}",
        ] {
            assert!(!is_guard(ty), "{ty}");
        }
    }
}
