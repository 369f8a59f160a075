//! Chunks of a map are computed when they are first needed. Two threads that need the
//! same one both find it missing and both compute it.

use commute::dashmap::DashMap;
use commute::thread;

fn main() {
    let chunks: DashMap<i32, u64> = DashMap::new();
    commute::name(&chunks, "chunks");
    thread::scope(|scope| {
        for player in 0..2 {
            let chunks = &chunks;
            scope.spawn(move || {
                for x in 0..3 {
                    chunk(chunks, x + player);
                }
            });
        }
    });
}

fn chunk(chunks: &DashMap<i32, u64>, x: i32) -> u64 {
    if let Some(chunk) = chunks.get(&x) {
        return *chunk;
    }
    let computed = x as u64 * 31;
    chunks.insert(x, computed);
    computed
}
