//! Where things are in a diagram, in pixels. `script.js` has the same numbers.

use std::collections::BTreeMap;

use commute_model::Scene;
use unicode_width::UnicodeWidthStr;

use super::fold::Row;
use crate::untrusted::visible;

/// The height of the names of the threads.
pub(super) const HEAD: i64 = 34;
/// The height of an event, with the space around its box.
pub(super) const EVENT: i64 = 44;
/// The height of its box.
pub(super) const BOX: i64 = 36;
/// The height of a gap.
pub(super) const GAP: i64 = 28;
/// The width of the numbers of the events.
pub(super) const GUTTER: i64 = 52;
/// From the left of a lane to its boxes: there the locks are.
pub(super) const INDENT: i64 = 40;
/// The narrowest lane and the widest.
const NARROW: i64 = 128;
const WIDE: i64 = 300;
/// The width of a character in a box, in tenths.
const CHARACTER: i64 = 73;

/// Where rows and lanes are.
pub(super) struct Layout {
    /// The top of each row.
    pub(super) tops: Vec<i64>,
    /// The left of each lane, by thread.
    pub(super) lanes: BTreeMap<usize, i64>,
    /// The width of a lane.
    pub(super) lane: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl Layout {
    /// The layout of rows of a scene.
    pub(super) fn new(scene: &Scene, rows: &[Row]) -> Layout {
        let moments = rows.iter().filter_map(|row| match row {
            Row::Event(place) => Some(&scene.moments[*place]),
            Row::Gap(_) => None,
        });
        let longest = moments
            .clone()
            .map(|moment| visible(&moment.action).width())
            .max();
        let text = longest.unwrap_or(0) as i64 * CHARACTER / 10;
        let lane = (text + INDENT + 22).clamp(NARROW, WIDE);
        let mut lanes = BTreeMap::new();
        for moment in moments {
            lanes.insert(moment.thread, 0);
        }
        for (number, left) in lanes.values_mut().enumerate() {
            *left = GUTTER + number as i64 * lane;
        }
        let mut top = HEAD;
        let mut tops = Vec::with_capacity(rows.len());
        for row in rows {
            tops.push(top);
            top += match row {
                Row::Event(_) => EVENT,
                Row::Gap(_) => GAP,
            };
        }
        Layout {
            tops,
            width: GUTTER + lanes.len() as i64 * lane,
            height: top + 8,
            lanes,
            lane,
        }
    }

    /// How many characters a box has room for.
    pub(super) fn characters(&self) -> usize {
        ((self.lane - INDENT - 20) * 10 / CHARACTER).max(4) as usize
    }
}
