//! Schedules as text: who does what, one step a line.
//!
//! ```text
//! # commute schedule 1
//! test: tests::both_are_counted
//! package: counters
//! target: --lib
//! steps: 2
//!
//! main  spawn(T1)
//! T1    mutex.lock()
//! ```
//!
//! A thread and what it does are apart by spaces; `\x20` is a space in the name of a
//! thread.
//!
//! People attach schedules to reports, so no word of one is passed on as it is: the words for
//! cargo are read into [`TestTarget`] and [`Name`], and the name of the test is only compared
//! with those that the tests have.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use commute_explore::{Planned, Story};
use commute_report::visible;

use super::targets::Found;
use super::test_target::{Name, TestTarget};

const FIRST_LINE: &str = "# commute schedule 1";
/// A longer file is none of ours.
const LONGEST: u64 = 64 << 20;

/// A schedule that was read.
pub(super) struct Plan {
    /// The test.
    pub test: String,
    /// The package it is in, if the schedule says it.
    pub package: Option<Name>,
    /// The binary it is in, if the schedule says it.
    pub target: Option<TestTarget>,
    /// The steps, in their order.
    pub steps: Vec<Planned>,
}

/// A mistake in a schedule: line, column, problem.
type Mistake = (usize, usize, String);

/// The lines before the steps.
#[derive(Default)]
struct Header {
    test: Option<String>,
    package: Option<Name>,
    target: Option<TestTarget>,
    /// How many steps there are.
    steps: Option<usize>,
}

impl Header {
    /// Takes a line.
    fn take(&mut self, n: usize, line: &str) -> Result<(), Mistake> {
        const EXPECTED: &str = "expected `test:`, `package:`, `target:` or `steps:`";
        let Some((key, value)) = line.split_once(": ") else {
            return Err((n, 1, EXPECTED.to_owned()));
        };
        let indent = value.chars().take_while(|c| c.is_whitespace()).count();
        let column = key.chars().count() + ": ".len() + 1;
        let value = value.trim();
        let at_value = |problem: String| (n, column + indent, problem);
        let is_first = match key {
            "test" => {
                let test = test_name(value).map_err(at_value)?;
                self.test.replace(test).is_none()
            }
            "package" => {
                let name = Name::parse(value).map_err(at_value)?;
                self.package.replace(name).is_none()
            }
            "target" => {
                let target = TestTarget::parse(value);
                let target = target.map_err(|(at, problem)| (n, column + indent + at, problem));
                self.target.replace(target?).is_none()
            }
            "steps" => {
                let count = value.parse::<usize>();
                let count = count.map_err(|_| at_value("expected a number".to_owned()));
                self.steps.replace(count?).is_none()
            }
            _ => return Err((n, 1, EXPECTED.to_owned())),
        };
        if is_first {
            Ok(())
        } else {
            Err((n, 1, format!("there is a line `{key}:` before")))
        }
    }
}

/// The name of a test, which is a path of Rust.
fn test_name(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '#');
    match !text.is_empty() && text.chars().all(is_part) {
        true => Ok(text.to_owned()),
        false => Err("expected the name of a test, such as `tests::both_are_counted`".to_owned()),
    }
}

/// Writes the schedule of a failure.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(path: &Path, test: &Found, story: &Story) -> Result<()> {
    let mut text = format!("{FIRST_LINE}\ntest: {}\n", test.name);
    if !test.target.package.is_empty() {
        text += &format!("package: {}\n", test.target.package);
    }
    text += &format!("target: {}\n", test.target.option);
    text += &format!("steps: {}\n\n", story.steps.len());
    let names = story.steps.iter().map(|told| told.thread.chars().count());
    let width = names.max().unwrap_or(0);
    for told in &story.steps {
        let thread = told.thread.replace(' ', "\\x20");
        let does = told.line().replace('\n', "\\n");
        text += &format!("{thread:<width$}  {does}\n");
    }
    let written = crate::store::whole_file::replace(path, &text);
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// The file that is meant: a file, or the beginning of the name of one in `folder`. `None` if
/// there is none.
///
/// # Errors
/// If there are several.
pub(super) fn find(name: &str, folder: Option<&Path>) -> Result<Option<PathBuf>> {
    let path = PathBuf::from(name);
    if path.is_file() {
        return Ok(Some(path));
    }
    let all = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    let mut found: Vec<PathBuf> = { all.into_iter().flatten().flatten() }
        .map(|entry| entry.path())
        .filter(|path| {
            let named = |stem: &std::ffi::OsStr| stem.to_string_lossy().starts_with(name);
            let ours = path.extension().is_some_and(|e| e == "schedule");
            ours && path.file_stem().is_some_and(named)
        })
        .collect();
    found.sort();
    match (found.pop(), found.len()) {
        (Some(path), 0) if !name.is_empty() => Ok(Some(path)),
        (Some(_), _) => bail!("several schedules begin with `{}`", visible(name)),
        (None, _) => Ok(None),
    }
}

