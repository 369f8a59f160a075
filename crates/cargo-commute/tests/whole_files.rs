//! Files that commands write are complete, or stay as they were; products on a standard
//! output that nobody reads are reported by the exit code.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TRACE: &str = "T0|fork(T1)|a:1\nT0|acq(m)|a:2\nT0|w(x)|a:2\nT0|rel(m)|a:2\nT1|acq(m)|a:3\nT1|rel(m)|a:3\nT1|w(x)|a:4\nT0|w(y)|a:5\nT1|w(y)|a:6\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        fs::write(folder.at("t.std"), TRACE).expect("written");
        folder
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.0.path());
        command
    }

    fn commute(&self, args: &str) -> Command {
        let args: Vec<&str> = args.split(' ').collect();
        self.command(env!("CARGO_BIN_EXE_commute"), &args)
    }

    /// Runs the program where no file can get longer than it is, as on a full disk.
    fn without_room(&self, args: &str) -> Output {
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
        let mut command = self.command("sh", &["-c", script, env!("CARGO_BIN_EXE_commute")]);
        let output = command.args(args.split(' ')).output();
        output.expect("the shell runs")
    }

    /// All files below, with their contents.
    fn files(&self) -> BTreeMap<PathBuf, String> {
        fn add(folder: &Path, files: &mut BTreeMap<PathBuf, String>) {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    add(&path, files);
                } else {
                    let text = fs::read_to_string(&path).expect("text");
                    files.insert(path, text);
                }
            }
        }
        let mut files = BTreeMap::new();
        add(self.0.path(), &mut files);
        files
    }
}

/// Command lines with a file that they write.
const WRITING: &[(&str, &str)] = &[
    ("trace convert t.std -o FILE", "out.std"),
    ("trace convert t.std -o FILE", "out.ctr"),
    ("trace convert t.std -o FILE", "out.json"),
    ("trace convert t.std -o FILE", "out.shiviz"),
    ("trace slice t.std --thread T1 -o FILE", "out.std"),
    ("trace generate --shape racy --events 9 -o FILE", "out.std"),
    ("check t.std --no-store --html FILE", "out.html"),
    ("check t.std --no-store --write-baseline FILE", "out.jsonl"),
    ("spec check --html FILE t.ecl", "out.html"),
    ("run --no-store --output FILE -- true", "out.txt"),
    ("init --force", "commute.toml"),
    ("man --out .", "commute.1"),
];

/// Content of a file before it is written anew: a baseline may only replace one.
const BEFORE: &str = "{\"schema\":1,\"reason\":\"baseline\",\"version\":\"0.1.0\"}\n";

#[test]
fn a_full_disk_leaves_the_file_before() {
    for (args, file) in WRITING {
        let args = args.replace("FILE", file);
        for is_there in [true, false] {
            let folder = Folder::new();
            fs::write(folder.at("t.ecl"), "type t {\n  get() -> v\n}\n").expect("written");
            let before = if *file == "commute.toml" {
                "quiet = false\n"
            } else {
                BEFORE
            };
            if is_there {
                fs::write(folder.at(file), before).expect("written");
            }
            let files = folder.files();
            let output = folder.without_room(&args);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{args}: {said}");
            assert!(said.contains("cannot write"), "{args}: {said}");
            assert_eq!(folder.files(), files, "{args}");
            // With room it works.
            let output = folder.commute(&args).output().expect("it runs");
            assert_ne!(output.status.code(), Some(2), "{args}: {output:?}");
            let written = fs::read(folder.at(file)).expect("written");
            assert_ne!(written, before.as_bytes(), "{args}");
        }
    }
}

#[test]
fn permissions_and_links_stay() {
    let folder = Folder::new();
    let convert = |to: &str| {
        let output = folder
            .commute(&format!("trace convert t.std -o {to}"))
            .output();
        assert_eq!(output.expect("it runs").status.code(), Some(0));
    };
    convert("fresh.std");
    let mode = |name: &str| {
        fs::metadata(folder.at(name))
            .expect("is there")
            .permissions()
            .mode()
    };
    fs::write(folder.at("plain"), "").expect("written");
    assert_eq!(mode("fresh.std"), mode("plain"), "as any new file");
    fs::write(folder.at("old.std"), "old").expect("written");
    fs::set_permissions(folder.at("old.std"), fs::Permissions::from_mode(0o604)).expect("allowed");
    symlink("old.std", folder.at("link.std")).expect("made");
    convert("link.std");
    assert_eq!(mode("old.std") & 0o777, 0o604);
    assert!(folder.at("link.std").is_symlink());
    assert_eq!(
        fs::read_to_string(folder.at("old.std")).expect("text"),
        TRACE
    );
}

#[test]
fn pipes_and_open_files_are_written_to() {
    let folder = Folder::new();
    let output = folder
        .commute("trace convert t.std -o /dev/stdout")
        .output();
    assert_eq!(
        String::from_utf8_lossy(&output.expect("it runs").stdout),
        TRACE
    );
    // A file that another process holds open is not replaced by one of its name.
    let mut options = fs::File::options();
    options.create(true).truncate(true).read(true).write(true);
    let mut file = options.open(folder.at("open")).expect("made");
    let mut command = folder.commute("trace convert t.std -o /dev/stdout");
    let status = command.stdout(file.try_clone().expect("a clone")).status();
    assert_eq!(status.expect("it runs").code(), Some(0));
    let mut text = String::new();
    file.read_to_string(&mut text).expect("text");
    assert_eq!(text, TRACE);
    let made = Command::new("mkfifo").arg(folder.at("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let mut child = folder
        .commute("trace convert t.std -o pipe")
        .spawn()
        .expect("it starts");
    let read = fs::read_to_string(folder.at("pipe")).expect("text");
    assert_eq!(
        (read.as_str(), child.wait().expect("it ends").code()),
        (TRACE, Some(0))
    );
}

#[test]
fn a_product_that_nobody_reads_is_incomplete() {
    let folder = Folder::new();
    let closed = |args: &str| {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = folder.commute(args);
        command.stdout(writer).stdin(Stdio::null());
        let output = command.stderr(Stdio::piped()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let found = folder
        .commute("check t.std --no-store --message-format json")
        .output();
    let found = String::from_utf8_lossy(&found.expect("it runs").stdout).into_owned();
    let predicted = found.lines().find(|line| line.contains("\"reordering\""));
    let (_, id) = predicted
        .expect("a prediction")
        .split_once("\"fingerprint\":\"")
        .expect("an id");
    let witness = format!("trace show t.std --witness {}", &id[..8]);
    for args in [
        "trace convert t.std",
        "trace convert t.std --to ctr",
        "trace convert t.std --to perfetto",
        "trace convert t.std --to shiviz",
        "trace slice t.std --thread T1",
        "trace generate --shape racy --events 100000",
        "completions bash",
        "man",
        "init --schema",
        &witness,
    ] {
        assert_eq!(closed(args), (Some(2), String::new()), "{args}");
    }
    for (args, code) in [
        ("check t.std --no-store -q", 1),
        ("trace show t.std", 0),
        ("trace info t.std", 0),
        ("explain CM101", 0),
    ] {
        assert_eq!(closed(args), (Some(code), String::new()), "{args}");
    }
}
