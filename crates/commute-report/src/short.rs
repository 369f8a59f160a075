//! A finding in one line.

use std::fmt::Write;

use commute_model::{Finding, parse_location};

use crate::Sources;
use crate::site::is_of_source;
use crate::sources::from_here;
use crate::untrusted::clip;

/// How many characters of one text a line shows.
const LIMIT: usize = 400;

/// `pool.rs:12: error[CM101]: title (T2 event 5 / T3 event 4)`: the place of
/// the last event, then the events from the last to the first. One line,
/// without a line end.
///
/// The place is that of the file from here, if `sources` know it.
pub fn finding(finding: &Finding, sources: &dyn Sources) -> String {
    let mut out = String::new();
    if let Some(last) = finding.events.last()
        && !last.location.is_empty()
    {
        out.push_str(&clip(&from_here(&last.location, sources), LIMIT));
        // Editors take `file:line:`; what is not of that form is set apart.
        let linked = parse_location(&last.location).is_some();
        out.push_str(if linked { ": " } else { " - " });
    }
    let (level, code) = (finding.level, finding.code);
    let title = clip(&finding.title, LIMIT);
    write_to(&mut out, format_args!("{level}[{code}]: {title}"));
    for (i, event) in finding.events.iter().rev().take(8).enumerate() {
        let start = if i == 0 { " (" } else { " / " };
        let thread = clip(&event.thread, 80);
        match is_of_source(finding) {
            // Where the value comes from, and who else writes it.
            true => write_to(
                &mut out,
                format_args!(
                    "{start}{thread} {}",
                    clip(&from_here(&event.location, sources), 200)
                ),
            ),
            false => write_to(
                &mut out,
                format_args!("{start}{thread} event {}", event.index),
            ),
        }
    }
    match finding.events.len() {
        0 => {}
        1..=8 => out.push(')'),
        _ => out.push_str(" / …)"),
    }
    out
}

fn write_to(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string succeeds");
}
