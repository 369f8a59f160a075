//! What instrumented types call, each while its operation is not over for others.

use std::panic::Location;

use crate::LockOp;
use crate::event::Code;
use crate::local::{Order, each};
use crate::raw::Raw;
use crate::registry::{Block, Method};
use crate::tag::Tag;
use crate::taken::{give_back, take, with};

/// Records what was done to a lock, by a thread that holds it.
#[inline]
pub fn lock(tag: &Tag, op: LockOp, at: &'static Location<'static>) {
    let (code, order) = match op {
        LockOp::Acquire => (Code::Acquire, Order::Alone),
        LockOp::Release => (Code::Release, Order::Alone),
        LockOp::ReadAcquire => (Code::ReadAcquire, Order::AmongOthers),
        LockOp::ReadRelease => (Code::ReadRelease, Order::AmongOthers),
    };
    let Some(mut local) = take() else {
        return;
    };
    local.event(code, tag, order, Some(at));
    give_back(local);
}

/// Records that what a lock protects was looked at, or changed, by a thread that
/// holds the lock. Once in a section is enough: what others do comes before or after.
#[inline]
pub fn access(tag: &Tag, is_write: bool, order: Order, at: &'static Location<'static>) {
    let code = match is_write {
        true => Code::Write,
        false => Code::Read,
    };
    with(|local| local.event(code, tag, order, Some(at)));
}

/// Records an action of an object, before anybody can see what comes after it.
/// Where the kinds of the values are known, nothing asks for them.
#[inline(always)]
pub fn action(
    tag: &Tag,
    method: &Method,
    order: Order,
    at: &'static Location<'static>,
    args: &[Raw<'_>],
    results: &[Raw<'_>],
) {
    let mut shown = false;
    each!(args, value => shown |= value.is_shown());
    each!(results, value => shown |= value.is_shown());
    if shown {
        return show_first(tag, method, order, at, [args, results]);
    }
    // No closure: it would not become part of the caller, which knows the values.
    let Some(mut local) = take() else {
        return;
    };
    let method = method.number();
    local.action(tag, method, order, at, [args, results]);
    give_back(local);
}

/// The same, for values that the program shows: it does so before anything is taken.
#[cold]
fn show_first(
    tag: &Tag,
    method: &Method,
    order: Order,
    at: &'static Location<'static>,
    [args, results]: [&[Raw<'_>]; 2],
) {
    let values = |raws: &[Raw<'_>]| raws.iter().map(Raw::to_value).collect::<Vec<_>>();
    let (args, results) = (values(args), values(results));
    let raws = |values| Vec::from_iter(<[_]>::iter(values).map(Raw::Value));
    let (args, results) = (raws(&args), raws(&results));
    action(tag, method, order, at, &args, &results);
}

/// Records that this thread begins to wait: it still holds the mutex, and no
/// notification can come in between.
pub fn wait(condvar: &Tag, mutex: &Tag, at: &'static Location<'static>) {
    with(|local| local.on_condvar(Code::Wait, [condvar, mutex], at));
}

/// Records that this thread has waited: it holds the mutex again.
pub fn wake(condvar: &Tag, mutex: &Tag, at: &'static Location<'static>) {
    with(|local| local.on_condvar(Code::Wake, [condvar, mutex], at));
}

/// Records a notification, of one waiting thread or of all, before it can have
/// an effect.
pub fn notify(condvar: &Tag, all: bool, at: &'static Location<'static>) {
    let code = match all {
        true => Code::NotifyAll,
        false => Code::Notify,
    };
    with(|local| local.event(code, condvar, Order::AmongOthers, Some(at)));
}

/// Records that an atomic block begins.
pub fn begin(block: &Block, at: &'static Location<'static>) {
    with(|local| local.block(Code::Begin, block, at));
}

/// Records that an atomic block ends.
pub fn end(block: &Block, at: &'static Location<'static>) {
    with(|local| local.block(Code::End, block, at));
}

/// Names an object.
pub(crate) fn name(tag: &Tag, name: &str) {
    with(|local| local.name(tag, name));
}

/// Records that an object is there whose type has this argument.
pub(crate) fn introduce(tag: &Tag, name: Option<&str>, argument: u64) {
    with(|local| {
        local.introduce(tag, name, Some(argument));
    });
}

/// Records that an object is gone.
pub(crate) fn dropped(tag: &Tag) {
    with(|local| local.event(Code::Drop, tag, Order::AmongOthers, None));
}

/// Records what one thread does to another.
pub(crate) fn on_thread(code: Code, tag: &Tag, at: &'static Location<'static>) {
    with(|local| local.event(code, tag, Order::AmongOthers, Some(at)));
}
