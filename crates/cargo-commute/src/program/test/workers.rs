//! Tests that are explored at the same time.
//!
//! Each worker explores one test after the other, in a process of its own. Where tests
//! may be divided, a worker with nothing left to do takes part in one that takes long:
//! the process that explores it is told to do one shard only, and the others are put
//! into the queue.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use commute_explore::{Memory, Progress as Explored, Report, Settings, Shard, Verdict};

use super::super::signals;
use super::conversation::{Conversation, Happening};
use super::targets::Found;
use crate::progress::Ticker;

/// For a test that is over soon, it is not worth to start another process.
const SOON: Duration = Duration::from_secs(1);

/// Between two looks whether there is something to take part in.
const PAUSE: Duration = Duration::from_millis(100);

/// How much was done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ended {
    /// Somebody asked for an end.
    Early,
    All,
}

/// How tests are explored.
pub(super) struct Plan {
    /// Each with what its process is told.
    pub(super) tests: Vec<(Found, Settings)>,
    /// How many processes there are at a time.
    pub(super) jobs: usize,
    /// Whether a test may be explored by several.
    pub(super) divide: bool,
    pub(super) quiet: bool,
}

/// Whoever wants to know what comes of tests, which are numbered.
pub(super) trait Audience {
    /// A test is over. They come in order.
    fn over(&mut self, test: usize, report: Result<Report>);

    /// Something to be remembered of one.
    fn remember(&mut self, test: usize, memory: Memory);
}

/// What a worker tells.
enum News {
    Progress(usize, Option<Shard>, Explored),
    Memory(usize, Memory),
    Over(usize, Result<Report>),
    Interrupted,
}

/// A test to be explored, or a shard of one.
struct Task {
    test: usize,
    shard: Option<Shard>,
}

struct Running {
    test: usize,
    since: Instant,
    conversation: Conversation,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Task>,
    running: Vec<Running>,
    /// Tasks that were taken and are not over.
    taken: usize,
    /// Of each test, how many reports there are to be.
    parts: Vec<usize>,
    /// Tests whose shards are not parts of one whole, with the executions and the seconds
    /// that these took. Each is explored once more, undivided.
    undivided: BTreeMap<usize, Spent>,
    /// How many tests have no report yet.
    open: usize,
}

/// What the shards of a test took.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Spent {
    executions: u64,
    seconds: f64,
}

/// What there is to do.
struct Board {
    plan: Plan,
    state: Mutex<State>,
    changed: Condvar,
}

/// Explores tests.
///
/// # Errors
/// If signals cannot be watched for, or somebody was lost.
pub(super) fn explore(plan: Plan, audience: &mut dyn Audience) -> Result<Ended> {
    let (tell, news) = channel();
    let signals = tell.clone();
    signals::watch(move |_| signals.send(News::Interrupted).is_ok())?;
    let count = plan.tests.len();
    let mut ticker = Ticker::new(plan.quiet);
    let whole = |test| Task { test, shard: None };
    let state = State {
        queue: (0..count).map(whole).collect(),
        parts: vec![1; count],
        open: count,
        ..State::default()
    };
    let board = Arc::new(Board {
        state: Mutex::new(state),
        changed: Condvar::new(),
        plan,
    });
    for started in 0..board.plan.jobs {
        let (board, tell) = (Arc::clone(&board), tell.clone());
        match thread::Builder::new().spawn(move || board.work(&tell)) {
            Ok(_) => {}
            // Fewer workers take longer, and do as much.
            Err(_) if started > 0 => break,
            Err(error) => return Err(error).context("cannot start a thread"),
        }
    }
    drop(tell);
    let mut reports: Vec<Vec<Result<Report>>> = (0..count).map(|_| Vec::new()).collect();
    let mut shown: Vec<(Option<Shard>, Explored)> = Vec::new();
    let (mut next, mut ended) = (0, Ended::All);
    while next < count {
        match news.recv().context("whoever explores is gone")? {
            // Of those that run at once, the one that is printed next is shown.
            News::Progress(test, shard, progress) if test == next => {
                shown.retain(|(part, _)| *part != shard);
                shown.push((shard, progress));
                let name = &board.plan.tests[test].0.name;
                ticker.update(name, &sum(&shown), count - next);
            }
            News::Progress(..) => {}
            News::Memory(test, memory) => audience.remember(test, memory),
            News::Interrupted => {
                ended = Ended::Early;
                board.stop_all();
            }
            News::Over(test, report) => {
                if board.settles(&report) {
                    board.stop(test);
                }
                reports[test].push(report);
                if ended == Ended::All
                    && reports[test].len() >= board.parts(test)
                    && board.explore_undivided(test, &reports[test])
                {
                    reports[test].clear();
                }
            }
        }
        while next < count && reports[next].len() >= board.parts(next) {
            let parts = std::mem::take(&mut reports[next]);
            // What was not begun with when somebody asked for an end has none.
            if !parts.is_empty() {
                ticker.finish();
                shown.clear();
                audience.over(next, board.undivided(next, joined(parts)));
            }
            next += 1;
            board.state().open -= 1;
        }
    }
    board.changed.notify_all();
    ticker.finish();
    Ok(ended)
}

