//! What a finding says below its title, as plain lines for the forms that have
//! no excerpts.

use commute_model::Finding;

use crate::untrusted::{clip, clip_lines};

/// The events, the last first, the condition and the remarks, a line each.
pub(crate) fn lines(finding: &Finding) -> String {
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
