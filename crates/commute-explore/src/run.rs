//! One run of a program.

use commute_model::Value;
use smallvec::SmallVec;

use crate::code::{End, Next, NodeId};
use crate::knowledge::Knowledge;
use crate::program::{Program, Trouble};
use crate::steady;
use crate::story::does;
use crate::turns;
use crate::words::{OpId, ResultId, ThreadId};
use crate::world::World;

/// A step of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Who.
    pub thread: ThreadId,
    /// Where in its code.
    pub node: NodeId,
    /// What.
    pub op: OpId,
    /// What came of it.
    pub result: ResultId,
}

/// A thread panicked, and nobody took note of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The thread.
    pub thread: ThreadId,
    /// What it said.
    pub message: String,
    /// Others that did, and what they said.
    pub others: Vec<(ThreadId, String)>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All threads ended.
    Finished,
    /// These wait for ever.
    Deadlock(Vec<ThreadId>),
    /// It was too long.
    Bound,
    /// It could not be gone on with.
    Trouble(Trouble),
    /// Whoever chooses did not want to go on.
    Abandoned,
}

/// What was seen in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// All steps, in order, without those of threads that looked at something again and
    /// again and learned nothing.
    pub steps: Vec<Step>,
    /// Where each thread is at the end, if it was started.
    pub places: Places,
    /// The states of all objects at the end.
    pub world: World,
    /// How it ended.
    pub ending: Ending,
    /// A panic that is a failure of the test.
    pub failure: Option<Failure>,
    /// Rounds of several looks that were in vain: of each thread at each place the first.
    pub begun: Vec<Begun>,
}

/// A round of several looks, just before the last of them showed that it was in vain. It
/// was taken out of the run, but what others did meanwhile can happen in such a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Begun {
    /// Who looked.
    pub thread: ThreadId,
    /// Where the round began.
    pub back: NodeId,
    /// All steps so far, with those of the round.
    pub steps: Vec<Step>,
    /// Where each thread was.
    pub places: Places,
    /// The states of all objects.
    pub world: World,
}

/// How a payload is shown by whoever unwraps it.
const PAYLOAD: &str = "Any { .. }";

impl Run {
    /// Who went on, as text that means the same in every process.
    pub fn turns(&self, known: &Knowledge) -> String {
        turns::write(&self.steps, known)
    }
}

/// Where each thread is, if it was started. By thread.
pub type Places = SmallVec<[Option<NodeId>; 8]>;

/// What can be chosen from.
pub struct Moment<'a> {
    /// Who can do a step, in order of their numbers.
    pub enabled: &'a [ThreadId],
    /// The steps so far.
    pub steps: &'a [Step],
    /// Where each thread is.
    pub places: &'a Places,
    /// The states of all objects.
    pub world: &'a World,
    /// Rounds of several looks that were in vain.
    pub begun: &'a [Begun],
    /// What is known of the program.
    pub known: &'a mut Knowledge,
}

impl Moment<'_> {
    /// Whoever did the last step, if it can go on; else the first who can.
    pub fn straight_on(&self) -> ThreadId {
        let last = self.steps.last().map(|step| step.thread);
        match last.filter(|last| self.enabled.contains(last)) {
            Some(last) => last,
            None => self.enabled[0],
        }
    }
}

/// A run that is under way.
struct Running<'a> {
    program: &'a mut dyn Program,
    known: &'a mut Knowledge,
    steps: Vec<Step>,
    places: Places,
    world: World,
    /// Threads that have looked at something in vain, and how many steps there had been
    /// that may have changed it.
    spinning: SmallVec<[(ThreadId, usize); 4]>,
    changes: usize,
    begun: Vec<Begun>,
    panicked: SmallVec<[Failure; 1]>,
}

