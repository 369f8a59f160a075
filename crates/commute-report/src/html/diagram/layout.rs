//! Where things are in a diagram, in pixels. `script.js` has the same heights; the widths
//! it is told.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{Moment, Scene};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::depth::Nesting;
use super::fold::Row;
use super::place;
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
/// From a box to the frame around it, and from one frame to the next.
pub(super) const FRAME: i64 = 5;
pub(super) const NEXT_FRAME: i64 = 4;
/// The narrowest box, the widest, and the widest of two diagrams side by side.
const NARROW: i64 = 80;
const WIDE: i64 = 250;
const WIDE_OF_TWO: i64 = 172;
/// Each of two diagrams has so much room on an ordinary screen. If it takes no narrower
/// boxes than this to get by with it, they are.
const ROOM_OF_TWO: i64 = 578;
const TIGHT: i64 = 124;
/// What of a box its text does not get.
const MARGIN: i64 = 14;
/// The width of a character of an action and of a place, in tenths.
const CHARACTER: i64 = 73;
const SMALL: i64 = 61;
/// A longer name of a thread does not make lanes wider.
const LONG_NAME: usize = 16;
/// With more locks side by side there is no room for their names.
const MOST_NAMED: usize = 3;

/// How wide things are.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Widths {
    /// From the left of a lane to its boxes: there the locks are.
    pub(super) indent: i64,
    /// Of a box.
    pub(super) of_box: i64,
    /// Of a lane.
    pub(super) lane: i64,
    /// From a box to the nearest lock, and from one lock to the next.
    pub(super) lock: i64,
    pub(super) next_lock: i64,
    /// How many characters of an action and of a place there is room for.
    pub(super) room: usize,
    pub(super) place: usize,
    /// Whether there is room for the names of locks.
    pub(super) is_named: bool,
}

impl Widths {
    /// What is needed for these events of a scene; less if there are two diagrams.
    pub(super) fn of<'a>(
        scene: &Scene,
        moments: impl Iterator<Item = &'a Moment>,
        nesting: &Nesting,
        of_two: bool,
    ) -> Widths {
        let mut text = 0;
        let mut threads = BTreeSet::new();
        for moment in moments {
            threads.insert(moment.thread);
            let action = visible(&moment.action).width() as i64 * CHARACTER;
            let place = place::name(&moment.location).width() as i64 * SMALL;
            let thread = visible(&scene.threads[moment.thread])
                .width()
                .min(LONG_NAME);
            text = text.max(action).max(place).max(thread as i64 * CHARACTER);
        }
        let widest = if of_two { WIDE_OF_TWO } else { WIDE };
        let mut of_box = (text / 10 + MARGIN + 2).clamp(NARROW, widest);
        let frames = match nesting.frames {
            0 => 0,
            frames => FRAME + NEXT_FRAME * (frames as i64 - 1),
        };
        let is_named = nesting.locks <= MOST_NAMED;
        let next_lock = if is_named { 13 } else { 7 };
        let free = if of_two { 20 } else { 32 };
        let indent = free + frames + next_lock * nesting.locks as i64;
        let right = frames.max(6) + 2;
        let fitting = (ROOM_OF_TWO - GUTTER) / threads.len().max(1) as i64 - indent - right;
        if of_two && fitting >= TIGHT {
            of_box = of_box.min(fitting);
        }
        Widths {
            indent,
            of_box,
            lane: indent + of_box + right,
            lock: frames + 7,
            next_lock,
            room: ((of_box - MARGIN) * 10 / CHARACTER) as usize,
            place: ((of_box - MARGIN) * 10 / SMALL) as usize,
            is_named,
        }
    }
}

/// Where rows and lanes are.
pub(super) struct Layout {
    /// The top of each row.
    pub(super) tops: Vec<i64>,
    /// The left of each lane, by thread.
    pub(super) lanes: BTreeMap<usize, i64>,
    pub(super) widths: Widths,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl Layout {
    /// The layout of rows of a scene.
    pub(super) fn new(scene: &Scene, rows: &[Row], nesting: &Nesting, of_two: bool) -> Layout {
        let moments = rows.iter().filter_map(|row| match row {
            Row::Event(place) => Some(&scene.moments[*place]),
            Row::Gap(_) => None,
        });
        let widths = Widths::of(scene, moments.clone(), nesting, of_two);
        let mut lanes = BTreeMap::new();
        for moment in moments {
            lanes.insert(moment.thread, 0);
        }
        for (number, left) in lanes.values_mut().enumerate() {
            *left = GUTTER + number as i64 * widths.lane;
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
            width: GUTTER + lanes.len() as i64 * widths.lane,
            height: top + 8,
            lanes,
            widths,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The width of a box, and of all, if so many threads each do something long.
    fn widths(threads: usize, of_two: bool) -> (i64, i64) {
        let moment = |thread| Moment {
            index: thread as u64 + 1,
            thread,
            action: "connections.put('a.com','c1')/nil".to_owned(),
            location: "pool.rs:12".to_owned(),
            clock: Vec::new(),
        };
        let scene = Scene {
            threads: (0..threads).map(|number| format!("T{number}")).collect(),
            moments: (0..threads).map(moment).collect(),
            ..Scene::default()
        };
        let nesting = Nesting::of(&scene.extents);
        let widths = Widths::of(&scene, scene.moments.iter(), &nesting, of_two);
        (widths.of_box, GUTTER + threads as i64 * widths.lane)
    }

    #[test]
    fn two_diagrams_fit_a_screen_if_they_nearly_do() {
        assert_eq!(widths(2, true).0, WIDE_OF_TWO);
        let (of_box, all) = widths(3, true);
        assert!(of_box < WIDE_OF_TWO && all <= ROOM_OF_TWO, "{of_box} {all}");
        // Narrower boxes would say nothing: they are moved into sight.
        assert_eq!(widths(5, true).0, WIDE_OF_TWO);
        assert_eq!(widths(3, false).0, WIDE);
    }
}
