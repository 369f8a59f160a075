//! Six programs that verifiers are measured by (SV-COMP), as scripts. What a C program
//! does under a lock or as an atomic section is one operation, as in the thesis.

use std::sync::Arc;

use commute_model::Value;

use super::objects::{Driver, Ring};
use super::programs::{does, int, object, starts};
use crate::model::Model;
use crate::models::{Atomic, Lock};
use crate::scripted::{Does, Script, Scripted};

/// fkp2013 with increments that are one step: one looks, and fails if `n` others have
/// incremented.
pub(super) fn fkp2013(n: usize) -> Scripted {
    let mut scripts = vec![starts(n + 1, |_| Does::Return)];
    scripts.push(Box::new(move |results| match results {
        [] => Does::Call(0, "read", vec![]),
        [seen, ..] if *seen == int(n as i128) => Does::Panic("not all may be there".to_owned()),
        _ => Does::Return,
    }));
    scripts.extend((0..n).map(|_| does(vec![("inc", vec![])])));
    Scripted::new(vec![object("counter")], scripts)
}

/// pthread-demo-datarace: two threads increment `n` times each; then there are 2n.
pub(super) fn datarace(n: usize) -> Scripted {
    let main = starts(1, move |rest| match rest {
        _ if rest.len() < n => Does::Call(0, "inc", vec![]),
        _ if rest.len() == n => Does::Join(1),
        _ if rest.len() == n + 1 => Does::Call(0, "read", vec![]),
        [.., seen] if *seen != int(2 * n as i128) => Does::Panic("one is lost".to_owned()),
        _ => Does::Return,
    });
    let other = does(vec![("inc", vec![]); n]);
    Scripted::new(vec![object("counter")], vec![main, other])
}

/// sigma: the first thread moves an index on and starts a thread that writes there,
/// `n` times; in the end all places are written. Object 0 is the index, others places.
pub(super) fn sigma(n: usize) -> Scripted {
    // The index begins at -1; it is moved on before each start.
    let main: Script = Box::new(move |results| {
        let (round, step) = (results.len() / 2, results.len() % 2);
        match (round, step) {
            _ if round < n && step == 0 => Does::Call(0, "write", vec![int(round as i128)]),
            _ if round < n => Does::Start(round + 1),
            _ if results.len() < 3 * n => Does::Join(results.len() - 2 * n + 1),
            _ if results.len() < 4 * n => Does::Call(results.len() - 3 * n + 1, "read", vec![]),
            _ if results[3 * n..].contains(&int(0)) => Does::Panic("the sum is less".to_owned()),
            _ => Does::Return,
        }
    });
    let writer = || -> Script {
        Box::new(|results| match results {
            [] => Does::Call(0, "read", vec![]),
            [Value::Int(index)] => Does::Call(1 + *index as usize, "write", vec![int(1)]),
            _ => Does::Return,
        })
    };
    let mut scripts = vec![main];
    scripts.extend((0..n).map(|_| writer()));
    let objects = (0..=n).map(|_| object("register")).collect();
    Scripted::new(objects, scripts)
}

/// Code that is run again from its beginning after every step: what it asks for has been
/// answered already, up to the step that is next.
struct Asks<'a> {
    answers: std::slice::Iter<'a, Value>,
}

impl Asks<'_> {
    fn does(&mut self, does: Does) -> Result<Value, Does> {
        self.answers.next().cloned().ok_or(does)
    }

    fn call(&mut self, object: usize, method: &'static str, args: &[i128]) -> Result<Value, Does> {
        let args = args.iter().map(|n| int(*n)).collect();
        self.does(Does::Call(object, method, args))
    }

    fn number(&mut self, object: usize, method: &'static str, args: &[i128]) -> Result<i128, Does> {
        let answer = self.call(object, method, args)?;
        Ok(answer.as_int().expect("a number"))
    }
}

