//! Bugs in the style of those that Java projects had and fixed: found before
//! the fix, silent after it. And correct code that looks like them.
//!
//! `java_programs/bugs` has a file for each: the lines between `//@ before` and
//! `//@ after` are those before the fix, the ones from there to `//@ end` those
//! after it, and `//@ finding:` says in which method the bug is.
//! `java_programs/correct` is silent as it is. All of them are compiled at once,
//! each in a package of its own.

use std::fs;
use std::path::{Path, PathBuf};

use commute_lint::{Confidence, Violation};

use crate::compiler::{read, run};
use crate::forgetting;
use crate::lists::compare;
use crate::titles::titles;

/// Bugs that are not found yet, and why.
const KNOWN_MISSES: &[(&str, &str)] = &[(
    "TimerFlush",
    "the second region looks at the list again, though at the one that was there before",
)];

/// Correct code that is reported, and why.
const KNOWN_ALARMS: &[(&str, &str)] = &[];

/// A program of the corpus.
struct Sample {
    name: String,
    text: String,
    /// Where the bug is; nothing if it is correct.
    bug: Option<String>,
}

/// The programs of a directory, in the order of their names.
fn samples(directory: &str) -> Vec<Sample> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/java_programs")
        .join(directory);
    let entries = fs::read_dir(directory).expect("a directory");
    let mut samples: Vec<Sample> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("a source");
            let mut lines = text.lines();
            let bug = lines.find_map(|line| line.strip_prefix("//@ finding: "));
            Sample {
                name: name.into_owned(),
                bug: bug.map(str::to_owned),
                text,
            }
        })
        .collect();
    samples.sort_by(|a, b| a.name.cmp(&b.name));
    samples
}

/// The lines of a program before or after the fix. Those that are left out
/// leave empty lines, so that numbers stay what they are.
fn version(text: &str, kept: &str) -> String {
    let mut part = "both";
    let mut out = String::new();
    for line in text.lines() {
        match line.trim() {
            "//@ before" => part = "before",
            "//@ after" => part = "after",
            "//@ end" => part = "both",
            _ if part == "both" || part == kept => out.push_str(line),
            _ => {}
        }
        out.push('\n');
    }
    out
}

/// Writes a version of a program into a package of its own.
fn write(root: &Path, sample: &Sample, kept: &str) -> String {
    let package = sample.name.to_lowercase();
    let directory = root.join(kept).join(&package);
    fs::create_dir_all(&directory).expect("a directory");
    let file = directory.join(format!("{}.java", sample.name));
    let text = version(&sample.text, kept);
    let text = format!("package {kept}.{package}; {text}");
    fs::write(&file, text).expect("the source is written");
    file.to_string_lossy().into_owned()
}

/// Compiles versions of programs. The directory has `classes/VERSION/NAME`.
fn compile(sources: &[(&Sample, &str)]) -> Option<tempfile::TempDir> {
    let root = tempfile::tempdir().expect("a directory for the classes");
    let mut arguments = ["-g", "-nowarn", "-Xlint:none", "-d", "classes"]
        .map(str::to_owned)
        .to_vec();
    for (sample, kept) in sources {
        arguments.push(write(root.path(), sample, kept));
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run("javac", &arguments, root.path()).then_some(root)
}

fn classes(root: &Path, sample: &Sample, kept: &str) -> PathBuf {
    let package = sample.name.to_lowercase();
    root.join("classes").join(kept).join(package)
}

/// What is shown by default.
fn found(root: &Path, sample: &Sample, kept: &str) -> Vec<Violation> {
    let program = read(classes(root, sample, kept));
    assert_eq!(program.gaps, [], "{}", sample.name);
    let outcome = forgetting::outcome(&program, &sample.name);
    assert_eq!(outcome.limits, [] as [String; 0], "{}", sample.name);
    assert_eq!(outcome.lost, [], "{}", sample.name);
    let shown = |violation: &Violation| violation.confidence == Confidence::High;
    outcome.violations.into_iter().filter(shown).collect()
}

#[test]
fn bugs() {
    let samples = samples("bugs");
    let versions = samples
        .iter()
        .flat_map(|sample| [(sample, "before"), (sample, "after")]);
    let Some(root) = compile(&versions.collect::<Vec<_>>()) else {
        return;
    };
    let mut wrong = Vec::new();
    for sample in &samples {
        let name = &sample.name;
        let Some(place) = &sample.bug else {
            panic!("{name} does not say where its bug is");
        };
        let before = found(root.path(), sample, "before");
        let is_there = |violation: &Violation| {
            let mut stops = violation.path.iter();
            stops.any(|stop| stop.function.contains(place.as_str()))
        };
        let missed = match (before.is_empty(), before.iter().any(is_there)) {
            (_, true) => None,
            (true, _) => Some("is not found".to_owned()),
            (false, _) => Some(format!("is not found, but {}", titles(&before))),
        };
        compare(name, missed.as_deref(), KNOWN_MISSES, &mut wrong);
        let after = found(root.path(), sample, "after");
        let alarm = (!after.is_empty()).then(|| format!("after the fix {}", titles(&after)));
        compare(name, alarm.as_deref(), KNOWN_ALARMS, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn correct() {
    let samples = samples("correct");
    let versions: Vec<(&Sample, &str)> = samples.iter().map(|sample| (sample, "both")).collect();
    let Some(root) = compile(&versions) else {
        return;
    };
    let mut wrong = Vec::new();
    for sample in &samples {
        let violations = found(root.path(), sample, "both");
        let alarm = (!violations.is_empty()).then(|| titles(&violations));
        compare(&sample.name, alarm.as_deref(), KNOWN_ALARMS, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every program that a list names is there.
#[test]
fn lists() {
    let all: Vec<String> = ["bugs", "correct"]
        .iter()
        .flat_map(|directory| samples(directory))
        .map(|sample| sample.name)
        .collect();
    for (name, _) in KNOWN_MISSES.iter().chain(KNOWN_ALARMS) {
        assert!(all.iter().any(|known| known == name), "{name} is not there");
    }
}
