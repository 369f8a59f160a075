//! Which function of another crate does something, and where the test calls it: from the
//! stack.

use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::frames::{Frame, all};

/// A function of another crate that the code of the test has called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// Whether it is the code of the test itself, and no other crate.
    pub is_own: bool,
    /// The function: `Receiver::recv`. None without symbols.
    pub name: Option<String>,
    /// Where it is called: `tests/a.rs:52`. None without debug information.
    pub location: Option<String>,
}

/// Crates whose functions poll tasks, by the beginnings of their names.
pub(super) const EXECUTORS: &[&str] = &[
    "tokio::runtime::",
    "tokio::task::local::",
    "futures_executor::",
    "futures_lite::future::block_on",
    "async_executor::",
    "async_global_executor::",
    "async_std::task::",
    "async_io::driver::",
    "actix_rt::",
    "glommio::",
    "monoio::",
    "compio_runtime::",
    "pollster::",
    "smol::",
    "smol_potat::",
    "extreme::",
];

/// Crates that are not of the test, where no place in the source says so.
const LIBRARIES: &[&str] = &[
    "tokio",
    "futures",
    "async_",
    "event_listener",
    "flume",
    "smol",
    "pollster",
    "hyper",
    "tower",
    "axum",
];

/// Crates whose collections types of ours have inside.
const INSIDE: &[&str] = &["dashmap", "scc", "papaya"];

const OURS: &[&str] = &[
    "commute::",
    "commute_explore::",
    "commute_record::",
    "corosensei::",
];

/// Of whom a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Std,
    Us,
    Another,
    Test,
}

/// The function that is running, without what is ours and std's. Stacks that were seen
/// before are not looked at again.
pub fn site() -> Arc<Site> {
    thread_local! {
        static KNOWN: RefCell<FxHashMap<Vec<usize>, Arc<Site>>> = RefCell::default();
    }
    let stack = super::callers::callers();
    let known = KNOWN.with_borrow(|known| known.get(&stack).cloned());
    known.unwrap_or_else(|| {
        let site = Arc::new(of(&Backtrace::force_capture().to_string()));
        if !stack.is_empty() {
            KNOWN.with_borrow_mut(|known| known.insert(stack, Arc::clone(&site)));
        }
        site
    })
}

/// The function that is innermost in a printed stack.
pub(super) fn of(stack: &str) -> Site {
    let frames = all(stack);
    let mut frames = { frames.iter() }
        .map(|frame| (frame, owner(frame)))
        .skip_while(|(_, of)| matches!(of, Of::Std | Of::Us))
        .filter(|(_, of)| *of != Of::Std)
        .peekable();
    let Some(&(innermost, first)) = frames.peek() else {
        return Site::default();
    };
    let of_package = package(innermost);
    let mut site = Site {
        is_own: first == Of::Test,
        name: Some(short(&innermost.name)),
        location: None,
    };
    let mut is_of_package = true;
    for (frame, of) in frames {
        match of {
            Of::Test => {
                site.location = frame.place.as_deref().map(line);
                break;
            }
            // Ours calls the first function of the test.
            Of::Us => break,
            _ => {
                is_of_package &= package(frame) == of_package;
                if is_of_package {
                    site.name = Some(short(&frame.name));
                }
            }
        }
    }
    site
}

/// The executor of another crate that polls what is running; none if that is ours.
pub(super) fn executor(stack: &str) -> Option<Site> {
    let frames = all(stack);
    let mut found: Option<Site> = None;
    for frame in &frames {
        let path = path(&frame.name);
        if path.starts_with("commute::future::block_on")
            || path.starts_with("commute::explored::task::")
        {
            break;
        }
        if EXECUTORS.iter().any(|name| path.starts_with(name)) {
            let site = found.get_or_insert_default();
            if site.location.is_none() {
                // The outermost of them is what the test has called.
                site.name = Some(short(&frame.name));
            }
        } else if let Some(site) = &mut found
            && site.location.is_none()
            && owner(frame) == Of::Test
        {
            site.location = frame.place.as_deref().map(line);
        }
    }
    found
}

