//! Every kind of file that the command reads, damaged: it ends with one of its exit codes,
//! says so without a panic, and does not hang.
//!
//! A round starts a process, so there are few of them here; `.ci/fuzz` makes as many as
//! its time allows. The parsers of long files are fuzzed beside them, without processes.
#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use commute_testkit::fuzz;

/// What each round needs is less than half a second.
const LONG: Duration = Duration::from_secs(30);

const PIECES: [&[u8]; 36] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b"\"",
    b"'",
    b"\\",
    b"\\u0000",
    b":",
    b",",
    b"=",
    b"\n",
    b"|",
    b"/",
    b"*",
    b"..",
    b"#",
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"\x1b[31m",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"{a,",
    b"[!",
    b"\xef\xbb\xbf",
    b"../",
    b"T1|w(x)|a:1\n",
    b"CM101 ",
    b"::error::",
    b"<script>",
];

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        for (name, text) in SAMPLES {
            fs::write(folder.at(name), text).expect("written");
        }
        folder.commute("trace convert t.std -o t.ctr");
        folder.commute("check t.std --message-format json --out-dir runs");
        folder.commute("check t.std --no-store --write-baseline baseline.jsonl");
        let runs = fs::read_dir(folder.at("runs/findings")).expect("it is kept");
        let run = runs.map(|entry| entry.expect("an entry").path());
        let run = run
            .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
            .max();
        fs::copy(run.expect("a run"), folder.at("run.jsonl")).expect("copied");
        folder
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Runs the command to its end; its exit code and all that it says.
    fn commute(&self, args: &str) -> (Option<i32>, String) {
        let said = self.at("said");
        let to = fs::File::create(&said).expect("made");
        let mut child = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(args.split(' '))
            .current_dir(self.0.path())
            // No round builds anything.
            .env("CARGO", "/bin/false")
            .env("PATH", "/nowhere")
            .stdin(Stdio::null())
            .stdout(to.try_clone().expect("a file"))
            .stderr(to)
            .spawn()
            .expect("it starts");
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("it runs") {
                break status;
            }
            if begin.elapsed() > LONG {
                child.kill().expect("it runs");
                panic!("{args} hangs");
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let mut text = Vec::new();
        let mut file = fs::File::open(&said).expect("is there");
        file.read_to_end(&mut text).expect("read");
        (status.code(), String::from_utf8_lossy(&text).into_owned())
    }
}

const SAMPLES: [(&str, &str); 7] = [
    (
        "t.std",
        "T0|new(o:dictionary)|a.rs:1\nT0|fork(T1)|a.rs:2\nT0|acq(m)|a.rs:3\nT0|w(x)|a.rs:3\nT0|rel(m)|a.rs:3\n\
         T1|begin(b)|a.rs:4\nT1|o.put('k',(1,'v'))/nil|a.rs:4\nT1|acq(m)|a.rs:5\nT1|rel(m)|a.rs:5\nT1|w(x)|a.rs:6\nT1|end(b)|a.rs:6\n\
         T0|o.put('k',2)/nil|a.rs:7\nT0|r(y)|a.rs:8\nT1|w(y)|a.rs:9\nT0|join(T1)|a.rs:10\n",
    ),
    (
        "commute.toml",
        "quiet = false\nmax-findings = 7\nspec = []\n[check]\nonly = ['races']\nbudget = 100\n[lint]\nallow = []\n[test]\nmax-memory = '4G'\n",
    ),
    (
        "suppress",
        "# known\nCM101 object=o* location=a.rs:?\nCM102 location={a,b}.rs:[0-9]\n",
    ),
    ("blocks", "withdraw*\n{a,b}::[c-e]?\n"),
    (
        "s.schedule",
        "# commute schedule 1\ntest: t::a\npackage: p\ntarget: --lib\nsteps: 2\n\nmain  lock m\nT1    lock m\n",
    ),
    (
        "m.mir",
        "fn f(_1: &std::sync::Mutex<u8>) -> () {\n    let mut _0: ();\n    let _2: u8;\n\n    bb0: {\n        _2 = const 1_u8;\n        goto -> bb1;\n    }\n\n    bb1: {\n        return;\n    }\n}\n",
    ),
    (
        "d.ecl",
        "type d {\n  put(k, v) -> p  mutates v != p\n  get(k) -> v\n  put(k1, v1)/p1 ~ put(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)\n  put(k1, v1)/p1 ~ get(k2)/v2 : k1 != k2 || v1 == p1\n  get ~ get : true\n}\n",
    ),
];

