//! Histories in which operations of the environment interrupt each other, too.
//!
//! Who goes on is decided before each step. A call begins with its first operation and
//! ends with its last, which leaves the fewest orders to explain it. Whether one does is
//! said by [`linearize`](crate::linearize).
//!
//! Claims: every history of the method and up to so many operations is looked at, up to
//! what comes to the same: where everybody is, all states, and which calls had ended before
//! which began.
//!
//! Gaps: nothing fresh.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use commute_model::Value;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::adversary::{Adversary, Stop};
use crate::journal::{Returned, TextId};
use crate::linearize::{self, Answer, Call, History, Limits, Outcome, SequentialSpecification};
use crate::moves::Walk;
use crate::point::Point;
use crate::setting::METHOD;
use crate::walk::{Crew, has_ended};
use crate::worlds::WorldId;

/// What came of it.
#[derive(Default)]
pub(crate) struct Overlaps {
    pub(crate) histories: u64,
    pub(crate) shortest: Option<Overlap>,
    pub(crate) violating: Vec<Vec<u32>>,
}

/// A history that no order explains.
pub(crate) struct Overlap {
    /// When all is over.
    pub(crate) point: Point,
    pub(crate) returned: Returned,
}

/// A call under way.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Playing {
    /// Which operation; nothing if it is the method.
    operation: Option<u32>,
    thread: u32,
    crew: Crew,
    has_begun: bool,
    text: Option<TextId>,
    /// Which calls had ended when it began, as bits.
    after: u32,
}

/// A moment.
#[derive(Clone)]
struct Scene {
    calls: SmallVec<[Playing; 4]>,
    /// Without what is of the method.
    point: Point,
    /// Calls that have begun, in order.
    begun: SmallVec<[usize; 4]>,
}

impl Scene {
    fn fingerprint(&self) -> u128 {
        let half = |seed: usize| {
            let mut hasher = rustc_hash::FxHasher::with_seed(seed);
            (self.point.case, self.point.world, &self.calls).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(1) << 64 | half(0x9E37_79B9)
    }
}

impl Adversary<'_, '_> {
    /// Looks at all histories in which calls overlap.
    pub(crate) fn overlaps(&mut self) -> Result<Overlaps, Stop> {
        let mut found = Overlaps::default();
        for count in 1..=self.setting.steps {
            for operations in choices(self.setting.operations, count as usize) {
                for case in 0..self.setting.cases {
                    self.overlaps_of(case, &operations, &mut found)?;
                }
            }
        }
        Ok(found)
    }

    fn overlaps_of(
        &mut self,
        case: u32,
        operations: &[u32],
        found: &mut Overlaps,
    ) -> Result<(), Stop> {
        let mut open = vec![self.opening(case, operations)?];
        let mut seen = FxHashSet::default();
        while let Some(scene) = open.pop() {
            if !seen.insert(scene.fingerprint()) {
                self.pruned += 1;
                continue;
            }
            if scene.calls.iter().all(|call| call.text.is_some()) {
                self.judge(&scene, found)?;
                continue;
            }
            let before = open.len();
            for index in 0..scene.calls.len() {
                if scene.calls[index].text.is_none() {
                    open.extend(self.goes_on(&scene, index)?);
                }
            }
            if open.len() == before {
                self.blocked += 1;
            }
        }
        Ok(())
    }

    fn opening(&mut self, case: u32, operations: &[u32]) -> Result<Scene, Stop> {
        let point = self.beginning(case)?;
        let mut calls: SmallVec<[Playing; 4]> = SmallVec::new();
        let operations = operations.iter().map(|operation| Some(*operation));
        for operation in [None].into_iter().chain(operations) {
            let before = calls.iter().filter(|call| call.operation == operation);
            let thread = match operation {
                None => METHOD,
                Some(operation) => self.setting.operation(operation, before.count() as u32),
            };
            let number = self.setting.number(case, thread);
            calls.push(Playing {
                operation,
                thread,
                crew: self.cast.crew(number, &mut self.subject.known),
                has_begun: false,
                text: None,
                after: 0,
            });
        }
        Ok(Scene {
            calls,
            point,
            begun: SmallVec::new(),
        })
    }

