//! A poisoned lock is an error of the caller's: `map_err` and `?` on the way
//! to the guard. What the first function read is stale in the second.
//@ finding: Scores::award
//@ regions: 2

use std::collections::HashMap;
use std::sync::RwLock;

#[derive(Debug)]
pub enum Failure {
    Poisoned(String),
}

pub struct Scores {
    table: RwLock<HashMap<String, u64>>,
}

impl Scores {
    pub fn score(&self, name: &str) -> Result<Option<u64>, Failure> {
        let table = self
            .table
            .read()
            .map_err(|_| Failure::Poisoned(format!("looking for {name}")))?;
        Ok(table.get(name).copied())
    }

    #[cfg(not(fixed))]
    pub fn award(&self, name: &str, points: u64) -> Result<(), Failure> {
        let score = self.score(name)?.unwrap_or(0);
        let mut table = self
            .table
            .write()
            .map_err(|_| Failure::Poisoned(format!("writing {name}")))?;
        table.insert(name.to_owned(), score + points);
        Ok(())
    }

    #[cfg(fixed)]
    pub fn award(&self, name: &str, points: u64) -> Result<(), Failure> {
        let mut table = self
            .table
            .write()
            .map_err(|_| Failure::Poisoned(format!("writing {name}")))?;
        let score = table.get(name).copied().unwrap_or(0);
        table.insert(name.to_owned(), score + points);
        Ok(())
    }
}
