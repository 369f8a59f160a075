//! A store counts the space of the pages it frees. Each thread counts for itself;
//! who waits for them adds the counts.

use commute::dashmap::DashMap;
use commute::thread;

fn main() {
    let freed: DashMap<&str, u64> = DashMap::new();
    commute::name(&freed, "freed_page_space");
    let counts: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = [3, 5]
            .into_iter()
            .map(|pages| scope.spawn(move || (0..pages).map(|_| free_page(4096)).sum()))
            .collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .map(|count| count.expect("no thread panics"))
            .collect()
    });
    *freed.entry("data.db").or_default() += counts.iter().sum::<u64>();
    println!("{:?} bytes free", freed.get("data.db").map(|bytes| *bytes));
}

/// How much space the page took.
fn free_page(size: u64) -> u64 {
    size
}
