//! What came of the processes of a program, as a report: at the end, and in between.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use commute_report::clip;
use commute_trace::ErrorKind;

use super::connection::Peer;
use super::run::Process;
use crate::cli::Shared;
use crate::examine::{Checked, Origin};
use crate::output::{Output, count};
use crate::results::Results;
use crate::sources::FileSources;

/// All processes so far that have ended, in the order in which they connected.
#[derive(Default)]
pub(super) struct Processes {
    pub all: Vec<(Peer, Process)>,
    /// Where source code may be found.
    pub directories: Vec<PathBuf>,
}

/// Why a process may have ended in the middle of its trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// We ended the program.
    Stopped,
    /// Somebody ended it through us.
    Interrupted,
    /// Nobody that we know of.
    Unwanted,
}

/// A trace that just stops is no bad input: its process was killed. That is
/// worth a word, unless we did it.
pub(super) fn excuse(peer: &Peer, checked: &mut Checked, how: Ending) {
    let cut = [ErrorKind::Truncated, ErrorKind::Empty, ErrorKind::Io];
    if !{ &checked.error }
        .as_ref()
        .is_some_and(|e| cut.contains(&e.kind))
    {
        return;
    }
    checked.error = None;
    let how = match how {
        Ending::Stopped => return,
        Ending::Interrupted => "was ended by that",
        Ending::Unwanted => "was killed or crashed",
    };
    let program = peer.program.display().to_string();
    let (program, events) = (clip(&program, 400), count(checked.events, "event"));
    let pid = peer.pid;
    checked.reasons.push(format!(
        "{program} (process {pid}) {how}: what it did after {events} is not known"
    ));
}

/// Prints and counts what came of all processes.
///
/// # Errors
/// If one could not be checked at all.
pub(super) fn report(
    processes: Processes,
    shared: &Shared,
    results: &mut Results,
    output: &mut Output,
) -> Result<()> {
    let several = processes.all.len() > 1;
    let mut naming = Naming::default();
    for (peer, process) in processes.all {
        let mut origin = naming.origin(peer);
        origin.saved = process.saved_to();
        let sources = FileSources::of_program(&processes.directories, shared);
        results.add(&origin, process.checked?, sources, several, output);
    }
    Ok(())
}

/// Prints what there is so far; `more` are the processes of the program that runs.
/// What will be printed at the end is the same as without.
pub(super) fn report_so_far(
    processes: &Processes,
    more: &[&(Peer, Process)],
    shared: &Shared,
    results: &Results,
    output: &mut Output,
) {
    let all = { processes.all.iter() }.chain(more.iter().copied());
    let all: Vec<_> = all
        .filter_map(|(peer, process)| Some((peer, process.checked.as_ref().ok()?)))
        .collect();
    let mut results = results.so_far();
    let mut naming = Naming::default();
    output.so_far(|output| {
        output.heading("commute: this is what there is so far; the program goes on");
        for (peer, checked) in &all {
            let mut checked = (*checked).clone();
            excuse(peer, &mut checked, Ending::Unwanted);
            let origin = naming.origin((*peer).clone());
            let sources = FileSources::of_program(&processes.directories, shared);
            results.add(&origin, checked, sources, all.len() > 1, output);
        }
        if results.events() == 0 {
            results.doubt("the program has recorded no events yet");
        }
        results.conclude_so_far(output);
    });
}

/// Names for processes. Their numbers would make every report another one.
#[derive(Default)]
struct Naming(BTreeMap<PathBuf, usize>);

impl Naming {
    fn origin(&mut self, peer: Peer) -> Origin {
        let nth = self.0.entry(peer.program.clone()).or_default();
        *nth += 1;
        let path = match nth {
            1 => peer.program,
            nth => format!("{} #{nth}", peer.program.display()).into(),
        };
        Origin {
            path,
            again: false,
            saved: None,
        }
    }
}
