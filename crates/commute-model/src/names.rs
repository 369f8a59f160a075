//! Interned names.
//!
//! Traces name things `V123456` or `pool.rs:12`: a stem and a number. A table
//! keeps each stem once and finds the number by indexing, so a million
//! variables cost a few bytes each and a lookup costs no hashing and no string
//! comparison beyond the stem's. A name without a trailing number is a stem
//! alone.

mod new;

use std::collections::hash_map::Entry;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::id::{
    BlockId, CondvarId, Id, LocationId, LockId, MethodId, ObjectId, ThreadId, TypeId, VariableId,
};

const NONE: u32 = u32::MAX;
/// A number in a name has at most this many digits; the rest is the stem's.
const MAX_DIGITS: usize = 9;

pub use new::{NewNames, Sent};

/// All names of a trace, one table per name space.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Threads.
    pub threads: NameTable<ThreadId>,
    /// Locks.
    pub locks: NameTable<LockId>,
    /// Variables.
    pub variables: NameTable<VariableId>,
    /// Condition variables.
    pub condvars: NameTable<CondvarId>,
    /// Library objects.
    pub objects: NameTable<ObjectId>,
    /// Types of library objects: names of specifications.
    pub types: NameTable<TypeId>,
    /// Methods of library objects.
    pub methods: NameTable<MethodId>,
    /// Atomic blocks.
    pub blocks: NameTable<BlockId>,
    /// Source locations.
    pub locations: NameTable<LocationId>,
}

/// Bytes that a stem takes besides its text, and a name besides its stem: for
/// [`NameTable::bytes`].
const STEM_BYTES: usize = size_of::<Stem>() + size_of::<(Arc<[u8]>, u32)>() + 16;
const NAME_BYTES: usize = size_of::<(u32, u32)>();

impl Names {
    /// About how many bytes of memory all names take.
    pub fn bytes(&self) -> usize {
        self.threads.bytes()
            + self.locks.bytes()
            + self.variables.bytes()
            + self.condvars.bytes()
            + self.objects.bytes()
            + self.types.bytes()
            + self.methods.bytes()
            + self.blocks.bytes()
            + self.locations.bytes()
    }
}

/// The names of one name space, and their ids.
#[derive(Clone, Debug)]
pub struct NameTable<I> {
    names: Vec<(u32, u32)>,
    stems: Vec<Stem>,
    /// Stems by their text, which is the one in `stems`.
    stem_ids: FxHashMap<Arc<[u8]>, u32>,
    /// How many bytes the stems take.
    stem_bytes: usize,
    /// The stem of the last name looked up: most often the next one's too.
    last: u32,
    /// How many names, at the end, came from another table and cannot be found
    /// by their stem yet.
    unindexed: usize,
    ids: PhantomData<I>,
}

#[derive(Clone, Debug)]
struct Stem {
    /// Shared with copies of the table.
    text: Arc<str>,
    /// The id of the stem without a number.
    bare: u32,
    /// Ids by number, for numbers that are dense enough.
    dense: Vec<u32>,
    /// One bit per place of `dense`: whether it has an id. Small enough to stay
    /// in the cache, so that a new name does not wait for memory.
    taken: Vec<u64>,
    /// Ids of the other numbers.
    sparse: FxHashMap<u32, u32>,
    count: u32,
}

impl<I> Default for NameTable<I> {
    fn default() -> Self {
        NameTable {
            names: Vec::new(),
            stems: Vec::new(),
            stem_ids: FxHashMap::default(),
            stem_bytes: 0,
            last: NONE,
            unindexed: 0,
            ids: PhantomData,
        }
    }
}

impl<I: Id> NameTable<I> {
    /// The id of `name`, a new one if the name is new.
    pub fn intern(&mut self, name: &str) -> I {
        self.intern_bytes(name.as_bytes())
            .expect("a str is valid UTF-8")
    }

