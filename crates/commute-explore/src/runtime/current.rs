//! What the types that take part call, from inside of a thread of a test.

use std::any::Any;
use std::panic::Location;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{
    AtomicU8, AtomicU32,
    Ordering::{Relaxed, SeqCst},
};

use commute_model::Value;
use smallvec::SmallVec;

use super::call::{Arg, Call, First, Mark, Object, Starts};
pub use super::fiber::Returned;
use super::fiber::{self, Answer, Ask, Fiber, Job, Posted, current};
use super::{foreign, naming, runtimes};
use crate::cause::Cause;
use crate::models;
use crate::program::Trouble;
use crate::words::ThreadId;

/// Tests that there are; one more in a process whose tests are explored, and until it is
/// known whether this is one.
static TESTS: AtomicU32 = AtomicU32::new(1);

/// Where the variable is that makes it one.
pub const VARIABLE: &str = "COMMUTE_EXPLORE";

/// Operations that are told later, at once.
const MOST_POSTED: usize = 64;

/// How often a thread may catch what is to end it. Then it is left where it is.
const MOST_THROWN: u32 = 100;

/// There is a test.
pub(super) fn count_test() {
    TESTS.fetch_add(1, SeqCst);
}

/// There is one less.
pub(super) fn discount_test() {
    TESTS.fetch_sub(1, SeqCst);
}

/// Whether the caller is a thread of a test that is explored. If not, and the object is
/// one of such a test, that is noted: others have no business with it.
#[inline(always)]
pub fn explores(mark: &Mark) -> bool {
    TESTS.load(Relaxed) != 0 && within(mark)
}

#[inline]
fn within(mark: &Mark) -> bool {
    let running = fiber::is_running();
    if !running {
        outside(mark);
    }
    running
}

/// An object is used by somebody who is no thread of a test.
#[cold]
fn outside(mark: &Mark) {
    let is_explored = is_explored();
    match mark[0].load(Relaxed) {
        // A run has to find statics as they were.
        0 if is_explored => {
            foreign::touched_first();
            naming::used_elsewhere(mark);
        }
        0 => {}
        _ => foreign::touched(mark),
    }
}

/// Whether tests of this process are explored.
fn is_explored() -> bool {
    const UNKNOWN: u8 = 0;
    const YES: u8 = 1;
    const NO: u8 = 2;
    // Who comes first is not waited for: in a forked child it does not go on, and a signal
    // handler may have interrupted it.
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    match KNOWN.load(Relaxed) {
        YES => return true,
        NO => return false,
        _ => {}
    }
    let is_explored = std::env::var_os(VARIABLE).is_some();
    let known = match is_explored {
        true => YES,
        false => NO,
    };
    if KNOWN.swap(known, SeqCst) == UNKNOWN && !is_explored {
        TESTS.fetch_sub(1, SeqCst);
    }
    is_explored
}

/// Whether the caller is a thread of a test that is explored.
#[inline(always)]
pub fn is_inside() -> bool {
    TESTS.load(Relaxed) != 0 && fiber::is_running()
}

/// Whether an object whose mark has this for its first number is of this run, or was not
/// used in any.
pub fn may_be_of_this_run(number: u32) -> bool {
    current(|fiber| naming::may_be_of(number, fiber.generation.get())).unwrap_or(false)
}

/// Which thread of the test the caller is.
pub fn current_thread() -> Option<ThreadId> {
    current(|fiber| fiber.thread.get())
}

/// With what a thread is unwound that must not go on.
struct Stopped;

impl Fiber {
    /// Whether operations are steps.
    fn counts(&self) -> bool {
        if self.stopping.get() {
            // Somebody has caught what was to end the thread.
            if !self.is_panicking() {
                self.throw();
            }
            return false;
        }
        self.inside.get() == 0
    }

    /// An operation is part of another, of the object that its object is inside of.
    fn meet_inner(&self, call: &Call<'_>) {
        if self.stopping.get() {
            return;
        }
        for object in call.objects {
            if !naming::keep_inside(object.mark, self.generation.get()) {
                self.noted.trouble(naming::inside_and_outside());
            }
        }
    }

    fn throw(&self) -> ! {
        self.thrown.set(self.thrown.get() + 1);
        while self.thrown.get() > MOST_THROWN {
            self.suspend(Ask::Stuck);
        }
        self.unwinding.set(true);
        // Without the hook: nobody is told.
        std::panic::resume_unwind(Box::new(Stopped));
    }
}

