//! Two accesses of one thread, the second depending on the first, and what can
//! be said of them without asking who else there is.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::flow::access::Access;
use crate::flow::interference::Rivals;
use crate::flow::order::Lazy;
use crate::flow::path::PathId;
use crate::flow::value::{Origin, Region, Source};
use crate::flow::walk::Followed;
use crate::ir::{FunctionId, Operation};

/// A pair while it is judged.
pub(crate) struct Pair<'a> {
    pub(crate) function: FunctionId,
    pub(crate) first: &'a Access,
    pub(crate) first_number: u32,
    pub(crate) second: &'a Access,
    pub(crate) second_number: usize,
    pub(crate) origin: &'a Origin,
    pub(crate) followed: &'a Followed,
    /// The writes of each region.
    pub(crate) writes: &'a FxHashMap<Region, Vec<&'a Access>>,
    /// The order of the function's blocks, when it is asked for.
    pub(crate) order: &'a Lazy<'a>,
    /// Who may come between, as far as that is known.
    pub(crate) rivals: &'a RefCell<Rivals>,
}

impl Pair<'_> {
    /// Whether both are in one region, which can only be if a loop takes the
    /// lock again for each round.
    pub(crate) fn is_next_round(&self) -> bool {
        let region = self.first.region.map(|region| region.0 as usize);
        let info = region.map(|region| &self.followed.regions[region]);
        self.first.region == self.second.region
            && info.is_some_and(|info| !info.single && !info.waits)
    }

    /// The writes of the first region.
    pub(crate) fn writes_in_first(&self) -> impl Iterator<Item = &Access> {
        let region = self
            .first
            .region
            .and_then(|region| self.writes.get(&region));
        region.into_iter().flatten().copied()
    }

    /// Whether somebody looks at what the second access gives.
    pub(crate) fn is_seen(&self) -> bool {
        let number = self.second_number as u32;
        self.second.tested || self.followed.returned.contains(&number)
    }
}

/// Whether an access is a call of a method that nobody says is atomic, without a
/// lock.
pub(crate) fn is_loose(pair: &Pair<'_>, access: &Access) -> bool {
    let region = access.region.map(|region| region.0 as usize);
    let single = region.is_some_and(|region| pair.followed.regions[region].single);
    let atomic = |operation: &Operation| operation.atomic;
    single && !access.name.is_empty() && !access.operation.as_ref().is_some_and(atomic)
}

/// Whether the second access uses the object that the first found: whatever is
/// there by now, it has the one it looked at.
pub(crate) fn is_what_was_read(pair: &Pair<'_>) -> bool {
    let found =
        |origin: &Origin| !origin.decides && origin.source == Source::Access(pair.first_number);
    pair.first.name.is_empty() && pair.origin.decides && pair.second.object.iter().any(found)
}

/// Whether the second region asks for something else than the first did: for
/// another key, or only how many there are.
pub(crate) fn asks_otherwise(pair: &Pair<'_>, path: PathId) -> bool {
    let first = pair.first;
    let Some(Operation { key: Some(_), .. }) = &first.operation else {
        return false;
    };
    let otherwise = |access: &Access| {
        let Some(operation) = &access.operation else {
            return false;
        };
        matches!(operation.method, "len" | "is_empty") || has_other_key(first, access)
    };
    let again = pair.followed.accesses.iter().filter(|access| {
        let same = access.path == path && access.region == pair.second.region;
        same && access.reads && !access.writes
    });
    let mut again = again.peekable();
    again.peek().is_some() && again.all(otherwise)
}

/// Whether the second region only finds what a path leads to, and does not look
/// into it: that something is still there does not say that it is as it was.
pub(crate) fn only_finds(pair: &Pair<'_>, path: PathId) -> bool {
    let mut again = pair.followed.accesses.iter().filter(|access| {
        access.path == path && access.region == pair.second.region && access.reads
    });
    again.all(|access| {
        let operation = access.operation.as_ref();
        operation.is_some_and(|operation| operation.lends && !operation.writes)
    })
}

/// Whether the first access read again what another region read, and the two
/// were compared: is it still the same?
pub(crate) fn is_version(pair: &Pair<'_>) -> bool {
    let (near, first) = (&pair.second.near, pair.first_number);
    let compared = |number: &u32| {
        let other = &pair.followed.accesses[*number as usize];
        let both = (first.min(*number), first.max(*number));
        other.path == pair.first.path
            && other.region != pair.first.region
            && pair.followed.meets.contains(&both)
    };
    near.contains(&first) && near.iter().any(compared)
}

/// Whether what is written was made of what is there now: `*count += taken`.
pub(crate) fn adds(pair: &Pair<'_>) -> bool {
    let second = pair.second;
    let now = |number: u32| {
        let read = &pair.followed.accesses[number as usize];
        read.path == second.path && read.region == second.region
    };
    second.origins.iter().any(|origin| match origin.source {
        Source::Access(number) if !origin.decides && now(number) => {
            let held = |region| origin.held.binary_search(&region).is_ok();
            second.region.is_some_and(held)
        }
        _ => false,
    })
}

pub(crate) fn is(access: &Access, method: &str) -> bool {
    let operation = access.operation.as_ref();
    operation.is_some_and(|operation| operation.method == method)
}

pub(crate) fn has_same_key(a: &Access, b: &Access) -> bool {
    !crate::flow::value::common(&a.key, &b.key).is_empty()
}

pub(crate) fn has_other_key(a: &Access, b: &Access) -> bool {
    !a.key.is_empty() && !b.key.is_empty() && crate::flow::value::common(&a.key, &b.key).is_empty()
}

/// Whether an access asks how many there are: who reads as many takes it for
/// granted that they are still there.
pub(crate) fn is_length(access: &Access) -> bool {
    let operation = access.operation.as_ref();
    operation.is_some_and(|operation| matches!(operation.method, "len" | "length" | "size"))
}

/// Whether an access takes an element by its number, which has to be there.
pub(crate) fn is_element(access: &Access) -> bool {
    let operation = access.operation.as_ref();
    operation.is_some_and(|operation| operation.spec == Some("vec") && operation.method == "get")
}

/// Whether the region of an access is in the function or in one that it calls.
pub(crate) fn is_shallow(followed: &Followed, access: &Access) -> bool {
    let region = access.region.map(|region| region.0 as usize);
    region.is_some_and(|region| followed.regions[region].trail.len() <= 2)
}

/// Whether an access takes it for granted that its key or index is there.
pub(crate) fn is_granted(access: &Access) -> bool {
    access.unwrapped
        || access.operation.is_none()
        || access.name.contains('.') && is_element(access)
        || access.name.ends_with("::index")
        || access.name.ends_with("::index_mut")
}

pub(crate) fn overlap<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let length = a.len().min(b.len());
    a[..length] == b[..length]
}
