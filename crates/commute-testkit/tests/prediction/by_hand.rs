//! Traces with known answers.

use commute_testkit::oracle::prediction::Legal;

use crate::known::{check, check_as, order_only};

#[test]
fn swapping_two_sections_can_force_a_write_before_a_read() {
    let text = "
        T0|acq(A)
        T0|acq(B)
        T0|r(y)
        T0|rel(B)
        T0|w(x)
        T0|rel(A)
        T1|acq(B)
        T1|w(y)
        T1|rel(B)
        T1|acq(A)
        T1|free(x)
        T1|rel(A)";
    check(text, &[], &[(2, 7)]);
    assert!(order_only(text, (4, 10)));
    assert!(!order_only(text, (2, 7)));
}

#[test]
fn a_read_outside_a_lock_can_prevent_a_swap() {
    let text = "
        T1|acq(m)
        T1|w(x)
        T1|rel(m)
        T1|w(y)
        T2|acq(m)
        T2|free(x)
        T2|r(y)
        T2|rel(m)";
    check(text, &[(3, 6)], &[]);
}

#[test]
fn two_writes_prevent_no_swap() {
    let text = "
        T1|acq(m)
        T1|w(y)
        T1|w(x)
        T1|rel(m)
        T2|acq(m)
        T2|w(y)
        T2|free(x)
        T2|rel(m)";
    check(text, &[], &[(1, 5), (2, 6)]);
    assert!(order_only(text, (2, 6)));
    assert!(!order_only(text, (1, 5)));
}

#[test]
fn a_race_need_not_be_an_order_violation() {
    check("T1|w(x)\nT2|r(x)", &[(0, 1)], &[]);
    check("T1|r(x)\nT2|w(x)", &[(0, 1)], &[(0, 1)]);
}

#[test]
fn only_the_access_outside_the_lock_races() {
    let text = "
        T1|w(x)
        T1|acq(m)
        T1|w(x)
        T1|rel(m)
        T2|acq(m)
        T2|w(x)
        T2|rel(m)";
    check(text, &[(0, 5)], &[(0, 5), (2, 5)]);
}

#[test]
fn what_a_get_returned_must_have_been_put() {
    let text = "
        T1|new(o:dictionary)
        T1|fork(T2)
        T1|o.put(1,2)/nil
        T2|o.get(1)/2";
    check(text, &[(2, 3)], &[]);
}

/// Thesis, Figure 3.1: the set holds 42 from the start.
#[test]
fn thesis_example_2() {
    let text = "
        T1|new(s:set)
        T1|s.add(42)/false
        T1|fork(T2)
        T1|r(x)
        T1|acq(m)
        T1|s.add(1)/false
        T1|rel(m)
        T2|acq(m)
        T2|s.contains(42)/true
        T2|free(x)
        T2|rel(m)";
    check(text, &[(3, 9)], &[(3, 9)]);
    // Had the left thread added what the right one looks for, nothing could be
    // predicted but their order, which is the lock's.
    let text = "
        T1|new(s:set)
        T1|fork(T2)
        T1|r(x)
        T1|acq(m)
        T1|s.add(42)/false
        T1|rel(m)
        T2|acq(m)
        T2|s.contains(42)/true
        T2|free(x)
        T2|rel(m)";
    check(text, &[], &[]);
}

/// Thesis, Figure 3.3. The order of `r(y)` and `w(y)` can be reversed, but that
/// is a communicating conflict.
#[test]
fn thesis_figure_3_3() {
    let text = "
        T1|acq(m)
        T1|r(y)
        T1|w(x)
        T1|rel(m)
        T2|acq(m)
        T2|free(x)
        T2|w(y)
        T2|rel(m)";
    check(text, &[], &[(1, 6)]);
    assert!(!order_only(text, (1, 6)));
    assert!(order_only(text, (2, 5)));
}

