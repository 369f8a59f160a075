//! What is known of a value: where it points, which guards it owns, and which
//! reads of shared memory it comes from.

use std::collections::BTreeMap;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::flow::path::PathId;
use crate::ir::{FieldId, FunctionId, Local};

/// A sorted list without doubles.
pub(crate) type Set<T> = SmallVec<[T; 2]>;

pub(crate) fn add<T: Ord>(set: &mut Set<T>, item: T) {
    if let Err(at) = set.binary_search(&item) {
        set.insert(at, item);
    }
}

pub(crate) fn add_all<T: Ord + Copy>(set: &mut Set<T>, items: &[T]) {
    for item in items {
        add(set, *item);
    }
}

pub(crate) fn common<T: Ord + Copy>(a: &[T], b: &[T]) -> Set<T> {
    a.iter()
        .filter(|item| b.binary_search(item).is_ok())
        .copied()
        .collect()
}

/// A region of a function, by its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Region(pub(crate) u32);

/// What a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Source {
    /// An access of the function, by its number there.
    Access(u32),
    /// A parameter.
    Parameter(Local),
}

/// That a value comes from somewhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Origin {
    pub(crate) source: Source,
    /// Whether it only decided, and is not part of the value.
    pub(crate) decides: bool,
    /// Whether it decided, too, on some way.
    pub(crate) decided: bool,
    /// The regions that have been held ever since.
    pub(crate) held: Set<Region>,
}

impl Origin {
    /// What is known of a source on two ways; nothing if this one says it all.
    fn and(&self, other: &Origin) -> Option<Origin> {
        let decides = self.decides && other.decides;
        let decided = self.decided || other.decided;
        if (decides, decided) == (self.decides, self.decided) && self.held == other.held {
            return None;
        }
        Some(Origin {
            source: self.source,
            decides,
            decided,
            held: common(&self.held, &other.held),
        })
    }
}

/// All that a value comes from. Sorted; one entry for each source. Many values
/// come from the same: they share one list until it changes.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Origins(Option<Arc<Vec<Origin>>>);

/// More are left out, deciding ones first.
const MOST: usize = 40;

impl Origins {
    fn new(list: Vec<Origin>) -> Origins {
        Origins((!list.is_empty()).then(|| Arc::new(list)))
    }

    fn list(&self) -> &[Origin] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    fn change(&mut self) -> &mut Vec<Origin> {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// Only those that are wanted stay.
    pub(crate) fn retain(&mut self, wanted: impl Fn(&Origin) -> bool) {
        if !self.iter().all(&wanted) {
            let kept = self.iter().filter(|origin| wanted(origin));
            *self = Origins::new(kept.cloned().collect());
        }
    }

    /// The same with new numbers of accesses, in the same order, and of regions.
    /// Accesses that have none are left out, and so are parameters.
    pub(crate) fn renumbered(
        &self,
        number: impl Fn(u32) -> Option<u32>,
        regions: impl Fn(&Set<Region>) -> Set<Region>,
    ) -> Origins {
        let renumbered = self.iter().filter_map(|origin| match origin.source {
            Source::Access(old) => Some(Origin {
                source: Source::Access(number(old)?),
                held: regions(&origin.held),
                ..*origin
            }),
            Source::Parameter(_) => None,
        });
        let mut list: Vec<Origin> = renumbered.collect();
        list.shrink_to_fit();
        Origins::new(list)
    }

    pub(crate) fn one(origin: Origin) -> Origins {
        Origins::new(vec![origin])
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Origin> {
        self.list().iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.list().len()
    }

    pub(crate) fn add(&mut self, origin: &Origin) {
        let list = self.list();
        match list.binary_search_by(|other| other.source.cmp(&origin.source)) {
            Ok(at) => {
                if let Some(both) = list[at].and(origin) {
                    self.change()[at] = both;
                }
            }
            Err(_) if list.len() >= MOST && origin.decides => {}
            Err(at) if list.len() < 2 * MOST => self.change().insert(at, origin.clone()),
            Err(_) => {}
        }
    }

    pub(crate) fn join(&mut self, other: &Origins) {
        match (&self.0, &other.0) {
            (_, None) => {}
            (None, Some(_)) => *self = other.clone(),
            (Some(own), Some(list)) if Arc::ptr_eq(own, list) => {}
            (Some(own), Some(list)) => {
                if let Some(joined) = joined(own, list) {
                    self.0 = Some(Arc::new(joined));
                }
            }
        }
    }

    /// The same, but they only decide.
    pub(crate) fn deciding(&self) -> Origins {
        if self.iter().all(|origin| origin.decides && origin.decided) {
            return self.clone();
        }
        let mut deciding = self.clone();
        for origin in deciding.change() {
            origin.decides = true;
            origin.decided = true;
        }
        deciding
    }

    /// The same, and they decide, too.
    pub(crate) fn also_deciding(&self) -> Origins {
        if self.iter().all(|origin| origin.decided) {
            return self.clone();
        }
        let mut deciding = self.clone();
        for origin in deciding.change() {
            origin.decided = true;
        }
        deciding
    }

    /// Those that only decided.
    pub(crate) fn only_deciding(&self) -> Origins {
        let decided = self.iter().filter(|origin| origin.decided);
        Origins::new(decided.cloned().collect()).deciding()
    }

    /// Whether a region has been held since one of them.
    pub(crate) fn mentions(&self, region: Region) -> bool {
        self.iter()
            .any(|origin| origin.held.binary_search(&region).is_ok())
    }

    /// A region ended. Whether anything changed.
    pub(crate) fn release(&mut self, region: Region) -> bool {
        let mentioned = self.mentions(region);
        if mentioned {
            for origin in self.change() {
                origin.held.retain(|held| *held != region);
            }
        }
        mentioned
    }
}

/// What comes of a list if all of another are added to it, one after the other;
/// nothing if that changes nothing, as mostly.
fn joined(own: &[Origin], others: &[Origin]) -> Option<Vec<Origin>> {
    let mut joined: Option<Vec<Origin>> = None;
    let mut length = own.len();
    let mut at = 0;
    for other in others {
        let before = at;
        while own.get(at).is_some_and(|own| own.source < other.source) {
            at += 1;
        }
        if let Some(joined) = &mut joined {
            joined.extend_from_slice(&own[before..at]);
        }
        let there = own.get(at).filter(|own| own.source == other.source);
        let new = match there {
            Some(there) => there.and(other),
            None => {
                let room = length < MOST || !other.decides && length < 2 * MOST;
                length += usize::from(room);
                room.then(|| other.clone())
            }
        };
        match (new, there, &mut joined) {
            (Some(new), ..) => {
                let begin = || {
                    let mut begin = Vec::with_capacity(own.len() + 1);
                    begin.extend_from_slice(&own[..at]);
                    begin
                };
                joined.get_or_insert_with(begin).push(new);
            }
            (None, Some(there), Some(joined)) => joined.push(there.clone()),
            (None, ..) => {}
        }
        at += usize::from(there.is_some());
    }
    if let Some(joined) = &mut joined {
        joined.extend_from_slice(&own[at..]);
    }
    joined
}

/// A value.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    /// What it points to; of a number or a text, what it is a copy of.
    pub(crate) points: Set<PathId>,
    /// The guards it owns.
    pub(crate) guards: Set<Region>,
    /// What it comes from.
    pub(crate) origins: Origins,
    /// Its fields, if it is a structure, a tuple or a closure and they are known.
    pub(crate) fields: BTreeMap<FieldId, Value>,
    /// The bodies that run when it is awaited, if it is a future or holds one.
    pub(crate) futures: Set<FunctionId>,
}

/// A pointer that may point to more is followed to these only.
const TARGETS: usize = 4;

impl Value {
    pub(crate) fn to(path: PathId) -> Value {
        let mut points = Set::new();
        points.push(path);
        Value {
            points,
            ..Value::default()
        }
    }

