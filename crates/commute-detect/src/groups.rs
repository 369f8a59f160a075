//! One finding per pair of places in the source code.
//!
//! A race in a loop is found once per iteration; a person wants to read it
//! once. Races are grouped by code and pair of locations; the first of a group
//! becomes the finding, the others are counted.

use commute_model::{Code, Finding, LocationId, Names, Note, ObjectId, Sink, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// More groups than this are only counted: a trace in which every event has a
/// location of its own must not fill the memory with findings.
const MOST_GROUPS: usize = 10_000;

/// Of one group, so many objects are named.
const MOST_SUBJECTS: usize = 4;

/// So many pairs of a group and an object are told apart.
const MOST_DISTINCT: usize = 1 << 20;

/// How often races on one object or variable were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceTotal {
    /// Commutativity races or data races.
    pub code: Code,
    /// The name of the object or the variable.
    pub object: String,
    /// How many pairs of events race, of those that are compared.
    pub total: u64,
    /// How many pairs of sites these have.
    pub distinct: u64,
}

/// A place in the source code, or what stands for it where the trace names none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Site {
    At(LocationId),
    /// An operation (a method, or 0 to 2 for accesses) on an object or variable.
    Nowhere(u32, u32),
}

impl Site {
    /// The site of an operation on `subject` at `location`.
    pub(crate) fn new(location: LocationId, subject: u32, operation: u32, names: &Names) -> Site {
        if names.locations.name(location).is_empty() {
            Site::Nowhere(subject, operation)
        } else {
            Site::At(location)
        }
    }
}

/// The findings so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    places: FxHashMap<(Code, Site, Site), usize>,
    findings: Vec<Finding>,
    /// The objects or variables of each finding, the first one's first.
    subjects: Vec<SmallVec<[u32; 2]>>,
    /// Races in groups that were not kept.
    pub(crate) dropped: u64,
    /// Of each object and variable: how many pairs of events and of sites.
    totals: FxHashMap<(Code, u32), (u64, u64)>,
    /// The objects and variables, in the order in which races on them were found.
    order: Vec<(Code, u32)>,
    /// The groups of each object and variable.
    distinct: FxHashSet<(u32, u32)>,
}

impl Groups {
    /// Counts a race between two sites on `subject`, an object or a variable; builds its finding if it is the first.
    pub(crate) fn add(
        &mut self,
        code: Code,
        sites: [Site; 2],
        subject: u32,
        build: impl FnOnce() -> Finding,
    ) {
        let [a, b] = sites;
        let key = (code, a.min(b), a.max(b));
        let known = self.places.get(&key).copied();
        self.count(code, subject, known.unwrap_or(self.findings.len()));
        if let Some(place) = known {
            self.findings[place].count += 1;
            let subjects = &mut self.subjects[place];
            if subjects.len() <= MOST_SUBJECTS && !subjects.contains(&subject) {
                subjects.push(subject);
            }
        } else if self.findings.len() < MOST_GROUPS {
            self.places.insert(key, self.findings.len());
            self.findings.push(build());
            self.subjects.push(smallvec![subject]);
        } else {
            self.dropped += 1;
        }
    }

    /// Counts a race on `subject` in the group at this place. What is in no group counts
    /// as one.
    fn count(&mut self, code: Code, subject: u32, place: usize) {
        let total = self.totals.entry((code, subject)).or_insert_with(|| {
            self.order.push((code, subject));
            (0, 0)
        });
        total.0 += 1;
        // A group is of one code.
        let is_known = self.distinct.len() >= MOST_DISTINCT;
        if !is_known && self.distinct.insert((place as u32, subject)) {
            total.1 += 1;
        }
    }

    /// How often races on each object and variable were found.
    pub(crate) fn totals(&self, names: &Names) -> Vec<RaceTotal> {
        let total = |key: &(Code, u32)| {
            let (total, distinct) = self.totals[key];
            RaceTotal {
                code: key.0,
                object: name(key.0, key.1, names),
                total,
                distinct,
            }
        };
        self.order.iter().map(total).collect()
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Hands all findings over, in the order in which they were found.
    /// A finding on several objects says so in a note `also on`, one name each.
    pub(crate) fn finish(&mut self, names: &Names, sink: &mut dyn Sink) {
        self.places.clear();
        let subjects = self.subjects.drain(..);
        for (mut finding, subjects) in self.findings.drain(..).zip(subjects) {
            let name = |subject: &u32| name(finding.code, *subject, names);
            let others = subjects.iter().skip(1).take(MOST_SUBJECTS - 1);
            let mut others: Vec<_> = others.map(name).collect();
            if subjects.len() > MOST_SUBJECTS {
                others.push("…".to_owned());
            }
            let notes = others.iter().map(|name| Note::new("also on", name));
            finding.notes.extend(notes);
            sink.finding(finding);
        }
    }
}

/// The name of an object or a variable.
fn name(code: Code, subject: u32, names: &Names) -> String {
    match code {
        Code::CM101 => names.objects.name(ObjectId(subject)).to_string(),
        _ => names.variables.name(VariableId(subject)).to_string(),
    }
}
