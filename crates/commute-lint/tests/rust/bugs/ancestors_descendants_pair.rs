//! The replay of a ledger takes the ancestors and the descendants of all forks
//! by two calls that lock for themselves. A new root in between prunes both,
//! and the two maps do not fit each other.
//@ finding: Replay::select_forks
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, RwLock};

type Relatives = HashMap<u64, HashSet<u64>>;

#[derive(Default)]
pub struct Forks {
    ancestors: Relatives,
    descendants: Relatives,
}

impl Forks {
    pub fn ancestors(&self) -> Relatives {
        self.ancestors.clone()
    }

    pub fn descendants(&self) -> Relatives {
        self.descendants.clone()
    }

    pub fn set_root(&mut self, root: u64) {
        self.ancestors.retain(|slot, _| *slot >= root);
        self.descendants.retain(|slot, _| *slot >= root);
    }
}

pub struct Replay {
    forks: Arc<RwLock<Forks>>,
}

impl Replay {
    pub fn root(&self, root: u64) {
        self.forks.write().unwrap().set_root(root);
    }

    #[cfg(not(fixed))]
    pub fn select_forks(&self) -> Vec<u64> {
        let ancestors = self.forks.read().unwrap().ancestors();
        let descendants = self.forks.read().unwrap().descendants();
        heaviest(&ancestors, &descendants)
    }

    #[cfg(fixed)]
    pub fn select_forks(&self) -> Vec<u64> {
        let (ancestors, descendants) = {
            let forks = self.forks.read().unwrap();
            (forks.ancestors(), forks.descendants())
        };
        heaviest(&ancestors, &descendants)
    }
}

fn heaviest(ancestors: &Relatives, descendants: &Relatives) -> Vec<u64> {
    let leaves = ancestors.keys().filter(|slot| descendants[slot].is_empty());
    leaves.copied().collect()
}
