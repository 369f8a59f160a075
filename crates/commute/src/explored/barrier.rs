//! Barriers. Nothing real waits.

use std::panic::Location;

use commute_explore::models;
use commute_explore::runtime::{Arg, Call, Object, stuck, visit};
use commute_record::{Tag, Value};

use super::first;

/// Waits until all have come; whether the caller was the last.
pub(crate) fn wait<B>(
    barrier: &B,
    tag: &Tag,
    threads: usize,
    at: &'static Location<'static>,
) -> bool {
    let is = || {
        let model = models::Barrier { threads };
        first(tag, model, models::Barrier::initial()).all_of(barrier)
    };
    let objects = [Object {
        mark: tag.mark(),
        first: &is,
    }];
    let arrived = visit(
        &Call::new(&objects, "arrive", &[], at),
        |result| match result {
            Value::Tuple(parts) => match &**parts {
                [Value::Bool(is_last), Value::Int(round)] => Some((*is_last, *round)),
                _ => None,
            },
            _ => None,
        },
    );
    let Some((is_last, round)) = arrived.flatten() else {
        stuck("a barrier is waited for");
    };
    let args = [Arg::Int(round)];
    let leave = Call::new(&objects, "leave", &args, at);
    if !is_last && visit(&leave, |_| ()).is_none() {
        stuck("a barrier is waited for");
    }
    is_last
}
