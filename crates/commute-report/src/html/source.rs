//! Source excerpts.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::parse_location;

use super::diagram::Anchors;
use super::markup::Markup;
use crate::excerpt::{CleanLine, Mark, Room};
use crate::site::{Shown, Site};

/// How many lines are shown before and after a marked one.
const AROUND: usize = 2;

/// Writes a site: the place, and the lines if they can be had. Places get an anchor, with
/// `name` in it, unless they have one already. The `primary` one is marked.
pub(super) fn site(
    site: &Site,
    name: &str,
    primary: bool,
    anchors: &mut Anchors,
    html: &mut Markup,
) {
    match site {
        Site::Shown(shown) => {
            html.raw("<figure>\n<figcaption><code>")
                .text(&shown.place)
                .raw("</code>");
            html.raw("</figcaption>\n");
            excerpt(shown, name, anchors, html);
        }
        Site::Named { place, label } => {
            html.raw("<figure");
            // A click leads here if there is no line to lead to.
            if let Some((file, line, _)) = parse_location(place) {
                let key = (file.to_owned(), line);
                anchors.entry(key).or_insert_with(|| {
                    html.raw(" class=\"source\"").set("id", name);
                    html.set("data-place", format!("{file}:{line}"));
                    name.to_owned()
                });
            }
            html.raw(">\n<figcaption>");
            match place.is_empty() {
                true => html.raw("place not recorded"),
                false => html.raw("<code>").text(place).raw("</code>"),
            };
            html.raw(match primary {
                true => "</figcaption>\n<div class=\"said here\">",
                false => "</figcaption>\n<div class=\"said\">",
            });
            html.long(label).raw("</div>\n");
        }
    }
    html.raw("</figure>\n");
}

fn excerpt(shown: &Shown, name: &str, anchors: &mut Anchors, html: &mut Markup) {
    let mut numbers = BTreeSet::new();
    let mut marks: BTreeMap<usize, Vec<&Mark>> = BTreeMap::new();
    for mark in &shown.marks {
        marks.entry(mark.line).or_default().push(mark);
        let first = mark.line.saturating_sub(AROUND).max(1);
        numbers.extend(first..=mark.line + AROUND);
    }
    html.raw("<pre role=\"region\" aria-label=\"Source\" tabindex=\"0\">");
    let mut previous = None;
    for number in numbers {
        let Some(text) = shown.text.line(number) else {
            break;
        };
        if previous.is_some_and(|previous| previous + 1 < number) {
            html.raw("<span class=\"gap\">⋯</span>\n");
        }
        previous = Some(number);
        let marks = marks.get(&number).map_or(&[][..], |marks| marks);
        let place = (shown.file().to_owned(), number as u32);
        let anchor = format!("{name}-{number}");
        let is_new = !marks.is_empty() && !anchors.contains_key(&place);
        if is_new {
            html.raw("<span class=\"source\"").set("id", &anchor);
            let place = format!("{}:{number}", shown.file());
            html.set("data-place", place).raw(">");
            anchors.insert((shown.file().to_owned(), number as u32), anchor);
        }
        html.raw("<span class=\"number\">").show(number);
        html.raw("</span> ");
        line(&CleanLine::new(text, marks, Room::ANY), marks, html);
        html.raw(if is_new { "</span>\n" } else { "\n" });
        for mark in marks.iter().filter(|mark| !mark.label.is_empty()) {
            html.raw(match mark.primary {
                true => "<span class=\"label here\">",
                false => "<span class=\"label\">",
            });
            html.long(&mark.label).raw("</span>\n");
        }
    }
    html.raw("</pre>\n");
}

/// One line, with what is marked in it. Marks may overlap; the primary one is
/// on top.
fn line(line: &CleanLine, marks: &[&Mark], html: &mut Markup) {
    let edges = line.spans.iter().flat_map(|span| [span.start, span.end]);
    let edges: BTreeSet<usize> = edges.chain([0, line.text.len()]).collect();
    let edges: Vec<usize> = edges.into_iter().collect();
    for part in edges.windows(2) {
        let over = |(span, _): &(&std::ops::Range<usize>, &&Mark)| {
            span.start <= part[0] && part[1] <= span.end
        };
        let here = line.spans.iter().zip(marks).filter(over);
        let primary = here.map(|(_, mark)| mark.primary).max();
        let text = &line.text[part[0]..part[1]];
        match primary {
            Some(true) => html.raw("<mark class=\"here\">").text(text).raw("</mark>"),
            Some(false) => html.raw("<mark>").text(text).raw("</mark>"),
            None => html.text(text),
        };
    }
}
