//! Coroutines, each with what the thread that it is knows of itself.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::ptr;
use std::rc::Rc;
use std::sync::OnceLock;

use commute_model::Value;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::call::{Arg, Call};
use super::pointers::Pointers;
use crate::code::NodeId;
use crate::program::Trouble;
use crate::words::{ObjectId, OpId, ResultId, ThreadId};

/// Virtual memory, of which only what is used is there: as much as threads of std have,
/// or as the environment says for those.
pub(super) fn stack() -> usize {
    const USUAL: usize = 2 << 20;
    static SIZE: OnceLock<usize> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let said = std::env::var("RUST_MIN_STACK").ok();
        said.and_then(|size| size.parse().ok()).unwrap_or(USUAL)
    })
}

/// At least so much of what is below a stack cannot be touched.
const PAGE: usize = 4096;

/// What a coroutine is suspended with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// An operation, on its stack.
    Call(*const Call<'static>),
    /// Nothing: it lets others run.
    Yield,
    /// A destructor would have to wait, but nobody goes on.
    Stuck,
    /// It has nothing to do.
    Over,
}

/// What it is told then.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    /// There is a job.
    Start,
    /// The result of its operation.
    Result(*const Value),
    /// Nothing.
    GoOn,
    /// It must not go on, but unwind.
    Stop,
    /// There will be no more jobs.
    Quit,
}

/// How a job ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Returned {
    /// It returned this.
    Value(Value),
    /// It returned something that cannot be compared.
    Something,
    /// It panicked.
    Panicked,
}

pub(super) type Job = Box<dyn FnOnce() -> Returned>;

/// An operation that is told later.
#[derive(Clone, Debug)]
pub(super) struct Posted {
    pub(super) objects: SmallVec<[ObjectId; 2]>,
    pub(super) method: &'static str,
    pub(super) args: SmallVec<[Arg; 3]>,
    pub(super) at: Option<&'static Location<'static>>,
}

/// What is noted of a run, by whoever sees it.
#[derive(Debug, Default)]
pub(super) struct Noted {
    pub(super) trouble: RefCell<Option<Trouble>>,
    /// Whether an ordering was weaker than the model is.
    pub(super) weak: Cell<bool>,
    /// What people should know of the verdict.
    pub(super) remarks: RefCell<BTreeSet<&'static str>>,
    /// Where the object is that all others belong to, and how large it is.
    pub(super) whole: Cell<Option<(usize, usize)>>,
    /// Where operations were, looked at for who polls them.
    pub(super) sites: RefCell<FxHashSet<usize>>,
    /// How many coroutines are suspended while they unwind.
    pub(super) unwinding: Cell<u32>,
}

impl Noted {
    pub(super) fn trouble(&self, trouble: Trouble) {
        self.trouble.borrow_mut().get_or_insert(trouble);
    }
}

/// What a coroutine knows of itself.
pub(super) struct Fiber {
    yielder: Cell<*const Yielder<Answer, Ask>>,
    /// The page below its stack.
    pub(super) guard: Range<usize>,
    job: RefCell<Option<Job>>,
    pub(super) thread: Cell<ThreadId>,
    pub(super) generation: Cell<u32>,
    /// The object that it is for others.
    pub(super) handle: Cell<ObjectId>,
    pub(super) posted: RefCell<VecDeque<Posted>>,
    /// What it calls addresses.
    pub(super) pointers: RefCell<Pointers>,
    pub(super) stopping: Cell<bool>,
    /// How many calls it is in whose inner operations do not count.
    pub(super) inside: Cell<u32>,
    /// How often it was tried to end it.
    pub(super) thrown: Cell<u32>,
    pub(super) unwinding: Cell<bool>,
    /// It is being tried out whether it goes round in a loop.
    pub(super) trying: Cell<bool>,
    /// How many operations it has done.
    pub(super) operations: Cell<u64>,
    /// What it said when it last panicked.
    pub(super) panic: RefCell<Option<String>>,
    /// And before that.
    pub(super) panic_before: RefCell<Option<String>>,
    pub(super) returned: RefCell<Option<Returned>>,
    pub(super) has_panicked: Cell<bool>,
    /// What belongs to the thread, by what it is known by.
    pub(super) locals: RefCell<Vec<(usize, Rc<dyn Any>)>>,
    /// The job and the name of a thread that it starts, and which thread that is.
    pub(super) newborn: RefCell<Option<(Job, Option<String>)>>,
    pub(super) started: Cell<ThreadId>,
    pub(super) noted: Rc<Noted>,
}

