//! What is returned in a history: found out in runs, and known by where threads end.

use std::rc::Rc;

use crate::adversary::{Adversary, Point, Stop, lost};
use crate::journal::{Journal, Returned, TextId};
use crate::runs::pairs;
use crate::setting::METHOD;

impl Adversary<'_, '_> {
    /// What was returned, when the method is over. Nothing if an observation waits.
    pub(crate) fn returned_by(&mut self, point: &Point) -> Result<Option<Returned>, Stop> {
        let Some(returned) = self.known_returns(point)? else {
            return Ok(None);
        };
        let is_fresh = returned.iter().any(|text| self.texts.is_fresh(*text));
        if !is_fresh && self.setting.prune && self.has_right_names(point) {
            return Ok(Some(returned));
        }
        // What is new is another one in each run; and where two names are names of one
        // object, a run shows it.
        let turns: Vec<u32> = point.made.iter().map(|made| made.by).collect();
        self.make(point.case, &turns)?;
        self.observed.clear();
        let returned = self.known_returns(point)?.ok_or_else(lost)?;
        Ok(Some(self.texts.renamed(&returned)))
    }

    /// Whether all objects of a history are known to be different ones. A thread that was
    /// only ever run alone may have named one that has another name, too.
    pub(crate) fn has_right_names(&self, point: &Point) -> bool {
        let known = &self.subject.known;
        let made = point.made.iter().map(|made| made.op);
        let looked = self.looked_at.get(&(point.case, point.at.world.clone()));
        let ops = made.chain(looked.into_iter().flatten().copied());
        let used = ops.flat_map(|op| known.operation(op).objects.iter().copied());
        let mut pairs = pairs(used, known).into_iter();
        pairs.all(|pair| self.apart.contains(&pair))
    }

    /// The same, as far as it was seen in any run: of the method, of all operations in
    /// order, and of all observations.
    fn known_returns(&mut self, end: &Point) -> Result<Option<Returned>, Stop> {
        let Some(observations) = self.observations(end)? else {
            return Ok(None);
        };
        let mut returned = Returned::new();
        returned.push(self.text(end, METHOD)?);
        for (index, operation) in end.operations.iter().enumerate() {
            let before = end.operations[..index].iter();
            let nth = before.filter(|other| *other == operation).count();
            returned.push(self.text(end, self.setting.operation(*operation, nth as u32))?);
        }
        returned.extend_from_slice(&observations);
        Ok(Some(returned))
    }

    /// What is to be seen when all is done: that depends on the states alone.
    fn observations(&mut self, point: &Point) -> Result<Option<Rc<[TextId]>>, Stop> {
        let key = (point.case, point.at.world.clone());
        if let Some(known) = self.observed.get(&key) {
            return Ok(known.clone());
        }
        let mut end = point.clone();
        let mut texts = Some(Vec::new());
        for observer in 0..self.setting.observers {
            let thread = self.setting.observer(observer);
            if !self.go_through(&mut end, thread)? {
                texts = None;
                break;
            }
            if let Some(texts) = &mut texts {
                texts.push(self.text(&end, thread)?);
            }
        }
        let looks = end.made[point.made.len()..].iter().map(|made| made.op);
        self.looked_at.insert(key.clone(), looks.collect());
        let observed = texts.map(Rc::from);
        self.observed.insert(key, observed.clone());
        Ok(observed)
    }

    /// What a thread returns that has come to its end.
    fn text(&mut self, end: &Point, thread: u32) -> Result<TextId, Stop> {
        let cast = &self.casts[end.case as usize];
        let place = cast.place(&end.at, thread, &mut self.subject.known);
        self.by_place.get(&place).copied().ok_or_else(lost)
    }

    /// The same in words.
    pub(crate) fn journal(&self, returned: &Returned, operations: usize) -> Journal {
        self.texts.journal(returned, operations)
    }
}
