//! `commute report merge`: what several runs have found, as one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use commute_spec::Library;

use super::joined::{Joined, JoinedTrace};
use crate::cli::{MergeArgs, Shared};
use crate::examine::Origin;
use crate::exit::Exit;
use crate::output::Output;
use crate::program::test::line;
use crate::results::Results;
use crate::scenes;
use crate::sources::FileSources;
use crate::store::read::{self, StoredRun};

/// Joins what several runs wrote.
pub(super) fn run(args: &MergeArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let runs = StoredRun::read_all(&read::files(&args.files)?)?;
    let joined = Joined::of(&runs, shared.store.has_baseline());
    let mut results = Results::of_stored(&runs, joined.counts(), shared);
    results.prepare_documents(shared)?;
    results.add_known(joined.known.len() as u64);
    results.add_suppressed(joined.suppressed);
    let library = Arc::new(crate::library::load(&shared.spec, output)?);
    tell(&joined, &library, shared, &mut results, output);
    results.judge_as_before(&runs, &|reason| joined.is_of_test(reason));
    results.finish("report merge", Ok(()), output)
}

fn tell(
    joined: &Joined,
    library: &Arc<Library>,
    shared: &Shared,
    results: &mut Results,
    output: &mut Output,
) {
    let reports = joined.tests.iter().map(|test| (&test.0, test));
    let reports: BTreeMap<_, _> = reports.rev().collect();
    for trace in &joined.traces {
        let JoinedTrace {
            name,
            files,
            directories,
            checked,
            ..
        } = trace;
        let test = { checked.test.as_ref() }.and_then(|test| reports.get(test));
        if let Some((name, report)) = test {
            line::print(name, report, output);
        }
        let mut checked = checked.clone();
        let findings = (&mut checked.findings[..], checked.events);
        scenes::draw_again(findings, files, library, shared);
        let origin = Origin {
            path: PathBuf::from(name),
            again: false,
            saved: None,
        };
        let sources =
            FileSources::of_stored([&directories[..], &joined.directories].concat(), shared);
        // A test is named with what came of it.
        let several = joined.traces.len() > 1 && test.is_none();
        results.add(&origin, checked, sources, several, output);
    }
}
