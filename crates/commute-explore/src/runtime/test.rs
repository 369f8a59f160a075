//! A test that can be run again and again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use commute_model::Value;

use super::chance::Maps;
use super::current::{count_test, discount_test, ends_with, exit};
use super::fiber::{Answer, Ask, Noted, Returned, Worker};
use super::foreign::Running;
use super::naming::{Naming, new_generation};
use super::output::Kept;
use super::pointers::Pointers;
use super::site::Site;

use super::spin::{Loops, did, looked};
use super::watchdog::{self, Guard};
use super::{overflow, panics, unseen};
use crate::cause::Cause;
use crate::code::{End, Next, NodeId};
use crate::knowledge::Knowledge;
use crate::model::Model;
use crate::models;
use crate::program::{Program, Trouble};
use crate::words::{ObjectId, ResultId, ThreadId};

/// A function that is explored with all threads that it starts.
///
/// It begins from the same state whenever it is run: what it needs it makes, or has in
/// statics of types that take part.
pub struct Test {
    body: Rc<dyn Fn()>,
    /// By thread.
    threads: Vec<Option<Worker>>,
    /// In the order in which they were started.
    started: Vec<ThreadId>,
    pool: Vec<Worker>,
    naming: Naming,
    loops: Loops,
    noted: Rc<Noted>,
    running: Arc<Running>,
    leaks: u64,
    beats: u64,
    maps: Maps,
    output: Option<Kept>,
}

impl Test {
    /// The test that is this function.
    pub fn new(body: impl Fn() + 'static) -> Test {
        Test::guarded(body, Guard::default())
    }

    /// The same, with what it is not allowed.
    pub fn guarded(body: impl Fn() + 'static, guard: Guard) -> Test {
        panics::listen();
        overflow::listen();
        count_test();
        let running = Running::new();
        let noted = Rc::<Noted>::default();
        let naming = Naming::new(&noted);
        watchdog::watch(&running, guard);
        Test {
            body: Rc::new(body),
            threads: Vec::new(),
            started: Vec::new(),
            pool: Vec::new(),
            naming,
            loops: Loops::default(),
            noted,
            running,
            beats: 0,
            leaks: 0,
            maps: Maps::default(),
            output: None,
        }
    }

    /// Whether any run used an ordering that is weaker than what is explored, which is
    /// sequential consistency.
    pub fn has_weak_orderings(&self) -> bool {
        self.noted.weak.get()
    }

    /// What people should know of the verdict.
    pub fn remarks(&self) -> Vec<&'static str> {
        self.noted.remarks.borrow().iter().copied().collect()
    }

    /// What to say if the process has more memory than it may.
    pub fn watch_memory(&self) -> impl Fn() -> Option<String> + 'static {
        let running = Arc::clone(&self.running);
        move || running.too_large()
    }

    /// How many threads could not be unwound when their run was stopped, because a
    /// destructor would have had to wait.
    pub fn leaks(&self) -> u64 {
        self.leaks
    }

    fn begin(
        &mut self,
        thread: ThreadId,
        handle: ObjectId,
        job: Box<dyn FnOnce() -> Returned>,
        pointers: Pointers,
    ) {
        let worker = self.pool.pop();
        let mut worker = worker.unwrap_or_else(|| Worker::new(&self.noted));
        worker.start(thread, handle, self.naming.generation, job, pointers);
        let index = thread.index();
        if self.threads.len() <= index {
            self.threads.resize_with(index + 1, || None);
        }
        self.threads[index] = Some(worker);
        self.started.push(thread);
    }

    fn trouble(&self, known: &Knowledge) -> Result<(), Trouble> {
        if let Some((by, object)) = self.running.touched_by() {
            let is_known = object.index() < known.objects();
            let object = is_known.then(|| known.object_name(object));
            let object = object.as_deref().unwrap_or("an object of the test");
            return Err(Trouble::Misuse(format!(
                "{by}, which the test did not start with `commute::thread`, uses {object}: what \
                 it does is not explored"
            )));
        }
        if let Some(text) = self.running.too_large() {
            return Err(Trouble::Misuse(text));
        }
        // What it leads to says less.
        if let Some(Site { location, .. }) = unseen::chose() {
            return Err(Trouble::Unexplored(Cause::RandomChoice { location }));
        }
        match self.noted.trouble.borrow_mut().take() {
            Some(trouble) => Err(trouble),
            None => Ok(()),
        }
    }
}

impl Program for Test {
    fn start(&mut self, known: &mut Knowledge) {
        self.noted.trouble.borrow_mut().take();
        self.noted.unwinding.set(0);
        self.noted.whole.set(None);
        self.naming.generation = new_generation();
        self.running
            .generation
            .store(self.naming.generation, Relaxed);
        let root = known.root(ThreadId::MAIN, None);
        let model: Arc<dyn Model> = Arc::new(models::Thread);
        // After whatever is first used at the beginning.
        let handle = known.object(root, u32::MAX, &model, models::Thread::initial());
        let body = Rc::clone(&self.body);
        let job = move || match catch_unwind(AssertUnwindSafe(|| body())) {
            Ok(()) => Returned::Value(Value::unit()),
            Err(payload) => {
                ends_with(&*payload);
                Returned::Panicked
            }
        };
        self.maps.begin();
        self.begin(ThreadId::MAIN, handle, Box::new(job), Pointers::default());
    }

