//! Stacks of threads of tests, without what is ours.

use std::path::PathBuf;
use std::sync::OnceLock;

use super::symbols::normalised;

/// The folder that places in the source are relative to.
static ROOT: OnceLock<PathBuf> = OnceLock::new();

/// Makes places in the source relative to this folder, as those of panics are. Otherwise
/// they are relative to the folder that the process is in. Only the first call counts.
pub fn places_are_below(root: PathBuf) {
    let _ = ROOT.set(root.canonicalize().unwrap_or(root));
}

/// Returns a place that std has made relative to the folder of the process, or that is
/// absolute, relative to [`ROOT`].
fn relative(place: &str) -> String {
    let place = place.trim_start_matches("./");
    let (Some(root), Ok(current)) = (ROOT.get(), std::env::current_dir()) else {
        return place.to_owned();
    };
    let absolute = current.join(place);
    let below = absolute.strip_prefix(root).ok();
    below.map_or(place.to_owned(), |below| below.display().to_string())
}

/// Frames that are kept.
const MOST: usize = 12;

/// Whose functions a test does not have in it.
const OURS: &[&str] = &[
    "commute_explore::",
    "commute::hidden::",
    "commute::explored::",
    "corosensei::",
];

/// The frames of a printed stack that are of the test: from where it is to where it
/// begins, each with its place in the source if that is known.
pub(super) fn of_test(stack: &str) -> Vec<String> {
    let mut frames = all(stack);
    // What asks is on top, and what the operating system has put between.
    let asked = frames.iter().rposition(Frame::asks);
    frames.drain(..asked.map_or(0, |asked| asked + 1));
    let is_unknown = |frame: &Frame| frame.name == "<unknown>" || frame.name.contains("restore_rt");
    while frames.first().is_some_and(is_unknown) {
        frames.remove(0);
    }
    let begins = { frames.iter() }.position(|frame| {
        // The attribute writes the second.
        OURS.iter().any(|ours| frame.name.contains(ours))
            || frame.name.ends_with("::commute::{{closure}}")
    });
    frames.truncate(begins.unwrap_or(frames.len()));
    while frames.last().is_some_and(Frame::is_of_std) && frames.len() > 1 {
        frames.pop();
    }
    // Of what std calls in itself, what the test has called says most.
    let is_outermost = |place: usize| {
        let outer = frames.get(place + 1);
        !(frames[place].is_of_std() && outer.is_some_and(Frame::is_of_std))
    };
    let kept = (0..frames.len()).filter(|place| is_outermost(*place));
    kept.take(MOST)
        .map(|place| format!("  in {}", frames[place]))
        .collect()
}

/// The innermost function of the test, and where in it.
pub(super) fn caller(stack: &str) -> Option<String> {
    let frames = of_test(stack);
    let of_std = |frame: &&String| {
        let name = frame.trim_start_matches("  in `");
        !is_of_std(name)
    };
    let found = frames.iter().find(of_std)?;
    Some(found.trim_start_matches("  in ").to_owned())
}

/// A function that was called.
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) place: Option<String>,
}

impl Frame {
    /// Whether it is what wants to know the stack. Where there are tables of lines alone,
    /// a function that was inlined has the last part of its name only.
    fn asks(&self) -> bool {
        let is_in = |file: &str| {
            self.place
                .as_ref()
                .is_some_and(|place| place.contains(file))
        };
        ["watchdog::ask", "runtime::chance::"]
            .iter()
            .any(|name| self.name.contains(name))
            || is_in("commute-explore") && is_in("runtime/chance.rs")
    }

    fn is_of_std(&self) -> bool {
        is_of_std(&self.name) || !self.name.contains("::")
    }
}

fn is_of_std(name: &str) -> bool {
    // `<u8 as alloc::vec::SpecFromElem>::from_elem`
    let name = name.split(" as ").last().unwrap_or(name);
    let name = name.trim_start_matches('<');
    ["std::", "core::", "alloc::", "__rust", "std["]
        .iter()
        .any(|library| name.starts_with(library))
}

impl std::fmt::Display for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.place {
            Some(place) => write!(f, "`{}` at {place}", self.name),
            None => write!(f, "`{}`", self.name),
        }
    }
}

/// As std prints them: `  3: name`, and maybe `at file:line:column` on the next line.
pub(super) fn all(stack: &str) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    for line in stack.lines() {
        let line = line.trim();
        if let Some(place) = line.strip_prefix("at ") {
            if let Some(last) = frames.last_mut() {
                last.place = Some(relative(place));
            }
        } else if let Some((number, name)) = line.split_once(": ")
            && number.parse::<u32>().is_ok()
        {
            frames.push(Frame {
                name: normalised(name),
                place: None,
            });
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: &str = "   0: commute_explore::runtime::watchdog::ask::answer
   1: <unknown>
   2: syscall
             at ./misc/syscall.S:36:0
   3: std::thread::park
   4: std::sync::mpmc::list::Channel<T>::recv
   5: jobs::tests::waits
             at ./tests/jobs.rs:52:5
   6: commute::hidden::test::explores::{{closure}}
   7: main
";

    #[test]
    fn what_is_of_the_test_is_kept() {
        assert_eq!(
            of_test(STACK),
            [
                "  in `std::sync::mpmc::list::Channel<T>::recv`",
                "  in `jobs::tests::waits` at tests/jobs.rs:52:5",
            ]
        );
        let caller = caller(STACK);
        assert_eq!(
            caller.as_deref(),
            Some("`jobs::tests::waits` at tests/jobs.rs:52:5")
        );
    }

    #[test]
    fn who_asks_is_known_by_its_place_too() {
        let stack = "   0: note
             at ./crates/commute-explore/src/runtime/chance.rs:41:27
   1: std::time::Instant::now
   2: jobs::waits
             at ./tests/jobs.rs:52:5
";
        assert_eq!(
            caller(stack).as_deref(),
            Some("`jobs::waits` at tests/jobs.rs:52:5")
        );
    }

    #[test]
    fn what_is_no_stack_has_no_frames() {
        assert!(of_test("disabled backtrace").is_empty());
        assert_eq!(caller(""), None);
    }
}
