//! What a trace contains, in numbers.

use commute_model::{Event, Id, Names, ObjectId, Op, TypeId};

use crate::error::TraceError;
use crate::reader::TraceReader;

/// The words for kinds of operations, in the order in which they are listed.
const KINDS: [&str; 21] = [
    "r",
    "w",
    "acq",
    "rel",
    "racq",
    "rrel",
    "fork",
    "join",
    "begin",
    "end",
    "wait",
    "wake",
    "notify",
    "notify_all",
    "alloc",
    "free",
    "new",
    "drop",
    "action",
    "dummy",
    "branch",
];

/// What a trace contains. All lists are in a fixed order: kinds as above, names
/// in the order of their first use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceInfo {
    /// How many events there are.
    pub events: u64,
    /// How many there are of each kind; kinds that do not occur are left out.
    pub kinds: Vec<(&'static str, u64)>,
    /// How many events each thread has.
    pub threads: Vec<(String, u64)>,
    /// How many locks there are.
    pub locks: usize,
    /// How many variables there are.
    pub variables: usize,
    /// How many condition variables there are.
    pub condvars: usize,
    /// How many source locations there are.
    pub locations: usize,
    /// The library objects.
    pub objects: Vec<ObjectInfo>,
    /// How many objects there are of each type; those of unknown type are left
    /// out.
    pub types: Vec<(String, usize)>,
    /// How many blocks are not inside another one.
    pub transactions: u64,
    /// How deeply blocks are nested at most.
    pub nesting: u64,
}

/// What there is to know about one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// Its name.
    pub name: String,
    /// Its type, if the trace says so: the last, if it says so several times.
    pub type_name: Option<String>,
    /// How many actions there are on it.
    pub actions: u64,
}

/// Counts what a trace contains.
#[derive(Default, Debug)]
pub struct InfoCounter {
    events: u64,
    kinds: [u64; KINDS.len()],
    threads: Vec<u64>,
    objects: Vec<(Option<TypeId>, u64)>,
    depths: Vec<u64>,
    transactions: u64,
    nesting: u64,
}

impl InfoCounter {
    /// Nothing counted yet.
    pub fn new() -> InfoCounter {
        InfoCounter::default()
    }

    /// Counts one event.
    pub fn step(&mut self, event: &Event) {
        self.events += 1;
        self.kinds[kind(&event.op)] += 1;
        *at(&mut self.threads, event.thread.index()) += 1;
        match &event.op {
            Op::Begin(_) => {
                let depth = at(&mut self.depths, event.thread.index());
                self.transactions += u64::from(*depth == 0);
                *depth += 1;
                self.nesting = self.nesting.max(*depth);
            }
            Op::End(_) => {
                let depth = at(&mut self.depths, event.thread.index());
                *depth = depth.saturating_sub(1);
            }
            // A thread that is only forked or joined is a thread too.
            Op::Fork(u) | Op::Join(u) => _ = at(&mut self.threads, u.index()),
            Op::New(object, type_name) => self.object(*object).0 = Some(*type_name),
            Op::Drop(object) => _ = self.object(*object),
            Op::Action(action) => self.object(action.object).1 += 1,
            _ => {}
        }
    }

    fn object(&mut self, object: ObjectId) -> &mut (Option<TypeId>, u64) {
        at(&mut self.objects, object.index())
    }

    /// The result.
    pub fn finish(self, names: &Names) -> TraceInfo {
        let threads = names.threads.ids().zip(&self.threads);
        let objects: Vec<ObjectInfo> = names
            .objects
            .ids()
            .zip(&self.objects)
            .filter(|(_, (type_name, actions))| type_name.is_some() || *actions > 0)
            .map(|(id, (type_name, actions))| ObjectInfo {
                name: names.objects.name(id).to_string(),
                type_name: type_name.map(|id| names.types.name(id).to_string()),
                actions: *actions,
            })
            .collect();
        let mut types = vec![0; names.types.len()];
        for id in self.objects.iter().filter_map(|object| object.0) {
            types[id.index()] += 1;
        }
        let types = names.types.ids().zip(types).filter(|(_, count)| *count > 0);
        TraceInfo {
            events: self.events,
            kinds: KINDS
                .into_iter()
                .zip(self.kinds)
                .filter(|(_, count)| *count > 0)
                .collect(),
            threads: threads
                .map(|(id, count)| (names.threads.name(id).to_string(), *count))
                .collect(),
            locks: names.locks.len(),
            variables: names.variables.len(),
            condvars: names.condvars.len(),
            locations: names
                .locations
                .ids()
                .filter(|id| !names.locations.name(*id).is_empty())
                .count(),
            objects,
            types: types
                .map(|(id, count)| (names.types.name(id).to_string(), count))
                .collect(),
            transactions: self.transactions,
            nesting: self.nesting,
        }
    }
}

