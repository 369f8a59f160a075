//! What reader-writer locks are made of.
//!
//! One who may upgrade shares the lock with readers, and excludes all others who may
//! or who write. So there is a second lock in the trace: the right to upgrade, which
//! upgradable readers and writers hold. Upgrading gives the shared lock up and takes
//! it alone, with the right held all the time: that nobody can write in between is
//! then so in every order that the trace allows, not only in the one that happened.

use std::panic::Location;
use std::time::{Duration, Instant};

use ::parking_lot as original;
use commute_record::{Kind, LockOp, Tag, lock};
use original::lock_api::{
    self, RawRwLock as _, RawRwLockDowngrade, RawRwLockFair, RawRwLockRecursive,
    RawRwLockRecursiveTimed, RawRwLockTimed, RawRwLockUpgrade as _,
};

use super::holder::Holder;
use super::place::{At, Taken, of_client, share, unshare};
use super::section;
use crate::explored;

static RWLOCK: Kind = Kind::lock("rwlock");
static UPGRADE: Kind = Kind::lock("upgrade");

/// As [`parking_lot::RawRwLock`](original::RawRwLock), which is inside and decides
/// everything.
pub struct RawRwLock {
    pub(crate) tag: Tag,
    upgrade: Tag,
    /// By the one who has the right to upgrade.
    taken: Taken,
    /// The one who has the right to upgrade.
    holder: Holder,
    pub(super) inner: original::RawRwLock,
}

impl RawRwLock {
    #[track_caller]
    pub(super) const fn new() -> RawRwLock {
        RawRwLock {
            tag: Tag::new(&RWLOCK),
            upgrade: Tag::new(&UPGRADE),
            taken: Taken::nowhere(),
            holder: Holder::nobody(),
            inner: original::RawRwLock::INIT,
        }
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    pub(super) fn taken_at(&self) -> At {
        self.taken.get().unwrap_or(self.tag.created())
    }

    /// Whether what is done to it is a step of a test.
    #[inline(always)]
    pub(super) fn is_explored(&self) -> bool {
        explored::is_on(&self.tag)
    }

    /// Takes it in a test that is explored; none elsewhere.
    #[inline]
    pub(super) fn take_explored(&self, step: &'static str, at: At) -> Option<bool> {
        if !self.is_explored() {
            return None;
        }
        let at = of_client(at, || self.taken_at());
        let took = explored::raw_lock::take_raw(&self.tag, step, at, || match step {
            "lock" | "try_lock" => self.inner.try_lock_exclusive(),
            "read" | "try_read" => self.inner.try_lock_shared_recursive(),
            _ => self.inner.try_lock_upgradable(),
        });
        if took {
            self.taken.set(at);
        }
        Some(took)
    }

    /// What is done by one who has it.
    pub(super) fn tell_explored(&self, step: &'static str, at: At) {
        let is_changed = matches!(step, "unlock" | "downgrade" | "downgrade_to_upgradable");
        explored::raw_lock::tell_raw(&self.tag, step, is_changed, at);
    }

    fn took_shared(&self, at: At) {
        if self.holder.is_recorded() {
            let at = of_client(at, || self.tag.created());
            share(self.address(), at);
            section::begin(&self.tag, LockOp::ReadAcquire, at);
        }
    }

    fn gives_back_shared(&self) {
        if self.holder.is_recorded() {
            match unshare(self.address(), || self.tag.created()) {
                Some(at) => lock(&self.tag, LockOp::ReadRelease, at),
                None => self.holder.lose(),
            }
        }
    }

    /// Alone, or as one who may upgrade.
    pub(super) fn took(&self, how: LockOp, at: At) {
        if self.holder.takes() {
            let at = of_client(at, || self.taken_at());
            self.taken.set(at);
            lock(&self.upgrade, LockOp::Acquire, at);
            section::begin(&self.tag, how, at);
        }
    }

    pub(super) fn gives_back(&self, how: LockOp) {
        if self.holder.holds() {
            let at = self.taken_at();
            lock(&self.tag, how, at);
            lock(&self.upgrade, LockOp::Release, at);
        }
    }

    /// One who has the right to upgrade goes from one way to hold it to another.
    pub(super) fn changes(&self, release: LockOp, acquire: LockOp, at: At) {
        if self.holder.holds() {
            let at = of_client(at, || self.taken_at());
            lock(&self.tag, release, self.taken_at());
            self.taken.set(at);
            section::begin(&self.tag, acquire, at);
        }
    }

    /// One who shares the lock gives up the right to upgrade.
    pub(super) fn gives_up_upgrading(&self, at: At) {
        if self.holder.holds() {
            share(self.address(), of_client(at, || self.taken_at()));
            lock(&self.upgrade, LockOp::Release, self.taken_at());
        }
    }
}

/// Attempts and other ways to take it, each with what it says.
macro_rules! takes {
    ($($method:ident($($timeout:ident: $Time:ty)?) => $took:ident($($how:ident)?), $step:literal;)*) => {
        $(#[track_caller]
        #[inline]
        fn $method(&self $(, $timeout: $Time)?) -> bool {
            if let Some(took) = self.take_explored($step, Location::caller()) {
                return took;
            }
            let took = self.inner.$method($($timeout)?);
            if took {
                self.$took($(LockOp::$how,)? Location::caller());
            }
            took
        })*
    };
}

/// Ways to give it back, each with what it says before.
macro_rules! gives_back {
    ($($method:ident => $gives:ident($($how:ident)?), $step:literal;)*) => {
        $(#[inline]
        unsafe fn $method(&self) {
            match self.is_explored() {
                true => self.tell_explored($step, self.taken_at()),
                false => self.$gives($(LockOp::$how)?),
            }
            // SAFETY: the caller's promise.
            unsafe { self.inner.$method() };
        })*
    };
}

pub(super) use {gives_back, takes};

// SAFETY: here and below, the original excludes whom it excludes.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl lock_api::RawRwLock for RawRwLock {
    const INIT: Self = RawRwLock::new();