thread_local! {
    static CURRENT: Cell<*const Fiber> = const { Cell::new(ptr::null()) };
}

/// The coroutine that is running on this thread, if one is.
#[inline]
pub(super) fn current<R>(f: impl FnOnce(&Fiber) -> R) -> Option<R> {
    let fiber = CURRENT.try_with(Cell::get).unwrap_or(ptr::null());
    // SAFETY: null, or set by `resume`, which has a reference to it until the coroutine
    // is suspended, and what is called here is called by the coroutine.
    #[expect(unsafe_code, reason = "a reference that lives as long as we run")]
    let fiber = unsafe { fiber.as_ref() };
    fiber.map(f)
}

/// Whether a coroutine is running on this thread.
#[inline]
pub(super) fn is_running() -> bool {
    CURRENT.try_with(|current| !current.get().is_null()) == Ok(true)
}

impl Fiber {
    fn new(noted: Rc<Noted>, guard: Range<usize>) -> Fiber {
        Fiber {
            yielder: Cell::new(ptr::null()),
            guard,
            job: RefCell::new(None),
            thread: Cell::new(ThreadId::MAIN),
            generation: Cell::new(0),
            handle: Cell::new(ObjectId(0)),
            posted: RefCell::new(VecDeque::new()),
            pointers: RefCell::default(),
            stopping: Cell::new(false),
            inside: Cell::new(0),
            thrown: Cell::new(0),
            unwinding: Cell::new(false),
            trying: Cell::new(false),
            operations: Cell::new(0),
            panic: RefCell::new(None),
            panic_before: RefCell::new(None),
            returned: RefCell::new(None),
            has_panicked: Cell::new(false),
            locals: RefCell::new(Vec::new()),
            newborn: RefCell::new(None),
            started: Cell::new(ThreadId::MAIN),
            noted,
        }
    }

    /// Suspends the coroutine, which is the caller.
    #[inline]
    pub(super) fn suspend(&self, ask: Ask) -> Answer {
        // SAFETY: set by the coroutine when it began, on its own stack, and the caller
        // runs on that stack.
        #[expect(unsafe_code, reason = "lives as long as the coroutine")]
        let yielder = unsafe { &*self.yielder.get() };
        if !std::thread::panicking() || !self.is_panicking() {
            return yielder.suspend(ask);
        }
        let unwinding = &self.noted.unwinding;
        unwinding.set(unwinding.get() + 1);
        let answer = yielder.suspend(ask);
        unwinding.set(unwinding.get().saturating_sub(1));
        answer
    }

    /// Whether it unwinds. While others are suspended in the middle of that, std does not
    /// tell whose panic it is; then only what the hook saw counts.
    pub(super) fn is_panicking(&self) -> bool {
        if !std::thread::panicking() {
            self.unwinding.set(false);
            return false;
        }
        self.unwinding.get() || self.noted.unwinding.get() == 0
    }

    /// What belongs to the thread ends with it, the last first. Something may come anew
    /// meanwhile.
    fn drop_locals(&self) {
        loop {
            let last = self.locals.borrow_mut().pop();
            let Some(last) = last else { break };
            // As for a thread that was stopped: nobody hears of it.
            drop(catch_unwind(AssertUnwindSafe(|| drop(last))));
        }
    }

    /// Everything that there is to do.
    fn work(&self, yielder: &Yielder<Answer, Ask>, mut answer: Answer) {
        self.yielder.set(yielder);
        while let Answer::Start = answer {
            let job = self.job.borrow_mut().take();
            let returned = job.map_or(Returned::Something, |job| job());
            self.drop_locals();
            self.has_panicked.set(returned == Returned::Panicked);
            *self.returned.borrow_mut() = Some(returned);
            answer = yielder.suspend(Ask::Over);
        }
    }
}

