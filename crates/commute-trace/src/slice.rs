//! Parts of a trace.
//!
//! A part must still be a trace that can be read and understood on its own, so
//! some events outside the selection are kept as well:
//!
//! - **by range**: of the events before the range those that are still in force
//!   when it starts: `new` of objects that live, `begin` of blocks that are open,
//!   acquisitions of locks that are held, and waits. Without them the part would
//!   have actions on unknown objects and releases of locks that nobody holds.
//! - **by thread**: `fork`, `join`, `new` and `drop` of all threads. Locks of the
//!   others are gone, and with them the order that went through the others: a
//!   part by thread can show a race that the whole trace does not have.
//! - **by object**: everything that orders events or delimits blocks (locks,
//!   forks, joins, waits, `begin`, `end`). Gone are plain accesses and actions on
//!   other objects, so happens-before on what is left is as in the whole trace.
//!
//! What is given more than once must hold at the same time.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use commute_model::{Event, Id, LockId, NameTable, Names, ObjectId, Op, ThreadId};
use rustc_hash::FxHashMap;

/// Which part of a trace.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Events with these indices, counted from 1.
    pub range: Option<RangeInclusive<u64>>,
    /// Events of the threads with these names.
    pub threads: Option<Vec<String>>,
    /// Events on the objects with these names.
    pub objects: Option<Vec<String>>,
}

/// Takes a part of a trace, event by event.
///
/// ```
/// use commute_trace::{Options, Selection, Slicer, TraceReader};
///
/// let text = "T1|new(o:set)|1\nT1|w(x)|2\nT1|o.add(1)/true|3\nT2|o.add(2)/true|4\n";
/// let mut reader = TraceReader::from_reader(text.as_bytes(), Options::default())?;
/// let mut slicer = Slicer::new(Selection { range: Some(4..=4), ..Selection::default() });
/// let (mut events, mut part) = (Vec::new(), Vec::new());
/// while reader.read_batch(&mut events)? > 0 {
///     for (i, event) in events.iter().enumerate() {
///         slicer.step(event, reader.index(i), reader.names(), &mut part);
///     }
/// }
/// let lines: Vec<String> = part.iter().map(|e| e.display(reader.names()).to_string()).collect();
/// assert_eq!(lines, ["T1|new(o:set)|1", "T2|o.add(2)/true|4"]);
/// # Ok::<(), commute_trace::TraceError>(())
/// ```
#[derive(Debug)]
pub struct Slicer {
    range: RangeInclusive<u64>,
    threads: Option<Filter>,
    objects: Option<Filter>,
    /// Events before the range that are in force, with their indices.
    in_force: FxHashMap<Force, Vec<(u64, Event)>>,
}

/// What is in force; what ends ends the last of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Force {
    Life(ObjectId),
    Block(ThreadId),
    Hold(ThreadId, LockId),
    Share(ThreadId, LockId),
    Wait(ThreadId),
}

/// Of what is nested more deeply, only the outer part is kept.
const DEEPEST: usize = 1 << 12;

impl Slicer {
    /// Takes this part.
    pub fn new(selection: Selection) -> Slicer {
        Slicer {
            range: selection.range.unwrap_or(1..=u64::MAX),
            threads: selection.threads.map(Filter::new),
            objects: selection.objects.map(Filter::new),
            in_force: FxHashMap::default(),
        }
    }

    /// Takes the event with this index: adds to `part` what belongs to the part.
    pub fn step(&mut self, event: &Event, index: u64, names: &Names, part: &mut Vec<Event>) {
        if index > *self.range.end() {
            return;
        }
        let selected = self.selects(event, names);
        if index < *self.range.start() {
            if selected {
                self.keep_in_mind(event, index);
            }
            return;
        }
        // order: only whether there is any.
        if !self.in_force.is_empty() {
            // order: sorted by index right after.
            let mut kept: Vec<(u64, Event)> = self.in_force.drain().flat_map(|(_, e)| e).collect();
            kept.sort_unstable_by_key(|(index, _)| *index);
            part.extend(kept.into_iter().map(|(_, event)| event));
        }
        if selected {
            part.push(event.clone());
        }
    }

    /// Whether no event after the one with this index belongs to the part.
    pub fn is_past(&self, index: u64) -> bool {
        index >= *self.range.end()
    }

    /// The names of the selection that have not occurred.
    pub fn unused(&self) -> Vec<&str> {
        let filters = self.threads.iter().chain(&self.objects);
        filters
            .flat_map(|filter| filter.unused.iter().map(String::as_str))
            .collect()
    }

    /// Whether thread and object of the event are selected, or the event is kept
    /// whatever they are.
    fn selects(&mut self, event: &Event, names: &Names) -> bool {
        let thread_fits = match &mut self.threads {
            Some(threads) => threads.selects(event.thread, &names.threads),
            None => true,
        };
        let mut object_fits = |object: ObjectId| match &mut self.objects {
            Some(objects) => objects.selects(object, &names.objects),
            None => true,
        };
        match &event.op {
            Op::Fork(_) | Op::Join(_) => true,
            Op::New(object, _) | Op::Drop(object) => object_fits(*object),
            Op::Action(action) => object_fits(action.object) && thread_fits,
            Op::Read(_) | Op::Write(_) | Op::Alloc(_) | Op::Free(_) | Op::Dummy | Op::Branch => {
                thread_fits && self.objects.is_none()
            }
            _ => thread_fits,
        }
    }

