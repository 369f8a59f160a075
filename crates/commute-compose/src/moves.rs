//! What the method and its environment can do at a moment.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::adversary::{Adversary, Stop, lost};
use crate::journal::TextId;
use crate::names::Used;
use crate::point::Point;
use crate::walk::{Crew, Stepped, TAKES_EFFECT, has_ended, is_over, op};
use crate::worlds::WorldId;

/// A thread from its beginning to its end, without interruption.
pub(crate) struct Whole {
    /// What it leaves and returns; nothing if it has to wait.
    pub(crate) end: Option<(WorldId, TextId)>,
    pub(crate) steps: Rc<[u32]>,
    pub(crate) used: Used,
}

/// A thread that goes on.
pub(crate) struct Walk {
    pub(crate) crew: Crew,
    pub(crate) world: WorldId,
    pub(crate) steps: SmallVec<[u32; 8]>,
    pub(crate) used: Used,
    /// Whether it has said that it takes effect.
    has_effect: bool,
}

impl Walk {
    /// From here.
    pub(crate) fn new(crew: Crew, world: WorldId, used: Used) -> Walk {
        Walk {
            crew,
            world,
            steps: SmallVec::new(),
            used,
            has_effect: false,
        }
    }
}

impl Adversary<'_, '_> {
    /// After an operation of the environment, if it did not have to wait.
    pub(crate) fn inject(&mut self, point: &Point, operation: u32) -> Result<Option<Point>, Stop> {
        let before = point.operations.iter().filter(|other| **other == operation);
        let thread = self.setting.operation(operation, before.count() as u32);
        let whole = self.whole(point, thread)?;
        let used = self.names.both(point.used, whole.used);
        let Some((world, text)) = whole.end else {
            self.be_sure_of_names(point, &whole.steps, used)?;
            self.blocked += 1;
            return Ok(None);
        };
        let mut next = point.clone();
        next.after(&whole, world);
        next.used = used;
        next.operations.push(operation);
        next.returned.push(text);
        if !self.is_over(point) {
            next.in_time = next.operations.len();
        }
        Ok(Some(next))
    }

    /// Who waits after some steps may wait for something that has another name: a run shows
    /// it.
    pub(crate) fn be_sure_of_names(
        &mut self,
        point: &Point,
        steps: &[u32],
        used: Used,
    ) -> Result<(), Stop> {
        if !self.names.are_right(used, &self.subject.known) {
            let mut turns = point.trail.turns();
            turns.extend_from_slice(steps);
            self.make(point.case, &turns)?;
        }
        Ok(())
    }

    /// What comes of a thread that is made as a whole at a point, from its beginning.
    pub(crate) fn whole(&mut self, point: &Point, thread: u32) -> Result<Rc<Whole>, Stop> {
        let number = self.setting.number(point.case, thread);
        if let Some(known) = self.whole.get(&(point.world, number)) {
            return Ok(Rc::clone(known));
        }
        let crew = self.cast.crew(number, &mut self.subject.known);
        let (whole, _) = self.go_through(point, crew)?;
        self.whole.insert((point.world, number), Rc::clone(&whole));
        Ok(whole)
    }

    /// Lets a thread, and all that it starts, come to the end; where they are then.
    pub(crate) fn go_through(
        &mut self,
        point: &Point,
        crew: Crew,
    ) -> Result<(Rc<Whole>, Crew), Stop> {
        let mut walk = Walk::new(crew, point.world, Used::NONE);
        while self.walk(point, &mut walk)? {}
        let end = match has_ended(&walk.crew, &self.subject.known) {
            true => Some((walk.world, self.text(&walk.crew)?)),
            false => None,
        };
        let whole = Rc::new(Whole {
            end,
            steps: Rc::from(&walk.steps[..]),
            used: walk.used,
        });
        Ok((whole, walk.crew))
    }

    /// After a step of the method, if it can make one.
    pub(crate) fn method_step(&mut self, point: &Point) -> Result<Option<Point>, Stop> {
        let mut walk = Walk::new(point.method.clone(), point.world, point.used);
        if !self.walk(point, &mut walk)? {
            return Ok(None);
        }
        let mut next = point.clone();
        next.method = walk.crew;
        next.world = walk.world;
        next.used = walk.used;
        next.trail = point.trail.and(Rc::from(&walk.steps[..]));
        match walk.has_effect {
            true => next.effect = Some(point.before_last),
            false => next.before_last = point.operations.len(),
        }
        Ok(Some(next))
    }

    /// A step of a thread, or of one that it has started; false if nobody can make one. Who
    /// looks in vain waits for somebody else.
    pub(crate) fn walk(&mut self, point: &Point, walk: &mut Walk) -> Result<bool, Stop> {
        let mut index = 0;
        while let Some((_, place)) = walk.crew.get(index).copied() {
            let known = &self.subject.known;
            let is_done = match index {
                0 => known.next(place).is_some() && is_over(place, known),
                _ => op(place, known).is_none(),
            };
            if !is_done {
                match self.step(point, walk, index)? {
                    Stepped::Done(_) => return Ok(true),
                    Stepped::Vain(_) => return Ok(false),
                    Stepped::Blocked | Stepped::Unknown => {}
                }
            }
            index += 1;
        }
        Ok(false)
    }

    /// Makes a step in the models; runs the program first if nobody knows where it leads.
    fn step(&mut self, point: &Point, walk: &mut Walk, index: usize) -> Result<Stepped, Stop> {
        for _ in 0..2 {
            let known = &mut self.subject.known;
            let Walk { crew, world, .. } = walk;
            let stepped = { &mut self.cast }.step(crew, index, world, &mut self.worlds, known);
            match stepped {
                Stepped::Done(made) | Stepped::Vain(made) => {
                    walk.steps.push(made.by);
                    walk.used = self.names.and(walk.used, made.op, known);
                    walk.has_effect |= known.operation(made.op).method == TAKES_EFFECT;
                    return Ok(stepped);
                }
                Stepped::Blocked => return Ok(stepped),
                Stepped::Unknown => {
                    let mut turns = point.trail.turns();
                    turns.extend_from_slice(&walk.steps);
                    turns.push(walk.crew[index].0);
                    self.learn(point.case, &turns)?;
                }
            }
        }
        Err(lost())
    }
}
