//! The observation of a program: which operations were recorded, and which operations of the
//! program were not.
//!
//! The types are data; their `Display` is the English of the summary and of its reasons.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::untrusted::clip;

mod json;

pub use json::NotObserved;

/// How many places of unsafe code a reason names.
const PLACES: usize = 3;

/// What a run observed of a program, and what it did not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observed {
    /// The kinds of operations that were recorded.
    pub kinds: BTreeSet<ObservedKind>,
    /// Operations that were not recorded; none if nothing is known of the source code,
    /// because the run did not build the program.
    pub not: Option<Vec<Unobserved>>,
}

/// A kind of recorded operations, by the object they are performed on.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum ObservedKind {
    /// Starting and joining threads.
    Threads,
    /// Acquiring and releasing locks.
    Locks,
    /// Waiting for condition variables and notifying them.
    ConditionVariables,
    /// Reading and writing what a lock protects, through its guard.
    Variables,
    /// Atomics, and what is made of them.
    Atomics,
    /// Channels.
    Channels,
    /// Maps.
    Maps,
    /// Sets.
    Sets,
    /// Queues and stacks.
    Queues,
    /// Objects of other types.
    Objects,
}

impl ObservedKind {
    /// The kind of an object by the name of its specification.
    pub fn of_type(name: &str) -> ObservedKind {
        match name {
            "atomic" | "counter" | "register" => ObservedKind::Atomics,
            "channel" | "mpsc" => ObservedKind::Channels,
            "map" | "dictionary" | "hashtable" => ObservedKind::Maps,
            "set" | "hashset" => ObservedKind::Sets,
            "queue" | "bounded_queue" | "priority_queue" | "stack" => ObservedKind::Queues,
            _ => ObservedKind::Objects,
        }
    }
}

impl fmt::Display for ObservedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObservedKind::Threads => "threads",
            ObservedKind::Locks => "locks",
            ObservedKind::ConditionVariables => "condition variables",
            ObservedKind::Variables => "variables",
            ObservedKind::Atomics => "atomics",
            ObservedKind::Channels => "channels",
            ObservedKind::Maps => "maps",
            ObservedKind::Sets => "sets",
            ObservedKind::Queues => "queues",
            ObservedKind::Objects => "other objects",
        })
    }
}

/// Operations of a workspace crate that were not recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unobserved {
    /// The package of the crate.
    pub krate: String,
    /// Which operations.
    pub reason: UnobservedReason,
    /// Whether the user vouches for them (`--trust`), so that the verdict does not depend on
    /// them.
    pub is_trusted: bool,
}

/// Why operations of a crate were not recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnobservedReason {
    /// Unsafe code shares plain memory between threads, or may do so.
    Unsafe {
        /// The constructs, in the order of the source.
        uses: Vec<UnsafeUse>,
    },
    /// The crate uses locks, channels or tasks of a library that is not instrumented.
    Library {
        /// The package of the library.
        name: String,
        /// The first use: `file:line:column`.
        location: String,
    },
    /// A source file could not be read or understood, so that it may have unsafe code.
    Source {
        /// The file.
        file: String,
    },
}

/// A construct of unsafe code that plain memory can be shared by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnsafeUse {
    /// Where: `file:line:column`.
    pub location: String,
    /// What.
    pub construct: UnsafeConstruct,
}

/// A kind of construct that plain memory can be shared by.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum UnsafeConstruct {
    /// A dereference of a raw pointer, or a read or write through one.
    RawPointer,
    /// A raw pointer is freed, or turned into a value that frees it.
    Free,
    /// `static mut`
    StaticMut,
    /// `UnsafeCell`
    UnsafeCell,
    /// `unsafe impl Send`
    UnsafeSend,
    /// `unsafe impl Sync`
    UnsafeSync,
}

