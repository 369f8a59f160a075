//! The method, without interruption: what explains a history.

use crate::adversary::{Adversary, Stop};
use crate::journal::{Returned, TextId};
use crate::names::Used;
use crate::point::Point;
use crate::setting::METHOD;

impl Adversary<'_, '_> {
    /// What is returned if nobody interrupts the method, and so many of the operations come
    /// before it; nothing if somebody waits.
    pub(crate) fn alone(&mut self, end: &Point, gap: usize) -> Result<Option<Returned>, Stop> {
        if let Some(known) = self.known_alone(end, gap) {
            return Ok(Some(known));
        }
        let mut point = self.beginning(end.case)?;
        for index in 0..=end.operations.len() {
            if index == gap {
                match self.method_alone(&point)? {
                    Some(next) => point = next,
                    None => return Ok(None),
                }
            }
            let Some(operation) = end.operations.get(index) else {
                break;
            };
            match self.inject(&point, *operation)? {
                Some(next) => point = next,
                None => return Ok(None),
            }
        }
        self.returned_by(&point)
    }

    /// The same, as far as it is known. Nothing if it has to be run, or somebody waits.
    fn known_alone(&mut self, end: &Point, gap: usize) -> Option<Returned> {
        let mut world = self.begins[end.case as usize]?;
        let mut used = Used::NONE;
        let mut returned = Returned::new();
        let method = self.setting.number(end.case, METHOD);
        returned.push(TextId::default());
        for index in 0..=end.operations.len() {
            if index == gap {
                let (whole, _) = self.alone.get(&(world, method))?;
                let (after, text) = whole.end?;
                used = self.names.both(used, whole.used);
                (world, returned[0]) = (after, text);
            }
            let Some(operation) = end.operations.get(index) else {
                break;
            };
            let before = end.operations[..index].iter();
            let nth = before.filter(|other| *other == operation).count();
            let thread = self.setting.operation(*operation, nth as u32);
            let whole = self
                .whole
                .get(&(world, self.setting.number(end.case, thread)))?;
            let (after, text) = whole.end?;
            used = self.names.both(used, whole.used);
            world = after;
            returned.push(text);
        }
        let observed = self.observed.get(&world)?.clone()?;
        self.completed(returned, used, &observed)
    }

    /// After the method, from its beginning, without interruption; nothing if it waits.
    fn method_alone(&mut self, point: &Point) -> Result<Option<Point>, Stop> {
        let number = self.setting.number(point.case, METHOD);
        let (whole, crew) = match self.alone.get(&(point.world, number)) {
            Some(known) => known.clone(),
            None => {
                let (whole, crew) = self.go_through(point, point.method.clone())?;
                let known = (whole, crew);
                self.alone.insert((point.world, number), known.clone());
                known
            }
        };
        let used = self.names.both(point.used, whole.used);
        let Some((world, _)) = whole.end else {
            self.be_sure_of_names(point, &whole.steps, used)?;
            return Ok(None);
        };
        let mut next = point.clone();
        next.after(&whole, world);
        next.used = used;
        next.method = crew;
        Ok(Some(next))
    }
}