/// Name, sample, how the damaged file is called, and what is done with it.
const FORMATS: [(&str, &str, &str, &[&str]); 14] = [
    (
        "text traces",
        "t.std",
        "x.std",
        &[
            "check x.std --html x.html",
            "trace validate --models x.std",
            "trace show x.std",
            "trace convert x.std -o y.json",
        ],
    ),
    (
        "binary traces",
        "t.ctr",
        "x.ctr",
        &["check x.ctr", "trace info x.ctr"],
    ),
    (
        "specification files",
        "d.ecl",
        "x.ecl",
        &[
            "spec check x.ecl",
            "spec show x.ecl",
            "check t.std --spec x.ecl",
        ],
    ),
    (
        "commute.toml",
        "commute.toml",
        "x.toml",
        &["check t.std --config x.toml", "lint m.mir --config x.toml"],
    ),
    (
        "suppressions",
        "suppress",
        "x.txt",
        &["check t.std --suppress x.txt"],
    ),
    (
        "files of blocks",
        "blocks",
        "x.txt",
        &["check t.std --atomic @x.txt"],
    ),
    (
        "baselines",
        "baseline.jsonl",
        "x.jsonl",
        &["check t.std --baseline x.jsonl"],
    ),
    (
        "stored runs",
        "run.jsonl",
        "x.jsonl",
        &[
            "report x.jsonl --html x.html",
            "report merge x.jsonl run.jsonl --message-format sarif",
            "report diff run.jsonl x.jsonl",
        ],
    ),
    (
        "schedules",
        "s.schedule",
        "x.schedule",
        &["replay x.schedule"],
    ),
    (
        "MIR files",
        "m.mir",
        "x.mir",
        &["lint x.mir", "lint --candidates x.mir"],
    ),
    (
        "files that are no classes",
        "t.ctr",
        "x.class",
        &["lint x.class"],
    ),
    ("files that are no jars", "t.ctr", "x.jar", &["lint x.jar"]),
    (
        "traces of another format",
        "m.mir",
        "x.std",
        &["check x.std"],
    ),
    (
        "predictions",
        "t.std",
        "x.std",
        &[
            "check x.std --only prediction --legal replay --lax",
            "trace slice x.std --thread T1",
        ],
    ),
];

fn check(folder: &Folder, args: &str) {
    let args = format!("{args} --no-store");
    let (code, said) = folder.commute(&args);
    assert!(
        matches!(code, Some(0..=3)),
        "commute {args}: {code:?}: {said}"
    );
    assert!(!said.contains("panicked"), "commute {args}: {said}");
}

#[test]
fn damaged_files_of_every_format() {
    let folder = Folder::new();
    // Undamaged samples are what they should be.
    for (name, sample, file, commands) in FORMATS {
        fs::copy(folder.at(sample), folder.at(file)).expect("copied");
        check(&folder, commands[0]);
        let bytes = fs::read(folder.at(sample)).expect("a sample");
        let path = folder.at(file);
        let path: &Path = &path;
        fuzz::each(
            name,
            4,
            |random| {
                let mut bytes = bytes.clone();
                fuzz::damage(random, &mut bytes, &PIECES);
                bytes
            },
            |bytes| {
                fs::write(path, bytes).expect("written");
                for args in commands {
                    check(&folder, args);
                }
            },
        );
    }
}

/// Lines of stored runs, of baselines and of what others print, without a process.
#[test]
fn damaged_stored_lines() {
    let folder = Folder::new();
    let texts = ["run.jsonl", "baseline.jsonl"].map(|name| fs::read_to_string(folder.at(name)));
    let lines: Vec<String> = { texts.into_iter() }
        .flat_map(|text| {
            text.expect("text")
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    fuzz::each(
        "stored lines",
        2000,
        |random| {
            let mut bytes = random.pick(&lines).clone().into_bytes();
            fuzz::damage(random, &mut bytes, &PIECES);
            bytes
        },
        |bytes| {
            drop(commute_report::stored::read(&String::from_utf8_lossy(
                bytes,
            )))
        },
    );
}
