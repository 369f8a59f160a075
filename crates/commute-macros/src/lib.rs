//! The attributes of the crate `commute`. Use them from there.
//!
//! What they write is the same in every build: calls into `commute`, which do
//! nothing unless it is built with `--cfg commute`.

mod atomic;
mod composed;
mod domain;
mod object;
mod test;

use proc_macro::TokenStream;

/// Marks a function whose calls should be atomic: as if nothing else happened
/// meanwhile. Checked, not enforced.
///
/// ```ignore
/// #[commute::atomic]
/// fn transfer(from: &Account, to: &Account, amount: u64) { … }
///
/// #[commute::atomic("transfer money")]
/// fn transfer(from: &Account, to: &Account, amount: u64) { … }
/// ```
#[proc_macro_attribute]
pub fn atomic(arguments: TokenStream, item: TokenStream) -> TokenStream {
    atomic::expand(arguments.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Makes the public methods of a type that have `&self` or `&mut self` actions of a
/// specification: of one that comes along (`spec = "map"`), or of a file, whose name is
/// that of the type in it.
///
/// ```ignore
/// struct Ledger { accounts: Mutex<Vec<i64>>, identity: commute::Identity }
///
/// #[commute::object(spec = "specs/ledger.ecl", identity = identity)]
/// impl Ledger {
///     pub fn deposit(&self, account: u32, amount: i64) -> i64 { … }
/// }
/// ```
///
/// Without `identity = FIELD` an object is known by its address: one that moves is
/// another one then, and one that is where another was is the same one.
///
/// `model = TYPE` gives the type a model of your own for tests that are explored: a type
/// that implements `commute::Model`. It comes before the model of a specification, and
/// there need not be one then.
///
/// ```ignore
/// #[commute::object(model = Visitors)]
/// impl Gate {
///     pub fn enter(&self) -> bool { … }
/// }
/// ```
#[proc_macro_attribute]
pub fn object(arguments: TokenStream, item: TokenStream) -> TokenStream {
    object::expand(arguments.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Marks a test whose threads are explored by `cargo commute test`: every outcome that
/// their steps can have, in whatever order. `cargo test` runs it once, as any other test;
/// its name there has `::commute` at its end.
///
/// ```ignore
/// #[commute::test]
/// fn both_are_counted() {
///     let total = Arc::new(AtomicU32::new(0));
///     …
/// }
/// ```
///
/// The function may return `Result<(), E>`, and may be `async`. With
/// `#[commute::test(explored_only)]` plain `cargo test` does not run its body: for tests
/// that fail, or get stuck, on purpose.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    test::expand(arguments.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Makes a function a test that checks whether it is atomic, as a method of its first
/// parameter, while other threads call it, too: see `commute::compose`.
///
/// ```ignore
/// #[commute::composed]
/// fn opened_once(sessions: &Sessions, user: String) -> u32 {
///     sessions.open(user)
/// }
///
/// #[commute::composed(
///     new = || Sessions::with_room(2),
///     collection = |sessions| &sessions.0,
///     environment = Environment::open().without("remove"),
///     steps = 3
/// )]
/// fn opened_in_a_full_house(sessions: &Sessions, user: String) -> u32 { … }
/// ```
///
/// Without `new` the object is the default of its type.
#[proc_macro_attribute]
pub fn composed(arguments: TokenStream, item: TokenStream) -> TokenStream {
    composed::expand(arguments.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Derives `commute::Domain`: the values of every variant are everything that its fields
/// can be.
///
/// ```ignore
/// #[derive(commute::Domain, Clone)]
/// enum Job {
///     Load { key: u64, #[domain(values(0, 10))] priority: u8 },
///     Stop,
///     #[domain(skip)]
///     Wait(Instant),
/// }
/// ```
///
/// `#[domain(values(…))]` gives the values of a type or of a field by hand, at least one
/// and each once. `#[domain(skip)]` leaves a variant out.
#[proc_macro_derive(Domain, attributes(domain))]
pub fn domain(item: TokenStream) -> TokenStream {
    domain::expand(item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
