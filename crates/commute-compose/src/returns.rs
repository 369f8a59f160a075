//! What is returned in a history: found out in runs, and known by where threads end.

use std::rc::Rc;

use crate::adversary::{Adversary, Stop, lost};
use crate::journal::{Journal, Returned, TextId};
use crate::names::Used;
use crate::point::Point;
use crate::walk::Crew;

/// What is to be seen when all is done.
pub(crate) struct Observed {
    pub(crate) texts: Vec<TextId>,
    /// The objects that were used to see it.
    used: Used,
}

impl Adversary<'_, '_> {
    /// What was returned, when the method is over: by the method, by all operations in
    /// order, and by all observations. Nothing if an observation waits.
    pub(crate) fn returned_by(&mut self, point: &Point) -> Result<Option<Returned>, Stop> {
        let Some(observed) = self.observations(point)? else {
            return Ok(None);
        };
        let mut returned = Returned::new();
        returned.push(self.text(&point.method)?);
        returned.extend_from_slice(&point.returned);
        if let Some(returned) = self.completed(returned, point.used, &observed) {
            return Ok(Some(returned));
        }
        // What is new is another one in each run; and where two names are names of one
        // object, a run shows it.
        self.make(point.case, &point.trail.turns())?;
        self.returned_now(point).map(Some)
    }

    /// With what is to be seen afterwards, if that need not be run.
    pub(crate) fn completed(
        &mut self,
        mut returned: Returned,
        used: Used,
        observed: &Observed,
    ) -> Option<Returned> {
        returned.extend_from_slice(&observed.texts);
        let is_fresh = returned.iter().any(|text| self.texts.is_fresh(*text));
        let used = self.names.both(used, observed.used);
        let are_right = self.names.are_right(used, &self.subject.known);
        (!is_fresh && self.setting.prune && are_right).then_some(returned)
    }

    /// The same, as it was in the last run.
    fn returned_now(&mut self, point: &Point) -> Result<Returned, Stop> {
        let setting = self.setting;
        let mut threads = vec![0];
        for (index, operation) in point.operations.iter().enumerate() {
            let before = point.operations[..index].iter();
            let nth = before.filter(|other| *other == operation).count();
            threads.push(setting.operation(*operation, nth as u32));
        }
        threads.extend((0..setting.observers).map(|observer| setting.observer(observer)));
        let written = self.journal.borrow();
        let mut returned = Returned::new();
        for thread in threads {
            let mut texts = written.texts.iter();
            let (_, text) = texts.find(|(other, _)| *other == thread).ok_or_else(lost)?;
            returned.push(self.texts.number(text));
        }
        drop(written);
        Ok(self.texts.renamed(&returned))
    }

    /// What is to be seen when all is done: that depends on the states alone.
    pub(crate) fn observations(&mut self, point: &Point) -> Result<Option<Rc<Observed>>, Stop> {
        if let Some(known) = self.observed.get(&point.world) {
            return Ok(known.clone());
        }
        let mut end = point.clone();
        let mut observed = Observed {
            texts: Vec::new(),
            used: Used::NONE,
        };
        let mut is_seen = true;
        for observer in 0..self.setting.observers {
            let whole = self.whole(&end, self.setting.observer(observer))?;
            observed.used = self.names.both(observed.used, whole.used);
            let Some((world, text)) = whole.end else {
                is_seen = false;
                break;
            };
            observed.texts.push(text);
            end.after(&whole, world);
        }
        let observed = is_seen.then(|| Rc::new(observed));
        self.observed.insert(point.world, observed.clone());
        Ok(observed)
    }

    /// What a thread returns that has come to its end.
    pub(crate) fn text(&mut self, crew: &Crew) -> Result<TextId, Stop> {
        self.by_place.get(&crew[0].1).copied().ok_or_else(lost)
    }

    /// The same in words.
    pub(crate) fn journal(&self, returned: &Returned, operations: usize) -> Journal {
        self.texts.journal(returned, operations)
    }
}
