//! A store counts the space of the pages it frees, in a map from file to bytes. Two
//! threads that free pages of the same file read the old count, add, and write the
//! new one: space is lost.

use commute::dashmap::DashMap;
use commute::thread;

fn main() {
    let freed: DashMap<&str, u64> = DashMap::new();
    commute::name(&freed, "freed_page_space");
    thread::scope(|scope| {
        for pages in [3, 5] {
            let freed = &freed;
            scope.spawn(move || {
                for _ in 0..pages {
                    free_page(freed, "data.db", 4096);
                }
            });
        }
    });
    println!("{:?} bytes free", freed.get("data.db").map(|bytes| *bytes));
}

fn free_page(freed: &DashMap<&'static str, u64>, file: &'static str, size: u64) {
    let before = freed.get(file).map_or(0, |bytes| *bytes);
    freed.insert(file, before + size);
}
