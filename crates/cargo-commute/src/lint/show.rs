//! What is shown of what was seen.

use std::path::{Path, PathBuf};

use commute_model::{Certainty, Finding, parse_location};
use commute_report::Looked;

use super::comments::Comments;
use super::mistakes::{self, Allowed};
use super::outcome::{Found, Lost, Seen};
use super::settings::Settings;
use crate::cli::Shared;
use crate::examine::{Checked, Origin};
use crate::fingerprints::{ToldBy, complete_by};
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
        let mut comments = Comments::default();
        let mut checked = Checked::default();
        let mut faint = 0;
        let mut shown = Vec::new();
        // Of all, also of those that are not shown: they are called the same with `-v`.
        let all = self.seen.found.iter_mut().map(|found| {
            let places = ToldBy::PlacesBut(found.others);
            (&mut found.finding, places)
        });
        complete_by(all, &self.sources);
        for found in std::mem::take(&mut self.seen.found) {
            if self.is_elsewhere(&found) {
                continue;
            }
            let by_comment = comments.allow(&found, &self.sources);
            let allowed = match (self.settings.allow(&found), by_comment) {
                (_, true) => Allowed::ByComment,
                (true, false) => Allowed::ByConfiguration,
                (false, false) => Allowed::No,
            };
            if is_shown(&found.finding, shared) {
                shown.push((found, allowed));
            } else {
                faint += u64::from(allowed == Allowed::No);
            }
        }
        let united = mistakes::unite(shown);
        checked.findings = united.findings;
        checked.suppressed = united.allowed;
        checked.suppressed_by_configuration = united.by_configuration;
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
            for lock in &self.seen.untaken {
                let note = format!("no lock of the type `{lock}` is taken in the analysed code");
                checked.notes.push(note);
            }
        }
        let (seen, all) = (&self.seen, shared.verbose);
        checked.reasons = some(&seen.gaps, "places were not understood", all);
        let lost: Vec<String> = seen.lost.iter().map(Lost::to_string).collect();
        let lost = some(
            &lost,
            "acquisitions of locks are not part of the analysis",
            all,
        );
        checked.reasons.extend(lost);
        let limits = some(&seen.limits, "bounds were hit", all);
        checked.reasons.extend(limits);
        results.looked(Looked {
            crates: seen.crates,
            functions: seen.functions,
            regions: seen.regions,
            gaps: (seen.gaps.len() + seen.lost.len()) as u64,
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
        let mut places = found
            .way()
            .filter_map(|event| parse_location(&event.location));
        let is_other = |file: &str| is_other(file, &self.root, &self.others);
        !self.others.is_empty() && places.all(|(file, _, _)| is_other(file))
    }
}

/// Whether a file below `root` is in one of these folders of packages that nobody asked for.
pub(super) fn is_other(file: &str, root: &Path, others: &[PathBuf]) -> bool {
    let path = root.join(file);
    let is_in = |folder: &&PathBuf| path.starts_with(folder);
    // A package may be inside of another one.
    let longest = others.iter().filter(is_in).map(|f| f.as_os_str().len());
    longest
        .max()
        .is_some_and(|longest| longest >= root.as_os_str().len() && !is_asked_for(&path, longest))
}

/// Whether a folder between this one of another package and the file has a manifest:
/// that of a package that was asked for.
fn is_asked_for(path: &Path, folder: usize) -> bool {
    let mut between = path.ancestors().skip(1);
    between.any(|inner| inner.as_os_str().len() > folder && inner.join("Cargo.toml").is_file())
}

/// Whether somebody should look, or wants to.
fn is_shown(finding: &Finding, shared: &Shared) -> bool {
    shared.verbose || finding.certainty != Certainty::Unconfirmed
}