/// Reads a schedule.
///
/// # Errors
/// If it is none, with the line.
pub(super) fn read(path: &Path) -> Result<Plan> {
    let name = path.display();
    let size = { std::fs::metadata(path) }.with_context(|| format!("cannot read {name}"))?;
    if size.len() > LONGEST {
        bail!("{name} is too long for a schedule");
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let parsed = match str::from_utf8(&bytes) {
        Ok(text) => parse(text),
        Err(error) => {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let line = before.matches('\n').count() + 1;
            let last = before.rsplit('\n').next().unwrap_or_default();
            Err((line, last.chars().count() + 1, "this is no text".to_owned()))
        }
    };
    let place = |(line, column, message)| anyhow!("{name}:{line}:{column}: {message}");
    parsed.map_err(place)
}

/// A schedule; else the line and the column where it is none.
fn parse(text: &str) -> Result<Plan, Mistake> {
    let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
    match lines.next() {
        Some((_, FIRST_LINE)) => {}
        Some((_, line)) if line.starts_with("# commute schedule") => {
            return Err((1, 1, "a schedule of another version".to_owned()));
        }
        _ => return Err((1, 1, format!("expected `{FIRST_LINE}`"))),
    }
    let mut header = Header::default();
    for (n, line) in lines.by_ref() {
        if line.trim().is_empty() {
            break;
        }
        header.take(n, line)?;
    }
    // If it says how many there are, none may be missing.
    let steps = header.steps;
    let Some(test) = header.test else {
        return Err((1, 1, "it does not say which test it is of".to_owned()));
    };
    let mut plan = Plan {
        test,
        package: header.package,
        target: header.target,
        steps: Vec::new(),
    };
    let mut last = (1, 1);
    for (n, line) in lines {
        let line = line.trim_end();
        last = (n, line.chars().count() + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((thread, does)) = line.split_once(' ') else {
            let column = line.chars().count() + 1;
            return Err((n, column, "expected what the thread does".to_owned()));
        };
        plan.steps.push(Planned {
            thread: thread.replace("\\x20", " "),
            does: does.trim_start().replace("\\n", "\n"),
        });
    }
    let is_cut = steps.is_some() && !text.ends_with('\n');
    match (plan.steps.len(), steps) {
        (0, None) => Err((last.0, last.1, "it has no steps".to_owned())),
        (found, Some(all)) if found != all => {
            let what = format!("it has {found} of {all} steps: is it cut off?");
            Err((last.0, last.1, what))
        }
        _ if is_cut => Err((last.0, last.1, "it is cut off in this line".to_owned())),
        _ => Ok(plan),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_read() {
        let text = "# commute schedule 1\ntest: a::b\npackage: p\ntarget: --test x\n\nmain  spawn(T1)\nT\\x201  m.lock()\n";
        let plan = parse(text).unwrap();
        assert_eq!(plan.test, "a::b");
        let package = plan.package.map(|package| package.to_string());
        assert_eq!(package.as_deref(), Some("p"));
        let target = plan.target.map(|target| target.to_string());
        assert_eq!(target.as_deref(), Some("--test x"));
        assert_eq!(plan.steps[1].thread, "T 1");
        assert_eq!(plan.steps[1].does, "m.lock()");
    }

    #[test]
    fn what_is_no_schedule_is_refused_with_its_place() {
        for (text, place) in [
            ("", (1, 1)),
            ("hello", (1, 1)),
            ("# commute schedule 2\n", (1, 1)),
            ("# commute schedule 1\n\n", (1, 1)),
            ("# commute schedule 1\nnonsense\n", (2, 1)),
            ("# commute schedule 1\ntest: t\n\nmain\n", (4, 5)),
            ("# commute schedule 1\ntest: --nocapture\n", (2, 7)),
            ("# commute schedule 1\ntest: t\ntest: t\n", (3, 1)),
            ("# commute schedule 1\npackage:  -q\n", (2, 11)),
            ("# commute schedule 1\ntarget: --lib -q\n", (2, 15)),
            ("# commute schedule 1\ntest: t\n\n", (1, 1)),
            (
                "# commute schedule 1\ntest: t\nsteps: x\n\nm  f()\n",
                (3, 8),
            ),
            (
                "# commute schedule 1\ntest: t\nsteps: 2\n\nm  f()\n",
                (5, 7),
            ),
            ("# commute schedule 1\ntest: t\nsteps: 1\n\nm  f(", (5, 6)),
        ] {
            let found = parse(text).err().map(|e| (e.0, e.1));
            assert_eq!(found, Some(place), "{text:?}");
        }
    }
}
