//! Tools that tests start and that need not be installed: compilers of other
//! languages, browsers.
//!
//! A test that needs such a tool is skipped without it and says so in one line
//! that begins with `skipped:`. Under `COMMUTE_REQUIRE_TOOLS=1`, which continuous
//! integration sets, the test fails instead.
//!
//! ```no_run
//! # fn test() {
//! let Some(javac) = commute_testkit::tools::require("javac") else {
//!     return;
//! };
//! # let _ = std::process::Command::new(javac);
//! # }
//! ```

use std::collections::BTreeSet;
use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// The environment variable under which a missing tool fails a test. Any value
/// but the empty one and `0` counts.
pub const REQUIRE_TOOLS: &str = "COMMUTE_REQUIRE_TOOLS";

/// Returns the path of a tool that the running test needs, or `None` if the test
/// has to be skipped.
///
/// # Panics
/// If the tool is not on `PATH` and [`REQUIRE_TOOLS`] is set.
#[track_caller]
pub fn require(tool: &str) -> Option<PathBuf> {
    require_one_of(&[tool])
}

/// Returns the path of the first of several interchangeable tools that is
/// installed (`chromium` or `google-chrome`), or `None` if the test has to be
/// skipped.
///
/// # Panics
/// If none of them is on `PATH` and [`REQUIRE_TOOLS`] is set.
#[track_caller]
pub fn require_one_of(tools: &[&str]) -> Option<PathBuf> {
    let found = tools.iter().find_map(|tool| find(tool));
    if found.is_none() {
        let names: Vec<String> = tools.iter().map(|tool| format!("`{tool}`")).collect();
        skip(&format!("{} is not installed", names.join(" or ")));
    }
    found
}

/// Reports that the running test is skipped and why; the caller returns.
///
/// # Panics
/// If [`REQUIRE_TOOLS`] is set.
#[track_caller]
pub fn skip(reason: &str) {
    let required = is_set(env::var_os(REQUIRE_TOOLS).as_deref());
    assert!(!required, "{reason}, and {REQUIRE_TOOLS} is set");
    report_skipped(reason);
}

/// Reports that the running test is skipped and why, whether tools are required
/// or not: the tool is installed, but in a version that lacks something.
///
/// A test that is skipped for the same reason several times reports it once.
pub fn report_skipped(reason: &str) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let current = thread::current();
    let test = current.name().unwrap_or("a test");
    let line = format!("skipped: {test}: {reason}");
    let is_new = REPORTED
        .lock()
        .map(|mut reported| reported.insert(line.clone()));
    if is_new.unwrap_or(true) {
        report(&line);
    }
}

/// Writes a line to standard error directly, because the test harness discards
/// captured output of tests that pass.
pub(crate) fn report(line: &str) {
    // A closed standard error is no reason to fail a test.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Returns the path of a tool if it is installed.
pub fn find(tool: &str) -> Option<PathBuf> {
    find_in(tool, &env::var_os("PATH")?)
}

/// Returns the first executable file with this name in a list of folders.
fn find_in(tool: &str, path: &OsStr) -> Option<PathBuf> {
    env::split_paths(path)
        .map(|folder| folder.join(format!("{tool}{EXE_SUFFIX}")))
        .find(|file| is_executable(file))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = file.metadata();
    metadata.is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

fn is_set(value: Option<&OsStr>) -> bool {
    value.is_some_and(|value| !value.is_empty() && value != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_and_nothing_do_not_require_tools() {
        assert!(!is_set(None));
        assert!(!is_set(Some(OsStr::new(""))));
        assert!(!is_set(Some(OsStr::new("0"))));
        assert!(is_set(Some(OsStr::new("1"))));
    }

    #[test]
    fn a_tool_is_an_executable_file_on_the_path() {
        let own = env::current_exe().expect("the test is a file");
        let name = own.file_name().expect("with a name").to_string_lossy();
        let name = name.strip_suffix(EXE_SUFFIX).unwrap_or(&name);
        let folder = own.parent().expect("in a folder");
        let path = env::join_paths([Path::new("/nowhere"), folder]).expect("a path");
        assert_eq!(find_in(name, &path), Some(own.clone()));
        assert_eq!(find_in(name, OsStr::new("/nowhere")), None);
        let folder_name = folder.file_name().expect("with a name").to_string_lossy();
        let above = folder.parent().expect("in a folder").as_os_str();
        assert_eq!(find_in(&folder_name, above), None, "a folder is no tool");
    }
}
