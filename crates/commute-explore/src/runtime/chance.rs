//! What a test may depend on that no exploration sees: clocks, random numbers, the order
//! of hash maps. It is noted that a test asks for them, so that it can be said why it
//! does not do the same in every run.
//!
//! **Clocks and random numbers** are asked of the C library. A program that defines
//! functions of the same names calls those instead, which note where they are called and
//! pass the call on. Only programs that are built to be explored have them.
//!
//! **Hash maps**: std gives each a key that is one more than the last on its thread, so
//! the keys of two maps tell how many were made between them. Where they are made is noted
//! by breakpoints (`unseen.rs`).
//!
//! Gaps: what asks the operating system itself, reads a file of random bytes, or has
//! taken a seed in an earlier test.

use std::backtrace::Backtrace;
use std::cell::Cell;
use std::hash::RandomState;
use std::sync::{Mutex, PoisonError};

use super::fiber::is_running;
use super::site::Site;
use super::{frames, unseen};

/// Where something was first asked for, in a thread of a test.
struct Asked(Mutex<Option<Backtrace>>);

static CLOCK: Asked = Asked(Mutex::new(None));
static RANDOM: Asked = Asked(Mutex::new(None));

impl Asked {
    /// Somebody asks.
    #[cfg_attr(not(all(commute, target_os = "linux")), expect(dead_code))]
    fn note(&self) {
        thread_local! {
            static NOTING: Cell<bool> = const { Cell::new(false) };
        }
        if !is_running() || NOTING.try_with(|noting| noting.replace(true)) != Ok(false) {
            return;
        }
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.is_none() {
            *asked = Some(Backtrace::force_capture());
        }
        let _ = NOTING.try_with(|noting| noting.set(false));
    }

    /// Who did: ` in `name` at file:line`.
    fn by(&self) -> Option<String> {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let caller = frames::caller(&asked.as_ref()?.to_string());
        Some(caller.map_or(String::new(), |caller| format!(" in {caller}")))
    }
}

/// Places of hash maps that are named at most.
const MOST_MAPS: usize = 8;

/// Counts hash maps of the calling thread.
#[derive(Debug, Default)]
pub(super) struct Maps {
    /// The key that the next one has.
    next: u64,
    /// Whether the thread of a test has made one.
    seen: bool,
}

impl Maps {
    /// Begins to count: an execution begins.
    pub(super) fn begin(&mut self) {
        // Asking makes two.
        self.next = key().map_or(0, |key| key.wrapping_add(2));
        unseen::watch_hash_maps();
    }

    /// Notes whether a map was made in the execution that ends.
    pub(super) fn end(&mut self) {
        unseen::ignore_hash_maps();
        self.seen |= key().is_some_and(|key| key != self.next);
    }

    /// Returns the sources of nondeterminism that the test has used: a line of text for
    /// each.
    pub(super) fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        if self.seen {
            causes.extend(maps());
        }
        if let Some(by) = CLOCK.by() {
            causes.push(format!("likely because it reads the clock{by}"));
        }
        if let Some(by) = RANDOM.by() {
            causes.push(format!("likely because it asks for random numbers{by}"));
        }
        causes
    }
}

/// Returns a line of text for each place where the test makes a hash map; one line without
/// a place if none is known.
fn maps() -> Vec<String> {
    const WHY: &str = "whose order is another one each time (a `BTreeMap`, or a hasher without \
                       keys, has always the same)";
    let mut lines = Vec::new();
    for site in unseen::hash_maps().unwrap_or_else(|| vec![Site::default()]) {
        let line = match site.location {
            Some(at) => format!("it makes a `HashMap` or `HashSet` at {at}, {WHY}"),
            None => format!("likely because it makes a `HashMap` or `HashSet`, {WHY}"),
        };
        if !lines.contains(&line) && lines.len() < MOST_MAPS {
            lines.push(line);
        }
    }
    lines
}

/// The key of a hash map that is made now; none if keys are not what they are thought to
/// be.
fn key() -> Option<u64> {
    let (first, second) = (keys(), keys());
    let follows = second[0] == first[0].wrapping_add(1) && second[1] == first[1];
    follows.then_some(first[0])
}

fn keys() -> [u64; 2] {
    const { assert!(size_of::<RandomState>() == 16) };
    // SAFETY: as many bytes, of which any value is two numbers. What they mean is found
    // out by who asks.
    #[expect(unsafe_code, reason = "nothing else tells")]
    unsafe {
        std::mem::transmute::<RandomState, [u64; 2]>(RandomState::new())
    }
}

/// Functions of the C library that note who calls them.
#[cfg(all(commute, target_os = "linux"))]
#[expect(unsafe_code, reason = "the linker finds them by their names")]
mod interposed {
    use std::ffi::CStr;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::{CLOCK, RANDOM};

    /// The function of the library that has this name; zero if there is none.
    fn real(cache: &AtomicUsize, name: &CStr) -> usize {
        let known = cache.load(Relaxed);
        if known != 0 {
            return known;
        }
        // SAFETY: a name that ends in a zero.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
        cache.store(found.addr(), Relaxed);
        found.addr()
    }

    #[unsafe(no_mangle)]
    extern "C" fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> libc::c_int {
        type Real = unsafe extern "C" fn(libc::clockid_t, *mut libc::timespec) -> libc::c_int;
        static REAL: AtomicUsize = AtomicUsize::new(0);
        CLOCK.note();
        let real = real(&REAL, c"clock_gettime");
        // SAFETY: the function has this type; without it the operating system is asked.
        // The caller answers for the pointer.
        unsafe {
            match real {
                0 => libc::syscall(libc::SYS_clock_gettime, clock, time) as libc::c_int,
                real => std::mem::transmute::<usize, Real>(real)(clock, time),
            }
        }
    }

    #[unsafe(no_mangle)]
    extern "C" fn getrandom(
        buffer: *mut libc::c_void,
        length: libc::size_t,
        flags: libc::c_uint,
    ) -> libc::ssize_t {
        RANDOM.note();
        // SAFETY: the caller answers for the buffer.
        unsafe { libc::syscall(libc::SYS_getrandom, buffer, length, flags) as libc::ssize_t }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_counted() {
        let mut maps = Maps::default();
        maps.begin();
        maps.end();
        assert!(!maps.seen);
        maps.begin();
        drop(std::collections::HashMap::<u8, u8>::new());
        maps.end();
        assert!(maps.seen);
    }
}
