//! Maps, sets and guards as `serde` sees them: to write a map is an iteration, to read
//! one are insertions. The traits do not know their callers, so that is recorded where
//! the map was made; one that is read was made here.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::mapref::multiple::RefMutMulti;
use super::mapref::one::{MappedRefMut, RefMut};
use super::{DashMap, DashSet, setref};

impl<K, V, H> Serialize for DashMap<K, V, H>
where
    K: Serialize + Eq + Hash,
    V: Serialize,
    H: BuildHasher + Clone,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;

        let mut map = serializer.serialize_map(Some(self.inner.len()))?;
        for entry in self.iter_at(self.tag.created()) {
            map.serialize_entry(entry.key(), entry.value())?;
        }
        map.end()
    }
}

impl<K: Serialize + Eq + Hash, H: BuildHasher + Clone> Serialize for DashSet<K, H> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;

        let mut set = serializer.serialize_seq(Some(self.inner.len()))?;
        for key in self.iter_at(self.tag.created()) {
            set.serialize_element(key.key())?;
        }
        set.end()
    }
}

/// A guard is what it guards.
macro_rules! guards {
    ($([$($parameter:tt)*] $Guard:ty;)*) => {
        $(impl<$($parameter)*> Serialize for $Guard {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                (**self).serialize(serializer)
            }
        })*
    };
}

guards! {
    [K: Eq + Hash, V: Serialize] RefMut<'_, K, V>;
    [K: Eq + Hash, V, T: Serialize] MappedRefMut<'_, K, V, T>;
    [K: Eq + Hash, V: Serialize] RefMutMulti<'_, K, V>;
    [K: Eq + Hash + Serialize] setref::one::Ref<'_, K>;
    [K: Eq + Hash + Serialize] setref::multiple::RefMulti<'_, K>;
}

/// Reads something into a new `M`.
struct Reads<M>(PhantomData<fn() -> M>);

impl<'de, K, V, S> Visitor<'de> for Reads<DashMap<K, V, S>>
where
    K: Deserialize<'de> + Eq + Hash,
    V: Deserialize<'de>,
    S: BuildHasher + Clone + Default,
{
    type Value = DashMap<K, V, S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a DashMap")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let map = DashMap::default();
        while let Some((key, value)) = access.next_entry()? {
            map.insert_at(key, value, map.tag.created());
        }
        Ok(map)
    }
}

impl<'de, K, S> Visitor<'de> for Reads<DashSet<K, S>>
where
    K: Deserialize<'de> + Eq + Hash,
    S: BuildHasher + Clone + Default,
{
    type Value = DashSet<K, S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a DashSet")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let set = DashSet::default();
        while let Some(key) = access.next_element()? {
            set.insert_at(key, set.tag.created());
        }
        Ok(set)
    }
}

impl<'de, K, V, S> Deserialize<'de> for DashMap<K, V, S>
where
    K: Deserialize<'de> + Eq + Hash,
    V: Deserialize<'de>,
    S: BuildHasher + Clone + Default,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reads::<Self>(PhantomData))
    }
}

impl<'de, K, S> Deserialize<'de> for DashSet<K, S>
where
    K: Deserialize<'de> + Eq + Hash,
    S: BuildHasher + Clone + Default,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Reads::<Self>(PhantomData))
    }
}
