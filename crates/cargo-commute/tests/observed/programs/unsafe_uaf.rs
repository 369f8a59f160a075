//! OVPredict's Example 1 in Rust: use and free of a raw pointer under one lock
use commute::sync::{Arc, Mutex};
use commute::thread;
struct P(*mut u32);
unsafe impl Send for P {}
fn main() {
    let p = Arc::new(Mutex::new(P(Box::into_raw(Box::new(7)))));
    let q = p.clone();
    let t = thread::spawn(move || { let g = q.lock().unwrap(); let r = g.0; unsafe { *r = 1; } });
    thread::sleep(std::time::Duration::from_millis(50));
    { let g = p.lock().unwrap(); let r = g.0; unsafe { drop(Box::from_raw(r)); } }
    t.join().unwrap();
}
