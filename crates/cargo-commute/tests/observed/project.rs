//! Projects that are run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use commute_trace::{CtrWriter, Options, TraceReader};
use serde_json::Value;

/// A project in a folder of its own.
pub(crate) struct Project {
    root: PathBuf,
    target: PathBuf,
}

/// How a command ended, and what it printed.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    out: String,
    err: String,
}

impl Ran {
    /// The line of the summary.
    pub(crate) fn last(&self) -> &str {
        self.out.lines().last().unwrap_or(&self.err)
    }

    pub(crate) fn summary(&self) -> Value {
        let value: Value = serde_json::from_str(self.last()).expect(&self.err);
        assert_eq!(value["reason"], "summary");
        value
    }
}

fn repository() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

/// A program on the library as it is in the repository. What is built stays for the next
/// time.
pub(crate) fn with_library(name: &str, files: &[(&str, &str)]) -> Project {
    let library = repository().join("crates/commute");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\ncommute = {{ path = {library:?}, features = [\"dashmap\"] }}\n\n\
         [lints.rust]\nunexpected_cfgs = \"allow\"\n\n[workspace]\n"
    );
    let project = Project::new(name, "tutorial");
    project.write("Cargo.toml", &manifest);
    // The versions of the workspace are there without a network.
    fs::copy(
        repository().join("Cargo.lock"),
        project.root.join("Cargo.lock"),
    )
    .expect("copied");
    for (file, text) in files {
        project.write(file, text);
    }
    project
}

/// A program that records by itself: what it sends was made by the test.
const MAIN: &str = r#"
fn main() {
    inner::act(outside::act(true));
    send();
    let _channel = async_std::channel::bounded::<u8>();
}
#[cfg(feature = "locks")]
pub fn lock() -> locks::Mutex { locks::Mutex }
#[derive(Debug)]
pub struct Item(pub futures::Item);
fn send() {
    use std::io::Write;
    let path = std::env::var_os("COMMUTE_SOCKET").unwrap();
    let mut stream = std::os::unix::net::UnixStream::connect(path).unwrap();
    let program = std::env::current_exe().unwrap();
    writeln!(stream, "commute 1 {} {}", std::process::id(), program.display()).unwrap();
    stream.write_all(include_bytes!("../clean.ctr")).unwrap();
}
"#;

const CLEAN: &str = "T0|fork(T1)|a.rs:1\nT1|w(x)|a.rs:3\nT0|join(T1)|a.rs:4\nT0|w(x)|a.rs:2\n";

/// Libraries that are there by their names only.
const STUBS: &[(&str, &str)] = &[
    ("tokio", "pub mod sync { pub struct Mutex; }"),
    (
        "async-std",
        "pub mod channel { pub fn bounded<T>() -> Option<T> { None } }",
    ),
    ("flume", "pub fn unbounded() {}"),
    ("parking_lot", "pub struct Mutex;"),
    ("crossbeam", "pub mod channel { pub fn unbounded() {} }"),
    ("futures", "#[derive(Debug)] pub struct Item;"),
];

impl Project {
    fn new(name: &str, target: &str) -> Project {
        let tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let root = tests.join("observed").join(name).join("project");
        let _ = fs::remove_dir_all(root.parent().expect("a folder"));
        fs::create_dir_all(&root).expect("a folder can be made");
        // Paths in what is printed start from there.
        let root = root.canonicalize().expect("it is there");
        Project {
            target: tests.join(target),
            root,
        }
    }

    /// A workspace of three crates that depend on libraries with well-known names.
    pub(crate) fn of_parts(name: &str) -> Project {
        let project = Project::new(name, &format!("observed/{name}/target"));
        let package = |name: &str| {
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
        };
        let dependency = |name: &str, other: &str| format!("{name} = {{ path = \"{other}\" }}\n");
        for (name, text) in STUBS {
            project.write(&format!("../{name}/Cargo.toml"), &package(name));
            project.write(&format!("../{name}/src/lib.rs"), text);
        }
        project.write(
            "../outside/Cargo.toml",
            &(package("outside") + "[dependencies]\n" + &dependency("flume", "../flume")),
        );
        project.write(
            "../outside/src/lib.rs",
            "static mut SHARED: bool = false;\n\
             pub fn act(flag: bool) -> bool { flume::unbounded(); unsafe { SHARED = flag }; flag }\n",
        );
        let main = [
            package("program"),
            "[workspace]\nmembers = [\"inner\", \"unused\"]\n".to_owned(),
            "[lints.rust]\nunexpected_cfgs = \"allow\"\n".to_owned(),
            "[features]\nlocks = [\"dep:locks\"]\n[dependencies]\n".to_owned(),
            dependency("inner", "inner"),
            dependency("outside", "../outside"),
            dependency("async-std", "../async-std"),
            dependency("futures", "../futures"),
            "locks = { package = \"parking_lot\", path = \"../parking_lot\", optional = true }\n"
                .to_owned(),
            "[dev-dependencies]\n".to_owned(),
            dependency("crossbeam", "../crossbeam"),
        ];
        project.write("Cargo.toml", &main.concat());
        project.write("src/main.rs", MAIN.trim_start());
        project.write(
            "tests/works.rs",
            "#[test]\nfn works() { crossbeam::channel::unbounded(); inner::act(true); }\n",
        );
        for name in ["inner", "unused"] {
            let manifest = package(name)
                + "[lints.rust]\nunexpected_cfgs = \"allow\"\n[dependencies]\n"
                + &dependency("tokio", "../../tokio");
            project.write(&format!("{name}/Cargo.toml"), &manifest);
        }
        project.write(
            "inner/src/lib.rs",
            "pub use tokio::sync::Mutex;\npub fn act(flag: bool) -> bool { flag }\n",
        );
        project.write(
            "unused/src/lib.rs",
            "pub use tokio::sync::Mutex;\npub static mut SHARED: u32 = 0;\n",
        );
        fs::write(project.root.join("clean.ctr"), clean()).expect("written");
        project
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let file = self.root.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
        fs::write(file, text).expect("a file can be written");
    }

    /// A file of the target directory.
    pub(crate) fn target(&self, file: &str) -> String {
        let path = self.target.join(file);
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    /// `commute run` with these arguments.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.commute(&[&["run"], args].concat())
    }

    pub(crate) fn commute(&self, args: &[&str]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(args)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_QUIET", "true")
            .env("NO_COLOR", "1")
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()
            .expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran {
            code: output.status.code().expect("an exit code"),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }
}

fn clean() -> Vec<u8> {
    let mut reader = TraceReader::from_reader(CLEAN.as_bytes(), Options::default()).expect("text");
    let mut writer = CtrWriter::new(Vec::new()).expect("a trace");
    let mut events = Vec::new();
    while reader.read_batch(&mut events).expect("events") > 0 {
        for event in &events {
            writer.write(event, reader.names()).expect("written");
        }
    }
    writer.finish().expect("ended")
}