/// All of these as reasons; or one that counts them, says what they are, and names a few.
pub(super) fn some(all: &[String], what: &str, wanted: bool) -> Vec<String> {
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
    use clap::Parser;
    use commute_lint::{Confidence, Outcome};

    use super::super::finding::tests::stale;
    use super::super::outcome::LostBecause;
    use super::*;
    use crate::cli::Cli;
    use crate::exit::Exit;

    /// How a run ends that saw a stale value in a file with this text, and what it prints.
    fn check(flags: &str, confidence: Confidence, text: &str, gaps: &[&str]) -> (Exit, String) {
        let (program, violation) = stale(confidence);
        let outcome = Outcome {
            violations: vec![violation],
            ..Outcome::default()
        };
        let mut seen = Seen::new(&program, &outcome, 1);
        seen.gaps = gaps.iter().map(|gap| (*gap).to_owned()).collect();
        shown(flags, text, seen)
    }

    /// How a run ends that saw this in a file with this text, and what it prints.
    fn shown(flags: &str, text: &str, seen: Seen) -> (Exit, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("src")).expect("made");
        std::fs::write(at("src/bank.rs"), text).expect("written");
        let words = format!("commute lint --message-format short {flags}");
        let cli = Cli::try_parse_from(words.split_whitespace()).expect("a command line");
        let show = Show {
            root: folder.path().to_owned(),
            ..Show::alone(
                "Cargo.toml".into(),
                seen,
                FileSources::of_program(&[folder.path().to_owned()], &cli.shared),
            )
        };
        let mut output = Output::new(&cli.shared);
        { output.redirect(&at("out"), &cli.shared) }.expect("a file");
        let mut results = Results::of_lint(vec!["commute".to_owned()], &cli.shared);
        show.tell(&cli.shared, &mut output, &mut results);
        let exit = results.finish("lint", Ok(()), &mut output);
        output.finish().expect("written");
        let printed = std::fs::read_to_string(at("out")).expect("written");
        (exit.expect("an end"), printed)
    }

    #[test]
    fn confidence_decides_how_a_run_ends() {
        let (exit, printed) = check("", Confidence::High, "", &[]);
        assert_eq!(exit, Exit::Findings);
        assert!(
            printed.contains("src/bank.rs:6:6: error[CM202]"),
            "{printed}"
        );
        assert!(printed.contains("commute: violations: 1 finding (CM202 x1) in 1 crate"));
        let (exit, printed) = check("", Confidence::Low, "", &[]);
        assert_eq!(exit, Exit::Clean);
        assert!(
            printed.starts_with("commute: clean: no findings"),
            "{printed}"
        );
        let (exit, printed) = check("-v", Confidence::Low, "", &[]);
        assert_eq!(exit, Exit::Inconclusive);
        assert!(printed.contains("warning[CM202]"), "{printed}");
        assert!(
            printed.contains("what was found is of low confidence"),
            "{printed}"
        );
    }

    #[test]
    fn what_was_not_understood_keeps_a_run_from_being_clean() {
        let (exit, printed) = check("", Confidence::Low, "", &["a.mir:3: what"]);
        assert_eq!(exit, Exit::Inconclusive);
        assert!(printed.contains("1 gap"), "{printed}");
        assert!(printed.contains("a.mir:3: what"), "{printed}");
        let (exit, _) = check("", Confidence::High, "", &["a.mir:3: what"]);
        assert_eq!(exit, Exit::Findings);
    }

    /// The reason of a run that lost these critical sections of a function `get`.
    fn reason(calls: &[(&str, LostBecause)]) -> String {
        let (program, _) = stale(Confidence::Low);
        let mut seen = Seen::new(&program, &Outcome::default(), 1);
        let lost = |(at, (call, reason)): (usize, &(&str, LostBecause))| Lost {
            reason: *reason,
            call: (*call).to_owned(),
            function: "get".to_owned(),
            location: format!("src/a.rs:{at}:5"),
        };
        seen.lost = calls.iter().enumerate().map(lost).collect();
        let (exit, printed) = shown("", "", seen);
        assert_eq!(exit, Exit::Inconclusive);
        printed
    }

    #[test]
    fn lost_critical_sections_keep_a_run_from_being_clean() {
        use LostBecause::{UnknownCall, UnknownLock};
        let printed = reason(&[("Mutex::safe_lock", UnknownCall)]);
        assert!(printed.contains("1 gap"), "{printed}");
        let expected = "`Mutex::safe_lock` at src/a.rs:0:5 returns the guard of a lock";
        assert!(printed.contains(expected), "{printed}");
        let printed = reason(&[("Mutex::lock", UnknownLock); 5]);
        let expected = "5 acquisitions of locks are not part of the analysis: `Mutex::lock` at src/a.rs:0:5 is on an unknown object, ";
        assert!(printed.contains(expected), "{printed}");
    }

    #[test]
    fn what_is_allowed_is_counted() {
        let text = "\n\n\nx // commute: allow(stale_value)\n";
        let (exit, printed) = check("", Confidence::High, text, &[]);
        assert_eq!(exit, Exit::Clean);
        assert!(printed.contains("no findings, 1 suppressed"), "{printed}");
    }

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
