//! Pages.

use commute_model::{Finding, Moment, Scene};
use commute_report::{Run, Tests, TraceRun, Verdict, html};
use expect_test::expect_file;
use proptest::prelude::*;

use crate::example::{each_kind, hostile, hostile_finding, race, run, sources, summary, trace};

/// Elements that have no end.
const VOID: &[&str] = &["meta", "br"];
/// All elements a page may have: none that runs or fetches something.
const KNOWN: &[&str] = &[
    "html",
    "head",
    "title",
    "style",
    "body",
    "header",
    "nav",
    "main",
    "section",
    "article",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "div",
    "span",
    "strong",
    "small",
    "i",
    "a",
    "code",
    "pre",
    "mark",
    "figure",
    "figcaption",
    "details",
    "summary",
    "form",
    "label",
    "select",
    "option",
    "output",
    "script",
    "svg",
    "g",
    "line",
    "rect",
    "path",
    "text",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
];
/// All attributes it may have.
const ATTRIBUTES: &[&str] = &[
    "lang",
    "charset",
    "name",
    "content",
    "http-equiv",
    "class",
    "id",
    "href",
    "role",
    "aria-label",
    "aria-labelledby",
    "tabindex",
    "scope",
    "type",
    "value",
    "data-code",
    "data-object",
    "data-threads",
    "data-finding",
    "data-event",
    "data-place",
    "data-order",
    "data-more",
    "data-top",
    "transform",
    "colspan",
    "width",
    "height",
    "viewBox",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "rx",
    "d",
];
/// The script of every page.
const SCRIPT: &str = include_str!("../../src/html/script.js");

/// The page, if its elements are nested, known and have known attributes. What
/// came from a trace would show as an element or attribute that is not.
fn page(run: &Run<'_>) -> String {
    let whole = html::page(run);
    // The script is ours, and is not markup.
    assert_eq!(whole.matches(SCRIPT).count(), 1);
    let page = whole.replace(SCRIPT, "");
    let (head, mut rest) = page.split_once("<!DOCTYPE html>").expect("a document type");
    assert_eq!(head, "");
    let mut open: Vec<&str> = Vec::new();
    while let Some(start) = rest.find('<') {
        let is_data = matches!(open.last(), Some(&"style" | &"script"));
        assert!(!rest[..start].contains(['"', '\'']) || is_data);
        let end = start + rest[start..].find('>').expect("an end");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag} in {page}");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        // The attributes without a value.
        let attributes = format!("{attributes} ").replacen(" hidden ", " ", 1);
        let attributes = attributes.replacen(" open ", " ", 1);
        let mut attributes = &*attributes;
        if !VOID.contains(&name) {
            assert!(KNOWN.contains(&name), "<{tag}> in {page}");
            open.push(name);
        }
        while let Some((attribute, value)) = attributes.split_once("=\"") {
            assert!(ATTRIBUTES.contains(&attribute.trim()), "<{tag}> in {page}");
            let (value, more) = value.split_once('"').expect("a closed value");
            assert!(attribute.trim() != "href" || value.starts_with('#'));
            attributes = more;
        }
        assert_eq!(attributes.trim(), "", "<{tag}> in {page}");
    }
    assert!(open.is_empty(), "{open:?} left open in {page}");
    page
}

#[test]
fn a_race() {
    let findings = [race("pool.rs:3:14", "pool.rs:5"), race("gone.rs:1", "")];
    let summary = summary(Verdict::Violations, &findings);
    let page = page(&run(vec![trace(&findings, &sources)], &summary));
    let (head, style) = page.split_once("<style>").unwrap();
    let (_, body) = style.split_once("</style>").unwrap();
    // The digest of the script is another one with every change of it.
    let (before, digest) = head.split_once("'sha256-").unwrap();
    let (_, after) = digest.split_once('\'').unwrap();
    let head = format!("{before}'sha256-…'{after}");
    expect_file!["race.html"].assert_eq(&format!("{head}<style></style>{body}"));
}

