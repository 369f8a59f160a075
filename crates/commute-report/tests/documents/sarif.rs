//! SARIF documents, against the schema of the standard.

use commute_report::{Run, TraceRun, Verdict, sarif};
use expect_test::expect_file;
use proptest::prelude::*;
use serde_json::Value;

use crate::example::{each_kind, hostile, hostile_finding, race, run, sources, summary, trace};
use crate::schema::{SCHEMA, valid};

/// The document, after both judges have seen it.
fn document(run: &Run<'_>) -> Value {
    let text = sarif::document(run);
    let document = valid(&text);
    let typed: serde_sarif::sarif::Sarif = serde_json::from_str(&text).expect("SARIF");
    assert_eq!(typed.runs.len(), 1);
    let hostile = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!text.contains(hostile), "{text:?}");
    document
}

#[test]
fn the_schema_is_strict() {
    for wrong in [
        r#"{"version":"2.1.0"}"#,
        r#"{"version":"2.1.0","runs":[{"tool":{"driver":{}}}]}"#,
        r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"result":[]}]}"#,
    ] {
        assert!(!SCHEMA.is_valid(&serde_json::from_str(wrong).unwrap()));
    }
}

#[test]
fn every_kind_of_run_gives_a_valid_document() {
    each_kind(|run| {
        let document = document(run);
        let sarif_run = &document["runs"][0];
        let invocation = &sarif_run["invocations"][0];
        let bad = run.failure.is_some() || run.traces.iter().any(|t| t.problem.is_some());
        assert_eq!(invocation["executionSuccessful"], !bad);
        let notified = invocation["toolExecutionNotifications"].is_array();
        let must = bad || run.summary.verdict == Verdict::Inconclusive;
        assert!(notified || !must, "{invocation:#}");
        let rules = sarif_run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in sarif_run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
    });
}

#[test]
fn a_race() {
    let findings = [race("pool.rs:3:14", "src\\pool.rs:5"), race("", "4711")];
    let summary = summary(Verdict::Violations, &findings);
    let run = run(vec![trace(&findings, &sources)], &summary);
    document(&run);
    expect_file!["race.sarif"].assert_eq(&sarif::document(&run));
}

#[test]
fn bad_input_is_a_notification_with_its_place() {
    let findings = [];
    let summary = summary(Verdict::Inconclusive, &findings);
    let bad = TraceRun {
        problem: Some(crate::example::problem()),
        ..trace(&findings, &sources)
    };
    let document = document(&run(vec![bad], &summary));
    let expected = serde_json::json!([{
        "level": "error",
        "message": {"text": "unknown operation `frob`\nan action is written `object.method()`"},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": "t.std"},
            "region": {"startLine": 3, "startColumn": 4},
        }}],
    }]);
    let invocation = &document["runs"][0]["invocations"][0];
    assert_eq!(invocation["toolExecutionNotifications"], expected);
}

#[test]
fn every_thread_has_a_flow_and_the_events_their_order() {
    let mut finding = race("a.rs:1", "b.rs:2");
    let mut third = finding.events[0].clone();
    third.index = 9;
    finding.events.push(third);
    let findings = [finding];
    let summary = summary(Verdict::Violations, &findings);
    let document = document(&run(vec![trace(&findings, &sources)], &summary));
    let flows = &document["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"];
    let order = |flow: &Value| -> Vec<u64> {
        let steps = flow["locations"].as_array().unwrap();
        let orders = steps.iter().map(|step| step["executionOrder"].as_u64());
        orders.map(Option::unwrap).collect()
    };
    assert_eq!(flows[0]["id"], "T3");
    assert_eq!(order(&flows[0]), [1, 3]);
    assert_eq!(flows[1]["id"], "T2");
    assert_eq!(order(&flows[1]), [2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Whatever a trace contains, the document is valid and holds it as text.
    #[test]
    fn any_finding_gives_a_valid_document(finding in hostile_finding(), name in hostile()) {
        let findings = [finding];
        let summary = summary(Verdict::Violations, &findings);
        let named = TraceRun { file: Some(&name), ..trace(&findings, &sources) };
        let document = document(&run(vec![named], &summary));
        let result = &document["runs"][0]["results"][0];
        let fingerprint = &result["partialFingerprints"]["commute/v1"];
        prop_assert_eq!(fingerprint.as_str(), Some(&*findings[0].fingerprint));
        let text = result["message"]["text"].as_str().unwrap();
        prop_assert!(!text.contains("[a](javascript"), "{}", text);
        prop_assert!(!text.replace("{{", "").contains('{'), "{}", text);
    }
}
