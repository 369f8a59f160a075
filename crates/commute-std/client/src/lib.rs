//! Ordinary code. The manifest makes `commute-std` of `std`; there is no word of it
//! here.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, mpsc};
use std::thread;

/// A derive each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// To the right.
    pub x: i32,
}

/// A receiver that only std's `Arc` may be.
pub trait Shape: Debug + Send + Sync {
    /// Itself.
    fn name(self: Arc<Self>) -> String;
}

impl Shape for Point {
    fn name(self: Arc<Self>) -> String {
        format!("{self:?}")
    }
}

static CALLS: AtomicUsize = AtomicUsize::new(0);
#[expect(deprecated, reason = "as old crates have it")]
static OLD: AtomicUsize = std::sync::atomic::ATOMIC_USIZE_INIT;
static NAMES: LazyLock<Mutex<HashMap<String, usize>>> = LazyLock::new(Default::default);

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Uses what programs use: prelude, macros, statics, thread locals, threads.
///
/// # Errors
/// If a channel closes, which it does not.
pub fn count(shape: Arc<dyn Shape>) -> Result<usize, Box<dyn std::error::Error>> {
    let name = shape.name();
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        assert!(!name.is_empty(), "a name");
        *NAMES.lock().unwrap().entry(name.clone()).or_default() += 1;
        let _ = CALLS.fetch_add(1, Ordering::SeqCst) + OLD.fetch_add(0, Ordering::SeqCst);
        sender
            .send(vec![name])
            .unwrap_or_else(|_| panic!("nobody listens"));
    });
    let names = receiver.recv()?;
    worker.join().map_err(|_| "the worker panicked")?;
    let total: usize = names
        .iter()
        .filter_map(|name| NAMES.lock().ok()?.get(name).copied())
        .sum();
    Ok(if matches!(total, 0) {
        unreachable!()
    } else {
        total
    })
}
