//! Collections that a check names.

use std::fmt::Debug;
use std::rc::Rc;

use super::check::{Check, Operation, Role};
use super::collection::{Collection, of_keys};
use super::domain::Domain;
use super::futures;
use super::table::Table;

impl<T: 'static> Check<T> {
    /// A collection that others may use in an [open](Environment::open) environment, in
    /// every way that is known of it: a map or set of dashmap, or one of std in a lock.
    ///
    /// ```
    /// use commute::compose::{Environment, check};
    /// use commute::sync::Mutex;
    /// use std::collections::HashMap;
    ///
    /// #[derive(Default)]
    /// struct Hits(Mutex<HashMap<u32, u32>>);
    ///
    /// check(Hits::default)
    ///     .method(|hits, page: u32| *hits.0.lock().unwrap().entry(page).or_insert(0) += 1)
    ///     .collection(|hits| &hits.0)
    ///     .environment(Environment::open().without("remove"))
    ///     .assert_atomic();
    /// ```
    #[must_use]
    pub fn collection<C: Collection>(
        self,
        collection: impl for<'a> Fn(&'a T) -> &'a C + 'static,
    ) -> Check<T> {
        self.add_all(collection, C::operations())
    }

    /// The same for a map whose values cannot be made. Others look for its keys, remove
    /// them, count and clear; nobody inserts, and the report says so.
    ///
    /// ```
    /// use commute::compose::{Environment, check};
    /// use commute::sync::RwLock;
    /// use std::collections::HashMap;
    ///
    /// type Task = Box<dyn Fn() + Send + Sync>;
    ///
    /// #[derive(Default)]
    /// struct Tasks(RwLock<HashMap<u32, Task>>);
    ///
    /// check(Tasks::default)
    ///     .method(|tasks, id: u32| tasks.0.write().unwrap().insert(id, Box::new(|| {})).is_none())
    ///     .collection_of_keys(|tasks| &tasks.0)
    ///     .environment(Environment::open())
    ///     .assert_atomic();
    /// ```
    #[must_use]
    pub fn collection_of_keys<C, K, V>(
        self,
        collection: impl for<'a> Fn(&'a T) -> &'a C + 'static,
    ) -> Check<T>
    where
        C: Table<K, V> + 'static,
        K: Domain + Debug,
        V: 'static,
    {
        #[cfg_attr(not(commute), expect(unused_mut, reason = "for what is said of it"))]
        let mut check = self.add_all(collection, of_keys::<C, K, V>());
        #[cfg(commute)]
        check.notes.push(no_values(std::any::type_name::<V>()));
        check
    }

    /// The same for a map to what may not be finished yet: a cell, a future. An entry that
    /// is not finished counts as absent, and who wants to change it waits.
    ///
    /// `finished` gives the result, if there is one, and `made` an entry that has it.
    ///
    /// ```
    /// use commute::compose::{Environment, check};
    /// use commute::sync::{Arc, OnceLock, RwLock};
    /// use std::collections::HashMap;
    ///
    /// #[derive(Default)]
    /// struct Squares(RwLock<HashMap<u32, Arc<OnceLock<u32>>>>);
    ///
    /// impl Squares {
    ///     fn get(&self, n: u32) -> u32 {
    ///         let cell = Arc::clone(self.0.write().unwrap().entry(n).or_default());
    ///         *cell.get_or_init(|| n * n)
    ///     }
    /// }
    ///
    /// check(Squares::default)
    ///     .method(|squares, n: u32| squares.get(n))
    ///     .collection_of_futures(
    ///         |squares| &squares.0,
    ///         |cell| cell.get().copied(),
    ///         |square: u32| Arc::new(OnceLock::from(square)),
    ///     )
    ///     .environment(Environment::open())
    ///     .assert_atomic();
    /// ```
    #[must_use]
    pub fn collection_of_futures<C, K, V, R>(
        self,
        collection: impl for<'a> Fn(&'a T) -> &'a C + 'static,
        finished: impl Fn(&V) -> Option<R> + 'static,
        made: impl Fn(R) -> V + 'static,
    ) -> Check<T>
    where
        C: Table<K, V> + 'static,
        K: Domain + Debug,
        V: 'static,
        R: Domain + Debug,
    {
        self.add_all(collection, futures::operations(finished, made))
    }

    fn add_all<C: 'static>(
        mut self,
        collection: impl for<'a> Fn(&'a T) -> &'a C + 'static,
        operations: Vec<super::Operation<C>>,
    ) -> Check<T> {
        let collection = Rc::new(collection);
        for operation in operations {
            let collection = Rc::clone(&collection);
            let run = move |object: &T| (operation.run)(collection(object));
            let role = Role::Collection(operation.looks);
            let operation = Operation {
                name: operation.name.to_owned(),
                shown: operation.shown,
                run: Rc::new(run) as Rc<dyn Fn(&T) -> String>,
            };
            self.operations.push((role, operation));
        }
        self
    }
}

/// That others insert nothing.
#[cfg(commute)]
pub(super) fn no_values(of: &str) -> String {
    format!("values of type `{of}` cannot be made, so others look and remove, and nobody inserts")
}
