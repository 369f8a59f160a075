//! A trace as Chrome trace JSON, which ui.perfetto.dev and chrome://tracing open.
//!
//! Every thread is a track. An event is a slice of the track; the events from `acq` to
//! `rel`, of an atomic block and of a wait are inside of a longer one. Arrows (`s` and `f`)
//! are what orders threads. There is no time in a trace: event 7 is at 7 µs.
//!
//! Slices of a track must be nested and locks need not be: if one is released before
//! another that was acquired later, the other one's slice ends there, too, and goes on in a
//! second one.

mod regions;

use commute_model::{Event, Id, Names, Op, ThreadId};
use serde::Serialize;
use serde_json::{Map, Value};

use regions::{Change, Region, Regions};

/// All threads of a trace are of one process.
const PROCESS: u32 = 1;

// Within the microsecond of an event, in this order: longer slices begin, the event has
// its own, longer slices end, and what was cut goes on.
const OPENS: f64 = -0.05;
const LASTS: f64 = 0.8;
const ARROW: f64 = 0.4;
const CLOSES: f64 = 0.85;
const GOES_ON: f64 = 0.9;
/// What is open when the trace ends, after its last event.
const ENDS: f64 = 0.92;

/// What comes before an event of another thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The index of the event that comes before.
    pub from: u64,
    /// Its thread.
    pub thread: ThreadId,
    /// What orders the two, in a word.
    pub kind: &'static str,
}

/// Writes a trace, event by event. What is remembered is what is open.
///
/// ```
/// use commute_model::{Event, Names, Op};
/// use commute_report::Timeline;
///
/// let mut names = Names::default();
/// let thread = names.threads.intern("T1");
/// let location = names.locations.intern("main.rs:1");
/// let x = names.variables.intern("x");
/// let (mut timeline, mut text) = (Timeline::default(), String::new());
/// timeline.begin("main.std", &mut text);
/// timeline.event(&Event { thread, location, op: Op::Read(x) }, 1, &[], &names, &mut text);
/// timeline.finish(&names, &mut text);
/// assert!(text.contains(r#""name":"r(x)""#));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    tracks: Vec<Option<Regions>>,
    arrows: u64,
    last: u64,
}

/// One line of the document.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    cat: &'a str,
    ph: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    pid: u32,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    /// Where an arrow ends: `e` is the slice around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'a str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    args: Map<String, Value>,
}

impl<'a> Line<'a> {
    fn new(ph: &'a str, name: &'a str, thread: ThreadId) -> Line<'a> {
        Line {
            name,
            cat: "",
            ph,
            ts: None,
            dur: None,
            pid: PROCESS,
            tid: track(thread),
            id: None,
            bp: None,
            args: Map::new(),
        }
    }

    fn at(mut self, index: u64, offset: f64) -> Line<'a> {
        // As many digits as are meant: 3.85 is not 3.8499999.
        let hundredths = index as f64 * 100.0 + (offset * 100.0).round();
        self.ts = Some(hundredths / 100.0);
        self
    }

    fn arg(mut self, key: &str, value: impl Into<Value>) -> Line<'a> {
        self.args.insert(key.to_owned(), value.into());
        self
    }

    fn write(&self, out: &mut String) {
        let text = serde_json::to_string(self);
        out.push_str(&text.expect("strings and numbers are JSON"));
    }
}

