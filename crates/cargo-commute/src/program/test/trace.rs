//! A failing run as a trace, for every analysis of traces.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use commute_explore::{Story, Told};

/// Writes the steps of a story as a text trace.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(path: &Path, story: &Story) -> Result<()> {
    let written = std::fs::write(path, text(story));
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn text(story: &Story) -> String {
    let mut lines = Lines::default();
    for told in &story.steps {
        lines.step(told);
    }
    lines.text
}

#[derive(Default)]
struct Lines {
    text: String,
    /// Objects that were declared.
    declared: BTreeSet<String>,
    /// Threads that were woken, and have to take a lock again.
    woken: BTreeMap<String, String>,
}

impl Lines {
    fn step(&mut self, told: &Told) {
        let object = name(&told.object);
        let peer = || name(told.peer.as_deref().unwrap_or("?"));
        match (&*told.sort, &*told.method) {
            ("thread" | "threads", "spawn") => self.line(told, &format!("fork({})", peer())),
            ("thread", "join") => self.line(told, &format!("join({})", peer())),
            ("threads", "join") => {
                for peer in told.peer.iter().chain(&told.args) {
                    self.line(told, &format!("join({})", name(peer)));
                }
            }
            ("thread" | "threads", _) => {}
            ("lock", "lock" | "try_lock") if told.result.as_deref() == Some("would block") => {}
            ("lock", "lock" | "try_lock") => match self.woken.remove(&told.thread) {
                Some(condvar) => self.line(told, &format!("wake({condvar},{object})")),
                None => self.line(told, &format!("acq({object})")),
            },
            ("lock", "unlock") => self.line(told, &format!("rel({object})")),
            ("lock", "read" | "try_read") if told.result.as_deref() == Some("would block") => {}
            ("lock", "read" | "try_read") => self.line(told, &format!("racq({object})")),
            ("lock", "unread") => self.line(told, &format!("rrel({object})")),
            ("lock", _) => {}
            ("condvar", "wait") => {
                let mutex = name(told.other.as_deref().unwrap_or("?"));
                self.line(told, &format!("wait({object},{mutex})"));
            }
            ("condvar", "wake" | "wake_or_not") => {
                self.woken.insert(told.thread.clone(), object);
            }
            ("condvar", "notify_one") => self.line(told, &format!("notify({object})")),
            ("condvar", "notify_all") => self.line(told, &format!("notify_all({object})")),
            (sort, method) => self.action(told, &object, sort, method),
        }
    }

    /// An action of a type that has a specification.
    fn action(&mut self, told: &Told, object: &str, sort: &str, method: &str) {
        let Some(specification) = commute_spec::shipped::named(sort) else {
            return;
        };
        if specification.method(method).is_none() {
            return;
        }
        if self.declared.insert(object.to_owned()) {
            self.line(told, &format!("new({object}:{sort})"));
        }
        let result = told.result.as_ref().map(|result| format!("/{result}"));
        let args = told.args.join(",");
        let result = result.unwrap_or_default();
        self.line(told, &format!("{object}.{method}({args}){result}"));
    }

    fn line(&mut self, told: &Told, operation: &str) {
        let location = told.location.as_deref().unwrap_or("?").replace('|', "/");
        let thread = name(&told.thread);
        let _ = writeln!(self.text, "{thread}|{operation}|{location}");
    }
}

/// A name as traces have them: letters, digits, and a few others.
fn name(text: &str) -> String {
    let keep = |c: char| match c {
        c if c.is_alphanumeric() => c,
        '#' | '_' | '.' | '/' | '-' => c,
        _ => '_',
    };
    text.trim_end_matches(')').chars().map(keep).collect()
}
