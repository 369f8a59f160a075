//! Numbers that name something: how many there are is given to the caller, and
//! then there is one more, which is what the number is meant to be of. Nothing
//! goes from the one region to the other, but the caller believes that nobody
//! was between them.

use crate::flow::access::Access;
use crate::flow::order::Order;
use crate::flow::value::{Origin, Source, common};
use crate::flow::walk::Followed;

/// The numbers that an access is taken to make true, as if it depended on them.
pub(crate) fn given_out(followed: &Followed, order: &Order, second_number: usize) -> Vec<Origin> {
    let second = &followed.accesses[second_number];
    let reads = followed.given_out.iter().filter(|number| {
        let first = &followed.accesses[**number as usize];
        let spots = &followed.spots;
        let inside = |region| second.held.binary_search(&region).is_ok();
        first.path == second.path
            && is_more(first, second)
            && !first.region.is_none_or(inside)
            && order.same_round(spots[**number as usize], spots[second_number])
    });
    let origin = |number: &u32| Origin {
        source: Source::Access(*number),
        decides: false,
        decided: false,
        held: common(&followed.accesses[*number as usize].held, &second.held),
    };
    reads.map(origin).collect()
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
