//! A failing run as a finding.

use commute_detect::lay_out;
use commute_explore::{Story, Told, Waiting, Wrong};
use commute_model::{Certainty, Code, EventRef, Finding, Level, Note, Witness, WitnessKind};

use commute_report::clip_lines;
use commute_report::human::short_id;

use super::targets::Found;
use crate::fingerprints::{ToldBy, steady};

/// A longer cell is cut.
const WIDEST: usize = 44;

/// Of what a test says.
const MOST_LINES: usize = 20;

/// The finding of a story.
pub(super) fn of(test: &str, story: &Story) -> Finding {
    let (code, title) = title(test, &story.wrong);
    let mut finding = Finding {
        code,
        level: Level::Error,
        certainty: Certainty::Observed,
        fingerprint: what(test, &story.wrong),
        title,
        object: None,
        events: events(story),
        condition: None,
        witness: Some(Witness {
            kind: match story.wrong {
                Wrong::NotAtomic { .. } | Wrong::NeverEnds { .. } => WitnessKind::History,
                _ => WitnessKind::Schedule,
            },
            prefix: 0,
            steps: (1..=story.steps.len() as u64).collect(),
        }),
        count: 1,
        replay: None,
        scene: None,
        notes: Vec::new(),
    };
    if !story.steps.is_empty() {
        finding.notes.push(Note::new(Note::COLUMNS, table(story)));
    }
    finding.notes.extend(remarks(story));
    finding
}

/// The command that runs it again.
pub(super) fn replay(fingerprint: &str, test: &Found) -> String {
    let mut words = vec![format!("commute replay {}", short_id(fingerprint))];
    if !test.target.package.is_empty() {
        words.push(format!("-p {}", test.target.package));
    }
    words.join(" ")
}

fn title(test: &str, wrong: &Wrong) -> (Code, String) {
    match wrong {
        Wrong::Panic {
            thread, message, ..
        } => {
            let message = message.lines().next().unwrap_or_default();
            (
                Code::CM301,
                format!("`{test}` fails: {thread} panicked: {message}"),
            )
        }
        Wrong::Deadlock { waiting } if waiting.len() == 1 => (
            Code::CM302,
            format!("`{test}` gets stuck: {} waits for ever", waiting[0].thread),
        ),
        Wrong::Deadlock { waiting } => {
            let threads: Vec<&str> = waiting.iter().map(|w| &*w.thread).collect();
            let threads = threads.join(", ");
            (
                Code::CM302,
                format!("`{test}` gets stuck: {threads} wait for ever"),
            )
        }
        Wrong::NotAtomic { method, .. } => (
            Code::CM401,
            format!("`{test}` fails: {method} is not atomic"),
        ),
        Wrong::NeverEnds { .. } => (
            Code::CM402,
            format!("`{test}` gets stuck: whatever others do, the method waits for ever"),
        ),
        Wrong::Diverged { step, .. } => (
            Code::CM303,
            format!("`{test}` does not do what the schedule says at step {step}"),
        ),
    }
}

/// By which of its events a finding is told: where it goes wrong. How it got there may
/// be another way in the next run.
pub(super) fn told_by(story: &Story) -> ToldBy {
    ToldBy::LastPlaces(match &story.wrong {
        Wrong::Panic { location, .. } => usize::from(location.is_some()),
        Wrong::Deadlock { waiting } | Wrong::NeverEnds { waiting, .. } => waiting.len(),
        Wrong::NotAtomic { .. } | Wrong::Diverged { .. } => 0,
    })
}

/// What tells it apart from others, beside its code and where it goes wrong.
fn what(test: &str, wrong: &Wrong) -> String {
    let mut parts = vec![test.to_owned()];
    match wrong {
        Wrong::Panic { message, .. } => {
            // Numbers may be addresses.
            parts.push(message.chars().filter(|c| !c.is_ascii_digit()).collect());
        }
        Wrong::Deadlock { waiting } => {
            parts.extend(waiting.iter().map(|w| steady(&w.wants)));
        }
        Wrong::NotAtomic { method, .. } => parts.push(method.clone()),
        Wrong::NeverEnds { .. } => {}
        Wrong::Diverged { planned, .. } => parts.push(planned.clone()),
    }
    parts.join("\n")
}

/// The places that matter.
fn events(story: &Story) -> Vec<EventRef> {
    let last = story.steps.len() as u64;
    // What is no step comes after all of them.
    let after = last + 1;
    let step = |place: usize| {
        let told = &story.steps[place];
        EventRef {
            thread: told.thread.clone(),
            index: place as u64 + 1,
            action: told.line(),
            location: told.location.clone().unwrap_or_default(),
        }
    };
    let mut events = Vec::new();
    let interruption = story.steps.iter().find_map(|told| told.interrupts);
    if let Some(interruption) = interruption {
        events.push(step(interruption.by));
        events.push(step(interruption.of));
    }
    if let Wrong::NotAtomic { conflicts, .. } = &story.wrong
        && let Some(conflict) = conflicts.last()
    {
        events.push(step(conflict.first.from));
        events.push(step(conflict.second.from));
    }
    match &story.wrong {
        Wrong::Panic {
            thread,
            message,
            location: Some(location),
            ..
        } => events.push(EventRef {
            thread: thread.clone(),
            index: after,
            action: message.lines().next().unwrap_or_default().to_owned(),
            location: location.clone(),
        }),
        Wrong::Deadlock { waiting } | Wrong::NeverEnds { waiting, .. } => {
            events.extend(waiting.iter().zip(after..).map(|(waits, index)| EventRef {
                thread: waits.thread.clone(),
                index,
                action: self::waits(waits),
                location: waits.location.clone().unwrap_or_default(),
            }));
        }
        Wrong::Panic { .. } | Wrong::NotAtomic { .. } | Wrong::Diverged { .. } => {
            if events.is_empty() && last > 0 {
                events.push(step(last as usize - 1));
            }
        }
    }
    events
}

