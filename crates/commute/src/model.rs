//! Models of one's own types.

use std::fmt::Debug;
use std::hash::Hash;

use crate::values::Value;

/// What a type does, for the exploration of tests: the state of an object, and what each
/// method does to it when nobody disturbs.
///
/// A type whose methods are marked with `#[commute::object(model = TYPE)]` has that model
/// in tests that `cargo commute test` explores: a call is one step, and what can come of
/// it in whatever order is found out with the model, without running the test. Without a
/// model a call tells who called before, so the order of any two calls counts, even if
/// nobody can notice it.
///
/// ```
/// use commute::sync::{Condvar, Mutex};
/// use commute::{Model, Value};
///
/// /// Lets people in until it is closed; whoever closes it can wait until all have left.
/// #[derive(Default)]
/// pub struct Gate {
///     inside: Mutex<(u32, bool)>,
///     empty: Condvar,
/// }
///
/// #[commute::object(model = Visitors)]
/// impl Gate {
///     pub fn enter(&self) -> bool {
///         let mut gate = self.inside.lock().unwrap();
///         gate.0 += u32::from(!gate.1);
///         !gate.1
///     }
///
///     pub fn leave(&self) {
///         self.inside.lock().unwrap().0 -= 1;
///         self.empty.notify_all();
///     }
///
///     pub fn close(&self) {
///         self.inside.lock().unwrap().1 = true;
///     }
///
///     pub fn wait(&self) {
///         let gate = self.inside.lock().unwrap();
///         drop(self.empty.wait_while(gate, |gate| gate.0 > 0));
///     }
/// }
///
/// #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
/// struct Visitors {
///     inside: u32,
///     closed: bool,
/// }
///
/// impl Model for Visitors {
///     fn step(&mut self, method: &str, _args: &[Value]) -> Option<Value> {
///         match method {
///             "enter" => {
///                 self.inside += u32::from(!self.closed);
///                 Some((!self.closed).into())
///             }
///             "leave" => {
///                 self.inside -= 1;
///                 Some(().into())
///             }
///             "close" => {
///                 self.closed = true;
///                 Some(().into())
///             }
///             "wait" => (self.inside == 0).then(|| ().into()),
///             _ => panic!("what does `{method}` do?"),
///         }
///     }
/// }
///
/// let gate = Gate::default();
/// assert!(gate.enter());
/// gate.close();
/// assert!(!gate.enter());
/// gate.leave();
/// gate.wait();
/// ```
///
/// The real object does the same, and what it returns is compared with what the model
/// says: a test whose model is wrong is inconclusive. Only what is returned can be
/// compared, so a mistake that no method shows is not found.
///
/// Arguments and results are [`Value`]s: numbers, truth values and strings as they are,
/// `None` as nil, your own types as their [`AsValue`](crate::AsValue) says, or else as
/// the text of their `Debug`. In a normal build there are no values and no models are
/// asked, so look into a value with its methods, not with patterns.
///
/// Whatever is named there must be a model:
///
/// ```compile_fail,E0277
/// struct Bell;
///
/// #[commute::object(model = u8)]
/// impl Bell {
///     pub fn ring(&self) {}
/// }
/// ```
///
/// An object begins in the state `TYPE::default()`. If there are several ways to begin,
/// make the model generic: `model = Ring<4>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "does not implement `commute::Model`",
    note = "`model = TYPE` names the type of the states: implement `commute::Model` for it"
)]
pub trait Model: Clone + Eq + Hash + Debug + Default + Send + 'static {
    /// What a call does to the state, and what it returns; `()` if nothing. None if it
    /// has to wait: then the state stays what it was.
    ///
    /// The same call in the same state must always do the same. A panic says that there
    /// is no such call; a test that makes it is inconclusive.
    fn step(&mut self, method: &str, args: &[Value]) -> Option<Value>;

    /// Whether a call may have to wait. To say which cannot saves time.
    fn waits(method: &str) -> bool {
        let _ = method;
        true
    }

    /// Whether a call never changes the state. To say so saves time.
    fn only_reads(method: &str) -> bool {
        let _ = method;
        false
    }

    /// Whether two calls of different threads with these results can be swapped:
    /// wherever `first` and right after it `second` is possible, the other order is, and
    /// ends in the same state. To say so saves time if there are many threads.
    ///
    /// This is checked in the states that are seen, as what [`waits`](Model::waits) and
    /// [`only_reads`](Model::only_reads) say is. If it is wrong in one, the test is
    /// inconclusive.
    fn commute(first: &Called<'_>, second: &Called<'_>) -> bool {
        let _ = (first, second);
        false
    }
}

/// A call of a method, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Called<'a> {
    /// The method.
    pub method: &'a str,
    /// Its arguments.
    pub args: &'a [Value],
    /// What it returned; `()` if nothing.
    pub result: &'a Value,
}
