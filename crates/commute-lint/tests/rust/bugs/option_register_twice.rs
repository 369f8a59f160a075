//! The registry of options of an editor refuses names that are there, by a
//! question under the read lock; specification and value are written under
//! write locks later. Two modules register the same name, both succeed.
//@ finding: OptionRegistry::register
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::RwLock;

#[derive(Clone)]
pub struct Spec {
    pub name: String,
    pub aliases: Vec<String>,
    pub default: i64,
}

#[derive(Default)]
pub struct OptionRegistry {
    specs: RwLock<HashMap<String, Spec>>,
    values: RwLock<HashMap<String, i64>>,
    aliases: RwLock<HashMap<String, String>>,
}

impl OptionRegistry {
    #[cfg(not(fixed))]
    pub fn register(&self, spec: Spec) -> Result<(), String> {
        if self.specs.read().unwrap().contains_key(&spec.name) {
            return Err(format!("{} is there", spec.name));
        }
        let mut aliases = self.aliases.write().unwrap();
        for alias in &spec.aliases {
            aliases.insert(alias.clone(), spec.name.clone());
        }
        drop(aliases);
        self.values
            .write()
            .unwrap()
            .insert(spec.name.clone(), spec.default);
        self.specs.write().unwrap().insert(spec.name.clone(), spec);
        Ok(())
    }

    #[cfg(fixed)]
    pub fn register(&self, spec: Spec) -> Result<(), String> {
        let mut specs = self.specs.write().unwrap();
        let Entry::Vacant(place) = specs.entry(spec.name.clone()) else {
            return Err(format!("{} is there", spec.name));
        };
        let mut aliases = self.aliases.write().unwrap();
        for alias in &spec.aliases {
            aliases.insert(alias.clone(), spec.name.clone());
        }
        let mut values = self.values.write().unwrap();
        values.insert(spec.name.clone(), spec.default);
        place.insert(spec);
        Ok(())
    }

    pub fn get(&self, name: &str) -> Option<i64> {
        self.values.read().unwrap().get(name).copied()
    }
}
