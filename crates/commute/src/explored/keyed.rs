//! Maps and sets whose entries are given out under guards.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

use commute_explore::models::{Keyed, Values};
use commute_explore::runtime::{Arg, Call, First, Object, local, misuse, post, remark, visit};
use commute_record::{Tag, Value, has_picture, value_of};

use super::{first, key_names};
use crate::compose::{offered, others};

type At = &'static Location<'static>;

const NOT_ATOMIC: &str = "`len` and `is_empty` of maps with shards or buckets are explored as \
                          if they looked at all of them at once";
const ANOTHER_KEY: &str = "a thread uses a map while it has a guard of another key: where both \
                           are in one shard or bucket, it waits for itself for ever";

/// A map or a set, for its model.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'a, 'c> {
    pub(crate) tag: &'a Tag,
    pub(crate) at: At,
    pub(crate) values: Values,
    /// What is in it when it is first used.
    pub(crate) content: &'c dyn Fn() -> Vec<(Value, Value)>,
}

/// What a thread finds that wants a guard.
pub(crate) enum Found<'a> {
    /// This is no step: the real map decides.
    Through,
    /// A guard of somebody else.
    Locked,
    /// Nothing, and no guard.
    Nothing,
    /// A place for an entry, and a guard.
    Vacant(Hold<'a>),
    /// An entry, under a guard.
    Entry(Hold<'a>),
}

impl<'a> Steps<'a, '_> {
    /// Does a step; what its model says, if it is one.
    pub(crate) fn ask(&self, method: &'static str, args: &[Arg]) -> Option<Value> {
        if matches!(
            method,
            "len" | "is_empty" | "len_at_once" | "is_empty_at_once"
        ) && !others::is_others()
        {
            remark(NOT_ATOMIC);
        }
        let model = Keyed {
            values: self.values,
        };
        let is = || first(self.tag, model, Keyed::initial((self.content)()));
        let objects = [Object {
            mark: self.tag.mark(),
            first: &is,
        }];
        visit(&Call::new(&objects, method, args, self.at), Value::clone)
    }

    /// The same, of one key.
    pub(crate) fn ask_of(&self, method: &'static str, key: &Value, more: &[Arg]) -> Option<Value> {
        self.mind_others(key);
        let mut args = vec![Arg::Value(key.clone())];
        args.extend_from_slice(more);
        self.ask(method, &args)
    }

    /// Asks for a guard of a key.
    pub(crate) fn take(&self, method: &'static str, key: &Value) -> Found<'a> {
        self.mind_others(key);
        let said = self.ask(method, &[Arg::Me, Arg::Value(key.clone())]);
        let is_entry = method.ends_with("entry");
        match said {
            None => Found::Through,
            Some(said) if said == Keyed::locked() => Found::Locked,
            Some(Value::Nil) if is_entry => Found::Vacant(self.hold(key.clone())),
            Some(Value::Nil) => Found::Nothing,
            Some(_) => Found::Entry(self.hold(key.clone())),
        }
    }

    /// Asks for a guard of the next key: `next` or `next_mut`. The first is none if this is
    /// no step, the second if there is no such key.
    pub(crate) fn next(
        &self,
        method: &'static str,
        after: Option<&Value>,
    ) -> Option<Option<Hold<'a>>> {
        let after = Value::tuple(after.cloned());
        let said = self.ask(method, &[Arg::Me, Arg::Value(after)])?;
        let key = said.as_tuple().and_then(|entry| entry.first());
        Some(key.map(|key| self.hold(key.clone())))
    }

    fn hold(&self, key: Value) -> Hold<'a> {
        held(|held| held.push((std::ptr::from_ref(self.tag), key.clone())));
        offered::guard(true);
        Hold {
            tag: self.tag,
            at: self.at,
            key,
            left: Mutex::new(Left::Same),
        }
    }

    /// Locks of real maps are for many keys.
    fn mind_others(&self, key: &Value) {
        let is_other = |(tag, other): &(*const Tag, Value)| {
            std::ptr::eq(*tag, std::ptr::from_ref(self.tag)) && other != key
        };
        if held(|held| held.iter().any(is_other)) {
            remark(ANOTHER_KEY);
        }
    }
}

type Keys = Vec<(*const Tag, Value)>;