    type GuardMarker = <original::RawRwLock as lock_api::RawRwLock>::GuardMarker;

    #[track_caller]
    #[inline]
    fn lock_shared(&self) {
        if self.take_explored("read", Location::caller()).is_some() {
            return;
        }
        self.inner.lock_shared();
        self.took_shared(Location::caller());
    }

    #[track_caller]
    #[inline]
    fn lock_exclusive(&self) {
        if self.take_explored("lock", Location::caller()).is_some() {
            return;
        }
        self.inner.lock_exclusive();
        self.took(LockOp::Acquire, Location::caller());
    }

    takes! {
        try_lock_shared() => took_shared(), "try_read";
        try_lock_exclusive() => took(Acquire), "try_lock";
    }

    gives_back! {
        unlock_shared => gives_back_shared(), "unread";
        unlock_exclusive => gives_back(Release), "unlock";
    }

    #[inline]
    fn is_locked(&self) -> bool {
        if self.is_explored() {
            return explored::raw_lock::is_held(&self.tag, "is_locked", || self.inner.is_locked());
        }
        self.inner.is_locked()
    }

    #[inline]
    fn is_locked_exclusive(&self) -> bool {
        if self.is_explored() {
            let real = || self.inner.is_locked_exclusive();
            return explored::raw_lock::is_held(&self.tag, "is_locked_exclusive", real);
        }
        self.inner.is_locked_exclusive()
    }
}

// SAFETY: see above.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockFair for RawRwLock {
    gives_back! {
        unlock_shared_fair => gives_back_shared(), "unread";
        unlock_exclusive_fair => gives_back(Release), "unlock";
    }
}

// SAFETY: see above.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockDowngrade for RawRwLock {
    #[track_caller]
    unsafe fn downgrade(&self) {
        let at = Location::caller();
        match self.is_explored() {
            true => self.tell_explored("downgrade", at),
            false => {
                self.changes(LockOp::Release, LockOp::ReadAcquire, at);
                self.gives_up_upgrading(at);
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.inner.downgrade() };
    }
}

// SAFETY: see above.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockTimed for RawRwLock {
    type Duration = Duration;
    type Instant = Instant;

    takes! {
        try_lock_shared_for(timeout: Duration) => took_shared(), "try_read";
        try_lock_shared_until(timeout: Instant) => took_shared(), "try_read";
        try_lock_exclusive_for(timeout: Duration) => took(Acquire), "try_lock";
        try_lock_exclusive_until(timeout: Instant) => took(Acquire), "try_lock";
    }
}

// SAFETY: see above.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockRecursive for RawRwLock {
    #[track_caller]
    #[inline]
    fn lock_shared_recursive(&self) {
        if self.take_explored("read", Location::caller()).is_some() {
            return;
        }
        self.inner.lock_shared_recursive();
        self.took_shared(Location::caller());
    }

    takes! {
        try_lock_shared_recursive() => took_shared(), "try_read";
    }
}

// SAFETY: see above.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockRecursiveTimed for RawRwLock {
    takes! {
        try_lock_shared_recursive_for(timeout: Duration) => took_shared(), "try_read";
        try_lock_shared_recursive_until(timeout: Instant) => took_shared(), "try_read";
    }
}
