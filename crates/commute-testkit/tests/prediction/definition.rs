//! What is and what is not a correct reordering, one condition at a time.

use crate::known::wrong;

#[track_caller]
fn right(text: &str, rho: &[usize]) {
    assert_eq!(wrong(text, rho), [const { None }; 3]);
}

/// Checks that every reading refuses `rho` for this reason.
#[track_caller]
fn refused(text: &str, rho: &[usize], why: &str) {
    let why = Some(why.to_owned());
    assert_eq!(wrong(text, rho), [why.clone(), why.clone(), why]);
}

#[test]
fn threads_keep_their_order_and_leave_nothing_out() {
    let text = "T1|w(x)\nT1|w(y)\nT2|w(z)";
    right(text, &[2, 0, 1]);
    right(text, &[]);
    let no_prefix = |kept: &str| format!("ThreadId(0) does {kept}, which is no prefix of [0, 1]");
    refused(text, &[1], &no_prefix("[1]"));
    refused(text, &[1, 0], &no_prefix("[1, 0]"));
    refused(text, &[0, 0], &no_prefix("[0, 0]"));
}

#[test]
fn forks_joins_and_lives_come_first() {
    let text = "T1|fork(T2)\nT2|w(x)\nT1|join(T2)";
    right(text, &[0, 1, 2]);
    refused(text, &[1], "1 needs 0");
    refused(text, &[0, 2], "2 needs 1");
    refused("T1|alloc(x)\nT2|w(x)", &[1], "1 needs 0");
    let text = "T1|new(o:set)\nT2|o.size()/0\nT3|drop(o)";
    right(text, &[0, 1, 2]);
    refused(text, &[1], "1 needs 0");
    refused(text, &[0, 2], "2 needs 1");
}

#[test]
fn locks_are_held_by_one_or_shared() {
    let text = "T1|acq(m)\nT1|acq(m)\nT1|rel(m)\nT1|rel(m)\nT2|racq(m)\nT3|racq(m)";
    right(text, &[4, 5]);
    right(text, &[0, 1, 2, 3, 5, 4]);
    refused(text, &[0, 1, 2, 4], "4: lock is held");
    refused(text, &[4, 0], "0: lock is held");
}

#[test]
fn a_wait_gives_back_all_holds_and_a_wake_takes_them() {
    let text = "T1|acq(m)\nT1|acq(m)\nT1|wait(c,m)\nT1|wake(c,m)\nT1|rel(m)\nT1|rel(m)\n\
                T2|acq(m)\nT2|rel(m)";
    right(text, &[0, 1, 2, 6, 7, 3]);
    right(text, &[0, 1, 2, 3, 4, 5, 6]);
    refused(text, &[0, 1, 6], "6: lock is held");
    refused(text, &[0, 1, 2, 3, 4, 6], "6: lock is held");
    refused(text, &[0, 1, 2, 6, 3], "3: lock is held");
}

#[test]
fn reads_read_what_they_read() {
    let text = "T1|w(x)\nT2|r(x)\nT1|w(x)";
    right(text, &[0, 1]);
    let became = |writer: &str| {
        let outcome = |writer: &str| format!("Outcome {{ seen: Write({writer}), freed: [false] }}");
        format!("1: {} became {}", outcome("Some(0)"), outcome(writer))
    };
    refused(text, &[1], &became("None"));
    refused(text, &[0, 2, 1], &became("Some(2)"));
}

#[test]
fn what_was_not_freed_is_not_freed() {
    let text = "T1|w(x)\nT2|free(x)";
    right(text, &[1]);
    let outcome = |freed: bool| format!("Outcome {{ seen: Nothing, freed: [{freed}] }}");
    let became = format!("0: {} became {}", outcome(false), outcome(true));
    refused(text, &[1, 0], &became);
}

#[test]
fn a_wake_is_notified_after_its_own_wait() {
    let text = "
        T1|acq(m)
        T1|wait(c,m)
        T2|notify(c)
        T1|wake(c,m)
        T1|wait(c,m)
        T3|notify(c)
        T1|wake(c,m)";
    right(text, &[0, 1, 5, 3, 4, 2, 6]);
    let missing = "6: Outcome { seen: Notified(true), freed: [] } became \
         Outcome { seen: Notified(false), freed: [] }";
    refused(text, &[0, 1, 2, 3, 4, 6], missing);
}

#[test]
fn objects_return_what_they_returned() {
    let text = "
        T1|new(d:dictionary)
        T1|d.put(1,2)/nil
        T2|d.get(1)/2
        T1|d.put(1,3)/2";
    right(text, &[0, 1, 2, 3]);
    let without = Some("2 without 1".to_owned());
    let other = |e: usize| Some(format!("{e} returns something else"));
    assert_eq!(wrong(text, &[0, 2]), [without.clone(), without, other(2)]);
    let swapped = Some("2 and 3 are swapped".to_owned());
    let late = [0, 1, 3, 2];
    assert_eq!(wrong(text, &late), [swapped.clone(), swapped, other(2)]);
    let without = Some("3 without 2".to_owned());
    assert_eq!(wrong(text, &[0, 1, 3]), [without, None, None]);
}
