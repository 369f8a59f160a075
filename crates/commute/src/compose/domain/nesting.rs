//! Types that contain themselves.
//!
//! `enum List { Nil, Cons(Box<List>) }` has no end of values. A derived type therefore
//! notes that it is being enumerated while its fields are, and one that finds itself
//! noted twice has no values there. Whatever has values at all has some that stay below
//! this: in a smallest one, no type is inside itself.
//!
//! The note belongs to the thread and is not an argument, so that types in between,
//! which may be anybody's, need not hand it on.

use std::any::TypeId;
use std::cell::RefCell;
use std::rc::Rc;

use super::Values;

/// How often a type may be on the way to one of its own values: as what is enumerated,
/// and once more inside.
const MOST: usize = 2;

/// Derived types whose fields are being enumerated, outermost first.
type Outer = Rc<[TypeId]>;

thread_local! {
    static OUTER: RefCell<Outer> = RefCell::new(Rc::new([]));
}

/// What is outside the fields of `T` here; nothing if it would be there too often.
fn around_fields_of<T: 'static>() -> Option<Outer> {
    let own = TypeId::of::<T>();
    let outer = OUTER.with_borrow(Rc::clone);
    let times = outer.iter().filter(|&&other| other == own).count();
    (times < MOST).then(|| outer.iter().copied().chain([own]).collect())
}

/// Calls a function with this outside.
fn inside<R>(outer: &Outer, call: impl FnOnce() -> R) -> R {
    struct PutBack(Outer);
    impl Drop for PutBack {
        fn drop(&mut self) {
            OUTER.with_borrow_mut(|outer| std::mem::swap(outer, &mut self.0));
        }
    }
    // The values given by hand may panic.
    let _put_back = PutBack(OUTER.replace(Rc::clone(outer)));
    call()
}

/// The number of values of a derived type.
pub fn count<T: 'static>(of_fields: impl FnOnce() -> u128) -> u128 {
    around_fields_of::<T>().map_or(0, |outer| inside(&outer, of_fields))
}

/// The values of a derived type, variant by variant.
pub fn values<T: 'static, const N: usize>(variants: [fn() -> Values<T>; N]) -> Values<T> {
    let Some(outer) = around_fields_of::<T>() else {
        return Box::new(std::iter::empty());
    };
    let mut values = variants.into_iter().flat_map(|variant| variant());
    // Fields are asked for their values whenever one of them starts again.
    Box::new(std::iter::from_fn(move || inside(&outer, || values.next())))
}
