//! Rounds in which a thread looks at one thing or several, and may look again.

use crate::code::{Next, NodeId};
use crate::knowledge::Knowledge;
use crate::world::World;

/// Whether a thread there can go on; not if it would only look again.
pub(super) fn goes_on(place: NodeId, world: &World, known: &mut Knowledge) -> bool {
    match known.next(place) {
        Some(Next::Op(op)) => {
            let op = *op;
            known.peek(world, op).is_some() && in_vain(place, world, known) != Some(place)
        }
        _ => false,
    }
}

/// Where a thread comes back to, if all that it looks at from there on, alone, is in vain.
pub(super) fn in_vain(place: NodeId, world: &World, known: &mut Knowledge) -> Option<NodeId> {
    if !known.has_spins() {
        return None;
    }
    let mut at = place;
    loop {
        let op = match known.next(at)? {
            Next::Op(op) => *op,
            Next::Spins(back) => return Some(*back),
            Next::Ended(_) => return None,
        };
        let result = known.peek(world, op)?;
        // What changes something is no round in vain.
        if !known.only_reads(op, result) {
            return None;
        }
        at = known.known_after(at, result)?;
    }
}
