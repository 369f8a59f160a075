//! A test is explored from beginning to end.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::engine::{Extent, Limits, TOO_LONG, named};
use crate::knowledge::Knowledge;
use crate::program::{Program, Trouble};
use crate::replay::replay;
use crate::report::{Report, Story, Verdict, Wrong, is_alike};
use crate::restart::explore_with;
use crate::run::{Ending, Run};
use crate::settings::{Memory, Progress, Settings, Shard};
use crate::shorten::shorten;
use crate::steady;
use crate::story::{story, switches, wrong};
use crate::subject::{Subject, Watch};
use crate::words::ThreadId;

/// Runs to shorten one failing schedule.
const SHORTENING: u64 = 2_000;

/// Between two reports of progress.
const BEAT: Duration = Duration::from_millis(100);

/// Whoever wants to know how far an exploration has come.
pub trait Listener {
    /// So far. A reason to stop, if there is one.
    fn progress(&mut self, progress: Progress) -> Option<String>;

    /// Something to be remembered, if the settings ask for it.
    fn remember(&mut self, memory: Memory) {
        let _ = memory;
    }

    /// If others explore the same: which part is left to do here.
    fn shard(&mut self) -> Option<Shard> {
        None
    }
}

impl<F: FnMut(Progress) -> Option<String>> Listener for F {
    fn progress(&mut self, progress: Progress) -> Option<String> {
        self(progress)
    }
}

/// Explores a program.
///
/// # Errors
/// If there is no such engine, or it cannot keep to a bound that is set.
pub fn explore(
    program: &mut dyn Program,
    settings: &Settings,
    listener: &mut dyn Listener,
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
    let seconds = settings.max_seconds.filter(|seconds| *seconds < 1e9);
    subject.until = seconds.map(|seconds| started + Duration::from_secs_f64(seconds.max(0.0)));
    let mut watch = Watching {
        settings,
        started,
        listener,
        next_beat: started + BEAT,
        seen: Progress::default(),
        share: None,
        failures: Vec::new(),
        reasons: Vec::new(),
        shard: settings.shard,
        known: settings.before.runs.len() as u64,
        stopped: false,
        first: None,
        trouble: None,
    };
    let extent = explore_with(&mut *engine, &mut subject, &mut watch);
    subject.until = None;
    let Watching {
        mut failures,
        mut reasons,
        stopped,
        shard,
        first,
        mut trouble,
        ..
    } = watch;
    if let Extent::Some(reason) = extent
        && !stopped
        && !reasons.contains(&reason)
        // Which was said in more words.
        && (reason != TOO_LONG || reasons.is_empty())
    {
        reasons.push(reason);
    }
    if let Some(first) = &first
        && failures.is_empty()
        && reasons.is_empty()
    {
        trouble = trouble.or_else(|| steady::difference(&mut subject, first));
    }
    // What went wrong may be left over from other runs: then the first goes wrong, too, if
    // it is made again.
    if let Some(first) = first.filter(|first| wrong(first, &subject.known).is_none())
        && !failures.is_empty()
        && let Some(difference) = steady::difference(&mut subject, &first)
    {
        trouble = Some(difference);
        let said = failures.iter().map(|failure| match &failure.wrong {
            Wrong::Panic {
                thread, message, ..
            } => format!("{thread} panicked: {message}"),
            _ => "threads waited for ever".to_owned(),
        });
        let said: Vec<String> = said.collect();
        reasons.push(format!(
            "a failure may be left over from other runs: {}",
            said.join("; ")
        ));
        failures.clear();
    }
    let causes = match &trouble {
        Some(Trouble::Unexplored(cause)) => vec![cause.clone()],
        _ => Vec::new(),
    };
    reasons.extend(trouble.map(|trouble| why(&trouble, &subject)));
    let counts = subject.counts();
    let (mut shortening, mut notes) = (0, Vec::new());
    let failures: Vec<Story> = failures
        .into_iter()
        .map(|failure| {
            let same = |run: &Run, subject: &mut Subject<'_>| {
                wrong(run, &subject.known).is_some_and(|wrong| is_alike(&wrong, &failure.wrong))
            };
            let (run, runs) = shorten(&mut subject, failure.run.clone(), SHORTENING, &same);
            shortening += runs;
            let told = wrong(&run, &subject.known).unwrap_or_else(|| failure.wrong.clone());
            let again = |run: &Run, subject: &Subject<'_>| {
                wrong(run, &subject.known).is_some_and(|wrong| is_alike(&wrong, &told))
            };
            let (always, output) = steady::fails(&mut subject, &run, &again);
            if !always {
                let what = "in the same order of steps it fails, or not";
                notes.push(steady::unsteady(what, &subject.causes()));
            }
            Story {
                output,
                ..story(&run, told, &mut subject.known)
            }
        })
        .collect();
    let verdict = match (failures.is_empty(), reasons.is_empty()) {
        (false, _) => Verdict::Failed,
        (true, true) => Verdict::Passed,
        (true, false) => Verdict::Inconclusive,
    };
    Ok(Report {
        verdict,
        shard,
        executions: counts.executions,
        redundant: counts.redundant,
        outcomes: counts.outcomes - counts.elsewhere,
        shortening,
        learning: counts.learning,
        seconds: started.elapsed().as_secs_f64(),
        reasons,
        causes,
        names: shard.map(|_| subject.names()),
        notes,
        failures,
        composed: None,
    })
}

