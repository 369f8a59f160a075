//! The actions of a frame. In a loop one is like the other but for its values: what they
//! have in common is found out once.

use commute_model::{Event, LocationId, MethodId, ObjectId, Op, SharedAction, ThreadId};

use super::cursor::{Cursor, Malformed};
use crate::limits::MAX_LINE;
use crate::recycle::Recycled;

/// Actions one after the other, of a thread, at a place, on an object that is known.
pub(super) struct Row {
    pub(super) thread: ThreadId,
    pub(super) location: LocationId,
    pub(super) object: ObjectId,
    /// How many methods are known.
    pub(super) methods: u32,
    /// How many actions.
    pub(super) length: usize,
}

/// Whether there is room for more in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Room {
    Left,
    Full,
}

impl Row {
    /// Decodes the actions, until one ends beyond one of the two `ends`, of values and of
    /// texts.
    ///
    /// Apart from what decodes other events: with their pushes these would be merged, the
    /// event would be put together in memory and copied, and to load what has just been
    /// written in parts makes the processor wait.
    #[inline(never)]
    pub(super) fn decode(
        &self,
        extra: &mut Cursor<'_>,
        [values_end, text_end]: [usize; 2],
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Result<Room, Malformed> {
        // One of our own can stay in registers.
        let mut cursor = *extra;
        let mut result = Ok(Room::Left);
        for _ in 0..self.length {
            match self.action(&mut cursor, recycled) {
                Ok(action) => events.push(Event {
                    thread: self.thread,
                    location: self.location,
                    op: Op::Action(action),
                }),
                Err(reason) => {
                    result = Err(reason);
                    break;
                }
            }
            if cursor.position() > values_end || cursor.text_position() > text_end {
                result = Ok(Room::Full);
                break;
            }
        }
        *extra = cursor;
        result
    }

    #[inline(always)]
    fn action(
        &self,
        extra: &mut Cursor<'_>,
        recycled: &mut Recycled,
    ) -> Result<SharedAction, Malformed> {
        let start = extra.position();
        let method = extra.number()?;
        if method >= u64::from(self.methods) {
            return Err("an unknown name");
        }
        let count = extra.count()?;
        recycled.action(self.object, MethodId(method as u32), |slots| {
            let is_too_long = |extra: &Cursor<'_>| extra.position() - start > MAX_LINE;
            if let Some(args) = slots.same_args(count) {
                for slot in args {
                    extra.value(slot)?;
                    if is_too_long(extra) {
                        return Err(TOO_LONG);
                    }
                }
            } else {
                for _ in 0..count {
                    extra.value(slots.arg())?;
                    if is_too_long(extra) {
                        return Err(TOO_LONG);
                    }
                }
            }
            match extra.has_no_result()? {
                true => slots.no_result(),
                false => extra.value(slots.result())?,
            }
            Ok(())
        })
    }
}

const TOO_LONG: Malformed = "an action that is too long";
