//! The operators of maps: short forms of methods, and recorded as those.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::ops::{BitAnd, BitOr, Shl, Shr, Sub};

use super::looking::Ref;
use super::map::DashMap;
use super::one::RefMut;

/// `map << (key, value)` inserts.
impl<'a, K: 'a + Eq + Hash, V: 'a, S: BuildHasher + Clone> Shl<(K, V)> for &'a DashMap<K, V, S> {
    type Output = Option<V>;

    #[track_caller]
    fn shl(self, (key, value): (K, V)) -> Self::Output {
        self.insert(key, value)
    }
}

macro_rules! operators {
    ($($what:literal $operator:ident $name:ident |$map:ident, $key:ident| $call:expr => $output:ty;)*) => {
        $(
            #[doc = $what]
            impl<'a, K, V, S, Q> $operator<&Q> for &'a DashMap<K, V, S>
            where
                K: 'a + Eq + Hash + Borrow<Q>,
                V: 'a,
                S: BuildHasher + Clone,
                Q: Hash + Eq + ?Sized,
            {
                type Output = $output;

                #[track_caller]
                fn $name(self, $key: &Q) -> Self::Output {
                    let $map = self;
                    $call
                }
            }
        )*
    };
}

operators! {
    "`map >> &key` gets what must be there." Shr shr |map, key| map.get(key).unwrap() => Ref<'a, K, V>;
    "`map | &key` gets what must be there, to be changed." BitOr bitor |map, key| map.get_mut(key).unwrap() => RefMut<'a, K, V>;
    "`map - &key` removes." Sub sub |map, key| map.remove(key) => Option<(K, V)>;
    "`map & &key` asks whether it is there." BitAnd bitand |map, key| map.contains_key(key) => bool;
}
