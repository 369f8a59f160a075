//! Models that users give their types, as the engines want them.
//!
//! An engine knows a state by a value. Here that is the text of the state, for people,
//! and a number that tells states of the same text apart: it is 0 if `Debug` shows all
//! there is, and then a state has the same value in every process.

mod claims;
#[cfg(test)]
mod tests;

use std::any::{Any, TypeId, type_name};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use commute_explore::{Label, Model as Explored, Stepped};
use commute_record::Value;

use crate::model::{Called, Model};
use claims::Claims;

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

    /// What the model claims and is not so, if that was found out.
    fn objection(&self) -> Option<String>;
}

thread_local! {
    /// What models claimed and is not so.
    static OBJECTIONS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// What models of this thread's tests claimed and is not so.
pub(crate) fn objections() -> Vec<String> {
    OBJECTIONS.with_borrow(Clone::clone)
}

/// A model of somebody's own, as engines see it.
pub(crate) struct OwnModel<M> {
    name: &'static str,
    states: Mutex<States<M>>,
    /// Methods that return nothing.
    silent: Mutex<HashSet<&'static str>>,
    claims: Mutex<Claims>,
    objection: Mutex<Option<String>>,
}

struct States<M> {
    by_value: BTreeMap<Value, M>,
    by_text: HashMap<String, Vec<M>>,
}

impl<M: Model> States<M> {
    /// The value that a state is known by, another one for each state; and whether it is
    /// new.
    fn value(&mut self, state: M) -> (Value, bool) {
        let text = format!("{state:?}");
        let alike = self.by_text.entry(text.clone()).or_default();
        let number = alike.iter().position(|other| *other == state);
        let number = number.unwrap_or_else(|| {
            alike.push(state.clone());
            alike.len() - 1
        });
        let value = Value::tuple([Value::str(&text), number.into()]);
        let is_new = self.by_value.insert(value.clone(), state).is_none();
        (value, is_new)
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
                by_value: BTreeMap::new(),
                by_text: HashMap::new(),
            }),
            silent: Mutex::default(),
            claims: Mutex::default(),
            objection: Mutex::default(),
        }
    }

    fn object(&self, objection: String) {
        let mut known = lock(&self.objection);
        if known.is_none() {
            OBJECTIONS.with_borrow_mut(|all| all.push(objection.clone()));
            *known = Some(objection);
        }
    }

    /// The value that a state is known by.
    fn value(&self, state: M) -> Value {
        let (value, is_new) = lock(&self.states).value(state.clone());
        if is_new && let Some(objection) = lock(&self.claims).check(&state) {
            self.object(objection);
        }
        value
    }
}

impl<M: Model> Own for OwnModel<M> {
    fn returns_nothing(&self, method: &'static str) {
        lock(&self.silent).insert(method);
    }

    fn initial(&self) -> Value {
        self.value(M::default())
    }

    fn objection(&self) -> Option<String> {
        lock(&self.objection).clone()
    }
}

fn called(label: Label<'_>) -> Option<Called<'_>> {
    Some(Called {
        method: label.method,
        args: label.args,
        result: label.result?,
    })
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
            Ok(Some(result)) => result,
            Ok(None) => {
                if !M::waits(method) {
                    self.object(format!(
                        "the model says that `{method}` never waits, but it does"
                    ));
                }
                return None;
            }
            Err(payload) => {
                let text = Value::str(said(&*payload));
                let result = Value::tuple([Value::symbol(UNKNOWN), text]);
                return Some(Stepped::to(states[0].clone(), result));
            }
        };
        let after = self.value(state);
        if M::only_reads(method) && after != *states[0] {
            self.object(format!(
                "the model says that `{method}` changes nothing, but it does"
            ));
        }
        Some(Stepped::to(after, result))
    }

    fn only_reads(&self, method: &str, _args: &[Value], _result: &Value) -> bool {
        M::only_reads(method)
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

    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        let (Some(first), Some(second)) = (called(first), called(second)) else {
            return false;
        };
        if M::only_reads(first.method) && M::only_reads(second.method) {
            return true;
        }
        if !M::commute(&first, &second) {
            return false;
        }
        let states: Vec<M> = lock(&self.states).by_value.values().cloned().collect();
        let objection = lock(&self.claims).add(&first, &second, &states);
        let is_so = objection.is_none();
        if let Some(objection) = objection {
            self.object(objection);
        }
        is_so
    }
}

impl<M> fmt::Debug for OwnModel<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnModel").field(&self.name).finish()
    }
}
