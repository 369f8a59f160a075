//! Maps to what may not be finished yet.
//!
//! Who finds an entry that somebody else is still working on finds nothing, and who wants
//! to change it waits. So does a map of futures look to whoever only asks for results.

use std::fmt::Debug;
use std::rc::Rc;

use super::collection::Operation;
use super::domain::Domain;
use super::table::{Deed, Table, deeds};

/// What stands for an entry that is not finished.
const UNFINISHED: &str = "\u{e002}";

/// What can be done to such a map.
pub(super) fn operations<C, K, V, R>(
    finished: impl Fn(&V) -> Option<R> + 'static,
    made: impl Fn(R) -> V + 'static,
) -> Vec<Operation<C>>
where
    C: Table<K, V> + 'static,
    K: Domain + Debug,
    R: Domain + Debug,
    V: 'static,
{
    let keys: Vec<K> = K::values().collect();
    let values: Vec<R> = R::values().collect();
    let futures = Rc::new(Futures {
        keys: keys.clone(),
        finished: Box::new(finished),
        made: Box::new(made),
    });
    // How many are finished is nothing that a map knows.
    let deeds = deeds(&keys, &values, false).into_iter();
    deeds
        .filter(|deed| !matches!(deed, Deed::Count))
        .map(|deed| {
            let futures = Rc::clone(&futures);
            Operation {
                name: deed.name(false),
                shown: deed.shown(
                    false,
                    |key| format!("{key:?}"),
                    |value| format!("{value:?}"),
                ),
                looks: deed.looks(),
                run: Rc::new(move |table: &C| futures.act(table, &deed)),
            }
        })
        .collect()
}

struct Futures<K, V, R> {
    keys: Vec<K>,
    finished: Finished<V, R>,
    made: Box<dyn Fn(R) -> V>,
}

type Finished<V, R> = Box<dyn Fn(&V) -> Option<R>>;

impl<K: Clone, V, R: Clone + Debug> Futures<K, V, R> {
    fn act<C: Table<K, V>>(&self, table: &C, deed: &Deed<K, R>) -> String {
        let show = |value: &V| match (self.finished)(value) {
            Some(result) => format!("{result:?}"),
            None => UNFINISHED.to_owned(),
        };
        let wait = |key: &K| {
            // Nobody wakes it: such a history is left out, since what others do is done as a
            // whole.
            while table.look(key, &show).as_deref() == Some(UNFINISHED) {
                crate::thread::park();
            }
        };
        match deed {
            Deed::Look(key) => {
                let found = table.look(key, &show);
                return match found.filter(|text| text != UNFINISHED) {
                    Some(text) => format!("Some({text})"),
                    None => "None".to_owned(),
                };
            }
            Deed::Put(key, _) | Deed::PutIfAbsent(key, _) | Deed::Take(key) => wait(key),
            Deed::Count | Deed::TakeAll => self.keys.iter().for_each(wait),
        }
        let made = |result: &R| (self.made)(result.clone());
        deed.map(K::clone, made).act(table, false, &show)
    }
}
