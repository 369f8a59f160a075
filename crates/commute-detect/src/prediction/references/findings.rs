//! What a reference analysis says, as findings. None of them is certain.

use std::sync::Arc;

use commute_model::{
    Certainty, Code, Event, EventRef, Finding, Level, LocationId, Names, Note, ObjectId, Op, Sink,
    TypeId, Witness, WitnessKind,
};
use commute_spec::Library;
use rustc_hash::FxHashMap;

use super::{Analysis, Pair, Reference};
use crate::pass::{EventError, Pass};

/// A reference analysis as a pass. It keeps all events, to name them: it is for
/// comparison, and not for long traces.
#[derive(Clone, Debug)]
pub struct ReferencePass {
    reference: Reference,
    analysis: Option<Analysis>,
    events: Vec<Event>,
}

impl ReferencePass {
    /// No event yet; types come from `library`.
    pub fn new(reference: Reference, library: Arc<Library>) -> ReferencePass {
        ReferencePass {
            reference,
            analysis: Some(Analysis::new(reference, library)),
            events: Vec::new(),
        }
    }

    /// Declares an object before the first event, as `new` does in a trace.
    ///
    /// # Errors
    /// If the type is not known.
    pub fn declare(
        &mut self,
        object: ObjectId,
        type_id: TypeId,
        names: &Names,
    ) -> Result<(), EventError> {
        match &mut self.analysis {
            Some(analysis) => analysis.declare(object, type_id, names),
            None => Ok(()),
        }
    }

    /// How many events were taken.
    pub fn events(&self) -> u64 {
        self.events.len() as u64
    }

    fn finding(&self, pair: &Pair, count: u64, names: &Names) -> Finding {
        let event = |index: u64| &self.events[index as usize - 1];
        let (earlier, later) = (event(pair.earlier), event(pair.later));
        let event = |event: &Event, index| EventRef {
            thread: names.threads.name(event.thread).to_string(),
            index,
            action: event.op.display(names).to_string(),
            location: names.locations.name(event.location).to_string(),
        };
        let events = vec![event(earlier, pair.earlier), event(later, pair.later)];
        let (first, second) = (&events[0].action, &events[1].action);
        let object = subject(later, names);
        let name = self.reference.name();
        let (code, title) = match (pair.racy, &later.op) {
            (true, _) => (
                Code::CM103,
                format!("predicted race on `{object}`: `{first}` and `{second}` ({name})"),
            ),
            (false, Op::Free(_)) => (
                Code::CM122,
                format!("use after free of `{object}`: `{second}` before `{first}` ({name})"),
            ),
            (false, _) => (
                Code::CM121,
                format!("order violation on `{object}`: `{second}` before `{first}` ({name})"),
            ),
        };
        let why = format!("{name} does not order the two; it looks for no run that shows it");
        Finding {
            code,
            level: Level::Warning,
            certainty: Certainty::Unconfirmed,
            fingerprint: String::new(),
            title,
            object: Some(object),
            condition: None,
            witness: Some(Witness {
                kind: WitnessKind::Pair,
                prefix: 0,
                steps: vec![pair.earlier, pair.later],
            }),
            events,
            count,
            replay: None,
            scene: None,
            notes: vec![
                Note::new("why", why),
                Note::new(
                    "help",
                    "`--algorithm cone`, the default, constructs a witness",
                ),
            ],
        }
    }
}

fn subject(event: &Event, names: &Names) -> String {
    match &event.op {
        Op::Read(x) | Op::Write(x) | Op::Free(x) => names.variables.name(*x).to_string(),
        Op::Wait(c, _) | Op::Notify(c) | Op::NotifyAll(c) => names.condvars.name(*c).to_string(),
        Op::Action(action) => names.objects.name(action.object).to_string(),
        _ => String::new(),
    }
}

impl Pass for ReferencePass {
    fn steps(&mut self, events: &[Event], names: &Names) -> Result<(), EventError> {
        let Some(analysis) = &mut self.analysis else {
            return Ok(());
        };
        for (offset, event) in events.iter().enumerate() {
            if let Err(error) = analysis.step(event, names) {
                return Err(EventError { offset, ..error });
            }
            self.events.push(event.clone());
        }
        Ok(())
    }

    fn finish(&mut self, names: &Names, sink: &mut dyn Sink) {
        let Some(analysis) = self.analysis.take() else {
            return;
        };
        let mut counts: FxHashMap<(bool, LocationId, LocationId, String), usize> =
            FxHashMap::default();
        let mut groups: Vec<(Pair, u64)> = Vec::new();
        for pair in analysis.finish() {
            let event = |index: u64| &self.events[index as usize - 1];
            let (earlier, later) = (event(pair.earlier), event(pair.later));
            let nowhere = names.locations.name(later.location).is_empty();
            let otherwise = match nowhere {
                true => format!("{}{}", earlier.display(names), later.display(names)),
                false => String::new(),
            };
            let key = (pair.racy, earlier.location, later.location, otherwise);
            let place = *counts.entry(key).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.1 += 1,
                None => groups.push((pair, 1)),
            }
        }
        for (pair, count) in &groups {
            sink.finding(self.finding(pair, *count, names));
        }
    }
}