#[test]
fn every_kind_of_run_gives_a_page_that_says_so() {
    each_kind(|run| {
        let page = page(run);
        let words = match run.summary.verdict {
            Verdict::Clean => "<strong>Clean.</strong> Everything was looked at",
            Verdict::Violations => "<strong>Violations.</strong> There",
            Verdict::Inconclusive => "<strong>Inconclusive.</strong> ",
        };
        assert!(page.contains(words), "{page}");
        let found = run.traces.iter().map(|t| t.findings.len()).sum::<usize>();
        assert_eq!(page.matches("<article ").count(), found);
        let complete = run.failure.is_none() && run.traces.iter().all(|t| t.problem.is_none());
        let said = page.contains("<li><span class=\"error\">error</span>");
        assert_eq!(said, !complete, "{page}");
    });
}

#[test]
fn a_page_needs_nothing_else() {
    each_kind(|run| {
        let page = page(run);
        for outside in [
            "<link",
            "<img",
            "url(",
            "@import",
            "http://",
            "https://",
            "eval(",
            "innerHTML",
        ] {
            assert!(!page.contains(outside), "{outside} in {page}");
        }
        for wanted in [
            "<html lang=\"en\">",
            "<meta charset=\"utf-8\">",
            "name=\"viewport\"",
            "default-src 'none'",
            "prefers-color-scheme: dark",
            "<main>",
            "<h1>",
        ] {
            assert!(page.contains(wanted), "no {wanted}");
        }
    });
}

#[test]
fn what_a_trace_contains_is_shown_and_never_markup() {
    let script = "<script>alert('x')</script>";
    let mut finding = race("\"onload=", "<img src=x onerror=alert(1)>.rs:7");
    finding.events[0].action = format!("o.put({script},1)/nil");
    finding.events[0].thread = script.into();
    finding.title = format!("race on `{script}`");
    finding.condition = Some(format!("k1 != k2   with k1 = {script}"));
    finding.notes[0].text = script.into();
    finding.notes[1].text = script.into();
    finding.replay = Some(script.into());
    let findings = [finding];
    let summary = summary(Verdict::Violations, &findings);
    let named = TraceRun {
        file: Some(script),
        ..trace(&findings, &sources)
    };
    let page = page(&run(vec![named], &summary));
    let shown = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;";
    assert!(page.matches(shown).count() >= 8, "{page}");
    assert!(!page.contains(script) && !page.contains("<img"));
    assert!(page.contains("&quot;onload=") && !page.contains("\"onload="));
}

#[test]
fn of_each_trace_it_counts_what_comes_after_the_last_event_shown() {
    let findings = [race("pool.rs:3:14", "pool.rs:5")];
    let summary = summary(Verdict::Violations, &findings);
    let of = |events| TraceRun {
        events,
        ..trace(&findings, &sources)
    };
    let page = page(&run(vec![of(1007), of(29)], &summary));
    let last = findings[0].events.iter().map(|event| event.index).max();
    let last = last.expect("an event");
    for events in [1007, 29] {
        let rest = match events - last {
            rest if rest > 999 => format!("1,{:03}", rest - 1000),
            rest => rest.to_string(),
        };
        // In the diagram, and in the table.
        let rest = format!("⋯ {rest} events");
        assert_eq!(page.matches(&rest).count(), 2, "{rest}");
    }
}

/// A finding in a run that is at a line of its own with every event.
fn in_many_lines(events: u64) -> Finding {
    let mut finding = race("pool.rs:3:14", "pool.rs:5");
    let moment = |index| Moment {
        index,
        thread: 0,
        action: "w(x)".to_owned(),
        location: format!("long.rs:{index}"),
        clock: Vec::new(),
    };
    finding.scene = Some(Box::new(Scene {
        threads: vec!["T1".to_owned()],
        moments: (1..=events).map(moment).collect(),
        marks: vec![2, events - 2],
        ..Scene::default()
    }));
    finding
}

