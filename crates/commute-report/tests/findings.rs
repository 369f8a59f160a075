//! What findings look like. Bless with `UPDATE_EXPECT=1 cargo test -p commute-report`.

use std::sync::Arc;

use commute_model::{Certainty, Code, EventRef, Finding, Level, Note, Witness, WitnessKind};
use commute_report::{NoSources, Style, github, human, json, short};
use expect_test::{Expect, expect};
use proptest::prelude::*;

const POOL: &str = "\
use std::sync::Arc;

fn open(hosts: &[String], pool: &Arc<Pool>) {
    for host in hosts {
        spawn(|| {
            let connection = connect(host);
            pool.insert(host.clone(), connection);
        });
    }
    println!(\"{}\", pool.len());
}
";

fn sources(file: &str) -> Option<Arc<str>> {
    (file == "pool.rs").then(|| POOL.into())
}

fn event(thread: &str, index: u64, action: &str, location: &str) -> EventRef {
    EventRef {
        thread: thread.into(),
        index,
        action: action.into(),
        location: location.into(),
    }
}

fn race(first: &str, second: &str) -> Finding {
    Finding {
        code: Code::CM101,
        level: Level::Error,
        certainty: Certainty::Observed,
        fingerprint: "0123456789abcdef".into(),
        title: "commutativity race on `o` (dictionary)".into(),
        object: Some("o".into()),
        events: vec![
            event("T3", 4, "o.put('a.com','c1')/nil", first),
            event("T2", 5, "o.put('a.com','c2')/'c1'", second),
        ],
        condition: Some(
            "k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil".into(),
        ),
        witness: Some(Witness {
            kind: WitnessKind::Pair,
            prefix: 0,
            steps: vec![4, 5],
        }),
        count: 1,
        replay: None,
        scene: None,
        notes: vec![
            Note::new("points", "o:w:'a.com' against o:w:'a.com'"),
            Note::new(
                "why",
                "no lock is held by both threads, and neither is joined before the other acts",
            ),
            Note::new(
                "help",
                "hold one lock around both, or join T3 before T2 acts",
            ),
        ],
    }
}

fn check(finding: &Finding, expect: Expect) {
    let text = human::finding(finding, &sources, &Style::default());
    assert!(text.lines().count() <= 15, "too long:\n{text}");
    expect.assert_eq(&(text + "\n"));
}

#[test]
fn two_places_of_one_file() {
    check(
        &race("pool.rs:7", "pool.rs:10"),
        expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
          --> pool.rs:10
           |
         7 |             pool.insert(host.clone(), connection);
           |             -------------------------------------- T3, event 4: o.put('a.com','c1')/nil
        ...
        10 |     println!("{}", pool.len());
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ T2, event 5: o.put('a.com','c2')/'c1'
           |
           = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
           = note: points: o:w:'a.com' against o:w:'a.com'
           = note: no lock is held by both threads, and neither is joined before the other acts
           = help: hold one lock around both, or join T3 before T2 acts
           = help: `commute explain CM101` says more
    "#]],
    );
}

#[test]
fn a_single_line_between_two_places_is_shown() {
    check(
        &race("pool.rs:5", "pool.rs:7"),
        expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
         --> pool.rs:7
          |
        5 |         spawn(|| {
          |         ---------- T3, event 4: o.put('a.com','c1')/nil
        6 |             let connection = connect(host);
        7 |             pool.insert(host.clone(), connection);
          |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ T2, event 5: o.put('a.com','c2')/'c1'
          |
          = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
          = note: points: o:w:'a.com' against o:w:'a.com'
          = note: no lock is held by both threads, and neither is joined before the other acts
          = help: hold one lock around both, or join T3 before T2 acts
          = help: `commute explain CM101` says more
    "#]],
    );
}

#[test]
fn one_line_for_both() {
    check(
        &race("pool.rs:7", "pool.rs:7"),
        expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
         --> pool.rs:7
          |
        7 |             pool.insert(host.clone(), connection);
          |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          |             |
          |             T2, event 5: o.put('a.com','c2')/'c1'
          |             T3, event 4: o.put('a.com','c1')/nil
          |
          = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
          = note: points: o:w:'a.com' against o:w:'a.com'
          = note: no lock is held by both threads, and neither is joined before the other acts
          = help: hold one lock around both, or join T3 before T2 acts
          = help: `commute explain CM101` says more
    "#]],
    );
}

#[test]
fn a_column_marks_the_word_that_starts_there() {
    check(
        &race("pool.rs:10:26", "pool.rs:7:18"),
        expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
          --> pool.rs:7:18
           |
         7 |             pool.insert(host.clone(), connection);
           |                  ^^^^^^ T2, event 5: o.put('a.com','c2')/'c1'
        ...
        10 |     println!("{}", pool.len());
           |                          -- T3, event 4: o.put('a.com','c1')/nil
           |
           = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
           = note: points: o:w:'a.com' against o:w:'a.com'
           = note: no lock is held by both threads, and neither is joined before the other acts
           = help: hold one lock around both, or join T3 before T2 acts
           = help: `commute explain CM101` says more
    "#]],
    );
}

#[test]
fn without_source_the_places_are_named() {
    check(
        &race("gone.rs:7", "gone.rs:7:3"),
        expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
        --> gone.rs:7:3 (T2, event 5: o.put('a.com','c2')/'c1')
        ::: gone.rs:7 (T3, event 4: o.put('a.com','c1')/nil)
         |
         = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
         = note: points: o:w:'a.com' against o:w:'a.com'
         = note: no lock is held by both threads, and neither is joined before the other acts
         = help: hold one lock around both, or join T3 before T2 acts
         = help: `commute explain CM101` says more
    "#]],
    );
}

#[test]
fn a_line_that_the_file_does_not_have_is_named() {
    check(
        &race("pool.rs:7", "pool.rs:4711"),
        expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
         --> pool.rs:4711 (T2, event 5: o.put('a.com','c2')/'c1')
          |
         ::: pool.rs:7
          |
        7 |             pool.insert(host.clone(), connection);
          |             -------------------------------------- T3, event 4: o.put('a.com','c1')/nil
          |
          = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
          = note: points: o:w:'a.com' against o:w:'a.com'
          = note: no lock is held by both threads, and neither is joined before the other acts
          = help: hold one lock around both, or join T3 before T2 acts
          = help: `commute explain CM101` says more
    "#]],
    );
}

#[test]
fn a_place_without_source_may_come_last() {
    check(
        &race("gone.rs:1", "pool.rs:7"),
        expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
         --> pool.rs:7
          |
        7 |             pool.insert(host.clone(), connection);
          |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ T2, event 5: o.put('a.com','c2')/'c1'
         ::: gone.rs:1 (T3, event 4: o.put('a.com','c1')/nil)
          |
          = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
          = note: points: o:w:'a.com' against o:w:'a.com'
          = note: no lock is held by both threads, and neither is joined before the other acts
          = help: hold one lock around both, or join T3 before T2 acts
          = help: `commute explain CM101` says more
    "#]],
    );
}

#[test]
fn locations_may_be_missing_or_of_any_form() {
    check(
        &race("", "4711"),
        expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
        --> 4711 (T2, event 5: o.put('a.com','c2')/'c1')
        ::: T3, event 4: o.put('a.com','c1')/nil
         |
         = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
         = note: points: o:w:'a.com' against o:w:'a.com'
         = note: no lock is held by both threads, and neither is joined before the other acts
         = help: hold one lock around both, or join T3 before T2 acts
         = help: `commute explain CM101` says more
    "#]],
    );
    let text = human::finding(&race("", ""), &NoSources, &Style::default());
    expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
        --> T2, event 5: o.put('a.com','c2')/'c1'
        ::: T3, event 4: o.put('a.com','c1')/nil
         |
         = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
         = note: points: o:w:'a.com' against o:w:'a.com'
         = note: no lock is held by both threads, and neither is joined before the other acts
         = help: hold one lock around both, or join T3 before T2 acts
         = help: `commute explain CM101` says more"#]].assert_eq(&text);
}

#[test]
fn wide_characters_are_underlined_in_full() {
    let source = "fn f() {\n    let größe = 辞書.入れる(\"鍵\", 値);\n}\n";
    let sources = |_: &str| Some(Arc::from(source));
    let text = human::finding(&race("w.rs:2:17", "w.rs:2:20"), &sources, &Style::default());
    expect![[r#"
        error[CM101]: commutativity race on `o` (dictionary)
         --> w.rs:2:20
          |
        2 |     let größe = 辞書.入れる("鍵", 値);
          |                 ---- ^^^^^^ T2, event 5: o.put('a.com','c2')/'c1'
          |                 |
          |                 T3, event 4: o.put('a.com','c1')/nil
          |
          = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
          = note: points: o:w:'a.com' against o:w:'a.com'
          = note: no lock is held by both threads, and neither is joined before the other acts
          = help: hold one lock around both, or join T3 before T2 acts
          = help: `commute explain CM101` says more"#]].assert_eq(&text);
}

#[test]
fn colours_are_used_when_asked_for() {
    let style = Style {
        color: true,
        ..Style::default()
    };
    let text = human::finding(&race("pool.rs:7", "gone.rs:1"), &sources, &style);
    expect![[r#"
        ESC[1mESC[91merror[CM101]ESC[0mESC[1m: commutativity race on `o` (dictionary)ESC[0m
         ESC[1mESC[94m--> ESC[0mgone.rs:1 (T2, event 5: o.put('a.com','c2')/'c1')
          ESC[1mESC[94m|ESC[0m
         ESC[1mESC[94m::: ESC[0mpool.rs:7
          ESC[1mESC[94m|ESC[0m
        ESC[1mESC[94m7ESC[0m ESC[1mESC[94m|ESC[0m             pool.insert(host.clone(), connection);
          ESC[1mESC[94m|ESC[0m             ESC[1mESC[94m--------------------------------------ESC[0m ESC[1mESC[94mT3, event 4: o.put('a.com','c1')/nilESC[0m
          ESC[1mESC[94m|ESC[0m
          ESC[1mESC[94m= ESC[0mESC[1mnoteESC[0m: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
          ESC[1mESC[94m= ESC[0mESC[1mnoteESC[0m: points: o:w:'a.com' against o:w:'a.com'
          ESC[1mESC[94m= ESC[0mESC[1mnoteESC[0m: no lock is held by both threads, and neither is joined before the other acts
          ESC[1mESC[94m= ESC[0mESC[1mhelpESC[0m: hold one lock around both, or join T3 before T2 acts
          ESC[1mESC[94m= ESC[0mESC[1mhelpESC[0m: `commute explain CM101` says more"#]].assert_eq(&text.replace('\x1b', "ESC"));
}

#[test]
fn all_that_a_finding_can_say() {
    let mut finding = race("pool.rs:7", "pool.rs:10");
    finding.level = Level::Warning;
    finding.certainty = Certainty::Unconfirmed;
    finding.count = 17;
    finding.replay = Some("commute replay 0123456789abcdef".into());
    finding.witness = Some(Witness {
        kind: WitnessKind::Reordering,
        prefix: 3,
        steps: (4..60).rev().collect(),
    });
    finding.notes.push(Note::new(
        "nearby",
        "m, released at pool.rs:3\nacquired at pool.rs:4\n1\n2\n3",
    ));
    let text = human::finding(&finding, &sources, &Style::default());
    assert!(text.lines().count() <= 15, "too long:\n{text}");
    expect![[r#"
        warning[CM101]: commutativity race on `o` (dictionary)
          --> pool.rs:10
           |
         7 |             pool.insert(host.clone(), connection);
           |             -------------------------------------- T3, event 4: o.put('a.com','c1')/nil
        ...
        10 |     println!("{}", pool.len());
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ T2, event 5: o.put('a.com','c2')/'c1'
           |
           = note: condition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil
           = note: no lock is held by both threads, and neither is joined before the other acts; points: o:w:'a.com' against o:w:'a.com' (… 1 more: `-v`)
           = note: witness (reordering): events 1 to 3, then 59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40 …
           = note: unconfirmed: it may be impossible in every run
           = note: found 17 times at these places
           = help: hold one lock around both, or join T3 before T2 acts; `commute replay 0123456789abcdef` shows it again"#]].assert_eq(&text);
}

#[test]
fn a_table_has_the_room_that_the_numbers_of_lines_leave() {
    let table = "T3                              T2\n> 4: o.put('a.com','c1')/nil p\n                                > 5: o.put('a.com','c2')/'c1' p";
    for lines in [3, 30, 300, 3000] {
        let file: Arc<str> = "x\n".repeat(lines).into();
        let sources = move |_: &str| Some(file.clone());
        let mut finding = race("a.rs:1", &format!("a.rs:{lines}"));
        finding.notes.push(Note::new(Note::COLUMNS, table));
        for width in 50..80 {
            let style = Style {
                width,
                ..Style::default()
            };
            let text = human::finding(&finding, &sources, &style);
            let is_row = |line: &&str| line.contains("> ") && !line.contains("-->");
            for row in text.lines().filter(is_row) {
                assert!(row.chars().count() <= width, "{width} at {lines}:\n{text}");
            }
        }
    }
}

#[test]
fn many_events_are_counted_unless_verbose() {
    let mut finding = race("pool.rs:7", "pool.rs:10");
    let events = (10..20).map(|i| event("T1", i, "r(x)", "pool.rs:3"));
    finding.events.splice(0..0, events);
    let brief = human::finding(&finding, &sources, &Style::default());
    assert!(
        brief.contains("and 10 more events: `-v` shows them"),
        "{brief}"
    );
    assert!(!brief.contains("event 11"), "{brief}");
    let verbose = Style {
        verbose: true,
        ..Style::default()
    };
    let long = human::finding(&finding, &sources, &verbose);
    assert!(long.contains("T1, event 11: r(x)"), "{long}");
}

#[test]
fn hostile_text_is_spelled_out_everywhere() {
    let evil = "\x1b]0;x\x07\u{9b}2J\u{202e}\u{e000}\r\n|`";
    let mut finding = race(evil, &format!("{evil}.rs:7:1"));
    finding.title = evil.into();
    finding.object = Some(evil.into());
    finding.condition = Some(evil.into());
    finding.replay = Some(evil.into());
    finding.fingerprint = evil.into();
    for event in &mut finding.events {
        event.thread = evil.into();
        event.action = evil.into();
    }
    for note in &mut finding.notes {
        note.text = evil.into();
    }
    finding.notes.push(Note::new(evil, evil));
    let source = |_: &str| Some(Arc::from(evil.repeat(9)));
    let tame = |text: &str| {
        !text
            .chars()
            .any(|c| c != '\n' && c.is_control() || c == '\u{202e}' || c == '\u{e000}')
    };
    for sources in [&source as &dyn commute_report::Sources, &NoSources] {
        let text = human::finding(&finding, sources, &Style::default());
        assert!(tame(&text), "{text:?}");
    }
    let line = short::finding(&finding, &NoSources);
    assert!(tame(&line) && !line.contains('\n'), "{line:?}");
    let line = github::finding(&finding, &NoSources);
    assert!(tame(&line) && !line.contains('\n'), "{line:?}");
    let line = json::finding(&finding);
    assert!(tame(&line) && !line.contains('\n'), "{line:?}");
    let read: serde_json::Value = serde_json::from_str(&line).expect("valid JSON");
    assert_eq!(read["title"], evil);
    assert_eq!(read["events"][0]["location"], evil);
}

#[test]
fn huge_texts_are_cut() {
    let mut finding = race("pool.rs:7", "pool.rs:7");
    let huge = "x".repeat(10_000_000);
    finding.title = huge.clone();
    finding.condition = Some(huge.clone());
    finding.events[0].action = huge.clone();
    finding.events[1].thread = huge.clone();
    finding.events[1].location = huge.clone() + ".rs:1";
    finding.notes[0].text = huge.clone();
    let one_line = |_: &str| Some(Arc::from(huge.as_str()));
    for sources in [
        &one_line as &dyn commute_report::Sources,
        &sources,
        &NoSources,
    ] {
        let text = human::finding(&finding, sources, &Style::default());
        assert!(text.len() < 5_000, "{} bytes", text.len());
    }
    assert!(short::finding(&finding, &NoSources).len() < 2_000);
}

#[test]
fn one_line_forms() {
    let line = |first: &str, second: &str| short::finding(&race(first, second), &NoSources) + "\n";
    let lines = line("pool.rs:12", "pool.rs:14:3") + &line("a", "4711") + &line("a.rs:1", "");
    expect![[r#"
        pool.rs:14:3: error[CM101]: commutativity race on `o` (dictionary) (T2 event 5 / T3 event 4)
        4711 - error[CM101]: commutativity race on `o` (dictionary) (T2 event 5 / T3 event 4)
        error[CM101]: commutativity race on `o` (dictionary) (T2 event 5 / T3 event 4)
    "#]]
    .assert_eq(&lines);
}

#[test]
fn github_annotations() {
    let mut escaped = race("a", "a,b:c%.rs:1:2");
    escaped.level = Level::Note;
    let lines = [race("pool.rs:7", "pool.rs:10"), escaped, race("", "")];
    let lines = lines.map(|finding| github::finding(&finding, &NoSources) + "\n");
    expect![[r#"
        ::error file=pool.rs,line=10,title=CM101%3A commutativity race on `o` (dictionary)::T2, event 5: o.put('a.com','c2')/'c1' at pool.rs:10%0AT3, event 4: o.put('a.com','c1')/nil at pool.rs:7%0Acondition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil%0Apoints: o:w:'a.com' against o:w:'a.com'%0Awhy: no lock is held by both threads, and neither is joined before the other acts%0Ahelp: hold one lock around both, or join T3 before T2 acts
        ::notice file=a%2Cb%3Ac%25.rs,line=1,col=2,title=CM101%3A commutativity race on `o` (dictionary)::T2, event 5: o.put('a.com','c2')/'c1' at a,b:c%25.rs:1:2%0AT3, event 4: o.put('a.com','c1')/nil at a%0Acondition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil%0Apoints: o:w:'a.com' against o:w:'a.com'%0Awhy: no lock is held by both threads, and neither is joined before the other acts%0Ahelp: hold one lock around both, or join T3 before T2 acts
        ::error title=CM101%3A commutativity race on `o` (dictionary)::T2, event 5: o.put('a.com','c2')/'c1'%0AT3, event 4: o.put('a.com','c1')/nil%0Acondition: k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil%0Apoints: o:w:'a.com' against o:w:'a.com'%0Awhy: no lock is held by both threads, and neither is joined before the other acts%0Ahelp: hold one lock around both, or join T3 before T2 acts
    "#]].assert_eq(&lines.concat());
}

#[test]
fn json_has_the_documented_fields() {
    let mut without = race("a.rs:1", "");
    without.object = None;
    without.condition = None;
    without.witness = None;
    without.notes.clear();
    without.replay = Some("commute replay x".into());
    let lines =
        json::finding(&race("pool.rs:12", "pool.rs:12")) + "\n" + &json::finding(&without) + "\n";
    expect![[r#"
        {"schema":1,"reason":"finding","code":"CM101","level":"error","certainty":"observed","fingerprint":"0123456789abcdef","title":"commutativity race on `o` (dictionary)","object":"o","events":[{"thread":"T3","index":4,"action":"o.put('a.com','c1')/nil","location":"pool.rs:12"},{"thread":"T2","index":5,"action":"o.put('a.com','c2')/'c1'","location":"pool.rs:12"}],"condition":"k1 != k2 || (v1 == p1 && v2 == p2) with k1 = k2 = 'a.com', v1 = 'c1', p1 = nil","witness":{"kind":"pair","prefix":0,"steps":[4,5]},"count":1,"replay":null,"notes":[{"label":"points","text":"o:w:'a.com' against o:w:'a.com'"},{"label":"why","text":"no lock is held by both threads, and neither is joined before the other acts"},{"label":"help","text":"hold one lock around both, or join T3 before T2 acts"}]}
        {"schema":1,"reason":"finding","code":"CM101","level":"error","certainty":"observed","fingerprint":"0123456789abcdef","title":"commutativity race on `o` (dictionary)","object":null,"events":[{"thread":"T3","index":4,"action":"o.put('a.com','c1')/nil","location":"a.rs:1"},{"thread":"T2","index":5,"action":"o.put('a.com','c2')/'c1'","location":""}],"condition":null,"witness":null,"count":1,"replay":"commute replay x","notes":[]}
    "#]].assert_eq(&lines);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    /// Whatever a trace and the files it names contain: no panic, no control
    /// character, no unbounded output, valid JSON on one line.
    #[test]
    fn any_finding_can_be_shown(
        source in "(\\PC|[\t\r\n\u{0}\u{1b}\u{9b}\u{300}\u{200d}日é]){0,200}",
        repeat in 1usize..20,
        words in prop::collection::vec("(\\PC|[\u{0}-\u{9f}\u{202e}\u{e000}]){0,20}", 6),
        places in prop::collection::vec((0u32..30, prop::option::of(0u32..60), any::<bool>()), 0..7),
        verbose: bool,
        width in 0usize..200,
    ) {
        let source = source.repeat(repeat);
        let sources = |file: &str| (file == "a").then(|| Arc::from(source.as_str()));
        let mut finding = race("", "");
        finding.title.clone_from(&words[0]);
        finding.condition = Some(words[1].clone());
        finding.notes[0].text.clone_from(&words[2]);
        finding.notes[1].label.clone_from(&words[3]);
        finding.events = places
            .into_iter()
            .map(|(line, column, known)| {
                let file = if known { "a" } else { &words[4] };
                let column = column.map_or(String::new(), |c| format!(":{c}"));
                event(&words[5], 1, &words[2], &format!("{file}:{line}{column}"))
            })
            .collect();
        let hostile = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}' || c == '\u{e000}');
        let style = Style { color: false, width, verbose };
        let text = human::finding(&finding, &sources, &style);
        prop_assert!(!text.contains(hostile), "{text:?}");
        let line = short::finding(&finding, &NoSources);
        prop_assert!(!line.contains('\n') && !line.contains(hostile), "{line:?}");
        let line = json::finding(&finding);
        prop_assert!(!line.contains('\n') && !line.contains(hostile), "{line:?}");
        let read: serde_json::Value = serde_json::from_str(&line).expect("valid JSON");
        prop_assert_eq!(read["title"].as_str(), Some(words[0].as_str()));
    }
}