/// Whether a type of ours calls the innermost functions, which are std's.
pub(super) fn is_of_ours(stack: &str) -> bool {
    let frames = all(stack);
    // What looks at the stack is ours, too, and is called by a signal handler.
    let handler = frames
        .iter()
        .rposition(|frame| frame.name.contains("breakpoints::"));
    let mut frames = frames.iter().skip(handler.map_or(0, |handler| handler + 1));
    frames.find_map(|frame| match owner(frame) {
        Of::Std => None,
        Of::Us => Some(true),
        // The collections that types of ours have inside.
        Of::Another if INSIDE.contains(&&*crate_of(frame)) => None,
        _ => Some(false),
    }) == Some(true)
}

fn owner(frame: &Frame) -> Of {
    let path = path(&frame.name);
    if OURS.iter().any(|ours| path.starts_with(ours)) {
        return Of::Us;
    }
    let place = frame.place.as_deref().unwrap_or_default();
    let is_in = |part: &str| place.contains(part);
    if is_in("/rustc/") || is_in("/library/") && is_in("rust") {
        return Of::Std;
    }
    if is_in("/registry/src/") || is_in("/git/checkouts/") {
        // A macro of another crate is part of the function that calls it.
        let is_macro = is_in("/registry/src/") && !frame.name.contains(&*crate_of(frame));
        return if is_macro { Of::Std } else { Of::Another };
    }
    match frame {
        _ if LIBRARIES.iter().any(|known| path.starts_with(known)) => Of::Another,
        _ if ["std::", "core::", "alloc::", "__rust"]
            .iter()
            .any(|std| path.starts_with(std)) =>
        {
            Of::Std
        }
        // What has no place is of the C library, or something else that nobody can name.
        Frame { place: None, .. } => Of::Std,
        _ => Of::Test,
    }
}

/// The path of a function, or of the type that it is of.
fn path(name: &str) -> &str {
    name.trim_start_matches(['<', '&', '('])
        .trim_start_matches("mut ")
}

/// The package of a function: from its place in the source, where that is known.
fn package(frame: &Frame) -> &str {
    let place = frame.place.as_deref().unwrap_or_default();
    let in_registry = place.split_once("/registry/src/").map(|(_, rest)| rest);
    let folder = in_registry.and_then(|rest| rest.split('/').nth(1));
    folder.unwrap_or_else(|| path(&frame.name).split("::").next().unwrap_or_default())
}

/// The name of the crate that a place in the registry is in: `tokio` of `tokio-1.54.1`.
fn crate_of(frame: &Frame) -> String {
    let folder = package(frame);
    let is_of_version = |letter: char| letter.is_ascii_digit() || ".-+".contains(letter);
    folder.trim_end_matches(is_of_version).replace('-', "_")
}

/// `tests/a.rs:52:5` without the column.
fn line(place: &str) -> String {
    match place.rsplit_once(':') {
        Some((line, _)) if line.contains(':') => line.to_owned(),
        _ => place.to_owned(),
    }
}

