//! A diagram as SVG.

use commute_model::{Arrow, Extent, ExtentKind, Finding, Moment, Scene, parse_location};

use super::Anchors;
use super::data::{conflicts, meaning, word};
use super::depth::depths;
use super::fold::Row;
use super::layout::{BOX, EVENT, GAP, GUTTER, HEAD, INDENT, Layout};
use crate::html::markup::Markup;
use crate::untrusted::{clip, narrow, visible};

/// A longer text is cut where there is room for more than a box has.
const LONGEST: usize = 1000;

/// What is drawn.
pub(super) struct Drawing<'a> {
    pub(super) finding: &'a Finding,
    pub(super) scene: &'a Scene,
    pub(super) rows: &'a [Row],
    pub(super) layout: &'a Layout,
    pub(super) anchors: &'a Anchors,
    /// Whether the events are in another order than in the recorded run.
    pub(super) reordered: bool,
}

impl Drawing<'_> {
    pub(super) fn svg(&self, html: &mut Markup) {
        let Layout { width, height, .. } = *self.layout;
        html.raw("<svg").set("width", width).set("height", height);
        html.raw(" viewBox=\"0 0 ")
            .show(width)
            .raw(" ")
            .show(height);
        html.raw("\" role=\"group\" aria-label=\"Space-time diagram: ");
        html.show(self.layout.lanes.len()).raw(" lanes, ");
        html.show(self.rows.len()).raw(" rows\">\n");
        self.lanes(html);
        let extents = &self.scene.extents;
        for (extent, depth) in extents.iter().zip(depths(extents)) {
            self.extent(extent, depth as i64, html);
        }
        for arrow in self.scene.arrows.iter().filter(|arrow| self.holds(arrow)) {
            let why = clip(&arrow.why, 40);
            self.arrow("order", (arrow.from, arrow.to), &why, html);
        }
        for (number, row) in self.rows.iter().enumerate() {
            match row {
                Row::Event(place) => self.event(number, &self.scene.moments[*place], html),
                Row::Gap(hidden) => self.gap(number, *hidden, html),
            }
        }
        let (class, why) = meaning(self.finding);
        for pair in conflicts(self.finding, self.scene) {
            self.arrow(class, pair, why, html);
        }
        html.raw("</svg>\n");
    }

    /// Whether what orders two events in the recorded run does so in this order, too: who
    /// gets a lock first may be another one.
    fn holds(&self, arrow: &Arrow) -> bool {
        !self.reordered || !matches!(&*arrow.why, "lock" | "atomic")
    }

    fn lanes(&self, html: &mut Markup) {
        let Layout { height, lane, .. } = *self.layout;
        for (thread, left) in &self.layout.lanes {
            let middle = left + INDENT + (lane - INDENT) / 2 - 4;
            html.raw("<line class=\"lane\"").set("x1", middle);
            html.set("y1", HEAD - 6).set("x2", middle);
            html.set("y2", height - 4).raw("></line>\n");
            html.raw("<text class=\"thread\"").set("x", middle);
            html.set("y", HEAD - 14).raw(">");
            let name = &self.scene.threads[*thread];
            html.text(&short(name, self.layout.characters()));
            html.raw("<title>").text(&clip(name, LONGEST));
            html.raw("</title></text>\n");
        }
    }

    fn event(&self, row: usize, moment: &Moment, html: &mut Markup) {
        let Some((left, top)) = self.corner(row, moment) else {
            return;
        };
        let marked = self.scene.marks.binary_search(&moment.index).is_ok();
        let anchor = parse_location(&moment.location)
            .and_then(|(file, line, _)| self.anchors.get(&(file.to_owned(), line)));
        html.raw("<g class=\"event");
        html.raw(if marked { " marked" } else { "" });
        html.raw("\"").set("data-event", moment.index).raw(">");
        html.raw("<text class=\"index\"").set("x", GUTTER - 10);
        html.set("y", top + BOX / 2 + 4).raw(">");
        html.show(moment.index).raw("</text>");
        if let Some(anchor) = anchor {
            html.raw("<a tabindex=\"-1\" href=\"#");
            html.text(anchor).raw("\">");
        }
        html.raw("<rect").set("x", left).set("y", top);
        html.set("width", self.box_width()).set("height", BOX);
        html.raw(" rx=\"5\"></rect><text class=\"action\"");
        html.set("x", left + 8).set("y", top + 16).raw(">");
        html.text(&short(&moment.action, self.layout.characters()));
        html.raw("</text>");
        if !moment.location.is_empty() {
            html.raw("<text class=\"location\"").set("x", left + 8);
            html.set("y", top + 29).raw(">");
            let file = moment.location.rsplit(['/', '\\']).next();
            let room = self.layout.characters() * 6 / 5;
            html.text(&short(file.unwrap_or_default(), room));
            html.raw("</text>");
        }
        if anchor.is_some() {
            html.raw("</a>");
        }
        html.raw("<title>");
        html.text(&clip(&self.scene.threads[moment.thread], 200));
        html.raw(", event ").show(moment.index).raw(": ");
        html.text(&clip(&moment.action, LONGEST));
        if !moment.location.is_empty() {
            html.raw("\nat ").text(&clip(&moment.location, LONGEST));
        }
        self.clock(moment, html);
        html.raw("</title></g>\n");
    }

    /// How many events of each thread its thread knows of.
    fn clock(&self, moment: &Moment, html: &mut Markup) {
        let known = { self.scene.threads.iter().zip(&moment.clock) }.filter(|(_, time)| **time > 0);
        for (number, (thread, time)) in known.enumerate() {
            html.raw(if number == 0 { "\nclock " } else { ", " });
            html.text(&clip(thread, 40)).raw(": ").show(time);
        }
    }

    fn gap(&self, row: usize, hidden: usize, html: &mut Markup) {
        let top = self.layout.tops[row];
        html.raw("<g class=\"gap\"><rect").set("x", GUTTER);
        html.set("y", top).set("width", self.layout.width - GUTTER);
        html.set("height", GAP - 8)
            .raw("></rect><text")
            .set("x", (GUTTER + self.layout.width) / 2);
        html.set("y", top + 14).raw(">⋯ ").show(hidden);
        html.raw(match hidden {
            1 => " event",
            _ => " events",
        });
        html.raw("</text></g>\n");
    }

    /// A lock that is held, or a block that should be atomic: from the first event of its
    /// thread that is shown to the last.
    fn extent(&self, extent: &Extent, depth: i64, html: &mut Markup) {
        let Some(left) = self.layout.lanes.get(&extent.thread) else {
            return;
        };
        let inside = |row: &Row| match row {
            Row::Event(place) => {
                let moment = &self.scene.moments[*place];
                moment.thread == extent.thread
                    && moment.index >= extent.from
                    && extent.to.is_none_or(|to| moment.index <= to)
            }
            Row::Gap(_) => false,
        };
        let first = self.rows.iter().position(inside);
        let last = self.rows.iter().rposition(inside);
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let mut top = self.layout.tops[first] + 2;
        let mut bottom = self.layout.tops[last] + BOX - 2;
        // It began before, or goes on.
        if !self.is_shown(extent.from, first) {
            top -= (EVENT - BOX) + 6;
        }
        if extent.to.is_none_or(|to| !self.is_shown(to, last)) {
            bottom += (EVENT - BOX) + 6;
        }
        html.raw("<rect class=\"extent ").raw(word(extent.kind));
        match extent.kind {
            ExtentKind::Block => {
                html.raw("\"").set("x", left + INDENT - 5);
                html.set("y", top - 6)
                    .set("width", self.box_width() + 10)
                    .set("height", bottom - top + 12);
                html.raw(" rx=\"8\"><title>");
                html.raw(match &*extent.name {
                    "" => "a block that should be atomic",
                    _ => "should be atomic: ",
                });
            }
            ExtentKind::Lock | ExtentKind::SharedLock => {
                let x = left + INDENT - 12 - 6 * depth;
                html.raw("\"").set("x", x).set("y", top).set("width", 4);
                html.set("height", bottom - top).raw(" rx=\"2\"><title>");
                html.raw(match extent.kind {
                    ExtentKind::SharedLock => "holds to read: ",
                    _ => "holds: ",
                });
            }
        }
        html.text(&clip(&extent.name, 200)).raw("\nfrom event ");
        html.show(extent.from);
        match extent.to {
            Some(to) => html.raw(" to ").show(to),
            None => html.raw(", to no end that was seen"),
        };
        html.raw("</title></rect>\n");
    }

    /// Whether the event with this index is the one in this row.
    fn is_shown(&self, index: u64, row: usize) -> bool {
        match self.rows[row] {
            Row::Event(place) => self.scene.moments[place].index == index,
            Row::Gap(_) => false,
        }
    }

    /// An arrow between two events, if both are shown.
    fn arrow(&self, class: &'static str, (from, to): (u64, u64), why: &str, html: &mut Markup) {
        let (Some(from), Some(to)) = (self.row_of(from), self.row_of(to)) else {
            return;
        };
        let width = self.box_width();
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
        html.raw("<g class=\"arrow ")
            .raw(class)
            .raw("\"><path d=\"M");
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

    /// The corner of the box of an event, if it is shown.
    fn row_of(&self, index: u64) -> Option<(i64, i64)> {
        let place = self.scene.moments.binary_search_by_key(&index, |m| m.index);
        let place = place.ok()?;
        let row = self.rows.iter().position(|row| *row == Row::Event(place))?;
        self.corner(row, &self.scene.moments[place])
    }

    fn corner(&self, row: usize, moment: &Moment) -> Option<(i64, i64)> {
        let left = self.layout.lanes.get(&moment.thread)?;
        Some((left + INDENT, self.layout.tops[row]))
    }

    fn box_width(&self) -> i64 {
        self.layout.lane - INDENT - 8
    }
}

/// A text that fits.
fn short(text: &str, room: usize) -> String {
    narrow(&visible(text), room).into_owned()
}
