//! A folder of runs: `000017-check-1a2b3c4d.jsonl` is the seventeenth, of this command
//! and this command line. Numbers go up by one for each run, so that the order does not
//! depend on a clock; whoever comes second to a number takes the next.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::whole_file::{self, UNFINISHED};

/// So many runs are kept, the last ones,
pub(crate) const MOST_RUNS: usize = 32;
/// if all together are not longer than this.
const MOST_BYTES: u64 = 64 << 20;
/// What was not finished for so long will never be.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// No run gets this number or a higher one. A file that has it is not ours.
const LIMIT: u64 = 1_000_000_000_000;
/// How often another number is tried, when many write at once.
const MOST_TRIES: usize = 10_000;

/// A run in a folder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Entry {
    pub number: u64,
    pub command: String,
    /// Which command line it is of.
    pub key: String,
    pub path: PathBuf,
}

impl Entry {
    /// The one in the file of this name.
    fn of(path: PathBuf) -> Option<Entry> {
        let name = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        let mut parts = name.split('-');
        let (number, command, key) = (parts.next()?, parts.next()?, parts.next()?);
        let is_ours = parts.next().is_none() && number.len() >= 6 && key.len() == 8;
        Some(Entry {
            number: { number.parse().ok() }.filter(|&number| is_ours && number < LIMIT)?,
            command: command.to_owned(),
            key: key.to_owned(),
            path,
        })
    }
}

/// All runs of a folder, the last one first.
pub(crate) fn runs(folder: &Path) -> Vec<Entry> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<Entry> = entries
        .filter_map(|entry| Entry::of(entry.path()))
        .collect();
    runs.sort();
    runs.reverse();
    // After the last possible number, which only a foreign file has, runs are numbered from
    // the last one of Commute.
    if runs.first().is_some_and(|last| last.number + 1 >= LIMIT) {
        runs.retain(|run| run.number < LIMIT / 2);
    }
    runs
}

/// The last run of each command line, the first of them first.
pub(crate) fn latest(folder: &Path) -> Vec<Entry> {
    let mut known = BTreeSet::new();
    let mut latest = runs(folder);
    latest.retain(|run| known.insert((run.command.clone(), run.key.clone())));
    latest.reverse();
    latest
}

/// Writes a run.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn add(folder: &Path, command: &str, key: &str, text: &str) -> io::Result<PathBuf> {
    let mut file = whole_file::begin(folder)?;
    file.write_all(text.as_bytes())?;
    let first = runs(folder).first().map_or(1, |last| last.number + 1);
    for number in (first..LIMIT).take(MOST_TRIES) {
        // Of two that write at once, both may have seen the same last number. Where
        // their command lines differ, so do the names, and both may have it.
        let path = folder.join(format!("{number:06}-{command}-{key}.jsonl"));
        match file.persist_noclobber(&path) {
            Ok(_) => {
                forget_old(folder);
                return Ok(path);
            }
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes what is too much. Whatever cannot be removed, somebody else has removed, or
/// will.
fn forget_old(folder: &Path) {
    let mut bytes = 0;
    for (place, run) in runs(folder).into_iter().enumerate() {
        bytes += std::fs::metadata(&run.path).map_or(0, |file| file.len());
        if place > 0 && (place >= MOST_RUNS || bytes > MOST_BYTES) {
            let _ = std::fs::remove_file(run.path);
        }
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        let modified = entry.metadata().and_then(|file| file.modified());
        let age = modified.ok().and_then(|then| then.elapsed().ok());
        if is_unfinished && age.is_some_and(|age| age > ABANDONED) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_runs_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        for n in 0..40 {
            add(folder.path(), "check", "0000000a", &format!("{n}")).expect("written");
        }
        let runs = runs(folder.path());
        assert_eq!(runs.len(), MOST_RUNS);
        assert_eq!((runs[0].number, runs[31].number), (40, 9));
        let text = std::fs::read_to_string(&runs[0].path).expect("read");
        assert_eq!(text, "39");
    }

    #[test]
    fn the_last_run_of_each_command_line_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        for (command, key) in [("check", "a"), ("lint", "b"), ("check", "a"), ("test", "c")] {
            add(folder.path(), command, &key.repeat(8), "").expect("written");
        }
        std::fs::write(folder.path().join("notes.jsonl"), "").expect("written");
        std::fs::write(folder.path().join("1-check-aaaaaaaa.jsonl"), "").expect("written");
        let numbers: Vec<u64> = latest(folder.path()).iter().map(|run| run.number).collect();
        assert_eq!(numbers, [2, 3, 4]);
    }

    #[test]
    fn runs_are_numbered_whatever_else_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let numbers = || Vec::from_iter(runs(folder.path()).iter().map(|run| run.number));
        let add = || add(folder.path(), "check", "0000000a", "").expect("written");
        add();
        let foreign = [
            "18446744073709551615",
            "18446744073709551614",
            "18446744073709551616",
            "9223372036854775807",
            "1000000000000",
            "999999999999",
        ];
        for number in foreign {
            let name = format!("{number}-check-0000000a.jsonl");
            std::fs::write(folder.path().join(name), "").expect("written");
            add();
        }
        assert_eq!(numbers(), [7, 6, 5, 4, 3, 2, 1]);
    }

    #[test]
    fn several_can_write_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let folder = folder.path();
                scope.spawn(move || {
                    for n in 0..8 {
                        add(folder, "check", "0000000a", &format!("{thread} {n}"))
                            .expect("written");
                    }
                });
            }
        });
        let mut texts: Vec<String> = { runs(folder.path()).into_iter() }
            .map(|run| std::fs::read_to_string(&run.path).expect("read"))
            .collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 32);
        let left = std::fs::read_dir(folder.path()).expect("read").count();
        assert_eq!(left, 32);
    }
}
