//! The adversary of COLT, in its general form: before and after each operation of a
//! method, operations of its environment, in all combinations up to a number of them.
//!
//! Operations may also come after the method, to see what it has left.
//!
//! The method is a thread, and so is each operation and each observation, started with a
//! number, so that what it does depends on nothing but what it sees. Who goes on is
//! decided here: an operation of the environment is made as a whole.
//!
//! Claims: every history with so many operations of the environment is looked at. Where:
//! histories are searched in the models. The program runs where its code is not known;
//! what a thread has seen says what it returns, so that need not be run again.
//!
//! Gaps: operations of the environment are not interrupted; of several threads of a
//! method the first that can goes on.

use std::rc::Rc;

use commute_explore::{Anew, NodeId, Subject, ThreadId, World};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::journal::{Returned, Shared, TextId, Texts};
use crate::names::{Names, Used};
use crate::point::{Operations, Point};
use crate::returns::Observed;
use crate::setting::{METHOD, Setting};
use crate::trail::Trail;
use crate::walk::{Cast, Crew, Stepped, chooses, chosen, has_ended, is_over, op};
use crate::worlds::{WorldId, Worlds};

/// Why a search ends before its time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// It has to begin anew.
    Anew,
    /// There is nothing to be interrupted.
    Untouched,
    /// It was cut, or something cannot be searched.
    Because(String),
}

/// Asked often, with how many runs were made and how many histories looked at: whether to
/// stop, and why.
pub type Enough<'a> = &'a mut dyn FnMut(u64, u64) -> Option<String>;

/// Is shown every history.
pub(crate) type Look<'l, 'a, 'p> =
    &'l mut dyn FnMut(&mut Adversary<'a, 'p>, &Point, &Returned) -> Result<(), Stop>;

/// The search.
pub(crate) struct Adversary<'a, 'p> {
    pub(crate) subject: &'a mut Subject<'p>,
    pub(crate) journal: Shared,
    pub(crate) setting: &'a Setting,
    pub(crate) cast: Cast,
    /// By case: the states that the object begins in.
    begins: Vec<Option<WorldId>>,
    pub(crate) worlds: Worlds,
    /// What comes of a thread that is made as a whole, by states and its number.
    whole: FxHashMap<(WorldId, u32), Rc<Whole>>,
    /// The same for methods; and where they end.
    alone: FxHashMap<(WorldId, u32), (Rc<Whole>, Crew)>,
    /// What is to be seen in the end, by states; nothing if that waits.
    pub(crate) observed: FxHashMap<WorldId, Option<Rc<Observed>>>,
    /// What a thread returns that has come to this place.
    pub(crate) by_place: FxHashMap<NodeId, TextId>,
    pub(crate) texts: Texts,
    pub(crate) names: Names,
    /// Runs that were made.
    pub(crate) executions: u64,
    /// Histories that were looked at.
    pub(crate) histories: u64,
    /// Histories that were not looked at.
    pub(crate) pruned: u64,
    /// Histories in which somebody would have to wait for ever.
    pub(crate) blocked: u64,
    /// Says why not to go on, if that is so.
    pub(crate) enough: Enough<'a>,
}

/// A thread from its beginning to its end, without interruption.
pub(crate) struct Whole {
    /// What it leaves and returns; nothing if it has to wait.
    pub(crate) end: Option<(WorldId, TextId)>,
    pub(crate) steps: Rc<[u32]>,
    pub(crate) used: Used,
}

/// A thread that goes on.
struct Walk {
    crew: Crew,
    world: WorldId,
    steps: SmallVec<[u32; 8]>,
    used: Used,
    /// Whether it has said that it takes effect.
    has_effect: bool,
}

