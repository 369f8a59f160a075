//! Names on their way to another thread.
//!
//! A reader that works ahead in a thread of its own keeps the table in which it
//! finds names; whoever uses its events needs only their texts. So the reader
//! sends what is new with every batch, and the receiver's copy is searchable
//! only when it is first searched.

use std::sync::Arc;

use super::{NameTable, Names, Stem};
use crate::id::Id;

/// Names that came after a copy of their tables was made.
#[derive(Debug, Default)]
pub struct NewNames {
    tables: [NewIn; 9],
}

/// How many names and stems of each table have been sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sent {
    tables: [(usize, usize); 9],
}

/// What is new in one table.
#[derive(Debug, Default)]
struct NewIn {
    stems: Vec<Arc<str>>,
    names: Vec<(u32, u32)>,
}

impl Names {
    /// How many names there are: what comes later is new.
    pub fn sent(&self) -> Sent {
        Sent {
            tables: [
                self.threads.size(),
                self.locks.size(),
                self.variables.size(),
                self.condvars.size(),
                self.objects.size(),
                self.types.size(),
                self.methods.size(),
                self.blocks.size(),
                self.locations.size(),
            ],
        }
    }

    /// The names that are new since `sent`, which is brought up to date; none
    /// if there are none.
    ///
    /// ```
    /// use commute_model::Names;
    ///
    /// let mut original = Names::default();
    /// let mut copy = original.clone();
    /// let mut sent = original.sent();
    /// let x = original.variables.intern("x7");
    /// copy.add(original.new_since(&mut sent).expect("there is a new name"));
    /// assert_eq!(copy.variables.name(x).to_string(), "x7");
    /// assert_eq!(copy.variables.lookup("x7"), Some(x));
    /// assert!(original.new_since(&mut sent).is_none());
    /// ```
    pub fn new_since(&self, sent: &mut Sent) -> Option<NewNames> {
        let now = self.sent();
        if now.tables == sent.tables {
            return None;
        }
        let from = std::mem::replace(sent, now).tables;
        Some(NewNames {
            tables: [
                self.threads.new_since(from[0]),
                self.locks.new_since(from[1]),
                self.variables.new_since(from[2]),
                self.condvars.new_since(from[3]),
                self.objects.new_since(from[4]),
                self.types.new_since(from[5]),
                self.methods.new_since(from[6]),
                self.blocks.new_since(from[7]),
                self.locations.new_since(from[8]),
            ],
        })
    }

    /// Adds names that are new in the tables this is a copy of. They must come
    /// in the order in which they were sent.
    pub fn add(&mut self, new: NewNames) {
        let [
            threads,
            locks,
            variables,
            condvars,
            objects,
            types,
            methods,
            blocks,
            locations,
        ] = new.tables;
        self.threads.add(threads);
        self.locks.add(locks);
        self.variables.add(variables);
        self.condvars.add(condvars);
        self.objects.add(objects);
        self.types.add(types);
        self.methods.add(methods);
        self.blocks.add(blocks);
        self.locations.add(locations);
    }
}

impl<I: Id> NameTable<I> {
    fn size(&self) -> (usize, usize) {
        (self.stems.len(), self.names.len())
    }

    fn new_since(&self, (stems, names): (usize, usize)) -> NewIn {
        let text = |stem: &Stem| stem.text.clone();
        NewIn {
            stems: self.stems[stems..].iter().map(text).collect(),
            names: self.names[names..].to_vec(),
        }
    }

    fn add(&mut self, new: NewIn) {
        for text in new.stems {
            self.push_stem(text);
        }
        self.unindexed += new.names.len();
        self.names.extend(new.names);
    }

    /// Makes the names that came from another table searchable.
    #[cold]
    pub(super) fn index(&mut self) {
        for id in self.names.len() - self.unindexed..self.names.len() {
            let (stem, number) = self.names[id];
            self.stem_bytes += self.stems[stem as usize].insert(number, id as u32);
        }
        self.unindexed = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_is_kept_up_to_date_finds_and_adds_the_same_names() {
        let mut original = Names::default();
        original.locks.intern("m");
        let mut copy = original.clone();
        let mut sent = original.sent();
        for round in 0..5 {
            for number in 0..100 {
                let name = format!("v{}", (number * 37 + round * 50) % 300);
                original.variables.intern(&name);
                original.locations.intern(&format!("f{round}.rs:{number}"));
            }
            if let Some(new) = original.new_since(&mut sent) {
                copy.add(new);
            }
            assert_eq!(copy.variables.len(), original.variables.len());
            for id in original.variables.ids() {
                let name = original.variables.name(id).to_string();
                assert_eq!(copy.variables.name(id).to_string(), name);
                assert_eq!(copy.variables.lookup(&name), Some(id));
            }
            assert_eq!(copy.variables.lookup("v300"), None);
        }
        for id in original.locations.ids() {
            let name = original.locations.name(id).to_string();
            assert_eq!(copy.locations.intern(&name), id);
        }
        let (mine, theirs) = (copy.locks.intern("n"), original.locks.intern("n"));
        assert_eq!(mine, theirs);
    }
}
