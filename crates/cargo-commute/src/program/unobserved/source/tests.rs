//! What counts as unsafe code that plain memory can be shared by, and as use of a library.

use super::*;

fn found(text: &str) -> Found {
    let names =
        ["tokio", "parking_lot", "crossbeam"].map(|name| (name.to_owned(), name.to_owned()));
    scan(text, &Cfg::default(), &names.into()).expect("Rust")
}

/// The constructs, in the order of the source.
fn constructs(text: &str) -> Vec<UnsafeConstruct> {
    found(text)
        .uses
        .into_iter()
        .map(|(.., construct)| construct)
        .collect()
}

#[test]
fn raw_pointers_that_are_dereferenced_count() {
    for text in [
        "fn f(p: *mut u32) { unsafe { *p = 1 } }",
        "unsafe fn f(p: *const u32) -> u32 { *p }",
        "fn f(s: &S) { unsafe { (*s.next).value += 1 } }",
        "fn f(p: *const S) -> u32 { unsafe { &*p }.get() }",
        "fn f(p: *const u8) -> u8 { unsafe { std::ptr::read(p) } }",
        "fn f(p: *const u8) -> u8 { unsafe { p.read() } }",
        "fn f(p: *mut u8) { unsafe { p.write(1) } }",
        "fn f(p: *mut u8) { unsafe { ptr::write_volatile(p, 1) } }",
        "fn f(p: NonNull<u8>) -> u8 { *unsafe { p.as_ref() } }",
        "fn f(p: *const u8) -> &'static [u8] { unsafe { slice::from_raw_parts(p, 3) } }",
        "fn f(a: *const u8, b: *mut u8) { unsafe { copy_nonoverlapping(a, b, 3) } }",
        "impl T { unsafe fn f(&self, p: *mut u8) { *p = 1 } }",
        "fn f(p: *mut u8) { thread::spawn(move || unsafe { *p = 1 }); }",
        // What a parameter of this name was does not matter any more.
        "fn f(p: &u8) -> u8 { let p = p as *const u8; unsafe { *p } }",
        // In macros of all kinds.
        "fn f(p: *mut u8) { println!(\"{}\", unsafe { *p }); }",
        "fn f(p: *mut u8) { assert_eq!(unsafe { *p }, 1, \"{p:?}\"); }",
        "macro_rules! set { ($p:expr) => { unsafe { *$p = 1 } } }",
        "select! { x = y => unsafe { *x = 1 }, }",
    ] {
        assert_eq!(constructs(text), [UnsafeConstruct::RawPointer], "{text}");
    }
}

#[test]
fn raw_pointers_that_are_freed_count() {
    for text in [
        "fn f(p: *mut u8) { unsafe { drop(Box::from_raw(p)) } }",
        "fn f(p: *const u8) { unsafe { drop(Arc::from_raw(p)) } }",
        "fn f(p: *mut u8) { unsafe { std::ptr::drop_in_place(p) } }",
        "fn f(p: *mut u8) { unsafe { alloc::dealloc(p, layout) } }",
        "fn f(p: *mut c_void) { unsafe { libc::free(p) } }",
        "fn f(p: *mut u8) { unsafe { drop(Vec::from_raw_parts(p, 1, 1)) } }",
    ] {
        assert_eq!(constructs(text), [UnsafeConstruct::Free], "{text}");
    }
}

#[test]
fn items_that_share_plain_memory_count() {
    use UnsafeConstruct::{StaticMut, UnsafeCell, UnsafeSend, UnsafeSync};
    for (text, expected) in [
        ("static mut COUNT: u32 = 0;", vec![StaticMut]),
        (
            "extern \"C\" { static mut environ: *mut u8; }",
            vec![StaticMut],
        ),
        ("struct S(UnsafeCell<u32>);", vec![UnsafeCell]),
        ("use std::cell::UnsafeCell as Cell;", vec![UnsafeCell]),
        ("use std::cell::{Cell, UnsafeCell};", vec![UnsafeCell]),
        ("unsafe impl Send for P {}", vec![UnsafeSend]),
        ("unsafe impl<T: Send> Sync for P<T> {}", vec![UnsafeSync]),
        ("unsafe impl std::marker::Sync for P {}", vec![UnsafeSync]),
        (
            "thread_local! { static A: u32 = 1; } lazy! { static mut X: u32 }",
            vec![StaticMut],
        ),
        (
            "macro_rules! send { ($t:ty) => { unsafe impl Send for $t {} } }",
            vec![UnsafeSend],
        ),
    ] {
        assert_eq!(constructs(text), expected, "{text}");
    }
}