impl<'a, 'p> Adversary<'a, 'p> {
    pub(crate) fn new(
        subject: &'a mut Subject<'p>,
        journal: &Shared,
        setting: &'a Setting,
        enough: Enough<'a>,
    ) -> Adversary<'a, 'p> {
        let known = &mut subject.known;
        let threads = 0..setting.numbers();
        Adversary {
            cast: Cast {
                threads: threads.map(|n| known.thread_numbered(n)).collect(),
            },
            begins: vec![None; setting.cases as usize],
            subject,
            journal: Shared::clone(journal),
            setting,
            worlds: Worlds::default(),
            whole: FxHashMap::default(),
            alone: FxHashMap::default(),
            observed: FxHashMap::default(),
            by_place: FxHashMap::default(),
            texts: Texts::default(),
            names: Names::default(),
            executions: 0,
            histories: 0,
            pruned: 0,
            blocked: 0,
            enough,
        }
    }

    /// Unless that is enough.
    pub(crate) fn go_on(&mut self) -> Result<(), Stop> {
        match (self.enough)(self.executions, self.histories) {
            Some(reason) => Err(Stop::Because(reason)),
            None => Ok(()),
        }
    }

    /// Makes ready for another search; false if there is no reason for one.
    pub(crate) fn begin_anew(&mut self) -> bool {
        match self.subject.begin_anew(&mut || true) {
            None => return false,
            // Places are what they were.
            Some(Anew::Renamed) => {}
            Some(Anew::Forgotten(_)) => self.by_place.clear(),
        }
        self.worlds = Worlds::default();
        self.whole.clear();
        self.alone.clear();
        self.observed.clear();
        self.names = Names::default();
        self.begins.fill(None);
        (self.pruned, self.blocked) = (0, 0);
        true
    }

    /// Shows all histories to `look`, those with fewer operations first.
    pub(crate) fn search(&mut self, look: Look<'_, 'a, 'p>) -> Result<(), Stop> {
        let mut level = Vec::new();
        for case in 0..self.setting.cases {
            // Twice, to see whether it is the same each time.
            self.make(case, &[])?;
            self.make(case, &[])?;
            level.push(self.beginning(case)?);
        }
        let mut seen = FxHashSet::default();
        for steps in 0..=self.setting.steps {
            let points = self.method_goes_on(level, &mut seen, look)?;
            level = Vec::new();
            if steps == 0 && self.uses_nothing(&points) {
                return Err(Stop::Untouched);
            }
            if steps == self.setting.steps {
                break;
            }
            for point in &points {
                for operation in 0..self.setting.operations {
                    level.extend(self.inject(point, operation)?);
                }
            }
        }
        Ok(())
    }

    /// Whether the method has no steps, if nobody interrupts it.
    fn uses_nothing(&self, points: &[Point]) -> bool {
        // The first is that it begins.
        let mut begun = points.iter().filter(|point| point.trail.len() > 0);
        begun.all(|point| point.trail.len() == 1 && self.is_over(point))
    }

    /// All moments that the method can come to without the environment.
    fn method_goes_on(
        &mut self,
        mut open: Vec<Point>,
        seen: &mut FxHashSet<u128>,
        look: Look<'_, 'a, 'p>,
    ) -> Result<Vec<Point>, Stop> {
        let mut points = Vec::new();
        open.reverse();
        while let Some(point) = open.pop() {
            if self.setting.prune && !seen.insert(point.fingerprint()) {
                self.pruned += 1;
                continue;
            }
            match self.method_step(&point)? {
                Some(next) => open.push(next),
                None if self.is_over(&point) => match self.returned_by(&point)? {
                    Some(returned) => look(self, &point, &returned)?,
                    None => self.blocked += 1,
                },
                None => {
                    self.be_sure_of_names(&point, &[], point.used)?;
                    self.blocked += 1;
                }
            }
            points.push(point);
        }
        Ok(points)
    }

    /// Before anything happened.
    pub(crate) fn beginning(&mut self, case: u32) -> Result<Point, Stop> {
        let world = match self.begins[case as usize] {
            Some(world) => world,
            None => self.begin(case)?,
        };
        self.begins[case as usize] = Some(world);
        let number = self.setting.number(case, METHOD);
        Ok(Point {
            case,
            method: self.cast.crew(number, &mut self.subject.known),
            world,
            operations: Operations::new(),
            returned: SmallVec::new(),
            in_time: 0,
            effect: None,
            trail: Trail::default(),
            used: Used::NONE,
        })
    }

