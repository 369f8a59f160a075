//! One finding on the page.

use std::collections::BTreeSet;

use commute_model::{Certainty, Finding, Level, Note, parse_location};

use super::diagram::{self, Anchors};
use super::filters::Filters;
use super::markup::Markup;
use super::{source, threads};
use crate::Style;
use crate::human;
use crate::run::TraceRun;
use crate::site::{Site, is_of_source, sites};
use crate::untrusted::{clip, clip_lines};

/// How many events are shown with their source; the table names the others.
const MOST_SITES: usize = 20;
/// How many remarks of each kind are shown.
const MOST_NOTES: usize = 40;

/// Writes the finding with this number, from 1.
pub(super) fn article(
    number: usize,
    finding: &Finding,
    trace: &TraceRun<'_>,
    filters: &Filters<'_>,
    html: &mut Markup,
) {
    // A page has room for more of long texts than a terminal.
    let style = Style {
        color: false,
        verbose: true,
        ..Style::default()
    };
    html.raw("<article id=\"finding-").show(number);
    html.raw("\" aria-labelledby=\"title-").show(number);
    html.raw("\"");
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
    html.raw("</a> ").prose(&clip(&finding.title, 1000));
    html.raw("</h3>\n<p class=\"meta\">in <code>");
    html.text(&clip(trace.name(), 400)).raw("</code>");
    html.raw(match finding.certainty {
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

    // The diagram comes first, but has to know which lines are shown.
    let mut anchors = Anchors::new();
    let mut places = Markup::default();
    if !finding.events.is_empty() {
        places.raw("<h4>Where</h4>\n");
    }
    for (i, site) in sites(finding, MOST_SITES, trace.sources, &style)
        .iter()
        .enumerate()
    {
        let name = format!("line-{number}-{i}");
        source::site(site, &name, &mut anchors, &mut places);
    }
    others(number, finding, trace, &style, &mut anchors, &mut places);
    diagram::figure(number, finding, &anchors, html);
    html.append(places);
    why(finding, &style, html);
    next(finding, html);
    threads::table(finding, html);
    html.raw("<p class=\"meta\">Fingerprint <code>");
    html.text(&finding.fingerprint);
    html.raw("</code></p>\n</article>\n");
}

/// Writes the source of the other events of the diagram, for who asks for it.
fn others(
    number: usize,
    finding: &Finding,
    trace: &TraceRun<'_>,
    style: &Style,
    anchors: &mut Anchors,
    html: &mut Markup,
) {
    let mut shown = diagram::shown(finding);
    let mut known: BTreeSet<(String, u32)> = anchors.keys().cloned().collect();
    shown.retain(|event| {
        let place = parse_location(&event.location);
        place.is_some_and(|(file, line, _)| known.insert((file.to_owned(), line)))
    });
    let others = Finding {
        events: shown,
        scene: None,
        ..finding.clone()
    };
    let mut sites = sites(&others, MOST_SITES, trace.sources, style);
    sites.retain(|site| matches!(site, Site::Shown(_)));
    if sites.is_empty() {
        return;
    }
    html.raw("<details>\n<summary>Source of the other events</summary>\n");
    for (i, site) in sites.iter_mut().enumerate() {
        if let Site::Shown(shown) = site {
            shown.marks.iter_mut().for_each(|mark| mark.primary = false);
        }
        let name = format!("line-{number}-more-{i}");
        source::site(site, &name, anchors, html);
    }
    html.raw("</details>\n");
}

/// The condition with its values, the remarks, the evidence.
fn why(finding: &Finding, style: &Style, html: &mut Markup) {
    let evidence = human::witness(finding, style);
    if finding.condition.is_none() && evidence.is_none() && finding.notes.iter().all(is_help) {
        return;
    }
    html.raw("<h4>Why</h4>\n<dl>\n");
    if let Some(condition) = &finding.condition {
        html.raw("<dt>condition that is false</dt><dd><code>");
        // The formula, then the values.
        match condition.split_once("   with ") {
            Some((formula, values)) => html
                .text(&clip(formula, 10_000))
                .raw("</code><br>with <code>")
                .text(&clip(values, 10_000)),
            None => html.lines(&clip_lines(condition, 10_000, 100)),
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
        html.lines(&clip_lines(&remark.text, 10_000, 100));
        html.raw("</dd>\n");
    }
    if let Some(evidence) = evidence {
        html.raw("<dt>evidence</dt><dd>")
            .text(&clip(&evidence, 10_000));
        html.raw("</dd>\n");
    }
    html.raw("</dl>\n");
}

/// What to do next.
fn next(finding: &Finding, html: &mut Markup) {
    html.raw("<h4>What to do next</h4>\n<ul>\n");
    for help in finding.notes.iter().filter(|n| is_help(n)).take(MOST_NOTES) {
        html.raw("<li>").lines(&clip_lines(&help.text, 10_000, 100));
        html.raw("</li>\n");
    }
    if let Some(replay) = &finding.replay {
        html.raw("<li><code>").text(&clip(replay, 1000));
        html.raw("</code> shows it again</li>\n");
    }
    html.raw("<li><code>commute explain ").show(finding.code);
    html.raw("</code> says more, with an example and its fix</li>\n</ul>\n");
}

fn is_help(note: &Note) -> bool {
    note.label == "help"
}
