//! Moments that are the same up to exchanges.

use std::hash::Hasher;

use commute_model::Value;
use rustc_hash::FxHasher;

use crate::code::NodeId;
use crate::digest;
use crate::knowledge::Knowledge;
use crate::run::Places;
use crate::words::ThreadId;
use crate::world::{StateId, World};

impl Knowledge {
    /// What tells a moment from others that are not the same up to exchanges.
    pub fn kind(&self, places: &Places, world: &World) -> u128 {
        let order = self.order(places, world);
        let half = |seed: usize| {
            let mut hasher = FxHasher::with_seed(seed);
            for (thread, place) in order.places.iter().enumerate() {
                hasher.write_u64(match place {
                    None => 0,
                    Some(place) if order.is_like_others[thread] => self.code.likeness(*place),
                    Some(place) => u64::from(place.0) + 1,
                });
            }
            for (object, state) in world.states().iter().enumerate() {
                self.hash_state(object, *state, &order, &mut hasher);
            }
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(0x9E37_79B9)
    }

    fn hash_state(&self, object: usize, state: StateId, order: &Order, hasher: &mut FxHasher) {
        let (_, object) = { self.objects.get_index(object) }.expect("it has a state");
        let named = |thread: &Value| match thread.as_int() {
            Some(n) => {
                let new = usize::try_from(n).ok().and_then(|n| order.names.get(n));
                new.map_or_else(|| thread.clone(), |new| Value::Int((*new).into()))
            }
            None => thread.clone(),
        };
        let value = object.state(state);
        match object.model.renamed(value, &named) {
            Some(renamed) => digest::write(&renamed, hasher),
            None => hasher.write_u32(state.0),
        }
    }

    /// An order of threads that is the same for all moments that are the same up to
    /// exchanges. Should it not be, two of a kind count as two, and nothing is missed.
    fn order(&self, places: &Places, world: &World) -> Order {
        let count = places.len();
        let mut order = Order {
            names: (0..count as u32).collect(),
            places: places.to_vec(),
            is_like_others: vec![false; count],
        };
        let mut likes: Vec<(u32, usize)> = Vec::new();
        for thread in 0..count {
            if let Some(first) = self.exchange.first.get(&ThreadId(thread as u32)) {
                order.is_like_others[thread] = true;
                likes.push((first.0, thread));
            }
        }
        likes.sort_unstable();
        for alike in likes.chunk_by(|a, b| a.0 == b.0) {
            let mut sorted: Vec<(u64, u64, usize)> = { alike.iter() }
                .map(|(_, thread)| (self.likeness_at(places, *thread), 0, *thread))
                .collect();
            sorted.sort_unstable();
            for ties in sorted.chunk_by_mut(|a, b| a.0 == b.0) {
                if ties.len() > 1 && ties[0].0 != 0 {
                    for tie in ties {
                        tie.1 = self.part_in_states(tie.2, places, world);
                    }
                }
            }
            sorted.sort_unstable();
            for ((_, name), (.., thread)) in alike.iter().zip(sorted) {
                order.names[thread] = *name as u32;
                order.places[*name] = places[thread];
            }
        }
        order
    }

    fn likeness_at(&self, places: &Places, thread: usize) -> u64 {
        let place = places.get(thread).copied().flatten();
        place.map_or(0, |place| self.code.likeness(place))
    }

    /// Where a thread is in the states of objects, among others that are known by where
    /// they are in their code.
    fn part_in_states(&self, thread: usize, places: &Places, world: &World) -> u64 {
        let mut hasher = FxHasher::default();
        for (index, state) in world.states().iter().enumerate() {
            let (_, object) = { self.objects.get_index(index) }.expect("it has a state");
            let seen = |other: &Value| match other.as_int().and_then(|n| usize::try_from(n).ok()) {
                Some(other) if other == thread => Value::Nil,
                Some(other) => Value::Int(self.likeness_at(places, other).into()),
                None => other.clone(),
            };
            if let Some(state) = object.model.renamed(object.state(*state), &seen) {
                digest::write(&state, &mut hasher);
            }
        }
        hasher.finish()
    }
}

/// Threads under other names.
struct Order {
    /// The new name of each.
    names: Vec<u32>,
    /// By new name.
    places: Vec<Option<NodeId>>,
    /// Whether a thread may be exchanged. By old and new name, which are the same threads.
    is_like_others: Vec<bool>,
}
