//! Acquisitions of locks that do not become critical sections are named, and
//! others are not.

#[path = "snippets/compiler.rs"]
mod compiler;

use std::fmt::Write;
use std::fs;
use std::process::Command;

use commute_lint::ir::Program;
use commute_lint::rust::{CrateInfo, mir, program};
use commute_lint::{Algorithm, Options, lint, locks_never_taken};
use compiler::{run, rustc};
use expect_test::{Expect, expect};

/// The program in Rust, which may use `lazy_static`.
fn compiled(source: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lost.rs");
    let out = folder.path().to_string_lossy().into_owned();
    let library = folder.path().join("liblazy_static.rmeta");
    let mut stub = rustc();
    stub.args(["--emit=metadata", "--crate-name", "lazy_static"]);
    run(stub.args(["--out-dir", &out]), "rust/stubs/lazy_static.rs");
    fs::write(&file, source).expect("the source is written");
    let mut rustc: Command = rustc();
    rustc.args(["-Zunpretty=mir", "-Zmir-include-spans=on"]);
    rustc.args(["-Ztrim-diagnostic-paths=no", "-o", "-", "--extern"]);
    rustc.arg(format!("lazy_static={}", library.display()));
    let text = run(&mut rustc, &file.to_string_lossy());
    let info = CrateInfo {
        name: "lost".to_owned(),
        root: String::new(),
        edition: "2024".to_owned(),
        library: true,
    };
    let sources = |name: &str| fs::read_to_string(compiler::tests().join(name)).ok();
    program(vec![(info, mir::parse::parse(&text))], &sources)
}

/// One line for each lost acquisition: where, which call, and what is not known.
fn lost(program: &Program, algorithm: Algorithm) -> String {
    let mut text = String::new();
    for lost in lint(program, &Options::of(algorithm)).lost {
        let (line, call, loss) = (lost.site.line, &lost.call, lost.loss);
        writeln!(text, "{line} {}: {call}, {loss:?}", lost.function).expect("a string");
    }
    text
}

/// Compares the lost acquisitions of a program, which are the same ones for each
/// algorithm.
#[track_caller]
fn check(source: &str, expected: Expect) {
    let program = compiled(source);
    let found = lost(&program, Algorithm::Commute);
    for algorithm in Algorithm::ALL {
        assert_eq!(lost(&program, algorithm), found, "{algorithm:?}");
    }
    expected.assert_eq(&found);
}

/// Compares what our own algorithm loses.
#[track_caller]
fn check_ours(source: &str, expected: Expect) {
    expected.assert_eq(&lost(&compiled(source), Algorithm::Commute));
}

