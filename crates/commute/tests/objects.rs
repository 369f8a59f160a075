//! `#[commute::object]`: programs with types of their own run in every build, and what
//! is recorded of them is what they did.

mod own_objects;
#[cfg(commute)]
mod trace;

#[cfg(commute)]
mod recorded {
    use std::sync::Arc;

    use commute_detect::{Pass, Races};
    use commute_model::Op;
    use commute_spec::Library;

    use crate::trace::Trace;

    /// Everything that was done to objects, in order.
    fn actions(program: &str) -> Vec<String> {
        let trace = record(program);
        let of_objects = |op: &Op| matches!(op, Op::New(..) | Op::Drop(_) | Op::Action(_));
        let events = trace.events.iter().map(|event| &event.op);
        let events = events.filter(|op| of_objects(op));
        events
            .map(|op| op.display(&trace.names).to_string())
            .collect()
    }

    fn record(program: &str) -> Trace {
        let trace = Trace::of_test(&format!("own_objects::{program}"));
        trace.is_well_formed();
        trace.is_named_after_the_client();
        trace
    }

    #[test]
    fn an_identity_moves_along_and_ends_with_its_object() {
        record("moved_and_dropped").replays();
        assert_eq!(
            actions("moved_and_dropped"),
            [
                "new(first:counter)",
                "first.inc()",
                "first.add(2)",
                "first.read()/3",
                "drop(first)",
                "new(second:counter)",
                "second.read()/0",
                "drop(second)",
            ]
        );
    }

    /// What is documented of objects without an identity.
    #[test]
    fn an_address_is_one_object() {
        let trace = record("by_address");
        let object = |op: &Op| match op {
            Op::Action(action) => Some(action.object),
            _ => None,
        };
        let objects = trace.events.iter().filter_map(|event| object(&event.op));
        let objects: Vec<_> = objects.collect();
        let [inc, read, moved_inc, moved_read] = objects[..] else {
            panic!("{objects:?}");
        };
        assert_eq!(inc, read, "one address");
        assert_ne!(inc, moved_inc, "another address");
        assert_eq!(moved_inc, moved_read);
    }

    #[test]
    fn methods_of_one_object_race_with_each_other() {
        let trace = record("races");
        let mut races = Races::all(Arc::new(Library::shipped()));
        let mut findings = Vec::new();
        races.steps(&trace.events, &trace.names).unwrap();
        races.finish(&trace.names, &mut findings);
        let objects = findings.iter().filter_map(|f| f.object.as_deref());
        let mut objects: Vec<_> = objects.collect();
        objects.sort();
        objects.dedup();
        assert_eq!(objects.len(), 2, "{objects:?}");
        assert!(objects.contains(&"racy"), "{objects:?}");
    }

    /// The program ends at all, and everything is there.
    #[test]
    fn calls_may_wait_for_each_other() {
        let trace = record("waiting");
        assert_eq!(trace.count("dequeue()/3") + trace.count("dequeue()/4"), 2);
        assert_eq!(trace.count("enqueue("), 2);
        assert_eq!(trace.count("inc()"), 2);
    }

    #[test]
    fn what_a_call_does_to_its_own_object_is_part_of_it() {
        record("inside").replays();
        let actions = actions("inside");
        let outer = actions.iter().filter(|a| a.starts_with("outer."));
        let outer: Vec<_> = outer.filter(|a| !a.contains(".all(")).collect();
        assert_eq!(outer, ["outer.add(2)"]);
        let inner = actions.iter().filter(|a| a.starts_with("inner.inc"));
        assert_eq!(inner.count(), 2);
    }

    #[test]
    fn values_of_all_sorts_are_shown() {
        let actions = actions("values");
        let expected = [
            "shown.debug('Debug { at: 3 }')/nil",
            "shown.pictured((3,w))/4",
            "shown.opaque(?)/'Debug { at: 4 }'",
            "shown.maybe(nil)/(5,w)",
            "shown.large('340282366920938463463374607431768211455')/(6,'two words')",
        ];
        assert_eq!(actions[1..6], expected);
    }

    #[test]
    fn a_call_that_panics_is_no_action() {
        record("panics").replays();
        assert_eq!(
            actions("panics"),
            [
                "new(hits:counter)",
                "hits.inc()",
                "hits.read()/1",
                "drop(hits)"
            ]
        );
    }
}
