//! Findings that are known: those of `--baseline` are counted and do not fail a run,
//! and `--write-baseline` makes all that a run finds known.
//!
//! A baseline is lines of JSON, one a finding. Findings are told by their fingerprints,
//! which do not change when lines move; the rest of a line is for people. What a run
//! wrote with `--message-format json`, or left in `target/commute/findings`, is a
//! baseline, too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use commute_model::{Finding, parse_location};
use commute_report::stored::Line;
use commute_report::{Known, clip, json};

use crate::cli::StoreArgs;
use crate::output::{Output, count};
use crate::store::lines;
use crate::store::whole_file::{self, WholeFile};

/// How many that do not occur any more are named.
const FEW: usize = 10;

/// What is known before a run, and what is to be known after it.
#[derive(Clone, Default)]
pub(crate) struct Baseline {
    /// The file, if there is one.
    file: Option<String>,
    /// By fingerprint.
    known: BTreeMap<String, Entry>,
    /// The file that is to be written.
    write: Option<PathBuf>,
    written: BTreeMap<String, Known>,
    /// What is in that file.
    before: Vec<Known>,
}

#[derive(Clone)]
struct Entry {
    line: usize,
    known: Known,
    is_found: bool,
}

impl Baseline {
    /// What the flags ask for, before the work.
    ///
    /// # Errors
    /// If a file cannot be read, makes no sense, or cannot be written.
    pub(crate) fn open(args: &StoreArgs) -> Result<Baseline> {
        let mut baseline = Baseline {
            file: args
                .baseline
                .as_ref()
                .map(|path| path.display().to_string()),
            write: args.write_baseline.clone(),
            ..Baseline::default()
        };
        if let Some(path) = &args.baseline {
            baseline.read(path)?;
        }
        if let Some(path) = &args.write_baseline {
            baseline.before = can_be_written(path)?;
        }
        Ok(baseline)
    }

    fn read(&mut self, path: &Path) -> Result<()> {
        let lines = lines::read(path, &mut |line, text| {
            let known = match text {
                Line::Known(known) => known,
                Line::Finding(found) => known(&found.finding),
                _ => return,
            };
            let entry = Entry {
                line,
                known: known.clone(),
                is_found: false,
            };
            self.known.entry(known.fingerprint).or_insert(entry);
        })?;
        if lines == 0 {
            let name = path.display();
            bail!("{name}:1:1: it is empty; `--write-baseline {name}` writes a baseline");
        }
        Ok(())
    }

    /// Whether something can be known.
    pub(crate) fn is_some(&self) -> bool {
        self.file.is_some() || self.write.is_some()
    }

    /// Takes the findings out that are known.
    pub(crate) fn take_known(&mut self, findings: &mut Vec<Finding>) -> Vec<Finding> {
        let is_known = |finding: &mut Finding| {
            if self.write.is_some() {
                let fingerprint = finding.fingerprint.clone();
                self.written
                    .entry(fingerprint)
                    .or_insert_with(|| known(finding));
            }
            let entry = self.known.get_mut(&finding.fingerprint);
            let is_found = entry.is_some();
            if let Some(entry) = entry {
                entry.is_found = true;
            }
            is_found || self.write.is_some()
        };
        findings.extract_if(.., is_known).collect()
    }

