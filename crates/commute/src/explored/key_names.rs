//! What keys are called whose types have no pictures.
//!
//! A key is known by its hash. People see what `Debug` says of it, where that is known,
//! unless another key has been called so.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use commute_record::Value;

use crate::compose::debugged;

/// By type and hash; and which names are taken.
static NAMES: Mutex<Names> = Mutex::new(Names {
    by_hash: BTreeMap::new(),
    taken: BTreeMap::new(),
});

struct Names {
    by_hash: BTreeMap<(TypeId, u64), Value>,
    taken: BTreeMap<(TypeId, String), u64>,
}

/// The name of a key: the same as long as the program runs.
pub(super) fn name<K: ?Sized, Q: ?Sized>(key: &Q, hash: u64) -> Value {
    let of = typeid::of::<K>();
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.by_hash.get(&(of, hash)) {
        return known.clone();
    }
    let text = match typeid::of::<Q>() == of {
        true => debugged(key),
        false => None,
    };
    let is_free = |text: &String| *names.taken.entry((of, text.clone())).or_insert(hash) == hash;
    let name = match text.filter(is_free) {
        Some(text) => Value::str(&text),
        None => Value::symbol(&format!("key_{hash:x}")),
    };
    names.by_hash.insert((of, hash), name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_keys_apart() {
        #[derive(Clone)]
        struct Key(#[expect(dead_code, reason = "only to tell them apart")] u8);
        impl crate::Domain for Key {
            fn count() -> u128 {
                1
            }
            fn values() -> Box<dyn Iterator<Item = Key>> {
                Box::new([Key(1)].into_iter())
            }
        }
        impl std::fmt::Debug for Key {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("Key")
            }
        }
        // Whoever has it for an argument makes it known.
        drop(crate::compose::check(|| ()).method(|(), _: Key| ()));
        assert_eq!(name::<Key, Key>(&Key(1), 1), Value::str("Key"));
        assert_eq!(name::<Key, Key>(&Key(2), 2), Value::symbol("key_2"));
        assert_eq!(name::<Key, u8>(&1, 1), Value::str("Key"));
        assert_eq!(name::<Key, u8>(&3, 3), Value::symbol("key_3"));
    }
}
