//! What threads did in a row is there, in the order in which they did it.

use std::collections::BTreeMap;

use commute_model::{Op, Value};

use crate::programs::rows::{ADDED, OWN, THREADS, own};
use crate::{read, record};

pub(crate) fn rows() {
    let ran = record("rows");
    assert!(ran.status.success(), "{}", ran.stderr);
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    let mut done = BTreeMap::new();
    let mut added = 0;
    for event in &events {
        let Op::Action(action) = &event.op else {
            continue;
        };
        let method = names.methods.name(action.method).to_string();
        if method == "fetch_add" {
            assert_eq!(action.result, Some(Value::from(added)));
            added += 1;
            continue;
        }
        let done = done.entry((event.thread, action.object)).or_insert(0);
        let (expected, args, result) = own(*done);
        *done += 1;
        assert_eq!(method, expected);
        assert_eq!(action.args.to_vec(), args);
        assert_eq!(action.result, result);
    }
    assert_eq!(added, ADDED);
    assert_eq!(Vec::from_iter(done.into_values()), [OWN; THREADS]);
}
