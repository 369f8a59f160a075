//! Where the events of a finding happened, in the order in which to show them.
//!
//! The last event is where the finding became one: it is the primary mark and
//! its site comes first. Events that are near each other in one file share a
//! site.
//!
//! A finding about source code has no run, and its events no threads: they are stops on
//! the way of a value, numbered, each in a function. Those of a finding about a
//! specification are places in its text, and nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use commute_model::{Code, EventRef, Finding, parse_location};

use crate::excerpt::{MAX_GAP, Mark, token, trimmed};
use crate::untrusted::clip;
use crate::{SourceText, Sources, Style};

/// Where events of a finding happened. All texts but the source are safe to
/// show.
pub(crate) enum Site {
    /// In a file that can be shown.
    Shown(Shown),
    /// Anywhere else: the place, which may be empty, and what happened there.
    Named { place: String, label: String },
}

/// Marked lines of a file.
pub(crate) struct Shown {
    file: String,
    /// The place of the first mark.
    pub(crate) place: String,
    /// The whole file.
    pub(crate) text: Arc<SourceText>,
    /// At least one.
    pub(crate) marks: Vec<Mark>,
}

/// Whether a finding is about source code, and nothing was run.
pub(crate) fn is_of_source(finding: &Finding) -> bool {
    matches!(finding.code, Code::CM201 | Code::CM202)
}

/// Whether a finding is about a specification: its events are places, and nobody does
/// anything there.
pub(crate) fn is_of_specification(finding: &Finding) -> bool {
    finding.code >= Code::CM901
}

/// The sites of `most` events of a finding, that of the last first: of the last ones, or
/// of the first ones, too, if that is where a value comes from.
pub(crate) fn sites(
    finding: &Finding,
    most: usize,
    sources: &dyn Sources,
    style: &Style,
) -> Vec<Site> {
    let mut texts: BTreeMap<&str, Option<Arc<SourceText>>> = BTreeMap::new();
    let mut sites: Vec<Site> = Vec::new();
    for (i, event) in chosen(finding, most).into_iter().enumerate() {
        let label = label(finding, event, style);
        let place = clip(&event.location, style.text_limit()).into_owned();
        let found = parse_location(&event.location).and_then(|(file, line, column)| {
            let text = texts.entry(file).or_insert_with(|| sources.text(file));
            let text = Arc::clone(text.as_ref()?);
            let line = line as usize;
            let whole = is_of_source(finding);
            let span = span(text.line(line)?, column, whole);
            Some((file, text, line, span))
        });
        let Some((file, text, line, span)) = found else {
            sites.push(Site::Named { place, label });
            continue;
        };
        let mark = Mark {
            line,
            span,
            label,
            primary: i == 0,
        };
        let near = sites.iter_mut().find_map(|site| match site {
            Site::Shown(shown) if shown.is_near(file, line) => Some(shown),
            _ => None,
        });
        match near {
            Some(site) => site.marks.push(mark),
            None => sites.push(Site::Shown(Shown {
                file: file.to_owned(),
                place,
                text,
                marks: vec![mark],
            })),
        }
    }
    sites
}

impl Site {
    /// The last line that is shown of a file.
    pub(crate) fn last_line(&self) -> Option<usize> {
        match self {
            Site::Shown(shown) => shown.marks.iter().map(|mark| mark.line).max(),
            Site::Named { .. } => None,
        }
    }

    /// Makes one mark of all that are at the same place.
    pub(crate) fn join_labels(&mut self) {
        let Site::Shown(shown) = self else { return };
        let mut joined: Vec<Mark> = Vec::new();
        for mark in shown.marks.drain(..) {
            let is_there = |other: &&mut Mark| (other.line, &other.span) == (mark.line, &mark.span);
            match joined.iter_mut().find(is_there) {
                Some(there) => {
                    there.label += &format!("; {}", mark.label);
                    there.primary |= mark.primary;
                }
                None => joined.push(mark),
            }
        }
        shown.marks = joined;
    }
}

impl Shown {
    /// The file as the trace names it, not yet safe to show.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    fn is_near(&self, file: &str, line: usize) -> bool {
        let close = |mark: &Mark| mark.line.abs_diff(line) <= MAX_GAP;
        self.file == file && self.marks.iter().all(close)
    }
}

/// So many of the events, the last first.
fn chosen(finding: &Finding, most: usize) -> Vec<&EventRef> {
    let all = finding.events.len();
    if let [before @ .., last] = &finding.events[..]
        && most == 2
        && !is_of_source(finding)
    {
        // Two lines say more than one.
        let is_elsewhere = |event: &&EventRef| event.location != last.location;
        let other = before.iter().rev().find(is_elsewhere).or(before.last());
        return [last].into_iter().chain(other).collect();
    }
    let first = match is_of_source(finding) && all > most {
        true => most / 2,
        false => 0,
    };
    let last = all.saturating_sub(most - first);
    let events = finding.events.iter().enumerate();
    let chosen = events.filter(|(i, _)| *i < first || *i >= last);
    chosen.map(|(_, event)| event).rev().collect()
}

/// Who did what: `T2, event 5: o.put('a.com','c2')/'c1'`. In source code the number and
/// what happens there, and in which function unless it is that of the last event.
pub(crate) fn label(finding: &Finding, event: &EventRef, style: &Style) -> String {
    let thread = clip(&event.thread, style.action_limit());
    let action = clip(&event.action, style.action_limit());
    let index = event.index;
    if is_of_specification(finding) {
        return action.into_owned();
    }
    if !is_of_source(finding) {
        return format!("{thread}, event {index}: {action}");
    }
    let last = finding.events.last();
    let is_same = last.is_some_and(|last| last.thread == event.thread);
    // What is done there may name the function already.
    match is_same || event.action.contains(&format!("`{}`", event.thread)) {
        true => format!("{index}: {action}"),
        false => format!("{index}: {action}, in `{thread}`"),
    }
}

/// What is meant in a line: the token at the column, or the `whole` expression.
fn span(line: &str, column: Option<u32>, whole: bool) -> std::ops::Range<usize> {
    let token = column.and_then(|column| token(line, column as usize));
    match token {
        Some(token) if whole => token.start..expression(line, token.end),
        token => token.unwrap_or_else(|| trimmed(line)),
    }
}

/// Where an expression ends whose first token ends here: after the fields, methods and
/// arguments that follow, as far as they are in this line.
fn expression(line: &str, from: usize) -> usize {
    let (mut end, mut depth) = (from, 0usize);
    for (at, c) in line[from..].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth > 0 => depth -= 1,
            _ if depth > 0 => continue,
            '.' | ':' | '_' => continue,
            c if c.is_alphanumeric() => {}
            _ => break,
        }
        if depth == 0 {
            end = from + at + c.len_utf8();
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_marked_as_a_whole() {
        let check = |line: &str, column, expected: &str| {
            assert_eq!(&line[span(line, Some(column), true)], expected);
        };
        check(
            "let a = self.b.lock().unwrap().c;",
            9,
            "self.b.lock().unwrap().c",
        );
        check(
            "if x.get(&(1, 2)).is_none() {",
            4,
            "x.get(&(1, 2)).is_none()",
        );
        check("  map.insert(", 3, "map.insert");
        check("f(self.set(t + 1));", 3, "self.set(t + 1)");
        check("}", 1, "}");
        assert_eq!(span("let a = self.b;", Some(9), false), 8..12);
    }
}