    /// After a step of a call, if it can make one.
    fn goes_on(&mut self, scene: &Scene, index: usize) -> Result<Option<Scene>, Stop> {
        let call = &scene.calls[index];
        let mut walk = Walk::new(call.crew.clone(), scene.point.world, scene.point.used);
        if !self.walk(&scene.point, &mut walk)? {
            return Ok(None);
        }
        let is_over =
            |adversary: &Self, walk: &Walk| has_ended(&walk.crew, &adversary.subject.known);
        // That it begins is nothing that anybody sees.
        if !call.has_begun && !is_over(self, &walk) && !self.walk(&scene.point, &mut walk)? {
            return Ok(None);
        }
        let mut next = scene.clone();
        if !call.has_begun {
            let ended = scene.calls.iter().enumerate();
            let ended = ended.filter(|(_, call)| call.text.is_some());
            next.calls[index].after = ended.fold(0, |bits, (other, _)| bits | 1 << other);
            next.calls[index].has_begun = true;
            next.begun.push(index);
        }
        if is_over(self, &walk) {
            next.calls[index].text = Some(self.text(&walk.crew)?);
        }
        next.calls[index].crew = walk.crew;
        next.point.world = walk.world;
        next.point.used = walk.used;
        next.point.trail = scene.point.trail.and(Rc::from(&walk.steps[..]));
        Ok(Some(next))
    }

    /// Looks for an order that explains what was returned.
    fn judge(&mut self, scene: &Scene, found: &mut Overlaps) -> Result<(), Stop> {
        let mut point = scene.point.clone();
        let in_order = scene.begun.iter().map(|index| &scene.calls[*index]);
        let operations = in_order.clone().filter(|call| call.operation.is_some());
        point.operations = operations
            .clone()
            .filter_map(|call| call.operation)
            .collect();
        point.returned = operations.filter_map(|call| call.text).collect();
        point.method = scene.calls[0].crew.clone();
        let Some(returned) = self.returned_by(&point)? else {
            self.blocked += 1;
            return Ok(());
        };
        if returned.iter().any(|text| self.texts.is_fresh(*text)) {
            let text = "calls that overlap return something fresh: that cannot be compared";
            return Err(Stop::Because(text.to_owned()));
        }
        self.histories += 1;
        found.histories += 1;
        self.go_on()?;
        let seen = &returned[1 + point.operations.len()..];
        if self.is_explained(scene, seen)? {
            return Ok(());
        }
        let mut set = point.operations.to_vec();
        set.sort_unstable();
        set.dedup();
        if !found.violating.contains(&set) {
            found.violating.push(set);
        }
        let length = |point: &Point| (point.operations.len(), point.trail.len());
        let is_shorter = |known: &Overlap| length(&point) < length(&known.point);
        if found.shortest.as_ref().is_none_or(is_shorter) {
            found.shortest = Some(Overlap { point, returned });
        }
        Ok(())
    }

    fn is_explained(&mut self, scene: &Scene, seen: &[TextId]) -> Result<bool, Stop> {
        let begin = Alone(self.beginning(scene.point.case)?);
        let history = history(scene, seen);
        let sequential = Sequential {
            adversary: RefCell::new(self),
            scene,
            begin,
            stopped: RefCell::new(None),
        };
        let answer = linearize::check(&sequential, &history, &Limits::default());
        if let Some(stop) = sequential.stopped.into_inner() {
            return Err(stop);
        }
        match answer {
            Answer::Linearizable(_) => Ok(true),
            Answer::NotLinearizable(_) => Ok(false),
            Answer::Unknown(_) => {
                let text = "whether an order explains all calls takes too long to find out";
                Err(Stop::Because(text.to_owned()))
            }
        }
    }
}

/// All ways to choose so many of some operations, without their order.
fn choices(of: u32, count: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|chosen: &Vec<u32>| {
            let from = chosen.last().copied().unwrap_or(0);
            (from..of).map(move |next| [&chosen[..], &[next]].concat())
        });
        all = longer.collect();
    }
    all
}

