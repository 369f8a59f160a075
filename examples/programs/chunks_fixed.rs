//! Chunks of a map are computed before anybody needs them: then threads only read.

use commute::dashmap::DashMap;
use commute::thread;

fn main() {
    let chunks: DashMap<i32, u64> = DashMap::new();
    commute::name(&chunks, "chunks");
    for x in 0..4 {
        chunks.insert(x, x as u64 * 31);
    }
    thread::scope(|scope| {
        for player in 0..2 {
            let chunks = &chunks;
            scope.spawn(move || {
                for x in 0..3 {
                    assert!(chunks.get(&(x + player)).is_some());
                }
            });
        }
    });
}
