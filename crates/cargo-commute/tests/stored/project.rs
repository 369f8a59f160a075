//! A project in a folder of its own, and commands that run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) const MANIFEST: &str = "[package]\nname = \"p\"\nversion = \"0.1.0\"\n[workspace]\n";
pub(crate) const CLEAN: &str = "T1|w(x)|a.rs:1\nT1|r(x)|b.rs:2\n";
pub(crate) const RACE: &str = "T1|w(x)|a.rs:1\nT2|r(x)|b.rs:2\n";
/// Another one, next to the first.
pub(crate) const TWO_RACES: &str =
    "T1|w(x)|a.rs:1\nT2|r(x)|b.rs:2\nT1|w(y)|c.rs:1\nT2|w(y)|d.rs:2\n";
/// One of which nothing is certain.
pub(crate) const ILL_FORMED: &str = "T1|rel(m)|a.rs:1\n";
/// One in which a reference algorithm finds something that is not certain.
pub(crate) const UNCERTAIN: &str = "T1|w(x)|a.rs:1\nT1|acq(m)|a.rs:2\nT1|rel(m)|a.rs:3\n\
                                    T2|acq(m)|b.rs:1\nT2|rel(m)|b.rs:2\nT2|w(x)|b.rs:3\n";
/// One that is no trace after its second line.
pub(crate) const BROKEN: &str = "T1|w(x)|a.rs:1\nT2|r(x)|b.rs:2\nwhat is this?\n";

/// A folder with files.
pub(crate) struct Project(tempfile::TempDir);

impl Project {
    /// One that has a `Cargo.toml` next to these.
    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        let project = Project::without_manifest(files);
        project.write("Cargo.toml", MANIFEST);
        project
    }

    pub(crate) fn without_manifest(files: &[(&str, &str)]) -> Project {
        let project = Project(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// A command that has not been started.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
        command
            .args(words.split_whitespace())
            .current_dir(self.0.path())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .env_remove("NO_COLOR");
        command
    }

    pub(crate) fn commute(&self, words: &str) -> Said {
        Said::of(&self.command(words).output().expect("commute runs"))
    }

    /// The files of runs that are kept in a folder, the first one first.
    pub(crate) fn runs(&self, folder: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
        let mut runs: Vec<PathBuf> = entries.map(|entry| entry.expect("read").path()).collect();
        runs.sort();
        runs
    }

    /// The last run that is kept where it is kept by default.
    pub(crate) fn last_run(&self) -> String {
        let runs = self.runs("target/commute/findings");
        let last = runs.last().expect("something is kept");
        fs::read_to_string(last).expect("read")
    }

    /// Somebody else writes there.
    pub(crate) fn change_last_run(&self, text: &str) {
        let runs = self.runs("target/commute/findings");
        fs::write(runs.last().expect("something is kept"), text).expect("written");
    }
}

/// How a command ended, and what it said.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Said {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Said {
    pub(crate) fn of(output: &Output) -> Said {
        Said {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr.clone()).expect("UTF-8"),
        }
    }

    /// It was refused, for this reason.
    pub(crate) fn is_refused(&self, reason: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert!(self.stderr.contains(reason), "{self:?}");
    }
}

/// The short ids of the findings in lines of JSON.
pub(crate) fn ids(lines: &str) -> Vec<String> {
    let mark = "\"fingerprint\":\"";
    let parts = lines.split(mark).skip(1);
    parts.map(|part| part[..8].to_owned()).collect()
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("read").flatten();
    let mut names: Vec<String> = { entries.map(|entry| entry.file_name()) }
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
