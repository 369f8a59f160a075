//! Parts of what can happen, by what one thread saw first.
//!
//! What a thread saw in its first `depth` operations is part of every outcome behind it,
//! so these parts do not overlap, and whoever explores one does not have to look at what
//! is behind those of others. What can happen before the thread has come so far is
//! looked at by all.
//!
//! Which thread, how deep, and whose each part is comes from walks through the models
//! that are the same in every process.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::graph::{At, is_known, op, spins, step};
use super::session::{Session, Stop};
use crate::code::NodeId;
use crate::knowledge::Knowledge;
use crate::run::Places;
use crate::turns;
use crate::words::ThreadId;

/// So many walks.
const WALKS: u64 = 96;

/// A thread that goes on longer than that before it makes a difference is not asked.
const DEEPEST: usize = 200;

/// Whose what is.
#[derive(Debug)]
pub(super) struct Partition {
    pub(super) thread: ThreadId,
    pub(super) depth: usize,
    /// By place, which has a name in all processes.
    owners: FxHashMap<u64, u64>,
    of: u64,
}

impl Partition {
    /// The best that is found.
    pub(super) fn new(session: &mut Session<'_, '_>, of: u64) -> Result<Partition, Stop> {
        let mut walks = Vec::new();
        for seed in 0..WALKS {
            walks.push(walk(session, seed)?);
        }
        let known = &session.subject.known;
        // order: they are sorted.
        let mut threads: Vec<(String, ThreadId)> = { walks.iter() }
            .flat_map(|walk| walk.reached.keys().copied())
            .map(|thread| (turns::path(thread, known), thread))
            .collect();
        threads.sort_unstable();
        threads.dedup();
        let mut best = Partition {
            of,
            ..Partition::none()
        };
        let mut least = f64::INFINITY;
        for (_, thread) in threads {
            for depth in 1..=DEEPEST {
                let Some((cost, owners)) = cost(&walks, thread, depth, of) else {
                    break;
                };
                // What is hardly better is not worth to go deeper.
                if cost < least * 0.99 {
                    least = cost;
                    best.thread = thread;
                    best.depth = depth;
                    best.owners = owners;
                }
            }
        }
        Ok(best)
    }

    /// There are no parts: everything is the first's.
    pub(super) fn none() -> Partition {
        Partition {
            thread: ThreadId::MAIN,
            depth: usize::MAX,
            owners: FxHashMap::default(),
            of: 1,
        }
    }

    /// Digest of all of it, equal for partitions that are equal.
    pub(super) fn digest(&self, known: &Knowledge) -> u64 {
        let mut hasher = FxHasher::default();
        turns::path(self.thread, known).hash(&mut hasher);
        (self.depth, self.of).hash(&mut hasher);
        // order: the map that is made is sorted.
        let owners: BTreeMap<&u64, &u64> = self.owners.iter().collect();
        owners.hash(&mut hasher);
        hasher.finish()
    }

    /// Whether there are parts at all.
    pub(super) fn divides(&self) -> bool {
        self.depth != usize::MAX
    }

    /// Whose this place of the thread is, which is as deep as it has to be.
    fn owner_at(&self, known: &Knowledge, place: NodeId) -> u64 {
        let digest = known.digest(place);
        { self.owners.get(&digest) }
            .copied()
            .unwrap_or(digest % self.of)
    }

    /// Whose it is what a thread has come to; nobody's if it has not come so far.
    pub(super) fn owner(&self, known: &Knowledge, places: &Places) -> Option<u64> {
        let mut place = places.get(self.thread.index()).copied().flatten()?;
        if (known.depth(place) as usize) < self.depth {
            return None;
        }
        while known.depth(place) as usize > self.depth {
            place = known.before(place)?.0;
        }
        Some(self.owner_at(known, place))
    }

    /// The same, of all places where a thread has been.
    pub(super) fn owner_of(&self, known: &Knowledge, nodes: &[NodeId]) -> Option<u64> {
        let place = nodes.get(self.depth)?;
        Some(self.owner_at(known, *place))
    }
}