/// Runs the program; `choose` says who does each step. A thread that it names must be
/// enabled. At most `most` steps.
pub(crate) fn run(
    program: &mut dyn Program,
    known: &mut Knowledge,
    most: usize,
    choose: &mut dyn FnMut(Moment<'_>) -> Option<ThreadId>,
) -> Run {
    program.start(known);
    let mut running = Running {
        program,
        known,
        steps: Vec::new(),
        places: Places::new(),
        world: World::default(),
        spinning: SmallVec::new(),
        changes: 0,
        begun: Vec::new(),
        panicked: SmallVec::new(),
    };
    let ending = running.run_on(most, choose);
    running.program.stop();
    let failure = running.failure();
    let Running {
        steps,
        places,
        world,
        begun,
        ..
    } = running;
    Run {
        steps,
        places,
        world,
        ending,
        failure,
        begun,
    }
}

impl Running<'_> {
    fn run_on(
        &mut self,
        most: usize,
        choose: &mut dyn FnMut(Moment<'_>) -> Option<ThreadId>,
    ) -> Ending {
        let root = self.known.root(ThreadId::MAIN, None);
        if let Err(trouble) = self.arrive(ThreadId::MAIN, root) {
            return Ending::Trouble(trouble);
        }
        let mut enabled = Vec::new();
        for count in 0.. {
            self.enabled(&mut enabled);
            if enabled.is_empty() {
                let waiting = self.waiting();
                return if waiting.is_empty() {
                    Ending::Finished
                } else {
                    Ending::Deadlock(waiting)
                };
            }
            if count >= most {
                return Ending::Bound;
            }
            let chosen = choose(Moment {
                enabled: &enabled,
                steps: &self.steps,
                places: &self.places,
                world: &self.world,
                begun: &self.begun,
                known: self.known,
            });
            let Some(thread) = chosen else {
                return Ending::Abandoned;
            };
            debug_assert!(enabled.contains(&thread), "{thread:?} is not enabled");
            if let Err(trouble) = self.step(thread) {
                return Ending::Trouble(trouble);
            }
        }
        unreachable!("the steps were counted")
    }

    /// A thread has come to a place.
    fn arrive(&mut self, thread: ThreadId, node: NodeId) -> Result<(), Trouble> {
        let index = thread.index();
        if self.places.len() <= index {
            self.places.resize(index + 1, None);
        }
        self.places[index] = Some(node);
        let next = self.program.next(thread, node, self.known)?;
        match &next {
            Next::Spins(back) => {
                let back = *back;
                let depth = self.known.depth(node) - self.known.depth(back);
                self.keep_round(thread, back, depth);
                let since = self.forget(thread, depth);
                self.places[index] = Some(back);
                self.spinning.retain(|(spinning, _)| *spinning != thread);
                // Else it may find something else already.
                if since == 0 {
                    self.spinning.push((thread, self.changes));
                }
            }
            Next::Ended(End::Panicked(message)) => self.panicked.push(Failure {
                thread,
                message: message.clone(),
                others: Vec::new(),
            }),
            Next::Op(_) | Next::Ended(End::Returned) => {}
        }
        if let Err(before) = self.known.learn(node, next.clone()) {
            let (before, now) = self.shown_apart(&before, &next);
            return Err(match self.known.taken_from(node) {
                Some(other) => Trouble::Unlike {
                    threads: [thread, self.known.owner(other)],
                    does: [now, before],
                },
                None => Trouble::Different {
                    thread,
                    before,
                    now,
                },
            });
        }
        let Some(other) = self.known.unlike(node) else {
            return Ok(());
        };
        let others = self.known.next(other).map(|next| self.shown(next));
        Err(Trouble::Unlike {
            threads: [thread, self.known.owner(other)],
            does: [self.shown(&next), others.unwrap_or_default()],
        })
    }

    /// Keeps a round that is in vain, as it was before its last look.
    fn keep_round(&mut self, thread: ThreadId, back: NodeId, looks: u32) {
        let is_kept = |begun: &Begun| begun.thread == thread && begun.back == back;
        if looks < 2 || self.begun.iter().any(is_kept) {
            return;
        }
        let (last, before) = self.steps.split_last().expect("it has just looked");
        let mut places = self.places.clone();
        places[thread.index()] = Some(last.node);
        self.begun.push(Begun {
            thread,
            back,
            steps: before.to_vec(),
            places,
            world: self.world.clone(),
        });
    }

    /// The last steps of a thread were in vain. Returns how many steps since the first
    /// of them may have changed what it looked at.
    fn forget(&mut self, thread: ThreadId, count: u32) -> usize {
        let mut first = self.steps.len();
        for _ in 0..count {
            let last = self.steps.iter().rposition(|step| step.thread == thread);
            first = last.expect("it did that many steps");
            self.steps.remove(first);
        }
        let since = self.steps[first..].iter();
        { since }
            .filter(|step| !self.known.only_reads(step.op, step.result))
            .count()
    }

    /// Shows two things that a thread does, with different texts.
    fn shown_apart(&self, before: &Next, now: &Next) -> (String, String) {
        let (before_text, now_text) = (self.shown(before), self.shown(now));
        match (before, now) {
            (Next::Op(before), Next::Op(now)) if before_text == now_text => {
                let operations = [before, now].map(|op| self.known.operation(*op));
                (before_text, steady::other_than(operations).to_owned())
            }
            _ => (before_text, now_text),
        }
    }

    fn shown(&self, next: &Next) -> String {
        match next {
            Next::Op(op) if self.known.operation(*op).method == "exit" => {
                match self.known.operation(*op).args.first() {
                    Some(Value::Tuple(parts)) if !parts.is_empty() => "a panic".to_owned(),
                    _ => "nothing more".to_owned(),
                }
            }
            Next::Op(op) => {
                let object = self.known.operation(*op).objects[0];
                let does = does(*op, None, self.known);
                format!("{does} on {}", self.known.object_name(object))
            }
            Next::Ended(End::Returned) => "it returned".to_owned(),
            Next::Ended(End::Panicked(message)) => format!("it panicked: {message}"),
            Next::Spins(_) => "it looked again".to_owned(),
        }
    }

    fn op(&self, thread: usize) -> Option<OpId> {
        match self.known.next(self.places[thread]?) {
            Some(Next::Op(op)) => Some(*op),
            _ => None,
        }
    }

    fn enabled(&mut self, enabled: &mut Vec<ThreadId>) {
        enabled.clear();
        for index in 0..self.places.len() {
            let thread = ThreadId(index as u32);
            let Some(op) = self.op(index) else { continue };
            let in_vain =
                |(spinning, at): &(ThreadId, usize)| *spinning == thread && *at == self.changes;
            if self.spinning.iter().any(in_vain) {
                continue;
            }
            if self.known.may_go(thread, &self.places) && self.known.peek(&self.world, op).is_some()
            {
                enabled.push(thread);
            }
        }
    }

    /// Who has not ended.
    fn waiting(&self) -> Vec<ThreadId> {
        let waits = |index: &usize| self.op(*index).is_some();
        let waiting = (0..self.places.len()).filter(waits);
        waiting.map(|index| ThreadId(index as u32)).collect()
    }

    fn step(&mut self, thread: ThreadId) -> Result<(), Trouble> {
        let node = self.places[thread.index()].expect("it was started");
        let op = self.op(thread.index()).expect("it has something to do");
        let decided = self.known.take_decision();
        let result = decided.or_else(|| self.known.step(&mut self.world, op));
        let result = result.expect("whoever is chosen can go on");
        self.program.step(thread, result, self.known)?;
        self.steps.push(Step {
            thread,
            node,
            op,
            result,
        });
        // Who looks in vain is the only one who wants to know.
        if !self.spinning.is_empty() && !self.known.only_reads(op, result) {
            self.changes += 1;
        }
        let after = self.known.after(node, result);
        self.arrive(thread, after)?;
        if let Some(child) = self.known.operation(op).spawns {
            let root = self.known.root(child, Some(node));
            self.arrive(child, root)?;
        }
        Ok(())
    }

    /// A panic that no join has returned, or the one that it is about.
    fn failure(&self) -> Option<Failure> {
        let joins = |step: &Step, thread: ThreadId| {
            let operation = self.known.operation(step.op);
            let joined = Value::Int(thread.0.into());
            operation.method == "join" && operation.args.contains(&joined)
        };
        let is_joined =
            |failure: &&Failure| { self.steps.iter() }.any(|step| joins(step, failure.thread));
        let mut failure = self.panicked.iter().find(|f| !is_joined(f))?;
        // Whoever unwraps what a thread panicked with says no more than that.
        while failure.message.contains(PAYLOAD) {
            let mut steps = self.steps.iter().rev();
            let is_join = |step: &&Step| {
                step.thread == failure.thread && self.known.operation(step.op).method == "join"
            };
            let last = steps.find(is_join);
            let cause = last.and_then(|last| {
                let mut panics = self.panicked.iter();
                panics.find(|cause| joins(last, cause.thread))
            });
            match cause {
                Some(cause) => failure = cause,
                None => break,
            }
        }
        // Nor does a scope one of whose threads panicked.
        let says_more = |f: &&Failure| {
            f.thread != failure.thread && !f.message.contains(PAYLOAD) && !is_scope(f)
        };
        if is_scope(failure)
            && let Some(cause) = self.panicked.iter().find(says_more)
        {
            failure = cause;
        }
        let mut failure = failure.clone();
        let is_other = |f: &&Failure| {
            f.thread != failure.thread && !f.message.contains(PAYLOAD) && !is_scope(f)
        };
        let others = self.panicked.iter().filter(is_other);
        failure.others = others.map(|f| (f.thread, f.message.clone())).collect();
        Some(failure)
    }
}

/// Whether a panic is that of a scope one of whose threads panicked.
fn is_scope(failure: &Failure) -> bool {
    failure.message.starts_with("a scoped thread panicked")
}
