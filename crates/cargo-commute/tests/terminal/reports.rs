//! A report has fifteen lines: nobody reads more of each.

use std::path::Path;

use crate::commute;

/// The lines of each report that this command prints, from its title to its last help.
fn reports(args: &str, folder: &Path) -> Vec<String> {
    let output = commute(args, folder).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let parts = text.split("\n\n").filter(|part| part.contains("[CM"));
    parts.map(str::to_owned).collect()
}

#[test]
fn no_report_of_the_examples_is_longer_than_fifteen_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut shown = 0;
    for entry in std::fs::read_dir(root.join("examples/traces")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if !name.ends_with(".std") {
            continue;
        }
        let specification = " --spec examples/specs --no-config --no-store";
        let args = format!("check examples/traces/{name}{specification}");
        for report in reports(&args, &root) {
            shown += 1;
            let lines = report.lines().count();
            assert!(lines <= 15, "{name}: {lines} lines\n{report}");
            // Of this one there is no program.
            if name == "phonebook.std" {
                continue;
            }
            let source = report.lines().filter(|line| line.contains(" | "));
            assert!(source.count() >= 2, "no source\n{report}");
        }
        // Who asks for everything has everything.
        for report in reports(&format!("{args} -v"), &root) {
            assert!(!report.contains('…'), "{report}");
        }
    }
    assert!(shown >= 6, "{shown}");
}
