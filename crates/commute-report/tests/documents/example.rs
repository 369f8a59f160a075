//! Runs to make documents of.

use std::sync::Arc;

use commute_model::{
    Arrow, Certainty, Code, EventRef, Extent, ExtentKind, Finding, Level, Moment, Note, Scene,
    Severity, Witness, WitnessKind,
};
use commute_report::problem::{Place, Problem};
use commute_report::{Run, Sources, Summary, TraceRun, Verdict};
use proptest::prelude::*;

const POOL: &str = "\
fn open(hosts: &[String], pool: &Pool) {
    for host in hosts {
        spawn(|| pool.insert(host, connect(host)));
    }
    println!(\"{}\", pool.len());
}
";

pub(crate) fn sources(file: &str) -> Option<Arc<str>> {
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

/// A race between two puts at these places.
pub(crate) fn race(first: &str, second: &str) -> Finding {
    Finding {
        code: Code::CM101,
        level: Level::Error,
        certainty: Certainty::Observed,
        fingerprint: "0123456789abcdef".into(),
        title: "commutativity race on `o` (dictionary)".into(),
        object: Some("o".into()),
        events: vec![
            event("T3", 4, "o.put('a',1)/nil", first),
            event("T2", 5, "o.put('a',2)/1", second),
        ],
        condition: Some("k1 != k2   with k1 = 'a', k2 = 'a'".into()),
        witness: Some(Witness {
            kind: WitnessKind::Pair,
            prefix: 0,
            steps: vec![4, 5],
        }),
        count: 1,
        replay: None,
        scene: None,
        notes: vec![
            Note::new("why", "neither waits for the other"),
            Note::new("help", "hold one lock around both"),
        ],
    }
}

/// A page as short as can be.
pub(crate) fn explanation(code: Code) -> &'static str {
    match code {
        Code::CM101 => {
            "# CM101: commutativity race\n\nTwo calls of `o`\nthat do not commute.\n\n## Example\n\n{}\n"
        }
        _ => "# Another\n\nSomething else.\n",
    }
}

pub(crate) fn problem() -> Problem<'static> {
    Problem {
        severity: Severity::Error,
        code: None,
        message: "unknown operation `frob`",
        file: "t.std",
        place: Place::Line {
            line: 3,
            column: 4,
            excerpt: "T1|frob(<x>)|2",
            mark: 4,
        },
        help: Some("an action is written `object.method()`"),
    }
}

/// A trace in which this was found.
pub(crate) fn trace<'a>(findings: &'a [Finding], sources: &'a dyn Sources) -> TraceRun<'a> {
    TraceRun {
        file: Some("t.std"),
        binary: None,
        events: 8,
        findings,
        hidden: 0,
        reasons: &[],
        notes: &[],
        seconds: None,
        problem: None,
        sources,
    }
}

/// The summary of a run with so many findings.
pub(crate) fn summary(verdict: Verdict, findings: &[Finding]) -> Summary {
    Summary {
        verdict,
        findings: findings.len() as u64,
        codes: Summary::count_codes(findings),
        events: 8,
        threads: 3,
        objects: 1,
        seconds: 0.1,
        analyses: vec!["races".into()],
        ..Summary::default()
    }
}

/// A run over these traces.
pub(crate) fn run<'a>(traces: Vec<TraceRun<'a>>, summary: &'a Summary) -> Run<'a> {
    Run {
        command: "check",
        version: "1.2.3",
        traces,
        summary,
        deny_unconfirmed: false,
        failure: None,
        doubts: &[],
        pages: explanation,
    }
}