/// The keys of which this thread has guards.
fn held<R: Default>(f: impl FnOnce(&mut Keys) -> R) -> R {
    static KEY: u8 = 0;
    let key = std::ptr::from_ref(&KEY).addr();
    let held = local(key, || RefCell::new(Keys::new()));
    held.map_or_else(R::default, |held| f(&mut held.borrow_mut()))
}

/// What a guard leaves behind.
enum Left {
    /// What it found.
    Same,
    /// This.
    Value(Arg),
    /// Nothing.
    Nothing,
}

/// A guard, for the model. It is given back when this goes.
pub(crate) struct Hold<'a> {
    tag: &'a Tag,
    at: At,
    key: Value,
    left: Mutex<Left>,
}

impl Hold<'_> {
    /// What the model calls the key.
    pub(crate) fn key(&self) -> &Value {
        &self.key
    }

    /// This will be left behind.
    pub(crate) fn leave<V>(&self, value: &V) {
        self.leaves(Left::Value(picture(value)));
    }

    /// Nothing will be left behind.
    pub(crate) fn remove(&self) {
        self.leaves(Left::Nothing);
    }

    fn leaves(&self, left: Left) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = left;
    }

    /// This is there from now on, for those who count without waiting.
    #[cfg(feature = "scc")]
    pub(crate) fn set<V>(&self, value: &V) {
        let key = Arg::Value(self.key.clone());
        self.tell("set", &[Arg::Me, key, picture(value)]);
    }

    /// Nothing is there from now on, and will be left behind.
    #[cfg(feature = "scc")]
    pub(crate) fn unset(&self) {
        self.tell("unset", &[Arg::Me, Arg::Value(self.key.clone())]);
        self.leaves(Left::Same);
    }

    /// Others may look at it from now on.
    #[cfg(feature = "dashmap")]
    pub(crate) fn downgrade(&self) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let mut args = vec![Arg::Me, Arg::Value(self.key.clone())];
        if let Left::Value(value) = std::mem::replace(&mut *left, Left::Same) {
            args.push(value);
        }
        self.tell("downgrade", &args);
    }

    fn tell(&self, method: &'static str, args: &[Arg]) {
        // Whoever has a guard has used it.
        let values = Values::Versions;
        let is = || -> First { first(self.tag, Keyed { values }, Keyed::initial([])) };
        let objects = [Object {
            mark: self.tag.mark(),
            first: &is,
        }];
        post(&Call::new(&objects, method, args, self.at));
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let is_this = |(tag, key): &(*const Tag, Value)| {
            std::ptr::eq(*tag, std::ptr::from_ref(self.tag)) && *key == self.key
        };
        held(|held| {
            let at = held.iter().position(is_this);
            at.map(|at| held.swap_remove(at))
        });
        offered::guard(false);
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let left = std::mem::replace(&mut *left, Left::Same);
        let mut args = vec![Arg::Me, Arg::Value(self.key.clone())];
        match left {
            Left::Same => self.tell("release", &args),
            Left::Value(value) => {
                args.push(value);
                self.tell("release", &args);
            }
            Left::Nothing => self.tell("release_removed", &args),
        }
    }
}

/// What the model is told of a value: what it is, or where it comes from.
pub(crate) fn picture<V>(value: &V) -> Arg {
    match value_of(value).to_value() {
        value if value.has_opaque() => Arg::OwnPlace,
        value => Arg::Value(value),
    }
}

/// What is known of values of this type.
pub(crate) fn values_of<V>() -> Values {
    match has_picture::<V>() {
        true => Values::Known,
        false => Values::Versions,
    }
}

/// What the model calls a key: what it is or, if that is not known, its hash. Equal keys
/// have equal hashes, and others differ.
pub(crate) fn name_of<K: ?Sized, Q: Hash + ?Sized>(key: &Q) -> Value {
    if has_picture::<K>() {
        let name = value_of(key).to_value();
        if !name.has_opaque() {
            return name;
        }
        misuse(
            "a key is looked up by something of another type that has no picture: implement \
             `commute::AsValue` for it, and call `commute::values`"
                .to_owned(),
        );
    }
    // The same in every process.
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    key_names::name::<K, Q>(key, hasher.finish())
}