    pub(crate) fn from(origins: Origins) -> Value {
        Value {
            origins,
            ..Value::default()
        }
    }

    pub(crate) fn join(&mut self, other: &Value) {
        for path in &other.points {
            if self.points.len() < TARGETS {
                add(&mut self.points, *path);
            }
        }
        for body in &other.futures {
            if self.futures.len() < TARGETS {
                add(&mut self.futures, *body);
            }
        }
        add_all(&mut self.guards, &other.guards);
        self.origins.join(&other.origins);
        for (field, value) in &other.fields {
            self.fields.entry(*field).or_default().join(value);
        }
    }

    /// Looks at it and its fields.
    pub(crate) fn each(&self, look: &mut impl FnMut(&Value)) {
        look(self);
        for part in self.fields.values() {
            part.each(look);
        }
    }

    /// All guards it owns, its fields' too.
    pub(crate) fn all_guards(&self) -> Set<Region> {
        let mut all = self.guards.clone();
        for value in self.fields.values() {
            add_all(&mut all, &value.all_guards());
        }
        all
    }

    /// All it comes from, its fields too.
    pub(crate) fn all_origins(&self) -> Origins {
        let mut all = self.origins.clone();
        for value in self.fields.values() {
            all.join(&value.all_origins());
        }
        all
    }

    /// Fields of fields of fields become one with what they are in.
    pub(crate) fn flatten(&mut self, depth: usize) {
        if depth == 0 {
            let fields = std::mem::take(&mut self.fields);
            for mut value in fields.into_values() {
                value.flatten(0);
                self.join(&value);
            }
            return;
        }
        for value in self.fields.values_mut() {
            value.flatten(depth - 1);
        }
    }

    /// The same, seen through a reference: nothing is owned.
    pub(crate) fn lent(mut self) -> Value {
        self.disown();
        self
    }

    fn disown(&mut self) {
        self.guards.clear();
        for value in self.fields.values_mut() {
            value.disown();
        }
    }

    pub(crate) fn release(&mut self, region: Region) -> bool {
        let mut changed = self.origins.release(region);
        if let Ok(at) = self.guards.binary_search(&region) {
            self.guards.remove(at);
            changed = true;
        }
        for value in self.fields.values_mut() {
            changed |= value.release(region);
        }
        changed
    }

    pub(crate) fn mentions(&self, region: Region) -> bool {
        self.origins.mentions(region)
            || self.guards.binary_search(&region).is_ok()
            || self.fields.values().any(|value| value.mentions(region))
    }
}
