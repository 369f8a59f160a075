//! Histories of the papers.

use commute_compose::linearize::Answer;
use expect_test::{Expect, expect};

use crate::answer;

fn check(name: &str, text: &str, expected: Expect) {
    let (history, answer) = answer(name, text);
    let shown = match answer {
        Answer::Linearizable(order) => {
            let calls = history.calls();
            let names = order
                .iter()
                .map(|&i| format!("{} {}", calls[i].process, calls[i]));
            names.collect::<Vec<_>>().join("\n") + "\n"
        }
        Answer::NotLinearizable(unexplained) => unexplained.describe(&history),
        Answer::Unknown(unknown) => unknown.to_string(),
    };
    expected.assert_eq(&shown);
}

/// "Testing Atomicity of Composed Concurrent Operations", Figure 4.
#[test]
fn colt_figure_4() {
    check(
        "hashset",
        "
        T1 invoke insert(4)
        T2 invoke remove(4)
        T1 return true
        T2 return true
        T1 invoke contains(4)
        T1 return false
        T2 invoke contains(7)
        T2 return false
        T1 invoke insert(7)
        T2 invoke contains(7)
        T1 return true
        T2 return true
        ",
        expect![[r#"
            T1 insert(4)
            T2 remove(4)
            T1 contains(4)
            T2 contains(7)
            T1 insert(7)
            T2 contains(7)
        "#]],
    );
    check(
        "hashset",
        "
        T1 invoke insert(4)
        T2 invoke remove(4)
        T1 return true
        T2 return true
        T1 invoke contains(4)
        T1 return true
        T2 invoke contains(7)
        T2 return false
        T1 invoke insert(7)
        T2 invoke contains(7)
        T1 return true
        T2 return true
        ",
        expect![[r#"
            explained: T1 insert(4)/true
            explained: T2 remove(4)/true
            cannot be next: T1 contains(4)/true, it would return false
        "#]],
    );
}

/// Herlihy and Wing, "Linearizability", the queues H1 to H4 of section 2: H1 and H3 are
/// linearizable, H2 and H4 are not.
#[test]
fn queues_of_herlihy_and_wing() {
    check(
        "queue",
        "
        A invoke push(x)
        B invoke push(y)
        B return
        A return
        B invoke pop()
        B return x
        A invoke pop()
        A return y
        A invoke push(z)
        ",
        expect![[r#"
            A push(x)
            B push(y)
            B pop()
            A pop()
        "#]],
    );
    check(
        "queue",
        "
        A invoke push(x)
        A return
        B invoke push(y)
        A invoke pop()
        B return
        A return y
        ",
        expect![[r#"
            explained: A push(x)/()
            explained: B push(y)/()
            cannot be next: A pop()/y, it would return x
        "#]],
    );
    check(
        "queue",
        "
        A invoke push(x)
        B invoke pop()
        B return x
        ",
        expect![[r#"
            A push(x)
            B pop()
        "#]],
    );
    check(
        "queue",
        "
        A invoke push(x)
        B invoke push(y)
        A return
        B return
        A invoke pop()
        C invoke pop()
        A return y
        C return y
        ",
        expect![[r#"
            explained: B push(y)/()
            explained: A push(x)/()
            explained: A pop()/y
            cannot be next: C pop()/y, it would return x
        "#]],
    );
}

/// A register that is read while it is written: what was read once does not change back,
/// unless somebody else may have written.
#[test]
fn a_register_does_not_go_back() {
    check(
        "register",
        "
        A invoke write(0)
        A return
        B invoke write(1)
        A invoke read()
        A return 1
        C invoke write(0)
        C return
        B return
        D invoke read()
        D return 0
        ",
        expect![[r#"
            A write(0)
            B write(1)
            A read()
            C write(0)
            D read()
        "#]],
    );
    check(
        "register",
        "
        A invoke write(0)
        A return
        B invoke write(1)
        A invoke read()
        A return 1
        C invoke read()
        C return 0
        B return
        ",
        expect![[r#"
            explained: A write(0)/()
            explained: B write(1)/()
            explained: A read()/1
            cannot be next: C read()/0, it would return 1
        "#]],
    );
}

/// A process that crashed may have written, once: the value does not come and go.
#[test]
fn a_pending_write_takes_effect_late_or_never() {
    check(
        "register",
        "
        A invoke write(1)
        B invoke read()
        B return 0
        B invoke read()
        B return 1
        ",
        expect![[r#"
            B read()
            A write(1)
            B read()
        "#]],
    );
    check(
        "register",
        "
        A invoke write(1)
        B invoke read()
        B return 0
        ",
        expect![[r#"
            B read()
        "#]],
    );
    check(
        "register",
        "
        A invoke write(1)
        B invoke read()
        B return 1
        B invoke read()
        B return 0
        ",
        expect![[r#"
            explained: A write(1) (pending)
            explained: B read()/1
            cannot be next: B read()/0, it would return 1
        "#]],
    );
    // It was not invoked yet.
    check(
        "register",
        "
        B invoke read()
        B return 1
        A invoke write(1)
        ",
        expect![[r#"
            cannot be next: B read()/1, it would return 0
        "#]],
    );
}
