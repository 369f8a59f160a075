//! Which operation a call is: names for objects of a run.
//!
//! An object is named at its first use in a run. If the place where that is was seen
//! before, its operation says which object it is; else the object is new, and has the
//! name of the place. So an object that is first used in one place in one run and in
//! another in another may get two names. When both meet, they are made one for good and
//! the exploration begins anew.

use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::call::{Arg, Asked, Call, First, Mark, Object, Starts};
use super::fiber::Noted;
use super::fiber::Posted;
use super::pointers::Pointers;
use super::statics::{self, Statics};
use crate::code::{Next, NodeId};
use crate::knowledge::Knowledge;
use crate::program::Trouble;
use crate::words::{ObjectId, OpId, Operation, ThreadId};
use crate::world::StateId;

/// In place of the number of a run: the object was not used, but somebody told what
/// people call it.
const CALLED: u32 = u32::MAX;

/// The same: it was used by somebody who is no thread of a test.
const USED: u32 = u32::MAX - 1;

/// The model of what holds an address.
const POINTER: &str = "pointer";

/// In place of a name: the object is inside of another, whose calls are single steps.
const INNER: ObjectId = ObjectId(u32::MAX);

/// What people call objects. As many as there are such names in a program.
static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A number for a run that no other has.
pub(super) fn new_generation() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    loop {
        let generation = LAST.fetch_add(1, Relaxed).wrapping_add(1);
        if ![0, CALLED, USED].contains(&generation) {
            return generation;
        }
    }
}

/// Its name in a run, if it has one.
#[inline]
pub(super) fn named(mark: &Mark, generation: u32) -> Option<ObjectId> {
    (mark[0].load(Relaxed) == generation).then(|| ObjectId(mark[1].load(Relaxed)))
}

/// Whether an object with this number is of a run, or was not used in any.
pub(super) fn may_be_of(number: u32, generation: u32) -> bool {
    [0, CALLED, generation].contains(&number)
}

/// The same, unless it is inside of another.
pub(super) fn usual(mark: &Mark, generation: u32) -> Option<ObjectId> {
    named(mark, generation).filter(|name| *name != INNER)
}

/// The object is used inside of another. False if it was used on its own before.
pub(super) fn keep_inside(mark: &Mark, generation: u32) -> bool {
    match named(mark, generation) {
        None => {
            mark[1].store(INNER.0, Relaxed);
            mark[0].store(generation, Relaxed);
            true
        }
        Some(name) => name == INNER,
    }
}

/// What is to be said of an object that is used in both ways.
pub(super) fn inside_and_outside() -> Trouble {
    Trouble::Misuse(
        "something inside of an object whose calls are single steps is also used from outside"
            .to_owned(),
    )
}

/// Whether it is in the data of the program.
fn is_static(mark: &Mark) -> bool {
    statics::is_static(std::ptr::from_ref(mark).addr())
}

/// It is used by somebody who is no thread of a test.
pub(super) fn used_elsewhere(mark: &Mark) {
    mark[0].store(USED, Relaxed);
}

/// Gives it a name for people.
pub(super) fn call(mark: &Mark, name: &str) {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let known = names.iter().position(|known| known == name);
    let index = known.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    mark[1].store(index as u32, Relaxed);
    mark[0].store(CALLED, Relaxed);
}

/// What it was called by somebody, or where it was made.
fn title(mark: &Mark, first: &First) -> String {
    if mark[0].load(Relaxed) == CALLED {
        let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = names.get(mark[1].load(Relaxed) as usize) {
            return name.clone();
        }
    }
    match first.created {
        Some(at) => format!(
            "{} ({}:{}:{})",
            first.word,
            at.file(),
            at.line(),
            at.column()
        ),
        None => first.word.to_owned(),
    }
}

/// Numbers of objects that have their names from where they are: more than there are
/// objects in an operation.
pub(crate) const INSIDE: u32 = 1 << 16;

/// Numbers of threads that have some: they are not inside of anything so large.
const STARTED: u32 = 1 << 30;

/// The names of a run.
#[derive(Default)]
pub(super) struct Naming {
    pub(super) statics: Statics,
    pub(super) generation: u32,
    noted: Rc<Noted>,
    /// By object, the last run in which something had this name.
    used: Vec<u32>,
}

