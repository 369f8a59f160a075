//! Collections that a method uses, found while it runs: what others use, too, in an open
//! environment.
//!
//! A collection is known by where it is in the object that is checked: inside of it, or
//! behind a pointer in it. There it is in every run, and as long as the object lives:
//! nothing moves what is shared. What is given out by a guard may move when the guard is
//! gone, so it is not taken; nor what may be part of an entry that others may remove.
//!
//! What is near to where a pointer leads may be something else that was made later. So
//! it counts only if it is there in another run, too, before the method begins; and only
//! as long as the pointer is what it was then.

use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::panic::Location;

use commute_explore::ThreadId;
use commute_explore::runtime::{copy_from, current_thread, is_inside, may_be_of_this_run};
use commute_record::Tag;

use super::contents::{contents, types};
use super::finds::{Finds, Found, NEAR, Path};
use super::kind::{Act, Kind, Lock, act};
use super::made::{self, Sample};
use super::table::Table;
#[cfg(feature = "crossbeam")]
use super::unbounded;
#[cfg(any(feature = "crossbeam", feature = "papaya"))]
use crate::explored::plain::is_plain;

struct Open {
    /// The object, when it is made: where it is, and its words.
    whole: Option<(usize, Vec<usize>)>,
    size: usize,
    finds: Finds,
    /// What was looked at in this run.
    seen: Vec<usize>,
    /// What was looked at in this run and was not known then, and where it is.
    minded: Vec<(usize, Path)>,
    /// How many guards threads have.
    guards: Vec<(Option<ThreadId>, usize)>,
    /// Threads that have something which goes when others remove it.
    lent: Vec<Option<ThreadId>>,
}

thread_local! {
    static IS_OPEN: Cell<bool> = const { Cell::new(false) };
    static OPEN: RefCell<Option<Open>> = const { RefCell::new(None) };
}

/// Collections are found until this goes.
pub(super) struct Search(());

/// From now on.
pub(super) fn search() -> Search {
    IS_OPEN.set(true);
    OPEN.set(Some(Open {
        whole: None,
        size: 0,
        finds: Finds::default(),
        seen: Vec::new(),
        minded: Vec::new(),
        guards: Vec::new(),
        lent: Vec::new(),
    }));
    Search(())
}

impl Drop for Search {
    fn drop(&mut self) {
        IS_OPEN.set(false);
        OPEN.set(None);
    }
}

impl Search {
    /// What was found so far.
    pub(super) fn finds(&self) -> Finds {
        let mut finds = OPEN
            .with_borrow(|open| open.as_ref().map(|open| open.finds.clone()))
            .unwrap_or_default();
        finds.keep_certain();
        finds.give_up_unknown();
        finds
    }
}

/// A run begins: the object of the last one is gone.
pub(super) fn begin() {
    with(|open| open.whole = None);
}

/// The object of this run is made.
pub(super) fn made<T>(object: &T) {
    if !IS_OPEN.get() {
        return;
    }
    let address = std::ptr::from_ref(object).addr();
    // What has a pointer in it is aligned as one.
    let words = match align_of::<T>().is_multiple_of(align_of::<usize>()) {
        true => size_of::<T>() / size_of::<usize>(),
        false => 0,
    };
    let first = std::ptr::from_ref(object).cast::<usize>();
    #[expect(
        unsafe_code,
        reason = "there is no other way into other people's types"
    )]
    let word = |index: usize| {
        // SAFETY: inside of the object, and aligned. That some of it may be padding does
        // not matter, since nothing is done with what is read but to compare it.
        unsafe { first.add(index).read_volatile() }
    };
    let words = (0..words).map(word).collect();
    with(|open| {
        open.whole = Some((address, words));
        open.size = size_of::<T>();
        open.seen.clear();
        open.minded.clear();
        open.guards.clear();
        open.lent.clear();
        open.ascertain();
    });
}

/// A word of the object, as it was in the beginning.
pub(super) fn word(at: usize) -> Option<usize> {
    with(|open| open.word(at)).flatten()
}

fn with<R>(f: impl FnOnce(&mut Open) -> R) -> Option<R> {
    if !IS_OPEN.get() || !is_inside() {
        return None;
    }
    // Nothing that is called while it is borrowed uses a collection.
    OPEN.with_borrow_mut(|open| open.as_mut().map(f))
}

impl Open {
    /// A word of the object, as it was in the beginning.
    fn word(&self, at: usize) -> Option<usize> {
        let (_, words) = self.whole.as_ref()?;
        words.get(at / size_of::<usize>()).copied()
    }

