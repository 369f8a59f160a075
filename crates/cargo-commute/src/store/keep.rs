//! Gathers what comes of a run, and keeps it when the run is over.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use commute_model::Finding;
use commute_report::{KeptProblem, KeptRun, KeptTrace, Summary, json};
use commute_trace::{Excerpt, Place as TracePlace, TraceError};

use super::asked::Asked;
use super::folder;
use super::place::Place;
use super::whole_file;
use crate::cli::Shared;
use crate::examine::{Checked, Origin};
use crate::exit::Exit;
use crate::output::Output;
use crate::trace::name;

/// Findings that would make what is kept of a run longer than this are left out.
const MOST_BYTES: usize = 32 << 20;

/// What is to be kept of a run.
pub(crate) struct Keep {
    place: Place,
    asked: Asked,
    lines: Vec<String>,
    bytes: usize,
    left_out: u64,
    /// Whether findings that are not certain fail the run.
    pub deny_unconfirmed: bool,
}

impl Keep {
    /// Nothing yet; `None` if nothing is to be kept.
    pub(crate) fn new(shared: &Shared) -> Option<Keep> {
        if !shared.stores() {
            return None;
        }
        let asked = shared.asked.clone();
        let place = Place::of(shared, asked.start.as_deref())?;
        Some(Keep {
            place,
            asked,
            lines: Vec::new(),
            bytes: 0,
            left_out: 0,
            deny_unconfirmed: false,
        })
    }

    /// Makes sure, before the work, that something can be kept where somebody asked
    /// for it.
    ///
    /// # Errors
    /// If it cannot.
    pub(crate) fn prepare(&self) -> Result<()> {
        if self.place.is_asked_for {
            let try_it = || whole_file::begin(&self.place.make()?);
            try_it().with_context(|| self.cannot())?;
        }
        Ok(())
    }

    /// A line of JSON.
    pub(crate) fn line(&mut self, line: String) {
        self.bytes += line.len();
        self.lines.push(line);
    }

    /// What came of a trace. `known` are findings that are not among those of `checked`.
    pub(crate) fn trace(
        &mut self,
        origin: &Origin,
        checked: &Checked,
        known: &[Finding],
        suppressed: u64,
        directories: &[PathBuf],
    ) {
        let name = name(&origin.path);
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let trace = KeptTrace {
            name: name.clone(),
            file: origin.saved.as_deref().map(text),
            directories: directories.iter().map(|path| text(path)).collect(),
            events: checked.events,
            threads: checked.threads,
            objects: checked.objects,
            suppressed,
            reasons: checked.reasons.clone(),
            notes: checked.notes.clone(),
            problem: { checked.error.as_ref() }.map(|e| problem(e, checked.is_unreadable)),
        };
        self.line(json::line("trace", &trace));
        let found = checked.findings.iter().map(|finding| (finding, false));
        for (finding, is_known) in found.chain(known.iter().map(|finding| (finding, true))) {
            let with_scene = origin.saved.is_none();
            let line = json::finding_kept(&name, is_known, finding, with_scene);
            match self.bytes + line.len() > MOST_BYTES {
                true => self.left_out += 1,
                false => self.line(line),
            }
        }
    }

    /// Keeps it.
    ///
    /// # Errors
    /// If it cannot be kept where somebody asked for it. Elsewhere that is worth a word,
    /// and no reason to fail.
    pub(crate) fn finish(
        mut self,
        exit: Exit,
        summary: &Summary,
        output: &mut Output,
    ) -> Result<()> {
        let here = std::env::current_dir().unwrap_or_default();
        let run = KeptRun {
            command: self.asked.command.unwrap_or_default().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            directory: here.to_string_lossy().into_owned(),
            exit: exit.code(),
            ignored: summary.tests.as_ref().map_or(0, |tests| tests.ignored),
            deny_unconfirmed: self.deny_unconfirmed,
            left_out: self.left_out,
        };
        self.lines.insert(0, json::line("run", &run));
        self.lines.push(json::summary(summary));
        let text = self.lines.join("\n") + "\n";
        let add = || -> std::io::Result<PathBuf> {
            let folder = self.place.make()?;
            folder::add(&folder, &run.command, &self.asked.key, &text)
        };
        let added = add().with_context(|| self.cannot());
        match added {
            Err(error) if self.place.is_asked_for => return Err(error),
            Err(error) => output.note(&format!("note: {error:#}")),
            Ok(_) => {}
        }
        Ok(())
    }

    fn cannot(&self) -> String {
        let folder = self.place.findings();
        match self.place.is_asked_for {
            true => format!("cannot keep findings in {} (--out-dir)", folder.display()),
            false => format!("findings are not kept in {}", folder.display()),
        }
    }
}

fn problem(error: &TraceError, unreadable: bool) -> KeptProblem {
    let mut problem = KeptProblem {
        message: error.message.clone(),
        lost: error.lost.clone(),
        unreadable,
        ..KeptProblem::default()
    };
    match &error.place {
        TracePlace::Whole => {}
        TracePlace::Byte(offset) => problem.byte = Some(*offset),
        TracePlace::Line {
            line,
            column,
            excerpt: Excerpt { text, column: mark },
        } => {
            problem.line = Some(*line);
            problem.column = Some(*column);
            problem.excerpt = Some(text.clone());
            problem.mark = Some(*mark);
        }
    }
    problem
}
