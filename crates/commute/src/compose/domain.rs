//! The arguments that are tried.

pub mod derived;
mod nesting;
mod product;
mod std_types;

/// Values that come one after the other, made when they are asked for.
pub type Values<T> = Box<dyn Iterator<Item = T>>;

/// Types of which a few values stand for all.
///
/// Most code asks of a key or a name only whether it is the same one. So two values are
/// enough where there are too many to try them all, and everything that can be made of
/// them is tried.
///
/// | type | values |
/// |---|---|
/// | `bool`, `()`, `Ordering` | all |
/// | integers, `NonZero`, floats | 1 and 2 |
/// | `char`, strings, paths | `a` and `b` |
/// | `Duration`, `SystemTime` | 1 and 2 milliseconds, since 1970 |
/// | addresses | 127.0.0.1 and 127.0.0.2, ::1 and ::2; or one of each kind |
/// | `Option`, `Result`, tuples, arrays | all that their parts make |
/// | `Vec` and slices in a box | all of at most two elements |
/// | `Box`, `Rc`, `Arc`, `Reverse`, `Wrapping`, … | those of what is inside |
///
/// Zero is not among the integers: it is what memory starts with, and adding it does
/// nothing, so it would hide what is lost. Lists have two elements since that is what it
/// takes to lock in one order here and in the other one there.
///
/// # One's own types
///
/// A type of one's own derives its domain: every variant, with everything that its
/// fields can be.
///
/// ```
/// use commute::Domain;
///
/// #[derive(Domain, Clone, PartialEq, Debug)]
/// enum Job {
///     Load { key: u64, again: bool },
///     Stop,
/// }
///
/// assert_eq!(Job::count(), 5);
/// let first = Job::values().next();
/// assert_eq!(first, Some(Job::Load { key: 1, again: false }));
/// assert_eq!(Job::values().last(), Some(Job::Stop));
/// ```
///
/// Other values can be given for a type or for a field, and a variant can be left out.
///
/// ```
/// use commute::Domain;
/// use std::time::Instant;
///
/// #[derive(Domain, Clone, PartialEq, Debug)]
/// #[domain(values(Slot(0), Slot(31)))]
/// struct Slot(usize);
///
/// #[derive(Domain, Clone)]
/// enum Wait {
///     For(#[domain(values(0, 10))] u32),
///     #[domain(skip)]
///     Until(Instant),
/// }
///
/// assert!(Slot::values().eq([Slot(0), Slot(31)]));
/// assert_eq!(Wait::count(), 2);
/// ```
///
/// A type that contains itself, also by way of others, is cut: inside a value there may
/// be others of its type, but nothing of its type inside these. So a list has at most one
/// element, and a tree is a node with leaves at most.
///
/// ```
/// use commute::Domain;
///
/// #[derive(Domain, Clone, PartialEq, Debug)]
/// enum List {
///     Nil,
///     Cons(bool, Box<List>),
/// }
/// use List::{Cons, Nil};
///
/// let short = [Nil, Cons(false, Box::new(Nil)), Cons(true, Box::new(Nil))];
/// assert!(List::values().eq(short));
/// ```
///
/// For type parameters that are used in fields, the derived implementation asks for
/// `Domain`, too. A type with lifetimes has values where these are `'static`.
///
/// There is nothing to guess for some types, and for a union:
///
/// ```compile_fail,E0277
/// #[derive(commute::Domain, Clone)]
/// struct Job {
///     since: std::time::Instant,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(commute::Domain, Clone, Copy)]
/// union Bits {
///     number: u32,
///     float: f32,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing says which values of `{Self}` to try",
    label = "does not implement `commute::Domain`",
    note = "put `#[derive(commute::Domain)]` on a type of your own, or \
            `#[domain(values(…))]` on a field of a derived one"
)]
pub trait Domain: Clone + 'static {
    /// How many values there are; `u128::MAX` if there are more.
    fn count() -> u128;

    /// All of them, each once, in the same order every time. They are made when they are
    /// asked for, so the first few of very many cost no more than they are.
    ///
    /// What is in several values may be clones of one: do not rely on an `Arc` in them
    /// being the only one.
    fn values() -> Box<dyn Iterator<Item = Self>>;
}