    /// Like [`intern`](Self::intern) for text that has not been validated yet:
    /// `None` if it is not UTF-8. Only new stems are validated, so a name seen
    /// before costs nothing extra.
    #[inline]
    pub fn intern_bytes(&mut self, name: &[u8]) -> Option<I> {
        if self.unindexed > 0 {
            self.index();
        }
        let (stem_text, number) = split(name);
        let stem_id = self.stem_of(stem_text)?;
        let stem = &mut self.stems[stem_id as usize];
        let known = stem.id(number);
        if known != NONE {
            return Some(I::from_index(known as usize));
        }
        self.stem_bytes += stem.insert(number, self.names.len() as u32);
        Some(self.push(stem_id, number))
    }

    /// Like [`intern_bytes`](Self::intern_bytes), for a name that is most likely
    /// new and will hardly be looked for: it can be found by its text only when
    /// somebody does look, which spares a list of names a miss of the cache each.
    pub fn declare_bytes(&mut self, name: &[u8]) -> Option<I> {
        let (stem_text, number) = split(name);
        let stem_id = self.stem_of(stem_text)?;
        if !self.stems[stem_id as usize].claim(number) {
            return self.intern_bytes(name);
        }
        self.unindexed += 1;
        Some(self.push(stem_id, number))
    }

    fn push(&mut self, stem: u32, number: u32) -> I {
        let id = self.names.len();
        self.names.push((stem, number));
        I::from_index(id)
    }

    /// The id of `name` if it has one.
    pub fn lookup(&self, name: &str) -> Option<I> {
        let (stem_text, number) = split(name.as_bytes());
        let stem_id = *self.stem_ids.get(stem_text)?;
        let id = self.stems[stem_id as usize].id(number);
        if id != NONE {
            return Some(I::from_index(id as usize));
        }
        let rest = self.names.len() - self.unindexed;
        let same = |name: &(u32, u32)| *name == (stem_id, number);
        let place = self.names[rest..].iter().position(same)?;
        Some(I::from_index(rest + place))
    }

    /// The name of `id`.
    ///
    /// # Panics
    /// If the id is not from this table.
    pub fn name(&self, id: I) -> Name<'_> {
        let (stem, number) = self.names[id.index()];
        Name {
            stem: &self.stems[stem as usize].text,
            number: (number != NONE).then_some(number),
        }
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name yet.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All ids, in the order in which their names were first seen.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I> {
        (0..self.names.len()).map(I::from_index)
    }

    #[inline(always)]
    fn stem_of(&mut self, text: &[u8]) -> Option<u32> {
        match self.stems.get(self.last as usize) {
            Some(stem) if stem.text.as_bytes() == text => {}
            _ => self.last = self.stem(text)?,
        }
        Some(self.last)
    }

    fn stem(&mut self, text: &[u8]) -> Option<u32> {
        if let Some(&id) = self.stem_ids.get(text) {
            return Some(id);
        }
        let valid = std::str::from_utf8(text).ok()?;
        Some(self.push_stem(valid.into()))
    }

    fn push_stem(&mut self, text: Arc<str>) -> u32 {
        let id = self.stems.len() as u32;
        self.stem_bytes += text.len() + STEM_BYTES;
        self.stem_ids.insert(Arc::from(text.clone()), id);
        self.stems.push(Stem {
            text,
            bare: NONE,
            dense: Vec::new(),
            taken: Vec::new(),
            sparse: FxHashMap::default(),
            count: 0,
        });
        id
    }

    /// About how many bytes of memory the names take.
    pub fn bytes(&self) -> usize {
        self.stem_bytes + self.names.len() * NAME_BYTES
    }
}

impl Stem {
    /// The id of the stem with this number, or [`NONE`].
    #[inline(always)]
    fn id(&self, number: u32) -> u32 {
        match number {
            NONE => self.bare,
            n if self.is_taken(n) => self.dense.get(n as usize).copied().unwrap_or(NONE),
            _ if self.sparse.is_empty() => NONE,
            n => self.sparse.get(&n).copied().unwrap_or(NONE),
        }
    }