impl Naming {
    pub(super) fn new(noted: &Rc<Noted>) -> Naming {
        Naming {
            noted: Rc::clone(noted),
            ..Naming::default()
        }
    }

    fn bind(&mut self, mark: &Mark, object: ObjectId) -> Result<(), Trouble> {
        let before = mark[0].load(Relaxed);
        if before != 0 && before != CALLED {
            return Err(Trouble::Misuse(match before {
                USED => "an object was used before, by a thread that the test did not start with \
                         `commute::thread`: another thread of the process, or whoever ran before \
                         the test"
                    .to_owned(),
                _ => "an object is carried over from one run to the next: make it in the test; \
                      of statics, those of the types of `commute::sync` are made anew"
                    .to_owned(),
            }));
        }
        let index = object.index();
        if self.used.len() <= index {
            self.used.resize(index + 1, 0);
        }
        if self.used[index] == self.generation {
            return Err(Trouble::Chance(
                "two objects are used where there was one in another run".to_owned(),
            ));
        }
        self.used[index] = self.generation;
        mark[1].store(object.0, Relaxed);
        mark[0].store(self.generation, Relaxed);
        Ok(())
    }

    /// The operation that a call is, at a place.
    #[inline]
    pub(super) fn operation(
        &mut self,
        call: &Call<'_>,
        me: ThreadId,
        children: u32,
        place: NodeId,
        pointers: &mut Pointers,
        known: &mut Knowledge,
    ) -> Result<OpId, Trouble> {
        let asked = &mut Asked {
            me,
            place: known.digest(place),
            own: known.own_digest(place),
            pointers,
        };
        if let Some(Next::Op(op)) = known.next(place) {
            let op = *op;
            let operation = known.operation(op);
            if operation.method == call.method
                && operation.objects.len() == call.objects.len()
                && operation.spawns.is_some() == call.starts.is_some()
                && alike(call.args, &operation.args, asked)
            {
                let objects = operation.objects.clone();
                for (object, expected) in call.objects.iter().zip(objects) {
                    match named(object.mark, self.generation) {
                        Some(name) if name == expected => {}
                        Some(INNER) => return Err(inside_and_outside()),
                        Some(name) => return Err(self.two_names(name, expected, known)),
                        None => {
                            if is_static(object.mark) {
                                self.statics.use_first((object.first)().whole);
                            }
                            if known.model(expected).name() == POINTER {
                                self.bind_pointer(object, expected, asked, known);
                            }
                            self.bind(object.mark, expected)?;
                        }
                    }
                }
                return Ok(op);
            }
        }
        self.new_operation(call, asked, children, place, known)
    }

    #[cold]
    fn new_operation(
        &mut self,
        call: &Call<'_>,
        asked: &mut Asked<'_>,
        children: u32,
        place: NodeId,
        known: &mut Knowledge,
    ) -> Result<OpId, Trouble> {
        let mut objects = SmallVec::new();
        for (number, object) in call.objects.iter().enumerate() {
            objects.push(match named(object.mark, self.generation) {
                Some(INNER) => return Err(inside_and_outside()),
                Some(name) => name,
                None => {
                    let from = match call.starts {
                        Some(Starts::Numbered(number)) => Some(STARTED + number),
                        _ => self.offset(object.mark),
                    };
                    let (place, number) = match from {
                        // Its name is the same whoever uses it first.
                        Some(number) => (known.root(ThreadId::MAIN, None), number),
                        None => (place, number as u32),
                    };
                    self.new_object(object, number, place, asked, known)?
                }
            });
        }
        known.locate(place, call.at);
        let spawns = call.starts.map(|starts| match starts {
            Starts::One => known.thread(asked.me, children),
            Starts::Like(rank) => known.thread_like(asked.me, children, rank),
            Starts::Numbered(number) => known.thread_numbered(number),
        });
        let args = call.args.iter().map(|arg| arg.value(asked)).collect();
        Ok(known.op(Operation {
            objects,
            method: call.method,
            args,
            spawns,
            me: caller(call.args),
            is_own: call.args.iter().any(Arg::is_own),
        }))
    }

    /// Where it is in what all others belong to, as a number that nothing else has.
    fn offset(&self, mark: &Mark) -> Option<u32> {
        let (begin, size) = self.noted.whole.get()?;
        let offset = std::ptr::from_ref(mark).addr().checked_sub(begin)?;
        let offset = (offset < size).then_some(offset)?;
        u32::try_from(offset).ok()?.checked_add(INSIDE)
    }

