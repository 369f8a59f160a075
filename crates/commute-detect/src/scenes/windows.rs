//! Which events are near a finding.

use commute_model::Finding;

/// So many events are shown before the first event of a finding and after the last.
const AROUND: u64 = 50;
/// A scene that begins not later than this begins with the trace: there the threads start.
const BEGINNING: u64 = 300;
/// The smallest scene.
const LEAST: u64 = 24;

/// Events `from` to `to` are wanted for the scene number `shot`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) shot: usize,
}

/// The events to show of a finding, about `room` of them, in order and apart: all between
/// its first and its last, or if that is too much, those around each. All `total` events
/// of the trace if that is known and there is room.
pub(super) fn windows(
    finding: &Finding,
    shot: usize,
    room: u64,
    total: Option<u64>,
) -> Vec<Window> {
    let room = room.max(LEAST);
    let own = finding.events.iter().map(|event| event.index);
    let steps = finding.witness.iter().flat_map(|witness| &witness.steps);
    let mut all: Vec<u64> = own.clone().chain(steps.copied()).collect();
    all.sort_unstable();
    let (Some(&first), Some(&last)) = (all.first(), all.last()) else {
        return Vec::new();
    };
    if let Some(total) = total.filter(|total| (last..=room).contains(total)) {
        return vec![Window {
            from: 1,
            to: total,
            shot,
        }];
    }
    let around = AROUND.min(room / 4);
    let window = |from: u64, to: u64, around: u64| Window {
        from: from.saturating_sub(around).max(1),
        to: to.saturating_add(around),
        shot,
    };
    if last - first <= room.saturating_sub(2 * around) {
        let mut whole = window(first, last, around);
        if whole.from <= BEGINNING.min(room / 2) {
            whole.from = 1;
        }
        return vec![whole];
    }
    // The last steps of a witness are where it goes wrong.
    let few = (room / 8) as usize;
    let steps = finding.witness.iter().flat_map(|witness| {
        let skipped = witness.steps.len().saturating_sub(few);
        witness.steps[skipped..].iter().copied()
    });
    let mut wanted: Vec<u64> = own.chain(steps).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let radius = room / (2 * wanted.len() as u64);
    let mut windows: Vec<Window> = Vec::new();
    for event in wanted {
        let next = window(event, event, radius.min(around));
        match windows.last_mut() {
            Some(previous) if next.from <= previous.to + 1 => previous.to = next.to,
            _ => windows.push(next),
        }
    }
    windows
}