    #[inline(always)]
    fn is_taken(&self, number: u32) -> bool {
        let bits = self.taken.get(number as usize / 64);
        bits.is_some_and(|bits| bits >> (number % 64) & 1 == 1)
    }

    /// Takes a number without giving it an id, which [`insert`](Self::insert)
    /// will do; false if it may have one.
    fn claim(&mut self, number: u32) -> bool {
        if number == NONE || !self.sparse.is_empty() || self.is_taken(number) {
            return false;
        }
        let place = number as usize;
        let limit = limit(self.count + 1);
        if place >= limit {
            return false;
        }
        if place / 64 >= self.taken.len() {
            let grown = (place + 1).next_power_of_two().min(limit);
            self.taken.resize(grown.div_ceil(64), 0);
        }
        self.taken[place / 64] |= 1 << (number % 64);
        self.count += 1;
        true
    }

    /// Gives the stem with this number an id, and returns how many bytes more the
    /// stem takes.
    fn insert(&mut self, number: u32, id: u32) -> usize {
        if number == NONE {
            self.bare = id;
            return 0;
        }
        let before = self.dense.len();
        self.count += u32::from(!self.is_taken(number));
        let place = number as usize;
        let limit = limit(self.count);
        if place >= self.dense.len() && place < limit {
            self.grow((place + 1).next_power_of_two().min(limit));
        }
        let grown = (self.dense.len() - before) * size_of::<u32>();
        match self.dense.get_mut(place) {
            Some(slot) => {
                *slot = id;
                self.taken[place / 64] |= 1 << (number % 64);
                grown
            }
            None => match self.sparse.entry(number) {
                Entry::Vacant(entry) => {
                    entry.insert(id);
                    // A hash table has room for a quarter more at least.
                    grown + 2 * size_of::<(u32, u32)>()
                }
                Entry::Occupied(_) => unreachable!("a known number is not inserted again"),
            },
        }
    }

    /// Makes the dense table longer; what it has a place for goes there.
    fn grow(&mut self, length: usize) {
        self.dense.resize(length, NONE);
        let bits = length.div_ceil(64).max(self.taken.len());
        self.taken.resize(bits, 0);
        let Stem { dense, taken, .. } = self;
        self.sparse
            .retain(|&number, id| match dense.get_mut(number as usize) {
                Some(slot) => {
                    *slot = *id;
                    taken[number as usize / 64] |= 1 << (number % 64);
                    false
                }
                None => true,
            });
    }
}

/// Memory stays proportional to the number of names: a number goes into the
/// dense table only while that has at most 64 places per name.
fn limit(names: u32) -> usize {
    64 + 64 * names as usize
}

/// Splits `name` so that stem followed by number, in decimal, is the name
/// again, and every name has one such split: no leading zeros, at most
/// [`MAX_DIGITS`] digits.
#[inline]
fn split(name: &[u8]) -> (&[u8], u32) {
    let mut start = name.len();
    let mut number = 0u32;
    let mut scale = 1u32;
    let mut cut = name.len();
    while start > 0 && name.len() - start < MAX_DIGITS && name[start - 1].is_ascii_digit() {
        start -= 1;
        let digit = u32::from(name[start] - b'0');
        number += digit * scale;
        scale = scale.wrapping_mul(10);
        if digit != 0 || start + 1 == name.len() {
            cut = start;
        }
    }
    if cut == name.len() {
        (name, NONE)
    } else {
        (&name[..cut], number)
    }
}

/// A name, to be displayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name<'a> {
    stem: &'a str,
    number: Option<u32>,
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.stem)?;
        match self.number {
            Some(number) => write!(f, "{number}"),
            None => Ok(()),
        }
    }
}