/// Thesis, Figure 3.5: three uses after free in Chromium. The check in (b) does
/// not help, and neither does the lock of (c).
#[test]
fn thesis_figure_3_5() {
    let text = "
        app|fork(renderer)
        renderer|r(draw.queries)
        renderer|r(query)
        app|free(query)";
    check(text, &[(2, 3)], &[(2, 3)]);
    let text = "
        main|fork(worker)
        main|r(impl_)
        main|r(impl_)
        worker|acq(queues)
        worker|w(queues_to_delete)
        worker|free(impl_)
        worker|rel(queues)";
    check(text, &[(1, 5), (2, 5)], &[(1, 5), (2, 5)]);
    let text = "
        T1|acq(db)
        T1|w(request)
        T1|rel(db)
        T2|acq(db)
        T2|free(request)
        T2|rel(db)";
    check(text, &[], &[(1, 4)]);
}

#[test]
fn a_notification_can_be_lost() {
    let text = "
        T1|acq(m)
        T1|wait(c,m)
        T2|acq(m)
        T2|notify(c)
        T2|rel(m)
        T1|wake(c,m)
        T1|rel(m)";
    check(text, &[], &[(1, 3)]);
    assert!(order_only(text, (1, 3)));
}

#[test]
fn a_wake_needs_its_notification() {
    let text = "
        T1|acq(m)
        T1|wait(c,m)
        T2|w(x)
        T2|notify_all(c)
        T1|wake(c,m)
        T1|w(x)
        T1|rel(m)";
    check(text, &[(1, 3)], &[(1, 3)]);
}

#[test]
fn a_wake_without_a_notification_needs_none() {
    let text = "
        T1|acq(m)
        T1|wait(c,m)
        T2|w(x)
        T1|wake(c,m)
        T1|w(x)
        T1|rel(m)
        T2|notify(c)";
    // The race of the wait and the notification needs nothing of T1.
    check(text, &[(1, 6), (2, 4)], &[(1, 6), (2, 4)]);
}

#[test]
fn any_notification_will_do() {
    let text = "
        T1|acq(m)
        T1|wait(c,m)
        T2|w(x)
        T2|notify(c)
        T3|notify(c)
        T1|wake(c,m)
        T1|w(x)
        T1|rel(m)";
    let pairs = [(1, 3), (1, 4), (2, 6)];
    check(text, &pairs, &pairs);
}

#[test]
fn a_wait_lets_the_mutex_go() {
    let text = "
        T1|acq(m)
        T1|wait(c,m)
        T2|acq(m)
        T2|notify(c)
        T2|rel(m)
        T2|w(x)
        T1|wake(c,m)
        T1|w(x)
        T1|rel(m)";
    check(text, &[(5, 7)], &[(1, 3), (5, 7)]);
}

#[test]
fn a_notification_serves_no_later_wait() {
    let text = "
        T1|acq(m)
        T1|wait(c,m)
        T2|notify(c)
        T1|wake(c,m)
        T1|wait(c,m)
        T3|w(x)
        T3|notify(c)
        T1|wake(c,m)
        T1|w(x)
        T1|rel(m)";
    let pairs = [(1, 2), (1, 6), (2, 4), (4, 6)];
    check(text, &pairs, &pairs);
}

#[test]
fn a_notification_serves_its_condition_variable_only() {
    let text = "
        T1|acq(m)
        T1|wait(c,m)
        T2|w(x)
        T2|notify(c)
        T3|notify(d)
        T1|wake(c,m)
        T1|w(x)
        T1|rel(m)";
    check(text, &[(1, 3)], &[(1, 3)]);
}

#[test]
fn sending_can_come_after_closing() {
    let text = "
        T1|new(ch:channel)
        T1|fork(T2)
        T1|ch.send(1)/true
        T2|ch.close()/true";
    check(text, &[(2, 3)], &[(2, 3)]);
    assert!(order_only(text, (2, 3)));
    let locked = "
        T1|new(ch:channel)
        T1|fork(T2)
        T1|acq(m)
        T1|ch.send(1)/true
        T1|rel(m)
        T2|acq(m)
        T2|ch.close()/true
        T2|rel(m)";
    check(locked, &[], &[(3, 6)]);
    // A send that failed stays after the close that made it fail.
    let failed = "
        T1|new(ch:channel)
        T1|fork(T2)
        T1|ch.close()/true
        T2|ch.send(1)/false";
    check(failed, &[(2, 3)], &[]);
}

