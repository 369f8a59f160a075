//! What comes of specifications: printed as it comes, and kept for documents.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use commute_model::{Diagnostic, Finding, Severity};
use commute_report::diagnostic::{self, Source};
use commute_report::{Summary, TraceRun, Verdict};

use super::Text;
use crate::cli::{MessageFormat, Shared};
use crate::documents;
use crate::fingerprints::{ToldBy, complete_by};
use crate::output::Output;
use crate::page_file::PageFile;
use crate::refusal::Refusal;

/// What came of the texts so far.
pub(super) struct Report<'a> {
    /// Where it is printed.
    pub(super) output: &'a mut Output,
    page: Option<PageFile>,
    files: Vec<File>,
    /// Why nothing could be looked at.
    failure: Option<String>,
}

/// What came of one text.
struct File {
    name: String,
    text: Arc<str>,
    findings: Vec<Finding>,
    /// Why it was not looked at, or not as a whole.
    wrong: Option<Wrong>,
    /// What else is wrong with it.
    reasons: Vec<String>,
}

enum Wrong {
    Whole(Refusal),
    Place(Diagnostic),
}

impl<'a> Report<'a> {
    /// Nothing yet.
    pub(super) fn new(output: &'a mut Output) -> Report<'a> {
        Report {
            output,
            page: None,
            files: Vec::new(),
            failure: None,
        }
    }

    /// Opens the file of the page, if one is wanted. `texts` are what is read.
    ///
    /// # Errors
    /// If it cannot be written, or is one of these.
    pub(super) fn open_page(&mut self, shared: &Shared, texts: &[Text]) -> Result<()> {
        let read: Vec<PathBuf> = texts.iter().map(|text| text.name.clone().into()).collect();
        if let Some(path) = &shared.html {
            self.page = Some(PageFile::open(path, read.iter())?);
        }
        Ok(())
    }

    /// What comes now is about this text.
    pub(super) fn begin(&mut self, text: &Text) {
        self.files.push(File {
            name: text.name.clone(),
            text: text.text.as_str().into(),
            findings: Vec::new(),
            wrong: None,
            reasons: Vec::new(),
        });
    }

    /// Prints and keeps what is to be said about a text.
    pub(super) fn diagnostics(&mut self, diagnostics: &[Diagnostic], text: &Text) {
        self.output.diagnostics(diagnostics, &text.source());
        self.keep(diagnostics);
    }

    /// The same of what keeps a text from being used: people are told on standard error.
    pub(super) fn errors(&mut self, errors: &[Diagnostic], text: &Text) {
        match self.output.format {
            MessageFormat::Human => {
                let style = &self.output.error_style;
                let said = diagnostic::human(errors, &text.source(), style);
                self.output.stderr(&said);
            }
            _ => self.output.diagnostics(errors, &text.source()),
        }
        self.keep(errors);
    }

    fn keep(&mut self, diagnostics: &[Diagnostic]) {
        let Some(file) = self.files.last_mut() else {
            return;
        };
        for diagnostic in diagnostics {
            let source = Source::new(&file.name, &file.text);
            match diagnostic::finding(diagnostic, &source) {
                Some(finding) => file.findings.push(finding),
                None if file.wrong.is_none() && diagnostic.severity == Severity::Error => {
                    file.wrong = Some(Wrong::Place(diagnostic.clone()));
                }
                None => file.reasons.push(diagnostic::short(diagnostic, &source)),
            }
        }
    }

    /// The text cannot be used.
    pub(super) fn refuse(&mut self, refusal: Refusal) {
        refusal.report(self.output);
        match self.files.last_mut() {
            // What is wrong in it has been said.
            Some(file) if !file.findings.is_empty() => {}
            Some(file) => file.wrong = Some(Wrong::Whole(refusal)),
            None => self.failure = Some(refusal.to_string()),
        }
    }

    /// All is said: writes the documents.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(super) fn finish(mut self, command: &str, mut summary: Summary) -> Result<()> {
        for file in &mut self.files {
            let text = |_: &str| Some(file.text.clone());
            let findings = file.findings.iter_mut();
            complete_by(
                findings.map(|finding| (finding, ToldBy::LastPlaces(1))),
                &text,
            );
        }
        let sources: Vec<_> = { self.files.iter() }
            .map(|file| |name: &str| (name == file.name).then(|| file.text.clone()))
            .collect();
        let traces = self
            .files
            .iter()
            .zip(&sources)
            .map(|(file, sources)| TraceRun {
                file: Some(&file.name),
                binary: None,
                events: 0,
                findings: &file.findings,
                hidden: 0,
                reasons: &file.reasons,
                notes: &[],
                seconds: None,
                problem: file.wrong.as_ref().map(|wrong| match wrong {
                    Wrong::Whole(refusal) => refusal.problem(),
                    Wrong::Place(diagnostic) => {
                        diagnostic::problem(diagnostic, &Source::new(&file.name, &file.text))
                    }
                }),
                sources,
            });
        let all = || self.files.iter().flat_map(|file| &file.findings);
        summary.findings = all().count() as u64;
        summary.codes = Summary::count_codes(all());
        if summary.findings == 0 && summary.verdict == Verdict::Violations {
            summary.verdict = Verdict::Inconclusive;
        }
        let run = documents::run(command, traces.collect(), &summary, self.failure.as_deref());
        documents::write(&run, self.page.take(), self.output)
    }
}
