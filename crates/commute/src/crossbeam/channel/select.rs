//! Waiting for one of several operations.

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use commute_explore::runtime::{is_inside, misuse, stuck};

use super::handle::{Handle, Token};
use super::race::{self, How};
use super::receiver::{Receiver, ticks};
use super::selected::SelectedOperation;
use super::sender::Sender;
use super::shared::At;
use super::waker::{Waker, any_number};
use super::{ReadyTimeoutError, SelectTimeoutError, TryReadyError, TrySelectError};

/// As [`crossbeam_channel::Select`](::crossbeam_channel::Select).
#[derive(Clone)]
pub struct Select<'a> {
    handles: Vec<(usize, &'a dyn Handle)>,
    next: usize,
    biased: bool,
}

// SAFETY: the ends that it borrows are used under the lock of their channel. Messages
// are moved there, but nobody looks at them, drops them or gets them by this alone:
// that takes one of the ends, which only a thread has that may have it.
#[expect(unsafe_code, reason = "the original's is both, whatever the messages")]
unsafe impl Send for Select<'_> {}

// SAFETY: as above.
#[expect(unsafe_code, reason = "the original's is both, whatever the messages")]
unsafe impl Sync for Select<'_> {}

/// How often to look at channels of the original, which wake nobody.
const LOOK: Duration = Duration::from_millis(1);