impl<'a> Name<'a> {
    /// The text before the number, and the number: one after the other, in
    /// decimal, they are the name. For writers that have no time for `Display`.
    #[inline]
    pub fn parts(&self) -> (&'a str, Option<u32>) {
        (self.stem, self.number)
    }

    /// Whether the name is the empty string: a location that was not given.
    pub fn is_empty(&self) -> bool {
        self.stem.is_empty() && self.number.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_as_it_was() {
        let names = [
            "x",
            "x0",
            "x00",
            "x007",
            "x1",
            "x10",
            "",
            "0",
            "00",
            "12",
            "V123456",
            "pool.rs:12",
            "pool.rs:12:5",
            "x4294967295",
            "x999999999999",
            "x1000000000",
            "é1",
            "0x7f00",
            "a b 3",
        ];
        let mut table = NameTable::<VariableId>::default();
        let ids: Vec<_> = names.iter().map(|n| table.intern(n)).collect();
        for (name, id) in names.iter().zip(&ids) {
            assert_eq!(table.name(*id).to_string(), *name);
            assert_eq!(table.intern(name), *id);
            assert_eq!(table.lookup(name), Some(*id));
        }
        assert_eq!(table.len(), names.len());
        assert_eq!(table.lookup("y"), None);
        assert_eq!(table.lookup("x2"), None);
    }

    #[test]
    fn sparse_numbers_move_to_the_dense_table_and_stay_themselves() {
        let mut table = NameTable::<VariableId>::default();
        let mut expected = Vec::new();
        for i in (0..3000u32).rev() {
            expected.push((i * 7, table.intern(&format!("v{}", i * 7))));
        }
        for (number, id) in expected {
            assert_eq!(table.intern(&format!("v{number}")), id);
        }
        assert_eq!(table.len(), 3000);
    }

    #[test]
    fn a_huge_number_costs_no_memory() {
        let mut table = NameTable::<VariableId>::default();
        table.intern("v999999999");
        table.declare_bytes(b"v999999998");
        assert!(table.stems[0].dense.is_empty());
        assert!(table.stems[0].taken.is_empty());
    }

    #[test]
    fn declared_and_interned_names_get_the_same_ids() {
        let mut interned = NameTable::<VariableId>::default();
        let mut declared = NameTable::<VariableId>::default();
        let mut number = 1u32;
        for i in 0..5000 {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let name = match number >> 30 {
                0 => format!("v{}", number % 4000),
                1 => format!("w{}", number % 90_000_000),
                2 => format!("v{i}"),
                _ => format!("u{}", number % 1000 * 100),
            };
            let expected = interned.intern(&name);
            assert_eq!(declared.declare_bytes(name.as_bytes()), Some(expected));
            assert_eq!(declared.name(expected).to_string(), name);
            if number.is_multiple_of(1024) {
                assert_eq!(declared.lookup(&name), Some(expected), "{name}");
                assert_eq!(declared.intern(&name), expected, "{name}");
            }
        }
        assert_eq!(declared.len(), interned.len());
    }

    #[test]
    fn a_text_is_stored_once_and_counted() {
        let long = "x".repeat(1000);
        let mut names = Names::default();
        let mut copy = names.clone();
        let mut sent = names.sent();
        names.variables.intern(&long);
        let bytes = names.bytes();
        assert!((1000..1400).contains(&bytes), "{bytes}");
        copy.add(names.new_since(&mut sent).expect("a new name"));
        assert_eq!(copy.bytes(), bytes);
        // Stem and key of both tables are one text.
        assert_eq!(Arc::strong_count(&names.variables.stems[0].text), 4);
        for number in 0..1000 {
            names.variables.intern(&format!("{long}{number}"));
        }
        assert!(names.bytes() < bytes + 1000 * 20, "{}", names.bytes());
    }

    #[test]
    fn text_that_is_not_utf8_is_refused() {
        let mut table = NameTable::<VariableId>::default();
        assert_eq!(table.intern_bytes(b"\xff\xfe1"), None);
        assert!(table.is_empty());
    }
}
