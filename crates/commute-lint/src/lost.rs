//! Acquisitions of locks that did not become critical sections.
//!
//! A critical section needs a guard that is followed and a lock that is the same
//! one wherever it is taken. If either is unknown, the accesses under the guard
//! are not part of the analysis, and no verdict about the program is "clean".
//!
//! | acquisition | lost if |
//! |---|---|
//! | a call that is known to take a lock (`Mutex::lock`), or one operation on an atomic or a concurrent collection | it is not known which object that is |
//! | any other call of a library whose result is a lock's guard, or has one, and that is given none (`LockExt::safe_lock`) | no critical section begins there |
//! | a call of a function with a body that takes a lock of its caller | it is not known which lock the caller has there |

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::ir::{Callee, Effect, Function, Local, Operand, Place, Program, Site, Statement};

/// Why an acquisition did not become a critical section.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Loss {
    /// The guard is the result of a call that is not known to take a lock.
    UnknownCall,
    /// It is not known which lock is taken, or which object the operation is on.
    UnknownLock,
}

/// An acquisition of a lock that did not become a critical section.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LostSection {
    /// Where the call is.
    pub site: Site,
    /// In which function.
    pub function: String,
    /// The function that is called, for example `Mutex::lock`.
    pub call: String,
    /// What is not known.
    pub loss: Loss,
}

/// The acquisitions of a program, and which of them are lost. Code of which
/// there are several instances, for example one for each closure that it is
/// called with, is one acquisition; it is lost if it is lost in every instance.
#[derive(Default)]
pub(crate) struct Acquisitions(BTreeMap<(Site, String), Option<LostSection>>);

impl Acquisitions {
    /// Adds what is known of one acquisition.
    pub(crate) fn add(&mut self, function: &Function, site: Site, call: &str, loss: Option<Loss>) {
        let lost = loss.map(|loss| LostSection {
            site,
            function: function.name.clone(),
            call: call.to_owned(),
            loss,
        });
        let key = (site, call.to_owned());
        match self.0.entry(key) {
            Entry::Vacant(new) => {
                new.insert(lost);
            }
            Entry::Occupied(mut known) if lost.is_none() => {
                known.insert(None);
            }
            Entry::Occupied(_) => {}
        }
    }

    /// Those that are lost, in the order of the source.
    pub(crate) fn lost(self) -> Vec<LostSection> {
        self.0.into_values().flatten().collect()
    }
}

/// Whether a call returns the guard of a lock without being given one.
pub(crate) fn returns_guard(
    program: &Program,
    function: &Function,
    to: &Place,
    arguments: &[Operand],
) -> bool {
    let guards = &program.lock_guards;
    let ty = |local: Local| function.locals.get(local.index()).map(|local| local.ty);
    let is_given = |argument: &Operand| match argument {
        Operand::Place(place, _) => {
            ty(place.local).is_some_and(|ty| guards.mentioned.contains(&ty))
        }
        Operand::Constant(_) | Operand::Static(_) => false,
    };
    to.steps.is_empty()
        && ty(to.local).is_some_and(|ty| guards.owned.contains(&ty))
        && !arguments.iter().any(is_given)
}

/// The types of locks, with their paths, of which the program takes none: they
/// are used in a way that the analysis does not know, or not at all.
pub fn locks_never_taken(program: &Program) -> Vec<String> {
    let mut locks: BTreeMap<&str, bool> = BTreeMap::new();
    for ty in program.types.iter().filter(|_| program.guarded) {
        locks.extend(locks_in(&ty.name).map(|lock| (lock, false)));
    }
    for function in &program.functions {
        let statements = function.blocks.iter().flat_map(|block| &block.statements);
        for (statement, _) in statements {
            if let Some(taken) = taken(program, function, statement) {
                for (lock, is_taken) in &mut locks {
                    *is_taken |= taken.contains(last(lock));
                }
            }
        }
    }
    let untaken = locks.into_iter().filter(|(_, is_taken)| !is_taken);
    untaken.map(|(lock, _)| lock.to_owned()).collect()
}

/// The name of a call that takes a lock, with the type of the guard.
fn taken(program: &Program, function: &Function, statement: &Statement) -> Option<String> {
    let Statement::Call {
        to,
        callee: Callee::Library { name, effect },
        arguments,
    } = statement
    else {
        return None;
    };
    if !matches!(effect, Effect::Acquire(_)) && !returns_guard(program, function, to, arguments) {
        return None;
    }
    let local = function.locals.get(to.local.index())?;
    Some(format!("{name} {}", program.types[local.ty.index()].name))
}

/// The locks in the name of a type, with their paths: `Arc<sync::Mutex<T>>` has
/// `sync::Mutex`. A lock has the type of what it guards as an argument.
fn locks_in(ty: &str) -> impl Iterator<Item = &str> {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let is_lock = |path: &&str| {
        let name = last(path);
        let is_named = name.ends_with("Mutex") || name.ends_with("Lock");
        is_named && !matches!(name, "LazyLock" | "OnceLock")
    };
    let opened = ty.match_indices('<').filter_map(move |(at, _)| {
        let guarded = &ty[at + 1..];
        let from = ty[..at].rfind(|c| !is_path(c)).map_or(0, |end| end + 1);
        (!guarded.starts_with('\'')).then_some(ty[from..at].trim_end_matches("::"))
    });
    opened.filter(is_lock)
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_known_by_their_names_and_guard_something() {
        let of = |ty| locks_in(ty).collect::<Vec<_>>();
        assert_eq!(
            of("std::sync::Arc<std::sync::Mutex<tokio::sync::RwLock<u32>>>"),
            ["std::sync::Mutex", "tokio::sync::RwLock"]
        );
        assert_eq!(of("&own::SpinLock<T>"), ["own::SpinLock"]);
        for ty in [
            "std::io::StdoutLock<'_>",
            "std::sync::MutexGuard<'_, u32>",
            "std::sync::LazyLock<u32>",
            "Block<u32>",
            "FileLock",
        ] {
            assert_eq!(of(ty), [""; 0], "{ty}");
        }
    }
}
