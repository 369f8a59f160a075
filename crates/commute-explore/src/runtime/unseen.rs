//! Objects of other crates through which tasks learn of each other, and which no operation
//! shows: locks and channels for asynchronous code.
//!
//! If such an object is ready whenever it is asked, in all executions, nothing shows that
//! it was asked, and a test passes that would not if its tasks came in another order. So
//! the functions of these objects have breakpoints while a test is explored: the first
//! call of each is noted, and the breakpoint is gone.
//!
//! Breakpoints also tell where a test chooses at random, and where it makes hash maps: of
//! these, all calls are noted.
//!
//! Functions that were inlined cannot be watched, nor can programs without symbols, and
//! other systems than Linux on x86-64 have no breakpoints. A test then does not pass if one
//! of the [`LIBRARIES`] is in the program ([`unwatched`]).
//!
//! Gap: crates that are not among [`OBJECTS`].

use super::breakpoints;
use super::site::{self, Site, short};
use super::symbols::{self, Function};
use crate::settings::Library;

/// Where these objects are.
const OBJECTS: &[&str] = &[
    "tokio::sync::",
    "tokio_util::sync::",
    "futures_channel::",
    "futures_util::lock::",
    "async_channel::",
    "async_lock::",
    "async_broadcast::",
    "async_std::sync::",
    "async_std::channel::",
    "event_listener::",
    "flume::",
    "kanal::",
];

/// The crates of [`OBJECTS`].
pub const LIBRARIES: &[&str] = &[
    "tokio",
    "tokio_util",
    "futures_channel",
    "futures_util",
    "async_channel",
    "async_lock",
    "async_broadcast",
    "async_std",
    "event_listener",
    "flume",
    "kanal",
];

/// What others of them are made of: that is used when an object is dropped, too.
const PARTS: &[&str] = &[
    "tokio::sync::batch_semaphore::",
    "tokio::sync::task::",
    "tokio::sync::mpsc::chan::",
    "tokio::sync::mpsc::list::",
    "tokio::sync::mpsc::block::",
];

/// The types of these objects.
const TYPES: &[&str] = &[
    "Mutex",
    "RwLock",
    "Semaphore",
    "Notify",
    "Notified",
    "OwnedNotified",
    "Sender",
    "Receiver",
    "UnboundedSender",
    "UnboundedReceiver",
    "Barrier",
    "OnceCell",
    "SetOnce",
    "CancellationToken",
    "PollSemaphore",
    "PollSender",
    "MutexLockFuture",
    "OwnedMutexLockFuture",
    "Event",
    "EventListener",
];

/// Functions that choose at random, for the `select!` of their crate.
const CHOICES: &[&str] = &[
    "tokio::runtime::context::thread_rng_n",
    "tokio::macros::support::thread_rng_n",
    "futures_util::async_await::random::shuffle",
    "futures_util::async_await::random::gen_index",
];

/// The function that makes the keys of a hash map of std. Its caller, `RandomState::new`,
/// is inlined into the functions of std that make a map; a closure that generic code
/// calls is a function of every program that is not optimised.
const KEYS: &str = "std::hash::random::RandomState::new::{{closure}}";

/// The module of [`KEYS`]: a name in v0 mangling does not contain the path of a method as a
/// whole.
const KEYS_MODULE: &str = "std::hash::random::";

/// What makes an object, or is done when one is dropped, tells no task of another.
const ALONE: &[&str] = &[
    "new",
    "const_new",
    "new_with",
    "new_with_receiver_count",
    "default",
    "clone",
    "downgrade",
    "close",
    "drop",
    "fmt",
    "get_mut",
    "into_inner",
];

/// What a function with a breakpoint does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Does {
    /// It tells a task something of another.
    Tells,
    /// It chooses at random what is done next.
    Chooses,
    /// It makes the keys of a hash map.
    MakesKeys,
}

impl Does {
    /// The bit of this kind in a set of kinds.
    pub(super) fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Whether all calls are noted, and only while the breakpoints are armed; of other
    /// functions the first call is noted.
    pub(super) fn is_noted_again(self) -> bool {
        self == Does::MakesKeys
    }
}

/// The functions that get breakpoints.
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    expect(dead_code)
)]
fn functions() -> Option<Vec<(Function, Does)>> {
    let paths = OBJECTS.iter().chain(CHOICES).chain(&[KEYS_MODULE]);
    let functions = symbols::known_functions(&paths.copied().collect::<Vec<&str>>());
    let known = functions?.into_iter().filter_map(|function| {
        let does = does(&function.name)?;
        Some((function, does))
    });
    Some(known.collect())
}