/// Who looks when all is over.
const LOOKS: &str = "looks";

/// The calls, in the order that is known of them.
fn history(scene: &Scene, observed: &[TextId]) -> History {
    let value = |text: &TextId| Value::Int(text.number().into());
    // Each begins after as many have ended as had then; ends come in any order otherwise.
    let mut calls: Vec<Call> = Vec::new();
    let mut times = vec![(0, 0); scene.calls.len()];
    let mut now = 0;
    let mut ended = 0_u32;
    for index in &scene.begun {
        let after = scene.calls[*index].after;
        for (other, time) in times.iter_mut().enumerate() {
            if after & !ended & 1 << other != 0 {
                now += 1;
                time.1 = now;
            }
        }
        ended |= after;
        now += 1;
        times[*index].0 = now;
    }
    for (index, call) in scene.calls.iter().enumerate() {
        let (begins, ends) = times[index];
        let ends = if ends == 0 {
            now + 1 + index as u64
        } else {
            ends
        };
        let text = call.text.as_ref().map_or(Value::Nil, value);
        let pending = Call::pending(index.to_string(), index.to_string(), [], begins);
        calls.push(pending.returning(ends, text));
    }
    let end = now + 1 + scene.calls.len() as u64;
    let looks = Call::pending(LOOKS, LOOKS, [], end + 1);
    calls.push(looks.returning(end + 2, Value::tuple(observed.iter().map(value))));
    History::new(calls).expect("each has a process of its own")
}

/// The object, used by one after the other.
struct Sequential<'s, 'a, 'p> {
    adversary: RefCell<&'s mut Adversary<'a, 'p>>,
    scene: &'s Scene,
    begin: Alone,
    stopped: RefCell<Option<Stop>>,
}

/// A moment at which nobody is in the middle of something: known by its states.
#[derive(Clone)]
struct Alone(Point);

impl Alone {
    fn world(&self) -> WorldId {
        self.0.world
    }
}

impl PartialEq for Alone {
    fn eq(&self, other: &Alone) -> bool {
        self.world() == other.world()
    }
}

impl Eq for Alone {}

impl Hash for Alone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.world().hash(state);
    }
}

impl SequentialSpecification for Sequential<'_, '_, '_> {
    type State = Alone;

    fn initial(&self) -> Alone {
        self.begin.clone()
    }

    fn step(&self, state: &Alone, call: &Call) -> Vec<Outcome<Alone>> {
        match self.try_step(state, call) {
            Ok(outcome) => outcome.into_iter().collect(),
            Err(stop) => {
                self.stopped.borrow_mut().get_or_insert(stop);
                Vec::new()
            }
        }
    }
}

impl Sequential<'_, '_, '_> {
    fn try_step(&self, state: &Alone, call: &Call) -> Result<Option<Outcome<Alone>>, Stop> {
        let adversary = &mut **self.adversary.borrow_mut();
        let value = |text: &TextId| Value::Int(text.number().into());
        if call.method == LOOKS {
            let seen = adversary.observations(&state.0)?;
            let seen = seen.map(|seen| Value::tuple(seen.texts.iter().map(value)));
            return Ok(seen.map(|seen| Outcome::new(state.clone(), seen)));
        }
        let Some(playing) = call
            .method
            .parse()
            .ok()
            .and_then(|n: usize| self.scene.calls.get(n))
        else {
            return Ok(None);
        };
        let whole = adversary.whole(&state.0, playing.thread)?;
        let Some((world, text)) = whole.end else {
            return Ok(None);
        };
        let mut next = state.0.clone();
        next.after(&whole, world);
        next.used = adversary.names.both(next.used, whole.used);
        Ok(Some(Outcome::new(Alone(next), value(&text))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_chosen_without_their_order() {
        assert_eq!(choices(2, 2), [vec![0, 0], vec![0, 1], vec![1, 1]]);
        assert_eq!(choices(3, 1).len(), 3);
        assert!(choices(0, 1).is_empty());
    }
}
