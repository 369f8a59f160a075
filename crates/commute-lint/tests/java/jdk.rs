//! All classes of `java.base`, if there is a JDK.

use std::path::Path;
use std::process::Command;

use commute_testkit::tools;

use crate::compiler::{program_of, read, run};

/// Returns the directory of the JDK, as `java` prints it; `None` if the test has
/// to be skipped, because there is no `java`.
#[track_caller]
fn home() -> Option<String> {
    let output = Command::new(tools::require("java")?)
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .expect("java starts");
    let text = String::from_utf8_lossy(&output.stderr);
    let mut lines = text.lines().map(str::trim);
    let home = lines.find_map(|line| line.strip_prefix("java.home ="));
    Some(home.expect("java prints its home").trim().to_owned())
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

/// A `switch` over patterns and constants of an enum, which needs Java 21.
#[test]
fn patterns() {
    let Some(home) = home() else { return };
    let release = std::fs::read_to_string(Path::new(&home).join("release")).unwrap_or_default();
    let version = release.split("JAVA_VERSION=\"").nth(1).unwrap_or_default();
    let major = version.split(['.', '"']).next().unwrap_or_default();
    if major.parse::<u32>().is_ok_and(|major| major < 21) {
        tools::report_skipped("a JDK of version 21 or newer is not installed");
        return;
    }
    let source = "
        enum Color { RED, GREEN }
        record Point(int x, int y) {}
        class Use {
            int f(Object o) {
                return switch (o) {
                    case Point(int x, int y) when x > 3 -> y;
                    case Color.RED -> 1;
                    case Color c -> 2;
                    default -> 0;
                };
            }
        }";
    if let Some(program) = program_of(source) {
        assert_eq!(program.gaps, []);
        assert!(
            program
                .functions
                .iter()
                .any(|f| f.name == "Use.f" && f.blocks.len() > 4)
        );
    }
}
