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

use commute_explore::{Anew, Ending, Moment, NodeId, Run, Subject, ThreadId, World};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::journal::{Journal, Returned, Shared, TextId, Texts};
use crate::walk::{At, Cast, Made, Stepped, chooses, chosen, is_over};

/// What there is to choose from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Initial states, each with arguments of the method.
    pub cases: u32,
    /// Operations of the environment.
    pub operations: u32,
    /// What is looked at when all is done.
    pub observers: u32,
    /// So many operations of the environment in a run.
    pub steps: u32,
    /// Whether histories are left out that can only have the same results as others.
    pub prune: bool,
    /// So many runs at most.
    pub most: u64,
}

/// The thread of the method.
const METHOD: u32 = 0;

impl Setting {
    /// The number of the thread that makes an operation for the n-th time.
    pub fn operation(&self, operation: u32, nth: u32) -> u32 {
        1 + nth * self.operations + operation
    }

    /// What the thread with this number is, if it makes an operation.
    pub fn as_operation(&self, thread: u32) -> Option<u32> {
        let number = thread.checked_sub(1)?;
        (number < self.operations * self.steps).then(|| number % self.operations)
    }

    /// The number of the thread that makes an observation.
    pub fn observer(&self, observer: u32) -> u32 {
        1 + self.operations * self.steps + observer
    }

    /// What the thread with this number is, if it makes an observation.
    pub fn as_observer(&self, thread: u32) -> Option<u32> {
        thread.checked_sub(self.observer(0))
    }

    /// How many threads there may be.
    pub fn threads(&self) -> u32 {
        self.observer(self.observers)
    }
}

/// Why a search ends before its time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// It has to begin anew.
    Anew,
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
    journal: Shared,
    pub(crate) setting: &'a Setting,
    /// By case.
    casts: Vec<Cast>,
    begins: Vec<Option<At>>,
    /// What is to be seen in the end, by case and states; nothing if that waits.
    observed: FxHashMap<(u32, World), Option<Rc<[TextId]>>>,
    /// What a thread returns that has come to this place.
    returned: FxHashMap<NodeId, TextId>,
    texts: Texts,
    /// Runs that were made.
    pub(crate) executions: u64,
    /// Histories that were not looked at.
    pub(crate) pruned: u64,
    /// Histories in which somebody would have to wait for ever.
    pub(crate) blocked: u64,
}

impl<'a, 'p> Adversary<'a, 'p> {
    pub(crate) fn new(
        subject: &'a mut Subject<'p>,
        journal: &Shared,
        setting: &'a Setting,
    ) -> Adversary<'a, 'p> {
        let known = &mut subject.known;
        let cast = |case: u32| {
            let threads = (0..setting.threads()).map(|thread| case * setting.threads() + thread);
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
            returned: FxHashMap::default(),
            texts: Texts::default(),
            executions: 0,
            pruned: 0,
            blocked: 0,
        }
    }

