//! Stored findings by their short ids.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use anyhow::{Result, bail};
use commute_model::Finding;
use commute_report::{clip, visible};

use super::read::{self, StoredRun};
use crate::cli::Shared;
use crate::output::Output;

/// A shorter id could be anything.
const SHORTEST: usize = 4;
/// So many are listed if several are meant.
const FEW: usize = 10;

/// A stored finding.
pub(crate) struct StoredFinding {
    pub finding: Finding,
    /// The last run that found it, and the place in its traces.
    pub run: Rc<StoredRun>,
    pub trace: usize,
    /// Whether a later run of the same command line did not find it.
    pub is_gone: bool,
}

/// Whether this may be the id of a finding: some hexadecimal digits.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The fingerprints of stored findings that begin like this, each with its title.
///
/// # Errors
/// If nothing is kept here.
pub(crate) fn candidates(
    id: &str,
    shared: &Shared,
    output: &mut Output,
) -> Result<BTreeMap<String, StoredFinding>> {
    let id = id.to_ascii_lowercase();
    let mut found: BTreeMap<String, StoredFinding> = BTreeMap::new();
    let mut later: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for entry in read::kept(shared)? {
        let run = match StoredRun::read(&entry.path) {
            Ok(run) => Rc::new(run),
            Err(error) => {
                // The others are still worth looking at.
                output.note(&format!("warning: {}", visible(&format!("{error:#}"))));
                continue;
            }
        };
        let command_line = (entry.command, entry.key);
        // Of all later runs of this command line, the last one counts.
        let now = later.get(&command_line);
        let is_gone = |fingerprint: &str| now.is_some_and(|now| !now.contains(fingerprint));
        let mut here = Vec::new();
        for (place, trace) in run.traces.iter().enumerate() {
            let all = trace.findings.iter().chain(&trace.known);
            for finding in all.filter(|finding| finding.fingerprint.starts_with(&id)) {
                let gone = is_gone(&finding.fingerprint);
                here.push((finding.clone(), place, gone));
            }
        }
        later.entry(command_line).or_insert_with(|| {
            let all = run.findings();
            let all = all.map(|(_, finding)| finding.fingerprint.clone());
            all.collect()
        });
        for (finding, trace, is_gone) in here {
            let fingerprint = finding.fingerprint.clone();
            found.entry(fingerprint).or_insert_with(|| StoredFinding {
                finding,
                run: run.clone(),
                trace,
                is_gone,
            });
        }
    }
    Ok(found)
}

/// The one stored finding whose fingerprint begins like this.
///
/// # Errors
/// If there is none, or several, which are listed.
pub(crate) fn one(id: &str, shared: &Shared, output: &mut Output) -> Result<StoredFinding> {
    let mut found = candidates(id, shared, output)?;
    match found.len() {
        1 => Ok(found.pop_first().expect("there is one").1),
        0 => bail!(
            "no stored finding begins with `{}`; `commute report` shows those of the last run",
            visible(id)
        ),
        _ => bail!("{}", several(id, &found)),
    }
}

/// Says that several findings begin like this.
pub(crate) fn several(id: &str, found: &BTreeMap<String, StoredFinding>) -> String {
    let mut text = format!("`{}` is not one finding; which of these?", visible(id));
    for (fingerprint, stored) in found.iter().take(FEW) {
        let (code, title) = (stored.finding.code, clip(&stored.finding.title, 100));
        text += &format!("\n  {}  {code} {title}", clip(fingerprint, 64));
    }
    if found.len() > FEW {
        text += &format!("\n  and {} more", found.len() - FEW);
    }
    text
}