/// A failing run.
struct Failing {
    run: Run,
    wrong: Wrong,
}

struct Watching<'a> {
    settings: &'a Settings,
    started: Instant,
    listener: &'a mut dyn Listener,
    next_beat: Instant,
    seen: Progress,
    /// Which share of everything is done, if that is known.
    share: Option<f64>,
    failures: Vec<Failing>,
    reasons: Vec<String>,
    /// What is explored, if not everything.
    shard: Option<Shard>,
    /// How many runs whoever listens remembers.
    known: u64,
    /// Whether the search was ended by us, for a reason that is known.
    stopped: bool,
    /// The first run that came to an end.
    first: Option<Run>,
    /// Why a run could not be gone on with.
    trouble: Option<Trouble>,
}

impl Watching<'_> {
    fn doubt(&mut self, reason: String) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}

impl Watching<'_> {
    /// As long again, for the share that is left; the budget may end it before.
    fn seconds_left(&self, elapsed: Duration) -> Option<f64> {
        let elapsed = elapsed.as_secs_f64();
        let share = self.share.filter(|share| *share > 0.0)?;
        let mut left = elapsed * (1.0 - share).max(0.0) / share;
        if let Some(most) = self.settings.max_seconds {
            left = left.min((most - elapsed).max(0.0));
        }
        if let Some(most) = self.settings.max_executions {
            let done = self.seen.executions.max(1);
            left = left.min(elapsed * most.saturating_sub(done) as f64 / done as f64);
        }
        Some(left)
    }
}

impl Watch for Watching<'_> {
    fn ran(&mut self, run: &Run, is_new: bool, known: &Knowledge) -> ControlFlow<()> {
        self.seen.executions += 1;
        self.seen.outcomes += u64::from(is_new);
        // What was made again is known.
        if is_new && self.settings.remember && self.seen.outcomes > self.known {
            self.listener.remember(Memory::Run(run.turns(known)));
        }
        match &run.ending {
            Ending::Trouble(trouble) => {
                self.trouble = Some(trouble.clone());
                self.stopped = true;
                return ControlFlow::Break(());
            }
            Ending::Bound => {
                let most = self.settings.max_steps;
                let last = run.steps.last().and_then(|step| known.location(step.node));
                let at = last.map_or(String::new(), |at| format!("; the last is at {at}"));
                self.doubt(format!(
                    "a run has more than {most} steps (--max-steps){at}: is that a loop without \
                     an end?"
                ));
            }
            Ending::Finished | Ending::Deadlock(_) => {
                self.first.get_or_insert_with(|| run.clone());
            }
            Ending::Abandoned => {}
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

    fn shard(&mut self) -> Option<Shard> {
        if self.shard.is_none() {
            self.shard = self.listener.shard();
        }
        self.shard
    }

    fn looked_at(&mut self, runs: usize) {
        if self.settings.remember {
            self.listener.remember(Memory::LookedAt(runs));
        }
    }

    fn left(&mut self, queue: usize, share: Option<f64>) {
        self.seen.queue = queue as u64;
        self.share = share;
    }

    fn renamed(&mut self, known: &mut Knowledge) {
        let failing = self.failures.iter_mut().map(|failing| &mut failing.run);
        for run in failing.chain(&mut self.first) {
            known.rename_run(run);
        }
        if self.settings.remember {
            self.listener.remember(Memory::LookedAt(0));
        }
    }

    fn restarted(&mut self, _reason: &str) {
        self.seen.outcomes = 0;
        self.known = 0;
        if self.settings.remember {
            self.listener.remember(Memory::Nothing);
        }
        self.failures.clear();
        self.reasons.clear();
        self.first = None;
    }

    fn enough(&mut self) -> Option<String> {
        if let Some(most) = self.settings.max_executions
            && self.seen.executions >= most + self.settings.before.runs.len() as u64
        {
            return Some(format!("{most} executions were made (--max-executions)"));
        }
        let now = Instant::now();
        if let Some(most) = self.settings.max_seconds
            && (now - self.started).as_secs_f64() >= most
        {
            return Some(format!("the time is over: {most} s (--max-seconds)"));
        }
        if now >= self.next_beat {
            self.next_beat = now + BEAT;
            self.seen.seconds = (now - self.started).as_secs_f64();
            self.seen.seconds_left = self.seconds_left(now - self.started);
            return self.listener.progress(self.seen);
        }
        None
    }
}

pub(crate) fn why(trouble: &Trouble, subject: &Subject<'_>) -> String {
    let name = |thread: &ThreadId| subject.known.thread_name(*thread);
    match trouble {
        Trouble::Different {
            thread,
            before,
            now,
        } => {
            let thread = name(thread);
            let what = format!("after the same results, {thread} did {before}, and then {now}");
            steady::unsteady(&what, &subject.causes())
        }
        Trouble::Chance(what) => steady::unsteady(what, &subject.causes()),
        Trouble::Unlike { threads, does } => {
            let [one, other] = threads.each_ref().map(name);
            let [does, others] = does;
            format!(
                "{one} and {other} are not interchangeable: after the same results, {one} \
                 does {does}, and {other} {others}"
            )
        }
        Trouble::Surprise {
            thread,
            model,
            real,
        } => format!("{} got {real} where the model says {model}", name(thread)),
        Trouble::Unexplored(cause) => cause.to_string(),
        Trouble::Misuse(text) | Trouble::Endless(text) | Trouble::Restart(text) => text.clone(),
    }
}