    /// Makes ready for another search; false if there is no reason for one.
    pub(crate) fn begin_anew(&mut self) -> bool {
        match self.subject.begin_anew(&mut || true) {
            None => return false,
            // Places are what they were.
            Some(Anew::Renamed) => {}
            Some(Anew::Forgotten(_)) => self.returned.clear(),
        }
        self.observed.clear();
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
            level.extend(self.beginning(case)?);
        }
        let mut seen = FxHashSet::default();
        for steps in 0..=self.setting.steps {
            let points = self.method_goes_on(level, &mut seen, look)?;
            level = Vec::new();
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
                _ => self.blocked += 1,
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
    fn go_through(&mut self, point: &mut Point, thread: u32) -> Result<bool, Stop> {
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

    /// What was returned, when the method is over. Nothing if an observation waits.
    pub(crate) fn returned_by(&mut self, point: &Point) -> Result<Option<Returned>, Stop> {
        let Some(returned) = self.known_returns(point)? else {
            return Ok(None);
        };
        let is_fresh = returned.iter().any(|text| self.texts.is_fresh(*text));
        if !is_fresh && self.setting.prune {
            return Ok(Some(returned));
        }
        // What is new is another one in each run.
        let turns: Vec<u32> = point.made.iter().map(|made| made.by).collect();
        self.make(point.case, &turns)?;
        self.observed.clear();
        let returned = self.known_returns(point)?.ok_or_else(lost)?;
        Ok(Some(self.texts.renamed(&returned)))
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
        let observed = texts.map(Rc::from);
        self.observed.insert(key, observed.clone());
        Ok(observed)
    }

    /// What a thread returns that has come to its end.
    fn text(&mut self, end: &Point, thread: u32) -> Result<TextId, Stop> {
        let cast = &self.casts[end.case as usize];
        let place = cast.place(&end.at, thread, &mut self.subject.known);
        self.returned.get(&place).copied().ok_or_else(lost)
    }

    /// The same in words.
    pub(crate) fn journal(&self, returned: &Returned, operations: usize) -> Journal {
        self.texts.journal(returned, operations)
    }

    /// Runs the program: as said, then whoever was last to the end, the method, and all
    /// observations.
    pub(crate) fn make(&mut self, case: u32, turns: &[u32]) -> Result<Run, Stop> {
        if self.executions >= self.setting.most {
            return Err(Stop::Because(format!(
                "{} runs were made, and there are more to make",
                self.setting.most
            )));
        }
        self.executions += 1;
        let numbers = self.setting.threads();
        let mut starts: Vec<u32> = Vec::new();
        let observers = (0..self.setting.observers).map(|o| self.setting.observer(o));
        let last = turns.last().map_or(METHOD, |last| *last);
        let then: Vec<u32> = [last, METHOD].into_iter().chain(observers).collect();
        for by in turns.iter().copied().chain(then.iter().copied()) {
            if by < numbers && !starts.contains(&by) {
                starts.push(by);
            }
        }
        let threads = &self.casts[case as usize].threads;
        let (mut started, mut done) = (0, 0);
        let mut has_case = false;
        let run = self.subject.run(&mut |moment: Moment<'_>| {
            let main = moment.places[0]?;
            if !chooses(main, moment.known) && !is_over(main, moment.known) {
                return { moment.enabled.contains(&ThreadId::MAIN) }.then_some(ThreadId::MAIN);
            }
            if !has_case {
                has_case = true;
                moment.known.decide(chosen(case));
                return Some(ThreadId::MAIN);
            }
            if let Some(start) = starts.get(started) {
                started += 1;
                moment.known.decide(chosen(*start));
                return Some(ThreadId::MAIN);
            }
            let planned = turns.get(done).map(|by| threads[*by as usize]);
            done += 1;
            let next = planned.or_else(|| unplanned(&moment, threads, &then));
            if next.is_none() && chooses(main, moment.known) {
                // To return is quicker than to be unwound.
                moment.known.decide(chosen(numbers));
                return Some(ThreadId::MAIN);
            }
            next.filter(|thread| moment.enabled.contains(thread))
        });
        for (thread, text) in &self.journal.borrow().texts {
            let thread = threads[*thread as usize];
            if let Some(Some(place)) = run.places.get(thread.index()) {
                self.returned.insert(*place, self.texts.number(text));
            }
        }
        match &run.ending {
            Ending::Trouble(_) if self.subject.must_begin_anew() => Err(Stop::Anew),
            Ending::Trouble(trouble) => Err(Stop::Because(self.subject.why(trouble))),
            Ending::Bound => Err(Stop::Because(
                "a run has too many steps: is there a loop without an end?".to_owned(),
            )),
            _ => Ok(run),
        }
    }
}

fn lost() -> Stop {
    Stop::Because("a run did not come to where it was sent".to_owned())
}

/// Who goes on where nothing was said: the first of these, or whom they have started.
fn unplanned(moment: &Moment<'_>, threads: &[ThreadId], then: &[u32]) -> Option<ThreadId> {
    let can = |by: u32| {
        let thread = threads[by as usize];
        let place = moment.places.get(thread.index()).copied().flatten()?;
        let is_enabled = moment.enabled.contains(&thread) && !is_over(place, moment.known);
        is_enabled.then_some(thread)
    };
    let numbered = |thread: &&ThreadId| moment.known.parent(**thread).is_none();
    let mut then = then.iter();
    then.find_map(|by| can(*by))
        .or_else(|| moment.enabled.iter().find(|t| !numbered(t)).copied())
}
