//! One finding on the page.

use std::collections::BTreeSet;

use commute_model::{Certainty, Finding, Level, Note, WitnessKind};

use super::diagram::{self, Written};
use super::filters::Filters;
use super::markup::Markup;
use super::{places, threads};
use crate::run::TraceRun;
use crate::site::{is_of_source, is_of_specification};
use crate::untrusted::{clip, clip_lines};

/// How many remarks of each kind are shown.
const MOST_NOTES: usize = 40;
/// Of longer remarks a short form comes first.
const LONG: usize = 1000;

/// Writes the finding with this number, from 1, which is one of so many.
pub(super) fn article<'a>(
    (number, of): (usize, usize),
    finding: &'a Finding,
    trace: &TraceRun<'_>,
    total: Option<u64>,
    filters: &Filters<'_>,
    written: &mut Written<'a>,
    html: &mut Markup,
) {
    let names = names(finding);
    // The diagram comes before the places, but has to know which lines are shown, and the
    // finding is as wide as it needs.
    // Of a specification nothing has run that could be drawn.
    let shown = match is_of_specification(finding) {
        true => Vec::new(),
        false => diagram::shown(finding, total),
    };
    let mut places = Markup::default();
    let anchors = places::write((number, of), finding, trace, &shown, &mut places);
    let mut drawn = Markup::default();
    let is_broad =
        !shown.is_empty() && diagram::figure(number, finding, total, &anchors, written, &mut drawn);
    html.raw("<article id=\"finding-").show(number);
    html.raw("\" aria-labelledby=\"title-").show(number);
    html.raw(match is_broad {
        true => "\" class=\"broad\"",
        false => "\"",
    });
    filters.attributes(finding, html);
    html.raw(">\n<h3 id=\"title-").show(number);
    html.raw("\"><span class=\"");
    html.raw(match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    });
    html.raw("\">")
        .show(finding.level)
        .raw("</span> <a href=\"#");
    html.show(finding.code).raw("\">").show(finding.code);
    html.raw("</a> ")
        .prose_of(&clip(&finding.title, 1000), &names);
    html.raw("</h3>\n<p class=\"meta\">in <code>");
    html.text(&clip(trace.name(), 400)).raw("</code>");
    html.raw(match finding.certainty {
        _ if is_of_specification(finding) => "",
        Certainty::Observed if is_of_source(finding) => {
            " · observed: the way of the value is in the source"
        }
        Certainty::Unconfirmed if is_of_source(finding) => {
            " · low confidence: something else may keep it from going wrong"
        }
        Certainty::Observed => " · observed: it happened in this run",
        Certainty::Certified => " · certified: the witness was checked",
        Certainty::Unconfirmed => " · unconfirmed: it may be impossible in every run",
    });
    if finding.count > 1 {
        html.raw(" · found ").show(finding.count);
        html.raw(" times at these places");
    }
    html.raw("</p>\n");

    html.append(drawn);
    html.append(places);
    why(finding, &names, html);
    next(finding, &names, html);
    threads::table(finding, &shown, html);
    html.raw("<p class=\"meta\">Fingerprint <code>");
    html.text(&finding.fingerprint);
    html.raw("</code></p>\n</article>\n");
}

/// The condition with its values, the remarks, the evidence.
fn why(finding: &Finding, names: &[&str], html: &mut Markup) {
    let evidence = witness(finding);
    if finding.condition.is_none() && evidence.is_none() && finding.notes.iter().all(is_help) {
        return;
    }
    html.raw("<h4>Why</h4>\n<dl>\n");
    if let Some(condition) = &finding.condition {
        html.raw("<dt>condition that is false</dt><dd><code>");
        // The formula, then the values.
        match condition.split_once("   with ") {
            Some((formula, values)) => {
                html.long(formula).raw("</code><br>with <code>");
                html.long(values);
            }
            None => {
                html.lines(&clip_lines(condition, 10_000, 100), &[]);
            }
        };
        html.raw("</code></dd>\n");
    }
    // The page has a table of its own.
    let remarks = finding.notes.iter();
    let remarks = remarks.filter(|note| !is_help(note) && !note.is_columns());
    for remark in remarks.take(MOST_NOTES) {
        html.raw("<dt>");
        match &*remark.label {
            "" => html.raw("note"),
            label => html.text(&clip(label, 40)),
        };
        html.raw("</dt><dd>");
        remark_text(&remark.text, names, html);
        html.raw("</dd>\n");
    }
    if let Some(evidence) = evidence {
        html.raw("<dt>evidence</dt><dd>").long(&evidence);
        html.raw("</dd>\n");
    }
    html.raw("</dl>\n");
}

