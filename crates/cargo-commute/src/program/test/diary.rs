//! What is known of explorations that are not over, in a file: `--resume`.
//!
//! Lines of JSON, which are only ever added. The first says what it is. Then tests are
//! named, and the runs of each follow, in the order in which they were made, each with
//! who went on in it. A test that was explored to its end has its report.
//!
//! Runs are made again to go on; that is quick, compared to finding out which there are.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hasher};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use commute_explore::{Before, Memory, Report, Shard, Verdict};
use commute_report::stored::Unreadable;
use serde::{Deserialize, Serialize};

use super::targets::Found;

/// Of the format.
const VERSION: u32 = 1;

/// A longer line is none of ours.
const LONGEST_LINE: u64 = 64 << 20;

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Line {
    /// The first.
    Exploration {
        version: u32,
        shard: Option<Shard>,
    },
    /// A test, which has a number in what follows.
    Test(Named),
    Run(usize, String),
    LookedAt(usize, usize),
    /// All runs so far are of no use.
    Nothing(usize),
    Report(usize, Box<Report>),
}

/// What tells a test from others.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    package: String,
    target: String,
    /// Of its binary.
    digest: String,
}

impl Named {
    fn is_of(&self, other: &Named) -> bool {
        (&self.name, &self.package, &self.target) == (&other.name, &other.package, &other.target)
    }
}

/// A test in the file.
struct Entry {
    named: Named,
    before: Before,
    report: Option<Report>,
}

/// What is known of a test.
pub(super) enum Known {
    /// Everything.
    Over(Box<Report>),
    /// So much, which may be nothing.
    Begun(Before),
}

/// The file, and what is in it.
pub(super) struct Diary {
    path: PathBuf,
    file: BufWriter<File>,
    entries: Vec<Entry>,
    /// Where each test is that is not over.
    numbers: Vec<usize>,
}

impl Diary {
    /// Opens the file, and reads what is there.
    ///
    /// # Errors
    /// If it cannot be read or written, or is something else.
    pub(super) fn open(path: &Path, shard: Option<Shard>) -> Result<Diary> {
        let name = path.display();
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot open {name}"))?;
        let mut diary = Diary {
            path: path.to_owned(),
            file: BufWriter::new(file),
            entries: Vec::new(),
            numbers: Vec::new(),
        };
        let end = diary.read(shard)?;
        // Whoever wrote it may have been ended in the middle of a line.
        let file = diary.file.get_mut();
        let cut = file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.with_context(|| format!("cannot write {name}"))?;
        if end == 0 {
            diary.write(&Line::Exploration {
                version: VERSION,
                shard,
            })?;
            diary.flush()?;
        }
        Ok(diary)
    }