#[test]
fn a_context_can_be_cancelled_before_it_is_looked_at() {
    let text = "
        T1|new(c:context)
        T1|fork(T2)
        T1|acq(m)
        T1|c.Err()/nil
        T1|rel(m)
        T2|acq(m)
        T2|c.cancel()
        T2|rel(m)";
    check(text, &[], &[(3, 6)]);
    assert!(order_only(text, (3, 6)));
    let cancelled = "
        T1|new(c:context)
        T1|fork(T2)
        T1|acq(m)
        T1|c.cancel()
        T1|rel(m)
        T2|acq(m)
        T2|c.Err()/'canceled'
        T2|rel(m)";
    check(cancelled, &[], &[]);
}

#[test]
fn freeing_twice() {
    // The second free knows that it is the second.
    check("T1|free(x)\nT2|free(x)", &[(0, 1)], &[]);
    let locked = "
        T1|acq(m)
        T1|free(x)
        T1|rel(m)
        T2|acq(m)
        T2|free(x)
        T2|rel(m)";
    check(locked, &[], &[]);
    assert!(order_only(locked, (1, 4)));
    // Of three, either of the first two lets the third be a second one.
    let three = "
        T1|acq(m)
        T1|free(x)
        T1|rel(m)
        T2|acq(m)
        T2|free(x)
        T2|rel(m)
        T3|acq(m)
        T3|free(x)
        T3|rel(m)";
    check(three, &[], &[(4, 7)]);
}

#[test]
fn a_use_after_free_stays_one() {
    check("T1|free(x)\nT2|w(x)", &[(0, 1)], &[]);
    check("T1|w(x)\nT2|free(x)", &[(0, 1)], &[(0, 1)]);
}

#[test]
fn lives_are_variables_of_their_own() {
    let text = "
        T1|w(x)
        T1|free(x)
        T2|alloc(x)
        T2|w(x)
        T3|r(x)";
    check(text, &[(3, 4)], &[]);
    // An access needs the allocation, even to be next.
    let text = "
        T1|alloc(x)
        T2|w(x)
        T1|w(x)";
    check(text, &[(1, 2)], &[(1, 2)]);
}

#[test]
fn forks_and_joins_stay() {
    let text = "
        T1|w(x)
        T1|fork(T2)
        T2|w(x)
        T1|join(T2)
        T1|w(x)";
    check(text, &[], &[]);
    // Only what came before the join has to.
    let text = "
        T1|w(x)
        T2|join(T1)
        T2|w(x)
        T1|w(x)";
    check(text, &[(2, 3)], &[(2, 3)]);
}

#[test]
fn shared_sections_exclude_exclusive_ones_only() {
    let both_shared = "
        T1|racq(m)
        T1|w(x)
        T1|rrel(m)
        T2|racq(m)
        T2|w(x)
        T2|rrel(m)";
    check(both_shared, &[(1, 4)], &[(1, 4)]);
    let one_exclusive = both_shared
        .replacen("racq", "acq", 1)
        .replacen("rrel", "rel", 1);
    check(&one_exclusive, &[], &[(1, 4)]);
}

#[test]
fn the_outermost_section_counts() {
    let text = "
        T1|acq(m)
        T1|acq(m)
        T1|rel(m)
        T1|w(x)
        T1|rel(m)
        T2|acq(m)
        T2|w(x)
        T2|rel(m)";
    check(text, &[], &[(3, 6)]);
}

#[test]
fn an_open_section_is_never_swapped() {
    let text = "
        T1|acq(m)
        T1|w(x)
        T1|rel(m)
        T2|acq(m)
        T2|free(x)";
    check(text, &[], &[]);
}

#[test]
fn a_drop_stays_behind_what_it_drops() {
    let text = "
        T1|new(s:set)
        T1|fork(T2)
        T1|acq(m)
        T1|s.add(1)/false
        T1|w(x)
        T1|rel(m)
        T2|acq(m)
        T2|drop(s)
        T2|free(x)
        T2|rel(m)";
    check(text, &[], &[]);
    let kept = text.replace("drop(s)", "s.contains(2)/false");
    check(&kept, &[], &[(4, 8)]);
}

