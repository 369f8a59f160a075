//! Upgrading and downgrading of reader-writer locks.

use std::panic::Location;
use std::time::{Duration, Instant};

use ::parking_lot::lock_api::{
    RawRwLockUpgrade, RawRwLockUpgradeDowngrade, RawRwLockUpgradeFair, RawRwLockUpgradeTimed,
};
use commute_record::LockOp;

use crate::explored::raw_lock::wait_raw;

use super::raw_rwlock::{RawRwLock, gives_back, takes};

/// Attempts to upgrade.
macro_rules! upgrades {
    ($($method:ident($($timeout:ident: $Time:ty)?);)*) => {
        $(#[track_caller]
        #[inline]
        unsafe fn $method(&self $(, $timeout: $Time)?) -> bool {
            if self.is_explored() {
                let upgraded = wait_raw(&self.tag, "try_upgrade", Location::caller());
                // SAFETY: the caller's promise.
                return upgraded && unsafe { self.inner.try_upgrade() };
            }
            // SAFETY: the caller's promise.
            let upgraded = unsafe { self.inner.$method($($timeout)?) };
            if upgraded {
                self.changes(LockOp::ReadRelease, LockOp::Acquire, Location::caller());
            }
            upgraded
        })*
    };
}

// SAFETY: the original excludes whom it excludes.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockUpgrade for RawRwLock {
    #[track_caller]
    #[inline]
    fn lock_upgradable(&self) {
        if self
            .take_explored("upgradable", Location::caller())
            .is_some()
        {
            return;
        }
        self.inner.lock_upgradable();
        self.took(LockOp::ReadAcquire, Location::caller());
    }

    takes! {
        try_lock_upgradable() => took(ReadAcquire), "try_upgradable";
    }

    gives_back! {
        unlock_upgradable => gives_back(ReadRelease), "unupgradable";
    }

    #[track_caller]
    #[inline]
    unsafe fn upgrade(&self) {
        if self.is_explored() {
            wait_raw(&self.tag, "upgrade", Location::caller());
        }
        // SAFETY: the caller's promise.
        unsafe { self.inner.upgrade() };
        self.changes(LockOp::ReadRelease, LockOp::Acquire, Location::caller());
    }

    upgrades! {
        try_upgrade();
    }
}

// SAFETY: the original excludes whom it excludes.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockUpgradeFair for RawRwLock {
    gives_back! {
        unlock_upgradable_fair => gives_back(ReadRelease), "unupgradable";
    }
}

// SAFETY: the original excludes whom it excludes.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockUpgradeDowngrade for RawRwLock {
    #[track_caller]
    unsafe fn downgrade_upgradable(&self) {
        match self.is_explored() {
            true => self.tell_explored("downgrade_upgradable", Location::caller()),
            false => self.gives_up_upgrading(Location::caller()),
        }
        // SAFETY: the caller's promise.
        unsafe { self.inner.downgrade_upgradable() };
    }

    #[track_caller]
    unsafe fn downgrade_to_upgradable(&self) {
        match self.is_explored() {
            true => self.tell_explored("downgrade_to_upgradable", Location::caller()),
            false => self.changes(LockOp::Release, LockOp::ReadAcquire, Location::caller()),
        }
        // SAFETY: the caller's promise.
        unsafe { self.inner.downgrade_to_upgradable() };
    }
}

// SAFETY: the original excludes whom it excludes.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl RawRwLockUpgradeTimed for RawRwLock {
    takes! {
        try_lock_upgradable_for(timeout: Duration) => took(ReadAcquire), "try_upgradable";
        try_lock_upgradable_until(timeout: Instant) => took(ReadAcquire), "try_upgradable";
    }

    upgrades! {
        try_upgrade_for(timeout: Duration);
        try_upgrade_until(timeout: Instant);
    }
}