/// Counts everything that `reader` still has; `read` sees how far it is.
///
/// # Errors
/// If the trace cannot be read to its end; with what was counted before.
pub fn trace_info(
    reader: &mut TraceReader,
    read: &mut dyn FnMut(&TraceReader),
) -> (TraceInfo, Option<TraceError>) {
    let mut counter = InfoCounter::new();
    let mut events = Vec::new();
    let error = loop {
        match reader.read_batch(&mut events) {
            Ok(0) => break None,
            Ok(_) => events.iter().for_each(|event| counter.step(event)),
            Err(error) => break Some(error),
        }
        read(reader);
    };
    (counter.finish(reader.names()), error)
}

fn at<T: Clone + Default>(counts: &mut Vec<T>, index: usize) -> &mut T {
    if counts.len() <= index {
        counts.resize(index + 1, T::default());
    }
    &mut counts[index]
}

/// The place of the operation's word in [`KINDS`].
fn kind(op: &Op) -> usize {
    match op {
        Op::Read(_) => 0,
        Op::Write(_) => 1,
        Op::Acquire(_) => 2,
        Op::Release(_) => 3,
        Op::ReadAcquire(_) => 4,
        Op::ReadRelease(_) => 5,
        Op::Fork(_) => 6,
        Op::Join(_) => 7,
        Op::Begin(_) => 8,
        Op::End(_) => 9,
        Op::Wait(..) => 10,
        Op::Wake(..) => 11,
        Op::Notify(_) => 12,
        Op::NotifyAll(_) => 13,
        Op::Alloc(_) => 14,
        Op::Free(_) => 15,
        Op::New(..) => 16,
        Op::Drop(_) => 17,
        Op::Action(_) => 18,
        Op::Dummy => 19,
        Op::Branch => 20,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Options;

    fn info(text: &'static str) -> TraceInfo {
        let reader = TraceReader::from_reader(text.as_bytes(), Options::default());
        let (info, error) = trace_info(&mut reader.expect("text"), &mut |_| {});
        assert_eq!(error, None);
        info
    }

    #[test]
    fn everything_is_counted() {
        let info = info(
            "T0|new(o:set)|1\nT0|new(p:map)|1\nT0|new(q:set)|\nT0|fork(T1)|2\nT0|fork(T2)|2\n\
             T1|begin|3\nT1|begin(a)|3\nT1|o.add(1)/true|3\nT1|end(a)|3\nT1|end|3\n\
             T1|begin|3\nT1|w(x)|4\nT1|r(y)|4\nT1|end|3\nT0|acq(m)|5\nT0|dummy|5\n",
        );
        assert_eq!(info.events, 16);
        assert_eq!(
            info.kinds,
            [
                ("r", 1),
                ("w", 1),
                ("acq", 1),
                ("fork", 2),
                ("begin", 3),
                ("end", 3),
                ("new", 3),
                ("action", 1),
                ("dummy", 1),
            ]
        );
        let threads = [("T0", 7), ("T1", 9), ("T2", 0)];
        assert_eq!(info.threads, threads.map(|(name, n)| (name.to_owned(), n)));
        assert_eq!((info.locks, info.variables, info.condvars), (1, 2, 0));
        assert_eq!(info.locations, 5);
        assert_eq!((info.transactions, info.nesting), (2, 2));
        assert_eq!(info.types, [("set".to_owned(), 2), ("map".to_owned(), 1)]);
        assert_eq!(info.objects.len(), 3);
        assert_eq!(info.objects[0].type_name.as_deref(), Some("set"));
        assert_eq!(info.objects[0].actions, 1);
    }

    #[test]
    fn the_words_are_those_of_the_operations() {
        assert_eq!(KINDS[kind(&Op::Dummy)], Op::Dummy.kind());
        assert_eq!(KINDS[kind(&Op::Begin(None))], Op::Begin(None).kind());
        assert_eq!(KINDS[kind(&Op::Branch)], Op::Branch.kind());
        let drop = Op::Drop(ObjectId(0));
        assert_eq!(KINDS[kind(&drop)], drop.kind());
    }

    #[test]
    fn what_was_counted_before_an_error_is_kept() {
        let text = "T0|w(x)|1\nT0|oops|1\n";
        let reader = TraceReader::from_reader(text.as_bytes(), Options::default());
        let (info, error) = trace_info(&mut reader.expect("text"), &mut |_| {});
        assert_eq!(info.events, 1);
        assert!(error.is_some());
    }
}
