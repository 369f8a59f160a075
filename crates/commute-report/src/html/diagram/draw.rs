//! A diagram as SVG.

use commute_model::{ExtentKind, Finding, Moment, Scene, parse_location};

use super::data::{conflicts, meaning};
use super::depth::Nesting;
use super::fold::Row;
use super::layout::{BOX, GAP, GUTTER, HEAD, Layout};
use super::order::Order;
use super::{Anchors, count, place};
use crate::html::markup::Markup;
use crate::untrusted::{clip, narrow, visible};

/// A longer text is cut where there is room for more than a box has.
const LONGEST: usize = 1000;

/// What a clock ends with that has not all threads, as in `script.js`.
const CUT: &str = "; of some threads nothing is kept";

/// What is drawn.
pub(super) struct Drawing<'a> {
    pub(super) finding: &'a Finding,
    pub(super) scene: &'a Scene,
    pub(super) order: &'a Order,
    pub(super) rows: &'a [Row],
    pub(super) nesting: &'a Nesting,
    pub(super) layout: &'a Layout,
    pub(super) anchors: &'a Anchors,
    pub(super) caption: &'static str,
}

impl Drawing<'_> {
    pub(super) fn svg(&self, html: &mut Markup) {
        let Layout { width, height, .. } = *self.layout;
        html.raw("<svg").set("width", width).set("height", height);
        html.raw(" viewBox=\"0 0 ")
            .show(width)
            .raw(" ")
            .show(height);
        html.raw("\" role=\"group\" aria-label=\"")
            .raw(self.caption);
        html.raw(": a diagram of ").show(self.layout.lanes.len());
        html.raw(" lanes and ").show(self.rows.len());
        html.raw(" rows\">\n");
        self.lanes(html);
        for place in 0..self.scene.extents.len() {
            self.extent(place, html);
        }
        for arrow in &self.order.arrows {
            let why = clip(&arrow.why, 40);
            self.arrow("order", (arrow.from, arrow.to), &why, html);
        }
        // Below the boxes, so that no text is crossed.
        let (class, why) = meaning(self.finding);
        for pair in conflicts(self.finding, self.scene) {
            self.arrow(class, pair, why, html);
        }
        for (number, row) in self.rows.iter().enumerate() {
            match row {
                Row::Event(place) => self.event(number, &self.scene.moments[*place], html),
                Row::Gap(hidden) => self.gap(number, *hidden, html),
            }
        }
        html.raw("</svg>\n");
    }

    fn lanes(&self, html: &mut Markup) {
        let Layout { height, widths, .. } = self.layout;
        for (thread, left) in &self.layout.lanes {
            let middle = left + widths.indent + widths.of_box / 2;
            html.raw("<line class=\"lane\"").set("x1", middle);
            html.set("y1", HEAD - 6).set("x2", middle);
            html.set("y2", height - 4).raw("></line>\n");
            html.raw("<text class=\"thread\"").set("x", middle);
            html.set("y", HEAD - 14).raw(">");
            let name = &self.scene.threads[*thread];
            html.text(&narrow(&visible(name), widths.room));
            html.raw("<title>").text(&clip(name, LONGEST));
            html.raw("</title></text>\n");
        }
    }

    fn event(&self, row: usize, moment: &Moment, html: &mut Markup) {
        let Some((left, top)) = self.corner(row, moment) else {
            return;
        };
        let widths = &self.layout.widths;
        let anchor = parse_location(&moment.location)
            .and_then(|(file, line, _)| self.anchors.get(&(file.to_owned(), line)));
        html.raw("<g class=\"event");
        html.raw(if self.is_marked(moment) {
            " marked"
        } else {
            ""
        });
        html.raw("\"").set("data-event", moment.index).raw(">");
        // The title is the name of what it is in, for those who hear it.
        match anchor {
            Some(anchor) => {
                html.raw("<a tabindex=\"-1\" href=\"#");
                html.text(anchor).raw("\">")
            }
            None => html.raw("<g role=\"img\">"),
        };
        self.title(moment, html);
        html.raw("<rect").set("x", left).set("y", top);
        html.set("width", widths.of_box).set("height", BOX);
        html.raw(" rx=\"5\"></rect><text class=\"action\"");
        html.set("x", left + 8).set("y", top + 16).raw(">");
        html.text(&narrow(&visible(&moment.action), widths.room));
        html.raw("</text>");
        if !moment.location.is_empty() {
            html.raw("<text class=\"location\"").set("x", left + 8);
            html.set("y", top + 29).raw(">");
            html.text(&place::short(&moment.location, widths.place));
            html.raw("</text>");
        }
        html.raw(match anchor {
            Some(_) => "</a>",
            None => "</g>",
        });
        // On top, because it stays in sight when the diagram is moved to the side.
        html.raw("<text class=\"index\"").set("x", GUTTER - 10);
        html.set("y", top + BOX / 2 + 4).raw(">");
        html.show(moment.index).raw("</text></g>\n");
    }

    fn is_marked(&self, moment: &Moment) -> bool {
        self.scene.marks.binary_search(&moment.index).is_ok()
    }

    /// All that is known of an event, in words.
    fn title(&self, moment: &Moment, html: &mut Markup) {
        html.raw("<title>");
        html.text(&clip(&self.scene.threads[moment.thread], 200));
        html.raw(", event ").show(moment.index);
        if self.is_marked(moment) {
            html.raw(", of the finding");
        }
        html.raw(": ").text(&clip(&moment.action, LONGEST));
        if !moment.location.is_empty() {
            html.raw("\nat ").text(&clip(&moment.location, LONGEST));
        }
        let held = self.scene.extents.iter().filter(|extent| {
            extent.kind != ExtentKind::Block
                && extent.thread == moment.thread
                && extent.from <= moment.index
                && extent.to.is_none_or(|to| moment.index <= to)
        });
        for (number, extent) in held.enumerate() {
            html.raw(if number == 0 { "\nholds " } else { ", " });
            html.text(&clip(&extent.name, 40));
        }
        // In another order others would have come before.
        if self.order.is_recorded {
            self.clock(moment, html);
        }
        html.raw("</title>");
    }

    /// How many events of each thread its thread knows of.
    fn clock(&self, moment: &Moment, html: &mut Markup) {
        let threads = &self.scene.threads;
        let known = moment.clock.iter();
        let known = known.filter_map(|(thread, time)| Some((threads.get(*thread as usize)?, time)));
        for (number, (thread, time)) in known.enumerate() {
            html.raw(if number == 0 { "\nclock " } else { ", " });
            html.text(&clip(thread, 40)).raw(": ").show(time);
        }
        if self.scene.are_clocks_cut && !moment.clock.is_empty() {
            html.raw(CUT);
        }
    }

    fn gap(&self, row: usize, hidden: u64, html: &mut Markup) {
        let top = self.layout.tops[row];
        html.raw("<g class=\"gap\"><rect").set("x", GUTTER);
        html.set("y", top).set("width", self.layout.width - GUTTER);
        html.set("height", GAP - 8)
            .raw("></rect><text")
            .set("x", GUTTER + 12);
        html.set("y", top + 14).raw(">⋯ ").text(&count(hidden));
        html.raw(match hidden {
            1 => " event",
            _ => " events",
        });
        html.raw("</text></g>\n");
    }

    /// An arrow between two events, if both are shown.
    fn arrow(&self, class: &'static str, (from, to): (u64, u64), why: &str, html: &mut Markup) {
        let (Some(from), Some(to)) = (self.corner_of(from), self.corner_of(to)) else {
            return;
        };
        let width = self.layout.widths.of_box;
        let middle = |(_, top): (i64, i64)| top + BOX / 2;
        // From the side of a box that faces the other; within a lane on the right.
        let (x1, x2) = match (from.0).cmp(&to.0) {
            std::cmp::Ordering::Less => (from.0 + width, to.0 - 2),
            std::cmp::Ordering::Greater => (from.0, to.0 + width + 2),
            std::cmp::Ordering::Equal => (from.0 + width, to.0 + width + 2),
        };
        let bend = ((x2 - x1).abs() / 2).max(18);
        let (c1, c2) = match from.0.cmp(&to.0) {
            std::cmp::Ordering::Less => (x1 + bend, x2 - bend),
            std::cmp::Ordering::Greater => (x1 - bend, x2 + bend),
            std::cmp::Ordering::Equal => (x1 + bend, x2 + bend),
        };
        let (y1, y2) = (middle(from), middle(to));
        html.raw("<g class=\"arrow ").raw(class).raw("\"");
        html.set("data-top", from.1.max(to.1)).raw("><path d=\"M");
        html.show(x1).raw(" ").show(y1).raw("C");
        html.show(c1).raw(" ").show(y1).raw(" ").show(c2).raw(" ");
        html.show(y2).raw(" ").show(x2).raw(" ").show(y2);
        html.raw("\"><title>").text(why).raw("</title></path>");
        if class != "conflict" {
            let back = if x2 > c2 { -7 } else { 7 };
            html.raw("<path class=\"head\" d=\"M").show(x2).raw(" ");
            html.show(y2).raw("l").show(back).raw(" -4v8z\"></path>");
        }
        html.raw("</g>\n");
    }

    /// Whether an event is shown.
    pub(super) fn has(&self, index: u64) -> bool {
        self.corner_of(index).is_some()
    }

    /// The corner of the box of an event, if it is shown.
    fn corner_of(&self, index: u64) -> Option<(i64, i64)> {
        let place = self.scene.moments.binary_search_by_key(&index, |m| m.index);
        let place = place.ok()?;
        let row = self.rows.iter().position(|row| *row == Row::Event(place))?;
        self.corner(row, &self.scene.moments[place])
    }

    fn corner(&self, row: usize, moment: &Moment) -> Option<(i64, i64)> {
        let left = self.layout.lanes.get(&moment.thread)?;
        Some((left + self.layout.widths.indent, self.layout.tops[row]))
    }
}
