//! A finding as a result.

use std::collections::BTreeMap;

use commute_model::{EventRef, Finding, WitnessKind};

use super::format::{
    CodeFlow, Location, ResultObject, ResultProperties, ThreadFlow, ThreadFlowLocation,
};
use super::message::message;
use super::place::{artifact, place};
use crate::Style;
use crate::plain;
use crate::run::TraceRun;
use crate::site::{is_of_specification, label};
use crate::sources::in_repository;
use crate::untrusted::clip;

/// The result. `target` is the file that was looked at, `rule` the place of its code in
/// the list of rules.
pub(super) fn result(
    finding: &Finding,
    trace: &TraceRun<'_>,
    target: Option<&str>,
    rule: usize,
) -> ResultObject {
    let title = clip(&finding.title, 400);
    // The last event is where the finding became one.
    let (last, others) = match finding.events.split_last() {
        Some((last, others)) => (Some(last), others),
        None => (None, &[][..]),
    };
    let related = others.iter().enumerate().map(|(i, event)| Location {
        id: Some(i + 1),
        ..location(finding, event, trace)
    });
    ResultObject {
        rule_id: finding.code.to_string(),
        rule_index: rule,
        level: finding.level.to_string(),
        message: message(&format!("{title}\n{}", plain::lines(finding))),
        analysis_target: target.map(artifact),
        locations: { last.map(|last| location(finding, last, trace)) }
            .into_iter()
            .collect(),
        related_locations: related.collect(),
        code_flows: code_flow(finding, trace).into_iter().collect(),
        partial_fingerprints: BTreeMap::from([("commute/v1", finding.fingerprint.clone())]),
        // Readers count with 32 bits.
        occurrence_count: finding.count.clamp(1, i32::MAX as u64),
        properties: ResultProperties {
            certainty: finding.certainty.to_string(),
            object: finding.object.clone(),
            condition: finding.condition.clone(),
            replay: finding.replay.clone(),
        },
    }
}

/// Where an event happened, and what.
fn location(finding: &Finding, event: &EventRef, trace: &TraceRun<'_>) -> Location {
    let label = label(finding, event, &Style::default());
    Location {
        message: (!label.is_empty()).then(|| message(&label)),
        ..place(&in_repository(&event.location, trace.sources))
    }
}

/// The events, a flow for each thread. Their order among all threads is their rank: an
/// index may be larger than what readers count with. What is predicted is told in the
/// order in which it goes wrong. In a specification nothing flows.
fn code_flow(finding: &Finding, trace: &TraceRun<'_>) -> Option<CodeFlow> {
    if is_of_specification(finding) {
        return None;
    }
    let mut flows: Vec<ThreadFlow> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut events: Vec<&EventRef> = finding.events.iter().collect();
    if let Some(witness) =
        { finding.witness.as_ref() }.filter(|witness| witness.kind == WitnessKind::Reordering)
    {
        // What the reordering does not have would come after it.
        let mut steps: BTreeMap<u64, u64> = BTreeMap::new();
        for (&index, place) in witness.steps.iter().zip(0..) {
            steps.entry(index).or_insert(place);
        }
        let place = |index: u64| match index <= witness.prefix {
            true => (0, index),
            false => match steps.get(&index) {
                Some(&step) => (1, step),
                None => (2, 0),
            },
        };
        events.sort_by_key(|event| place(event.index));
    }
    for (i, event) in events.into_iter().enumerate() {
        let step = ThreadFlowLocation {
            location: location(finding, event, trace),
            execution_order: i + 1,
            importance: "essential",
        };
        let place = *places.entry(&event.thread).or_insert_with(|| {
            flows.push(ThreadFlow {
                id: event.thread.clone(),
                locations: Vec::new(),
            });
            flows.len() - 1
        });
        flows[place].locations.push(step);
    }
    (!flows.is_empty()).then_some(CodeFlow {
        thread_flows: flows,
    })
}
