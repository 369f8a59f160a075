//! What parsers say, for people and machines.
//!
//! A diagnostic knows bytes of a text; here they become lines, columns and
//! excerpts. Of a huge line only the surroundings of the place are shown.

use annotate_snippets::{Element, Level as Shown};
use commute_model::{
    Certainty, Code, Diagnostic, EventRef, Finding, Level, Note, Position, Severity, Span,
};
use serde::Serialize;

use crate::excerpt::{Excerpt, MAX_GAP, Mark, floor, line_of};
use crate::origin::Origins;
use crate::problem::{self, Problem};
use crate::untrusted::{clip, clip_lines};
use crate::{NoSources, Style, github};

/// How many diagnostics of one text are shown unless the style is verbose.
const MANY: usize = 50;

/// A text that diagnostics are about.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name of its file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// The number of its first line: 1, unless it is a piece of a longer text.
    pub first_line: usize,
}

impl<'a> Source<'a> {
    /// A whole file.
    pub fn new(name: &'a str, text: &'a str) -> Source<'a> {
        Source {
            name,
            text,
            first_line: 1,
        }
    }

    /// The same as a piece that begins at line `first_line` of its file.
    pub fn starting_at(self, first_line: usize) -> Source<'a> {
        Source { first_line, ..self }
    }

    fn position(&self, offset: usize) -> Position {
        let position = Position::of(self.text, offset);
        Position {
            line: position.line - 1 + self.first_line,
            ..position
        }
    }

    /// `name:line:column` of byte `offset`.
    fn place(&self, offset: usize) -> String {
        format!("{}:{}", clip(self.name, 400), self.position(offset))
    }

    /// `span` as a mark of the line it begins in; what lies on later lines is
    /// not marked.
    fn mark(&self, span: Span, label: &str, primary: bool) -> Mark {
        let text = self.text;
        let at = floor(text, span.start);
        let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
        let length = text[start..end].trim_end_matches('\r').len();
        let from = (at - start).min(length);
        Mark {
            line: self.position(at).line,
            span: from..span.end.saturating_sub(start).clamp(from, length),
            label: clip(label, 400).into_owned(),
            primary,
        }
    }
}

/// The diagnostics as text, an empty line between two, without a line end
/// after the last. After fifty, their number only, unless the style is
/// verbose.
pub fn human(diagnostics: &[Diagnostic], source: &Source<'_>, style: &Style) -> String {
    let many = if style.verbose { usize::MAX } else { MANY };
    let shown = diagnostics.iter().take(many);
    let mut texts: Vec<String> = shown.map(|d| one(d, source, style)).collect();
    if diagnostics.len() > many {
        let (more, name) = (diagnostics.len() - many, clip(source.name, 400));
        texts.push(format!("… and {more} more in {name}: `-v` shows them"));
    }
    texts.join("\n\n")
}

fn one(diagnostic: &Diagnostic, source: &Source<'_>, style: &Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Shown::ERROR,
        Severity::Warning => Shown::WARNING,
        Severity::Note => Shown::NOTE,
    };
    let mut origins = Origins::default();
    let excerpts = excerpts(diagnostic, source, style.excerpt_width());
    let mut title = level.primary_title(clip(&diagnostic.message, style.text_limit()));
    if let Some(code) = diagnostic.code {
        title = title.id(code.to_string());
    }
    let snippets = excerpts.iter().map(|(place, excerpt)| {
        let holder = origins.add(place.clone());
        Element::from(excerpt.snippet(holder))
    });
    let mut group = title.elements(snippets);
    if let Some(help) = &diagnostic.help {
        let help = clip_lines(help, style.text_limit(), 8);
        group = group.element(Shown::HELP.message(help));
    }
    origins.fill(&style.renderer().render(&[group]))
}