    /// Whether there is behind pointers what was there when the method had begun.
    fn ascertain(&mut self) {
        let mut found = std::mem::take(&mut self.finds.found);
        for found in found.iter_mut().filter(|found| !found.is_certain) {
            let Path::Behind { pointer, offset } = found.path else {
                continue;
            };
            let mut copy = [0; size_of::<Tag>()];
            let tag = { self.word(pointer) }
                .and_then(|to| to.checked_add(offset)?.checked_add(found.tag_offset));
            found.is_certain = tag.is_some_and(|tag| {
                copy_from(tag, &mut copy)
                    && Tag::copied(&copy, found.origin).is_some_and(may_be_of_this_run)
            });
        }
        self.finds.found = found;
        self.finds.keep_certain();
    }

    fn path(&self, address: usize) -> Option<Path> {
        let (base, words) = self.whole.as_ref()?;
        if let Some(offset) = address.checked_sub(*base).filter(|o| *o < self.size) {
            return Some(Path::Inside(offset));
        }
        let near = |word: &usize| address.checked_sub(*word).filter(|offset| *offset < NEAR);
        let behind = words.iter().enumerate();
        let behind = behind.filter_map(|(index, word)| Some((near(word)?, index)));
        behind.min().map(|(offset, index)| Path::Behind {
            pointer: index * size_of::<usize>(),
            offset,
        })
    }

    /// Where something is, if it stays there.
    fn lasting_path(&self, address: usize) -> Option<Path> {
        // Who uses it again has it already.
        if let Some((_, path)) = self.minded.iter().find(|(minded, _)| *minded == address) {
            return Some(*path);
        }
        let is_lent = || self.lent.contains(&current_thread());
        let lasts = |path: &Path| match path {
            Path::Inside(_) => !self.has_guard(),
            Path::Behind { .. } => !self.has_guard() && !is_lent(),
        };
        self.path(address).filter(lasts)
    }

    fn has_guard(&self) -> bool {
        let me = current_thread();
        let mine = self.guards.iter().find(|(thread, _)| *thread == me);
        mine.is_some_and(|(_, guards)| *guards > 0)
    }

    /// Somebody uses a collection: what it is, if that is known.
    fn offer(
        &mut self,
        address: usize,
        tag: &Tag,
        what: &str,
        kind: impl FnOnce() -> Option<Kind>,
    ) {
        if self.whole.is_none() || self.seen.contains(&address) {
            return;
        }
        self.seen.push(address);
        let path = self.lasting_path(address);
        let (Some(path), Some(kind)) = (path, kind()) else {
            let text = unusable(what, path.is_some(), tag.birthplace());
            self.finds.cannot_be_used(text);
            return;
        };
        let place = std::ptr::from_ref(tag).addr();
        match self.finds.found.iter_mut().find(|found| found.path == path) {
            // It is another one in each run.
            Some(known) => known.tag = place,
            None => self.finds.found.push(Found {
                path,
                kind,
                word: tag.word(),
                keys: Vec::new(),
                tag: place,
                // A tag is inside of its collection.
                tag_offset: place - address,
                origin: tag.origin(),
                is_certain: matches!(path, Path::Inside(_)),
                lost: unusable(what, false, tag.birthplace()),
            }),
        }
    }

    /// Somebody uses a collection of which it is not known yet what it is.
    #[cfg(feature = "crossbeam")]
    fn mind(&mut self, address: usize, tag: &Tag, what: &str) {
        let is_minded = self.minded.iter().any(|(minded, _)| *minded == address);
        if self.whole.is_none() || is_minded || self.seen.contains(&address) {
            return;
        }
        let path = self.lasting_path(address);
        let text = unusable(what, path.is_some(), tag.birthplace());
        match path {
            Some(path) => {
                self.minded.push((address, path));
                self.finds.may_be_used(path, text);
            }
            None => self.finds.cannot_be_used(text),
        }
    }

    fn note(&mut self, tag: &Tag, keys: impl IntoIterator<Item = Sample>) {
        let tag = std::ptr::from_ref(tag).addr();
        let Some(found) = self.finds.found.iter_mut().find(|found| found.tag == tag) else {
            return;
        };
        for key in keys {
            if !found.keys.iter().any(|known| known.shown == key.shown) {
                found.keys.push(key);
            }
        }
    }
}

/// Why others cannot use it.
fn unusable(what: &str, has_path: bool, at: Option<&Location<'_>>) -> String {
    let at = at.map_or(String::new(), |at| format!(" made at {at}"));
    match has_path {
        true => format!("what others can do to the `{what}`{at} is not known"),
        false => format!("the `{what}`{at} is no part of the object that others can find"),
    }
}