    /// The run is over: names what does not occur any more, unless it ended with the first
    /// finding, and writes what is to be written. What is in that file already stays there
    /// if the run has not seen all: nobody knows that it is not there any more.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(
        mut self,
        ended_early: bool,
        has_seen_all: bool,
        output: &mut Output,
    ) -> Result<()> {
        let before = match has_seen_all {
            true => Vec::new(),
            false => std::mem::take(&mut self.before),
        };
        let found = self.written.len();
        for known in before {
            self.written
                .entry(known.fingerprint.clone())
                .or_insert(known);
        }
        let kept = self.written.len() - found;
        let gone: Vec<&Entry> = { self.known.values() }
            .filter(|entry| !entry.is_found)
            .collect();
        let file = self.file.unwrap_or_default();
        if !gone.is_empty() && !ended_early {
            let is_written = self.write.is_some();
            output.note(&missing(&file, gone, is_written));
        }
        let Some(path) = &self.write else {
            return Ok(());
        };
        let mut all: Vec<Known> = self.written.into_values().collect();
        all.sort();
        let mut text = json::line(
            "baseline",
            Head {
                version: env!("CARGO_PKG_VERSION"),
            },
        ) + "\n";
        for known in &all {
            text += &json::line("known", known);
            text.push('\n');
        }
        let name = path.display();
        let written = whole_file::replace(path, &text);
        written.with_context(|| format!("cannot write {name} (--write-baseline)"))?;
        let findings = count(all.len() as u64, "finding");
        let is = if all.len() == 1 { "is" } else { "are" };
        let why = match kept {
            0 => String::new(),
            _ => format!(", {kept} of which did not occur: not everything could be looked at"),
        };
        output.note(&format!("note: {findings} {is} in {name} now{why}"));
        Ok(())
    }

    /// The run was not over: what was found is not all there is.
    pub(crate) fn give_up(self, output: &mut Output) {
        if let Some(path) = &self.write {
            let name = path.display();
            let why = "not everything could be looked at";
            output.note(&format!("note: {name} was not written: {why}"));
        }
    }
}

#[derive(serde::Serialize)]
struct Head {
    version: &'static str,
}

/// What a baseline says of a finding.
fn known(finding: &Finding) -> Known {
    let places = finding.events.iter().rev();
    let mut files = places.filter_map(|event| parse_location(&event.location));
    Known {
        file: files.next().map(|(file, _, _)| file.to_owned()),
        code: finding.code.to_string(),
        title: finding.title.clone(),
        fingerprint: finding.fingerprint.clone(),
    }
}

fn missing(file: &str, mut gone: Vec<&Entry>, is_written: bool) -> String {
    gone.sort_by_key(|entry| entry.line);
    let findings = count(gone.len() as u64, "known finding");
    let advice = match is_written {
        true => "",
        false => "; `--write-baseline` writes the file anew",
    };
    let mut text = format!("note: {findings} did not occur in this run{advice}:");
    for entry in gone.iter().take(FEW) {
        let Known {
            file: place,
            code,
            title,
            ..
        } = &entry.known;
        let place = place
            .as_deref()
            .map(|place| format!(" in {}", clip(place, 100)));
        let place = place.unwrap_or_default();
        let (code, title) = (clip(code, 10), clip(title, 100));
        text += &format!(
            "\n  {}:{}: {code} {title}{place}",
            clip(file, 200),
            entry.line
        );
    }
    if gone.len() > FEW {
        text += &format!("\n  and {} more", gone.len() - FEW);
    }
    text
}

/// Makes sure that a baseline can be written, and that nothing else is lost by it; what
/// is in it already.
fn can_be_written(path: &Path) -> Result<Vec<Known>> {
    let name = path.display();
    if path.as_os_str() == "-" {
        bail!("--write-baseline needs a file; standard output has the findings already");
    }
    let begin = || {
        let begun = WholeFile::create(path).map(drop);
        begun.with_context(|| format!("cannot write {name} (--write-baseline)"))
    };
    let Ok(file) = std::fs::metadata(path) else {
        begin()?;
        return Ok(Vec::new());
    };
    let mut is_ours = false;
    let mut before = Vec::new();
    let is_empty = file.is_file() && file.len() == 0;
    let read = lines::read(path, &mut |_, line| {
        is_ours |= matches!(line, Line::Baseline | Line::Known(_));
        if let Line::Known(known) = line {
            before.push(known);
        }
    });
    if !is_empty && (read.is_err() || !is_ours) {
        bail!("--write-baseline {name} would overwrite something that is no baseline");
    }
    begin()?;
    Ok(before)
}
