//! A page that nobody uses is chosen, written, and dropped though it is used.
//@ finding: BufferPool::evict_one
use parking_lot::Mutex;
use std::collections::HashMap;

pub struct Page {
    pins: u32,
    used: u64,
    dirty: bool,
}

#[derive(Default)]
pub struct BufferPool {
    pages: Mutex<HashMap<u64, Page>>,
}

fn write_back(id: u64) -> std::io::Result<()> {
    eprintln!("page {id} written");
    Ok(())
}

impl BufferPool {
    pub fn pin(&self, id: u64, now: u64) {
        let mut pages = self.pages.lock();
        let page = pages.entry(id).or_insert(Page {
            pins: 0,
            used: now,
            dirty: false,
        });
        page.pins += 1;
        page.used = now;
    }
    pub fn unpin(&self, id: u64, dirty: bool) {
        if let Some(page) = self.pages.lock().get_mut(&id) {
            page.pins -= 1;
            page.dirty |= dirty;
        }
    }
    pub fn evict_one(&self) -> std::io::Result<bool> {
        let pages = self.pages.lock();
        let victim = pages
            .iter()
            .filter(|(_, page)| page.pins == 0)
            .min_by_key(|(_, page)| page.used)
            .map(|(id, page)| (*id, page.dirty));
        drop(pages);
        let Some((id, dirty)) = victim else {
            return Ok(false);
        };
        if dirty {
            write_back(id)?;
        }
        let mut pages = self.pages.lock();
        #[cfg(fixed)]
        if pages.get(&id).is_none_or(|page| page.pins > 0 || page.dirty) {
            return Ok(false);
        }
        pages.remove(&id);
        Ok(true)
    }
}
