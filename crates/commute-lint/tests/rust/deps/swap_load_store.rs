//! swap load store.
//@ finding: Config::set
use arc_swap::ArcSwap;
use std::collections::HashMap;
use std::sync::Arc;
pub struct Config {
    values: ArcSwap<HashMap<String, String>>,
}
impl Config {
    #[cfg(not(fixed))]
    pub fn set(&self, key: &str, value: &str) {
        let mut values = (**self.values.load()).clone();
        values.insert(key.to_owned(), value.to_owned());
        self.values.store(Arc::new(values));
    }
    #[cfg(fixed)]
    pub fn set(&self, key: &str, value: &str) {
        self.values.rcu(|values| {
            let mut values = HashMap::clone(values);
            values.insert(key.to_owned(), value.to_owned());
            values
        });
    }
}
