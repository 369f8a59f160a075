//! Variables that get their ids a little later than the rest of their event.
//!
//! A trace with a million variables has a table of ids that does not fit into
//! the cache, and every lookup waits for memory. Lookups do not depend on each
//! other: many in a row wait together. So a variable `V123` first goes into its
//! event as the number 123, and is replaced by its id a few hundred events later,
//! but before anybody sees the event.

use commute_model::{Event, Id, NameTable, Op, VariableId};

use super::memory::Numbers;

/// Which events of a batch have a number in place of a variable.
pub(super) struct Late {
    events: Vec<u32>,
}

/// How many wait at most: their events are still in the first-level cache.
const MOST: usize = 256;

impl Late {
    pub(super) fn new() -> Late {
        Late {
            events: Vec::with_capacity(MOST),
        }
    }

    /// Whether it is time to resolve.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.events.len() >= MOST
    }

    /// Adds the event at this place of the batch.
    #[inline(always)]
    pub(super) fn add(&mut self, event: usize) {
        self.events.push(event as u32);
    }

    /// Replaces numbers by ids, in the order of the events.
    #[inline]
    pub(super) fn resolve(
        &mut self,
        numbers: &mut Numbers,
        table: &mut NameTable<VariableId>,
        events: &mut [Event],
    ) {
        if !self.events.is_empty() {
            self.resolve_all(numbers, table, events);
        }
    }

    #[inline(never)]
    fn resolve_all(
        &mut self,
        numbers: &mut Numbers,
        table: &mut NameTable<VariableId>,
        events: &mut [Event],
    ) {
        for &event in &self.events {
            if let Some(event) = events.get_mut(event as usize)
                && let Op::Read(variable) | Op::Write(variable) = &mut event.op
            {
                let number = variable.0;
                variable.0 = match numbers.id(number) {
                    Some(id) => id,
                    None => introduce(numbers, table, number),
                };
            }
        }
        self.events.clear();
    }
}

/// A number that is new after a stem that is legal.
fn introduce(numbers: &mut Numbers, table: &mut NameTable<VariableId>, number: u32) -> u32 {
    let mut name = [0; 24];
    let length = numbers.name(number, &mut name);
    let id = table.intern_bytes(&name[..length]);
    let id = id.expect("the stem is in the table").index() as u32;
    numbers.put_number(number, id);
    id
}