#[test]
fn other_unsafe_code_does_not_count() {
    for text in [
        // A call of a foreign function alone.
        "fn f() -> i32 { unsafe { libc::getpid() } }",
        "extern \"C\" { fn g(x: i32) -> i32; } fn f() -> i32 { unsafe { g(1) } }",
        "fn f(b: &mut [u8]) -> isize { unsafe { libc::read(0, b.as_mut_ptr().cast(), b.len()) } }",
        "extern \"C\" { static environ: *mut u8; }",
        // Pointers that are only handed on.
        "fn f(b: Box<u8>) -> *mut u8 { Box::into_raw(b) }",
        "fn f(p: *mut u8) -> *mut u8 { unsafe { p.add(1) } }",
        // Dereferences of references.
        "fn f(x: &mut u8) { *x = 1 }",
        "unsafe fn f(x: &mut u8) { *x = 1 }",
        "impl T { unsafe fn f(&mut self) { *self = T } }",
        "fn f(x: &u8) -> i32 { unsafe { g(*x) } }",
        "fn f() { unsafe { fn g(x: Box<u8>) -> u8 { *x } } }",
        "fn f() { unsafe { const X: u8 = *Y; g(X) } }",
        // A lock in unsafe code.
        "fn f(l: &RwLock<u8>) { unsafe { g(l.read().unwrap().len()) } }",
        "unsafe impl GlobalAlloc for A {}",
        "unsafe impl Zeroable for A {}",
        "fn f(a: u32, b: u32) { m!(x => unsafe { a * b }) }",
        "fn f() { m!(x => unsafe { g(p as *const u8) }) }",
        // Not compiled into a program that is recorded.
        "#[cfg(test)] mod tests { static mut X: u32 = 0; }",
        "#[cfg(not(commute))] unsafe impl Send for P {}",
        "impl T { #[cfg(windows)] unsafe fn f(p: *mut u8) { *p = 1 } }",
    ] {
        assert_eq!(constructs(text), [], "{text}");
    }
}

#[test]
fn libraries_are_known_by_paths_imports_macros_and_attributes() {
    for (text, expected) in [
        ("use tokio::sync::Mutex;", vec!["tokio"]),
        ("use ::parking_lot::{Mutex, RwLock};", vec!["parking_lot"]),
        ("use {std::fs, crossbeam::channel};", vec!["crossbeam"]),
        ("use tokio as t;", vec!["tokio"]),
        ("use crossbeam::*;", vec!["crossbeam"]),
        ("extern crate tokio;", vec!["tokio"]),
        ("#[tokio::main] async fn main() {}", vec!["tokio"]),
        ("fn f(l: &parking_lot::Mutex<u8>) {}", vec!["parking_lot"]),
        (
            "fn f() { tokio::select! { x = a => x, y = b => y } }",
            vec!["tokio"],
        ),
        ("fn f() { m!(x => tokio::spawn(g())) }", vec!["tokio"]),
        (
            "fn f() { tokio::spawn(async {}); parking_lot::Mutex::new(1); }",
            vec!["parking_lot", "tokio"],
        ),
        // Of the library itself, under its names.
        ("use commute::parking_lot::Mutex;", vec![]),
        (
            "fn f(l: commute::crossbeam::channel::Sender<u8>) {}",
            vec![],
        ),
        // What has nothing to do with other threads.
        ("use tokio::io::AsyncRead;", vec![]),
        ("use crossbeam::utils::CachePadded;", vec![]),
        ("#[cfg(test)] use tokio::sync::Mutex;", vec![]),
        ("fn tokio() { let tokio = 1; drop(tokio); }", vec![]),
    ] {
        let names: Vec<String> = found(text).libraries.into_keys().collect();
        assert_eq!(names, expected, "{text}");
    }
}

#[test]
fn places_count_from_one() {
    let found = found("fn f(p: *mut u8) {\n    unsafe { *p = 1 };\n    tokio::spawn(g());\n}\n");
    let uses: Vec<_> = found.uses.into_iter().collect();
    assert_eq!(uses, [(2, 14, UnsafeConstruct::RawPointer)]);
    assert_eq!(found.libraries["tokio"], (3, 5));
}

#[test]
fn pieces_that_are_included_are_read() {
    assert_eq!(constructs("unsafe { *p }"), [UnsafeConstruct::RawPointer]);
    assert_eq!(constructs("[1, 2, 3]"), []);
    let names = BTreeMap::new();
    assert!(scan("fn f( {", &Cfg::default(), &names).is_err());
}
