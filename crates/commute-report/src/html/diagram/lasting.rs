//! What lasts, in a diagram: bars of locks that are held, frames of blocks.

use commute_model::{Extent, ExtentKind};
use unicode_width::UnicodeWidthStr;

use super::data::word;
use super::draw::Drawing;
use super::fold::Row;
use super::layout::{BOX, EVENT, FRAME, HEAD, NEXT_FRAME};
use crate::html::markup::Markup;
use crate::untrusted::{clip, visible};

/// So much of what began before or goes on is drawn.
const MORE: i64 = (EVENT - BOX) + 6;
/// The height of a letter of a name that is written upwards.
const LETTER: i64 = 6;

impl Drawing<'_> {
    /// A lock that is held, or a block that should be atomic: from the first event of its
    /// thread that is shown to the last, or to the end of the diagram if it has no end.
    pub(super) fn extent(&self, place: usize, html: &mut Markup) {
        let extent = &self.scene.extents[place];
        let level = self.nesting.levels[place] as i64;
        let merged = self.nesting.merged[place];
        let lane = self.layout.lanes.get(&extent.thread);
        let (Some(lane), Some((first, last))) = (lane, self.rows_of(extent)) else {
            return;
        };
        let begins = self.layout.tops[first];
        let end = self.layout.tops[last] + BOX - 2;
        let (mut top, mut bottom) = (begins + 2, end);
        // It began before, or goes on.
        if !self.is_shown(extent.from, first) {
            top -= MORE;
        }
        let goes_on = self.order.goes_on(self.scene, extent.to);
        match extent.to {
            // Whatever others do meanwhile.
            _ if goes_on => bottom = self.layout.height - 4,
            Some(to) if self.is_shown(to, last) => {}
            _ => bottom += MORE,
        }
        let until = extent.to.filter(|_| !goes_on || self.order.is_recorded);
        let left = lane + self.layout.widths.indent;
        match extent.kind {
            ExtentKind::Block => {
                // Not over the names of the threads.
                let top = (top - 6).max(HEAD - 5);
                let around = FRAME + NEXT_FRAME * level;
                html.raw("<rect class=\"extent block\"");
                html.set("data-top", begins).set("x", left - around);
                html.set("y", top)
                    .set("width", self.layout.widths.of_box + 2 * around);
                html.set("height", bottom + 6 - top).raw(" rx=\"8\">");
                words(extent, until, 1, html);
                html.raw("</rect>\n");
            }
            ExtentKind::Lock | ExtentKind::SharedLock => {
                let top = top.max(HEAD - 5);
                let widths = &self.layout.widths;
                let x = left - widths.lock - widths.next_lock * level;
                html.raw("<g class=\"extent ").raw(word(extent.kind));
                html.raw("\"").set("data-top", begins).raw("><rect");
                html.set("x", x).set("y", top).set("width", 4);
                html.set("height", bottom - top).raw(" rx=\"2\">");
                words(extent, until, merged, html);
                html.raw("</rect>");
                // Where no gap lies over it.
                self.name(extent, merged, (x - 3, end), end - begins, html);
                html.raw("</g>\n");
            }
        }
    }

    /// The first row and the last that are within what lasts, if there is one.
    pub(super) fn rows_of(&self, extent: &Extent) -> Option<(usize, usize)> {
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
        Some((first?, last?))
    }

    /// The name of a lock, upwards along its bar, if there is room; or how many there are.
    fn name(
        &self,
        extent: &Extent,
        merged: usize,
        (x, y): (i64, i64),
        height: i64,
        html: &mut Markup,
    ) {
        let is_named = self.layout.widths.is_named || merged > 1;
        let name = match merged {
            1 => visible(&extent.name),
            _ => format!("{merged} locks").into(),
        };
        let room = (height / LETTER) as usize;
        if is_named && name.width() <= room {
            html.raw("<text class=\"held\" transform=\"translate(");
            html.show(x).raw(" ").show(y).raw(") rotate(-90)\">");
            html.text(&name).raw("</text>");
        }
    }

    /// Whether the event with this index is the one in this row.
    fn is_shown(&self, index: u64, row: usize) -> bool {
        match self.rows[row] {
            Row::Event(place) => self.scene.moments[place].index == index,
            Row::Gap(_) => false,
        }
    }
}

/// What it is, and from where to where.
fn words(extent: &Extent, until: Option<u64>, merged: usize, html: &mut Markup) {
    html.raw("<title>").raw(match (extent.kind, &*extent.name) {
        (ExtentKind::Block, "") => "a block that should be atomic",
        (ExtentKind::Block, _) => "should be atomic: ",
        (ExtentKind::SharedLock, _) => "holds to read: ",
        (ExtentKind::Lock, _) => "holds: ",
    });
    html.text(&clip(&extent.name, 200)).raw("\nfrom event ");
    html.show(extent.from);
    match until {
        Some(to) => html.raw(" to ").show(to),
        None => html.raw(", to no end that was seen"),
    };
    if merged > 1 {
        html.raw("\nthis bar stands for ")
            .show(merged)
            .raw(" locks");
    }
    html.raw("</title>");
}