    fn next(
        &mut self,
        thread: ThreadId,
        node: NodeId,
        known: &mut Knowledge,
    ) -> Result<Next, Trouble> {
        self.trouble(known)?;
        let worker = self.threads[thread.index()].as_mut();
        let worker = worker.expect("it was started");
        worker.place = node;
        worker.looks.get_or_insert(node);
        loop {
            if let Some(posted) = worker.fiber.posted.borrow().front() {
                let pointers = &mut worker.fiber.pointers.borrow_mut();
                let op = self.naming.posted(posted, thread, node, pointers, known)?;
                return Ok(Next::Op(op));
            }
            match worker.ask {
                Ask::Call(_) => {
                    let call = worker.call().expect("it was just asked");
                    let children = worker.children;
                    let pointers = &mut worker.fiber.pointers.borrow_mut();
                    let naming = &mut self.naming;
                    let op = naming.operation(call, thread, children, node, pointers, known)?;
                    return Ok(Next::Op(op));
                }
                Ask::Yield => {
                    let naming = &mut self.naming;
                    let back = self.loops.yields(worker, thread, node, naming, known)?;
                    if let Some(back) = back {
                        worker.place = back;
                        return Ok(Next::Spins(back));
                    }
                }
                Ask::Over => match exit(&worker.fiber) {
                    // What it said is kept: it is told when the end is.
                    Some(last) => worker.fiber.posted.borrow_mut().push_back(last),
                    None => return Ok(Next::Ended(ended(worker))),
                },
                Ask::Stuck => {
                    let text = "a thread cannot go on".to_owned();
                    return Err(Trouble::Misuse(text));
                }
            }
        }
    }

    fn step(
        &mut self,
        thread: ThreadId,
        result: ResultId,
        known: &mut Knowledge,
    ) -> Result<(), Trouble> {
        let worker = self.threads[thread.index()].as_mut();
        let worker = worker.expect("it was started");
        let Some(Next::Op(op)) = known.next(worker.place) else {
            unreachable!("whoever does a step has something to do");
        };
        let op = *op;
        match known.only_reads(op, result) {
            true => looked(worker, op, result)?,
            false => {
                worker.looks = None;
                worker.looked = (None, 0);
                did(worker, op, result, known)?;
            }
        }
        if worker.fiber.posted.borrow_mut().pop_front().is_some() {
            return Ok(());
        }
        let operation = known.operation(op);
        let child = operation.spawns.map(|child| (child, operation.objects[0]));
        let mut job = None;
        let mut pointers = Pointers::default();
        if let Some((child, _)) = child {
            worker.children += 1;
            pointers.clone_from(&worker.fiber.pointers.borrow());
            worker.fiber.started.set(child);
            job = worker.fiber.newborn.borrow_mut().take();
        }
        self.beats += 1;
        self.running.beats.store(self.beats, Relaxed);
        if let Some(call) = worker.call()
            && let Ok(mut last) = self.running.last.try_lock()
        {
            *last = Some(call.at);
        }
        worker.resume(Answer::Result(known.value(result)));
        if let (Some((child, handle)), Some((job, name))) = (child, job) {
            if let Some(name) = name {
                known.call_thread(child, &name);
            }
            self.begin(child, handle, job, pointers);
        }
        Ok(())
    }

    fn stop(&mut self) {
        self.running.generation.store(0, Relaxed);
        // The youngest first: it may have borrowed something from an older one.
        while let Some(thread) = self.started.pop() {
            let worker = self.threads[thread.index()].take();
            let mut worker = worker.expect("it was started");
            match worker.stop() {
                true => self.pool.push(worker),
                false => self.leaks += 1,
            }
        }
        self.naming.statics.reset();
        self.maps.end();
    }

    fn causes(&self) -> Vec<String> {
        self.maps.causes()
    }

    fn keep_output(&mut self) {
        self.output = Kept::begin();
    }

    fn output(&mut self) -> String {
        self.output.take().map_or(String::new(), Kept::end)
    }
}

/// How a thread ended that has told others.
fn ended(worker: &Worker) -> End {
    match worker.fiber.has_panicked.get() {
        false => End::Returned,
        true => {
            let text = worker.fiber.panic.borrow().clone();
            End::Panicked(text.unwrap_or_else(|| "it panicked".to_owned()))
        }
    }
}

impl Drop for Test {
    fn drop(&mut self) {
        self.stop();
        self.running.end();
        discount_test();
    }
}

impl std::fmt::Debug for Test {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Test").finish_non_exhaustive()
    }
}
