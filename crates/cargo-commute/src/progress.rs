//! A progress bar for work that takes more than a second.

use std::io::{self, IsTerminal};
use std::path::Path;
#[cfg(unix)]
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
#[cfg(unix)]
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// How long work goes on before a bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress through a file, shown on standard error if that is a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    total: Option<u64>,
    enabled: bool,
}

impl Progress {
    /// Progress through `total` bytes, if that is known.
    pub(crate) fn new(total: Option<u64>, quiet: bool) -> Progress {
        Progress {
            bar: None,
            started: Instant::now(),
            total,
            enabled: !quiet && io::stderr().is_terminal(),
        }
    }

    /// Progress of what writes to a file, or to standard output (`-`): at a terminal that is
    /// to be seen, and not a bar in between.
    pub(crate) fn beside(to: &Path, total: Option<u64>, quiet: bool) -> Progress {
        let is_seen = to.as_os_str() == "-" && io::stdout().is_terminal();
        Progress::new(total, quiet || is_seen)
    }

    /// Progress that nobody sees.
    #[cfg(unix)]
    pub(crate) fn hidden() -> Progress {
        Progress::new(None, true)
    }

    /// So many bytes and events are done.
    pub(crate) fn update(&mut self, bytes: u64, events: u64) {
        if !self.enabled || self.started.elapsed() < PATIENCE {
            return;
        }
        let (total, started) = (self.total, self.started);
        let bar = self.bar.get_or_insert_with(|| bar(total, started));
        bar.set_position(bytes);
        let rate = events as f64 / self.started.elapsed().as_secs_f64();
        bar.set_message(format!(
            "{:.1} M events, {:.1} M/s",
            events as f64 / 1e6,
            rate / 1e6
        ));
    }

    /// The work is over; the bar disappears.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Progress of tests, shown on standard error if that is a terminal.
#[cfg(unix)]
pub(crate) struct Ticker {
    bar: Option<ProgressBar>,
    started: Instant,
    enabled: bool,
}

#[cfg(unix)]
impl Ticker {
    /// Nothing is done yet.
    pub(crate) fn new(quiet: bool) -> Ticker {
        Ticker {
            bar: None,
            started: Instant::now(),
            enabled: !quiet && io::stderr().is_terminal(),
        }
    }

    /// So far has a test come; so many are left, this one included.
    pub(crate) fn update(&mut self, name: &str, done: &commute_explore::Progress, left: usize) {
        if !self.enabled || self.started.elapsed() < PATIENCE {
            return;
        }
        let started = self.started;
        let bar = self.bar.get_or_insert_with(|| {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(None, target);
            let style = ProgressStyle::with_template("{spinner} {msg}");
            bar.with_elapsed(started.elapsed())
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        let rate = done.executions as f64 / done.seconds.max(1e-3);
        let (outcomes, executions) = (done.outcomes, done.executions);
        let mut text = format!("{name}: {outcomes} outcomes, {executions} executions, {rate:.0}/s");
        if done.queue > 0 {
            text += &format!(", {} in the queue", done.queue);
        }
        if let Some(seconds) = done.seconds_left {
            text += &format!(", about {} left", duration(seconds));
        }
        if left > 1 {
            text += &format!("; {left} tests left");
        }
        bar.set_message(text);
        bar.tick();
    }

    /// A line is printed; the bar comes again later.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.started = Instant::now();
    }
}

/// Work that goes on for a while without saying how far it has got, shown on standard
/// error if that is a terminal, until it is dropped.
#[cfg(unix)]
pub(crate) struct Phase {
    over: Option<(Sender<()>, JoinHandle<()>)>,
}

#[cfg(unix)]
impl Phase {
    /// What is done now.
    pub(crate) fn new(what: &'static str, quiet: bool) -> Phase {
        if quiet || !io::stderr().is_terminal() {
            return Phase { over: None };
        }
        let (over, is_over) = mpsc::channel();
        let shown = thread::spawn(move || {
            if is_over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let target = ProgressDrawTarget::stderr_with_hz(10);
                let bar = ProgressBar::with_draw_target(None, target);
                bar.set_message(what);
                bar.enable_steady_tick(Duration::from_millis(100));
                let _ = is_over.recv();
                bar.finish_and_clear();
            }
        });
        Phase {
            over: Some((over, shown)),
        }
    }
}

#[cfg(unix)]
impl Drop for Phase {
    fn drop(&mut self) {
        if let Some((over, shown)) = self.over.take() {
            drop(over);
            let _ = shown.join();
        }
    }
}

/// A time of which only the beginning is known.
#[cfg(unix)]
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6_000.0 => format!("{:.0} min", s / 60.0),
        s if s < 360_000.0 => format!("{:.0} h", s / 3_600.0),
        s if s < 1e9 => format!("{:.0} days", s / 86_400.0),
        _ => "many years".to_owned(),
    }
}

fn bar(total: Option<u64>, started: Instant) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let bar = ProgressBar::with_draw_target(total, target).with_elapsed(started.elapsed());
    let template = match total {
        Some(_) => "{bar:30} {percent:>3}%  {msg}  ETA {left}",
        None => "{spinner} {bytes}  {msg}",
    };
    let left = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let done = state.fraction().max(1e-6) as f64;
        let left = started.elapsed().as_secs_f64() * (1.0 - done) / done;
        let _ = write!(out, "{left:.0} s");
    };
    let style = ProgressStyle::with_template(template).expect("a constant template");
    bar.set_style(style.with_key("left", left).progress_chars("=> "));
    bar
}