/// Does an operation: waits until it is its turn, and gives `then` the result that its
/// model says. Nothing if operations are not steps now: inside of an object whose calls
/// are, and in destructors of a thread that was stopped. Then the real object decides,
/// but must not be waited for: see [`stuck`].
#[inline]
pub fn visit<R>(call: &Call<'_>, then: impl FnOnce(&Value) -> R) -> Option<R> {
    current(|fiber| {
        if !fiber.counts() {
            fiber.meet_inner(call);
            return None;
        }
        runtimes::look(fiber, call.at);
        fiber.operations.set(fiber.operations.get() + 1);
        match fiber.suspend(Ask::Call(ptr::from_ref(call).cast())) {
            Answer::Result(value) => {
                // SAFETY: whoever resumes us has a reference to it until we suspend.
                #[expect(unsafe_code, reason = "used before anything else is")]
                Some(then(unsafe { &*value }))
            }
            _ => {
                fiber.stopping.set(true);
                if !fiber.is_panicking() {
                    fiber.throw();
                }
                None
            }
        }
    })
    .flatten()
}

/// Tells of an operation that has no result and never waits. The caller runs on at once,
/// and others see it later: what it does to the real object must not be visible to them,
/// other than through operations whose models they ask.
#[inline]
pub fn post(call: &Call<'_>) {
    let posted = current(|fiber| {
        if !fiber.counts() {
            fiber.meet_inner(call);
            return true;
        }
        runtimes::look(fiber, call.at);
        fiber.operations.set(fiber.operations.get() + 1);
        let generation = fiber.generation.get();
        let named = call
            .objects
            .iter()
            .map(|o| naming::usual(o.mark, generation));
        let Some(objects) = named.collect::<Option<SmallVec<[_; 2]>>>() else {
            return false;
        };
        let mut posted = fiber.posted.borrow_mut();
        // A thread that does nothing else must let others run at some time.
        if posted.len() >= MOST_POSTED {
            return false;
        }
        posted.push_back(Posted {
            objects,
            method: call.method,
            args: call.args.iter().cloned().collect(),
            at: Some(call.at),
        });
        true
    });
    if posted == Some(false) {
        visit(call, |_| ());
    }
}

/// Lets others run, because there is nothing to do: what a thread does that looks at
/// something again and again.
pub fn yields() {
    current(|fiber| {
        if !fiber.counts() {
            return;
        }
        if let Answer::Stop = fiber.suspend(Ask::Yield) {
            fiber.stopping.set(true);
            if !fiber.is_panicking() {
                fiber.throw();
            }
        }
    });
}

/// Where operations are not steps, the caller would have to wait.
pub fn stuck(what: &str) -> ! {
    current(|fiber| {
        if !fiber.stopping.get() {
            let text = format!("{what} inside of an object whose calls are single steps");
            fiber.noted.trouble(Trouble::Misuse(text));
        }
        loop {
            fiber.suspend(Ask::Stuck);
            if !fiber.is_panicking() {
                fiber.throw();
            }
        }
    });
    panic!("{what}: it would be waited for, for ever")
}

/// The real object did something else than its model said.
pub fn surprise(model: String, real: String) {
    current(|fiber| {
        let thread = fiber.thread.get();
        fiber.noted.trouble(Trouble::Surprise {
            thread,
            model,
            real,
        });
    });
}

/// The test does something that cannot be explored.
pub fn misuse(text: String) {
    current(|fiber| fiber.noted.trouble(Trouble::Misuse(text)));
}

/// The test depends on something that no exploration sees.
pub fn unexplored(cause: Cause) {
    current(|fiber| fiber.noted.trouble(Trouble::Unexplored(cause)));
}

/// How many operations the caller has done so far.
pub fn operations() -> u64 {
    current(|fiber| fiber.operations.get()).unwrap_or(0)
}

/// An operation has returned an address, which its model calls `name`.
pub fn learn_pointer(address: usize, name: &Value) {
    if let Some(name) = name.as_int() {
        current(|fiber| fiber.pointers.borrow_mut().learn(address, name));
    }
}

/// An ordering was weaker than what is explored.
pub fn note_weak() {
    current(|fiber| fiber.noted.weak.set(true));
}

/// Something is explored as if it were simpler than it is: whoever reads the verdict is
/// told.
pub fn remark(text: &'static str) {
    current(|fiber| fiber.noted.remarks.borrow_mut().insert(text));
}

/// Leaves it to whoever runs the test what comes next.
#[track_caller]
pub fn choose(mark: &Mark) -> Option<Value> {
    ask_runner(mark, "choose")
}

/// Tells whoever runs the test that the caller takes effect by its last operation.
#[track_caller]
pub fn takes_effect(mark: &Mark) {
    ask_runner(mark, "takes_effect");
}

#[track_caller]
fn ask_runner(mark: &Mark, method: &'static str) -> Option<Value> {
    let first = || First::new(Arc::new(models::Choice), Value::unit(), "choice", None);
    let objects = [Object {
        mark,
        first: &first,
    }];
    let call = Call::new(&objects, method, &[], Location::caller());
    visit(&call, Value::clone)
}

