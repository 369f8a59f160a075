//! All classes of `java.base`, if there is a JDK.

use std::path::Path;
use std::process::Command;

use crate::compiler::{read, run};

/// Where the JDK is, as `java` says.
fn home() -> Option<String> {
    let output = Command::new("java")
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text
        .lines()
        .find(|line| line.trim().starts_with("java.home ="))?;
    Some(line.split('=').nth(1)?.trim().to_owned())
}

#[test]
fn java_base() {
    let Some(home) = home() else { return };
    let modules = Path::new(&home).join("lib/modules");
    let directory = tempfile::tempdir().expect("a directory");
    let modules = modules.to_string_lossy().into_owned();
    let include = "--include=regex:/java.base/.*";
    let arguments = ["extract", include, "--dir", ".", &modules];
    if !run("jimage", &arguments, directory.path()) {
        return;
    }
    let program = read(directory.path().join("java.base"));
    assert!(program.functions.len() > 50_000);
    // What `java.base` itself does with locks and method handles.
    for gap in &program.gaps {
        let expected = [
            "a lock that it did not take",
            "a monitor",
            "an invokedynamic",
        ];
        let known = expected.iter().any(|what| gap.what.contains(what));
        assert!(known, "{}: {}", gap.place, gap.what);
    }
}
