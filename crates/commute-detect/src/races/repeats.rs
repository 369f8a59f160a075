//! Actions that need not be looked at.
//!
//! A thread that uses an object in a loop does the same again and again, and as long as it
//! neither learns anything of others nor lets them know, that is neither news nor a race
//! that was not told. What all these actions have in common is found out once; without
//! this file the pass finds the same, only later.

use commute_model::{Event, Op};

use super::Races;

impl Races {
    /// How many events at the beginning are actions of one thread, one object and one
    /// method, and can be left out.
    #[inline]
    pub(super) fn repeats(&self, events: &[Event]) -> usize {
        let Some(Event { thread, op, .. }) = events.first() else {
            return 0;
        };
        let (Op::Action(first), Some(rd2)) = (op, &self.rd2) else {
            return 0;
        };
        // Who synchronises after every action repeats nothing.
        let epoch = self.hb.known_epoch(*thread);
        let Some(epoch) = epoch.filter(|epoch| *epoch == self.last) else {
            return 0;
        };
        let Some((compiled, method)) = self.objects.known(first) else {
            return 0;
        };
        let (object, number) = (first.object, first.method);
        let Some(repeats) = rd2.repeats(compiled, (object, method.index()), epoch) else {
            return 0;
        };
        let mut count = 0;
        for event in events {
            let Op::Action(action) = &event.op else {
                break;
            };
            if event.thread != *thread || action.object != object || action.method != number {
                break;
            }
            let Some(invocation) = method.bind(action) else {
                break;
            };
            if !repeats.has(invocation, event.location) {
                break;
            }
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use commute_spec::Library;
    use commute_testkit::random::Random;
    use commute_testkit::traces::Trace;

    use crate::{Pass, Races};

    /// Threads that do a few things in a row, with few keys and values, and seldom
    /// synchronise.
    fn rows(seed: u64) -> Trace {
        let mut random = Random::new(seed);
        let mut text = String::new();
        for object in [
            "m:map",
            "n:map",
            "s:set",
            "a:atomic",
            "c:channel",
            "u:union_find",
        ] {
            let _ = writeln!(text, "T0|new({object})|a.rs:1");
        }
        let mut held = None;
        for _ in 0..12 {
            let t = random.below(3);
            for _ in 0..random.below(8) {
                let (k, v, p) = (random.below(3), random.below(2), random.below(2));
                let map = if random.below(2) == 0 { "m" } else { "n" };
                let action = match random.below(16) {
                    0..=3 => format!("{map}.insert({k},{v})/{p}"),
                    4 => format!("{map}.insert({k},{v})/nil"),
                    5 => format!("{map}.get({k})/{v}"),
                    6 => format!("{map}.len()/{v}"),
                    7 => format!("{map}.retain(f)/({k},{v})"),
                    8 => format!("s.add({k})/true"),
                    9 => format!("a.load()/{v}"),
                    10 => format!("{map}.get(?)/{v}"),
                    11 => format!("{map}.remove({k})/{v}"),
                    12 => format!("c.send({v})/true"),
                    13 => "c.try_recv()/'empty'".to_owned(),
                    14 => format!("c.try_recv()/{v}"),
                    _ => format!("u.find({k})/{v}"),
                };
                for _ in 0..=random.below(3) {
                    let line = if random.chance(80) { 2 } else { 5 };
                    let _ = writeln!(text, "T{t}|{action}|a.rs:{line}");
                }
            }
            held = match held {
                Some(holder) => {
                    let _ = writeln!(text, "T{holder}|rel(l)|a.rs:3");
                    None
                }
                None if random.below(2) == 0 => {
                    let _ = writeln!(text, "T{t}|acq(l)|a.rs:4");
                    Some(t)
                }
                None => None,
            };
        }
        Trace::parse(&text)
    }

    #[test]
    fn what_is_left_out_makes_no_difference() {
        let library = Arc::new(Library::shipped());
        let (mut left_out, mut found) = (0, 0);
        for seed in 0..2000 {
            let trace = rows(seed);
            let new = || Races::all(library.clone()).keep_pairs();
            let (mut quick, mut slow) = (new(), new());
            let taken = quick.steps(&trace.events, &trace.names);
            assert!(taken.is_ok(), "seed {seed}: {taken:?}");
            for (place, event) in trace.events.iter().enumerate() {
                left_out += usize::from(slow.repeats(&trace.events[place..=place]) > 0);
                assert!(slow.event(event, &trace.names).is_ok());
            }
            assert_eq!(quick.pairs(), slow.pairs(), "seed {seed}");
            assert_eq!(quick.events(), slow.events());
            found += quick.pairs().len();
        }
        // Neither is rare.
        assert!(left_out > 10_000 && found > 10_000, "{left_out} {found}");
    }
}