/// A way through the graph.
struct Walk {
    /// Of each thread: after how many steps of all it had come to which places.
    reached: FxHashMap<ThreadId, Vec<(usize, u64)>>,
    steps: usize,
}

/// Goes where chance leads.
fn walk(session: &mut Session<'_, '_>, seed: u64) -> Result<Walk, Stop> {
    let mut dice = seed;
    let mut here = At::default();
    let root = session.subject.known.root(ThreadId::MAIN, None);
    here.places.push(Some(root));
    let mut schedule: Vec<ThreadId> = Vec::new();
    let mut reached: FxHashMap<ThreadId, Vec<(usize, u64)>> = FxHashMap::default();
    loop {
        let known = &mut session.subject.known;
        let mut able: Vec<(String, ThreadId)> = Vec::new();
        for thread in (0..here.places.len()).map(|t| ThreadId(t as u32)) {
            if let Some(op) = op(known, &here, thread)
                && known.peek(&here.world, op).is_some()
            {
                able.push((turns::path(thread, known), thread));
            }
        }
        // In an order that is the same everywhere.
        able.sort_unstable();
        let next = loop {
            if able.is_empty() {
                break None;
            }
            let (_, thread) = able.swap_remove(roll(&mut dice, able.len()));
            let known = &mut session.subject.known;
            let op = op(known, &here, thread).expect("it is able");
            let mut there = here.clone();
            step(known, &mut there, thread, op);
            if !is_known(known, &there, thread, op) {
                schedule.push(thread);
                session.run(&schedule)?;
                schedule.pop();
            }
            let known = &mut session.subject.known;
            // A look in vain leads nowhere.
            if is_known(known, &there, thread, op) && !spins(known, &there, thread) {
                break Some((thread, there));
            }
        };
        let Some((thread, there)) = next else {
            let steps = schedule.len();
            return Ok(Walk { reached, steps });
        };
        here = there;
        schedule.push(thread);
        let place = here.places[thread.index()].expect("it is there");
        let digest = session.subject.known.digest(place);
        let places = reached.entry(thread).or_default();
        places.push((schedule.len(), digest));
    }
}

fn roll(dice: &mut u64, sides: usize) -> usize {
    *dice = dice.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *dice;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) % sides as u64) as usize
}

/// What whoever has most to do has to do, as a part of everything, and whose each place
/// is then. Nothing if no walk comes so far.
fn cost(
    walks: &[Walk],
    thread: ThreadId,
    depth: usize,
    of: u64,
) -> Option<(f64, FxHashMap<u64, u64>)> {
    let mut weights: FxHashMap<u64, f64> = FxHashMap::default();
    // What all have to do, and what nobody else does.
    let (mut loads, mut by_all) = (vec![0.0; of as usize], 0.0);
    let mut total = 0.0;
    for walk in walks {
        let steps = walk.steps as f64;
        total += steps;
        match { walk.reached.get(&thread) }.and_then(|places| places.get(depth - 1)) {
            Some((after, place)) => {
                by_all += *after as f64;
                *weights.entry(*place).or_default() += steps - *after as f64;
            }
            None => by_all += steps,
        }
    }
    if weights.is_empty() {
        return None;
    }
    // order: they are sorted.
    let mut heaviest_first: Vec<(u64, f64)> = weights.into_iter().collect();
    heaviest_first.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut owners = FxHashMap::default();
    for (place, weight) in heaviest_first {
        let lightest = (0..loads.len()).min_by(|a, b| f64::total_cmp(&loads[*a], &loads[*b]));
        let lightest = lightest.unwrap_or(0);
        loads[lightest] += weight;
        owners.insert(place, lightest as u64);
    }
    let heaviest = loads.into_iter().fold(0.0, f64::max);
    Some(((by_all + heaviest) / total, owners))
}
