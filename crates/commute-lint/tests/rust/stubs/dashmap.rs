//! What the samples use of dashmap, by its names.
use std::borrow::Borrow;
use std::hash::Hash;
use std::marker::PhantomData;

pub struct DashMap<K, V>(PhantomData<(K, V)>);
pub struct DashSet<K>(PhantomData<K>);
impl<K, V> Default for DashMap<K, V> {
    fn default() -> Self {
        DashMap(PhantomData)
    }
}
impl<K> Default for DashSet<K> {
    fn default() -> Self {
        DashSet(PhantomData)
    }
}
unsafe impl<K, V> Sync for DashMap<K, V> {}

pub mod mapref {
    pub mod one {
        use std::ops::{Deref, DerefMut};
        pub struct Ref<'a, K, V>(&'a K, &'a V);
        pub struct RefMut<'a, K, V>(&'a K, &'a mut V);
        impl<K, V> Ref<'_, K, V> {
            pub fn key(&self) -> &K {
                self.0
            }
            pub fn value(&self) -> &V {
                self.1
            }
        }
        impl<K, V> RefMut<'_, K, V> {
            pub fn key(&self) -> &K {
                self.0
            }
            pub fn value(&self) -> &V {
                self.1
            }
        }
        impl<K, V> Deref for Ref<'_, K, V> {
            type Target = V;
            fn deref(&self) -> &V {
                self.1
            }
        }
        impl<K, V> Deref for RefMut<'_, K, V> {
            type Target = V;
            fn deref(&self) -> &V {
                self.1
            }
        }
        impl<K, V> DerefMut for RefMut<'_, K, V> {
            fn deref_mut(&mut self) -> &mut V {
                self.1
            }
        }
        impl<K, V> Drop for Ref<'_, K, V> {
            fn drop(&mut self) {}
        }
        impl<K, V> Drop for RefMut<'_, K, V> {
            fn drop(&mut self) {}
        }
    }
    pub mod entry {
        use super::one::RefMut;
        pub enum Entry<'a, K, V> {
            Occupied(OccupiedEntry<'a, K, V>),
            Vacant(VacantEntry<'a, K, V>),
        }
        pub struct OccupiedEntry<'a, K, V>(RefMut<'a, K, V>);
        pub struct VacantEntry<'a, K, V>(RefMut<'a, K, V>);
        impl<'a, K, V> OccupiedEntry<'a, K, V> {
            pub fn get(&self) -> &V {
                &self.0
            }
            pub fn get_mut(&mut self) -> &mut V {
                &mut self.0
            }
            pub fn remove(self) -> V {
                panic!("only declared")
            }
        }
        impl<'a, K, V> VacantEntry<'a, K, V> {
            pub fn insert(self, _: V) -> RefMut<'a, K, V> {
                self.0
            }
        }
        impl<'a, K, V> Entry<'a, K, V> {
            pub fn or_insert(self, _: V) -> RefMut<'a, K, V> {
                panic!("only declared")
            }
            pub fn or_insert_with(self, _: impl FnOnce() -> V) -> RefMut<'a, K, V> {
                panic!("only declared")
            }
            pub fn or_default(self) -> RefMut<'a, K, V>
            where
                V: Default,
            {
                panic!("only declared")
            }
        }
    }
}
use mapref::entry::Entry;
use mapref::one::{Ref, RefMut};

impl<K: Eq + Hash, V> DashMap<K, V> {
    pub fn get<Q: ?Sized>(&self, _: &Q) -> Option<Ref<'_, K, V>>
    where
        K: Borrow<Q>,
    {
        None
    }
    pub fn get_mut<Q: ?Sized>(&self, _: &Q) -> Option<RefMut<'_, K, V>>
    where
        K: Borrow<Q>,
    {
        None
    }
    pub fn contains_key<Q: ?Sized>(&self, _: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        false
    }
    pub fn remove<Q: ?Sized>(&self, _: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        None
    }
    pub fn remove_if<Q: ?Sized>(&self, _: &Q, _: impl FnOnce(&K, &V) -> bool) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        None
    }
    pub fn insert(&self, _: K, value: V) -> Option<V> {
        Some(value)
    }
    pub fn is_empty(&self) -> bool {
        true
    }
    pub fn entry(&self, _: K) -> Entry<'_, K, V> {
        panic!("only declared")
    }
}
impl<K: Eq + Hash> DashSet<K> {
    pub fn contains<Q: ?Sized>(&self, _: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        false
    }
    pub fn insert(&self, _: K) -> bool {
        true
    }
    pub fn remove<Q: ?Sized>(&self, _: &Q) -> Option<K>
    where
        K: Borrow<Q>,
    {
        None
    }
}
