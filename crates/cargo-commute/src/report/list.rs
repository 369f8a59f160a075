//! `commute report --list`: the runs that are kept.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use commute_report::{clip, json};
use serde::Serialize;

use crate::cli::{MessageFormat, ReportArgs, Shared};
use crate::exit::Exit;
use crate::output::{Output, count};
use crate::store::folder;
use crate::store::read::{self, StoredRun};

/// Lists them, the last one first.
pub(super) fn run(args: &ReportArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    if shared.wants_document() {
        bail!("`--list` is printed as `human`, `short` or `json`");
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for path in &args.files {
        let inner = path.join("findings");
        let folder = if inner.is_dir() { &inner } else { path };
        let runs = folder::runs(folder);
        if runs.is_empty() {
            bail!("there are no stored findings in {}", path.display());
        }
        files.extend(runs.into_iter().map(|run| run.path));
    }
    if args.files.is_empty() {
        files.extend(read::kept(shared)?.into_iter().map(|run| run.path));
    }
    let mut exit = Exit::Clean;
    for path in files {
        match StoredRun::read(&path) {
            Ok(run) => tell(&path, &run, output),
            Err(error) => {
                output.error(&error);
                exit = Exit::BadInput;
            }
        }
    }
    Ok(exit)
}

#[derive(Serialize)]
struct ListedRun<'a> {
    file: String,
    command: &'a str,
    exit: u8,
    verdict: &'a str,
    findings: u64,
    traces: Vec<&'a str>,
}

fn tell(path: &Path, run: &StoredRun, output: &mut Output) {
    let summary = run.summary.as_ref();
    let listed = ListedRun {
        file: path.display().to_string(),
        command: &run.run.command,
        exit: run.run.exit,
        verdict: summary.map_or("not over", |summary| &summary.verdict),
        findings: { run.traces.iter() }
            .map(|trace| trace.findings.len() as u64)
            .sum(),
        traces: run.traces.iter().map(|trace| &*trace.trace.name).collect(),
    };
    if output.format == MessageFormat::Json {
        return output.line(&json::line("stored-run", &listed));
    }
    let (file, command) = (clip(&listed.file, 400), clip(listed.command, 20));
    let first = listed
        .traces
        .first()
        .map(|name| format!(" {}", clip(name, 200)));
    let more = match listed.traces.len() {
        0 | 1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    let (verdict, findings) = (clip(listed.verdict, 20), count(listed.findings, "finding"));
    let what = first.unwrap_or_default() + &more;
    output.line(&format!("{file}: {command}{what}: {verdict}, {findings}"));
}
