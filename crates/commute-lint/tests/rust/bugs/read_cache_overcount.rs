//! An embedded database counts the bytes of its read cache beside the cache.
//! Two readers miss the same page, both read it and both count it, though only
//! one of the two stays: the count never comes down again, and in the end the
//! cache evicts everything. What an insertion replaces is now subtracted.
//@ finding: PagedFile::read
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

pub struct PagedFile {
    cache: Mutex<BTreeMap<u64, Arc<[u8]>>>,
    cached_bytes: AtomicUsize,
    budget: usize,
}

impl PagedFile {
    fn read_from_disk(&self, offset: u64, len: usize) -> Arc<[u8]> {
        vec![offset as u8; len].into()
    }

    pub fn read(&self, offset: u64, len: usize) -> Arc<[u8]> {
        {
            let cache = self.cache.lock().unwrap();
            if let Some(page) = cache.get(&offset) {
                return page.clone();
            }
        }
        let page = self.read_from_disk(offset, len);
        let bytes = self.cached_bytes.fetch_add(page.len(), Ordering::AcqRel);
        let mut cache = self.cache.lock().unwrap();
        #[cfg(not(fixed))]
        cache.insert(offset, page.clone());
        #[cfg(fixed)]
        if let Some(replaced) = cache.insert(offset, page.clone()) {
            self.cached_bytes
                .fetch_sub(replaced.len(), Ordering::AcqRel);
        }
        if bytes + page.len() > self.budget {
            if let Some((_, evicted)) = cache.pop_first() {
                self.cached_bytes.fetch_sub(evicted.len(), Ordering::AcqRel);
            }
        }
        page
    }
}
