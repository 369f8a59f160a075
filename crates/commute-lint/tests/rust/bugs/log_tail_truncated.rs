//! The index of the last record is kept while the log can be truncated.
//@ finding: Log::tail
use std::sync::Mutex;

#[derive(Clone, Debug)]
pub struct Record {
    term: u64,
    data: Vec<u8>,
}

#[derive(Default)]
pub struct Log {
    records: Mutex<Vec<Record>>,
}

impl Log {
    pub fn append(&self, term: u64, data: &[u8]) -> usize {
        let mut records = self.records.lock().unwrap();
        records.push(Record {
            term,
            data: data.to_vec(),
        });
        records.len()
    }
    pub fn truncate(&self, from: usize) {
        self.records.lock().unwrap().truncate(from);
    }
    pub fn last_index(&self) -> Option<usize> {
        self.records.lock().unwrap().len().checked_sub(1)
    }
    pub fn term_at(&self, index: usize) -> u64 {
        self.records.lock().unwrap()[index].term
    }
    #[cfg(not(fixed))]
    pub fn tail(&self) -> Option<(usize, u64)> {
        let index = self.last_index()?;
        let term = self.term_at(index);
        Some((index, term))
    }
    #[cfg(fixed)]
    pub fn tail(&self) -> Option<(usize, u64)> {
        let records = self.records.lock().unwrap();
        let index = records.len().checked_sub(1)?;
        Some((index, records[index].term))
    }
}