impl Timeline {
    /// Writes what comes before the first event; `title` names the trace.
    pub fn begin(&mut self, title: &str, out: &mut String) {
        out.push_str("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        let process = Line::new("M", "process_name", ThreadId(0));
        process.arg("name", title).write(out);
    }

    /// Writes an event, and the arrows that end at it.
    pub fn event(
        &mut self,
        event: &Event,
        index: u64,
        incoming: &[Arrow],
        names: &Names,
        out: &mut String,
    ) {
        let t = event.thread;
        self.last = index;
        if self.tracks.len() <= t.index() {
            self.tracks.resize_with(t.index() + 1, || None);
        }
        if self.tracks[t.index()].is_none() {
            begin_track(t, names, out);
        }
        let regions = self.tracks[t.index()].get_or_insert_default();
        let (before, after) = regions.step(&event.op);
        for change in &before {
            write_change(change, t, (index, OPENS, OPENS), names, out);
        }
        write_event(event, index, names, out);
        for arrow in incoming {
            self.arrows += 1;
            write_arrow(arrow, self.arrows, (t, index), out);
        }
        for change in &after {
            write_change(change, t, (index, CLOSES, GOES_ON), names, out);
        }
    }

    /// Closes what is open, and writes the end.
    pub fn finish(mut self, names: &Names, out: &mut String) {
        for (number, track) in self.tracks.iter_mut().enumerate() {
            let thread = ThreadId(u32::try_from(number).unwrap_or(u32::MAX));
            for change in track.iter_mut().flat_map(Regions::close_all) {
                write_change(&change, thread, (self.last, ENDS, ENDS), names, out);
            }
        }
        out.push_str("\n]}\n");
    }
}

/// The number of a thread's track; 0 has a meaning of its own.
fn track(thread: ThreadId) -> u32 {
    thread.0.saturating_add(1)
}

fn begin_track(t: ThreadId, names: &Names, out: &mut String) {
    let name = names.threads.name(t).to_string();
    out.push_str(",\n");
    let line = Line::new("M", "thread_name", t);
    line.arg("name", name).write(out);
    out.push_str(",\n");
    let line = Line::new("M", "thread_sort_index", t);
    line.arg("sort_index", track(t)).write(out);
}

fn write_event(event: &Event, index: u64, names: &Names, out: &mut String) {
    let name = event.op.display(names).to_string();
    let mut line = Line::new("X", &name, event.thread).at(index, 0.0);
    line.dur = Some(LASTS);
    line.cat = category(&event.op);
    line = line.arg("event", index);
    let location = names.locations.name(event.location).to_string();
    if !location.is_empty() {
        line = line.arg("location", location);
    }
    if let Op::Action(action) = &event.op {
        let args = action.args.iter().map(|value| value.to_string());
        line = line
            .arg("object", names.objects.name(action.object).to_string())
            .arg("arguments", args.collect::<Vec<_>>());
        if let Some(result) = &action.result {
            line = line.arg("result", result.to_string());
        }
    }
    out.push_str(",\n");
    line.write(out);
}

/// By what people filter.
fn category(op: &Op) -> &'static str {
    match op {
        Op::Action(_) | Op::New(..) | Op::Drop(_) => "object",
        Op::Read(_) | Op::Write(_) | Op::Alloc(_) | Op::Free(_) => "variable",
        Op::Acquire(_) | Op::Release(_) | Op::ReadAcquire(_) | Op::ReadRelease(_) => "lock",
        Op::Wait(..) | Op::Wake(..) | Op::Notify(_) | Op::NotifyAll(_) => "condvar",
        Op::Fork(_) | Op::Join(_) => "thread",
        Op::Begin(_) | Op::End(_) => "block",
        Op::Dummy | Op::Branch => "other",
    }
}

fn write_arrow(arrow: &Arrow, id: u64, (t, index): (ThreadId, u64), out: &mut String) {
    let ends = [("s", arrow.thread, arrow.from), ("f", t, index)];
    for (ph, thread, at) in ends {
        let mut line = Line::new(ph, arrow.kind, thread).at(at, ARROW);
        line.cat = "happens-before";
        line.id = Some(id);
        line.bp = (ph == "f").then_some("e");
        out.push_str(",\n");
        line.write(out);
    }
}

fn write_change(
    change: &Change,
    t: ThreadId,
    (index, closes, opens): (u64, f64, f64),
    names: &Names,
    out: &mut String,
) {
    out.push_str(",\n");
    match change {
        Change::Close(region) => {
            let name = name_of(region, names);
            Line::new("E", &name, t).at(index, closes).write(out);
        }
        Change::Open { region, goes_on } => {
            let name = name_of(region, names);
            let mut line = Line::new("B", &name, t).at(index, opens);
            line.cat = "region";
            if *goes_on {
                line = line.arg("goes on", true);
            }
            line.write(out);
        }
    }
}

fn name_of(region: &Region, names: &Names) -> String {
    match region {
        Region::Lock(l, false) => format!("lock {}", names.locks.name(*l)),
        Region::Lock(l, true) => format!("read lock {}", names.locks.name(*l)),
        Region::Block(Some(b)) => format!("atomic {}", names.blocks.name(*b)),
        Region::Block(None) => "atomic block".to_owned(),
        Region::Wait(c, ..) => format!("waits for {}", names.condvars.name(*c)),
    }
}
