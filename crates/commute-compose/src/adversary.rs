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
use crate::moves::Whole;
use crate::names::{Names, Used};
use crate::point::{Operations, Point};
use crate::returns::Observed;
use crate::setting::{METHOD, Setting};
use crate::trail::Trail;
use crate::walk::{Cast, Crew, chooses, chosen, has_ended, is_over, op};
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
    pub(crate) begins: Vec<Option<WorldId>>,
    pub(crate) worlds: Worlds,
    /// What comes of a thread that is made as a whole, by states and its number.
    pub(crate) whole: FxHashMap<(WorldId, u32), Rc<Whole>>,
    /// The same for methods; and where they end.
    pub(crate) alone: FxHashMap<(WorldId, u32), (Rc<Whole>, Crew)>,
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
        (self.pruned, self.blocked) = (0, 0);
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
            let is_last = steps == self.setting.steps;
            let points = self.method_goes_on(level, &mut seen, look, steps == 0 || !is_last)?;
            level = Vec::new();
            if steps == 0 && self.uses_nothing(&points) {
                return Err(Stop::Untouched);
            }
            if is_last {
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

    /// All moments that the method can come to without the environment, if they are wanted.
    fn method_goes_on(
        &mut self,
        mut open: Vec<Point>,
        seen: &mut FxHashSet<u128>,
        look: Look<'_, 'a, 'p>,
        keeps: bool,
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
            if keeps {
                points.push(point);
            }
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
            before_last: 0,
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
}

pub(crate) fn lost() -> Stop {
    Stop::Because("a run did not come to where it was sent".to_owned())
}
