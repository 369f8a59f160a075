//! Values of types that are known only when a program runs.
//!
//! A map that a method uses has keys and values of any type, and adds no bounds. What can
//! be made is known by its type: integers, strings and the like, and what any check has
//! for an argument.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::mem::MaybeUninit;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use commute_record::{Raw, value_of};

use super::domain::Domain;
use super::table::{Deed, Table};

/// A type of which values can be made. Pointers that its functions get are to values of
/// the type, or to room for one.
#[derive(Clone, Copy)]
struct Made {
    values: fn() -> Vec<Sample>,
    copy: unsafe fn(*const (), *mut ()),
    /// Not of types with lifetimes, nor of those that may have some.
    keep: Option<Keep>,
    show: unsafe fn(*const ()) -> String,
}

type Keep = unsafe fn(*const ()) -> Rc<dyn Any>;

/// A value of such a type.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    value: Rc<dyn Any>,
    of: TypeId,
    copy: unsafe fn(*const (), *mut ()),
    pub(super) shown: String,
}

/// Of the whole process: a check is made by one thread and run by another.
static MADE: RwLock<BTreeMap<TypeId, Made>> = RwLock::new(BTreeMap::new());
static USUAL: LazyLock<BTreeMap<TypeId, Made>> = LazyLock::new(usual);

/// What is known of a type.
fn made(of: TypeId) -> Option<Made> {
    let made = MADE.read().unwrap_or_else(PoisonError::into_inner);
    made.get(&of).or_else(|| USUAL.get(&of)).copied()
}

/// Types that everybody has.
fn usual() -> BTreeMap<TypeId, Made> {
    let mut made = BTreeMap::new();
    macro_rules! usual {
        ($($kind:ty),*) => {
            $(made.insert(typeid::of::<$kind>(), Made {
                keep: Some(keep::<$kind>),
                ..Made::of::<$kind>()
            });)*
        };
    }
    usual!((), bool, char, String, Arc<str>, Box<str>);
    usual!(
        u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64
    );
    made.insert(
        typeid::of::<&'static str>(),
        Made {
            keep: Some(keep_text),
            ..Made::of::<&'static str>()
        },
    );
    made
}

/// Makes values of this type known, from here on.
pub(super) fn register<T: Domain + Debug>() {
    let of = typeid::of::<T>();
    if !USUAL.contains_key(&of) {
        let mut made = MADE.write().unwrap_or_else(PoisonError::into_inner);
        made.insert(of, Made::of::<T>());
    }
}

/// Values of a type, if they can be made.
pub(super) fn samples(of: TypeId) -> Option<Vec<Sample>> {
    made(of).map(|made| (made.values)())
}

/// What `Debug` says of a value, if that is known.
pub(crate) fn debugged<T: ?Sized>(value: &T) -> Option<String> {
    let made = made(typeid::of::<T>())?;
    // SAFETY: the type was compared, and the value lives.
    #[expect(unsafe_code, reason = "the type was compared")]
    Some(unsafe { (made.show)(std::ptr::from_ref(value).cast()) })
}

/// A value as people see it. What is not known is as good as any other.
pub(super) fn shown<T>(value: &T) -> String {
    if let Some(text) = debugged(value) {
        return text;
    }
    match value_of(value) {
        Raw::Opaque => "…".to_owned(),
        value => value.to_value().to_string(),
    }
}

/// A copy of a value, if it is of a usual type.
pub(super) fn kept<T: ?Sized>(value: &T) -> Option<Sample> {
    let made = made(typeid::of::<T>())?;
    let keep = made.keep?;
    let pointer = std::ptr::from_ref(value).cast();
    // SAFETY: the type was compared, and the value lives.
    #[expect(unsafe_code, reason = "the type was compared")]
    let (value, shown) = unsafe { (keep(pointer), (made.show)(pointer)) };
    Some(Sample {
        value,
        of: typeid::of::<T>(),
        copy: made.copy,
        shown,
    })
}

