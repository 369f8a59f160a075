//! What a finding says below its title, as plain lines for the forms that have
//! no excerpts.

use commute_model::Finding;

use crate::Style;
use crate::site::label;
use crate::untrusted::{clip, clip_lines};

/// The events, the last first, the condition and the remarks, a line each.
pub(crate) fn lines(finding: &Finding) -> String {
    let mut lines: Vec<String> = Vec::new();
    for event in finding.events.iter().rev().take(8) {
        let what = label(finding, event, &Style::default());
        let location = clip(&event.location, 400);
        let at = match (what.is_empty(), location.is_empty()) {
            (false, false) => " at ",
            (true, false) => "at ",
            (_, true) => "",
        };
        lines.push(format!("{what}{at}{location}"));
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
