//! A project that has never heard of us: a program, crates of every edition that it
//! depends on, a build script and a procedural macro.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

pub(crate) const MAIN: &str = r#"
use std::any::type_name;
use std::sync::{mpsc, Arc, Mutex};
use std::thread;

fn main() {
    let store = store::Store::new();
    let total = Arc::new(Mutex::new(0));
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..2)
        .map(|number| {
            let (store, total, sender) = (store.clone(), total.clone(), sender.clone());
            thread::spawn(move || {
                store.visit("home");
                store::add(&total, number);
                sender.send(number).unwrap();
            })
        })
        .collect();
    drop(sender);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(receiver.iter().count(), 2);
    assert_eq!(old::count() + bare::count() + derived::number!(), 42);
    assert!(!spin::is_held(&core::sync::atomic::AtomicBool::new(false)));
    println!("{} {}", type_name::<Mutex<u8>>(), store::kind());
    println!("flags {} {}", cfg!(mine), *total.lock().unwrap());
}
"#;

pub(crate) const STORE: &str = r#"
//! Types go from crate to crate, and into examples:
//!
//! ```
//! let total = std::sync::Mutex::new(1);
//! store::add(&total, 2);
//! let map: &dashmap::DashMap<String, u32> = store::Store::new().map();
//! assert!(map.is_empty());
//! ```
#![deny(warnings)]
use dashmap::DashMap;
use std::sync::{Arc, Mutex};

#[derive(Clone, Debug)]
pub struct Store {
    visits: Arc<DashMap<String, u32>>,
}

impl Store {
    pub fn new() -> Store {
        let map = DashMap::new();
        Store { visits: Arc::new(map) }
    }
    pub fn visit(&self, name: &str) {
        let before = self.visits.get(name).map_or(0, |visits| *visits);
        self.visits.insert(name.to_owned(), before + 1);
    }
    pub fn map(self) -> &'static DashMap<String, u32> {
        &**Box::leak(Box::new(self.visits))
    }
}

pub fn add(total: &Mutex<u32>, number: u32) {
    *total.lock().unwrap() += number;
}

pub fn kind() -> &'static str {
    std::any::type_name::<DashMap<u8, u8>>()
}
"#;

const OLD: &str = r#"
use std::sync::atomic::{AtomicUsize, ATOMIC_USIZE_INIT, Ordering};
use std::sync::{ONCE_INIT, Once};
#[allow(deprecated)]
static COUNT: AtomicUsize = ATOMIC_USIZE_INIT;
#[allow(deprecated)]
static START: Once = ONCE_INIT;
pub fn count() -> usize {
    START.call_once(|| { COUNT.fetch_add(1, Ordering::SeqCst); });
    assert_eq!(::std::env::args().count(), 1);
    COUNT.load(Ordering::SeqCst)
}
"#;

const BARE: &str = r#"
#![no_std]
extern crate std;
use core::option::Option::Some;
pub fn count() -> usize {
    let held = std::sync::Mutex::new(Some(1));
    let guard = held.lock().unwrap();
    std::println!("bare");
    std::vec![guard.unwrap_or(0)].len()
}
"#;

/// A crate that cannot be swapped, as those are that make locks of their own.
const SPIN: &str = r#"
pub fn is_held(state: &core::sync::atomic::AtomicBool) -> bool {
    let same: &std::sync::atomic::AtomicBool = state;
    same.load(std::sync::atomic::Ordering::SeqCst)
}
"#;

/// Build scripts and procedural macros have nothing to do with it.
const UNSWAPPED: &str = r#"
    let name = std::any::type_name::<std::sync::Mutex<u8>>();
    assert!(name.starts_with("std::"), "swapped in the build: {name}");
"#;

fn manifest(name: &str, edition: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n{rest}\n")
}

/// Makes the project anew.
pub(crate) fn project(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    let dependencies = "[dependencies]\nstore = { path = \"store\" }\nold = { path = \"old\" }\n\
        bare = { path = \"bare\" }\nspin = { path = \"spin\" }\nderived = { path = \"derived\" }\n\
        [lints.rust]\nunexpected_cfgs = \"allow\"\n[workspace]\nmembers = [\"store\"]\n";
    let number =
        "extern crate proc_macro;\n#[proc_macro]\npub fn number(_: proc_macro::TokenStream)";
    let derived = format!(
        "{number} -> proc_macro::TokenStream {{ {UNSWAPPED} \"40usize\".parse().unwrap() }}\n"
    );
    let files = [
        ("Cargo.toml", manifest("subject", "2021", dependencies)),
        ("src/main.rs", MAIN.into()),
        ("build.rs", format!("fn main() {{ {UNSWAPPED} }}\n")),
        (
            "tests/works.rs",
            "#[test]\nfn works() { store::Store::new().visit(\"x\") }\n".into(),
        ),
        (
            "store/Cargo.toml",
            manifest("store", "2018", "[dependencies]\ndashmap = \"6\"\n"),
        ),
        ("store/src/lib.rs", STORE.into()),
        ("old/Cargo.toml", manifest("old", "2015", "")),
        ("old/src/lib.rs", OLD.into()),
        ("bare/Cargo.toml", manifest("bare", "2024", "")),
        ("bare/src/lib.rs", BARE.into()),
        ("spin/Cargo.toml", manifest("spin", "2021", "")),
        ("spin/src/lib.rs", SPIN.into()),
        (
            "derived/Cargo.toml",
            manifest("derived", "2021", "[lib]\nproc-macro = true\n"),
        ),
        ("derived/src/lib.rs", derived),
        // Something around rustc that the user has.
        (
            ".cargo/config.toml",
            "[build]\nrustflags = [\"--cfg\", \"mine\"]\nrustc-wrapper = \"./around.sh\"\n".into(),
        ),
        (
            "around.sh",
            format!(
                "#!/bin/sh\necho \"$*\" >> '{}.log'\nexec \"$@\"\n",
                root.display()
            ),
        ),
    ];
    for (file, text) in files {
        let file = root.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
        fs::write(file, text).expect("a file can be written");
    }
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(root.join("around.sh"), executable).expect("it can be made executable");
    // With what this workspace has, so that nothing has to be fetched.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    fs::copy(lock, root.join("Cargo.lock")).expect("a lock file");
    root
}

/// A command that does not know how this test was started, and has no network.
pub(crate) fn command(program: &str, here: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(here).args(args);
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        let ours =
            name.starts_with("CARGO_") || name.contains("RUST") || name.starts_with("COMMUTE");
        if ours && name != "CARGO_HOME" && !name.starts_with("RUSTUP") {
            command.env_remove(&variable);
        }
    }
    // Built once, for all tests.
    let stand_ins = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stand-ins");
    command.env("COMMUTE_STAND_INS", stand_ins);
    command.env("CARGO_NET_OFFLINE", "true");
    command
}

/// Runs it: exit code, output, errors.
pub(crate) fn taken(mut command: Command) -> (i32, String, String) {
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("an exit code");
    (code, text(&output.stdout), text(&output.stderr))
}

/// The files of the project, without ours, and when they were written.
pub(crate) fn files(folder: &Path, found: &mut BTreeMap<PathBuf, SystemTime>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.ends_with("target/commute") {
            continue;
        }
        match path.is_dir() {
            true => files(&path, found),
            false => {
                let written = fs::metadata(&path).and_then(|file| file.modified());
                found.insert(path, written.expect("a time"));
            }
        }
    }
}