    fn new_object(
        &mut self,
        object: &Object<'_>,
        number: u32,
        place: NodeId,
        asked: &mut Asked<'_>,
        known: &mut Knowledge,
    ) -> Result<ObjectId, Trouble> {
        let mut first = (object.first)();
        if let Some(address) = first.pointer {
            first.initial = Arg::Pointer(address).value(asked);
        }
        let title = title(object.mark, &first);
        self.statics.use_first(first.whole);
        let name = known.object(place, number, &first.model, first.initial);
        known.call_object(name, &title);
        self.bind(object.mark, name)?;
        Ok(name)
    }

    /// The thread that first uses what holds an address learns what that is called.
    #[cold]
    fn bind_pointer(
        &self,
        object: &Object<'_>,
        name: ObjectId,
        asked: &mut Asked<'_>,
        known: &Knowledge,
    ) {
        let initial = known.state_value(name, StateId::INITIAL);
        if let (Some(address), Some(name)) = ((object.first)().pointer, initial.as_int()) {
            asked.pointers.learn(address, name);
        }
    }

    /// An object has a name in this run, and another at this place in others.
    #[cold]
    fn two_names(&self, a: ObjectId, b: ObjectId, known: &mut Knowledge) -> Trouble {
        // If both are used, they are two objects.
        let both = self.used.get(b.index()) == Some(&self.generation);
        if !both && known.rename(a, b) {
            return Trouble::Restart("an object was first used in two places".to_owned());
        }
        Trouble::Chance(format!(
            "{} is used where there was {} in another run",
            known.object_name(a),
            known.object_name(b)
        ))
    }

    /// Whether a call is what is done at a place.
    pub(super) fn is(
        &self,
        call: &Call<'_>,
        me: ThreadId,
        place: NodeId,
        pointers: &mut Pointers,
        known: &Knowledge,
    ) -> bool {
        let asked = &mut Asked {
            me,
            place: known.digest(place),
            own: known.own_digest(place),
            pointers,
        };
        let Some(Next::Op(op)) = known.next(place) else {
            return false;
        };
        let operation = known.operation(*op);
        let same = |(object, name): (&Object<'_>, &ObjectId)| {
            named(object.mark, self.generation) == Some(*name)
        };
        operation.method == call.method
            && operation.objects.len() == call.objects.len()
            && operation.spawns.is_some() == call.starts.is_some()
            && alike(call.args, &operation.args, asked)
            && call.objects.iter().zip(&operation.objects).all(same)
    }

    /// The operation that something told later is, at a place.
    #[inline]
    pub(super) fn posted(
        &self,
        posted: &Posted,
        me: ThreadId,
        place: NodeId,
        pointers: &mut Pointers,
        known: &mut Knowledge,
    ) -> Result<OpId, Trouble> {
        let asked = &mut Asked {
            me,
            place: known.digest(place),
            own: known.own_digest(place),
            pointers,
        };
        if let Some(Next::Op(op)) = known.next(place) {
            let op = *op;
            let operation = known.operation(op);
            if operation.method == posted.method
                && operation.objects.len() == posted.objects.len()
                && alike(&posted.args, &operation.args, asked)
            {
                let mut pairs = posted.objects.iter().zip(&operation.objects);
                return match pairs.find(|(name, expected)| name != expected) {
                    None => Ok(op),
                    Some((name, expected)) => Err(self.two_names(*name, *expected, known)),
                };
            }
        }
        if let Some(at) = posted.at {
            known.locate(place, at);
        }
        let args = posted.args.iter().map(|arg| arg.value(asked)).collect();
        Ok(known.op(Operation {
            objects: posted.objects.clone(),
            method: posted.method,
            args,
            spawns: None,
            me: caller(&posted.args),
            is_own: posted.args.iter().any(Arg::is_own),
        }))
    }
}

/// Which of them is the thread itself.
fn caller(args: &[Arg]) -> Option<u8> {
    let place = args.iter().position(|arg| *arg == Arg::Me)?;
    u8::try_from(place).ok()
}

#[inline]
fn alike(args: &[Arg], values: &[commute_model::Value], asked: &mut Asked<'_>) -> bool {
    args.len() == values.len() && args.iter().zip(values).all(|(arg, v)| arg.is(v, asked))
}
