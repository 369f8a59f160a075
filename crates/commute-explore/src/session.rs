//! A test is explored from beginning to end.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::engine::{Extent, Limits, named};
use crate::knowledge::Knowledge;
use crate::program::{Program, Trouble};
use crate::restart::explore_with;
use crate::run::{Ending, Moment, Run};
use crate::settings::{Progress, Report, Settings, Story, Verdict, Wrong};
use crate::shorten::shorten;
use crate::story::{does, story, switches, wrong};
use crate::subject::{Subject, Watch};

/// Runs to shorten one failing schedule.
const SHORTENING: u64 = 2_000;

/// Between two reports of progress.
const BEAT: Duration = Duration::from_millis(100);

/// Explores a program. `progress` is told how far that has come, and may say that it is
/// enough, with a reason.
///
/// # Errors
/// If there is no such engine, or it cannot keep to a bound that is set.
pub fn explore(
    program: &mut dyn Program,
    settings: &Settings,
    progress: &mut dyn FnMut(Progress) -> Option<String>,
) -> Result<Report, String> {
    let started = Instant::now();
    let limits = Limits {
        steps: settings.max_steps,
    };
    let mut subject = Subject::new(program, limits);
    if let Some(planned) = &settings.replay {
        return Ok(replay(&mut subject, planned, started));
    }
    let mut engine = named(settings)?;
    let mut watch = Watching {
        settings,
        started,
        progress,
        next_beat: started + BEAT,
        seen: Progress::default(),
        failures: Vec::new(),
        reasons: Vec::new(),
        stopped: false,
    };
    let extent = explore_with(&mut *engine, &mut subject, &mut watch);
    let Watching {
        failures,
        mut reasons,
        stopped,
        ..
    } = watch;
    if let Extent::Some(reason) = extent
        && !stopped
        && !reasons.contains(&reason)
    {
        reasons.push(reason);
    }
    let counts = subject.counts();
    let mut shortening = 0;
    let failures: Vec<Story> = failures
        .into_iter()
        .map(|failure| {
            let same = |run: &Run, subject: &mut Subject<'_>| {
                wrong(run, &subject.known).is_some_and(|wrong| is_alike(&wrong, &failure.wrong))
            };
            let (run, runs) = shorten(&mut subject, failure.run.clone(), SHORTENING, &same);
            shortening += runs;
            let told = wrong(&run, &subject.known).unwrap_or_else(|| failure.wrong.clone());
            story(&run, told, &mut subject.known)
        })
        .collect();
    let verdict = match (failures.is_empty(), reasons.is_empty()) {
        (false, _) => Verdict::Failed,
        (true, true) => Verdict::Passed,
        (true, false) => Verdict::Inconclusive,
    };
    Ok(Report {
        verdict,
        executions: counts.executions,
        redundant: counts.redundant,
        outcomes: counts.outcomes,
        shortening,
        seconds: started.elapsed().as_secs_f64(),
        reasons,
        notes: Vec::new(),
        failures,
    })
}

/// Whether two failures are the same one.
fn is_alike(a: &Wrong, b: &Wrong) -> bool {
    match (a, b) {
        (
            Wrong::Panic {
                message, location, ..
            },
            Wrong::Panic {
                message: other,
                location: elsewhere,
                ..
            },
        ) => location == elsewhere && (location.is_some() || message == other),
        (Wrong::Deadlock { waiting }, Wrong::Deadlock { waiting: others }) => {
            let places = |waiting: &[crate::settings::Waiting]| {
                let mut places: Vec<_> = waiting.iter().map(|w| w.location.clone()).collect();
                places.sort();
                places
            };
            places(waiting) == places(others)
        }
        _ => false,
    }
}

/// A failing run.
struct Failing {
    run: Run,
    wrong: Wrong,
}

struct Watching<'a> {
    settings: &'a Settings,
    started: Instant,
    progress: &'a mut dyn FnMut(Progress) -> Option<String>,
    next_beat: Instant,
    seen: Progress,
    failures: Vec<Failing>,
    reasons: Vec<String>,
    /// Whether the search was ended by us, for a reason that is known.
    stopped: bool,
}

impl Watching<'_> {
    fn doubt(&mut self, reason: String) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}