/// The same of something that a key is looked up by: a text may stand for one.
pub(super) fn kept_as<K: ?Sized, Q: ?Sized>(key: &Q) -> Option<Sample> {
    let Raw::Str(text) = value_of(key) else {
        return kept(key).filter(|kept| kept.of == typeid::of::<K>());
    };
    macro_rules! one_of {
        ($($kind:ty),*) => {
            $(if typeid::of::<K>() == typeid::of::<$kind>() {
                return kept::<$kind>(&text.into());
            })*
        };
    }
    one_of!(String, &str, Arc<str>, Box<str>);
    None
}

/// Does something to a table.
pub(super) fn act<K, V>(
    table: &dyn Table<K, V>,
    deed: &Deed<Sample, Sample>,
    is_set: bool,
) -> String {
    match deed.try_map(Sample::make, Sample::make) {
        Some(deed) => deed.act(table, is_set, &shown),
        // Whoever has a deed has made it of values of these types.
        None => "this cannot be done".to_owned(),
    }
}

impl Made {
    fn of<T: Domain + Debug>() -> Made {
        Made {
            values: || {
                { T::values() }
                    .map(|value| Sample {
                        shown: format!("{value:?}"),
                        value: Rc::new(value),
                        of: typeid::of::<T>(),
                        copy: copy::<T>,
                    })
                    .collect()
            },
            copy: copy::<T>,
            keep: None,
            show: show::<T>,
        }
    }
}

/// # Safety
///
/// One is a value, the other room for one.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn copy<T: Clone>(from: *const (), to: *mut ()) {
    // SAFETY: as the caller says.
    unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) }
}

/// # Safety
///
/// It is a value.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn keep<T: Clone + 'static>(value: *const ()) -> Rc<dyn Any> {
    // SAFETY: as the caller says.
    Rc::new(unsafe { (*value.cast::<T>()).clone() })
}

/// The same of a text that may not live for long.
///
/// # Safety
///
/// It is a text.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn keep_text(value: *const ()) -> Rc<dyn Any> {
    thread_local! {
        static KEPT: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
    }
    // SAFETY: as the caller says.
    let text = unsafe { *value.cast::<&str>() };
    Rc::new(KEPT.with_borrow_mut(|kept| {
        if let Some(known) = kept.get(text) {
            return *known;
        }
        // A few, as many as a method has names for keys.
        let text: &'static str = Box::leak(text.into());
        kept.insert(text);
        text
    }))
}

/// # Safety
///
/// It is a value.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn show<T: Debug>(value: *const ()) -> String {
    // SAFETY: as the caller says.
    format!("{:?}", unsafe { &*value.cast::<T>() })
}

impl Sample {
    /// The value, if it is a `T`.
    pub(super) fn make<T>(&self) -> Option<T> {
        if typeid::of::<T>() != self.of {
            return None;
        }
        let mut made = MaybeUninit::<T>::uninit();
        let from: *const dyn Any = &raw const *self.value;
        // SAFETY: it is a `T`, but for lifetimes, which are longer than any.
        #[expect(unsafe_code, reason = "the type was compared")]
        unsafe {
            (self.copy)(from.cast(), made.as_mut_ptr().cast());
            Some(made.assume_init())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_made_of_types_that_are_known() {
        let texts = samples(typeid::of::<String>()).unwrap();
        assert_eq!(texts[0].make::<String>().as_deref(), Some("a"));
        assert_eq!(texts[0].make::<u8>(), None);
        assert_eq!(texts[0].shown, "\"a\"");
        let kept = kept(&7_u32).unwrap();
        assert_eq!((kept.make::<u32>(), &*kept.shown), (Some(7), "7"));
        struct Unknown;
        assert!(samples(typeid::of::<Unknown>()).is_none());
        assert_eq!(shown(&Unknown), "…");
        assert_eq!(shown(&Some(1)), "…");
        register::<Option<i32>>();
        assert_eq!(shown(&Some(1)), "Some(1)");
    }
}