#[test]
fn the_lines_of_folded_events_are_there_up_to_a_bound() {
    let long: String = (0..9000)
        .map(|number| format!("line {number};\n"))
        .collect();
    let text = move |file: &str| match file {
        "long.rs" => Some(long.as_str().into()),
        _ => None,
    };
    let lines = |findings: &[Finding]| {
        let summary = summary(Verdict::Violations, findings);
        let page = page(&run(vec![trace(findings, &text)], &summary));
        page.matches("data-place=\"long.rs:").count()
    };
    assert_eq!(lines(&[in_many_lines(500)]), 500);
    let most = lines(&[in_many_lines(9000)]);
    assert!((2000..2020).contains(&most), "{most}");
    // Several findings share the room.
    let most = lines(&[in_many_lines(2000), in_many_lines(2000)]);
    assert!((2000..2040).contains(&most), "{most}");
}

#[test]
fn a_run_that_several_findings_have_is_there_once() {
    let mut other = in_many_lines(300);
    if let Some(scene) = &mut other.scene {
        scene.marks = vec![7, 9];
    }
    let findings = [in_many_lines(300), other, in_many_lines(200)];
    let summary = summary(Verdict::Violations, &findings);
    let page = page(&run(vec![trace(&findings, &sources)], &summary));
    assert_eq!(page.matches(" id=\"scene-").count(), 3);
    let events = page.matches(" id=\"events-").count();
    assert_eq!(events, 2);
    for (number, events) in [(1, 1), (2, 1), (3, 3)] {
        let data = format!(" id=\"scene-{number}\">{{\"events\":{events},");
        assert!(page.contains(&data), "{data}");
    }
}

#[test]
fn of_many_findings_the_first_thousand_are_drawn() {
    for (count, drawn) in [(1_000, 1_000), (1_001, 1_000), (30_000, 1_000)] {
        let findings = vec![race("a.rs:1", "b.rs:2"); count];
        let summary = summary(Verdict::Violations, &findings);
        let traces = vec![trace(&findings, &sources)];
        let page = html::page(&run(traces, &summary));
        assert_eq!(page.matches("<article ").count(), drawn);
        assert_eq!(page.matches("<li><a href=\"#finding-").count(), drawn);
        let words = format!("The first 1000 of {count} findings are drawn on this page.");
        assert_eq!(page.contains(&words), count > drawn, "{count}");
        assert!(page.contains(&format!("There are {count} findings.")));
    }
}

#[test]
fn source_files_may_contain_markup_too() {
    let text = |_: &str| Some("let x = \"</pre><script>\";\n\tlet y;\n".into());
    let findings = [race("a.rs:1:9", "a.rs:2:6")];
    let summary = summary(Verdict::Violations, &findings);
    let page = page(&run(vec![trace(&findings, &text)], &summary));
    assert!(page.contains("&lt;/pre&gt;&lt;script&gt;"), "{page}");
    assert!(
        page.contains("    let <mark class=\"here\">y</mark>;"),
        "{page}"
    );
}

#[test]
fn of_tests_it_says_how_many_passed_and_why_not_all_is_known() {
    let mut summary = summary(Verdict::Inconclusive, &[]);
    summary.tests = Some(Tests {
        passed: 7,
        inconclusive: 2,
        ..Tests::default()
    });
    let doubts = ["it was <interrupted>".to_owned()];
    let page = page(&Run {
        doubts: &doubts,
        ..run(vec![trace(&[], &sources)], &summary)
    });
    for part in [
        "<dt>tests passed</dt><dd>7</dd>",
        "<dt>inconclusive</dt><dd>2</dd>",
        "<caption>Tests</caption>",
        "it was &lt;interrupted&gt;",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("<dt>events</dt>"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever a trace contains, the page has only its own elements.
    #[test]
    fn any_finding_gives_a_page(finding in hostile_finding(), name in hostile()) {
        let findings = [finding];
        let summary = summary(Verdict::Violations, &findings);
        let reasons = [name.clone()];
        let named = TraceRun {
            file: Some(&name),
            reasons: &reasons,
            notes: &reasons,
            ..trace(&findings, &sources)
        };
        let page = page(&Run { failure: Some(&name), ..run(vec![named], &summary) });
        let hostile = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        prop_assert!(!page.contains(hostile), "{:?}", page);
    }
}