    /// Reads all whole lines. Returns where they end.
    fn read(&mut self, shard: Option<Shard>) -> Result<u64> {
        let file = self.file.get_ref().try_clone();
        let file = file.with_context(|| format!("cannot read {}", self.path.display()))?;
        let mut reader = BufReader::new(file);
        let (mut text, mut end) = (Vec::new(), 0);
        for number in 1.. {
            text.clear();
            let read = (&mut reader)
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut text);
            let read = read.with_context(|| format!("cannot read {}", self.path.display()))?;
            let is_whole = text.ends_with(b"\n");
            if !is_whole && number > 1 || read == 0 {
                break;
            }
            let name = self.path.display().to_string();
            let line = serde_json::from_slice(text.trim_ascii_end()).map_err(|error| {
                let Unreadable { column, message } = error.into();
                anyhow!("{name}:{number}:{column}: this is no line of an exploration: {message}")
            })?;
            let taken = self.take(line, number == 1, shard);
            taken.map_err(|error| anyhow!("{name}:{number}:1: {error:#}"))?;
            end += read as u64;
        }
        Ok(end)
    }

    fn take(&mut self, line: Line, is_first: bool, shard: Option<Shard>) -> Result<()> {
        match line {
            Line::Exploration { version, shard: of } if is_first => {
                let told = |shard: Option<Shard>| {
                    shard.map_or("everything".to_owned(), |shard| format!("shard {shard}"))
                };
                if version != VERSION {
                    bail!("an exploration of another version ({version}, not {VERSION})");
                }
                if of != shard {
                    bail!("this is of {}, not of {}", told(of), told(shard));
                }
            }
            _ if is_first => bail!("this is not the beginning of an exploration"),
            Line::Exploration { .. } => bail!("this is the beginning of another exploration"),
            Line::Test(named) => self.entries.push(Entry {
                named,
                before: Before::default(),
                report: None,
            }),
            Line::Run(test, run) => self.entry(test)?.before.runs.push(run),
            Line::LookedAt(test, runs) => self.entry(test)?.before.looked_at = runs,
            Line::Nothing(test) => self.entry(test)?.before = Before::default(),
            // A failure would have its schedule written; the diary keeps none.
            Line::Report(_, report) if report.verdict != Verdict::Passed => {
                bail!("a report of a test that has not passed: none is kept here");
            }
            Line::Report(test, report) => self.entry(test)?.report = Some(*report),
        }
        Ok(())
    }

    fn entry(&mut self, test: usize) -> Result<&mut Entry> {
        let entry = self.entries.get_mut(test);
        entry.with_context(|| format!("there is no test {test} before"))
    }

    /// What is known of a test. Those that are not over get numbers, from 0.
    ///
    /// # Errors
    /// If it was built anew since, or the file cannot be written.
    pub(super) fn begin(&mut self, test: &Found) -> Result<Known> {
        let named = Named {
            name: test.name.clone(),
            package: test.target.package.clone(),
            target: test.target.option.to_string(),
            digest: digest(&test.target.binary)?,
        };
        let known = self
            .entries
            .iter()
            .position(|entry| entry.named.is_of(&named));
        let number = match known {
            Some(number) if self.entries[number].named == named => number,
            Some(_) => bail!(
                "`{}` was built anew since {} was written: what was explored before may not \
                 be so any more; remove the file to begin again",
                test.name,
                self.path.display()
            ),
            None => {
                self.write(&Line::Test(named.clone()))?;
                self.entries.push(Entry {
                    named,
                    before: Before::default(),
                    report: None,
                });
                self.entries.len() - 1
            }
        };
        let entry = &mut self.entries[number];
        if let Some(report) = entry.report.take() {
            return Ok(Known::Over(Box::new(report)));
        }
        let before = std::mem::take(&mut entry.before);
        self.numbers.push(number);
        Ok(Known::Begun(before))
    }

    /// Keeps what is told of a test.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn remember(&mut self, test: usize, memory: Memory) -> Result<()> {
        let number = self.numbers[test];
        let line = match memory {
            Memory::Run(run) => Line::Run(number, run),
            Memory::LookedAt(runs) => Line::LookedAt(number, runs),
            Memory::Nothing => Line::Nothing(number),
        };
        self.write(&line)
    }

    /// Keeps what came of a test.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn over(&mut self, test: usize, report: &Report) -> Result<()> {
        if report.verdict == Verdict::Passed {
            let report = Box::new(report.clone());
            self.write(&Line::Report(self.numbers[test], report))?;
        }
        self.flush()
    }

    fn write(&mut self, line: &Line) -> Result<()> {
        let written = serde_json::to_writer(&mut self.file, line)
            .map_err(Into::into)
            .and_then(|()| self.file.write_all(b"\n"));
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.file.flush();
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Of what is in a file.
fn digest(path: &Path) -> Result<String> {
    let failed = || format!("cannot read {}", path.display());
    let mut file = File::open(path).with_context(failed)?;
    let mut hasher = DefaultHasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).with_context(failed)? {
            0 => return Ok(format!("{:016x}", hasher.finish())),
            read => hasher.write(&buffer[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_diaries_are_refused_or_cut() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("diary");
        drop(Diary::open(&path, None).expect("a new one"));
        let mut whole = std::fs::read(&path).expect("written");
        whole.extend_from_slice(
            b"{\"test\":{\"name\":\"t\",\"package\":\"p\",\"target\":\"--lib\",\"digest\":\"0\"}}\n\
              {\"run\":[0,\"0 1 0\"]}\n{\"looked_at\":[0,1]}\n{\"nothing\":0}\n",
        );
        std::fs::write(&path, &whole).expect("written");
        assert_eq!(Diary::open(&path, None).expect("read").entries.len(), 1);
        commute_testkit::fuzz::each(
            "explorations to resume",
            300,
            |random| {
                let mut bytes = whole.clone();
                let pieces: [&[u8]; 6] = [b"{", b"[", b"\"", b"\n", b"null", b"\xff"];
                commute_testkit::fuzz::damage(random, &mut bytes, &pieces);
                bytes
            },
            |bytes| {
                std::fs::write(&path, bytes).expect("written");
                let _ = Diary::open(&path, None);
            },
        );
    }
}
