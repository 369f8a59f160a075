//! What is wrong with a file that is not at hand as text: a trace that
//! streams, or a binary one.
//!
//! A diagnostic has the whole text; a problem has at most the part of the line
//! that matters, already cut.

use annotate_snippets::{Level as Shown, Origin, Padding};
use commute_model::{Code, Severity};
use serde::Serialize;

use crate::Style;
use crate::excerpt::{Excerpt, Mark, token};
use crate::origin::Origins;
use crate::untrusted::{clip, clip_lines};

/// One problem of a file.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// How bad it is.
    pub severity: Severity,
    /// The page that explains it, if there is one.
    pub code: Option<Code>,
    /// What is wrong, in one line.
    pub message: &'a str,
    /// The name of the file.
    pub file: &'a str,
    /// Where in the file.
    pub place: Place<'a>,
    /// What could be done about it, or what was lost.
    pub help: Option<&'a str>,
}

/// Where in a file.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// Nowhere in particular.
    Whole,
    /// At a byte, from 0.
    Byte(u64),
    /// In a line.
    Line {
        /// The line, from 1.
        line: u64,
        /// The column, from 1, in characters.
        column: u64,
        /// The line, or the part of it that matters; may be empty.
        excerpt: &'a str,
        /// The column of the problem in the excerpt, from 1, in characters.
        mark: usize,
    },
}

impl Problem<'_> {
    /// `file:line:column`, `file: byte 17` or `file`.
    pub(crate) fn origin(&self) -> String {
        let file = clip(self.file, 400);
        match self.place {
            Place::Whole => file.into_owned(),
            Place::Byte(offset) => format!("{file}: byte {offset}"),
            Place::Line { line, column, .. } => format!("{file}:{line}:{column}"),
        }
    }
}

/// The problem as several lines of text, without a line end after the last.
pub fn human(problem: &Problem<'_>, style: &Style) -> String {
    let level = match problem.severity {
        Severity::Error => Shown::ERROR,
        Severity::Warning => Shown::WARNING,
        Severity::Note => Shown::NOTE,
    };
    let mut title = level.primary_title(clip(problem.message, style.text_limit()));
    if let Some(code) = problem.code {
        title = title.id(code.to_string());
    }
    let mut origins = Origins::default();
    let holder = origins.add(problem.origin());
    let excerpt = excerpt(problem, style);
    let mut group = match &excerpt {
        Some(excerpt) => title.element(excerpt.snippet(holder)),
        None => title.element(Origin::path(holder)),
    };
    if let Some(help) = problem.help {
        if excerpt.is_none() {
            group = group.element(Padding);
        }
        let help = clip_lines(help, style.text_limit(), 8);
        group = group.element(Shown::HELP.message(help));
    }
    origins.fill(&style.renderer().render(&[group]))
}

fn excerpt(problem: &Problem<'_>, style: &Style) -> Option<Excerpt> {
    let Place::Line {
        line,
        excerpt,
        mark,
        ..
    } = problem.place
    else {
        return None;
    };
    if excerpt.is_empty() || excerpt.contains('\n') {
        return None;
    }
    let end = excerpt.len();
    let mark = Mark {
        line: usize::try_from(line).unwrap_or(usize::MAX),
        span: token(excerpt, mark).unwrap_or(end..end),
        label: String::new(),
        primary: true,
    };
    Some(Excerpt::new(&[mark], style.excerpt_width(), |_| {
        Some(excerpt)
    }))
}

/// `t.std:3:9: error: message`: one line, without a line end.
pub fn short(problem: &Problem<'_>) -> String {
    let (origin, severity) = (problem.origin(), problem.severity);
    let message = clip(problem.message, 400);
    match problem.code {
        Some(code) => format!("{origin}: {severity}[{code}]: {message}"),
        None => format!("{origin}: {severity}: {message}"),
    }
}

#[derive(Serialize)]
struct Body<'a> {
    code: Option<String>,
    level: String,
    message: &'a str,
    location: Location<'a>,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Location<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte: Option<u64>,
}

/// `{"schema":1,"reason":"diagnostic",…}`: one line, without a line end.
pub fn json(problem: &Problem<'_>) -> String {
    let (line, column, byte) = match problem.place {
        Place::Whole => (None, None, None),
        Place::Byte(offset) => (None, None, Some(offset)),
        Place::Line { line, column, .. } => (Some(line), Some(column), None),
    };
    let body = Body {
        code: problem.code.map(|code| code.to_string()),
        level: problem.severity.to_string(),
        message: problem.message,
        location: Location {
            file: problem.file,
            line,
            column,
            byte,
        },
        help: problem.help,
    };
    crate::json::line("diagnostic", body)
}
