//! What a program says should be atomic is a region: a value that goes from
//! one to the next is reported, and nothing is if a function around both is
//! atomic, too. What the attribute really writes is tested in `cargo-commute`.

use std::path::Path;
use std::process::Command;

use commute_lint::ir::Program;
use commute_lint::rust::{CrateInfo, mir, program};
use commute_lint::{Algorithm, Confidence, Options, lint};

/// Two atomic methods that look at their locks more than once.
const COUNTER: &str = "//! A counter.
use std::sync::Mutex;
pub struct Counter { n: Mutex<u32>, last: Mutex<u32> }
impl Counter {
    commute::atomic! { pub fn get(&self) -> u32 {
        let n = *self.n.lock().unwrap();
        *self.last.lock().unwrap() = n;
        n
    } }
    commute::atomic! { pub fn raise(&self, to: u32) {
        let n = *self.n.lock().unwrap();
        *self.n.lock().unwrap() = to.max(n);
    } }
}
";

fn rustc(file: &Path) -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition=2024", "--crate-type=lib", "-Awarnings"])
        .arg(file);
    rustc
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("rustc runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn compiled(source: &str) -> Program {
    let folder = tempfile::tempdir().expect("there is room");
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust/stubs/commute.rs");
    let arguments = ["--emit=metadata", "--crate-name=commute", "--out-dir"];
    run(rustc(&stub).args(arguments).arg(folder.path()));
    let file = folder.path().join("counter.rs");
    std::fs::write(&file, source).expect("there is room");
    let mut rustc = rustc(&file);
    rustc
        .args(["-Zunpretty=mir", "-Zmir-include-spans=on"])
        .args(["-Ztrim-diagnostic-paths=no", "-o", "-", "--extern"])
        .arg(format!(
            "commute={}/libcommute.rmeta",
            folder.path().display()
        ));
    let mir = mir::parse::parse(&run(&mut rustc));
    let info = CrateInfo {
        name: "counter".to_owned(),
        root: String::new(),
        edition: "2024".to_owned(),
        library: true,
    };
    let program = program(vec![(info, mir)], &|_| Some(source.to_owned()));
    assert_eq!(program.gaps, []);
    program
}

/// The functions that are atomic, and how many violations there are: by our
/// algorithm, and by MoTH.
#[track_caller]
fn check(more: &str, atomic: &[&str], ours: usize, moth: usize) {
    let program = compiled(&format!("{COUNTER}{more}"));
    let functions = program.functions.iter();
    let names: Vec<&str> = functions
        .filter(|function| function.atomic)
        .map(|function| function.name.as_str())
        .collect();
    assert_eq!(
        names,
        [&["Counter::get", "Counter::raise"], atomic].concat()
    );
    let found = [
        (Algorithm::Commute, ours),
        (Algorithm::Moth, moth),
        (Algorithm::MothExtended, moth),
    ];
    for (algorithm, expected) in found {
        let outcome = lint(&program, &Options::of(algorithm));
        assert_eq!(outcome.limits, [] as [String; 0]);
        let found: Vec<_> = outcome
            .violations
            .iter()
            .filter(|violation| violation.confidence == Confidence::High)
            .map(|violation| (&violation.title, &violation.regions))
            .collect();
        assert_eq!(found.len(), expected, "{algorithm:?}: {found:?}");
    }
}

#[test]
fn inside_of_one_all_is_well() {
    check("", &[], 0, 0);
}

#[test]
fn a_value_goes_from_one_to_the_next() {
    check(
        "pub fn add(c: &Counter) { c.raise(c.get() + 1); }",
        &[],
        1,
        1,
    );
}

#[test]
fn the_caller_is_atomic() {
    let add = "commute::atomic! { pub fn add(c: &Counter) { c.raise(c.get() + 1); } }";
    check(add, &["add"], 0, 0);
    let add =
        "impl Counter { commute::atomic! { pub fn add(&self) { self.raise(self.get() + 1); } } }";
    check(add, &["Counter::add"], 0, 0);
}

#[test]
fn a_closure_is_atomic() {
    let add = "pub fn add(c: &Counter) { commute::atomic(\"add\", || c.raise(c.get() + 1)); }";
    check(add, &["add::{closure#0}"], 0, 0);
    let add = "pub fn add(c: &Counter) { Some(1).map(|n| c.raise(c.get() + n)); }";
    check(add, &[], 1, 1);
}