impl fmt::Display for UnsafeConstruct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnsafeConstruct::RawPointer => "raw pointer used",
            UnsafeConstruct::Free => "raw pointer freed",
            UnsafeConstruct::StaticMut => "`static mut`",
            UnsafeConstruct::UnsafeCell => "`UnsafeCell`",
            UnsafeConstruct::UnsafeSend => "`unsafe impl Send`",
            UnsafeConstruct::UnsafeSync => "`unsafe impl Sync`",
        })
    }
}

impl Unobserved {
    /// The name by which `--trust` waives it.
    pub fn trusted_as(&self) -> &str {
        match &self.reason {
            UnobservedReason::Library { name, .. } => name,
            UnobservedReason::Unsafe { .. } | UnobservedReason::Source { .. } => "unsafe",
        }
    }

    /// How the summary lists it if it is waived.
    fn waived(&self) -> String {
        let krate = clip(&self.krate, 100);
        match &self.reason {
            UnobservedReason::Library { name, .. } => {
                format!("`{}` in `{krate}`", clip(name, 100))
            }
            UnobservedReason::Unsafe { .. } | UnobservedReason::Source { .. } => {
                format!("unsafe code of `{krate}`")
            }
        }
    }
}

/// The reason for an inconclusive verdict.
impl fmt::Display for Unobserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let krate = clip(&self.krate, 100);
        let trust = clip(self.trusted_as(), 100);
        match &self.reason {
            UnobservedReason::Unsafe { uses } => {
                write!(
                    f,
                    "plain memory is not observed, and `{krate}` has unsafe code"
                )?;
                for (i, one) in uses.iter().take(PLACES).enumerate() {
                    let location = clip(&one.location, 200);
                    let between = if i == 0 { ": " } else { ", " };
                    write!(f, "{between}{} at {location}", one.construct)?;
                }
                let more = uses.len().saturating_sub(PLACES);
                if more > 0 {
                    write!(f, " and {more} more")?;
                }
            }
            UnobservedReason::Library { name, location } => {
                let (name, location) = (clip(name, 100), clip(location, 200));
                write!(
                    f,
                    "`{krate}` uses `{name}`, which is not instrumented, at {location}"
                )?;
            }
            UnobservedReason::Source { file } => {
                let file = clip(file, 200);
                write!(
                    f,
                    "whether `{krate}` has unsafe code is not known: {file} could not be read"
                )?;
            }
        }
        write!(f, " (--trust {trust})")
    }
}

/// What follows the analyses in the line of the summary.
impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.kinds.is_empty() {
            let kinds: Vec<String> = self.kinds.iter().map(|kind| self.named(*kind)).collect();
            write!(f, "observed: {}; ", kinds.join(", "))?;
        }
        let Some(not) = &self.not else {
            return f.write_str("not observed: not known, because nothing was built");
        };
        f.write_str("not observed: plain memory")?;
        let waived: BTreeSet<String> = { not.iter() }
            .filter(|one| one.is_trusted)
            .map(Unobserved::waived)
            .collect();
        if !waived.is_empty() {
            let waived: Vec<String> = waived.into_iter().collect();
            write!(f, "; trusted: {}", waived.join(", "))?;
        }
        Ok(())
    }
}

impl Observed {
    /// A kind in the summary. Of a program that we build, variables are what locks protect.
    fn named(&self, kind: ObservedKind) -> String {
        match kind {
            ObservedKind::Variables if self.not.is_some() => "values in locks".to_owned(),
            kind => kind.to_string(),
        }
    }

    /// What two runs observed together.
    #[must_use]
    pub fn and(mut self, other: Observed) -> Observed {
        self.kinds.extend(other.kinds);
        self.not = self.not.zip(other.not).map(|(mut not, more)| {
            not.extend(more);
            let mut seen = Vec::new();
            not.retain(|one| {
                let is_new = !seen.contains(one);
                seen.extend(is_new.then(|| one.clone()));
                is_new
            });
            not
        });
        self
    }
}
