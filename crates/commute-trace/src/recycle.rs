//! Actions that are used again.
//!
//! An action is allocated, because an analysis may keep it; most are not kept.
//! Those go back to the reader with the batch they came in and are filled anew,
//! which costs half as much as to free one and to allocate the next.

use commute_model::{Action, Event, MethodId, ObjectId, Op, SharedAction, Value};
use smallvec::SmallVec;

use crate::limits::BATCH_ACTIONS;

/// Actions of earlier batches.
#[derive(Default)]
pub(crate) struct Recycled {
    actions: Vec<SharedAction>,
    used: usize,
}

impl Recycled {
    /// Empties a batch.
    #[inline]
    pub(crate) fn take(&mut self, events: &mut Vec<Event>) {
        for event in events.drain(..) {
            if let Op::Action(action) = event.op
                && self.actions.len() < BATCH_ACTIONS
                && !action.args.spilled()
            {
                self.actions.push(action);
            }
        }
    }

    /// How many actions have been asked for.
    #[inline]
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// An action with this object and method. `fill` writes the arguments into
    /// the slots it asks for, and the result.
    #[inline]
    pub(crate) fn action<E>(
        &mut self,
        object: ObjectId,
        method: MethodId,
        fill: impl FnOnce(&mut Slots<'_>) -> Result<(), E>,
    ) -> Result<SharedAction, E> {
        self.used += 1;
        let mut shared = match self.actions.pop() {
            Some(shared) if shared.is_unique() => shared,
            _ => self.another(),
        };
        // What somebody keeps is not ours to change, but this one nobody has.
        if let Some(action) = SharedAction::get_mut(&mut shared) {
            action.object = object;
            action.method = method;
            Slots::fill(action, fill)?;
        }
        Ok(shared)
    }

    /// The next one that nobody keeps, or a new one.
    #[cold]
    fn another(&mut self) -> SharedAction {
        while let Some(shared) = self.actions.pop() {
            if shared.is_unique() {
                return shared;
            }
        }
        SharedAction::new(Action {
            object: ObjectId(0),
            method: MethodId(0),
            args: SmallVec::new(),
            result: None,
        })
    }
}

/// Where the arguments and the result of an action go. They are written where
/// they stay: to move a value that has just been written makes the processor
/// wait.
pub(crate) struct Slots<'a> {
    args: &'a mut SmallVec<[Value; 2]>,
    used: usize,
    result: &'a mut Option<Value>,
}

impl<'a> Slots<'a> {
    #[inline(always)]
    fn fill<E>(
        action: &'a mut Action,
        fill: impl FnOnce(&mut Slots<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut slots = Slots {
            args: &mut action.args,
            used: 0,
            result: &mut action.result,
        };
        fill(&mut slots)?;
        let used = slots.used;
        if action.args.len() > used {
            action.args.truncate(used);
        }
        Ok(())
    }

    /// The places of all arguments, if there were as many before.
    #[inline(always)]
    pub(crate) fn same_args(&mut self, count: usize) -> Option<&mut [Value]> {
        let args = &mut self.args[..];
        let same = args.len() == count;
        self.used = if same { count } else { self.used };
        same.then_some(args)
    }

    /// The place of the next argument.
    #[inline(always)]
    pub(crate) fn arg(&mut self) -> &mut Value {
        if self.used == self.args.len() {
            self.args.push(Value::Nil);
        }
        self.used += 1;
        &mut self.args[self.used - 1]
    }

    /// The place of the result.
    #[inline(always)]
    pub(crate) fn result(&mut self) -> &mut Value {
        self.result.get_or_insert(Value::Nil)
    }

    /// Says that there is no result.
    #[inline(always)]
    pub(crate) fn no_result(&mut self) {
        *self.result = None;
    }
}
