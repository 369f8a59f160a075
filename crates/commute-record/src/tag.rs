//! What an instrumented object carries.

use std::panic::Location;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::local::Order;
use crate::operations;
use crate::registry::{Info, Kind, Sort, registry};

/// The identity of an instrumented object, and how many operations it had.
///
/// The count makes the order of its operations known: whoever performs one takes
/// the next number while the operation is not over for anybody else.
#[derive(Debug)]
pub struct Tag {
    /// A number, 0 until the first operation that is recorded, and the count.
    ///
    /// Where a test is explored nothing is recorded, and whoever explores it has its
    /// own use for the two.
    numbers: [AtomicU32; 2],
    /// `None` in memory that is all zeros, which may become an atomic.
    kind: Option<&'static Kind>,
    created: Option<&'static Location<'static>>,
}

/// Of atomics that nobody made.
static ATOMIC: Kind = Kind::ATOMIC;

impl Tag {
    /// For an object created by the caller's caller.
    #[track_caller]
    pub const fn new(kind: &'static Kind) -> Tag {
        Tag::made_at(kind, Location::caller())
    }

    /// For an object created there.
    pub const fn made_at(kind: &'static Kind, created: &'static Location<'static>) -> Tag {
        Tag {
            numbers: [AtomicU32::new(0), AtomicU32::new(0)],
            kind: Some(kind),
            created: Some(created),
        }
    }

    /// Names the object in reports. Best before it is first used.
    pub fn name(&self, name: &str) {
        if !crate::is_on() {
            return;
        }
        operations::name(self, name);
    }

    /// Says which number the parameter of its specification stands for: a barrier of two
    /// parties has the type `barrier(2)`. To be called before its first operation.
    #[inline]
    pub fn parameter(&self, argument: u64) {
        if crate::is_on() && self.known().is_none() {
            operations::introduce(self, None, argument);
        }
    }

    /// Names the object, and says which number the parameter of its specification stands
    /// for. Best before it is first used.
    pub fn name_with_parameter(&self, name: &str, argument: u64) {
        if !crate::is_on() {
            return;
        }
        match self.known() {
            Some(_) => operations::name(self, name),
            None => operations::introduce(self, Some(name), argument),
        }
    }

    /// Where it was created; here, if it was not.
    pub fn created(&self) -> &'static Location<'static> {
        self.created.unwrap_or(const { Location::caller() })
    }

    /// Where it was created, if that is a place that tells somebody something.
    pub fn birthplace(&self) -> Option<&'static Location<'static>> {
        self.created.filter(|at| is_the_programs(at.file()))
    }

    #[inline(always)]
    fn number(&self) -> &AtomicU32 {
        &self.numbers[0]
    }

    #[inline(always)]
    fn count(&self) -> &AtomicU32 {
        &self.numbers[1]
    }

    /// What kind of object it is and where it was made, as numbers that differ from
    /// program to program.
    pub fn origin(&self) -> [usize; 2] {
        [
            self.kind.map_or(0, |kind| std::ptr::from_ref(kind).addr()),
            self.created.map_or(0, |at| std::ptr::from_ref(at).addr()),
        ]
    }

    /// If a copy of memory may be of a tag of this origin that is not gone: the first
    /// number of its [mark](Tag::mark).
    pub fn copied(copy: &[u8; size_of::<Tag>()], origin: [usize; 2]) -> Option<u32> {
        let word = |offset: usize| {
            copy[offset..]
                .first_chunk()
                .map(|c| usize::from_ne_bytes(*c))
        };
        let found = [
            word(std::mem::offset_of!(Tag, kind))?,
            word(std::mem::offset_of!(Tag, created))?,
        ];
        let number = copy[std::mem::offset_of!(Tag, numbers)..].first_chunk()?;
        (found == origin).then(|| u32::from_ne_bytes(*number))
    }

    /// For whoever explores a test.
    #[inline(always)]
    pub fn mark(&self) -> &[AtomicU32; 2] {
        &self.numbers
    }

    /// What it is called in names that nobody gave.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }

    fn kind(&self) -> &'static Kind {
        self.kind.unwrap_or(&ATOMIC)
    }

    pub(crate) fn sort(&self) -> Sort {
        self.kind().sort()
    }

    /// Its number, if it has one.
    #[inline(always)]
    pub(crate) fn known(&self) -> Option<u32> {
        match self.number().load(Acquire) {
            0 => None,
            number => Some(number),
        }
    }

    /// Gives it a number; whether that was still to be done. An object with a
    /// specification then has had one operation: its creation.
    #[cold]
    pub(crate) fn register(&self, name: Option<&str>, argument: Option<u64>) -> (u32, bool) {
        let mut registry = registry();
        if let Some(number) = self.known() {
            return (number, false);
        }
        let number = registry.add(Info {
            kind: self.kind(),
            created: self.birthplace(),
            name: name.map(Into::into),
            argument,
        });
        if let Sort::Object(_) = self.sort() {
            self.count().store(1, Relaxed);
        }
        self.number().store(number, Release);
        (number, true)
    }

    /// The number of the next operation.
    #[inline(always)]
    pub(crate) fn next(&self, order: Order) -> u32 {
        match order {
            Order::Alone => {
                let next = self.count().load(Relaxed).wrapping_add(1);
                self.count().store(next, Relaxed);
                next
            }
            Order::AmongOthers => self.count().fetch_add(1, Relaxed).wrapping_add(1),
        }
    }
}

impl Tag {
    /// The object is gone, although its memory may not be yet.
    pub fn end(&self) {
        if self.known().is_some() && crate::mode::records_ends() {
            operations::dropped(self);
            self.number().store(0, Relaxed);
        }
    }
}

/// The object is gone.
impl Drop for Tag {
    fn drop(&mut self) {
        self.end();
        // Whoever finds the memory later is not to take it for an object.
        // SAFETY: a field of ours.
        #[expect(unsafe_code, reason = "nobody reads it any more, but for that")]
        unsafe {
            std::ptr::write_volatile(&raw mut self.created, None);
        }
    }
}

/// Whether code of the program is there. What std's generic code makes
/// (`Arc::default()`) has std for a caller, and a function that is called by its path
/// has none: then it is where the function is, in the library.
fn is_the_programs(file: &str) -> bool {
    let of_std = file.starts_with("/rustc/") || file.contains("/lib/rustlib/src/rust/library/");
    // The library is beside us, with or without a version in its path.
    let (beside, us) = file!().rsplit_once("commute-record").unwrap_or_default();
    let (version, _) = us.split_once(std::path::is_separator).unwrap_or_default();
    let ours = file.strip_prefix(beside).is_some_and(|path| {
        let rest = path.strip_prefix("commute");
        let rest = rest.and_then(|rest| rest.strip_prefix(version));
        let rest = rest.and_then(|rest| rest.strip_prefix(std::path::is_separator));
        rest.is_some_and(|rest| rest.starts_with("src"))
    });
    !of_std && !ours
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_zeros_is_the_tag_of_an_atomic() {
        // SAFETY: integers, and references that may be absent.
        #[expect(unsafe_code, reason = "what is to be tested")]
        let tag: Tag = unsafe { std::mem::zeroed() };
        assert_eq!(tag.sort(), Sort::Object("atomic"));
        assert_eq!(tag.birthplace(), None);
        assert!(tag.created().file().ends_with("tag.rs"));
    }

    #[test]
    fn an_origin_is_known_by_its_bytes() {
        static KIND: Kind = Kind::ATOMIC;
        let (one, other) = (Tag::new(&ATOMIC), Tag::new(&KIND));
        let copy = |tag: &Tag| {
            // SAFETY: a tag has so many bytes, and no padding.
            #[expect(unsafe_code, reason = "what is to be tested")]
            unsafe {
                std::ptr::from_ref(tag)
                    .cast::<[u8; size_of::<Tag>()]>()
                    .read()
            }
        };
        one.number().store(7, Relaxed);
        assert_eq!(Tag::copied(&copy(&one), one.origin()), Some(7));
        assert_eq!(Tag::copied(&copy(&other), one.origin()), None);
        assert_eq!(Tag::copied(&[0; size_of::<Tag>()], one.origin()), None);
    }

    #[test]
    fn std_and_the_library_are_no_birthplaces() {
        let beside = file!().rsplit_once("commute-record").unwrap().0;
        for (file, expected) in [
            ("src/main.rs", true),
            ("/home/me/rustc/src/main.rs", true),
            ("/rustc/59807616e/library/core/src/default.rs", false),
            (
                "/t/stable/lib/rustlib/src/rust/library/alloc/src/sync.rs",
                false,
            ),
            (&format!("{beside}commute/src/sync/mutex.rs"), false),
            (&format!("{beside}commute/tests/client/mutex.rs"), true),
            (&format!("{beside}commute-record/src/tag.rs"), true),
        ] {
            assert_eq!(is_the_programs(file), expected, "{file}");
        }
    }
}
