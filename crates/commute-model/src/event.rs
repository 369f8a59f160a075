//! Events: what a trace consists of.

use std::fmt;

use crate::Names;
use crate::action::SharedAction;
use crate::id::{BlockId, CondvarId, LocationId, LockId, ObjectId, ThreadId, TypeId, VariableId};

/// One step of one thread.
///
/// The index of an event is its position in the trace, counted from 1; it is
/// not stored, every pass counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Who.
    pub thread: ThreadId,
    /// Where in the source code.
    pub location: LocationId,
    /// What.
    pub op: Op,
}

/// What an event does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// `r(x)`
    Read(VariableId),
    /// `w(x)`
    Write(VariableId),
    /// `acq(l)`
    Acquire(LockId),
    /// `rel(l)`
    Release(LockId),
    /// `racq(l)`: a shared acquisition
    ReadAcquire(LockId),
    /// `rrel(l)`
    ReadRelease(LockId),
    /// `fork(u)`
    Fork(ThreadId),
    /// `join(u)`
    Join(ThreadId),
    /// `begin` or `begin(b)`: an atomic block starts
    Begin(Option<BlockId>),
    /// `end` or `end(b)`
    End(Option<BlockId>),
    /// `wait(c,m)`: a wait begins, the mutex is released
    Wait(CondvarId, LockId),
    /// `wake(c,m)`: the wait is over, the mutex is held again
    Wake(CondvarId, LockId),
    /// `notify(c)`
    Notify(CondvarId),
    /// `notify_all(c)`
    NotifyAll(CondvarId),
    /// `alloc(x)`
    Alloc(VariableId),
    /// `free(x)`
    Free(VariableId),
    /// `new(o:type)`
    New(ObjectId, TypeId),
    /// `drop(o)`
    Drop(ObjectId),
    /// `o.m(args)/result`
    Action(SharedAction),
    /// `dummy`
    Dummy,
    /// `branch`
    Branch,
}

impl Op {
    /// The word text traces use for this kind of operation; `action` for
    /// actions, whose word is their method.
    pub fn kind(&self) -> &'static str {
        match self {
            Op::Read(_) => "r",
            Op::Write(_) => "w",
            Op::Acquire(_) => "acq",
            Op::Release(_) => "rel",
            Op::ReadAcquire(_) => "racq",
            Op::ReadRelease(_) => "rrel",
            Op::Fork(_) => "fork",
            Op::Join(_) => "join",
            Op::Begin(_) => "begin",
            Op::End(_) => "end",
            Op::Wait(..) => "wait",
            Op::Wake(..) => "wake",
            Op::Notify(_) => "notify",
            Op::NotifyAll(_) => "notify_all",
            Op::Alloc(_) => "alloc",
            Op::Free(_) => "free",
            Op::New(..) => "new",
            Op::Drop(_) => "drop",
            Op::Action(_) => "action",
            Op::Dummy => "dummy",
            Op::Branch => "branch",
        }
    }

    /// The operation as text traces write it.
    pub fn display<'a>(&'a self, names: &'a Names) -> impl fmt::Display + 'a {
        DisplayOp { op: self, names }
    }
}

impl Event {
    /// The event as a line of a text trace.
    pub fn display<'a>(&'a self, names: &'a Names) -> DisplayEvent<'a> {
        DisplayEvent { event: self, names }
    }
}

struct DisplayOp<'a> {
    op: &'a Op,
    names: &'a Names,
}

impl fmt::Display for DisplayOp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names;
        let kind = self.op.kind();
        match self.op {
            Op::Read(x) | Op::Write(x) | Op::Alloc(x) | Op::Free(x) => {
                write!(f, "{kind}({})", names.variables.name(*x))
            }
            Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
                write!(f, "{kind}({})", names.locks.name(*l))
            }
            Op::Fork(u) | Op::Join(u) => write!(f, "{kind}({})", names.threads.name(*u)),
            Op::Begin(Some(b)) | Op::End(Some(b)) => {
                write!(f, "{kind}({})", names.blocks.name(*b))
            }
            Op::Wait(c, m) | Op::Wake(c, m) => {
                let (c, m) = (names.condvars.name(*c), names.locks.name(*m));
                write!(f, "{kind}({c},{m})")
            }
            Op::Notify(c) | Op::NotifyAll(c) => write!(f, "{kind}({})", names.condvars.name(*c)),
            Op::New(o, t) => {
                let (o, t) = (names.objects.name(*o), names.types.name(*t));
                write!(f, "{kind}({o}:{t})")
            }
            Op::Drop(o) => write!(f, "{kind}({})", names.objects.name(*o)),
            Op::Action(action) => action.display(names).fmt(f),
            Op::Begin(None) | Op::End(None) | Op::Dummy | Op::Branch => f.write_str(kind),
        }
    }
}

/// An event, to be displayed as a line of a text trace.
#[derive(Clone, Copy, Debug)]
pub struct DisplayEvent<'a> {
    event: &'a Event,
    names: &'a Names,
}

impl fmt::Display for DisplayEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thread = self.names.threads.name(self.event.thread);
        let location = self.names.locations.name(self.event.location);
        let op = self.event.op.display(self.names);
        write!(f, "{thread}|{op}|{location}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_small() {
        // Batches of events live in the cache; a bigger event is a slower tool.
        assert_eq!(size_of::<Event>(), 24);
    }
}