    /// Lets the first thread make the object.
    fn begin(&mut self, case: u32) -> Result<WorldId, Stop> {
        let root = self.subject.known.root(ThreadId::MAIN, None);
        'anew: for _ in 0..2 {
            let mut world = World::default();
            let known = &mut self.subject.known;
            let choice = known.result(chosen(case));
            let mut place = known.known_after(root, choice);
            while let Some(here) = place {
                if is_over(here, known) {
                    let text = "the object cannot be made: that panics".to_owned();
                    return Err(Stop::Because(text));
                }
                if chooses(here, known) {
                    return Ok(self.worlds.number(world));
                }
                let Some(op) = op(here, known) else {
                    break;
                };
                let Some(result) = known.step(&mut world, op) else {
                    let text = "the object cannot be made: that waits for something".to_owned();
                    return Err(Stop::Because(text));
                };
                place = known.known_after(here, result);
            }
            self.make(case, &[])?;
            continue 'anew;
        }
        let text = "the object could not be made: that panicked, or started threads".to_owned();
        Err(Stop::Because(text))
    }

    /// The thread of the method.
    pub(crate) fn method(&self, case: u32) -> ThreadId {
        self.cast.threads[self.setting.number(case, METHOD) as usize]
    }

    /// Whether the method has come to its end.
    pub(crate) fn is_over(&self, point: &Point) -> bool {
        has_ended(&point.method, &self.subject.known)
    }

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
    fn be_sure_of_names(&mut self, point: &Point, steps: &[u32], used: Used) -> Result<(), Stop> {
        if !self.names.are_right(used, &self.subject.known) {
            let mut turns = point.trail.turns();
            turns.extend_from_slice(steps);
            self.make(point.case, &turns)?;
        }
        Ok(())
    }

    /// What comes of a thread, not of the method, that is made as a whole at a point.
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
    fn go_through(&mut self, point: &Point, crew: Crew) -> Result<(Rc<Whole>, Crew), Stop> {
        let mut walk = Walk {
            crew,
            world: point.world,
            steps: SmallVec::new(),
            used: Used::NONE,
            has_effect: false,
        };
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
        let mut walk = Walk {
            crew: point.method.clone(),
            world: point.world,
            steps: SmallVec::new(),
            used: point.used,
            has_effect: false,
        };
        if !self.walk(point, &mut walk)? {
            return Ok(None);
        }
        let mut next = point.clone();
        next.method = walk.crew;
        next.world = walk.world;
        next.used = walk.used;
        next.trail = point.trail.and(Rc::from(&walk.steps[..]));
        if walk.has_effect {
            next.effect = Some(point.operations.len());
        }
        Ok(Some(next))
    }

    /// After the method, from its beginning, without interruption; nothing if it waits.
    pub(crate) fn method_alone(&mut self, point: &Point) -> Result<Option<Point>, Stop> {
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

    /// A step of a thread, or of one that it has started; false if nobody can make one. Who
    /// looks in vain waits for somebody else.
    fn walk(&mut self, point: &Point, walk: &mut Walk) -> Result<bool, Stop> {
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
                    walk.has_effect |= known.operation(made.op).method == "takes_effect";
                    return Ok(stepped);
                }
                Stepped::Blocked => return Ok(stepped),
                Stepped::Unknown => {
                    let mut turns = point.trail.turns();
                    turns.extend_from_slice(&walk.steps);
                    turns.push(walk.crew[index].0);
                    self.make(point.case, &turns)?;
                }
            }
        }
        Err(lost())
    }
}

pub(crate) fn lost() -> Stop {
    Stop::Because("a run did not come to where it was sent".to_owned())
}
