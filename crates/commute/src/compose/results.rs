//! What a test that attacks methods comes to, for the command.

use commute_explore::{Composed, Planned, Report, Story, Verdict, Wrong};

use super::checked::Outcome;
use super::done::{self, Done};
use super::story::is_column;

/// What was found out about methods takes the place of what the test said of it.
pub(crate) fn compose(report: &mut Report) -> bool {
    let results = done::results();
    if results.is_empty() {
        return false;
    }
    let mut composed = Composed::default();
    let mut any_weak = false;
    report.executions = 0;
    for Done {
        checked,
        story,
        is_asserted,
        is_weak,
    } in results
    {
        any_weak |= is_weak;
        for note in &checked.notes {
            if !report.notes.contains(note) {
                report.notes.push(note.clone());
            }
        }
        composed.histories += checked.histories;
        composed.pruned += checked.pruned;
        report.executions += checked.executions;
        if !is_asserted || checked.is_atomic() {
            continue;
        }
        report.failures.retain(|failure| match &failure.wrong {
            Wrong::Panic { message, .. } => *message != checked.text,
            _ => true,
        });
        report.failures.extend(story);
        if let Outcome::Inconclusive(reason) = checked.outcome {
            report.reasons.push(reason);
        }
    }
    report.outcomes = composed.histories;
    report.shortening = 0;
    report.composed = Some(composed);
    report.verdict = match (report.failures.is_empty(), report.reasons.is_empty()) {
        (false, _) => Verdict::Failed,
        (true, false) => Verdict::Inconclusive,
        (true, true) => Verdict::Passed,
    };
    any_weak
}

/// Whether a schedule is a history that was found by an attack.
pub(crate) fn is_history(plan: &[Planned]) -> bool {
    plan.first().is_some_and(|step| is_column(&step.thread))
}

/// An attack is the same every time, so the same history has to come out.
pub(crate) fn compare(report: &mut Report, history: &[Planned]) {
    let is_same = |story: &Story| differs_at(story, history).is_none();
    if report.failures.iter().any(is_same) {
        report.failures.retain(is_same);
        return;
    }
    let step = { report.failures.iter() }
        .filter_map(|story| differs_at(story, history))
        .max()
        .unwrap_or(0);
    let planned = history.get(step).or(history.last());
    let found = { report.failures.iter() }
        .find_map(|story| story.steps.get(step))
        .map_or_else(
            || "the method is atomic in all histories".to_owned(),
            |told| format!("{}: {}", told.thread, told.line()),
        );
    report.failures = vec![Story {
        wrong: Wrong::Diverged {
            step: step + 1,
            planned: planned.map_or(String::new(), |step| {
                format!("{}: {}", step.thread, step.does)
            }),
            found,
        },
        steps: Vec::new(),
        switches: 0,
        output: String::new(),
    }];
    report.verdict = Verdict::Failed;
}

/// The first step that is another one.
fn differs_at(story: &Story, history: &[Planned]) -> Option<usize> {
    let is_planned = |index: usize| match (story.steps.get(index), history.get(index)) {
        (Some(told), Some(planned)) => told.thread == planned.thread && told.line() == planned.does,
        (None, None) => true,
        _ => false,
    };
    (0..story.steps.len().max(history.len())).find(|index| !is_planned(*index))
}
