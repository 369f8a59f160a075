//! A failing run as a trace, for every analysis of traces.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use commute_explore::{Story, Told};

use super::guards::{self, Guards};
use crate::store::whole_file;

/// Writes the steps of a story as a text trace.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(path: &Path, story: &Story) -> Result<()> {
    let written = whole_file::replace(path, &text(story));
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn text(story: &Story) -> String {
    let mut text = lines(story).0;
    // There is no trace without an event.
    if text.is_empty() {
        text += "main|dummy|?\n";
    }
    text
}

/// The steps of a story as a text trace, and for each line the step that it is of, from 0.
pub(super) fn lines(story: &Story) -> (String, Vec<usize>) {
    let mut lines = Lines::default();
    let mut steps = Vec::new();
    for (step, told) in story.steps.iter().enumerate() {
        lines.step(told);
        steps.resize(lines.count, step);
    }
    (lines.text, steps)
}

#[derive(Default)]
struct Lines {
    text: String,
    count: usize,
    /// Objects that were declared.
    declared: BTreeSet<String>,
    /// Threads that were woken, and have to take a lock again.
    woken: BTreeMap<String, String>,
    /// Senders of channels.
    senders: BTreeMap<String, i64>,
    /// Guards of maps.
    guards: Guards,
}

impl Lines {
    fn step(&mut self, told: &Told) {
        let object = numbered(&told.object, told.number);
        let peer = || name(told.peer.as_deref().unwrap_or("?"));
        let result = told.result.as_deref();
        match (&*told.sort, &*told.method) {
            ("thread" | "threads", "spawn") => self.line(told, &format!("fork({})", peer())),
            ("thread", "join") => self.line(told, &format!("join({})", peer())),
            ("threads", "join") => {
                for peer in told.peer.iter().chain(&told.args) {
                    self.line(told, &format!("join({})", name(peer)));
                }
            }
            ("lock", "lock" | "try_lock" | "read" | "try_read")
                if result == Some("would block") =>
            {
                self.line(told, "dummy");
            }
            ("lock", "lock" | "try_lock") => match self.woken.remove(&told.thread) {
                Some(condvar) => self.line(told, &format!("wake({condvar},{object})")),
                None => self.line(told, &format!("acq({object})")),
            },
            ("lock", "unlock") => self.line(told, &format!("rel({object})")),
            ("lock", "read" | "try_read") => self.line(told, &format!("racq({object})")),
            ("lock", "unread") => self.line(told, &format!("rrel({object})")),
            ("condvar", "wait") => {
                let mutex = numbered(told.other.as_deref().unwrap_or("?"), told.other_number);
                self.line(told, &format!("wait({object},{mutex})"));
            }
            ("condvar", "wake" | "wake_or_not") => {
                self.woken.insert(told.thread.clone(), object);
            }
            ("condvar", "notify_one") => self.line(told, &format!("notify({object})")),
            ("condvar", "notify_all") => self.line(told, &format!("notify_all({object})")),
            ("channel", method) => match self.message(&object, method, told) {
                Some(action) => self.action(told, &object, "mpsc", &action),
                None => self.line(told, "dummy"),
            },
            ("atomic", "compare_exchange") => match result.and_then(attempt) {
                Some((done, found)) => {
                    let call = format!("cas_cur({})/({done},{found})", told.args.join(","));
                    self.action(told, &object, "atomic", &call);
                }
                None => self.line(told, "dummy"),
            },
            (sort @ ("map" | "hashset"), method) if guards::is_guarded(method) => {
                match self.guards.action(told, &object) {
                    Some(action) => self.action(told, &object, sort, &action),
                    None => self.line(told, "dummy"),
                }
            }
            (sort, method) if is_specified(sort, method) => {
                let args = told.args.join(",");
                let result = result.map(|result| format!("/{result}"));
                let call = format!("{method}({args}){}", result.unwrap_or_default());
                self.action(told, &object, sort, &call);
            }
            // What traces have no word for is an event all the same.
            _ => self.line(told, "dummy"),
        }
    }

    /// What is done to a channel, in the words of `mpsc`.
    fn message(&mut self, channel: &str, method: &str, told: &Told) -> Option<String> {
        let senders = self.senders.entry(channel.to_owned()).or_insert(1);
        let result = told.result.as_deref().unwrap_or_default();
        let ok = result.strip_prefix("Ok(").and_then(|r| r.strip_suffix(')'));
        Some(match (method, result) {
            ("send" | "try_send" | "offer", _) if result != "Err(Full)" => {
                let message = told.args.first()?;
                format!("send({message})/{}", ok.is_some() || result.is_empty())
            }
            ("recv", "Err(Disconnected)") => "recv()/nil".to_owned(),
            ("recv", _) => format!("recv()/{}", ok?),
            ("try_recv" | "recv_or_not", "Err(Disconnected)") => "try_recv()/'closed'".to_owned(),
            ("try_recv" | "recv_or_not", _) => match ok {
                Some(message) => format!("try_recv()/{message}"),
                None => "try_recv()/'empty'".to_owned(),
            },
            ("drop_receiver", _) => "close()/true".to_owned(),
            ("clone_sender", _) => {
                *senders += 1;
                return None;
            }
            ("drop_sender", _) => {
                *senders -= 1;
                return (*senders == 0).then(|| "disconnect()".to_owned());
            }
            _ => return None,
        })
    }

    /// An action of a type that has a specification.
    fn action(&mut self, told: &Told, object: &str, sort: &str, call: &str) {
        if self.declared.insert(object.to_owned()) {
            self.line(told, &format!("new({object}:{sort})"));
        }
        self.line(told, &format!("{object}.{call}"));
    }

    fn line(&mut self, told: &Told, operation: &str) {
        let location = told.location.as_deref().unwrap_or("?").replace('|', "/");
        let thread = name(&told.thread);
        let _ = writeln!(self.text, "{thread}|{operation}|{location}");
        self.count += 1;
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

/// The same of one of several that have this name.
fn numbered(text: &str, number: Option<u32>) -> String {
    match number {
        Some(number) => format!("{}#{number}", name(text)),
        None => name(text),
    }
}

fn is_specified(sort: &str, method: &str) -> bool {
    let specification = commute_spec::shipped::named(sort);
    specification.is_some_and(|specification| specification.method(method).is_some())
}

/// Whether a value was exchanged, and which was found.
fn attempt(result: &str) -> Option<(bool, &str)> {
    let inner = |word: &str| result.strip_prefix(word)?.strip_suffix(')');
    let done = inner("Ok(").map(|found| (true, found));
    done.or_else(|| inner("Err(").map(|found| (false, found)))
}
