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

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use commute_explore::{Anew, NodeId, ObjectId, OpId, Subject, ThreadId, World};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::journal::{Returned, Shared, TextId, Texts};
use crate::setting::{METHOD, Setting};
use crate::walk::{At, Cast, Made, Stepped, chooses, chosen, is_over};

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

/// What a thread did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// A step.
    Made,
    /// A look in vain.
    Vain,
    /// Nothing: it has ended, or it has to wait.
    None,
}

/// A history.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) case: u32,
    /// Every step, in order.
    pub(crate) made: Vec<Made>,
    /// The operations of the environment.
    pub(crate) operations: Vec<u32>,
    pub(crate) returned: Returned,
}

/// A moment at which the environment may do something.
#[derive(Clone)]
pub(crate) struct Point {
    pub(crate) at: At,
    pub(crate) made: Vec<Made>,
    pub(crate) case: u32,
    pub(crate) operations: Vec<u32>,
    pub(crate) in_time: usize,
}

impl Point {
    /// The same for points from which the same can follow.
    fn fingerprint(&self) -> u128 {
        let half = |seed: usize| {
            let mut hasher = FxHasher::with_seed(seed);
            (self.case, self.in_time, &self.operations).hash(&mut hasher);
            self.at.hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(0x9E37_79B9)
    }
}

/// The search.
pub(crate) struct Adversary<'a, 'p> {
    pub(crate) subject: &'a mut Subject<'p>,
    pub(crate) journal: Shared,
    pub(crate) setting: &'a Setting,
    /// By case.
    pub(crate) casts: Vec<Cast>,
    pub(crate) begins: Vec<Option<At>>,
    /// What is to be seen in the end, by case and states; nothing if that waits.
    pub(crate) observed: FxHashMap<(u32, World), Option<Rc<[TextId]>>>,
    /// And what was done to see it.
    pub(crate) looked_at: FxHashMap<(u32, World), Vec<OpId>>,
    /// What a thread returns that has come to this place.
    pub(crate) by_place: FxHashMap<NodeId, TextId>,
    pub(crate) texts: Texts,
    /// Objects that were used in one run: they are not one with two names.
    pub(crate) apart: FxHashSet<(ObjectId, ObjectId)>,
    /// Runs that were made.
    pub(crate) executions: u64,
    /// Histories that were not looked at.
    pub(crate) pruned: u64,
    /// Histories in which somebody would have to wait for ever.
    pub(crate) blocked: u64,
    /// Histories that were looked at.
    pub(crate) histories: u64,
    /// Says why not to go on, if that is so.
    pub(crate) enough: Enough<'a>,
}

/// Asked often, with how many runs were made and how many histories looked at: whether to
/// stop, and why.
pub type Enough<'a> = &'a mut dyn FnMut(u64, u64) -> Option<String>;

impl<'a, 'p> Adversary<'a, 'p> {
    pub(crate) fn new(
        subject: &'a mut Subject<'p>,
        journal: &Shared,
        setting: &'a Setting,
        enough: Enough<'a>,
    ) -> Adversary<'a, 'p> {
        let known = &mut subject.known;
        let cast = |case: u32| {
            let threads = (0..setting.threads()).map(|thread| setting.number(case, thread));
            Cast {
                threads: threads.map(|n| known.thread_numbered(n)).collect(),
                ours: setting.threads() as usize,
            }
        };
        Adversary {
            casts: (0..setting.cases).map(cast).collect(),
            begins: vec![None; setting.cases as usize],
            subject,
            journal: Shared::clone(journal),
            setting,
            observed: FxHashMap::default(),
            looked_at: FxHashMap::default(),
            by_place: FxHashMap::default(),
            texts: Texts::default(),
            apart: FxHashSet::default(),
            executions: 0,
            pruned: 0,
            blocked: 0,
            histories: 0,
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
        self.observed.clear();
        self.looked_at.clear();
        self.apart.clear();
        self.begins.fill(None);
        (self.pruned, self.blocked) = (0, 0);
        true
    }

    /// Shows all histories to `look`, those with fewer operations first.
    pub(crate) fn search(
        &mut self,
        look: &mut dyn FnMut(&mut Self, &Point, &Returned) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut level = Vec::new();
        for case in 0..self.setting.cases {
            // Twice, to see whether it is the same each time.
            self.make(case, &[])?;
            self.make(case, &[])?;
            level.extend(self.beginning(case)?);
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
    fn uses_nothing(&mut self, points: &[Point]) -> bool {
        // The first is that it begins.
        let mut begun = points.iter().filter(|point| !point.made.is_empty());
        begun.all(|point| point.made.len() == 1 && self.is_over(point))
    }

    /// All moments that the method can come to without the environment.
    fn method_goes_on(
        &mut self,
        mut open: Vec<Point>,
        seen: &mut FxHashSet<u128>,
        look: &mut dyn FnMut(&mut Self, &Point, &Returned) -> Result<(), Stop>,
    ) -> Result<Vec<Point>, Stop> {
        let mut points = Vec::new();
        open.reverse();
        while let Some(point) = open.pop() {
            if self.setting.prune && !seen.insert(point.fingerprint()) {
                self.pruned += 1;
                continue;
            }
            let over = self.is_over(&point);
            match self.method_step(&point)? {
                Some(next) => open.push(next),
                None if over => match self.returned_by(&point)? {
                    Some(returned) => look(self, &point, &returned)?,
                    None => self.blocked += 1,
                },
                _ => {
                    // It may wait for something that has another name.
                    if !self.has_right_names(&point) {
                        let turns: Vec<u32> = point.made.iter().map(|made| made.by).collect();
                        self.make(point.case, &turns)?;
                    }
                    self.blocked += 1;
                }
            }
            points.push(point);
        }
        Ok(points)
    }

    /// Before anything happened.
    pub(crate) fn beginning(&mut self, case: u32) -> Result<Option<Point>, Stop> {
        if self.begins[case as usize].is_none() {
            self.begins[case as usize] = Some(self.begin(case)?);
        }
        Ok(self.begins[case as usize].clone().map(|at| Point {
            at,
            made: Vec::new(),
            case,
            operations: Vec::new(),
            in_time: 0,
        }))
    }

    /// Lets the first thread make the object.
    fn begin(&mut self, case: u32) -> Result<At, Stop> {
        let root = self.subject.known.root(ThreadId::MAIN, None);
        'anew: for _ in 0..2 {
            let mut world = World::default();
            let known = &mut self.subject.known;
            let choice = known.result(chosen(case));
            let mut place = known.known_after(root, choice);
            while let Some(here) = place {
                if crate::walk::is_over(here, known) {
                    let text = "the object cannot be made: that panics".to_owned();
                    return Err(Stop::Because(text));
                }
                if chooses(here, known) {
                    return Ok(At {
                        places: commute_explore::Places::new(),
                        world,
                    });
                }
                let Some(op) = crate::walk::op(here, known) else {
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
        self.casts[case as usize].threads[METHOD as usize]
    }

    /// Whether the method has come to its end.
    pub(crate) fn is_over(&mut self, point: &Point) -> bool {
        self.has_ended(point, METHOD)
    }

    /// After an operation of the environment, if it did not have to wait.
    pub(crate) fn inject(&mut self, point: &Point, operation: u32) -> Result<Option<Point>, Stop> {
        let mut next = point.clone();
        let before = point.operations.iter().filter(|other| **other == operation);
        let thread = self.setting.operation(operation, before.count() as u32);
        let over = self.is_over(point);
        if !self.go_through(&mut next, thread)? {
            self.blocked += 1;
            return Ok(None);
        }
        next.operations.push(operation);
        if !over {
            next.in_time = next.operations.len();
        }
        Ok(Some(next))
    }

    /// After a step of the method, if it can make one.
    pub(crate) fn method_step(&mut self, point: &Point) -> Result<Option<Point>, Stop> {
        let mut next = point.clone();
        let step = self.step_of(&mut next, METHOD)?;
        // Who looks in vain waits for somebody else.
        Ok((step == Step::Made).then_some(next))
    }

    /// Lets a thread, and all that it starts, come to the end; false if it has to wait.
    pub(crate) fn go_through(&mut self, point: &mut Point, thread: u32) -> Result<bool, Stop> {
        while self.step_of(point, thread)? == Step::Made {}
        Ok(self.has_ended(point, thread))
    }

    /// Whether a thread and all that it has started have nothing more to do.
    fn has_ended(&mut self, point: &Point, thread: u32) -> bool {
        let known = &mut self.subject.known;
        let cast = &self.casts[point.case as usize];
        let place = cast.place(&point.at, thread, known);
        known.next(place).is_some()
            && is_over(place, known)
            && cast.family(&point.at, thread, known).len() == 1
    }

    /// A step of a thread, or of one that it has started.
    fn step_of(&mut self, point: &mut Point, thread: u32) -> Result<Step, Stop> {
        let cast = &self.casts[point.case as usize];
        for by in cast.family(&point.at, thread, &self.subject.known) {
            let known = &mut self.subject.known;
            let place = self.casts[point.case as usize].place(&point.at, by, known);
            if by == thread && known.next(place).is_some() && is_over(place, known) {
                continue;
            }
            match self.step(point, by)? {
                Step::None => {}
                step => return Ok(step),
            }
        }
        Ok(Step::None)
    }

    /// Makes a step in the models; runs the program first if nobody knows where it leads.
    fn step(&mut self, point: &mut Point, by: u32) -> Result<Step, Stop> {
        for _ in 0..2 {
            let cast = &mut self.casts[point.case as usize];
            match cast.step(&mut point.at, by, &mut self.subject.known) {
                Stepped::Done(made) => {
                    point.made.push(made);
                    return Ok(Step::Made);
                }
                Stepped::Vain(made) => {
                    point.made.push(made);
                    return Ok(Step::Vain);
                }
                Stepped::Blocked => return Ok(Step::None),
                Stepped::Unknown => {
                    let made = point.made.iter().map(|made| made.by);
                    let turns: Vec<u32> = made.chain([by]).collect();
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
