//! States of all objects, by numbers: what follows from one is found out once.

use commute_explore::{Knowledge, OpId, ResultId, World};
use rustc_hash::FxHashMap;

/// States of all objects at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct WorldId(u32);

/// All that were ever seen.
#[derive(Debug, Default)]
pub(crate) struct Worlds {
    numbers: FxHashMap<World, WorldId>,
    worlds: Vec<World>,
    after: FxHashMap<(WorldId, OpId), Option<(ResultId, WorldId)>>,
}

impl Worlds {
    /// The number of a world.
    pub(crate) fn number(&mut self, world: World) -> WorldId {
        if let Some(known) = self.numbers.get(&world) {
            return *known;
        }
        let number = WorldId(self.worlds.len() as u32);
        self.worlds.push(world.clone());
        self.numbers.insert(world, number);
        number
    }

    /// What an operation returns in a world, and what it leaves; nothing if it has to wait.
    pub(crate) fn step(
        &mut self,
        world: WorldId,
        op: OpId,
        known: &mut Knowledge,
    ) -> Option<(ResultId, WorldId)> {
        if let Some(known) = self.after.get(&(world, op)) {
            return *known;
        }
        let mut next = self.worlds[world.0 as usize].clone();
        let result = known.step(&mut next, op);
        let after = result.map(|result| (result, self.number(next)));
        self.after.insert((world, op), after);
        after
    }
}
