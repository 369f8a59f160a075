//! Maps and sets that are not made in the usual way.

use std::hash::RandomState;
use std::sync::Arc;

use ::papaya as original;
use original::ResizeMode;
use seize::Collector;

use super::{HashMap, HashSet};

/// As [`papaya::HashMapBuilder`](original::HashMapBuilder).
#[derive(Debug)]
pub struct HashMapBuilder<K, V, S = RandomState> {
    pub(super) inner: original::HashMapBuilder<K, V, S>,
}

/// As [`papaya::HashSetBuilder`](original::HashSetBuilder).
#[derive(Debug)]
pub struct HashSetBuilder<K, S = RandomState> {
    pub(super) inner: original::HashSetBuilder<K, S>,
}

macro_rules! builder {
    ($Builder:ident<$($T:ident),*> => $Map:ident) => {
        impl<$($T),*> $Builder<$($T),*> {
            /// As the original's.
            pub fn hasher<S>(self, hasher: S) -> $Builder<$($T,)* S> {
                let inner = self.inner.hasher(hasher);
                $Builder { inner }
            }
        }

        impl<$($T,)* S> $Builder<$($T,)* S> {
            /// As the original's.
            #[must_use]
            pub fn capacity(self, capacity: usize) -> Self {
                let inner = self.inner.capacity(capacity);
                $Builder { inner }
            }

            /// As the original's.
            #[must_use]
            pub fn collector(self, collector: Collector) -> Self {
                let inner = self.inner.collector(collector);
                $Builder { inner }
            }

            /// As the original's.
            #[must_use]
            pub fn shared_collector(self, collector: Arc<Collector>) -> Self
            where
                $($T: Send + 'static,)*
            {
                let inner = self.inner.shared_collector(collector);
                $Builder { inner }
            }

            /// As the original's.
            #[must_use]
            pub fn resize_mode(self, resize_mode: ResizeMode) -> Self {
                let inner = self.inner.resize_mode(resize_mode);
                $Builder { inner }
            }

            /// As the original's.
            #[track_caller]
            pub fn build(self) -> $Map<$($T,)* S> {
                $Map::of(self.inner.build())
            }
        }
    };
}

builder!(HashMapBuilder<K, V> => HashMap);
builder!(HashSetBuilder<K> => HashSet);
