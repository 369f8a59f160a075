//! JUnit documents, read back.

use commute_model::{Certainty, Finding};
use commute_report::{Run, Style, TraceRun, Verdict, junit};
use expect_test::expect;
use proptest::prelude::*;
use quick_junit::{NonSuccessKind, Report, TestCaseStatus};

use crate::example::{each_kind, hostile, hostile_finding, race, run, sources, summary, trace};

/// The document as another program reads it.
fn read(run: &Run<'_>) -> Report {
    let style = Style {
        color: true,
        ..Style::default()
    };
    let text = junit::document(run, &style);
    let forbidden = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{fffe}'..='\u{ffff}'));
    assert!(!text.contains(forbidden), "{text:?}");
    Report::deserialize_from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn kind(status: &TestCaseStatus) -> Option<(NonSuccessKind, &str, &str)> {
    match status {
        TestCaseStatus::NonSuccess {
            kind, message, ty, ..
        } => Some((*kind, ty.as_ref()?.as_str(), message.as_ref()?.as_str())),
        _ => None,
    }
}

#[test]
fn a_race_and_a_clean_trace() {
    let findings = [race("pool.rs:3:14", "pool.rs:5")];
    let summary = summary(Verdict::Violations, &findings);
    let clean = TraceRun {
        file: Some("a & <b>.std"),
        ..trace(&[], &sources)
    };
    let traces = vec![trace(&findings, &sources), clean];
    let text = junit::document(&run(traces, &summary), &Style::default());
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="commute" tests="2" skipped="0" failures="1" errors="0">
            <testsuite name="commute check" tests="2" skipped="0" errors="0" failures="1">
                <properties>
                    <property name="version" value="1.2.3"/>
                    <property name="verdict" value="violations"/>
                    <property name="summary" value="commute: violations: 1 finding (CM101 x1) in 8 events, 3 threads, 1 object [races]"/>
                </properties>
                <testcase name="t.std" classname="commute check">
                    <failure message="CM101: commutativity race on `o` (dictionary)" type="CM101">error[CM101]: commutativity race on `o` (dictionary)
         --&gt; pool.rs:5
          |
        3 |         spawn(|| pool.insert(host, connect(host)));
          |              - T3, event 4: o.put(&apos;a&apos;,1)/nil
        4 |     }
        5 |     println!(&quot;{}&quot;, pool.len());
          |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ T2, event 5: o.put(&apos;a&apos;,2)/1
          |
          = note: condition: k1 != k2   with k1 = &apos;a&apos;, k2 = &apos;a&apos;
          = note: neither waits for the other
          = help: hold one lock around both
          = help: `commute explain CM101` says more</failure>
                </testcase>
                <testcase name="a &amp; &lt;b&gt;.std" classname="commute check"/>
            </testsuite>
        </testsuites>
    "#]].assert_eq(&text);
}

#[test]
fn every_trace_is_a_test_case() {
    each_kind(|run| {
        let report = read(run);
        assert_eq!(report.test_suites.len(), 1);
        let suite = &report.test_suites[0];
        let extra = usize::from(run.failure.is_some());
        assert_eq!(suite.test_cases.len(), run.traces.len() + extra);
        let good = run.summary.verdict == Verdict::Clean;
        let passed = suite.failures + suite.errors == 0;
        // A verdict without a reason is nobody's fault in particular.
        let reasons = run.traces.iter().any(|trace| !trace.reasons.is_empty());
        if run.summary.verdict != Verdict::Inconclusive || reasons || run.failure.is_some() {
            assert_eq!(passed, good);
        }
    });
}

#[test]
fn what_is_not_known_is_an_error_not_a_success() {
    let doubt = summary(Verdict::Inconclusive, &[]);
    let reasons = ["event 7 releases a lock".to_owned()];
    let doubtful = TraceRun {
        reasons: &reasons,
        ..trace(&[], &sources)
    };
    let bad = TraceRun {
        problem: Some(crate::example::problem()),
        ..trace(&[], &sources)
    };
    let report = read(&run(vec![doubtful, bad], &doubt));
    let cases = &report.test_suites[0].test_cases;
    let error = NonSuccessKind::Error;
    let expected = (error, "inconclusive", "event 7 releases a lock");
    assert_eq!(kind(&cases[0].status), Some(expected));
    let expected = (error, "bad input", "t.std:3:4: unknown operation `frob`");
    assert_eq!(kind(&cases[1].status), Some(expected));
}

