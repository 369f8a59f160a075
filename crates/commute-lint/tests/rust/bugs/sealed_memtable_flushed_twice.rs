//! Flush of an LSM tree (lsm-tree #303): it collects the sealed tables, writes
//! them, and puts the result into the version. Another flush may have put them
//! there meanwhile. It is now asked whether they are still sealed.
//@ finding: Tree::flush
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock, RwLockWriteGuard};

pub struct Memtable {
    pub id: u64,
    items: Vec<(Vec<u8>, u64)>,
}

#[derive(Clone)]
pub struct Table {
    pub id: u64,
    pub item_count: usize,
}

#[derive(Clone, Default)]
struct SuperVersion {
    sealed: BTreeMap<u64, Arc<Memtable>>,
    tables: Vec<Table>,
    seqno: u64,
}

pub struct TreeInner {
    version: RwLock<SuperVersion>,
    path: String,
}

pub struct Tree(Arc<TreeInner>);

impl std::ops::Deref for Tree {
    type Target = TreeInner;
    fn deref(&self) -> &TreeInner {
        &self.0
    }
}

pub enum Error {
    Io(String),
}

impl Tree {
    fn sealed(&self) -> Vec<Arc<Memtable>> {
        let version = self.version.read().expect("lock is poisoned");
        version.sealed.values().cloned().collect()
    }

    fn write_table(&self, memtables: &[Arc<Memtable>]) -> Result<Option<Table>, Error> {
        if self.path.is_empty() {
            return Err(Error::Io("no path".to_owned()));
        }
        let Some(first) = memtables.first() else {
            return Ok(None);
        };
        let item_count = memtables.iter().map(|memtable| memtable.items.len()).sum();
        Ok(Some(Table {
            id: first.id,
            item_count,
        }))
    }

    fn register(
        mut version: RwLockWriteGuard<'_, SuperVersion>,
        table: Table,
        memtables: &[Arc<Memtable>],
    ) {
        version.seqno += 1;
        version.tables.push(table);
        for memtable in memtables {
            version.sealed.remove(&memtable.id);
        }
    }

    pub fn flush(&self) -> Result<Option<u64>, Error> {
        let memtables = self.sealed();
        let Some(table) = self.write_table(&memtables)? else {
            return Ok(None);
        };
        let id = table.id;
        let version = self.version.write().expect("lock is poisoned");
        #[cfg(fixed)]
        if memtables
            .iter()
            .any(|memtable| !version.sealed.contains_key(&memtable.id))
        {
            return Ok(None);
        }
        Self::register(version, table, &memtables);
        Ok(Some(id))
    }

    pub fn rotate(&self, memtable: Memtable) {
        let mut version = self.version.write().expect("lock is poisoned");
        version.sealed.insert(memtable.id, Arc::new(memtable));
    }
}
