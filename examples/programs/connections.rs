//! A pool of connections, one per host. Two threads that are given the same host
//! both connect, and one connection is lost.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use commute::dashmap::DashMap;
use commute::thread;

fn main() {
    let hosts = ["a.com", "b.com", "a.com"];
    let connections = DashMap::new();
    commute::name(&connections, "connections");
    thread::scope(|scope| {
        for host in hosts {
            let connections = &connections;
            scope.spawn(move || {
                connections.insert(host, connect(host));
            });
        }
    });
    println!("{} hosts", connections.len());
}

fn connect(_host: &str) -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Relaxed)
}
