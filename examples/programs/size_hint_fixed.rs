//! A vector is made as large as a map is, when nobody adds entries any more.

use commute::dashmap::DashMap;
use commute::thread;

fn main() {
    let entries: DashMap<u32, u32> = DashMap::new();
    commute::name(&entries, "entries");
    thread::scope(|scope| {
        scope.spawn(|| {
            for key in 0..100 {
                entries.insert(key, key * key);
            }
        });
    });
    let mut copy = Vec::with_capacity(entries.len());
    copy.extend(entries.iter().map(|entry| *entry.value()));
    println!("{} entries", copy.len());
}
