//! Selections.

use std::time::Duration;

use commute::crossbeam::channel::{Select, bounded, select, select_biased, unbounded};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn either_of_two_that_are_ready_is_chosen() {
    let count = outcomes(|| {
        let ((one, ones), (two, twos)) = (unbounded(), unbounded());
        one.send(1).unwrap();
        two.send(2).unwrap();
        let got = select! {
            recv(ones) -> got => got.unwrap(),
            recv(twos) -> got => got.unwrap(),
        };
        assert!(got == 1 && ones.is_empty() || got == 2 && twos.is_empty());
    });
    assert_eq!(count, 2);
}
