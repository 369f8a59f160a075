//! MoTH on Rust: MIR as the compiler in use prints it.

use std::process::Command;

use commute_lint::lint;
use commute_lint::rust::{CrateInfo, mir, program};

use super::{paper, summary};

/// What all programs here use: a number, cells and pairs. Methods that nobody
/// calls are processes.
const SHARED: &str = "
    use std::sync::{Arc, Mutex};
    use std::thread;
    #[derive(Default)]
    struct Cell { flag: bool }
    #[derive(Default)]
    struct Cells { cells: [Cell; 4], list: Vec<i64>, fixed: Vec<i64> }
    #[derive(Default)]
    struct S { n: Mutex<i64>, cells: Mutex<Cells>, a: Mutex<Vec<(i64, i64)>>, b: Mutex<Vec<(i64, i64)>> }
    impl S {
        fn get(&self) -> i64 { *self.n.lock().unwrap() }
        fn set(&self, to: i64) { *self.n.lock().unwrap() = to; }
        fn flag(&self, at: usize) -> bool {
            let cells = self.cells.lock().unwrap();
            let cell = &cells.cells[at];
            cell.flag
        }
        fn raise(&self, at: usize) { self.cells.lock().unwrap().cells[at].flag = true; }
        fn count(&self) -> usize { self.cells.lock().unwrap().list.len() }
        fn first(&self) -> Option<i64> { self.cells.lock().unwrap().list.first().copied() }
        fn push(&self, more: i64) { self.cells.lock().unwrap().list.push(more); }
        fn sum(&self, first: usize) -> i64 {
            let cells = self.cells.lock().unwrap();
            let mut sum = 0;
            for item in cells.list.iter().take(first) { sum += item; }
            sum
        }
        fn size(&self) -> usize { self.cells.lock().unwrap().fixed.len() }
        fn total(&self, first: usize) -> i64 {
            let cells = self.cells.lock().unwrap();
            let mut sum = 0;
            for item in cells.fixed.iter().take(first) { sum += item; }
            sum
        }
        fn left(&self) -> i64 { self.a.lock().unwrap()[0].0 }
        fn put(&self, to: i64) { self.b.lock().unwrap()[0].0 = to; }
    }
";

#[track_caller]
fn check(main: &str, expected: &[&str]) {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("main.rs");
    let source = format!("{SHARED}fn main() {{ let s = Arc::new(S::default()); {main} }}");
    std::fs::write(&file, &source).expect("there is room");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition=2024", "-Awarnings", "-Zunpretty=mir"])
        .args(["-Zmir-include-spans=on", "-Ztrim-diagnostic-paths=no"])
        .arg(&file)
        .output()
        .expect("rustc runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let info = CrateInfo {
        name: "main".to_owned(),
        root: String::new(),
        edition: "2024".to_owned(),
        library: false,
    };
    let mir = mir::parse::parse(&String::from_utf8_lossy(&output.stdout));
    let program = program(vec![(info, mir)], &|_| Some(source.clone()));
    assert_eq!(summary(&lint(&program, &paper())), expected, "{main}");
}

#[test]
fn a_thread_is_a_process() {
    let body = "thread::spawn(move || { let n = s.get(); s.set(n + 1); });";
    check(body, &["StaleValue S::get S::set"]);
}

#[test]
fn captured_references_lead_to_what_is_shared() {
    let body = "thread::scope(|scope| { scope.spawn(|| s.set(s.get() + 1)); });";
    check(body, &["StaleValue S::get S::set"]);
}

#[test]
fn a_library_calls_closures_with_what_it_got() {
    let body = "Some(s.get()).map(|n| s.set(n + 1));";
    check(body, &["StaleValue S::get S::set"]);
    check("Some(1).map(|n| s.set(n + 1)); s.get();", &[]);
}

#[test]
fn what_a_closure_returns_comes_back() {
    let body = "let n = Some(1).map(|n| n + s.get()); s.set(n.unwrap());";
    check(body, &["StaleValue S::get S::set"]);
}

#[test]
fn a_local_collection_keeps_a_value() {
    let body = "let mut all = Vec::new(); all.push(s.get()); s.set(all[0]);";
    check(body, &["StaleValue S::get S::set"]);
    check(
        "let mut all = vec![1]; all.push(2); s.get(); s.set(all[0]);",
        &[],
    );
}

#[test]
fn an_address_at_a_stale_index_is_a_stale_read() {
    let body = "let at = s.count(); if s.flag(at) { s.push(1); }";
    check(
        body,
        &["StaleCheck S::flag S::push", "StaleRead S::count S::flag"],
    );
}

#[test]
fn an_iterator_reads_at_its_position() {
    let body = "let first = s.count(); s.sum(first); s.push(1);";
    check(body, &["StaleRead S::count S::sum"]);
}

#[test]
fn an_iterator_writes_nothing() {
    // Nobody else writes the list, so nothing gets stale.
    check("let first = s.size(); s.total(first);", &[]);
}

#[test]
fn fields_of_tuples_are_no_variables_of_their_own() {
    check("let left = s.left(); s.put(left);", &[]);
}

/// `is_some`, `len` and comparisons are given the address of the value.
#[test]
fn what_a_call_by_reference_finds_decides() {
    let stale = &["StaleCheck S::first S::push"];
    check(
        "let first = s.first(); if first.is_none() { s.push(1); }",
        stale,
    );
    check(
        "if s.first().is_some_and(|first| first > 1) { s.push(1); }",
        stale,
    );
    check(
        "let first = s.first(); if first == Some(1) { s.push(1); }",
        stale,
    );
    check(
        "let first = s.first(); if first.as_ref().is_some() { s.push(1); }",
        stale,
    );
    let n = &["StaleCheck S::get S::set"];
    check("let n = s.get(); if n.eq(&3) { s.set(1); }", n);
    check("let n = Box::new(s.get()); if 3.lt(&*n) { s.set(1); }", n);
    let filled = "let mut all = Vec::new(); all.push(s.get()); if all.len() > 3 { s.set(1); }";
    check(filled, n);
    check(
        "let n = Some(3); s.get(); if n.is_some() { s.set(1); }",
        &[],
    );
}