/// Runs that differ in everything a reader must notice: clean, with findings
/// of all kinds, inconclusive, with bad input, cut short.
pub(crate) fn each_kind(check: impl Fn(&Run<'_>)) {
    let none = summary(Verdict::Clean, &[]);
    check(&run(vec![], &none));
    check(&run(vec![trace(&[], &sources)], &none));

    let mut bare = race("", "4711");
    bare.code = Code::CM102;
    bare.level = Level::Warning;
    bare.certainty = Certainty::Unconfirmed;
    bare.count = 17;
    bare.object = None;
    bare.condition = None;
    bare.notes.clear();
    bare.replay = Some("commute replay x".into());
    let mut eventless = race("", "");
    eventless.events.clear();
    eventless.level = Level::Note;
    let findings = [
        race("pool.rs:3:14", "pool.rs:5"),
        race("gone.rs:0:0", "C:\\a b\\é.rs:1"),
        bare,
        eventless,
    ];
    let found = summary(Verdict::Violations, &findings);
    let notes = ["2 events were ignored".to_owned()];
    check(&run(
        vec![TraceRun {
            hidden: 3,
            notes: &notes,
            ..trace(&findings, &sources)
        }],
        &found,
    ));

    let doubt = summary(Verdict::Inconclusive, &[]);
    let reasons = ["event 7 releases a lock: not well-formed".to_owned()];
    check(&run(
        vec![TraceRun {
            reasons: &reasons,
            ..trace(&[], &sources)
        }],
        &doubt,
    ));
    check(&run(vec![trace(&[], &sources)], &doubt));

    for (file, place) in [
        (Some("t.std"), problem().place),
        (Some("t.ctr"), Place::Byte(17)),
        (Some("t.ctr"), Place::Whole),
        (None, problem().place),
    ] {
        let bad = TraceRun {
            file,
            problem: Some(Problem { place, ..problem() }),
            ..trace(&findings[..1], &sources)
        };
        check(&run(vec![bad], &found));
    }
    check(&Run {
        failure: Some("rules:1:1: `CM1` is not a code"),
        ..run(vec![], &doubt)
    });
}

/// Text as a hostile trace might contain it.
pub(crate) fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        "(\\PC|[\u{0}-\u{9f}\u{202e}\u{e000}\u{fffe}\u{ffff}]){0,20}",
        prop::sample::select(vec![
            "<script>alert(1)</script>",
            "\"onload=",
            "'\"><img src=x onerror=alert(1)>",
            "]]>",
            "<!--",
            "--><b>",
            "</pre></style>",
            "&lt;&#60;",
            "{0}[a](javascript:b)",
            "`<i>`",
            "\x1b[2J",
            "a.rs:3:2",
            "..\\..\\x:1",
        ])
        .prop_map(str::to_owned),
    ]
}

/// A finding of which every text is hostile.
pub(crate) fn hostile_finding() -> impl Strategy<Value = Finding> {
    let texts = prop::collection::vec(hostile(), 8);
    let places = prop::collection::vec((hostile(), 0u32..9, 0u32..60, any::<bool>()), 0..6);
    (texts, places, any::<u64>()).prop_map(|(texts, places, index)| {
        let mut finding = race("", "");
        finding.title.clone_from(&texts[0]);
        finding.object = Some(texts[1].clone());
        finding.condition = Some(format!("{}   with {}", texts[2], texts[3]));
        finding.fingerprint.clone_from(&texts[4]);
        finding.replay = Some(texts[5].clone());
        finding.notes[0] = Note::new(&texts[6], texts[7].as_str());
        finding.notes[1].text.clone_from(&texts[0]);
        finding.count = index;
        finding.events = places
            .into_iter()
            .map(|(text, line, column, known)| {
                let file = if known { "pool.rs" } else { &text };
                event(&text, index, &text, &format!("{file}:{line}:{column}"))
            })
            .collect();
        finding.scene = (index % 3 > 0).then(|| Box::new(hostile_scene(&texts)));
        finding
    })
}

/// A run that is too long to be shown, of which every text is hostile.
fn hostile_scene(texts: &[String]) -> Scene {
    let mut scene = Scene {
        marks: vec![3, 30],
        ..Scene::default()
    };
    for index in 1..40 {
        let text = |number: usize| texts[number % texts.len()].clone();
        let number = index as usize;
        let moment = Moment {
            index,
            thread: scene.lane(&text(number)),
            action: text(number + 1),
            location: format!("{}:{}", text(number + 2), index % 7),
            clock: (0..3).map(|thread| (thread, number as u32)).collect(),
        };
        scene.arrows.push(Arrow {
            from: index / 2 + 1,
            to: index,
            why: text(number + 3),
        });
        scene.extents.push(Extent {
            thread: moment.thread,
            from: index,
            to: (index % 2 == 0).then_some(index + 3),
            kind: [ExtentKind::Lock, ExtentKind::Block][number % 2],
            name: text(number + 4),
        });
        scene.moments.push(moment);
    }
    scene
}
