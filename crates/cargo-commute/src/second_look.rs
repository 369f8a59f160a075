//! The explanation of atomicity violations: a second look at the events.
//!
//! The fast algorithm keeps no edges. A file is read again, with the algorithm
//! that does; of what cannot be read twice, the recent events are kept while
//! they come.

use std::collections::VecDeque;
use std::path::Path;

use commute_detect::{Atomicity, Pass, Scenes};
use commute_model::{Event, Finding, Names};

use crate::cli::Shared;
use crate::examine::Origin;
use crate::passes::Plan;
use crate::reading::Reading;
use crate::trace::open;

/// How many events are kept of what cannot be read twice.
const MOST: usize = 1 << 20;

/// Recent events, and how many came before them.
#[derive(Default)]
pub(crate) struct Spool {
    batches: VecDeque<Vec<Event>>,
    events: usize,
    /// What is needed to understand the events that are left.
    before: Option<Atomicity>,
    /// The same, to draw them, if somebody wants that.
    drawn_before: Option<Scenes>,
    is_drawn: bool,
}

impl Spool {
    /// Nothing is kept yet; what is will be drawn even if it is only the end of all.
    pub(crate) fn new(is_drawn: bool) -> Spool {
        Spool {
            is_drawn,
            ..Spool::default()
        }
    }

    /// Keeps the next events.
    pub(crate) fn keep(&mut self, events: &[Event], names: &Names, plan: &Plan) {
        self.events += events.len();
        self.batches.push_back(events.to_vec());
        while self.events > MOST && self.batches.len() > 1 {
            let oldest = self.batches.pop_front().unwrap_or_default();
            self.events -= oldest.len();
            let before = self.before.get_or_insert_with(|| plan.explain(u64::MAX));
            before.skip(&oldest, names);
            if self.is_drawn {
                let drawn = (self.drawn_before).get_or_insert_with(|| plan.scenes());
                for event in &oldest {
                    drawn.step(event, names);
                }
            }
        }
    }

    /// Whether what is kept can be drawn: it is all, or what came before is known.
    pub(crate) fn can_be_drawn(&self) -> bool {
        self.is_drawn || self.before.is_none()
    }

    /// The events that are kept, and what came before them.
    pub(crate) fn events(&self, plan: &Plan) -> (Scenes, impl Iterator<Item = &Event>) {
        let before = self.drawn_before.clone();
        let events = self.batches.iter().flatten();
        (before.unwrap_or_else(|| plan.scenes()), events)
    }

    /// Looks at the events again.
    fn explain(&self, names: &Names, plan: &Plan, shared: &Shared) -> Explained {
        let before = self.before.clone();
        let mut pass = before.unwrap_or_else(|| plan.explain(u64::MAX));
        if pass.events() == 0 {
            declare(&mut pass, names, shared);
        }
        for events in &self.batches {
            if pass.steps(events, names).is_err() {
                break;
            }
        }
        Explained::finish(pass, names)
    }
}

/// What came of a second look.
#[derive(Default)]
pub(crate) struct Explained {
    /// The violations, with their cycles.
    pub findings: Vec<Finding>,
    /// Whether it was given up before the last of them.
    pub partial: bool,
}

impl Explained {
    fn finish(mut pass: Atomicity, names: &Names) -> Explained {
        let mut findings = Vec::new();
        pass.finish(names, &mut findings);
        Explained {
            findings,
            partial: pass.is_exhausted(),
        }
    }
}

/// The violations up to event `until`, explained; none if the events are gone
/// or have changed.
pub(crate) fn explain(
    spool: Option<&Spool>,
    until: u64,
    path: &Path,
    names: &Names,
    plan: &Plan,
    shared: &Shared,
) -> Explained {
    match spool {
        Some(spool) => spool.explain(names, plan, shared),
        None => read_again(path, until, plan, shared),
    }
}

fn read_again(path: &Path, until: u64, plan: &Plan, shared: &Shared) -> Explained {
    let Ok(mut reader) = open(path, shared) else {
        return Explained::default();
    };
    let mut pass = plan.explain(until);
    for (name, type_name) in &shared.object {
        let names = reader.names_mut();
        names.objects.intern(name);
        names.types.intern(type_name);
    }
    declare(&mut pass, reader.names(), shared);
    let mut reading = Reading::new(reader, &Origin::of(path), shared);
    while let Ok((events, names)) = reading.next() {
        // What was read before an error was checked, too.
        if events.is_empty() || pass.steps(events, names).is_err() || pass.is_over() {
            break;
        }
    }
    Explained::finish(pass, reading.names())
}

/// Declares the objects of the command line.
fn declare(pass: &mut Atomicity, names: &Names, shared: &Shared) {
    for (name, type_name) in &shared.object {
        let object = names.objects.lookup(name);
        if let (Some(object), Some(type_id)) = (object, names.types.lookup(type_name)) {
            // The first look found the type.
            let _ = pass.declare(object, type_id, names);
        }
    }
}