    /// Notes what comes into force, and forgets what ends.
    fn keep_in_mind(&mut self, event: &Event, index: u64) {
        let thread = event.thread;
        match &event.op {
            Op::New(object, _) => self.starts(Force::Life(*object), event, index),
            Op::Drop(object) => self.ends(Force::Life(*object)),
            Op::Begin(_) => self.starts(Force::Block(thread), event, index),
            Op::End(_) => self.ends(Force::Block(thread)),
            Op::Acquire(lock) => self.starts(Force::Hold(thread, *lock), event, index),
            Op::Release(lock) => self.ends(Force::Hold(thread, *lock)),
            Op::ReadAcquire(lock) => self.starts(Force::Share(thread, *lock), event, index),
            Op::ReadRelease(lock) => self.ends(Force::Share(thread, *lock)),
            // The acquisition stays: the wait that gives the lock back does too.
            Op::Wait(..) => self.starts(Force::Wait(thread), event, index),
            Op::Wake(..) => self.ends(Force::Wait(thread)),
            _ => {}
        }
    }

    fn starts(&mut self, force: Force, event: &Event, index: u64) {
        let events = self.in_force.entry(force).or_default();
        if events.len() < DEEPEST {
            events.push((index, event.clone()));
        }
    }

    fn ends(&mut self, force: Force) {
        if let Some(events) = self.in_force.get_mut(&force) {
            events.pop();
            if events.is_empty() {
                self.in_force.remove(&force);
            }
        }
    }
}

/// Names that are selected.
#[derive(Debug)]
struct Filter {
    names: BTreeSet<String>,
    unused: BTreeSet<String>,
    /// What was found out about ids.
    known: Vec<Option<bool>>,
}

impl Filter {
    fn new(names: Vec<String>) -> Filter {
        let names: BTreeSet<String> = names.into_iter().collect();
        Filter {
            unused: names.clone(),
            names,
            known: Vec::new(),
        }
    }

    fn selects<I: Id>(&mut self, id: I, table: &NameTable<I>) -> bool {
        if self.known.len() <= id.index() {
            self.known.resize(id.index() + 1, None);
        }
        *self.known[id.index()].get_or_insert_with(|| {
            let name = table.name(id).to_string();
            self.unused.remove(&name);
            self.names.contains(&name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{Options, TraceReader};

    const TRACE: &str = "\
        T0|new(o:set)|1\nT0|new(p:set)|1\nT0|fork(T1)|1\nT0|drop(p)|1\n\
        T1|begin|2\nT1|acq(m)|2\nT1|acq(m)|2\nT1|rel(m)|2\nT1|racq(n)|2\nT1|w(x)|2\n\
        T0|acq(k)|3\nT0|wait(c,k)|3\nT1|o.add(1)/true|4\nT1|rrel(n)|4\nT1|rel(m)|4\n\
        T1|end|4\nT0|wake(c,k)|5\nT0|rel(k)|5\nT0|join(T1)|5\nT0|o.add(1)/false|5\n";

    fn slice(selection: Selection) -> (Vec<String>, Vec<String>) {
        let mut reader = TraceReader::from_reader(TRACE.as_bytes(), Options::default()).unwrap();
        let mut slicer = Slicer::new(selection);
        let (mut events, mut part) = (Vec::new(), Vec::new());
        while reader.read_batch(&mut events).unwrap() > 0 {
            for (i, event) in events.iter().enumerate() {
                slicer.step(event, reader.index(i), reader.names(), &mut part);
            }
        }
        let lines = part.iter().map(|e| e.display(reader.names()).to_string());
        (
            lines.collect(),
            slicer.unused().into_iter().map(String::from).collect(),
        )
    }

    #[test]
    fn a_range_keeps_what_is_in_force_when_it_starts() {
        let range = Some(13..=14);
        let (lines, _) = slice(Selection {
            range,
            ..Selection::default()
        });
        assert_eq!(
            lines,
            [
                "T0|new(o:set)|1",
                "T1|begin|2",
                "T1|acq(m)|2",
                "T1|racq(n)|2",
                "T0|acq(k)|3",
                "T0|wait(c,k)|3",
                "T1|o.add(1)/true|4",
                "T1|rrel(n)|4",
            ]
        );
        let range = Some(20..=99);
        let (lines, _) = slice(Selection {
            range,
            ..Selection::default()
        });
        assert_eq!(lines, ["T0|new(o:set)|1", "T0|o.add(1)/false|5"]);
    }

    #[test]
    fn everything_is_a_part_of_itself() {
        let (lines, _) = slice(Selection::default());
        assert_eq!(lines, TRACE.lines().collect::<Vec<_>>());
    }

    #[test]
    fn a_thread_comes_with_forks_joins_and_objects() {
        let threads = Some(vec!["T1".to_owned(), "T7".to_owned()]);
        let (lines, unused) = slice(Selection {
            threads,
            ..Selection::default()
        });
        let expected = TRACE.lines().filter(|line| {
            line.starts_with("T1")
                || ["fork", "join", "new", "drop"]
                    .iter()
                    .any(|w| line.contains(w))
        });
        assert_eq!(lines, expected.collect::<Vec<_>>());
        assert_eq!(unused, ["T7"]);
    }

    #[test]
    fn an_object_comes_with_everything_that_orders() {
        let objects = Some(vec!["o".to_owned()]);
        let (lines, unused) = slice(Selection {
            objects,
            ..Selection::default()
        });
        let expected = TRACE
            .lines()
            .filter(|line| !line.contains("w(x)") && !line.contains("(p"));
        assert_eq!(lines, expected.collect::<Vec<_>>());
        assert!(unused.is_empty());
    }
}
