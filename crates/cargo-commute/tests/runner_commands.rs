//! No name from outside makes a line that a runner of continuous integration obeys.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A race whose threads, variable and places are called like commands.
const TRACE: &str = "\
::stop-commands::t|fork(::error::u)|::stop-commands::a:1\n\
::stop-commands::t|w([task.setvariable]x)|::stop-commands::b:1\n\
::error::u|w([task.setvariable]x)|\u{a0}::add-mask::c\n\
::error::u|w(y)|::error::d\n\
::stop-commands::t|w(y)|##vso[task.complete]e\n\
::warning::v|acq(::group::l)|x ##[group]\n\
::warning::v|rel(::group::l)|  ::debug::y:7\n\
::warning::v|w(y)|##[error]z:9\n";

/// A line that is no event, which the error quotes.
const BROKEN: &str = "::error::no ##vso[task.complete]event\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a directory"));
        folder.write(
            "Cargo.toml",
            "[package]\nname = \"p\"\nversion = \"0.1.0\"\n[workspace]\n",
        );
        folder.write("t.std", TRACE);
        folder.write("::error::b ##[x].std", BROKEN);
        folder.write("clean.std", "T|w(x)|a.rs:1\n");
        folder.write("::stop-commands::s.ecl", "type ##[x]::error::\n::error::t");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    /// The lines that a command prints on both streams.
    fn lines(&self, words: &[&str]) -> Vec<String> {
        let output = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(words)
            .current_dir(self.0.path())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .output()
            .expect("commute runs");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).expect("UTF-8");
        said.split(['\n', '\r']).map(str::to_owned).collect()
    }
}

/// Whether a runner would obey a line that is none of our annotations.
fn is_obeyed(line: &str, format: &str) -> bool {
    let words = ["##[", "##vso["];
    let ours = ["::error ", "::warning ", "::notice "];
    let line = line.trim_start();
    let is_ours = format == "github" && ours.iter().any(|own| line.starts_with(own));
    let has_word = words.iter().any(|word| line.contains(word));
    // After three colons there is no name.
    has_word || line.starts_with("::") && !line.starts_with(":::") && !is_ours
}

#[test]
fn no_line_is_a_command() {
    let folder = Folder::new();
    let id = {
        let lines = folder.lines(&["check", "t.std", "--message-format", "json"]);
        let line = lines
            .iter()
            .find(|line| line.contains("fingerprint"))
            .expect("a finding");
        let (_, rest) = line.split_once("\"fingerprint\":\"").expect("it has one");
        rest[..8].to_owned()
    };
    let broken = "::error::b ##[x].std";
    folder.lines(&["check", "clean.std", "--out-dir", "old"]);
    let runs = |folder: &Path| {
        let mut runs = std::fs::read_dir(folder.join("findings")).expect("kept");
        runs.next().expect("one").expect("read").path()
    };
    let old = runs(&folder.path("old")).display().to_string();
    let new = runs(&folder.path("target/commute")).display().to_string();
    for format in ["human", "short", "json", "github", "sarif", "junit"] {
        for words in [
            &["check", "t.std"][..],
            &["check", "t.std", "--verbose", "--color", "always"],
            &["check", "t.std", broken, "clean.std"],
            &["check", broken],
            &["check", "::error::not there ##[x]"],
            &["report"],
            &["report", "--list"],
            &["report", "merge", &new, &old],
            &["report", "diff", &old, &new],
            &["report", "diff", &new, &old],
            &["explain", &id],
            &["replay", &id],
            &["explain", "::error::x"],
            &["trace", "show", "t.std"],
            &["trace", "info", "t.std"],
            &["trace", "validate", "t.std"],
            &["spec", "check", "::stop-commands::s.ecl"],
            &["lint", "::error::m ##[x].mir"],
        ] {
            for line in folder.lines(&[words, &["--message-format", format]].concat()) {
                assert!(!is_obeyed(&line, format), "{format}, {words:?}: {line:?}");
            }
        }
    }
}