/// Whatever is inside of this object has its name from where it is there, and not from
/// who first uses it. It must not move while the test runs.
pub fn name_inside<T>(whole: &T) {
    let range = (ptr::from_ref(whole).addr(), size_of::<T>());
    current(|fiber| fiber.noted.whole.set(Some(range)));
}

/// Whether it is being tried out what the caller does if it sees the same again: what
/// only looks then gives what its model says, whatever there is to be seen.
pub fn is_trying() -> bool {
    current(|fiber| fiber.trying.get()).unwrap_or(false)
}

/// Whether the caller is unwinding because of a panic of its own. Elsewhere, and in
/// threads that were stopped, as std's.
pub fn panicking() -> bool {
    match current(Fiber::is_panicking) {
        Some(panicking) => panicking,
        None => std::thread::panicking(),
    }
}

/// Whether the run is over for the caller, which unwinds. What it is unwound with is not
/// to be kept from it.
pub fn is_stopped() -> bool {
    current(|fiber| fiber.stopping.get()).unwrap_or(false)
}

/// The caller ends with this panic, of which it may be that nobody was told:
/// `resume_unwind` tells nobody.
pub fn ends_with(payload: &(dyn Any + Send)) {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    let Some(text) = text else { return };
    current(|fiber| {
        let mut said = fiber.panic.borrow_mut();
        if !said.as_ref().is_some_and(|said| said.starts_with(text)) {
            *said = Some(text.to_owned());
        }
    });
}

/// Starts a thread, which runs `job`. The object of the call is what it is for others.
/// Nothing if operations are not steps.
pub fn spawn(call: &Call<'_>, name: Option<&str>, job: Job) -> Option<ThreadId> {
    start(call, Starts::One, name, job)
}

/// The same; the thread does the same as the `rank` that were started just before.
pub fn spawn_like(call: &Call<'_>, rank: u32, job: Job) -> Option<ThreadId> {
    start(call, Starts::Like(rank), None, job)
}

/// The same; the thread is known by a number, and not by where it is started. What it
/// does must not depend on what has happened before.
pub fn spawn_numbered(call: &Call<'_>, number: u32, name: &str, job: Job) -> Option<ThreadId> {
    start(call, Starts::Numbered(number), Some(name), job)
}

fn start(call: &Call<'_>, starts: Starts, name: Option<&str>, job: Job) -> Option<ThreadId> {
    let name = name.map(str::to_owned);
    current(|fiber| *fiber.newborn.borrow_mut() = Some((job, name)));
    let call = Call {
        starts: Some(starts),
        ..*call
    };
    visit(&call, |_| ())?;
    current(|fiber| fiber.started.get())
}

/// What belongs to this thread and is known by `key`: made now, if it is not there.
pub fn local<T: 'static>(key: usize, make: impl FnOnce() -> T) -> Option<Rc<T>> {
    let found = current(|fiber| {
        let locals = fiber.locals.borrow();
        let found = locals.iter().find(|(other, _)| *other == key);
        found.map(|(_, local)| Rc::clone(local))
    })?;
    let local = found.unwrap_or_else(|| {
        // Which may need others.
        let made: Rc<dyn Any> = Rc::new(make());
        current(|fiber| fiber.locals.borrow_mut().push((key, Rc::clone(&made))));
        made
    });
    local.downcast().ok()
}

/// While it lives, the operations of this thread are parts of one step.
#[derive(Debug)]
pub struct Inside(());

impl Inside {
    /// From now on.
    pub fn enter() -> Option<Inside> {
        current(|fiber| {
            fiber.inside.set(fiber.inside.get() + 1);
            Inside(())
        })
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        current(|fiber| fiber.inside.set(fiber.inside.get().saturating_sub(1)));
    }
}

/// What an object is known by that carries nothing itself was used in other runs, maybe
/// for another object: in this run it is new.
pub fn renew(mark: &Mark) {
    current(|fiber| {
        if mark[0].load(Relaxed) != fiber.generation.get() {
            mark[0].store(0, Relaxed);
        }
    });
}

/// Gives an object a name for people, if it was not used yet.
pub fn name(mark: &Mark, name: &str) {
    if is_inside() {
        naming::call(mark, name);
    }
}

/// The end of a thread, told to others.
pub(super) fn exit(fiber: &Fiber) -> Option<Posted> {
    let returned = fiber.returned.borrow_mut().take()?;
    let arg = match returned {
        Returned::Value(value) => Arg::Value(value),
        Returned::Something => Arg::Place,
        Returned::Panicked => Arg::Panic,
    };
    Some(Posted {
        objects: SmallVec::from_slice(&[fiber.handle.get()]),
        method: "exit",
        args: SmallVec::from_iter([arg]),
        at: None,
    })
}