impl Watch for Watching<'_> {
    fn ran(&mut self, run: &Run, is_new: bool, known: &Knowledge) -> ControlFlow<()> {
        self.seen.executions += 1;
        self.seen.outcomes += u64::from(is_new);
        match &run.ending {
            Ending::Trouble(trouble) => {
                self.doubt(why(trouble, known));
                self.stopped = true;
                return ControlFlow::Break(());
            }
            Ending::Bound => {
                let most = self.settings.max_steps;
                self.doubt(format!("a run had more than {most} steps (--max-steps)"));
            }
            Ending::Finished | Ending::Deadlock(_) | Ending::Abandoned => {}
        }
        let Some(wrong) = wrong(run, known) else {
            return ControlFlow::Continue(());
        };
        let known_one = { self.failures.iter_mut() }.find(|known| is_alike(&known.wrong, &wrong));
        match known_one {
            Some(known) if switches(&run.steps) < switches(&known.run.steps) => {
                known.run = run.clone();
            }
            Some(_) => {}
            None => self.failures.push(Failing {
                run: run.clone(),
                wrong,
            }),
        }
        if self.settings.keep_going {
            return ControlFlow::Continue(());
        }
        self.stopped = true;
        ControlFlow::Break(())
    }

    fn restarted(&mut self, _reason: &str) {
        self.seen.outcomes = 0;
        self.failures.clear();
        self.reasons.clear();
    }

    fn enough(&mut self) -> Option<String> {
        if let Some(most) = self.settings.max_executions
            && self.seen.executions >= most
        {
            return Some(format!("{most} executions were made (--max-executions)"));
        }
        let now = Instant::now();
        if let Some(most) = self.settings.max_seconds
            && (now - self.started).as_secs_f64() >= most
        {
            return Some(format!("{most} seconds were over (--max-seconds)"));
        }
        if now >= self.next_beat {
            self.next_beat = now + BEAT;
            return (self.progress)(self.seen);
        }
        None
    }
}

fn why(trouble: &Trouble, known: &Knowledge) -> String {
    match trouble {
        Trouble::Different {
            thread,
            before,
            now,
        } => {
            let thread = known.thread_name(*thread);
            format!(
                "after the same results, {thread} once did {before} and then {now}: \
                 something that is not seen decides it (the order of a hash map, a clock, \
                 a random number, an address, a static variable)"
            )
        }
        Trouble::Surprise {
            thread,
            model,
            real,
        } => {
            let thread = known.thread_name(*thread);
            format!("{thread} got {real} where the model says {model}")
        }
        Trouble::Misuse(text) | Trouble::Endless(text) | Trouble::Restart(text) => text.clone(),
    }
}

/// Runs a schedule, and says where the program does something else.
fn replay(
    subject: &mut Subject<'_>,
    planned: &[crate::settings::Planned],
    started: Instant,
) -> Report {
    let mut diverged: Option<Wrong> = None;
    let mut followed = 0;
    let run = subject.run(&mut |moment: Moment<'_>| {
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
                let found = format!("{} cannot go on there", plan.thread);
                diverged = Some(other_than(followed, plan, &found));
                None
            }
        }
    });
    let mut reasons = Vec::new();
    if let Ending::Trouble(trouble) = &run.ending {
        reasons.push(why(trouble, &subject.known));
    }
    if diverged.is_none()
        && let Some(plan) = planned.get(run.steps.len())
    {
        let found = "the program had ended".to_owned();
        diverged = Some(other_than(run.steps.len() + 1, plan, &found));
    }
    let wrong = diverged.or_else(|| wrong(&run, &subject.known));
    let failures: Vec<Story> = wrong
        .map(|wrong| story(&run, wrong, &mut subject.known))
        .into_iter()
        .collect();
    let verdict = match (failures.is_empty(), reasons.is_empty()) {
        (false, _) => Verdict::Failed,
        (true, true) => Verdict::Passed,
        (true, false) => Verdict::Inconclusive,
    };
    Report {
        verdict,
        executions: 1,
        redundant: 0,
        outcomes: 1,
        shortening: 0,
        seconds: started.elapsed().as_secs_f64(),
        reasons,
        notes: Vec::new(),
        failures,
    }
}

fn other_than(step: usize, plan: &crate::settings::Planned, found: &str) -> Wrong {
    Wrong::Diverged {
        step,
        planned: format!("{}: {}", plan.thread, plan.does),
        found: found.to_owned(),
    }
}
