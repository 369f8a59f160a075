//! A candidate in every format.

use std::fmt::Write;

use commute_lint::candidates::Candidate;
use commute_lint::ir::{Program, Site};
use commute_report::{Sources, Style, clip, visible_lines};
use serde::Serialize;

/// What is shown of a candidate; the fields are those of a line of JSON.
#[derive(Serialize)]
pub(super) struct Shown {
    method: String,
    location: String,
    object: String,
    collection: String,
    locked: bool,
    operations: Vec<Operation>,
    /// The test, or why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    without_test: Option<String>,
    #[serde(skip)]
    site: Site,
    #[serde(skip)]
    file: String,
}

#[derive(Serialize)]
struct Operation {
    name: String,
    location: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    through: Option<String>,
    repeats: bool,
    #[serde(skip)]
    site: Site,
}

impl Shown {
    pub(super) fn new(
        program: &Program,
        candidate: &Candidate,
        test: Result<String, String>,
    ) -> Shown {
        let method = program.function(candidate.method);
        let operations = candidate.operations.iter().map(|step| Operation {
            name: step.name.clone(),
            location: program.location(step.site),
            through: step.through.map(|id| program.function(id).name.clone()),
            repeats: step.repeats,
            site: step.site,
        });
        let file = program.files.get(method.site.file.index());
        let (test, without_test) = match test {
            Ok(test) => (Some(test), None),
            Err(reason) => (None, Some(reason)),
        };
        Shown {
            method: method.name.clone(),
            location: program.location(method.site),
            object: candidate.object.text(program, candidate.method),
            collection: candidate.collection.clone(),
            locked: candidate.locked,
            operations: operations.collect(),
            test,
            without_test,
            site: method.site,
            file: file.cloned().unwrap_or_default(),
        }
    }

    fn title(&self) -> String {
        let Shown { method, object, .. } = self;
        let collection = &self.collection;
        let locked = if self.locked { ", in a lock" } else { "" };
        let several = match self.operations.as_slice() {
            [_] => "an operation in a loop".to_owned(),
            operations => format!("{} operations", operations.len()),
        };
        let title = format!("`{method}`: {several} on `{object}` ({collection}{locked})");
        clip(&title, 400).into_owned()
    }

    /// One line.
    pub(super) fn short(&self) -> String {
        let place = match self.location.is_empty() {
            true => String::new(),
            false => format!("{}: ", clip(&self.location, 400)),
        };
        let names: Vec<String> = self.operations.iter().map(Operation::short).collect();
        let names = clip(&names.join(", "), 400).into_owned();
        format!("{place}candidate: {}: {names}", self.title())
    }

    /// In rustc's manner: the lines of the operations, then the test; `has_test` if that
    /// was shown before.
    pub(super) fn human(&self, has_test: bool, sources: &dyn Sources, style: &Style) -> String {
        let (bold, end) = if style.color {
            ("\x1b[1m", "\x1b[0m")
        } else {
            ("", "")
        };
        let mut out = format!("{bold}candidate{end}: {}\n", self.title());
        let lines = self.operations.iter().map(|operation| operation.site.line);
        let width = lines.max().unwrap_or(0).to_string().len();
        let blank = " ".repeat(width);
        let place = match self.location.is_empty() {
            true => clip(&self.file, 400),
            false => clip(&self.location, 400),
        };
        if !place.is_empty() {
            let _ = writeln!(out, "{blank}--> {place}");
        }
        let _ = writeln!(out, "{blank} |");
        let text = sources.text(&self.file);
        let mut before = 0;
        for operation in &self.operations {
            let is_here = operation.site.file == self.site.file && operation.site.line > 0;
            let line = text.as_ref().filter(|_| is_here);
            let line = line.and_then(|text| text.line(operation.site.line as usize));
            let name = clip(&operation.short(), 200).into_owned();
            match line {
                Some(line) => {
                    let number = operation.site.line;
                    let marked = marked(line, operation, style.width.saturating_sub(width + 3));
                    if number != before {
                        let _ = writeln!(out, "{number:>width$} | {}", marked.0);
                    }
                    before = number;
                    let _ = writeln!(out, "{blank} | {}^ {name}", " ".repeat(marked.1));
                }
                None => {
                    let _ = writeln!(out, "{blank} | {name} at {}", operation.location);
                }
            }
        }
        let _ = writeln!(out, "{blank} |");
        match (&self.test, &self.without_test) {
            (Some(_), _) if has_test => {
                let _ = writeln!(out, "{blank} = test: that of the same method above");
            }
            (Some(test), _) => {
                let file = clip(&self.file, 400);
                let _ = writeln!(out, "{blank} = test: for the end of {file}\n");
                let _ = writeln!(out, "{}", visible_lines(test.trim_end()));
            }
            (None, Some(reason)) => {
                let _ = writeln!(out, "{blank} = no test: {}", clip(reason, 400));
            }
            (None, None) => {}
        }
        out
    }
}

impl Operation {
    fn short(&self) -> String {
        let mut text = self.name.clone();
        if let Some(through) = &self.through {
            let _ = write!(text, " in `{through}`");
        }
        if self.repeats {
            text.push_str(", in a loop");
        }
        text
    }
}

/// A line of the source that fits, and where in it the mark of the operation stands: under
/// its name, if it is there.
fn marked(line: &str, operation: &Operation, width: usize) -> (String, usize) {
    let from = { line.char_indices() }
        .nth(operation.site.column.saturating_sub(1) as usize)
        .map_or(0, |(at, _)| at);
    let called = match &operation.through {
        Some(through) => through.as_str(),
        None => operation.name.as_str(),
    };
    let word = format!(".{}", called.rsplit([':', '.']).next().unwrap_or(called));
    let at = line[from..].find(&word).map_or(from, |at| from + at + 1);
    let indent = line.len() - line.trim_start().len();
    let before = line[indent.min(at)..at].chars().count();
    let line = clip(line.trim(), width.max(20)).into_owned();
    // What was cut is gone, and with it the place.
    let before = if line.contains('…') { 0 } else { before };
    (format!("    {line}"), before + 4)
}
