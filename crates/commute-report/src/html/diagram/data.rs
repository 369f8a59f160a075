//! A whole scene as data, for a script that unfolds it. What happened is the same for all
//! findings of a trace that is there as a whole, and is written once for them.

use std::collections::BTreeMap;

use commute_model::{ExtentKind, Finding, Scene, WitnessKind};
use serde::Serialize;

use super::depth::Nesting;
use super::layout::Widths;
use super::order::Order;
use crate::scene::by_thread;
use crate::untrusted::{clip, visible};

/// A longer text is cut.
const LONGEST: usize = 400;

/// Of so many threads clocks have a number for each.
const MOST_IN_A_ROW: usize = 64;

/// What happened in a scene, in as few bytes as possible: texts are numbers of `texts`.
#[derive(Serialize)]
pub(super) struct Events {
    threads: Vec<String>,
    /// Index, thread, action, location, clock: a number for each thread or, of many
    /// threads, pairs of a thread and a number in a row.
    moments: Vec<(u64, usize, usize, usize, Vec<u32>)>,
    /// Whether clocks are such pairs, and whether some threads are left out of them.
    pairs: bool,
    cut: bool,
    /// Thread, from, to (0 if it does not end), what, name, how deep, and how many are
    /// drawn as one.
    extents: Vec<(usize, u64, u64, &'static str, usize, usize, usize)>,
    /// From, to, why: as recorded.
    arrows: Vec<(u64, u64, usize)>,
    texts: Vec<String>,
}

/// What a finding makes of it.
#[derive(Serialize)]
pub(super) struct Data {
    /// The finding that these events are written with.
    events: usize,
    widths: Widths,
    /// As recorded, and as in the evidence.
    orders: Vec<Listed>,
    marks: Vec<u64>,
    /// The edges of a cycle, or the two events that conflict.
    conflicts: Vec<(u64, u64)>,
    /// What these are, as a class of the page and in words.
    meaning: (&'static str, &'static str),
}

/// An order of the events.
#[derive(Serialize)]
struct Listed {
    /// Moments that follow each other in the scene and in the order: the place of the
    /// first, its position in the whole run, and how many there are.
    runs: Vec<(usize, u64, usize)>,
    /// How many events the whole run has; 0 if nobody knows.
    total: u64,
    /// From, to, why, if they are not those that were recorded.
    arrows: Option<Vec<(u64, u64, String)>>,
    /// Whether the clocks are those of this order.
    clocks: bool,
}

/// What happened in a scene.
pub(super) fn events(scene: &Scene, nesting: &Nesting) -> Events {
    let mut texts = Texts::default();
    let are_pairs = scene.threads.len() > MOST_IN_A_ROW;
    let moments = scene.moments.iter().map(|moment| {
        (
            moment.index,
            moment.thread,
            texts.number(&moment.action),
            texts.number(&moment.location),
            match are_pairs {
                true => { moment.clock.iter() }
                    .flat_map(|(thread, time)| [*thread, *time])
                    .collect(),
                false => by_thread(&moment.clock),
            },
        )
    });
    let moments = moments.collect();
    let drawn = nesting.levels.iter().zip(&nesting.merged);
    let extents = { scene.extents.iter().zip(drawn) }
        .map(|(extent, (level, merged))| {
            let name = texts.number(&extent.name);
            (
                extent.thread,
                extent.from,
                extent.to.unwrap_or(0),
                word(extent.kind),
                name,
                *level,
                *merged,
            )
        })
        .collect();
    let arrows = { scene.arrows.iter() }
        .map(|arrow| (arrow.from, arrow.to, texts.number(&arrow.why)))
        .collect();
    Events {
        threads: scene.threads.iter().map(|name| shown(name)).collect(),
        moments,
        pairs: are_pairs,
        cut: scene.are_clocks_cut,
        extents,
        arrows,
        texts: texts.all,
    }
}

/// What a finding makes of the events that are written with the finding `events`, with the
/// orders that they are shown in.
pub(super) fn of(
    finding: &Finding,
    scene: &Scene,
    orders: &[Order],
    nesting: &Nesting,
    events: usize,
) -> Data {
    let listed = |order: &Order| Listed {
        runs: runs(order),
        total: order.total.unwrap_or(0),
        arrows: (!order.is_recorded).then(|| {
            { order.arrows.iter() }
                .map(|arrow| (arrow.from, arrow.to, shown(&arrow.why)))
                .collect()
        }),
        clocks: order.is_recorded,
    };
    Data {
        events,
        widths: Widths::of(scene, scene.moments.iter(), nesting, orders.len() > 1),
        orders: orders.iter().map(listed).collect(),
        marks: scene.marks.clone(),
        conflicts: conflicts(finding, scene),
        meaning: meaning(finding),
    }
}

/// Whether the same happened in two scenes.
pub(super) fn are_same(one: &Scene, other: &Scene) -> bool {
    one.moments == other.moments
        && one.threads == other.threads
        && one.arrows == other.arrows
        && one.extents == other.extents
        && one.are_clocks_cut == other.are_clocks_cut
}

fn runs(order: &Order) -> Vec<(usize, u64, usize)> {
    let mut runs: Vec<(usize, u64, usize)> = Vec::new();
    for (place, position) in order.places.iter().zip(&order.positions) {
        match runs.last_mut() {
            Some((first, at, count))
                if *first + *count == *place && at.saturating_add(*count as u64) == *position =>
            {
                *count += 1;
            }
            _ => runs.push((*place, *position, 1)),
        }
    }
    runs
}

/// What an extent is called in classes of the page.
pub(super) fn word(kind: ExtentKind) -> &'static str {
    match kind {
        ExtentKind::Lock => "lock",
        ExtentKind::SharedLock => "shared",
        ExtentKind::Block => "block",
    }
}

/// The pairs of events that make the finding one: the edges of a cycle, or two events
/// that nothing orders.
pub(super) fn conflicts(finding: &Finding, scene: &Scene) -> Vec<(u64, u64)> {
    let Some(witness) = &finding.witness else {
        return Vec::new();
    };
    match (witness.kind, &scene.marks[..]) {
        (WitnessKind::Cycle, _) => { witness.steps.chunks_exact(2) }
            .map(|edge| (edge[0], edge[1]))
            .collect(),
        (WitnessKind::Pair | WitnessKind::Reordering, [first, second]) => {
            vec![(*first, *second)]
        }
        _ => Vec::new(),
    }
}

/// What these pairs are: a class of the page, and words.
pub(super) fn meaning(finding: &Finding) -> (&'static str, &'static str) {
    let kind = finding.witness.as_ref().map(|witness| witness.kind);
    match kind == Some(WitnessKind::Cycle) {
        true => ("cycle", "must come before"),
        false => ("conflict", "do not commute"),
    }
}

fn shown(text: &str) -> String {
    clip(&visible(text), LONGEST).into_owned()
}

#[derive(Default)]
struct Texts {
    all: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        self.all.push(shown(text));
        self.numbers.insert(text.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}
