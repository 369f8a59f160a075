//! Blocks and calls, recorded.

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::Location;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use commute_record::{Block, Kind, Method};
use commute_record::{Order, Raw, Tag, Value, action, begin, end, is_on};

/// An atomic block that is being executed.
#[derive(Debug)]
pub struct Region {
    block: Option<&'static Block>,
    at: &'static Location<'static>,
}

impl Region {
    /// Enters a block.
    #[track_caller]
    pub fn enter(block: &'static Block) -> Region {
        let at = Location::caller();
        let block = is_on().then_some(block);
        if let Some(block) = block {
            begin(block, at);
        }
        Region { block, at }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if let Some(block) = self.block {
            end(block, self.at);
        }
    }
}

/// A call of a method of somebody's own type. Calls of one object come one after
/// the other while they are recorded, so that their order is known; what a call does
/// inside is part of it.
#[derive(Debug)]
pub struct Call {
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    object: &'static Object,
    /// Held until the call is recorded.
    _turn: MutexGuard<'static, ()>,
    method: &'static Method,
    at: &'static Location<'static>,
    arguments: Vec<Value>,
}

/// An object, known by its address.
#[derive(Debug)]
struct Object {
    tag: Tag,
    turn: Mutex<()>,
}

thread_local! {
    /// Whether this thread is in a call.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Objects stay known for ever: nobody tells when one is gone.
fn object(address: usize, kind: &'static Kind) -> &'static Object {
    type Objects = HashMap<(usize, usize), &'static Object>;
    static OBJECTS: Mutex<Option<Objects>> = Mutex::new(None);
    let mut objects = OBJECTS.lock().unwrap_or_else(PoisonError::into_inner);
    let objects = objects.get_or_insert_with(HashMap::new);
    let key = (address, std::ptr::from_ref(kind).addr());
    objects.entry(key).or_insert_with(|| {
        let tag = Tag::new(kind);
        let turn = Mutex::new(());
        Box::leak(Box::new(Object { tag, turn }))
    })
}

impl Call {
    /// Begins a call.
    #[track_caller]
    pub fn begin<T: ?Sized, const N: usize>(
        object_: &T,
        kind: &'static Kind,
        method: &'static Method,
        arguments: impl FnOnce() -> [Value; N],
    ) -> Call {
        let at = Location::caller();
        if !is_on() || INSIDE.replace(true) {
            return Call { running: None };
        }
        let address = std::ptr::from_ref(object_).cast::<()>().addr();
        let object = object(address, kind);
        let running = Running {
            object,
            _turn: object.turn.lock().unwrap_or_else(PoisonError::into_inner),
            method,
            at,
            arguments: arguments().into(),
        };
        Call {
            running: Some(running),
        }
    }

    /// Ends the call.
    pub fn end(mut self, result: impl FnOnce() -> Value) {
        if let Some(running) = self.running.take() {
            INSIDE.set(false);
            let arguments: Vec<Raw<'_>> = running.arguments.into_iter().map(Raw::Value).collect();
            let result = result();
            // A method that returns nothing has no result.
            let results: &[Raw<'_>] = match result == Value::unit() {
                true => &[],
                false => &[Raw::Value(result)],
            };
            let Running {
                object, method, at, ..
            } = running;
            action(&object.tag, method, Order::Alone, at, &arguments, results);
        }
    }
}

/// A call that panics is over, and was no action.
impl Drop for Call {
    fn drop(&mut self) {
        if self.running.is_some() {
            INSIDE.set(false);
        }
    }
}
