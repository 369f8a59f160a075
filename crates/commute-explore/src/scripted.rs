//! Programs that are written as functions: what a thread does next, from what it got so
//! far. There is nothing to run, so engines can be compared without the cost of it.

use std::ops::Range;
use std::sync::Arc;

use commute_model::Value;

use crate::code::{End, Next, NodeId};
use crate::knowledge::Knowledge;
use crate::model::Model;
use crate::models;
use crate::program::{Program, Trouble};
use crate::words::{ObjectId, Operation, ResultId, ThreadId};

/// What a thread does next.
#[derive(Clone, PartialEq, Debug)]
pub enum Does {
    /// Calls a method of an object.
    Call(usize, &'static str, Vec<Value>),
    /// Starts a thread. The n-th that is started has number n, from 1.
    Start(usize),
    /// Waits for a thread to end.
    Join(usize),
    /// Returns.
    Return,
    /// Panics.
    Panic(String),
}

/// What a thread does after it got these results.
pub type Script = Box<dyn Fn(&[Value]) -> Does>;

/// A program of scripts. The first thread starts the others.
pub struct Scripted {
    models: Vec<(Arc<dyn Model>, Value)>,
    scripts: Vec<Script>,
    objects: Vec<ObjectId>,
    handles: Vec<ObjectId>,
    /// Threads that do the same and may be exchanged.
    alike: Range<usize>,
    /// What each thread got, and whether it has said that it ended.
    threads: Vec<(Vec<Value>, bool)>,
}

impl std::fmt::Debug for Scripted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scripted")
            .field("models", &self.models)
            .finish_non_exhaustive()
    }
}

impl Scripted {
    /// Objects with their first states, and threads.
    pub fn new(models: Vec<(Arc<dyn Model>, Value)>, scripts: Vec<Script>) -> Scripted {
        Scripted {
            models,
            scripts,
            objects: Vec::new(),
            handles: Vec::new(),
            alike: 0..0,
            threads: Vec::new(),
        }
    }

    /// The same, in which these threads are counted up to exchanging them. They do the
    /// same, and none of them is the first.
    pub fn alike(self, threads: Range<usize>) -> Scripted {
        let alike = threads;
        Scripted { alike, ..self }
    }
}

impl Program for Scripted {
    fn start(&mut self, known: &mut Knowledge) {
        let root = known.root(ThreadId::MAIN, None);
        let thread: Arc<dyn Model> = Arc::new(models::Thread);
        let handle = (thread, models::Thread::initial());
        let handles = std::iter::repeat_n(&handle, self.scripts.len());
        let all = self.models.iter().chain(handles).enumerate();
        let all =
            all.map(|(n, (model, initial))| known.object(root, n as u32, model, initial.clone()));
        self.objects = all.collect();
        self.handles = self.objects.split_off(self.models.len());
        self.threads = vec![(Vec::new(), false); self.scripts.len()];
        // Threads have their numbers in the order in which they are started.
        let ids = (1..self.alike.end).map(|n| known.thread(ThreadId::MAIN, n as u32 - 1));
        let alike: Vec<ThreadId> = ids.skip(self.alike.start.saturating_sub(1)).collect();
        for pair in alike.windows(2) {
            known.follow(pair[1], pair[0]);
        }
    }

    fn next(
        &mut self,
        thread: ThreadId,
        _: NodeId,
        known: &mut Knowledge,
    ) -> Result<Next, Trouble> {
        let index = thread.index();
        let (results, has_ended) = &self.threads[index];
        let ends = |panics: bool, end: End| match has_ended {
            true => Err(end),
            // The handle is its own.
            false => Ok(Operation::new(self.handles[index], "exit", [panics.into()]).own()),
        };
        let operation = match self.scripts[index](results) {
            Does::Call(object, method, args) => {
                Ok(Operation::new(self.objects[object], method, args))
            }
            Does::Start(child) => {
                let id = known.thread(ThreadId::MAIN, child as u32 - 1);
                assert_eq!(id.index(), child, "threads are started in order");
                Ok(Operation::new(self.handles[child], "spawn", []).starting(id))
            }
            Does::Join(child) => {
                let args = [Value::Int(child as i128)];
                Ok(Operation::new(self.handles[child], "join", args))
            }
            Does::Return => ends(false, End::Returned),
            Does::Panic(message) => ends(true, End::Panicked(message)),
        };
        Ok(match operation {
            Ok(operation) => Next::Op(known.op(operation)),
            Err(end) => Next::Ended(end),
        })
    }

    fn step(
        &mut self,
        thread: ThreadId,
        result: ResultId,
        known: &mut Knowledge,
    ) -> Result<(), Trouble> {
        let (results, has_ended) = &mut self.threads[thread.index()];
        let does = self.scripts[thread.index()](results);
        match does {
            Does::Return | Does::Panic(_) => *has_ended = true,
            _ => results.push(known.value(result).clone()),
        }
        Ok(())
    }

    fn stop(&mut self) {}
}