#[test]
fn globals_of_lazy_static() {
    let source = "
        use std::{collections::HashMap, sync::Mutex};
        lazy_static::lazy_static! {
            static ref CACHE: Mutex<HashMap<u32, u32>> = Mutex::new(HashMap::new());
            static ref OTHER: Mutex<u32> = Mutex::new(0);
        }
        pub fn get(key: u32) -> Option<u32> { CACHE.lock().unwrap().get(&key).copied() }
        pub fn add(key: u32) {
            let old = CACHE.lock().unwrap().get(&key).copied();
            CACHE.lock().unwrap().insert(key, old.unwrap_or(0) + 1);
        }
        pub fn other() -> u32 { *OTHER.lock().unwrap() }";
    check(
        source,
        expect![[r#"
        7 get: Mutex::lock, UnknownLock
        9 add: Mutex::lock, UnknownLock
        10 add: Mutex::lock, UnknownLock
        12 other: Mutex::lock, UnknownLock
    "#]],
    );
}

#[test]
fn atomics_in_lazy_static() {
    let source = "
        use std::sync::atomic::{AtomicUsize, Ordering};
        lazy_static::lazy_static! { static ref NEXT: AtomicUsize = AtomicUsize::new(0); }
        pub fn next() -> usize {
            let next = NEXT.load(Ordering::SeqCst);
            NEXT.store(next + 1, Ordering::SeqCst);
            next
        }";
    check_ours(
        source,
        expect![[r#"
        5 next: AtomicUsize::load, UnknownLock
        6 next: AtomicUsize::store, UnknownLock
    "#]],
    );
}

#[test]
fn an_extension_trait() {
    let source = "
        use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard};
        pub trait MutexExt<T> { fn safe_lock(&self) -> MutexGuard<'_, T>; }
        impl<T> MutexExt<T> for Mutex<T> {
            fn safe_lock(&self) -> MutexGuard<'_, T> {
                self.lock().unwrap_or_else(|error| error.into_inner())
            }
        }
        pub trait ReadExt<T> { fn borrow(&self) -> Option<RwLockReadGuard<'_, T>>; }
        impl<T> ReadExt<T> for RwLock<T> {
            fn borrow(&self) -> Option<RwLockReadGuard<'_, T>> { self.read().ok() }
        }
        pub struct S { n: Mutex<u32>, m: RwLock<u32> }
        impl S {
            pub fn add(&self) {
                let old = *self.n.safe_lock();
                *self.n.safe_lock() = old + 1;
            }
            pub fn get(&self) -> Option<u32> { self.m.borrow().map(|m| *m) }
        }";
    check_ours(
        source,
        expect![[r#"
        16 S::add: Mutex::safe_lock, UnknownCall
        17 S::add: Mutex::safe_lock, UnknownCall
        19 S::get: RwLock::borrow, UnknownCall
    "#]],
    );
}

#[test]
fn a_function_of_the_program_that_is_given_an_unknown_lock() {
    let source = "
        use std::sync::{Mutex, MutexGuard};
        lazy_static::lazy_static! { static ref N: Mutex<u32> = Mutex::new(0); }
        fn locked(lock: &Mutex<u32>) -> MutexGuard<'_, u32> { lock.lock().unwrap() }
        fn add(lock: &Mutex<u32>) { *lock.lock().unwrap() += 1; }
        pub struct S { n: Mutex<u32> }
        impl S {
            pub fn known(&self) { *locked(&self.n) += 1; add(&self.n); }
            pub fn unknown(&self) {
                *locked(&N) += 1;
                add(&N);
            }
        }";
    check_ours(
        source,
        expect![[r#"
        10 S::unknown: locked, UnknownLock
        11 S::unknown: add, UnknownLock
    "#]],
    );
}

#[test]
fn a_lock_out_of_a_function_pointer() {
    let source = "
        use std::sync::{Arc, Mutex};
        pub fn add(make: fn() -> Arc<Mutex<u32>>) {
            let lock = make();
            *lock.lock().unwrap() += 1;
        }";
    check_ours(
        source,
        expect![[r#"
        5 add: Mutex::lock, UnknownLock
    "#]],
    );
}

#[test]
fn locks_that_are_known() {
    let source = "
        use std::collections::HashMap;
        use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, RwLock, Weak};
        static GLOBAL: Mutex<u32> = Mutex::new(0);
        static LAZY: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(0));
        static ONCE: OnceLock<Mutex<u32>> = OnceLock::new();
        fn global() -> &'static Mutex<u32> { &GLOBAL }
        pub fn statics() {
            *global().lock().unwrap() += *LAZY.lock().unwrap();
            *ONCE.get_or_init(|| Mutex::new(1)).lock().unwrap() += 1;
        }
        pub struct S {
            n: Mutex<u32>,
            all: Vec<Mutex<u32>>,
            by_key: RwLock<HashMap<u32, Arc<Mutex<u32>>>>,
            maybe: Option<Mutex<u32>>,
            weak: Weak<Mutex<u32>>,
        }
        impl S {
            pub fn attempt(&self) -> Option<MutexGuard<'_, u32>> { self.n.try_lock().ok() }
            pub fn question(&self) -> Result<u32, String> {
                let n = self.n.lock().map_err(|error| error.to_string())?;
                Ok(*n)
            }
            pub fn taken_out(&self) {
                let mut guard = self.n.lock().ok();
                if let Some(guard) = guard.take() { drop(guard); }
            }
            pub fn each(&self) -> u32 {
                self.all.iter().for_each(|one| *one.lock().unwrap() += 1);
                for one in &self.all { *one.lock().unwrap() += 1; }
                self.all.iter().map(|one| *one.lock().unwrap()).sum()
            }
            pub fn one(&self, key: u32) {
                let one = self.by_key.read().unwrap().get(&key).cloned();
                if let Some(one) = one { *one.lock().unwrap() += 1; }
                if let Some(one) = &self.maybe { *one.lock().unwrap() += 1; }
                if let Some(one) = self.weak.upgrade() { *one.lock().unwrap() += 1; }
            }
            pub fn in_threads(&self) {
                let lock = Arc::new(Mutex::new(0));
                let other = lock.clone();
                let thread = std::thread::spawn(move || *other.lock().unwrap() += 1);
                *lock.lock().unwrap() += 1;
                thread.join().unwrap();
            }
        }
        pub fn given(lock: &Mutex<u32>) -> u32 { *lock.lock().unwrap() }";
    check_ours(source, expect![""]);
}

#[test]
fn types_of_locks_that_are_never_taken() {
    let source = "
        use std::sync::{Mutex, RwLock};
        pub struct OwnLock<T>(std::cell::UnsafeCell<T>);
        impl<T> OwnLock<T> { pub fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R { f(unsafe { &*self.0.get() }) } }
        pub struct S { n: Mutex<u32>, m: RwLock<u32>, o: OwnLock<u32> }
        impl S {
            pub fn new() -> S {
                S { n: Mutex::new(0), m: RwLock::new(0), o: OwnLock(0.into()) }
            }
            pub fn get(&self) -> u32 { *self.n.lock().unwrap() + self.o.with(|n| *n) }
        }";
    let untaken = locks_never_taken(&compiled(source));
    assert_eq!(untaken, ["OwnLock", "std::sync::RwLock"]);
}
