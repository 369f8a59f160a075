//! Findings about source code: the way of a value instead of events of a run.

use std::sync::Arc;

use commute_model::{Certainty, Code, EventRef, Finding, Level, Note};
use commute_report::{
    Looked, NoSources, SourceText, Sources, Style, Summary, Verdict, human, json, short, stored,
};
use expect_test::{Expect, expect};

const BANK: &str = "\
fn withdraw(account: &Account, amount: i64) {
    let balance = *account.balance.lock().unwrap();
    confirm(amount);
    *account.balance.lock().unwrap() = balance - amount;
}

fn deposit(account: &Account, amount: i64) {
    *account.balance.lock().unwrap() += amount;
}
";

struct Bank;

impl Sources for Bank {
    fn text(&self, file: &str) -> Option<Arc<SourceText>> {
        (file == "src/bank.rs").then(|| Arc::new(BANK.into()))
    }
}

fn stale(steps: &[(&str, &str, &str)]) -> Finding {
    let events = steps.iter().zip(1..);
    Finding {
        code: Code::CM202,
        level: Level::Error,
        certainty: Certainty::Observed,
        fingerprint: "abc".into(),
        title: "stale value: `Account.balance` is written from an older read".into(),
        object: Some("Account.balance".into()),
        events: events
            .map(|((thread, action, place), index)| EventRef {
                thread: (*thread).into(),
                index,
                action: (*action).into(),
                location: format!("src/bank.rs:{place}"),
            })
            .collect(),
        condition: None,
        witness: None,
        count: 1,
        replay: None,
        scene: None,
        notes: vec![
            Note::new("why", "what `deposit` adds in between is lost"),
            Note::new("help", "hold one guard over lines 2 to 4"),
        ],
    }
}

const STEPS: [(&str, &str, &str); 4] = [
    ("withdraw", "read here under `balance`", "2:28"),
    ("withdraw", "the lock is released here", "2:51"),
    ("deposit", "may be written here in between", "8:22"),
    ("withdraw", "written here under a second lock", "4:22"),
];

fn check(finding: &Finding, style: &Style, expected: Expect) {
    expected.assert_eq(&human::finding(finding, &Bank, style));
}

#[test]
fn the_way_of_a_value_is_shown() {
    check(
        &stale(&STEPS),
        &Style::default(),
        expect![[r#"
            error[CM202]: stale value: `Account.balance` is written from an older read
             --> src/bank.rs:4:22
              |
            2 |     let balance = *account.balance.lock().unwrap();
              |                            ------------------------ 2: the lock is released here
              |                            |
              |                            1: read here under `balance`
            3 |     confirm(amount);
            4 |     *account.balance.lock().unwrap() = balance - amount;
              |                      ^^^^^^^^^^^^^^^ 4: written here under a second lock
            ...
            8 |     *account.balance.lock().unwrap() += amount;
              |                      --------------- 3: may be written here in between, in `deposit`
              |
              = note: what `deposit` adds in between is lost
              = help: hold one guard over lines 2 to 4
              = help: `commute explain CM202` says more"#]],
    );
}

#[test]
fn of_a_long_way_the_beginning_and_the_end_are_shown() {
    let mut steps = STEPS.to_vec();
    for _ in 0..7 {
        steps.insert(2, ("withdraw", "goes on here", "3:5"));
    }
    let mut finding = stale(&steps);
    finding.certainty = Certainty::Unconfirmed;
    finding.level = Level::Warning;
    check(
        &finding,
        &Style::default(),
        expect![[r#"
            warning[CM202]: stale value: `Account.balance` is written from an older read
             --> src/bank.rs:4:22
              |
            2 |     let balance = *account.balance.lock().unwrap();
              |                            ------------------------ 2: the lock is released here
              |                            |
              |                            1: read here under `balance`
            3 |     confirm(amount);
              |     ---------------
              |     |
              |     9: goes on here
              |     8: goes on here
              |     4: goes on here
              |     3: goes on here
            4 |     *account.balance.lock().unwrap() = balance - amount;
              |                      ^^^^^^^^^^^^^^^ 11: written here under a second lock
            ...
            8 |     *account.balance.lock().unwrap() += amount;
              |                      --------------- 10: may be written here in between, in `deposit`
              |
              = note: and 3 more steps: `-v` shows them
              = note: what `deposit` adds in between is lost
              = note: low confidence: something else may keep it from going wrong
              = help: hold one guard over lines 2 to 4
              = help: `commute explain CM202` says more"#]],
    );
}

#[test]
fn in_one_line_it_says_where_the_value_comes_from() {
    expect!["src/bank.rs:4:22: error[CM202]: stale value: `Account.balance` is written from an older read (withdraw src/bank.rs:4:22 / deposit src/bank.rs:8:22 / withdraw src/bank.rs:2:51 / withdraw src/bank.rs:2:28)"].assert_eq(&short::finding(&stale(&STEPS), &NoSources));
}

#[test]
fn the_summary_says_what_was_looked_at() {
    let summary = Summary {
        verdict: Verdict::Inconclusive,
        looked: Some(Looked {
            crates: 2,
            functions: 310,
            regions: 1,
            gaps: 1,
        }),
        suppressed: 1,
        seconds: 1.25,
        analyses: vec!["commute".into()],
        reasons: vec!["a: not understood".into()],
        ..Summary::default()
    };
    expect![[r#"
        commute: inconclusive: no findings, 1 suppressed in 2 crates, 310 functions, 1 region, 1 gap, 1.2 s [commute]: a: not understood
        {"schema":1,"reason":"summary","verdict":"inconclusive","findings":0,"suppressed":1,"events":0,"threads":0,"objects":0,"crates":2,"functions":310,"regions":1,"gaps":1,"seconds":1.25,"analyses":["commute"],"reasons":["a: not understood"]}"#]].assert_eq(&format!("{summary}\n{}", json::summary(&summary)));
    let read = stored::read(&json::summary(&summary));
    assert!(matches!(read, Ok(stored::Line::Summary(_))));
}
