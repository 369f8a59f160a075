//! What is shown of what was seen.

use std::path::{Path, PathBuf};

use commute_model::{Certainty, Finding, parse_location};
use commute_report::Looked;

use super::comments::Comments;
use super::outcome::{Found, Seen};
use super::settings::Settings;
use crate::cli::Shared;
use crate::examine::{Checked, Origin};
use crate::output::{Output, count};
use crate::results::Results;
use crate::sources::FileSources;

/// How many reasons are named, unless all are wanted.
const FEW: usize = 3;

/// What was seen, and what decides how much of it is shown.
pub(super) struct Show {
    /// What people call what was looked at.
    pub name: PathBuf,
    pub seen: Seen,
    pub sources: FileSources,
    pub settings: Settings,
    /// Folders of packages that nobody asked for.
    pub others: Vec<PathBuf>,
    /// Where locations start from.
    pub root: PathBuf,
}

impl Show {
    /// What was seen of files that belong to no project.
    pub(super) fn alone(name: PathBuf, seen: Seen, sources: FileSources) -> Show {
        Show {
            name,
            seen,
            sources,
            settings: Settings::default(),
            others: Vec::new(),
            root: PathBuf::new(),
        }
    }

    /// Prints and counts it.
    pub(super) fn tell(mut self, shared: &Shared, output: &mut Output, results: &mut Results) {
        for warning in &self.settings.warnings {
            output.note(&format!("warning: {warning}"));
        }
        let mut comments = Comments::default();
        let mut checked = Checked::default();
        let mut faint = 0;
        for found in std::mem::take(&mut self.seen.found) {
            if self.is_elsewhere(&found) {
                continue;
            }
            let by_comment = comments.allow(&found, &self.sources);
            let allowed = self.settings.allow(&found) || by_comment;
            match is_shown(&found.finding, shared) {
                true if allowed => checked.suppressed += 1,
                true => checked.findings.push(found.finding),
                false => faint += u64::from(!allowed),
            }
        }
        if faint > 0 {
            let findings = count(faint, "finding");
            let is = if faint == 1 { "is" } else { "are" };
            let note = format!("{findings} of low confidence {is} not shown (`-v` shows all)");
            checked.notes.push(note);
        }
        if shared.verbose {
            let unused = comments.unused(&self.seen.files, &self.sources);
            for unused in self.settings.unused().chain(unused) {
                checked.notes.push(unused);
            }
        }
        let (seen, all) = (&self.seen, shared.verbose);
        checked.reasons = some(&seen.gaps, "places were not understood", all);
        let limits = some(&seen.limits, "bounds were hit", all);
        checked.reasons.extend(limits);
        results.looked(Looked {
            crates: seen.crates,
            functions: seen.functions,
            regions: seen.regions,
            gaps: seen.gaps.len() as u64,
        });
        let origin = Origin {
            path: self.name,
            again: false,
            saved: None,
        };
        results.add(&origin, checked, self.sources, false, output);
    }

    /// Whether all of it is in packages that nobody asked for.
    fn is_elsewhere(&self, found: &Found) -> bool {
        let is_other = |file: &str| {
            let path = self.root.join(file);
            let is_in = |folder: &&PathBuf| path.starts_with(folder);
            // A package may be inside of another one.
            let longest = self
                .others
                .iter()
                .filter(is_in)
                .map(|f| f.as_os_str().len());
            longest.max().is_some_and(|longest| {
                longest >= self.root.as_os_str().len() && !self.is_asked_for(&path, longest)
            })
        };
        let mut places = found
            .way()
            .filter_map(|event| parse_location(&event.location));
        !self.others.is_empty() && places.all(|(file, _, _)| is_other(file))
    }

    /// Whether a folder between this one of another package and the file has a manifest:
    /// that of a package that was asked for.
    fn is_asked_for(&self, path: &Path, folder: usize) -> bool {
        let mut between = path.ancestors().skip(1);
        between.any(|inner| inner.as_os_str().len() > folder && inner.join("Cargo.toml").is_file())
    }
}

/// Whether somebody should look, or wants to.
fn is_shown(finding: &Finding, shared: &Shared) -> bool {
    shared.verbose || finding.certainty != Certainty::Unconfirmed
}

/// All of these as reasons; or one that counts them, says what they are, and names a few.
fn some(all: &[String], what: &str, wanted: bool) -> Vec<String> {
    if wanted || all.len() <= 1 {
        return all.to_vec();
    }
    let named = all[..all.len().min(FEW)].join(", ");
    let more = match all.len() > FEW {
        true => ", … (`-v` names all)",
        false => "",
    };
    vec![format!("{} {what}: {named}{more}", all.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_reasons_are_named() {
        let all: Vec<String> = (1..=5).map(|i| format!("a{i}")).collect();
        let some = |n: usize, wanted| some(&all[..n], "places were not read", wanted);
        assert_eq!(some(1, false), ["a1"]);
        assert_eq!(some(2, false), ["2 places were not read: a1, a2"]);
        assert_eq!(
            some(5, false),
            ["5 places were not read: a1, a2, a3, … (`-v` names all)"]
        );
        assert_eq!(some(5, true).len(), 5);
    }
}
