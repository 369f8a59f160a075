//! Where collections are in an object, and what is known of them.

use super::kind::Kind;
use super::made::Sample;
use super::offered::word;

/// Where in an object something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Path {
    Inside(usize),
    /// So far behind where the pointer at `pointer` leads.
    Behind {
        pointer: usize,
        offset: usize,
    },
}

/// What is behind a pointer is that near.
pub(super) const NEAR: usize = 4096;

impl Path {
    /// Where it is in an object of this type, if it is still there.
    ///
    /// # Safety
    ///
    /// The path was found in an object of the same type.
    #[expect(
        unsafe_code,
        reason = "there is no other way into other people's types"
    )]
    pub(super) unsafe fn of<T>(self, object: &T) -> Option<*const ()> {
        let base = std::ptr::from_ref(object).cast::<u8>();
        // SAFETY: both are inside of the object, or of what it points to, as it did when
        // the collection was seen there.
        unsafe {
            match self {
                Path::Inside(offset) => Some(base.add(offset).cast()),
                Path::Behind { pointer, offset } => {
                    let to = base.add(pointer).cast::<*const u8>().read();
                    let first = word(pointer);
                    (first == Some(to.addr())).then(|| to.add(offset).cast())
                }
            }
        }
    }
}

/// A collection that was found.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) path: Path,
    pub(super) kind: Kind,
    /// What it is called where there are several.
    pub(super) word: &'static str,
    /// Keys that were used or seen in it.
    pub(super) keys: Vec<Sample>,
    /// Where its tag is in this run.
    pub(super) tag: usize,
    /// How far that is from where the collection is, and what it looks like.
    pub(super) tag_offset: usize,
    pub(super) origin: [usize; 2],
    /// Whether it was there before the method began.
    pub(super) is_certain: bool,
    /// What is to be said if it never was.
    pub(super) lost: String,
}

/// What was found so far.
#[derive(Clone, Default)]
pub(super) struct Finds {
    pub(super) found: Vec<Found>,
    /// What is there, but is not known yet, and what is to be said if it never is.
    unknown: Vec<(Path, String)>,
    /// What others cannot use, and why.
    pub(super) unusable: Vec<String>,
}

impl Finds {
    pub(super) fn cannot_be_used(&mut self, text: String) {
        if !self.unusable.contains(&text) {
            self.unusable.push(text);
        }
    }

    /// Unless it is found, too, it cannot be used.
    #[cfg(feature = "crossbeam")]
    pub(super) fn may_be_used(&mut self, path: Path, text: String) {
        if self.unknown.iter().all(|(known, _)| *known != path) {
            self.unknown.push((path, text));
        }
    }

    /// What is not known by now cannot be used.
    pub(super) fn give_up_unknown(&mut self) {
        for (path, text) in std::mem::take(&mut self.unknown) {
            if self.found.iter().all(|found| found.path != path) {
                self.cannot_be_used(text);
            }
        }
    }

    /// What was not there before the method began cannot be used.
    pub(super) fn keep_certain(&mut self) {
        let (certain, lost): (Vec<_>, Vec<_>) =
            { self.found.drain(..) }.partition(|found| found.is_certain);
        self.found = certain;
        lost.into_iter()
            .for_each(|found| self.cannot_be_used(found.lost));
    }
}