/// How far all parts of a test have come.
fn sum(parts: &[(Option<Shard>, Explored)]) -> Explored {
    let mut all = Explored::default();
    for (_, part) in parts {
        all.executions += part.executions;
        all.outcomes += part.outcomes;
        all.queue += part.queue;
        all.seconds = all.seconds.max(part.seconds);
        all.seconds_left = match (all.seconds_left, part.seconds_left) {
            (Some(all), Some(part)) => Some(f64::max(all, part)),
            (all, part) => all.or(part),
        };
    }
    all
}

/// What came of all parts of a test.
fn joined(parts: Vec<Result<Report>>) -> Result<Report> {
    let mut parts = parts.into_iter().collect::<Result<Vec<Report>>>()?;
    // Who was not told in time to do a part only has done everything.
    let whole = parts.iter().position(|report| report.shard.is_none());
    match (whole, parts.len()) {
        (Some(whole), _) => Ok(parts.swap_remove(whole)),
        (None, 1) => Ok(parts.swap_remove(0)),
        (None, _) => Ok(Report::join(parts)),
    }
}

impl Board {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Explores one test after the other.
    fn work(&self, tell: &Sender<News>) {
        while let Some(task) = self.take() {
            let test = task.test;
            let result = self.explore(&task, tell);
            if tell.send(News::Over(test, result)).is_err() {
                return;
            }
            self.state().taken -= 1;
            self.changed.notify_all();
        }
    }