/// A name as people write it: `Receiver::recv` of
/// `tokio::sync::mpsc::bounded::Receiver<T>::recv::{{closure}}`, `oneshot::Receiver` of
/// `<tokio::sync::oneshot::Receiver<T> as core::future::future::Future>::poll`.
pub(super) fn short(name: &str) -> String {
    let whole = match name.strip_prefix('<') {
        Some(inner) => match inner.split_once(" as ") {
            Some((of, rest)) => {
                let method = rest.rsplit("::").find(|part| !part.starts_with('{'));
                // That it is polled says nothing.
                let method = method.filter(|method| *method != "poll");
                method.map_or(of.to_owned(), |method| format!("{of}::{method}"))
            }
            None => inner.to_owned(),
        },
        None => name.to_owned(),
    };
    let (mut plain, mut depth) = (String::new(), 0_usize);
    for letter in whole.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    let parts = plain.split("::");
    let parts: Vec<&str> = parts
        .filter(|part| !part.is_empty() && !part.starts_with('{'))
        .collect();
    parts[parts.len().saturating_sub(2)..].join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short() {
        for (name, short_one) in [
            (
                "tokio::sync::mpsc::bounded::Receiver<T>::recv::{{closure}}",
                "Receiver::recv",
            ),
            (
                "<tokio::sync::mpsc::bounded::Receiver<i32>>::recv::{closure#0}",
                "Receiver::recv",
            ),
            (
                "<tokio::sync::oneshot::Receiver<T> as core::future::future::Future>::poll",
                "oneshot::Receiver",
            ),
            (
                "tokio::runtime::runtime::Runtime::block_on",
                "Runtime::block_on",
            ),
            ("pollster::block_on", "pollster::block_on"),
            ("waits", "waits"),
        ] {
            assert_eq!(short(name), short_one, "{name}");
        }
    }

    const AWAITS: &str = "   0: commute_explore::runtime::site::site
   1: commute::explored::task::clone
   2: <core::task::wake::Waker as core::clone::Clone>::clone
             at /rustc/59/library/core/src/task/wake.rs:5:6
   3: tokio::sync::task::atomic_waker::AtomicWaker::do_register
             at /root/.cargo/registry/src/index-1/tokio-1.0/src/sync/task.rs:5:6
   4: tokio::sync::mpsc::bounded::Receiver<T>::recv::{{closure}}
             at /root/.cargo/registry/src/index-1/tokio-1.0/src/sync/mpsc.rs:5:6
   5: <core::pin::Pin<P> as core::future::future::Future>::poll
             at /rustc/59/library/core/src/future/future.rs:133:9
   6: jobs::waits::{{closure}}
             at ./tests/jobs.rs:52:5
   7: commute::future::block_on
";

    #[test]
    fn what_is_awaited_has_a_name_and_a_place() {
        let site = of(AWAITS);
        assert_eq!(site.name.as_deref(), Some("Receiver::recv"));
        assert_eq!(site.location.as_deref(), Some("tests/jobs.rs:52"));
        assert!(!site.is_own);
        let own = of(&AWAITS
            .replace("tokio::", "jobs::")
            .replace("/registry/", "/home/"));
        assert!(own.is_own);
    }

    #[test]
    fn macros_of_other_crates_are_no_functions_of_theirs() {
        let select = "   6: jobs::waits::{{closure}}::{{closure}}
             at /root/.cargo/registry/src/index-1/tokio-1.0/src/macros/select.rs:9:9
   7: jobs::waits::{{closure}}
             at ./tests/jobs.rs:52:5
";
        let (begin, _) = AWAITS.split_once("   6: ").expect("frames");
        let site = of(&format!("{begin}{select}"));
        assert_eq!(site.name.as_deref(), Some("Receiver::recv"));
        assert_eq!(site.location.as_deref(), Some("tests/jobs.rs:52"));
    }

    #[test]
    fn who_polls_is_an_executor_unless_it_is_ours() {
        let stack = "   0: jobs::waits::{{closure}}
             at ./tests/jobs.rs:52:5
   1: tokio::runtime::scheduler::current_thread::CoreGuard::block_on
   2: tokio::runtime::runtime::Runtime::block_on
   3: jobs::waits
             at ./tests/jobs.rs:40:5
";
        let site = executor(stack).expect("an executor");
        assert_eq!(site.name.as_deref(), Some("Runtime::block_on"));
        assert_eq!(site.location.as_deref(), Some("tests/jobs.rs:40"));
        assert_eq!(executor(AWAITS), None);
        let inside = format!("{AWAITS}   8: tokio::runtime::runtime::Runtime::block_on\n");
        assert_eq!(executor(&inside), None);
    }
}
