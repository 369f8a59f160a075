//! A schedule that was kept is run again.

use std::time::Instant;

use crate::report::{Report, Story, Verdict, Wrong};
use crate::run::{Ending, Moment};
use crate::session::why;
use crate::settings::Planned;
use crate::story::{does, story, wrong};
use crate::subject::Subject;

/// Runs a schedule, and says where the program does something else.
pub(crate) fn replay(subject: &mut Subject<'_>, planned: &[Planned], started: Instant) -> Report {
    let mut diverged: Option<Wrong> = None;
    let mut followed = 0;
    let mut choose = |moment: Moment<'_>| {
        // What the last step came to is known only now.
        if let Some(step) = moment.steps.last()
            && moment.steps.len() == followed
            && let Some(plan) = planned.get(followed - 1)
        {
            let found = does(step.op, Some(step.result), moment.known);
            if found != plan.does {
                diverged = Some(other_than(followed, plan, &found));
                return None;
            }
        }
        let Some(plan) = planned.get(followed) else {
            return Some(moment.straight_on());
        };
        let enabled = moment.enabled.iter();
        let thread = { enabled }.find(|thread| moment.known.thread_name(**thread) == plan.thread);
        followed += 1;
        match thread {
            Some(thread) => Some(*thread),
            None => {
                let can = moment.enabled.iter();
                let can: Vec<_> = can.map(|t| moment.known.thread_name(*t)).collect();
                let (thread, can) = (&plan.thread, can.join(", "));
                let found = format!("{thread} cannot run there; only {can} can");
                diverged = Some(other_than(followed, plan, &found));
                None
            }
        }
    };
    let (run, output) = subject.overhear(|subject| subject.run(&mut choose));
    let mut reasons = Vec::new();
    if let Ending::Trouble(trouble) = &run.ending {
        reasons.push(why(trouble, subject));
    }
    if diverged.is_none()
        && let Some(plan) = planned.get(run.steps.len())
    {
        let found = "the program had ended".to_owned();
        diverged = Some(other_than(run.steps.len() + 1, plan, &found));
    }
    let wrong = diverged.or_else(|| wrong(&run, &subject.known));
    let failures: Vec<Story> = wrong
        .map(|wrong| Story {
            output,
            ..story(&run, wrong, &mut subject.known)
        })
        .into_iter()
        .collect();
    let verdict = match (failures.is_empty(), reasons.is_empty()) {
        (false, _) => Verdict::Failed,
        (true, true) => Verdict::Passed,
        (true, false) => Verdict::Inconclusive,
    };
    Report {
        verdict,
        shard: None,
        executions: 1,
        redundant: 0,
        outcomes: 1,
        shortening: 0,
        learning: 0,
        seconds: started.elapsed().as_secs_f64(),
        reasons,
        causes: Vec::new(),
        names: None,
        notes: Vec::new(),
        failures,
        composed: None,
    }
}

fn other_than(step: usize, plan: &Planned, found: &str) -> Wrong {
    Wrong::Diverged {
        step,
        planned: format!("{}: {}", plan.thread, plan.does),
        found: found.to_owned(),
    }
}
