//! Models that users give their types, as the engines want them.
//!
//! An engine knows a state by a value. Here that is the text of the state, for people,
//! and a number that tells states of the same text apart: it is 0 if `Debug` shows all
//! there is, and then a state has the same value in every process.

use std::any::{Any, TypeId, type_name};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use commute_explore::{Model as Explored, Stepped};
use commute_record::Value;

use crate::model::Model;

/// In place of a result: the model does not know the call.
const UNKNOWN: &str = "unknown";

/// What a model says that panicked, if that is it.
pub(crate) fn unknown(result: &Value) -> Option<&str> {
    match result.as_tuple()? {
        [Value::Symbol(word), Value::Str(text)] if **word == *UNKNOWN => Some(text),
        _ => None,
    }
}

/// A model of somebody's own, whatever its type.
pub(crate) trait Own: Explored {
    /// The method returns nothing, in Rust.
    fn returns_nothing(&self, method: &'static str);

    /// The state of a new object.
    fn initial(&self) -> Value;
}

/// A model of somebody's own, as engines see it.
pub(crate) struct OwnModel<M> {
    name: &'static str,
    states: Mutex<States<M>>,
    /// Own that return nothing.
    silent: Mutex<HashSet<&'static str>>,
}

struct States<M> {
    by_value: HashMap<Value, M>,
    by_text: HashMap<String, Vec<M>>,
}

impl<M: Model> States<M> {
    /// The value that a state is known by: another one for each state.
    fn value(&mut self, state: M) -> Value {
        let text = format!("{state:?}");
        let alike = self.by_text.entry(text.clone()).or_default();
        let number = alike.iter().position(|other| *other == state);
        let number = number.unwrap_or_else(|| {
            alike.push(state.clone());
            alike.len() - 1
        });
        let value = Value::tuple([Value::str(&text), number.into()]);
        self.by_value.entry(value.clone()).or_insert(state);
        value
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The model of a type of this name. All its objects have the same.
pub(crate) fn own_model<M: Model>(of: &'static str) -> Arc<dyn Own> {
    type Models = HashMap<(TypeId, &'static str), Arc<dyn Any + Send + Sync>>;
    thread_local! {
        static KNOWN: RefCell<Models> = RefCell::default();
    }
    let make = || -> Arc<dyn Any + Send + Sync> { Arc::new(OwnModel::<M>::new()) };
    let known = KNOWN.with_borrow_mut(|known| {
        let model = known.entry((TypeId::of::<M>(), of)).or_insert_with(make);
        Arc::clone(model)
    });
    match known.downcast::<OwnModel<M>>() {
        Ok(model) => model,
        Err(_) => unreachable!("it is known by its type"),
    }
}

impl<M: Model> OwnModel<M> {
    fn new() -> OwnModel<M> {
        // Without the path of the type, and with its parameters.
        let name = type_name::<M>();
        let path = name.split('<').next().unwrap_or(name);
        let begins = path.rfind("::").map_or(0, |end| end + 2);
        OwnModel {
            name: &name[begins..],
            states: Mutex::new(States {
                by_value: HashMap::new(),
                by_text: HashMap::new(),
            }),
            silent: Mutex::default(),
        }
    }
}

impl<M: Model> Own for OwnModel<M> {
    fn returns_nothing(&self, method: &'static str) {
        lock(&self.silent).insert(method);
    }

    fn initial(&self) -> Value {
        lock(&self.states).value(M::default())
    }
}

/// What a panic said.
fn said(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked")
}

impl<M: Model> Explored for OwnModel<M> {
    fn name(&self) -> &str {
        self.name
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let before = lock(&self.states).by_value.get(states[0]).cloned();
        let mut state = before.expect("only we give names to states");
        // The program's code: nothing of ours is locked meanwhile.
        let stepped = catch_unwind(AssertUnwindSafe(|| state.step(method, args)));
        let result = match stepped {
            Ok(result) => result?,
            Err(payload) => {
                let text = Value::str(said(&*payload));
                let result = Value::tuple([Value::symbol(UNKNOWN), text]);
                return Some(Stepped::to(states[0].clone(), result));
            }
        };
        Some(Stepped::to(lock(&self.states).value(state), result))
    }

    fn is_specified(&self) -> bool {
        true
    }

    fn returns(&self, method: &str) -> bool {
        !lock(&self.silent).contains(method)
    }

    fn waits(&self, method: &str) -> bool {
        M::waits(method)
    }
}

impl<M> fmt::Debug for OwnModel<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnModel").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numbers, of which it shows one.
    #[derive(Clone, PartialEq, Eq, Hash, Default)]
    struct Reticent(u8, u8);

    impl fmt::Debug for Reticent {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", self.0)
        }
    }

    impl Model for Reticent {
        fn step(&mut self, method: &str, args: &[Value]) -> Option<Value> {
            match (method, args) {
                ("hide", [n]) => self.1 = u8::try_from(n.as_int()?).ok()?,
                ("find", []) => return Some(self.1.into()),
                _ => panic!("no `{method}`"),
            }
            Some(().into())
        }
    }

    #[test]
    fn states_that_look_alike_are_told_apart() {
        let model = own_model::<Reticent>("safe");
        assert_eq!(model.name(), "Reticent");
        let initial = model.initial();
        let step = |state: &Value, method: &str, args: &[Value]| {
            let stepped = model.step(&[state], method, args)?;
            Some((stepped.states[0].clone(), stepped.result))
        };
        let (hidden, nothing) = step(&initial, "hide", &[7.into()]).unwrap();
        assert_eq!(nothing, Value::unit());
        assert_ne!(hidden, initial);
        assert_eq!(
            hidden.as_tuple().unwrap()[0],
            initial.as_tuple().unwrap()[0]
        );
        assert_eq!(step(&hidden, "find", &[]), Some((hidden.clone(), 7.into())));
        assert_eq!(step(&hidden, "hide", &[0.into()]).unwrap().0, initial);
        // It waits, and nothing has changed.
        assert_eq!(step(&hidden, "hide", &[Value::Nil]), None);
        let (same, said) = step(&hidden, "seek", &[]).unwrap();
        assert_eq!((same, unknown(&said)), (hidden, Some("no `seek`")));
    }

    #[test]
    fn what_returns_nothing_is_known_by_its_name() {
        let model = own_model::<Reticent>("safe");
        assert!(model.returns("drop"));
        model.returns_nothing("drop");
        assert!(!own_model::<Reticent>("safe").returns("drop"));
        assert!(own_model::<Reticent>("vault").returns("drop"));
    }
}
