//! The write path of a key-value store (slatedb #69): the writer fetches the
//! current table under the state's lock and writes to it afterwards, when it
//! may have been frozen and flushed. The state's lock is now held meanwhile.
//@ finding: DbInner::write
//@ lost: Mutex::lock
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, RwLock};

#[derive(Default)]
pub struct KvTable {
    map: Mutex<BTreeMap<Vec<u8>, Option<Vec<u8>>>>,
}

impl KvTable {
    fn put(&self, key: &[u8], value: Option<&[u8]>) {
        let mut map = self.map.lock().unwrap();
        map.insert(key.to_vec(), value.map(<[u8]>::to_vec));
    }
    fn get(&self, key: &[u8]) -> Option<Option<Vec<u8>>> {
        self.map.lock().unwrap().get(key).cloned()
    }
}

struct DbState {
    memtable: Arc<KvTable>,
    imm_memtables: VecDeque<Arc<KvTable>>,
    l0: Vec<u64>,
}

pub struct DbInner {
    state: RwLock<DbState>,
}

impl DbInner {
    #[cfg(not(fixed))]
    fn current_memtable(&self) -> Arc<KvTable> {
        self.state.read().unwrap().memtable.clone()
    }

    #[cfg(not(fixed))]
    fn write(&self, key: &[u8], value: Option<&[u8]>) {
        let table = self.current_memtable();
        table.put(key, value);
    }

    #[cfg(fixed)]
    fn write(&self, key: &[u8], value: Option<&[u8]>) {
        let state = self.state.read().unwrap();
        state.memtable.put(key, value);
    }

    fn freeze(&self) {
        let mut state = self.state.write().unwrap();
        let old = std::mem::take(&mut state.memtable);
        state.imm_memtables.push_front(old);
    }

    fn flush(&self, next_id: u64) -> usize {
        let mut state = self.state.write().unwrap();
        let mut written = 0;
        while let Some(table) = state.imm_memtables.pop_back() {
            written += table.map.lock().unwrap().len();
            state.l0.push(next_id);
        }
        written
    }
}

#[derive(Clone)]
pub struct Db {
    inner: Arc<DbInner>,
}

impl Db {
    pub fn put(&self, key: &[u8], value: &[u8]) {
        self.inner.write(key, Some(value));
    }
    pub fn delete(&self, key: &[u8]) {
        self.inner.write(key, None);
    }
    pub fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        let state = self.inner.state.read().unwrap();
        let tables = std::iter::once(&state.memtable).chain(&state.imm_memtables);
        tables.filter_map(|table| table.get(key)).next().flatten()
    }
    pub fn flush(&self, id: u64) -> usize {
        self.inner.freeze();
        self.inner.flush(id)
    }
}