/// Returns those of the libraries in a program whose objects a test may use unnoticed: the
/// libraries that are optimised, or all of them if this program has no breakpoints.
pub fn unwatched(libraries: &[Library]) -> Vec<String> {
    let is_blind = !breakpoints::are_set();
    let those = libraries
        .iter()
        .filter(|library| is_blind || library.is_optimised);
    those.map(|library| library.name.clone()).collect()
}

/// What a function of this name does, if that matters.
fn does(name: &str) -> Option<Does> {
    if CHOICES.contains(&name) {
        Some(Does::Chooses)
    } else if name == KEYS {
        Some(Does::MakesKeys)
    } else {
        tells(name).then_some(Does::Tells)
    }
}

/// Whether a function of this name tells a task something of another.
fn tells(name: &str) -> bool {
    let path = name.trim_start_matches('<');
    let begins = |paths: &[&str]| paths.iter().any(|begin| path.starts_with(begin));
    if !begins(OBJECTS) || begins(PARTS) {
        return false;
    }
    let is_future = name.contains(" as ") && name.ends_with("::poll");
    let short = short(name);
    let (of, method) = short.rsplit_once("::").unwrap_or_default();
    match is_future {
        // Then the method is left out.
        true => TYPES.contains(&method),
        false => {
            let of = of.rsplit("::").next().unwrap_or_default();
            TYPES.contains(&of) && !ALONE.contains(&method)
        }
    }
}

/// From now on it is noted if a thread of a test uses an object of another crate that no
/// operation shows. To be called once in a process.
pub fn watch_objects() {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    if let Some(functions) = functions() {
        breakpoints::set(functions);
    }
}

/// Where a thread of a test first used an object of another crate that no operation shows.
pub fn used_object() -> Option<Site> {
    sites(Does::Tells).into_iter().next()
}

/// Where a thread of a test first left it to chance what it does.
pub(super) fn chose() -> Option<Site> {
    if !breakpoints::is_met(Does::Chooses) {
        return None;
    }
    sites(Does::Chooses).into_iter().next()
}

/// Starts to note where threads of the test make hash maps.
pub(super) fn watch_hash_maps() {
    breakpoints::arm(Does::MakesKeys);
}

/// Stops to note where hash maps are made.
pub(super) fn ignore_hash_maps() {
    breakpoints::disarm(Does::MakesKeys);
}

/// Returns where hash maps were made by the test, and not by a type that is explored; none
/// if that is not known of any.
pub(super) fn hash_maps() -> Option<Vec<Site>> {
    let sites = breakpoints::is_met(Does::MakesKeys).then(|| sites(Does::MakesKeys))?;
    // The test may have made one when nothing was noted any more.
    let is_known = !sites.is_empty() || breakpoints::is_complete(Does::MakesKeys);
    is_known.then_some(sites)
}

/// Where functions that do this were called.
fn sites(does: Does) -> Vec<Site> {
    let met = breakpoints::met(does).into_iter();
    let sites = met.filter_map(|(name, stack)| {
        let site = site::of(&stack);
        // It is the first on the stack, but has no name there.
        let is_ours = site::is_of_ours(&stack);
        (!is_ours).then(|| Site {
            name: Some(short(&name)),
            ..site
        })
    });
    sites.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_tell_of_others_are_known() {
        for name in [
            "tokio::sync::mpsc::bounded::Receiver<T>::recv::{{closure}}",
            "tokio::sync::semaphore::Semaphore::try_acquire",
            "tokio::sync::mutex::Mutex<T>::lock",
            "<tokio::sync::oneshot::Receiver<T> as core::future::future::Future>::poll",
            "<tokio::sync::notify::Notified as core::future::future::Future>::poll",
            "futures_channel::mpsc::UnboundedSender<T>::unbounded_send",
            "flume::Sender<T>::try_send",
        ] {
            assert!(tells(name), "{name}");
        }
        for name in [
            "tokio::sync::mutex::Mutex<T>::new",
            "tokio::sync::mpsc::bounded::channel",
            "tokio::sync::batch_semaphore::Semaphore::close",
            "<tokio::sync::oneshot::Sender<T> as core::ops::drop::Drop>::drop",
            "tokio::task::yield_now::yield_now",
            "core::ptr::drop_in_place<tokio::sync::mutex::Mutex<u8>>",
            "jobs::waits",
        ] {
            assert!(!tells(name), "{name}");
        }
        assert!(KEYS.starts_with(KEYS_MODULE));
        let is_of_library = |object: &&str| -> bool {
            let name = object.split("::").next();
            name.is_some_and(|name| LIBRARIES.contains(&name))
        };
        assert!(OBJECTS.iter().all(is_of_library));
        assert_eq!(does(KEYS), Some(Does::MakesKeys));
        assert_eq!(does(CHOICES[0]), Some(Does::Chooses));
    }
}
