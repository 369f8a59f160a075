//! What was seen is kept: if neither the code nor the question has changed, nor have we,
//! the answer has not, either.
//!
//! A file holds one answer, a line of JSON for what was looked at and one for each finding.
//! Its name is a digest of all that the answer depends on.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;
use commute_lint::Options;
use commute_report::{json, stored};
use xxhash_rust::xxh3::Xxh3;

use super::outcome::{Found, Seen};
use super::unit::{Unit, replace};

/// The folder of answers.
const FOLDER: &str = "results";
/// So many answers are kept, the last ones.
const MOST: usize = 20;

/// A question that may have been answered.
pub(super) struct Question {
    file: PathBuf,
}

impl Question {
    /// What is there to be seen in these crates? `folder` is ours.
    ///
    /// # Errors
    /// If MIR cannot be read.
    pub(super) fn new(
        folder: &Path,
        units: &[(Unit, PathBuf)],
        options: &Options,
    ) -> Result<Question> {
        let mut digest = Xxh3::new();
        let mut add = |part: &[u8]| {
            digest.update(&part.len().to_le_bytes());
            digest.update(part);
        };
        add(us().as_bytes());
        add(format!("{options:?}").as_bytes());
        for (unit, mir) in units {
            add(serde_json::to_string(unit)?.as_bytes());
            if unit.failure.is_none() {
                add(&super::code::read_bytes(mir)?);
            }
        }
        let name = format!("{:032x}.jsonl", digest.digest128());
        Ok(Question {
            file: folder.join(FOLDER).join(name),
        })
    }

    /// The answer, if there is one.
    pub(super) fn answer(&self) -> Option<Seen> {
        let text = fs::read_to_string(&self.file).ok()?;
        let mut lines = text.lines();
        let mut seen: Seen = serde_json::from_str(lines.next()?).ok()?;
        while let Some(line) = lines.next() {
            let (others, between) = line.split_once(' ')?;
            let between = between.split_once('\t');
            let stored::Line::Finding(kept) = stored::read(lines.next()?).ok()? else {
                return None;
            };
            seen.found.push(Found {
                finding: kept.finding,
                others: others.parse().ok()?,
                between: between.map(|(one, two)| [one.to_owned(), two.to_owned()]),
            });
        }
        Some(seen)
    }

    /// Keeps the answer. That it cannot be kept is no reason to fail.
    pub(super) fn keep(&self, seen: &Seen) {
        let Ok(mut text) = serde_json::to_string(seen) else {
            return;
        };
        text.push('\n');
        for found in &seen.found {
            let finding = json::finding(&found.finding);
            let between = found.between.as_ref().map(|both| both.join("\t"));
            let between = between.unwrap_or_default();
            text += &format!("{} {between}\n{finding}\n", found.others);
        }
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let _ = fs::create_dir_all(folder);
        let _ = replace(&self.file, text.as_bytes());
        forget_old(folder);
    }
}

/// Who gives the answer: another build of us may see something else.
fn us() -> String {
    let file = std::env::current_exe().and_then(fs::metadata);
    let built = file.and_then(|file| Ok((file.len(), file.modified()?)));
    format!("{} {built:?}", env!("CARGO_PKG_VERSION"))
}

fn forget_old(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort();
    let old = files.len().saturating_sub(MOST);
    for (_, file) in &files[..old] {
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use commute_lint::{Confidence, Outcome};

    use super::super::finding::tests::stale;
    use super::*;

    #[test]
    fn an_answer_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let mir = folder.path().join("a.mir");
        fs::write(&mir, "fn main()").expect("written");
        let units = [(Unit::new("a"), mir.clone())];
        let options = Options::default();
        let ask = |options: &Options| Question::new(folder.path(), &units, options).expect("one");
        let question = ask(&options);
        assert_eq!(question.answer(), None);
        let (program, violation) = stale(Confidence::Low);
        let outcome = Outcome {
            violations: vec![violation],
            regions: 3,
            lost: Vec::new(),
            limits: vec!["too deep".to_owned()],
        };
        let seen = Seen::new(&program, &outcome, 1);
        question.keep(&seen);
        assert_eq!(ask(&options).answer(), Some(seen));
        let other = Options {
            paths: false,
            ..options
        };
        assert_eq!(ask(&other).answer(), None);
        fs::write(&mir, "fn main2()").expect("written");
        assert_eq!(ask(&options).answer(), None);
    }

    #[test]
    fn a_broken_answer_is_none_and_old_ones_go() {
        let folder = tempfile::tempdir().expect("a folder");
        let question = Question::new(folder.path(), &[], &Options::default()).expect("one");
        question.keep(&Seen::default());
        fs::write(&question.file, "{\"crates\":").expect("written");
        assert_eq!(question.answer(), None);
        let results = folder.path().join(FOLDER);
        for i in 0..30 {
            fs::write(results.join(format!("{i}")), "").expect("written");
        }
        question.keep(&Seen::default());
        assert_eq!(fs::read_dir(results).expect("read").count(), MOST);
        assert_eq!(question.answer(), Some(Seen::default()));
    }

    #[test]
    fn damaged_answers_and_units_are_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let question = Question::new(folder.path(), &[], &Options::default()).expect("one");
        let (program, violation) = stale(Confidence::Low);
        let outcome = Outcome {
            violations: vec![violation],
            regions: 3,
            lost: Vec::new(),
            limits: Vec::new(),
        };
        question.keep(&Seen::new(&program, &outcome, 1));
        let kept = fs::read(&question.file).expect("an answer");
        let pieces: [&[u8]; 7] = [b"{", b"[", b"\"", b"\n", b"\t", b"null", b"\xff"];
        commute_testkit::fuzz::each(
            "answers of lint",
            300,
            |random| {
                let mut bytes = kept.clone();
                commute_testkit::fuzz::damage(random, &mut bytes, &pieces);
                bytes
            },
            |bytes| {
                fs::write(&question.file, bytes).expect("written");
                question.answer();
            },
        );
        fs::write(folder.path().join("a.mir"), "").expect("written");
        Unit::new("a").write(folder.path(), "a").expect("written");
        let unit = fs::read(folder.path().join("a.json")).expect("a unit");
        commute_testkit::fuzz::each(
            "units of lint",
            300,
            |random| {
                let mut bytes = unit.clone();
                commute_testkit::fuzz::damage(random, &mut bytes, &pieces);
                bytes
            },
            |bytes| {
                fs::write(folder.path().join("a.json"), bytes).expect("written");
                Unit::read(folder.path(), "a");
            },
        );
    }
}