/// The places of a diagnostic, those near to each other in one excerpt.
fn excerpts(diagnostic: &Diagnostic, source: &Source<'_>, width: usize) -> Vec<(String, Excerpt)> {
    let primary = source.mark(diagnostic.span, &diagnostic.label, true);
    let mut groups = vec![(source.place(diagnostic.span.start), vec![primary])];
    for label in &diagnostic.related {
        let mark = source.mark(label.span, &label.text, false);
        let close = |other: &Mark| other.line.abs_diff(mark.line) <= MAX_GAP;
        match groups.iter_mut().find(|(_, marks)| marks.iter().all(close)) {
            Some((_, marks)) => marks.push(mark),
            None => groups.push((source.place(label.span.start), vec![mark])),
        }
    }
    let excerpt = |marks: &[Mark]| {
        Excerpt::new(marks, width, |line| {
            line_of(source.text, line + 1 - source.first_line)
        })
    };
    groups
        .into_iter()
        .map(|(place, marks)| (place, excerpt(&marks)))
        .collect()
}

/// `spec.ecl:3:9: error[CM902]: message`: one line, without a line end.
pub fn short(diagnostic: &Diagnostic, source: &Source<'_>) -> String {
    let place = source.place(diagnostic.span.start);
    let severity = diagnostic.severity;
    let message = clip(&diagnostic.message, 400);
    match diagnostic.code {
        Some(code) => format!("{place}: {severity}[{code}]: {message}"),
        None => format!("{place}: {severity}: {message}"),
    }
}

/// The diagnostic as a finding, for documents: its places are events, the last of them
/// the one it is about. One without a code is none.
pub fn finding(diagnostic: &Diagnostic, source: &Source<'_>) -> Option<Finding> {
    let code = diagnostic.code?;
    let event = |(index, (span, label)): (u64, (Span, &str))| EventRef {
        thread: String::new(),
        index,
        action: label.to_owned(),
        location: format!("{}:{}", source.name, source.position(span.start)),
    };
    let related = diagnostic.related.iter();
    let places = related.map(|label| (label.span, &*label.text));
    let places = places.chain([(diagnostic.span, &*diagnostic.label)]);
    let label = match code {
        Code::CM908 | Code::CM909 => "example",
        _ => "help",
    };
    let help = diagnostic.help.iter();
    Some(Finding {
        code,
        level: match diagnostic.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Note,
        },
        certainty: Certainty::Observed,
        fingerprint: String::new(),
        title: diagnostic.message.clone(),
        object: None,
        events: (1..).zip(places).map(event).collect(),
        condition: None,
        witness: None,
        count: 1,
        replay: None,
        notes: help.map(|help| Note::new(label, help)).collect(),
        scene: None,
    })
}

/// The diagnostic without its excerpt, which for who has the file is enough.
pub fn problem<'a>(diagnostic: &'a Diagnostic, source: &Source<'a>) -> Problem<'a> {
    let Position { line, column } = source.position(diagnostic.span.start);
    Problem {
        severity: diagnostic.severity,
        code: diagnostic.code,
        message: &diagnostic.message,
        file: source.name,
        place: problem::Place::Line {
            line: line as u64,
            column: column as u64,
            excerpt: "",
            mark: 1,
        },
        help: diagnostic.help.as_deref(),
    }
}

/// The diagnostic as an annotation of GitHub: one line, without a line end.
pub fn github(diagnostic: &Diagnostic, source: &Source<'_>) -> String {
    match finding(diagnostic, source) {
        Some(finding) => github::finding(&finding, &NoSources),
        None => github::problem(&problem(diagnostic, source)),
    }
}

#[derive(Serialize)]
struct Body<'a> {
    code: Option<String>,
    level: String,
    message: &'a str,
    location: Place<'a>,
    label: &'a str,
    related: Vec<Related<'a>>,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct Related<'a> {
    location: Place<'a>,
    text: &'a str,
}

/// `{"schema":1,"reason":"diagnostic",…}`: one line, without a line end. Lines
/// and columns are counted from 1, columns in characters; the end is one past
/// the last character.
pub fn json(diagnostic: &Diagnostic, source: &Source<'_>) -> String {
    let place = |span: Span| {
        let (start, end) = (source.position(span.start), source.position(span.end));
        Place {
            file: source.name,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    };
    let related = diagnostic.related.iter().map(|label| Related {
        location: place(label.span),
        text: &label.text,
    });
    let body = Body {
        code: diagnostic.code.map(|code| code.to_string()),
        level: diagnostic.severity.to_string(),
        message: &diagnostic.message,
        location: place(diagnostic.span),
        label: &diagnostic.label,
        related: related.collect(),
        help: diagnostic.help.as_deref(),
    };
    crate::json::line("diagnostic", body)
}