/// Every step, in the column of its thread.
fn table(story: &Story) -> String {
    let mut threads: Vec<&str> = Vec::new();
    let mut rows = Vec::new();
    for (place, told) in story.steps.iter().enumerate() {
        let column = threads.iter().position(|name| *name == told.thread);
        let column = column.unwrap_or_else(|| {
            threads.push(&told.thread);
            threads.len() - 1
        });
        // That a thread ends is seen by whoever joins it.
        if told.method != "exit" {
            rows.push((column, cell(place, told)));
        }
    }
    if let Wrong::Panic {
        thread, message, ..
    } = &story.wrong
        && let Some(column) = threads.iter().position(|name| name == thread)
    {
        let message = message.lines().next().unwrap_or_default();
        rows.push((column, cut(&format!("panics: {message}"))));
    }
    let headings: Vec<String> = threads.iter().map(ToString::to_string).collect();
    lay_out(&headings, &rows)
}

fn cell(place: usize, told: &Told) -> String {
    let location = told.location.as_deref().unwrap_or_default();
    let file = location.rsplit(['/', '\\']).next().unwrap_or_default();
    let line: Vec<&str> = file.splitn(3, ':').take(2).collect();
    let text = format!("{}: {} {}", place + 1, cut(&does(told)), line.join(":"));
    text.trim_end().to_owned()
}

/// What a step does, to which of several objects that are made in one line.
pub(super) fn does(told: &Told) -> String {
    match told.peer {
        Some(_) => told.line(),
        None => to_which(&told.line(), &told.object, told.number),
    }
}

/// What a thread waits for.
pub(super) fn waits(waiting: &Waiting) -> String {
    let wants = match &waiting.object {
        None => waiting.wants.clone(),
        Some(object) => to_which(&waiting.wants, object, waiting.number),
    };
    format!("waits to do {wants}")
}

/// What is done, with what tells an object apart from others.
fn to_which(done: &str, object: &str, number: Option<u32>) -> String {
    let number = number.map(|number| format!("#{number}"));
    let place = made_at(object).map(|line| format!("@{line}"));
    let which = [number, place].map(Option::unwrap_or_default).concat();
    done.replacen('.', &format!("{which}."), 1)
}

/// The line where an object without a name was made: `mutex (src/pool.rs:12:5)`.
fn made_at(object: &str) -> Option<&str> {
    let (_, place) = object.strip_suffix(')')?.split_once(" (")?;
    place.rsplit(':').nth(1)
}

fn cut(text: &str) -> String {
    match text.chars().count() > WIDEST {
        true => text.chars().take(WIDEST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn remarks(story: &Story) -> Vec<Note> {
    let mut notes = Vec::new();
    match &story.wrong {
        Wrong::Deadlock { waiting } => {
            for waits in waiting {
                let because = waits.because.as_deref().map(|why| format!(": {why}"));
                let text = format!(
                    "{} {}{}",
                    waits.thread,
                    self::waits(waits),
                    because.unwrap_or_default()
                );
                notes.push(Note::new("why", text));
            }
        }
        Wrong::NotAtomic {
            why,
            help,
            conflicts,
            ..
        } => {
            notes.extend(why.iter().map(|text| Note::new("why", text)));
            let clashes = conflicts.iter().map(|clash| clash.text(&story.steps));
            notes.extend(clashes.map(|text| Note::new("why", text)));
            notes.extend(help.iter().map(|text| Note::new("help", text)));
        }
        Wrong::NeverEnds { why, .. } => {
            notes.extend(why.iter().map(|text| Note::new("why", text)));
        }
        Wrong::Diverged { planned, found, .. } => {
            notes.push(Note::new("planned", planned));
            notes.push(Note::new("found", found));
        }
        Wrong::Panic {
            message, others, ..
        } => {
            // What was compared, below the title.
            if message.lines().count() > 1 {
                notes.push(Note::new("message", clip_lines(message, 400, MOST_LINES)));
            }
            notes.extend(others.iter().map(|text| Note::new("why", text)));
        }
    }
    let output = story.output.trim_end();
    if !output.is_empty() {
        let output = clip_lines(output, 400, MOST_LINES).replace('\n', "\n  ");
        notes.push(Note::new("output", format!("it printed:\n  {output}")));
    }
    let interruptions = story.steps.iter().filter_map(|told| told.interrupts);
    for interruption in interruptions {
        let (by, of) = (&story.steps[interruption.by], &story.steps[interruption.of]);
        let text = format!(
            "step {} of {} comes before step {} of {}; they do not commute: {} and {}",
            interruption.by + 1,
            by.thread,
            interruption.of + 1,
            of.thread,
            by.line(),
            of.line()
        );
        notes.push(Note::new("why", text));
    }
    notes
}
