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
use crate::scenes;
use crate::trace::open;

/// How many events are kept of what cannot be read twice.
const MOST: usize = 1 << 20;

/// Recent events, and how many came before them.
pub(crate) struct Spool {
    batches: VecDeque<Vec<Event>>,
    events: usize,
    most: usize,
    /// The objects of the command line.
    objects: Vec<(String, String)>,
    /// What is needed to understand the events that are left.
    before: Option<Atomicity>,
    /// The same, to draw them, if somebody wants that.
    drawn_before: Option<Scenes>,
    is_drawn: bool,
}

impl Spool {
    /// Nothing is kept yet; what is will be drawn even if it is only the end of all.
    pub(crate) fn new(is_drawn: bool, objects: &[(String, String)]) -> Spool {
        Spool {
            batches: VecDeque::new(),
            events: 0,
            most: MOST,
            objects: objects.to_vec(),
            before: None,
            drawn_before: None,
            is_drawn,
        }
    }

    /// Keeps the next events.
    pub(crate) fn keep(&mut self, events: &[Event], names: &Names, plan: &Plan) {
        self.events += events.len();
        self.batches.push_back(events.to_vec());
        while self.events > self.most && self.batches.len() > 1 {
            let oldest = self.batches.pop_front().unwrap_or_default();
            self.events -= oldest.len();
            let objects = &self.objects;
            let before = self.before.get_or_insert_with(|| {
                let mut before = plan.explain(u64::MAX);
                declare(&mut before, names, objects);
                before
            });
            before.skip(&oldest, names);
            if self.is_drawn {
                let drawn = self.drawn_before.get_or_insert_with(|| {
                    let mut drawn = plan.scenes();
                    scenes::declare(&mut drawn, names, objects);
                    drawn
                });
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
    pub(crate) fn events(
        &self,
        names: &Names,
        plan: &Plan,
    ) -> (Scenes, impl Iterator<Item = &Event>) {
        let before = self.drawn_before.clone().unwrap_or_else(|| {
            let mut scenes = plan.scenes();
            scenes::declare(&mut scenes, names, &self.objects);
            scenes
        });
        (before, self.batches.iter().flatten())
    }

    /// Looks at the events again.
    fn explain(&self, names: &Names, plan: &Plan) -> Explained {
        let mut pass = self.before.clone().unwrap_or_else(|| {
            let mut pass = plan.explain(u64::MAX);
            declare(&mut pass, names, &self.objects);
            pass
        });
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
        Some(spool) => spool.explain(names, plan),
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
    declare(&mut pass, reader.names(), &shared.object);
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
fn declare(pass: &mut Atomicity, names: &Names, objects: &[(String, String)]) {
    for (name, type_name) in objects {
        let object = names.objects.lookup(name);
        if let (Some(object), Some(type_id)) = (object, names.types.lookup(type_name)) {
            // The first look found the type.
            let _ = pass.declare(object, type_id, names);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::Arc;

    use clap::Parser;
    use commute_spec::Library;
    use commute_trace::{Options, TraceReader};

    use super::*;
    use crate::cli::{Cli, Command};

    /// A block that another thread's call comes between, and a message. The objects are
    /// declared by the command line alone.
    const TRACE: &str = "\
        T2|w(x)|b.rs:1\n\
        T2|w(x)|b.rs:2\n\
        T2|w(x)|b.rs:3\n\
        T1|begin(b)|a.rs:1\n\
        T1|o.get(1)/nil|a.rs:2\n\
        T2|o.put(1,2)/nil|b.rs:4\n\
        T2|c.send(7)/true|b.rs:5\n\
        T1|c.recv()/7|a.rs:3\n\
        T1|o.put(1,3)/2|a.rs:4\n\
        T1|end(b)|a.rs:5\n";

    /// A block that waits for a permit and is waited for. The first permit was taken
    /// before.
    const PERMITS: &str = "\
        T2|s.acquire()|b.rs:1\n\
        T2|w(x)|b.rs:2\n\
        T1|begin(b)|a.rs:1\n\
        T1|s.release()|a.rs:2\n\
        T2|s.acquire()|b.rs:3\n\
        T2|w(y)|b.rs:4\n\
        T1|r(y)|a.rs:3\n\
        T1|end(b)|a.rs:4\n";

    /// Returns the titles of the explained violations and the number of arrows in each
    /// drawing, if the spool keeps at most this many events of a trace.
    fn looked(trace: &'static str, most: usize) -> (Vec<String>, Vec<usize>) {
        let objects = "--object o=dictionary --object c=channel --object s=semaphore(1)";
        let words = format!("commute check - {objects} --only atomicity");
        let cli = Cli::try_parse_from(words.split(' ')).expect("a command line");
        let Command::Check(args) = &cli.command else {
            panic!("a check")
        };
        let library = Arc::new(Library::shipped());
        let plan = Plan::new(&args.analysis, library).expect("a plan");
        let options = Options {
            declared: ["o", "c", "s"].map(str::to_owned).to_vec(),
        };
        let reader = TraceReader::from_reader(Cursor::new(trace), options);
        let mut reader = reader.expect("a trace");
        for (name, type_name) in &cli.shared.object {
            reader.names_mut().objects.intern(name);
            reader.names_mut().types.intern(type_name);
        }
        let mut spool = Spool::new(true, &cli.shared.object);
        spool.most = most;
        let mut batch = Vec::new();
        while reader.read_batch(&mut batch).expect("events") > 0 {
            for event in &batch {
                spool.keep(std::slice::from_ref(event), reader.names(), &plan);
            }
        }
        let names = reader.names();
        let explained = spool.explain(names, &plan);
        let (mut scenes, events) = spool.events(names, &plan);
        scenes.watch(&explained.findings, 100, None);
        for event in events {
            scenes.step(event, names);
        }
        let drawn = scenes.finish(names);
        let titles = explained.findings.into_iter().map(|finding| finding.title);
        let arrows = drawn.iter().map(|scene| scene.arrows.len());
        (titles.collect(), arrows.collect())
    }

    #[test]
    fn what_was_left_out_is_understood() {
        let (titles, arrows) = looked(TRACE, MOST);
        assert_eq!((titles.len(), &*arrows), (2, &[1, 1][..]), "{titles:?}");
        for most in 7..10 {
            let found = looked(TRACE, most);
            assert_eq!(found, (titles.clone(), arrows.clone()), "{most}");
        }
    }

    #[test]
    fn permits_that_were_taken_in_what_was_left_out_count() {
        let (titles, arrows) = looked(PERMITS, MOST);
        assert_eq!((titles.len(), &*arrows), (1, &[1][..]), "{titles:?}");
        for most in 6..8 {
            let found = looked(PERMITS, most);
            assert_eq!(found, (titles.clone(), arrows.clone()), "{most}");
        }
    }
}
