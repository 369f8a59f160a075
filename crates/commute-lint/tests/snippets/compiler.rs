//! The compiler, as tests call it.

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

pub(crate) fn rustc() -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .current_dir(tests())
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition=2024", "--crate-type=lib", "-Awarnings"]);
    rustc
}

/// What the compiler says, or nothing if it only makes a file.
pub(crate) fn run(rustc: &mut Command, file: &str) -> String {
    let output = rustc.arg(file).output().expect("rustc runs");
    assert!(
        output.status.success(),
        "{file}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("MIR is UTF-8")
}