#[test]
fn the_readings_differ() {
    // What an observation that changes nothing does not commute with stays in
    // by `Order` only.
    let observer = "
        T1|new(d:dictionary)
        T1|fork(T2)
        T1|w(x)
        T1|d.get(1)/nil
        T2|d.put(1,2)/nil
        T2|w(x)";
    check_as(Legal::Order, observer, &[(3, 4)], &[]);
    let more = [(2, 5), (3, 4)];
    check_as(Legal::Observe, observer, &more, &more);
    check_as(Legal::Replay, observer, &more, &more);
    // A put that is undone and a get that found nothing: only the model knows.
    let undone = "
        T1|new(d:dictionary)
        T1|fork(T2)
        T1|w(x)
        T1|d.put(1,2)/nil
        T1|d.put(1,nil)/2
        T2|d.get(1)/nil
        T2|w(x)";
    check_as(Legal::Observe, undone, &[(3, 5), (4, 5)], &[]);
    let more = [(2, 6), (3, 5), (4, 5)];
    check_as(Legal::Replay, undone, &more, &more);
}

/// The lock is used in a section of another one, and freed in a later section.
#[test]
fn a_lock_can_be_freed_before_it_is_used() {
    let text = "
        T1|acq(n)
        T1|acq(m)
        T1|rel(m)
        T1|rel(n)
        T2|acq(n)
        T2|free(m)
        T2|rel(n)";
    // Once it is acquired, the other section is under way.
    check(text, &[], &[(1, 5)]);
    assert!(order_only(text, (1, 5)));
    assert!(order_only(text, (2, 5)));
    assert!(!order_only(text, (0, 5)));
}

#[test]
fn a_condition_variable_can_be_freed_before_it_is_used() {
    let text = "
        T1|notify(c)
        T2|acq(m)
        T2|wait(c,m)
        T2|wake(c,m)
        T2|rel(m)
        T3|free(c)";
    let uses = [(0, 5), (2, 5), (3, 5)];
    check(
        text,
        &[(0, 2), (0, 5), (2, 5), (3, 5)],
        &[(0, 2), uses[0], uses[1], uses[2]],
    );
}

#[test]
fn a_use_that_saw_the_free_needs_it() {
    let text = "
        T1|free(m)
        T2|acq(m)
        T2|rel(m)";
    check(text, &[(0, 1)], &[]);
}

#[test]
fn lives_of_locks_do_not_conflict() {
    let text = "
        T1|acq(m)
        T1|rel(m)
        T1|free(m)
        T1|alloc(m)
        T2|acq(m)
        T2|rel(m)";
    check(text, &[], &[]);
}

/// Nobody knows the keys, so they may be the same: then the `get` needs the `insert`,
/// and what is before one is before what is after the other.
#[test]
fn an_opaque_key_may_be_the_one_that_is_needed() {
    let text = |key: &str| {
        format!(
            "
        T0|new(m:map)
        T0|fork(T1)
        T0|fork(T2)
        T1|w(x)
        T1|m.insert(?,1)/nil
        T2|m.get({key})/1
        T2|w(x)"
        )
    };
    check(&text("?"), &[], &[]);
    check(&text("5"), &[], &[]);
    // But neither is it a conflict: they may as well be different.
    check(&text("?").replace("T2|w(x)", "T2|r(y)"), &[], &[]);
    // Where the key makes no difference it is no reason.
    let looks = text("?").replace("insert(?,1)/nil", "get(?)/1");
    check(&looks, &[(3, 6)], &[(3, 6)]);
}

/// If it was the same as another one before, it need not be now.
#[test]
fn a_model_does_not_know_opaque_keys() {
    let text = "
        T0|new(m:map)
        T0|fork(T1)
        T0|fork(T2)
        T1|m.insert(?,1)/nil
        T1|m.remove(?)/1
        T1|w(x)
        T1|m.insert(?,1)/nil
        T2|m.get(?)/1
        T2|w(x)";
    check(text, &[], &[]);
}

/// A message that cannot be shown is one all the same.
#[test]
fn an_opaque_message_is_received_after_it_was_sent() {
    let text = "
        T0|new(c:mpsc)
        T0|fork(T1)
        T0|fork(T2)
        T1|w(x)
        T1|c.send(?)/true
        T1|w(y)
        T1|c.send(?)/true
        T2|c.recv()/?
        T2|w(x)
        T2|w(y)";
    check(text, &[(5, 9)], &[(5, 9)]);
    // One that does not look like it may be it.
    check(&text.replace("recv()/?", "recv()/7"), &[], &[]);
}