/// A thread with this code.
fn code(code: impl Fn(&mut Asks<'_>) -> Result<(), Does> + 'static) -> Script {
    Box::new(move |results| {
        let answers = results.iter();
        code(&mut Asks { answers }).err().unwrap_or(Does::Return)
    })
}

/// qw2004_variant: a driver is stopped while `n` others want to use it. Object 0 is the
/// driver, 1 says whether it is stopped.
pub(super) fn qw2004(n: usize) -> Scripted {
    let mut scripts = vec![starts(n + 1, |_| Does::Return)];
    scripts.push(code(|asks| {
        asks.call(0, "stop", &[])?;
        asks.call(0, "leave", &[])?;
        asks.call(0, "wait", &[])?;
        asks.call(1, "write", &[1])?;
        Ok(())
    }));
    let add = || {
        code(|asks| {
            if asks.call(0, "enter", &[])? == Value::Bool(false) {
                return Ok(());
            }
            if asks.number(1, "read", &[])? == 1 {
                return Err(Does::Panic("it is stopped and in use".to_owned()));
            }
            asks.call(0, "leave", &[])?;
            Ok(())
        })
    };
    scripts.extend((0..n).map(|_| add()));
    let driver: (Arc<dyn Model>, Value) = (Arc::new(Driver), Driver::initial());
    Scripted::new(vec![driver, object("register")], scripts)
}

/// The same; those who want to use it do the same, and which of them do is not counted.
pub(super) fn qw2004_alike(n: usize) -> Scripted {
    qw2004(n).alike(2..n + 2)
}

/// ring_2w1r: two threads put 1 to `n` into a ring of four, a third takes all of them.
pub(super) fn ring_2w1r(n: usize) -> Scripted {
    let writer = || {
        let values = 1..=n as i128;
        does(values.map(|v| ("enqueue", vec![int(v)])).collect())
    };
    let reader = code(move |asks| {
        let mut counts = vec![0; n];
        for _ in 0..2 * n {
            let value = asks.number(0, "dequeue", &[])? as usize;
            counts[value - 1] += 1;
            if counts[..value]
                .iter()
                .any(|count| *count == 0 || *count > 2)
            {
                return Err(Does::Panic("it came too early".to_owned()));
            }
        }
        Ok(())
    });
    let scripts = vec![starts(3, |_| Does::Return), writer(), writer(), reader];
    let ring: (Arc<dyn Model>, Value) = (Arc::new(Ring), Value::unit());
    Scripted::new(vec![ring], scripts)
}

const HEAD: usize = 0;
const TAIL: usize = 1;
/// How many places are used, less one.
const MASK: usize = 2;
const LOCK: usize = 3;
/// Where the elements are, and how often each was taken.
const PLACES: usize = 4;
const ROOM: usize = 8;
const TAKEN: usize = PLACES + ROOM;

/// workstealqueue_mutex: the owner of a deque pushes `n` elements, two at a time, and pops
/// what two thieves leave.
pub(super) fn workstealqueue(n: usize) -> Scripted {
    let owner = code(move |asks| {
        for thief in 1..=2 {
            asks.does(Does::Start(thief))?;
        }
        for element in (0..n as i128).step_by(2) {
            push(asks, element)?;
            push(asks, element + 1)?;
            pop(asks)?;
        }
        for _ in 0..n / 2 {
            pop(asks)?;
        }
        for thief in 1..=2 {
            asks.does(Does::Join(thief))?;
        }
        for element in 0..n {
            if asks.number(TAKEN + element, "read", &[])? != 1 {
                return Err(Does::Panic("taken twice, or never".to_owned()));
            }
        }
        Ok(())
    });
    let atomic = |value: i128| -> (Arc<dyn Model>, Value) {
        let bits = 64;
        (Arc::new(Atomic { bits, signed: true }), int(value))
    };
    let mut objects = vec![atomic(0), atomic(0), atomic(1)];
    objects.push((Arc::new(Lock), Lock::initial()));
    objects.extend((0..ROOM).map(|_| atomic(0)));
    objects.extend((0..n).map(|_| object("counter")));
    let thief = |me: i128| code(move |asks| steal(asks, me));
    Scripted::new(objects, vec![owner, thief(1), thief(2)])
}

fn place(asks: &mut Asks<'_>, index: i128) -> Result<usize, Does> {
    let mask = asks.number(MASK, "load", &[])?;
    Ok(PLACES + (index & mask) as usize)
}

fn take(asks: &mut Asks<'_>, index: i128) -> Result<(), Does> {
    let place = place(asks, index)?;
    let element = asks.number(place, "load", &[])?;
    asks.call(TAKEN + element as usize, "inc", &[])?;
    Ok(())
}

fn put(asks: &mut Asks<'_>, tail: i128, element: i128) -> Result<(), Does> {
    let place = place(asks, tail)?;
    asks.call(place, "store", &[element])?;
    asks.call(TAIL, "store", &[tail + 1])?;
    Ok(())
}

fn push(asks: &mut Asks<'_>, element: i128) -> Result<(), Does> {
    let tail = asks.number(TAIL, "load", &[])?;
    let room = asks.number(HEAD, "load", &[])? + asks.number(MASK, "load", &[])?;
    if tail < room {
        return put(asks, tail, element);
    }
    asks.call(LOCK, "lock", &[0])?;
    let (head, mask) = (
        asks.number(HEAD, "load", &[])?,
        asks.number(MASK, "load", &[])?,
    );
    let count = asks.number(TAIL, "load", &[])? - head;
    if count >= mask {
        let mut all = Vec::new();
        for index in head..head + count {
            let place = place(asks, index)?;
            all.push(asks.number(place, "load", &[])?);
        }
        asks.call(MASK, "store", &[2 * mask + 1])?;
        for (index, element) in all.into_iter().enumerate() {
            asks.call(PLACES + index, "store", &[element])?;
        }
        asks.call(HEAD, "store", &[0])?;
        asks.call(TAIL, "store", &[count])?;
    }
    let tail = asks.number(TAIL, "load", &[])?;
    put(asks, tail, element)?;
    asks.call(LOCK, "unlock", &[0])?;
    Ok(())
}

/// The owner moves the tail back, and looks whether somebody has passed it.
fn try_pop(asks: &mut Asks<'_>) -> Result<Option<i128>, Does> {
    let tail = asks.number(TAIL, "load", &[])? - 1;
    asks.call(TAIL, "swap", &[tail])?;
    if asks.number(HEAD, "load", &[])? <= tail {
        return Ok(Some(tail));
    }
    asks.call(TAIL, "store", &[tail + 1])?;
    Ok(None)
}

fn pop(asks: &mut Asks<'_>) -> Result<(), Does> {
    if let Some(index) = try_pop(asks)? {
        return take(asks, index);
    }
    asks.call(LOCK, "lock", &[0])?;
    if let Some(index) = try_pop(asks)? {
        take(asks, index)?;
    }
    asks.call(LOCK, "unlock", &[0])?;
    Ok(())
}

fn steal(asks: &mut Asks<'_>, me: i128) -> Result<(), Does> {
    asks.call(LOCK, "lock", &[me])?;
    let head = asks.number(HEAD, "load", &[])?;
    asks.call(HEAD, "swap", &[head + 1])?;
    if head < asks.number(TAIL, "load", &[])? {
        take(asks, head)?;
    } else {
        asks.call(HEAD, "store", &[head])?;
    }
    asks.call(LOCK, "unlock", &[me])?;
    Ok(())
}
