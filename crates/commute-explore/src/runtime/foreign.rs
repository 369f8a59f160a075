//! Threads that are no threads of a test, but touch its objects.

use std::panic::Location;
use std::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;

use super::call::Mark;
use crate::words::ObjectId;

/// A test, for other threads of the process.
#[derive(Debug, Default)]
pub(super) struct Running {
    /// The thread of the system that runs it.
    thread: Option<ThreadId>,
    /// The number of the run that is under way; 0 if none is.
    pub(super) generation: AtomicU32,
    /// How many operations were done.
    pub(super) beats: AtomicU64,
    /// Where the last one is, now and then.
    pub(super) last: Mutex<Option<&'static Location<'static>>>,
    touched: AtomicBool,
    by: Mutex<Option<(String, ObjectId)>>,
    is_too_large: AtomicBool,
    /// What to say of that: how much memory it has at most.
    size: Mutex<String>,
}

static RUNNING: Mutex<Vec<Arc<Running>>> = Mutex::new(Vec::new());

/// Something is done although no thread of any test does an operation: what watches tests
/// is not to mind.
pub fn still_busy() {
    let all = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for running in &*all {
        // Any change will do, and this is none that operations make.
        running.beats.fetch_add(1 << 32, Relaxed);
    }
}

impl Running {
    pub(super) fn new() -> Arc<Running> {
        let running = Arc::new(Running {
            thread: Some(std::thread::current().id()),
            ..Running::default()
        });
        let mut all = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(Arc::clone(&running));
        running
    }

    pub(super) fn end(self: &Arc<Running>) {
        let mut all = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| !Arc::ptr_eq(other, self));
    }

    /// The process has too much memory; the first that is said of it counts.
    pub(super) fn say_too_large(&self, text: &str) -> String {
        let mut size = self.size.lock().unwrap_or_else(PoisonError::into_inner);
        if size.is_empty() {
            text.clone_into(&mut size);
            self.is_too_large.store(true, Release);
        }
        size.clone()
    }

    /// What was said of it.
    #[inline]
    pub(super) fn too_large(&self) -> Option<String> {
        if !self.is_too_large.load(Acquire) {
            return None;
        }
        let size = self.size.lock().unwrap_or_else(PoisonError::into_inner);
        Some(size.clone())
    }

    /// Who has touched which object of the test, if somebody has.
    #[inline]
    pub(super) fn touched_by(&self) -> Option<(String, ObjectId)> {
        if !self.touched.load(Acquire) {
            return None;
        }
        let by = self.by.lock().unwrap_or_else(PoisonError::into_inner);
        by.clone()
    }
}

/// Somebody who is no thread of a test uses an object that is, or was, one of a test.
#[cold]
pub(super) fn touched(mark: &Mark) {
    let generation = mark[0].load(Relaxed);
    let object = ObjectId(mark[1].load(Relaxed));
    note(object, |running| {
        running.generation.load(Relaxed) == generation
    });
}

/// The same of an object that no thread of a test has used yet. In a process that has one
/// test, whoever runs beside it was started by it.
#[cold]
pub(super) fn touched_first() {
    let me = std::thread::current().id();
    note(ObjectId(u32::MAX), |running| {
        running.generation.load(Relaxed) != 0 && running.thread.is_some_and(|other| other != me)
    });
}

fn note(object: ObjectId, is_it: impl Fn(&Running) -> bool) {
    let all = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for running in all.iter().filter(|running| is_it(running)) {
        let thread = std::thread::current();
        let name = thread.name().map(|name| format!("the thread `{name}`"));
        let name = name.unwrap_or_else(|| "a thread without a name".to_owned());
        let mut by = running.by.lock().unwrap_or_else(PoisonError::into_inner);
        *by = Some((name, object));
        running.touched.store(true, Release);
    }
}