/// A map or set is used.
#[cfg_attr(
    not(any(feature = "dashmap", feature = "papaya", feature = "scc")),
    expect(dead_code, reason = "only libraries have such maps")
)]
#[inline]
pub(crate) fn table<C: Table<K, V>, K, V>(table: &C, tag: &Tag, is_set: bool) {
    with(|open| {
        let kind = || {
            Some(Kind {
                types: types::<K, V>(),
                is_set,
                act: Act::Table(act::<C, K, V>),
            })
        };
        let address = std::ptr::from_ref(table).addr();
        open.offer(address, tag, type_name::<C>(), kind);
    });
}

/// The same, where it can be changed: others of its type are known from here on.
#[cfg(feature = "crossbeam")]
#[inline]
pub(crate) fn changed<C: Table<K, V>, K, V>(table: &C, tag: &Tag, is_set: bool) {
    with(|open| {
        let kind = unbounded::kind::<C, K, V>(is_set);
        unbounded::learn::<C>(kind);
        let address = std::ptr::from_ref(table).addr();
        open.offer(address, tag, type_name::<C>(), || Some(kind));
    });
}

/// The same, where it can only be looked at: what others can do has to be known.
#[cfg(feature = "crossbeam")]
#[inline]
pub(crate) fn looked_at<C>(table: &C, tag: &Tag) {
    with(|open| {
        let address = std::ptr::from_ref(table).addr();
        let what = type_name::<C>();
        match unbounded::known::<C>() {
            Some(kind) => open.offer(address, tag, what, || Some(kind)),
            None => open.mind(address, tag, what),
        }
    });
}

/// So is a key of it.
#[cfg_attr(
    not(any(
        feature = "crossbeam",
        feature = "dashmap",
        feature = "papaya",
        feature = "scc"
    )),
    expect(dead_code, reason = "only libraries have such maps")
)]
#[inline]
pub(crate) fn key<K: ?Sized, Q: ?Sized>(tag: &Tag, key: &Q) {
    with(|open| open.note(tag, made::kept_as::<K, Q>(key)));
}

/// A lock around a `T` is used.
#[inline]
pub(crate) fn lock<T: ?Sized>(address: *const (), tag: &Tag, lock: Lock) {
    with(|open| {
        let what = type_name::<T>();
        let known = contents(typeid::of::<T>());
        if known.is_some() || is_collection(what) {
            let kind = known.map(|known| Kind {
                types: (known.types)(),
                is_set: known.is_set,
                act: Act::Content(lock, known.act),
            });
            open.offer(address.addr(), tag, what, || kind);
        }
    });
}

/// Whether a type is a collection, by its name.
fn is_collection(name: &str) -> bool {
    let (path, _) = name.split_once('<').unwrap_or((name, ""));
    let last = path.rsplit("::").next().unwrap_or(path);
    ["HashMap", "BTreeMap", "HashSet", "BTreeSet"].contains(&last)
}

/// Somebody has it, and there is this inside.
#[inline]
pub(crate) fn locked<T: ?Sized>(tag: &Tag, content: &T) {
    with(|open| {
        let Some(known) = contents(typeid::of::<T>()) else {
            return;
        };
        let content = std::ptr::from_ref(content).cast();
        // SAFETY: the type was compared, and there is a guard.
        #[expect(unsafe_code, reason = "the type was compared")]
        let keys = unsafe { (known.keys)(content) };
        open.note(tag, keys);
    });
}

/// A map without locks gives out what is in it, which is a `T`. As long as somebody has
/// that, nobody knows where it ends; so what is behind a pointer may be part of it.
#[cfg(any(feature = "crossbeam", feature = "papaya"))]
#[inline]
pub(crate) fn lends<T>() {
    with(|open| {
        let me = current_thread();
        if !is_plain::<T>() && !open.lent.contains(&me) {
            open.lent.push(me);
        }
    });
}

/// A guard comes or goes.
#[inline]
pub(crate) fn guard(comes: bool) {
    with(|open| {
        let me = current_thread();
        let place = open.guards.iter().position(|(thread, _)| *thread == me);
        let place = place.unwrap_or_else(|| {
            open.guards.push((me, 0));
            open.guards.len() - 1
        });
        let guards = &mut open.guards[place].1;
        *guards = match comes {
            true => *guards + 1,
            false => guards.saturating_sub(1),
        };
    });
}