/// A coroutine that does one job after the other.
pub(super) struct Worker {
    coroutine: Coroutine<Answer, Ask, (), DefaultStack>,
    pub(super) fiber: Box<Fiber>,
    pub(super) ask: Ask,
    /// Where its thread is in its code.
    pub(super) place: NodeId,
    /// From where on it has only looked at things.
    pub(super) looks: Option<NodeId>,
    /// What it looked at last, and how often in a row.
    pub(super) looked: (Option<(OpId, ResultId)>, u32),
    /// The lock that it took last, and how often in a row for nothing.
    pub(super) polled: (Option<(OpId, ResultId)>, u32),
    /// How many threads it has started.
    pub(super) children: u32,
}

impl Worker {
    pub(super) fn new(noted: &Rc<Noted>) -> Worker {
        let stack = DefaultStack::new(stack()).expect("memory for the stack of a thread");
        let limit = stack.limit().get();
        let fiber = Box::new(Fiber::new(Rc::clone(noted), limit..limit + PAGE));
        let inside: *const Fiber = &raw const *fiber;
        let coroutine = Coroutine::with_stack(stack, move |yielder, answer| {
            // SAFETY: the fiber is in a box that is dropped after the coroutine.
            #[expect(unsafe_code, reason = "worker and fiber live equally long")]
            let fiber = unsafe { &*inside };
            fiber.work(yielder, answer);
        });
        Worker {
            coroutine,
            fiber,
            ask: Ask::Over,
            place: NodeId(0),
            looks: None,
            looked: (None, 0),
            polled: (None, 0),
            children: 0,
        }
    }

    /// Runs a job up to its first operation.
    pub(super) fn start(
        &mut self,
        thread: ThreadId,
        handle: ObjectId,
        generation: u32,
        job: Job,
        pointers: Pointers,
    ) {
        let fiber = &self.fiber;
        *fiber.pointers.borrow_mut() = pointers;
        fiber.thread.set(thread);
        fiber.handle.set(handle);
        fiber.generation.set(generation);
        fiber.posted.borrow_mut().clear();
        fiber.stopping.set(false);
        fiber.inside.set(0);
        fiber.thrown.set(0);
        fiber.unwinding.set(false);
        fiber.panic.borrow_mut().take();
        fiber.panic_before.borrow_mut().take();
        fiber.returned.borrow_mut().take();
        *fiber.job.borrow_mut() = Some(job);
        self.looks = None;
        self.looked = (None, 0);
        self.polled = (None, 0);
        self.children = 0;
        self.resume(Answer::Start);
    }

    /// Lets the coroutine go on until it asks for something.
    #[inline]
    pub(super) fn resume(&mut self, answer: Answer) {
        CURRENT.set(&raw const *self.fiber);
        let result = self.coroutine.resume(answer);
        CURRENT.set(ptr::null());
        self.ask = match result {
            CoroutineResult::Yield(ask) => ask,
            CoroutineResult::Return(()) => Ask::Over,
        };
    }

    /// The operation that it is about to do.
    #[inline]
    pub(super) fn call(&self) -> Option<&Call<'_>> {
        match self.ask {
            // SAFETY: a local variable of the coroutine, which is suspended as long as
            // nobody has us mutably.
            #[expect(unsafe_code, reason = "it is on the stack of the coroutine")]
            Ask::Call(call) => Some(unsafe { &*call.cast::<Call<'_>>() }),
            _ => None,
        }
    }

    /// Unwinds what is left of its job. False if that cannot be: then it is of no more
    /// use.
    pub(super) fn stop(&mut self) -> bool {
        self.fiber.posted.borrow_mut().clear();
        if let Ask::Over = self.ask {
            return true;
        }
        self.fiber.stopping.set(true);
        self.resume(Answer::Stop);
        matches!(self.ask, Ask::Over)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        match self.ask {
            Ask::Over if self.coroutine.done() => {}
            Ask::Over => self.resume(Answer::Quit),
            // SAFETY: nothing refers to the stack: it is never resumed, and threads that
            // it may have lent something to are younger and were stopped before.
            #[expect(unsafe_code, reason = "what is on it is leaked, which is safe")]
            _ => unsafe { self.coroutine.force_reset() },
        }
    }
}