/// What to do next.
fn next(finding: &Finding, names: &[&str], html: &mut Markup) {
    html.raw("<h4>What to do next</h4>\n<ul>\n");
    for help in finding.notes.iter().filter(|n| is_help(n)).take(MOST_NOTES) {
        html.raw("<li>");
        remark_text(&help.text, names, html);
        html.raw("</li>\n");
    }
    if let Some(replay) = &finding.replay {
        html.raw("<li><code>").text(&clip(replay, 1000));
        html.raw("</code> shows it again</li>\n");
    }
    html.raw("<li><code>commute explain ").show(finding.code);
    html.raw("</code> says more, with an example and its fix</li>\n</ul>\n");
}

/// The lines of a remark, all of long ones for who asks.
fn remark_text(text: &str, names: &[&str], html: &mut Markup) {
    if text.lines().all(|line| line.len() <= LONG) {
        html.lines(&clip_lines(text, 10_000, 100), names);
        return;
    }
    html.lines(&clip_lines(text, LONG / 2, 100), names);
    html.raw("<details><summary>all of it</summary>");
    html.lines(&clip_lines(text, 10_000, 100), names);
    html.raw("</details>");
}

/// The evidence in words: which events in which order, neighbours as ranges.
fn witness(finding: &Finding) -> Option<String> {
    let witness = finding.witness.as_ref()?;
    if witness.kind == WitnessKind::Pair || witness.steps.is_empty() {
        return None;
    }
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    if witness.prefix > 0 {
        ranges.push((1, witness.prefix));
    }
    for &step in &witness.steps {
        match ranges.last_mut() {
            // The pairs of a cycle stay pairs.
            Some((_, last))
                if last.checked_add(1) == Some(step) && witness.kind != WitnessKind::Cycle =>
            {
                *last = step;
            }
            _ => ranges.push((step, step)),
        }
    }
    let words = ranges.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    });
    let words: Vec<String> = words.collect();
    let kind = witness.kind;
    Some(format!("witness ({kind}): events {}", words.join(", ")))
}

/// What texts of a finding have in backticks and may have such in itself.
pub(super) fn names(finding: &Finding) -> Vec<&str> {
    let events = finding.events.iter();
    let events = events.flat_map(|event| [&*event.thread, &*event.action]);
    let extents = finding.scene.iter().flat_map(|scene| &scene.extents);
    let names = finding.object.as_deref().into_iter().chain(events);
    let names = names.chain(extents.map(|extent| &*extent.name));
    let names = names.filter(|name| name.contains('`'));
    let names: BTreeSet<&str> = names.collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    // A name may begin with another one.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names
}

fn is_help(note: &Note) -> bool {
    note.label == "help"
}

#[cfg(test)]
mod tests {
    use commute_model::{Code, Witness};

    use super::*;

    fn finding(kind: WitnessKind, prefix: u64, steps: Vec<u64>) -> Finding {
        Finding {
            code: Code::CM101,
            level: Level::Error,
            certainty: Certainty::Certified,
            fingerprint: String::new(),
            title: String::new(),
            object: None,
            events: Vec::new(),
            condition: None,
            witness: Some(Witness {
                kind,
                prefix,
                steps,
            }),
            count: 1,
            replay: None,
            notes: Vec::new(),
            scene: None,
        }
    }

    #[test]
    fn neighbours_of_a_witness_are_a_range() {
        let steps = (4..=4502).chain(4506..=9008).chain([9010, 9011, 4503]);
        let long = finding(WitnessKind::Reordering, 3, steps.collect());
        assert_eq!(
            witness(&long).as_deref(),
            Some("witness (reordering): events 1–4502, 4506–9008, 9010, 9011, 4503")
        );
        let cycle = finding(WitnessKind::Cycle, 0, vec![1, 2, 3, 4]);
        assert_eq!(
            witness(&cycle).as_deref(),
            Some("witness (cycle): events 1, 2, 3, 4")
        );
        assert_eq!(witness(&finding(WitnessKind::Pair, 0, vec![1, 2])), None);
    }
}
