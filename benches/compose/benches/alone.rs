//! The same as a random test does in one thread, but nobody interrupts the method: only to
//! see what that costs.

use std::time::Instant;

use crate::described::Described;
use crate::history::{Plan, Told};
use crate::random::Random;
use crate::rivals::{Found, Search};

pub(crate) fn search<T: Default>(described: &Described<T>, search: &Search) -> Found {
    let mut random = Random(1);
    let mut found = Found::default();
    let started = Instant::now();
    while search.goes_on(&mut found, started) {
        found.runs += 1;
        let plan = Plan::new(described, &mut random, search.keys);
        let object = plan.begin(described);
        let calls = plan.others.iter();
        let others = calls.map(|call| described.other(call.of).call(&object, call.drawn));
        let told = Told {
            others: others.collect(),
            method: described.its_method().call(&object, plan.method),
            in_time: plan.others.len(),
        };
        let seen = plan.seen(described, &object);
        if !plan.explains(described, &told, &seen) {
            found.violations += 1;
        }
    }
    found
}
