//! A whole scene as data, for a script that unfolds it.

use std::collections::BTreeMap;

use commute_model::{ExtentKind, Finding, Scene, WitnessKind};
use serde::Serialize;

use super::depth::depths;
use super::fold;
use crate::untrusted::{clip, visible};

/// A longer text is cut.
const LONGEST: usize = 400;

/// A scene, in as few bytes as possible: texts are numbers of `texts`.
#[derive(Serialize)]
pub(super) struct Data {
    threads: Vec<String>,
    /// The threads that have a lane.
    lanes: Vec<usize>,
    /// Index, thread, action, location, clock.
    moments: Vec<(u64, usize, usize, usize, Vec<u32>)>,
    /// From, to, why.
    arrows: Vec<(u64, u64, usize)>,
    /// Thread, from, to (0 if it does not end), what, name, and in how many others.
    extents: Vec<(usize, u64, u64, &'static str, usize, usize)>,
    marks: Vec<u64>,
    /// The edges of a cycle, or the two events that conflict.
    conflicts: Vec<(u64, u64)>,
    /// What these are, as a class of the page and in words.
    meaning: (&'static str, &'static str),
    texts: Vec<String>,
}

/// The data of a scene.
pub(super) fn of(finding: &Finding, scene: &Scene) -> Data {
    let mut texts = Texts::default();
    let moments = scene.moments.iter().map(|moment| {
        (
            moment.index,
            moment.thread,
            texts.number(&moment.action),
            texts.number(&moment.location),
            moment.clock.clone(),
        )
    });
    let moments = moments.collect();
    let arrows = scene.arrows.iter();
    let arrows = arrows
        .map(|arrow| (arrow.from, arrow.to, texts.number(&arrow.why)))
        .collect();
    let extents = scene.extents.iter().zip(depths(&scene.extents));
    let extents = extents
        .map(|(extent, depth)| {
            let name = texts.number(&extent.name);
            (
                extent.thread,
                extent.from,
                extent.to.unwrap_or(0),
                word(extent.kind),
                name,
                depth,
            )
        })
        .collect();
    Data {
        threads: scene.threads.iter().map(|name| shown(name)).collect(),
        lanes: fold::lanes(scene).into_iter().collect(),
        moments,
        arrows,
        extents,
        marks: scene.marks.clone(),
        conflicts: conflicts(finding, scene),
        meaning: meaning(finding),
        texts: texts.all,
    }
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
