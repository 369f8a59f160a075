//! What is one document and comes at the end: SARIF and JUnit on standard
//! output, a page in a file.

use std::path::{Path, PathBuf};

use anyhow::Result;
use commute_report::{Run, Summary, TestName, TraceRun, html, junit, sarif};

use crate::cli::{MessageFormat, Shared};
use crate::examine::Checked;
use crate::explain::page;
use crate::output::Output;
use crate::page_file::PageFile;
use crate::sources::FileSources;
use crate::trace::{as_problem, name};

/// The documents of a run, and what they will be made of.
#[derive(Default)]
pub(crate) struct Documents {
    path: Option<PathBuf>,
    page: Option<PageFile>,
    wanted: bool,
    traces: Vec<Kept>,
    /// Whether findings that are not certain fail the run.
    pub deny_unconfirmed: bool,
}

/// What is wrong with a run, and is of no trace in particular.
#[derive(Default)]
pub(crate) struct Trouble {
    /// Why it has failed.
    pub failure: Option<String>,
    /// Why it is inconclusive.
    pub doubts: Vec<String>,
}

/// What came of a trace.
struct Kept {
    name: String,
    file: bool,
    binary: Option<String>,
    checked: Checked,
    hidden: u64,
    sources: FileSources,
}

impl Documents {
    /// The documents that the flags ask for.
    pub(crate) fn new(shared: &Shared) -> Documents {
        Documents {
            path: shared.html.clone(),
            page: None,
            wanted: shared.wants_document(),
            traces: Vec::new(),
            deny_unconfirmed: false,
        }
    }

    /// Opens the file of the page, if one is wanted.
    ///
    /// # Errors
    /// If it cannot be written, or is one of those that are `read`.
    pub(crate) fn open_page<'a>(&mut self, read: impl Iterator<Item = &'a PathBuf>) -> Result<()> {
        if let Some(path) = &self.path {
            self.page = Some(PageFile::open(path, read)?);
        }
        Ok(())
    }

    /// Keeps what came of a trace, if a document will need it.
    pub(crate) fn keep(
        &mut self,
        path: &Path,
        checked: Checked,
        hidden: u64,
        sources: FileSources,
    ) {
        if self.wanted {
            self.traces.push(Kept {
                name: name(path),
                file: path.as_os_str() != "-",
                binary: checked.test.as_ref().and_then(TestName::binary),
                checked,
                hidden,
                sources,
            });
        }
    }

    /// Writes the documents. There is one also if the run ended early: whoever
    /// reads it must not have to guess.
    ///
    /// # Errors
    /// If the page cannot be written.
    pub(crate) fn write(
        self,
        command: &str,
        summary: &Summary,
        trouble: &Trouble,
        output: &mut Output,
    ) -> Result<()> {
        let traces = self.traces.iter().map(Kept::as_run).collect();
        let run = Run {
            deny_unconfirmed: self.deny_unconfirmed,
            doubts: &trouble.doubts,
            ..run(command, traces, summary, trouble.failure.as_deref())
        };
        write(&run, self.page, output)
    }
}

/// A run of ours. There are no doubts about it.
pub(crate) fn run<'a>(
    command: &'a str,
    traces: Vec<TraceRun<'a>>,
    summary: &'a Summary,
    failure: Option<&'a str>,
) -> Run<'a> {
    Run {
        command,
        version: env!("CARGO_PKG_VERSION"),
        traces,
        summary,
        deny_unconfirmed: false,
        failure,
        doubts: &[],
        pages: page,
    }
}

/// Writes the documents of a run.
///
/// # Errors
/// If the page cannot be written.
pub(crate) fn write(run: &Run<'_>, page: Option<PageFile>, output: &mut Output) -> Result<()> {
    match output.format {
        MessageFormat::Sarif => output.text(&sarif::document(run)),
        MessageFormat::Junit => output.text(&junit::document(run, &output.style)),
        _ => {}
    }
    match page {
        Some(file) => file.write(&html::page(run)),
        None => Ok(()),
    }
}

impl Kept {
    fn as_run(&self) -> TraceRun<'_> {
        TraceRun {
            file: self.file.then_some(&*self.name),
            binary: self.binary.as_deref(),
            events: self.checked.events,
            findings: &self.checked.findings,
            hidden: self.hidden,
            reasons: &self.checked.reasons,
            notes: &self.checked.notes,
            seconds: self.checked.seconds,
            problem: self
                .checked
                .error
                .as_ref()
                .map(|error| as_problem(error, &self.name)),
            sources: &self.sources,
        }
    }
}
