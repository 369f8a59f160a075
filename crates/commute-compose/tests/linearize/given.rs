//! Orders and moments that somebody claims, and calls that make no history.

use commute_compose::linearize::{
    Answer, Call, History, HistoryError, Limits, OrderError, Recording, RecordingError,
    SequentialModel, SequentialSpecification, Unknown, check, check_order, check_points,
};
use commute_model::Value;
use commute_spec::models;
use expect_test::expect;

use crate::{answer, model};

fn overlapping() -> History {
    let text = "A invoke write(1)\nB invoke read()\nB return 0\nA return\nC invoke read()\nC return 1\nD invoke write(2)";
    History::parse(text).unwrap()
}

#[test]
fn an_order_has_to_keep_time_and_to_be_whole() {
    let history = overlapping();
    let claim = |order: &[usize]| check_order(&model("register"), &history, order);
    assert_eq!(claim(&[1, 0, 2]), Ok(()));
    assert_eq!(claim(&[1, 0, 2, 3]), Ok(()));
    assert_eq!(claim(&[1, 0]), Err(OrderError::Missing { call: 2 }));
    assert_eq!(claim(&[1, 0, 2, 1]), Err(OrderError::Twice { call: 1 }));
    assert_eq!(claim(&[1, 4]), Err(OrderError::NoSuchCall { call: 4 }));
    let late = OrderError::Late { late: 0, early: 2 };
    assert_eq!(claim(&[1, 2, 0]), Err(late));
    let refused = OrderError::Refused {
        call: 1,
        possible: vec![Value::Int(1)],
    };
    assert_eq!(claim(&[0, 1, 2]), Err(refused));
    assert!(matches!(
        claim(&[1, 0, 3, 2]),
        Err(OrderError::Late { .. } | OrderError::Refused { .. })
    ));
}

#[test]
fn moments_decide_which_order_is_claimed() {
    let text = |first: &str, second: &str| {
        let text = format!(
            "A invoke write(1)\nB invoke read()\n{first} point\n{second} point\nB return 0\nA return\n"
        );
        History::parse(text).unwrap()
    };
    let register = model("register");
    assert_eq!(check_points(&register, &text("B", "A")), Ok(()));
    let wrong = check_points(&register, &text("A", "B"));
    assert!(matches!(wrong, Err(OrderError::Refused { call: 1, .. })));
    let missing = check_points(&register, &overlapping());
    assert_eq!(missing, Err(OrderError::Missing { call: 0 }));
}

#[test]
fn calls_that_make_no_history_are_refused() {
    let read = |process: &str, from: u64, to: u64| {
        Call::pending(process, "read", [], from).returning(to, 0)
    };
    let error = |calls: Vec<Call>| History::new(calls).unwrap_err();
    assert!(matches!(
        error(vec![read("A", 3, 2)]),
        HistoryError::Backwards { call: 0, .. }
    ));
    assert!(matches!(
        error(vec![read("A", 2, 2)]),
        HistoryError::SameTime { time: 2, .. }
    ));
    let same = error(vec![read("A", 0, 2), read("B", 2, 3)]);
    assert_eq!(same.to_string(), "two events at time 2: of calls 0 and 1");
    let nested = error(vec![read("A", 1, 2), read("A", 0, 3)]);
    assert_eq!(nested.to_string(), "calls 1 and 0 of process `A` overlap");
    let stuck = error(vec![read("A", 1, 2), Call::pending("A", "read", [], 0)]);
    assert!(matches!(
        stuck,
        HistoryError::Overlap {
            first: 1,
            second: 0,
            ..
        }
    ));
    for point in [0, 5] {
        let error = error(vec![read("A", 1, 4).taking_effect(point)]);
        assert_eq!(error, HistoryError::PointOutside { call: 0, point });
    }
    let touching = vec![read("A", 0, 1), read("A", 2, 3), read("B", 4, u64::MAX)];
    assert!(History::new(touching).is_ok());
    assert!(History::new(vec![]).is_ok());
}

#[test]
fn a_recording_refuses_what_cannot_happen() {
    let mut recording = Recording::new();
    assert!(matches!(
        recording.returns("A", 0),
        Err(RecordingError::Idle { .. })
    ));
    assert!(matches!(
        recording.takes_effect("A"),
        Err(RecordingError::Idle { .. })
    ));
    recording.invoke("A", "m", "get", [1.into()]).unwrap();
    let busy = recording.invoke("A", "m", "get", []).unwrap_err();
    assert_eq!(busy.to_string(), "`A` has not returned from `m.get(1)` yet");
    recording.takes_effect("A").unwrap();
    assert!(matches!(
        recording.takes_effect("A"),
        Err(RecordingError::TwoPoints { .. })
    ));
    recording.returns("A", 0).unwrap();
    let calls = recording.finish().calls().to_vec();
    assert_eq!(History::new(calls.clone()).unwrap().calls(), calls);
}

