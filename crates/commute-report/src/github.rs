//! A finding as a GitHub workflow command, which becomes an annotation of the
//! changed file.
//!
//! `::error file=pool.rs,line=12,col=5,title=…::text`; in the text a line end
//! is `%0A`. GitHub takes commands from any line of the log, so everything is
//! escaped: a trace must not be able to write commands of its own.

use commute_model::{Finding, Level, parse_location};

use crate::untrusted::{clip, clip_lines};

/// The finding as one line, without a line end.
pub fn finding(finding: &Finding) -> String {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties = Vec::new();
    let place = finding.events.last().map(|event| event.location.as_str());
    if let Some((file, line, column)) = place.and_then(parse_location) {
        properties.push(format!("file={}", property(&clip(file, 400))));
        properties.push(format!("line={line}"));
        properties.extend(column.map(|column| format!("col={column}")));
    }
    let title = format!("{}: {}", finding.code, clip(&finding.title, 400));
    properties.push(format!("title={}", property(&title)));
    let properties = properties.join(",");
    format!("::{command} {properties}::{}", message(&text(finding)))
}

/// What the annotation says: the events, the condition, the remarks.
fn text(finding: &Finding) -> String {
    let mut lines: Vec<String> = Vec::new();
    for event in finding.events.iter().rev().take(8) {
        let (thread, index) = (clip(&event.thread, 120), event.index);
        let (action, location) = (clip(&event.action, 120), clip(&event.location, 400));
        let at = if location.is_empty() { "" } else { " at " };
        lines.push(format!("{thread}, event {index}: {action}{at}{location}"));
    }
    if let Some(condition) = &finding.condition {
        lines.push(format!("condition: {}", clip_lines(condition, 400, 8)));
    }
    for note in finding.notes.iter().take(8) {
        let (label, text) = (clip(&note.label, 40), clip_lines(&note.text, 400, 8));
        lines.push(format!("{label}: {text}"));
    }
    lines.join("\n")
}

fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
