//! Numbers that name something: how many there are is given to the caller, and
//! then there is one more, which is what the number is meant to be of. Nothing
//! goes from the one region to the other, but the caller believes that nobody
//! was between them.

use crate::flow::access::Access;
use crate::flow::order::Order;
use crate::flow::value::{Origin, Source, Value, common};
use crate::flow::walk::{Followed, Walk};
use crate::ir::Place;

impl Walk<'_, '_> {
    /// Notes which reads a value is made of that is returned.
    pub(crate) fn give_out(&mut self, to: &Place, value: &Value) {
        if to.local.index() > 0 {
            return;
        }
        let spot = (self.spot.block, self.spot.statement);
        for origin in value.all_origins().iter() {
            if let (Source::Access(number), false) = (origin.source, origin.decides) {
                self.given_out.insert((number, spot));
            }
        }
    }
}

/// The numbers that an access is taken to make true, as if it depended on them.
pub(crate) fn given_out(followed: &Followed, order: &Order, second_number: usize) -> Vec<Origin> {
    let second = &followed.accesses[second_number];
    let at = followed.spots[second_number];
    let mut numbers = Vec::new();
    for (number, returned) in &followed.given_out {
        let first = &followed.accesses[*number as usize];
        let inside = |region| second.held.binary_search(&region).is_ok();
        let on_one_way = order.same_round(at, *returned) || order.same_round(*returned, at);
        if first.path == second.path
            && is_more(first, second)
            && !first.region.is_none_or(inside)
            && order.same_round(followed.spots[*number as usize], at)
            && on_one_way
        {
            numbers.push(Origin {
                source: Source::Access(*number),
                decides: false,
                decided: false,
                held: common(&first.held, &second.held),
            });
        }
    }
    numbers
}

/// Whether the one says how many there are, and the other makes it one more
/// without a look at what was there.
fn is_more(first: &Access, second: &Access) -> bool {
    let method = |access: &Access| {
        let operation = access.operation.as_ref();
        operation.map_or("", |operation| operation.method)
    };
    match (method(first), method(second)) {
        ("len", "push") => true,
        ("load", "fetch_add") => !second.tested,
        _ => false,
    }
}

/// Whether an access may be such an addition.
pub(crate) fn is_addition(access: &Access) -> bool {
    let operation = access.operation.as_ref();
    operation.is_some_and(|operation| matches!(operation.method, "push" | "fetch_add"))
}