impl<'a> Select<'a> {
    /// As the original's.
    pub fn new() -> Select<'a> {
        Select {
            handles: Vec::new(),
            next: 0,
            biased: false,
        }
    }

    /// As the original's.
    pub fn new_biased() -> Select<'a> {
        Select {
            biased: true,
            ..Select::new()
        }
    }

    fn add(&mut self, handle: &'a dyn Handle) -> usize {
        let index = self.next;
        self.handles.push((index, handle));
        self.next += 1;
        index
    }

    /// As the original's.
    pub fn send<T>(&mut self, s: &'a Sender<T>) -> usize {
        self.add(s)
    }

    /// As the original's.
    pub fn recv<T>(&mut self, r: &'a Receiver<T>) -> usize {
        self.add(r)
    }

    /// As the original's.
    pub fn remove(&mut self, index: usize) {
        assert!(
            index < self.next,
            "index out of bounds; {index} >= {}",
            self.next
        );
        let i = self.handles.iter().position(|(i, _)| *i == index);
        let i = i.expect("no operation with this index");
        self.handles.swap_remove(i);
    }

    /// Waits until `look` finds something at a handle.
    fn wait<R>(
        &self,
        until: Option<Instant>,
        look: impl Fn(usize, &'a dyn Handle, usize) -> Option<R>,
    ) -> Option<R> {
        if let Some(found) = self.look(&look, false) {
            return Some(found);
        }
        let is_over = || until.is_some_and(|until| Instant::now() >= until);
        if is_over() {
            return None;
        }
        let waker = Arc::new(Waker::new());
        self.handles
            .iter()
            .for_each(|(_, handle)| handle.watch(&waker));
        let blind = self
            .handles
            .iter()
            .any(|(_, handle)| handle.channel().is_none());
        let found = loop {
            if let Some(found) = self.look(&look, true) {
                break Some(found);
            }
            if is_over() {
                break None;
            }
            let next = blind.then(|| Instant::now() + LOOK);
            waker.wait(next.map_or(until, |next| {
                Some(until.map_or(next, |until| until.min(next)))
            }));
        };
        self.handles
            .iter()
            .for_each(|(_, handle)| handle.unwatch(&waker));
        found
    }

    fn look<R>(
        &self,
        look: &impl Fn(usize, &'a dyn Handle, usize) -> Option<R>,
        watching: bool,
    ) -> Option<R> {
        let many = self.handles.len().max(1);
        let start = if self.biased {
            0
        } else {
            any_number() as usize % many
        };
        let (late, early) = self.handles.split_at(start.min(self.handles.len()));
        early.iter().chain(late).find_map(|(index, handle)| {
            // Who sends and receives on the same channel does not wait for itself.
            let mine =
                |(_, other): &&(usize, &dyn Handle)| match (other.channel(), handle.channel()) {
                    (Some((one, true)), Some((other, false))) => one == other,
                    _ => false,
                };
            let own = if watching {
                self.handles.iter().filter(mine).count()
            } else {
                0
            };
            look(*index, *handle, own)
        })
    }

    /// In a test that is explored: the number of an operation, and what it was promised.
    /// A time may be over whenever nothing is ready.
    fn race(&self, until: Option<Instant>, looks: bool, at: At) -> Option<(usize, Token)> {
        let operations = self.handles.iter().map(|(_, handle)| handle.operation());
        let Some(operations) = operations.collect::<Option<Vec<_>>>() else {
            misuse(ticks());
            stuck("a selection is made");
        };
        let how = How {
            waits: until.is_none(),
            looks,
            biased: self.biased,
        };
        race::select(&operations, how, at)
    }

    fn select_at(&self, until: Option<Instant>, at: At) -> Option<SelectedOperation<'a>> {
        if is_inside() {
            let (place, token) = self.race(until, false, at)?;
            let (index, handle) = self.handles[place];
            return Some(SelectedOperation {
                index,
                handle: std::ptr::from_ref(handle).cast::<()>().addr(),
                token: Some(token),
                at,
                _ends: PhantomData,
            });
        }
        self.wait(until, |index, handle, own| {
            let token = Some(handle.attempt(own, at)?);
            let handle = std::ptr::from_ref(handle).cast::<()>().addr();
            let _ends = PhantomData;
            Some(SelectedOperation {
                index,
                handle,
                token,
                at,
                _ends,
            })
        })
    }

    /// For `select!`: borrows nothing, so that the arms may change what was selected
    /// from.
    #[doc(hidden)]
    #[track_caller]
    pub fn unbound(self, until: Option<Instant>) -> Option<SelectedOperation<'static>> {
        let at = Location::caller();
        let SelectedOperation {
            index,
            handle,
            ref mut token,
            ..
        } = *mem::ManuallyDrop::new(self.select_at(until, at)?);
        Some(SelectedOperation {
            index,
            handle,
            token: token.take(),
            at,
            _ends: PhantomData,
        })
    }

    /// As the original's.
    #[track_caller]
    pub fn try_select(&mut self) -> Result<SelectedOperation<'a>, TrySelectError> {
        let now = Some(Instant::now());
        self.select_at(now, Location::caller())
            .ok_or(TrySelectError)
    }

    /// As the original's.
    #[track_caller]
    pub fn select(&mut self) -> SelectedOperation<'a> {
        assert!(
            !self.handles.is_empty(),
            "no operations have been added to `Select`"
        );
        let selected = self.select_at(None, Location::caller());
        selected.expect("waits until there is one")
    }

    /// As the original's.
    #[track_caller]
    pub fn select_timeout(
        &mut self,
        timeout: Duration,
    ) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        let until = Instant::now().checked_add(timeout);
        self.select_at(until, Location::caller())
            .ok_or(SelectTimeoutError)
    }

    /// As the original's.
    #[track_caller]
    pub fn select_deadline(
        &mut self,
        deadline: Instant,
    ) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        self.select_at(Some(deadline), Location::caller())
            .ok_or(SelectTimeoutError)
    }

    #[track_caller]
    fn ready_at(&self, until: Option<Instant>) -> Option<usize> {
        if is_inside() {
            let (place, _) = self.race(until, true, Location::caller())?;
            return Some(self.handles[place].0);
        }
        self.wait(until, |index, handle, _| handle.is_ready().then_some(index))
    }

    /// As the original's.
    #[track_caller]
    pub fn try_ready(&mut self) -> Result<usize, TryReadyError> {
        self.ready_at(Some(Instant::now())).ok_or(TryReadyError)
    }

    /// As the original's.
    #[track_caller]
    pub fn ready(&mut self) -> usize {
        assert!(
            !self.handles.is_empty(),
            "no operations have been added to `Select`"
        );
        self.ready_at(None).expect("waits until there is one")
    }

    /// As the original's.
    #[track_caller]
    pub fn ready_timeout(&mut self, timeout: Duration) -> Result<usize, ReadyTimeoutError> {
        let until = Instant::now().checked_add(timeout);
        self.ready_at(until).ok_or(ReadyTimeoutError)
    }

    /// As the original's.
    #[track_caller]
    pub fn ready_deadline(&mut self, deadline: Instant) -> Result<usize, ReadyTimeoutError> {
        self.ready_at(Some(deadline)).ok_or(ReadyTimeoutError)
    }
}

impl Default for Select<'_> {
    fn default() -> Self {
        Select::new()
    }
}

impl fmt::Debug for Select<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Select { .. }")
    }
}