    /// Waits for something to do; nothing if there will be nothing any more.
    fn take(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            if let Some(task) = state.queue.pop_front() {
                state.taken += 1;
                return Some(task);
            }
            // Shards that are over may have to be explored again, as a whole.
            if state.taken == 0 && state.open == 0 {
                return None;
            }
            if self.plan.divide && self.divide(&mut state) {
                self.changed.notify_all();
                continue;
            }
            let waited = self.changed.wait_timeout(state, PAUSE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Divides a test that takes long, if there is one.
    fn divide(&self, state: &mut State) -> bool {
        let of = self.plan.jobs as u64;
        let State {
            running,
            parts,
            queue,
            undivided,
            ..
        } = state;
        let takes_long = |running: &&Running| {
            parts[running.test] == 1
                && !undivided.contains_key(&running.test)
                && running.since.elapsed() >= SOON
        };
        let Some(running) = running.iter().find(takes_long) else {
            return false;
        };
        running.conversation.share(Shard { index: 0, of });
        parts[running.test] = self.plan.jobs;
        let shard = |index| Task {
            test: running.test,
            shard: Some(Shard { index, of }),
        };
        queue.extend((1..of).map(shard));
        true
    }

    fn explore(&self, task: &Task, tell: &Sender<News>) -> Result<Report> {
        let (test, settings) = &self.plan.tests[task.test];
        let settings = Settings {
            shard: task.shard.or(settings.shard),
            max_seconds: self.seconds_left(task.test),
            ..settings.clone()
        };
        let conversation = Conversation::begin(&test.target, &test.name, &settings)?;
        self.state().running.push(Running {
            test: task.test,
            since: Instant::now(),
            conversation: conversation.clone(),
        });
        let result = conversation.listen(&mut |happening| {
            let _ = tell.send(match happening {
                Happening::Progress(progress) => News::Progress(task.test, task.shard, progress),
                Happening::Memory(memory) => News::Memory(task.test, memory),
            });
        });
        let running = &mut self.state().running;
        running.retain(|open| !open.conversation.is(&conversation));
        result
    }

    /// The seconds that a test may still take.
    fn seconds_left(&self, test: usize) -> Option<f64> {
        let spent = self.state().undivided.get(&test).copied();
        let most = self.plan.tests[test].1.max_seconds?;
        Some(most - spent.map_or(0.0, |spent| spent.seconds))
    }

    /// If all shards of a test are there and are not parts of one whole, has the test
    /// explored once more, undivided; unless its time is over.
    fn explore_undivided(&self, test: usize, parts: &[Result<Report>]) -> bool {
        let parts: Option<Vec<Report>> = parts
            .iter()
            .map(|part| part.as_ref().ok().cloned())
            .collect();
        let Some(parts) = parts.filter(|parts| parts.iter().all(|part| part.shard.is_some()))
        else {
            return false;
        };
        if parts.len() < 2 {
            return false;
        }
        let joined = Report::join(parts);
        let spent = Spent {
            executions: joined.executions + joined.learning,
            seconds: joined.seconds,
        };
        let most = self.plan.tests[test].1.max_seconds;
        if !joined.must_be_undivided() || most.is_some_and(|most| most <= spent.seconds) {
            return false;
        }
        let mut state = self.state();
        state.undivided.insert(test, spent);
        state.parts[test] = 1;
        state.queue.push_front(Task { test, shard: None });
        self.changed.notify_all();
        true
    }

    /// What came of a test, with what its shards took if it was explored undivided.
    fn undivided(&self, test: usize, report: Result<Report>) -> Result<Report> {
        let mut report = report?;
        if let Some(spent) = self.state().undivided.get(&test) {
            report.learning += spent.executions;
            report.seconds += spent.seconds;
            let note = "its shards are not parts of one whole, so it was explored undivided";
            report.notes.push(note.to_owned());
        }
        Ok(report)
    }

    /// Whether nothing else matters for a test: it failed, or was explored as a whole.
    fn settles(&self, report: &Result<Report>) -> bool {
        let keep_going = { self.plan.tests.first() }.is_some_and(|(_, s)| s.keep_going);
        match report {
            Ok(report) if report.verdict == Verdict::Failed => !keep_going,
            Ok(report) => report.shard.is_none(),
            Err(_) => true,
        }
    }

    /// Comes to an end with a test.
    fn stop(&self, test: usize) {
        let mut state = self.state();
        let before = state.queue.len();
        state.queue.retain(|task| task.test != test);
        state.parts[test] -= before - state.queue.len();
        for running in state.running.iter().filter(|running| running.test == test) {
            running.conversation.stop();
        }
    }

    fn stop_all(&self) {
        let mut state = self.state();
        while let Some(task) = state.queue.pop_front() {
            state.parts[task.test] -= 1;
        }
        for running in &state.running {
            running.conversation.stop();
        }
    }

    /// How many reports of a test there are to be.
    fn parts(&self, test: usize) -> usize {
        self.state().parts[test]
    }
}
