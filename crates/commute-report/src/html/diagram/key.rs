//! What the signs of a diagram mean, with a sample of each.

use commute_model::{ExtentKind, Finding, Scene};

use super::data::{conflicts, meaning};
use super::draw::Drawing;
use super::fold::Row;
use super::order::Order;
use crate::html::markup::Markup;

/// The signs that there may be, as classes of the page, and what they mean.
const SIGNS: [(&str, &str); 8] = [
    ("red", "what the finding is about"),
    ("before", "must come before"),
    ("apart", "do not commute"),
    ("blue", "happens before the other"),
    ("solid", "a lock is held"),
    ("thin", "a lock is held with other readers"),
    ("frame", "should be atomic"),
    ("more", "so many events are not shown"),
];

/// Which of the signs there are.
#[derive(Default)]
pub(super) struct Signs {
    are_there: [bool; SIGNS.len()],
}

impl Signs {
    /// Adds those that a folded diagram has.
    pub(super) fn add(&mut self, drawing: &Drawing<'_>) {
        let is_drawn = |from: u64, to: u64| drawing.has(from) && drawing.has(to);
        let pairs = conflicts(drawing.finding, drawing.scene);
        let pair = pairs.iter().any(|(from, to)| is_drawn(*from, *to));
        let arrows = &drawing.order.arrows;
        let arrow = arrows.iter().any(|arrow| is_drawn(arrow.from, arrow.to));
        let gap = drawing.rows.iter().any(|row| matches!(row, Row::Gap(_)));
        let lasts = |kind| {
            let extents = drawing.scene.extents.iter();
            let mut extents = extents.filter(|extent| extent.kind == kind);
            extents.any(|extent| drawing.rows_of(extent).is_some())
        };
        self.note(drawing.finding, pair, arrow, gap, lasts);
    }

    /// Those that there are when diagrams of a scene are unfolded.
    pub(super) fn unfolded(finding: &Finding, scene: &Scene, orders: &[Order]) -> Signs {
        let pair = !conflicts(finding, scene).is_empty();
        let arrow = orders.iter().any(|order| !order.arrows.is_empty());
        let lasts = |kind| scene.extents.iter().any(|extent| extent.kind == kind);
        let mut signs = Signs::default();
        signs.note(finding, pair, arrow, false, lasts);
        signs
    }

    fn note(
        &mut self,
        finding: &Finding,
        pair: bool,
        arrow: bool,
        gap: bool,
        lasts: impl Fn(ExtentKind) -> bool,
    ) {
        let cycle = meaning(finding).0 == "cycle";
        let new = [
            true,
            pair && cycle,
            pair && !cycle,
            arrow,
            lasts(ExtentKind::Lock),
            lasts(ExtentKind::SharedLock),
            lasts(ExtentKind::Block),
            gap,
        ];
        for (is_there, new) in self.are_there.iter_mut().zip(new) {
            *is_there |= new;
        }
    }

    /// Writes what they mean; what there is only when diagrams are unfolded is not seen
    /// before.
    pub(super) fn write(&self, unfolded: &Signs, html: &mut Markup) {
        html.raw("<ul class=\"key\">");
        let there = self.are_there.iter().zip(unfolded.are_there);
        for ((class, text), (is_there, later)) in SIGNS.into_iter().zip(there) {
            html.raw(match (is_there, later) {
                (true, _) => "<li>",
                (false, true) => "<li class=\"later\" hidden>",
                (false, false) => continue,
            });
            html.raw("<i class=\"").raw(class).raw("\"></i>");
            html.raw(text).raw("</li>");
        }
        html.raw("</ul>\n");
    }
}