#[test]
fn nothing_is_said_of_calls_that_the_model_does_not_know() {
    for (text, reason) in [
        (
            "A invoke wriet(1)",
            "`register` has no method `wriet`; is it `write`?",
        ),
        ("A invoke write()", "`write` takes 1 argument, found 0"),
        ("A invoke write(?)", "an argument of `write` is opaque"),
        (
            "A invoke write(1)\nA return nil",
            "`write` never returns `nil`",
        ),
    ] {
        let (history, answer) = answer("register", text);
        let call = 0;
        let reason = reason.to_string();
        let objection = Unknown::Objection {
            call,
            reason: reason.clone(),
        };
        assert_eq!(answer, Answer::Unknown(objection));
        let error = check_order(&model("register"), &history, &[0]).unwrap_err();
        assert_eq!(error, OrderError::Objection { call, reason });
    }
}

#[test]
fn what_could_not_be_seen_may_have_been_anything() {
    let (_, seen) = answer("register", "A invoke read()\nA return ?");
    assert!(seen.is_linearizable());
    // How many entries a `clear` removed is there or not.
    for (result, expected) in [("", true), ("1", true), ("?", true), ("2", false)] {
        let text = format!("A invoke put(1, 2)\nA return nil\nA invoke clear()\nA return {result}");
        let (_, answer) = answer("map", &text);
        assert_eq!(answer.is_linearizable(), expected, "{result}");
    }
}

#[test]
fn objects_are_on_their_own() {
    let text = "A invoke p.push(1)\nA return\nB invoke q.pop()\nB return nil\nB invoke p.pop()\nB return 1\n";
    let (history, both) = answer("queue", text);
    assert_eq!(both, Answer::Linearizable(vec![0, 1, 2]));
    assert_eq!(history.of_object("q").calls().len(), 1);
    let (_, wrong) = answer("queue", &text.replace("q.pop", "p.pop"));
    let Answer::NotLinearizable(unexplained) = wrong else {
        panic!("{wrong:?}")
    };
    assert_eq!((unexplained.object.as_str(), unexplained.key), ("p", None));
    let text = "A invoke m.put(1, 2)\nA return nil\nB invoke m.get(3)\nB return 2\n";
    let (_, wrong) = answer("map", text);
    let Answer::NotLinearizable(unexplained) = wrong else {
        panic!("{wrong:?}")
    };
    assert_eq!(unexplained.key, Some(Value::Int(3)));
    assert!(unexplained.explained.is_empty());
    assert_eq!(unexplained.refused[0].possible, [Value::Nil]);
}

#[test]
fn an_empty_history_is_explained_by_nothing() {
    let nothing = Answer::Linearizable(vec![]);
    for text in ["", "A invoke read()"] {
        let history = History::parse(text).unwrap();
        assert_eq!(
            check(&model("register"), &history, &Limits::default()),
            nothing
        );
    }
}

#[test]
fn calls_that_are_about_one_key() {
    let mut text = String::new();
    for known in models::all() {
        let one = SequentialModel::new(*known);
        let is_keyed = |method: &str| {
            let lists = known.arguments(method);
            let call = Call::pending("A", method, lists[0].clone(), 0);
            one.partition(&call).is_some()
        };
        let names = known.methods().iter().map(|method| method.name);
        let (keyed, whole): (Vec<&str>, Vec<&str>) = names.partition(|name| is_keyed(name));
        if !keyed.is_empty() {
            let (keyed, whole) = (keyed.join(" "), whole.join(" "));
            text += &format!("{}: {keyed} | {whole}\n", known.name());
        }
    }
    expect![[r#"
        hashset: insert insert_ remove contains | len is_empty clear snapshot
        map: put get contains_key insert insert_ remove remove_ or_insert try_insert cas remove_if modify | size len is_empty clear clear_ snapshot retain
        memory: alloc read write free | 
        set: add contains | size
    "#]].assert_eq(&text);
    let unseen = Call::pending("A", "get", [Value::Opaque], 0);
    assert_eq!(model("map").partition(&unseen), None);
}
