//! Programs that are interpreted: no threads, no stacks.

use std::rc::Rc;
use std::sync::Arc;

use commute_explore::{
    End, Knowledge, Model, Next, NodeId, ObjectId, Operation, Program, ResultId, ThreadId, Trouble,
    models,
};
use commute_model::Value;

/// What threads do.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stmt {
    /// A method of an object.
    Call(usize, &'static str, Vec<Value>),
    /// The same, with one more than the last result.
    CallNext(usize, &'static str),
    /// A method of an object, again and again until it returns that.
    Until(usize, &'static str, Vec<Value>, Value),
    /// The same with several, in this order in every round, until all of them are so; if
    /// the flag says so, a round ends with the first that is not.
    UntilAll(Vec<Look>, bool),
    /// A mutex, taken and given back; what is inside is changed if the flag says so.
    Lock(usize),
    Unlock(usize, bool),
    /// A condition variable, and its mutex, which is held.
    Wait(usize, usize),
    /// Starts a thread; only where every thread comes that does not fail.
    Start(usize),
    /// Waits until a thread ends.
    Join(usize),
    /// The second if the last result was that, else the third.
    If(Value, Rc<[Stmt]>, Rc<[Stmt]>),
    /// Panics if the last result was that.
    FailIf(Value),
}

/// A method of an object, and what it should return.
pub(crate) type Look = (usize, &'static str, Vec<Value>, Value);

impl Stmt {
    fn joins(&self, thread: usize) -> bool {
        match self {
            Stmt::Join(joined) => *joined == thread,
            Stmt::If(_, then, otherwise) => then
                .iter()
                .chain(&**otherwise)
                .any(|stmt| stmt.joins(thread)),
            _ => false,
        }
    }
}

/// A program: objects with their first states, and threads. The first thread starts all
/// that nobody starts, before it does anything else.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) objects: Vec<(Arc<dyn Model>, Value)>,
    pub(crate) threads: Vec<Rc<[Stmt]>>,
}

impl Source {
    /// Who starts a thread, and how many that one has started before.
    fn started_by(&self, thread: usize) -> (usize, u32) {
        let starts = |stmt: &Stmt| match stmt {
            Stmt::Start(started) => Some(*started),
            _ => None,
        };
        for (parent, body) in self.threads.iter().enumerate() {
            let mut started = body.iter().filter_map(starts);
            if let Some(before) = started.position(|started| started == thread) {
                let at_once = if parent == 0 { self.at_once().len() } else { 0 };
                return (parent, (at_once + before) as u32);
            }
        }
        let at_once = self.at_once();
        let before = at_once.iter().position(|started| *started == thread);
        (0, before.expect("somebody starts it") as u32)
    }

    /// The threads that the first one starts at once.
    fn at_once(&self) -> Vec<usize> {
        let is_started = |thread: usize| {
            let mut stmts = self.threads.iter().flat_map(|body| body.iter());
            stmts.any(|stmt| *stmt == Stmt::Start(thread))
        };
        let all = 1..self.threads.len();
        all.filter(|thread| !is_started(*thread)).collect()
    }

    /// Whether anybody waits for a thread: the end of others is no step.
    fn is_joined(&self, thread: usize) -> bool {
        let mut stmts = self.threads.iter().flat_map(|body| body.iter());
        stmts.any(|stmt| stmt.joins(thread))
    }
}

/// A program that runs.
#[derive(Clone)]
pub(crate) struct Interpreted {
    source: Rc<Source>,
    is_joined: Rc<[bool]>,
    at_once: Rc<[usize]>,
    objects: Vec<ObjectId>,
    handles: Vec<ObjectId>,
    threads: Vec<Thread>,
}

#[derive(Clone)]
struct Thread {
    /// Blocks that are being executed, and where.
    stack: Vec<(Rc<[Stmt]>, usize)>,
    /// How many threads were started at once, by the first.
    started: usize,
    /// Of a wait, what comes next: to wake up, to lock.
    waiting: Option<(usize, usize, bool)>,
    last: Value,
    /// Where it is; and whether it has looked in vain there.
    at: NodeId,
    in_vain: bool,
    /// Looks of this round, and whether all were as they should be.
    looked: (usize, bool),
    panicked: bool,
    has_exited: bool,
}

impl Interpreted {
    pub(crate) fn new(source: Source) -> Interpreted {
        let is_joined = (0..source.threads.len()).map(|thread| source.is_joined(thread));
        Interpreted {
            is_joined: is_joined.collect(),
            at_once: source.at_once().into(),
            source: Rc::new(source),
            objects: Vec::new(),
            handles: Vec::new(),
            threads: Vec::new(),
        }
    }

    fn thread(&self, index: usize) -> Thread {
        Thread {
            stack: vec![(Rc::clone(&self.source.threads[index]), 0)],
            started: 0,
            waiting: None,
            last: Value::unit(),
            at: NodeId(0),
            in_vain: false,
            looked: (0, true),
            panicked: false,
            has_exited: false,
        }
    }

    /// The statement that a thread is at, after conditions.
    fn current(&mut self, index: usize) -> Option<Stmt> {
        let thread = &mut self.threads[index];
        loop {
            if thread.panicked {
                return None;
            }
            let (block, at) = thread.stack.last_mut()?;
            match block.get(*at).cloned() {
                None => {
                    thread.stack.pop();
                }
                Some(Stmt::If(value, then, otherwise)) => {
                    *at += 1;
                    let taken = if thread.last == value {
                        then
                    } else {
                        otherwise
                    };
                    thread.stack.push((taken, 0));
                }
                Some(Stmt::FailIf(value)) => {
                    *at += 1;
                    thread.panicked = thread.last == value;
                }
                Some(other) => return Some(other),
            }
        }
    }
}

impl Program for Interpreted {
    fn start(&mut self, known: &mut Knowledge) {
        let root = known.root(ThreadId::MAIN, None);
        self.objects.clear();
        self.handles.clear();
        for (n, (model, initial)) in self.source.objects.iter().enumerate() {
            let object = known.object(root, n as u32, model, initial.clone());
            self.objects.push(object);
        }
        let model: Arc<dyn Model> = Arc::new(models::Thread);
        for n in 0..self.source.threads.len() {
            let before = (self.objects.len() + n) as u32;
            let handle = known.object(root, before, &model, models::Thread::initial());
            self.handles.push(handle);
        }
        for child in 1..self.source.threads.len() {
            let (parent, before) = self.source.started_by(child);
            let thread = known.thread(ThreadId(parent as u32), before);
            assert_eq!(thread.index(), child);
        }
        self.threads = (0..self.source.threads.len())
            .map(|index| self.thread(index))
            .collect();
    }

    fn next(&mut self, id: ThreadId, node: NodeId, known: &mut Knowledge) -> Result<Next, Trouble> {
        let index = id.index();
        let me = Value::Int(index as i128);
        let start = |handles: &[ObjectId], child: usize| {
            let spawn = Operation::new(handles[child], "spawn", []);
            spawn.starting(ThreadId(child as u32))
        };
        if index == 0 && self.threads[0].started < self.at_once.len() {
            let child = self.at_once[self.threads[0].started];
            return Ok(Next::Op(known.op(start(&self.handles, child))));
        }
        if let Some((condvar, mutex, woken)) = self.threads[index].waiting {
            let (object, method) = match woken {
                false => (condvar, "wake"),
                true => (mutex, "lock"),
            };
            let op = Operation::new(self.objects[object], method, [me]).by(0);
            return Ok(Next::Op(known.op(op)));
        }
        let thread = &mut self.threads[index];
        if std::mem::take(&mut thread.in_vain) {
            return Ok(Next::Spins(thread.at));
        }
        let looked = thread.looked.0;
        if looked == 0 {
            thread.at = node;
        }
        let op = match self.current(index) {
            Some(Stmt::UntilAll(looks, _)) => {
                let (object, method, args, _) = looks[looked].clone();
                Operation::new(self.objects[object], method, args)
            }
            Some(Stmt::Call(object, method, args) | Stmt::Until(object, method, args, _)) => {
                Operation::new(self.objects[object], method, args)
            }
            Some(Stmt::CallNext(object, method)) => {
                let last = self.threads[index].last.as_int().expect("a number");
                Operation::new(self.objects[object], method, [Value::Int(last + 1)])
            }
            Some(Stmt::Lock(mutex)) => Operation::new(self.objects[mutex], "lock", [me]).by(0),
            Some(Stmt::Unlock(mutex, changed)) => {
                let version = changed.then(|| known.version(node));
                Operation::new(
                    self.objects[mutex],
                    "unlock",
                    [me].into_iter().chain(version),
                )
                .by(0)
            }
            Some(Stmt::Wait(condvar, mutex)) => {
                let wait = Operation::new(self.objects[condvar], "wait", [me]);
                wait.by(0).and(self.objects[mutex])
            }
            Some(Stmt::Start(thread)) => start(&self.handles, thread),
            Some(Stmt::Join(thread)) => {
                let args = [Value::Int(thread as i128)];
                Operation::new(self.handles[thread], "join", args)
            }
            Some(Stmt::If(..) | Stmt::FailIf(..)) => unreachable!("decided already"),
            None if self.is_joined[index] && !self.threads[index].has_exited => {
                let args = [Value::Bool(self.threads[index].panicked)];
                Operation::new(self.handles[index], "exit", args)
            }
            None if self.threads[index].panicked => {
                return Ok(Next::Ended(End::Panicked("failed".to_owned())));
            }
            None => return Ok(Next::Ended(End::Returned)),
        };
        Ok(Next::Op(known.op(op)))
    }

    fn step(
        &mut self,
        id: ThreadId,
        result: ResultId,
        known: &mut Knowledge,
    ) -> Result<(), Trouble> {
        let index = id.index();
        let thread = &mut self.threads[index];
        if index == 0 && thread.started < self.at_once.len() {
            thread.started += 1;
            return Ok(());
        }
        if let Some((_, _, woken)) = &mut thread.waiting {
            match woken {
                false => *woken = true,
                true => thread.waiting = None,
            }
            return Ok(());
        }
        thread.last = known.value(result).clone();
        match self.current(index) {
            None => self.threads[index].has_exited = true,
            Some(Stmt::Until(_, _, _, value)) if self.threads[index].last != value => {
                self.threads[index].in_vain = true;
            }
            Some(Stmt::UntilAll(looks, lazily)) => {
                let thread = &mut self.threads[index];
                let (looked, all) = thread.looked;
                let all = all && thread.last == looks[looked].3;
                if looked + 1 < looks.len() && (all || !lazily) {
                    thread.looked = (looked + 1, all);
                    return Ok(());
                }
                thread.looked = (0, true);
                match all {
                    true => thread.stack.last_mut().expect("it is somewhere").1 += 1,
                    false => thread.in_vain = true,
                }
            }
            Some(stmt) => {
                let thread = &mut self.threads[index];
                thread.stack.last_mut().expect("it is somewhere").1 += 1;
                if let Stmt::Wait(condvar, mutex) = stmt {
                    thread.waiting = Some((condvar, mutex, false));
                }
            }
        }
        Ok(())
    }

    fn stop(&mut self) {}
}