/// What is not certain fails the run only if somebody says so; it has not passed, though.
#[test]
fn what_is_not_certain_is_an_error_unless_it_is_denied() {
    let findings = [race("a.rs:1", "a.rs:2")].map(|finding| Finding {
        certainty: Certainty::Unconfirmed,
        ..finding
    });
    let certain = [race("a.rs:1", "a.rs:2")];
    let title = "CM101: commutativity race on `o` (dictionary)";
    let hidden = TraceRun {
        hidden: 2,
        ..trace(&[], &sources)
    };
    let doubt = summary(Verdict::Inconclusive, &findings);
    let report = read(&run(vec![trace(&findings, &sources), hidden], &doubt));
    let cases = &report.test_suites[0].test_cases;
    let error = NonSuccessKind::Error;
    assert_eq!(kind(&cases[0].status), Some((error, "inconclusive", title)));
    let expected = Some((error, "inconclusive", "2 findings: …"));
    assert_eq!(kind(&cases[1].status), expected);
    // What fails another trace says nothing of this one.
    let fails = summary(Verdict::Violations, &certain);
    let traces = || vec![trace(&findings, &sources), trace(&certain, &sources)];
    for deny_unconfirmed in [false, true] {
        let report = read(&Run {
            deny_unconfirmed,
            ..run(traces(), &fails)
        });
        let cases = &report.test_suites[0].test_cases;
        let failure = Some((NonSuccessKind::Failure, "CM101", title));
        assert_eq!(kind(&cases[0].status) == failure, deny_unconfirmed);
        assert_eq!(kind(&cases[1].status), failure);
    }
}

#[test]
fn how_long_a_test_took_is_said() {
    let summary = summary(Verdict::Clean, &[]);
    let took = |seconds| TraceRun {
        seconds: Some(seconds),
        ..trace(&[], &sources)
    };
    let report = read(&run(vec![took(0.25), took(1.5)], &summary));
    let suite = &report.test_suites[0];
    let times = suite.test_cases.iter().map(|case| case.time);
    let times: Vec<_> = times.chain([suite.time]).flatten().collect();
    assert_eq!(
        times,
        [250, 1500, 1750].map(std::time::Duration::from_millis)
    );
}

#[test]
fn tests_of_one_name_are_told_apart_by_their_binaries() {
    let summary = summary(Verdict::Clean, &[]);
    let of = |binary| TraceRun {
        file: Some("works"),
        binary: Some(binary),
        ..trace(&[], &sources)
    };
    let report = read(&run(vec![of("pool"), of("pool::locks")], &summary));
    let cases = report.test_suites[0].test_cases.iter();
    let classes: Vec<_> = cases.filter_map(|case| case.classname.as_ref()).collect();
    assert_eq!(classes, ["commute check pool", "commute check pool::locks"]);
}

#[test]
fn several_findings_are_one_failure_that_names_them() {
    let findings = [race("a.rs:1", "a.rs:2"), race("a.rs:1", "a.rs:3")];
    let summary = summary(Verdict::Violations, &findings);
    let some = TraceRun {
        hidden: 5,
        ..trace(&findings, &sources)
    };
    let report = read(&run(vec![some], &summary));
    let title = "CM101: commutativity race on `o` (dictionary)";
    let message = format!("7 findings: {title}; {title}; …");
    let expected = (NonSuccessKind::Failure, "CM101", &*message);
    let case = &report.test_suites[0].test_cases[0];
    assert_eq!(kind(&case.status), Some(expected));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever a trace contains, the document can be read, and what is read is
    /// what was meant.
    #[test]
    fn any_finding_gives_a_document(finding in hostile_finding(), name in hostile()) {
        let findings = [finding];
        let summary = summary(Verdict::Violations, &findings);
        let named = TraceRun { file: Some(&name), ..trace(&findings, &sources) };
        let report = read(&run(vec![named], &summary));
        let case = &report.test_suites[0].test_cases[0];
        prop_assert_eq!(case.name.as_str(), &*commute_report::visible(&name));
        let title = format!("CM101: {}", commute_report::visible(&findings[0].title));
        let (_, _, message) = kind(&case.status).expect("a failure");
        prop_assert_eq!(message, title);
    }
}
