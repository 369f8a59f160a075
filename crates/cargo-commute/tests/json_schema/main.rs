//! `schemas/findings.schema.json` is what `docs/json.md` says, and what the commands
//! print: every line of real runs, and every field of the schema in one of them.
//! `COMMUTE_BLESS=1 cargo test -p cargo-commute --test json_schema` makes it anew.
#![cfg(unix)]

mod tables;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect(path)
}

fn made() -> Value {
    tables::schema(&read("docs/json.md"))
}

#[test]
fn the_schema_is_what_the_page_says() {
    let path = "schemas/findings.schema.json";
    let now = made();
    jsonschema::meta::validate(&now).expect("a JSON schema");
    if std::env::var_os("COMMUTE_BLESS").is_some() {
        let text = serde_json::to_string_pretty(&now).expect("JSON") + "\n";
        std::fs::write(root().join(path), text).expect("it can be written");
    }
    let kept: Value = serde_json::from_str(&read(path)).expect("JSON");
    assert!(
        kept == now,
        "{path} is not what docs/json.md says (COMMUTE_BLESS=1 updates it)"
    );
}

/// The same schema, but nothing that it does not name is allowed.
fn closed(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.clone(), closed(value)));
            let mut fields: serde_json::Map<String, Value> = fields.collect();
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.insert("additionalProperties".into(), json!(false));
            }
            Value::Object(fields)
        }
        Value::Array(values) => values.iter().map(closed).collect(),
        other => other.clone(),
    }
}

/// The paths of all fields of an object by its schema.
fn fields(schema: &Value, path: &str, out: &mut BTreeSet<String>) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        fields(field, &path, out);
        fields(&field["items"], &format!("{path}[]"), out);
        out.insert(path);
    }
}

/// The paths of all fields that have a value.
fn values(value: &Value, path: &str, out: &mut BTreeSet<String>) {
    match value {
        Value::Null => return,
        Value::Object(fields) => {
            for (name, value) in fields {
                values(value, &format!("{path}.{name}"), out);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                values(element, &format!("{path}[]"), out);
            }
        }
        _ => {}
    }
    out.insert(path.to_owned());
}

/// Files that are not as they should be.
fn bad_files() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("json_schema");
    std::fs::create_dir_all(&folder).expect("made");
    let trace = root().join("examples/traces/connections.std");
    let binary = folder.join("cut.ctr");
    let convert = Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(["trace", "convert"])
        .args([&trace, Path::new("-o"), &binary])
        .status();
    assert!(convert.expect("commute runs").success());
    let bytes = std::fs::read(&binary).expect("written");
    std::fs::write(&binary, &bytes[..bytes.len() - 50]).expect("cut");
    let twice = "type t {\n  put(k)\n  put(k)\n  put ~ gut : k1 <\n}\n";
    std::fs::write(folder.join("wrong.ecl"), twice).expect("written");
    let no_model = "type plain {\n  put(k)\n  put ~ put : true\n}\n";
    std::fs::write(folder.join("no_model.ecl"), no_model).expect("written");
    let unsound = "type loose {\n  model map\n  put(k, v) -> p mutates\n  put ~ put : true\n}\n";
    std::fs::write(folder.join("unsound.ecl"), unsound).expect("written");
    std::fs::write(folder.join("garbled.std"), "T0|w(x)|a:1\nT0|w(|a:2\n").expect("written");
    std::fs::write(folder.join("released.std"), "T0|rel(l)|a:1\n").expect("written");
    let crowd: String = (0..70).map(|n| format!("T{n}|w(x{n})|a:1\n")).collect();
    let crowd = crowd + "T0|w(x)|a:2\nT1|w(x)|a:3\n";
    std::fs::write(folder.join("crowd.std"), crowd).expect("written");
    let sites: String = (0..40).map(|n| format!("T0|w(x)|a:{n}\n")).collect();
    let objects = (0..120).map(|n| format!("T0|w(x{n})|b:1\nT1|w(x{n})|b:2\n"));
    let sites = sites + "T1|w(x)|a:50\n" + &objects.collect::<String>();
    std::fs::write(folder.join("sites.std"), sites).expect("written");
    std::fs::write(folder.join("wanted"), "CM101 object=o\n").expect("written");
    std::fs::write(folder.join("wanted.toml"), "suppress = 'wanted'\n").expect("written");
    unobserved(&folder);
    folder
}

/// A program with unsafe code and a library that is not instrumented.
fn unobserved(folder: &Path) {
    let write = |file: &str, text: &str| {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(file, text).expect("written");
    };
    let package = "[package]\nname = \"NAME\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let library = package.replace("NAME", "parking_lot") + "[workspace]\n";
    write("library/Cargo.toml", &library);
    write("library/src/lib.rs", "pub struct Mutex;\n");
    let uses = "[workspace]\n[dependencies]\nparking_lot = { path = \"../library\" }\n";
    write(
        "unobserved/Cargo.toml",
        &(package.replace("NAME", "unobserved") + uses),
    );
    let main = "fn main() { let _ = (parking_lot::Mutex, unsafe { *(&raw const X) }); }\nstatic X: u8 = 1;\n";
    write("unobserved/src/main.rs", main);
}

/// Findings that are stored, and some that are known.
fn store(folder: &str) {
    let _ = std::fs::remove_dir_all(format!("{folder}/one"));
    let _ = std::fs::remove_dir_all(format!("{folder}/two"));
    for (trace, flags) in [
        ("connections", format!("--out-dir {folder}/one")),
        ("withdraw", format!("--out-dir {folder}/two")),
        (
            "connections",
            format!("--write-baseline {folder}/known.jsonl"),
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(["check", "-q", &format!("examples/traces/{trace}.std")])
            .args(flags.split(' '))
            .current_dir(root())
            .output();
        let said = output.expect("commute runs").stderr;
        assert!(said.is_empty(), "{}", String::from_utf8_lossy(&said));
    }
}

/// The lines that are stored: of traces in no file, one with a finding that is known, one
/// with more threads than clocks have; of traces that cannot be read, and one whose finding
/// is suppressed; of a test. And a baseline.
fn stored(folder: &str) -> String {
    let _ = std::fs::remove_dir_all(format!("{folder}/stored"));
    for (exit, run) in [
        (
            1,
            "check - examples/traces/connections.std --baseline BAD/known.jsonl",
        ),
        (
            2,
            "check BAD/garbled.std BAD/cut.ctr nowhere.std examples/traces/connections.std --suppress BAD/wanted",
        ),
        (
            3,
            "check BAD/released.std --max-findings 0 --deny unconfirmed",
        ),
        (1, "test -p commute-workloads count_cleans_up_twice"),
        (1, "check -"),
    ] {
        let trace = match run {
            "check -" => Path::new(folder).join("crowd.std"),
            _ => root().join("examples/traces/withdraw.std"),
        };
        let trace = std::fs::File::open(trace);
        let output = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(run.replace("BAD", folder).split(' '))
            .args(["--out-dir", &format!("{folder}/stored")])
            .current_dir(root())
            .stdin(trace.expect("a trace"))
            .output();
        assert_eq!(
            output.expect("commute runs").status.code(),
            Some(exit),
            "{run}"
        );
    }
    let runs = std::fs::read_dir(format!("{folder}/stored/findings")).expect("stored");
    let runs = runs.map(|run| run.expect("a run").path());
    let files = runs.chain([format!("{folder}/known.jsonl").into()]);
    let texts = files.map(|file| std::fs::read_to_string(file).expect("text"));
    texts.collect()
}

/// What real runs print: of every command that prints lines, with and without findings.
const RUNS: &[&str] = &[
    "check examples/traces/connections.std examples/traces/withdraw.std",
    "check examples/traces/lost_wakeup.std",
    "check examples/traces/use_after_free.std --algorithm wdc",
    "check BAD/cut.ctr",
    "check BAD/garbled.std",
    "check examples/traces/nowhere.std",
    "check BAD/sites.std --only data-races",
    "trace info examples/traces/connections.std",
    "trace info BAD/cut.ctr",
    "trace validate BAD/garbled.std",
    "trace validate BAD/released.std",
    "trace validate examples/traces/connections.std --models",
    "spec check BAD/wrong.ecl",
    "spec check priority_queue",
    "spec check nothing_of_this_name",
    "spec show",
    "spec verify",
    "spec verify BAD/no_model.ecl",
    "spec verify BAD/unsound.ecl",
    "lint -p commute-examples --example torn_pair",
    "lint -p commute-examples --example torn_pair_fixed",
    "lint --candidates -p commute-workloads --tests",
    "test -p commute-workloads locks_in",
    "test -p commute-workloads locks_in --list",
    "test -p commute-workloads awaits_what_keeps",
    "test -p commute-workloads count_cleans_up_twice --shard 1/2",
    "test -p commute-workloads count_cleans_up_once --max-executions 1",
    "test -p commute-workloads a_session_is_opened",
    "test -p commute-workloads numbers_are_drawn",
    "replay examples/workloads/schedules/mended.schedule -p commute-workloads",
    "run --example connections",
    "run -m BAD/unobserved/Cargo.toml",
    "check examples/traces/connections.std --baseline BAD/known.jsonl",
    "check examples/traces/connections.std --suppress BAD/wanted",
    "check examples/traces/connections.std --config BAD/wanted.toml",
    "report diff BAD/one BAD/two",
    "report --list --out-dir BAD/one",
];

/// Fields that none of these runs has a value for: what was not understood of source code,
/// what a comparison is in doubt about, tests that are ignored or are tokio's, and what is
/// too much to be stored.
const SELDOM: &[&str] = &[
    "candidates.reasons",
    "candidates.reasons[]",
    "difference-summary.reasons",
    "run.ignored",
    "run.left_out",
    "summary.unexplored_tests",
    "trace.notes",
];

#[test]
fn every_line_fits_the_schema_and_every_field_is_used() {
    let schema = made();
    let open = jsonschema::validator_for(&schema).expect("a schema");
    let strict = closed(&schema);
    let strict = jsonschema::validator_for(&strict).expect("a schema");
    let bad = bad_files();
    let bad = bad.to_str().expect("a path in UTF-8");
    store(bad);
    let mut seen = BTreeSet::new();
    let mut look = |run: &str, line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert!(open.is_valid(&line), "commute {run}: {line:#}");
        assert!(
            strict.is_valid(&line),
            "commute {run}: unknown field: {line:#}"
        );
        let reason = line["reason"].as_str().expect("a reason");
        values(&line, reason, &mut seen);
    };
    for line in stored(bad).lines() {
        look("(stored)", line);
    }
    for run in RUNS {
        let run = run.replace("BAD", bad);
        let output = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(run.split(' '))
            .args(["--message-format", "json"])
            .current_dir(root())
            .env("CARGO_TERM_QUIET", "true")
            .output()
            .expect("commute runs");
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        let lines = printed.lines().filter(|line| line.starts_with('{'));
        let count = lines.inspect(|line| look(&run, line)).count();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(count > 0, "commute {run}: {errors}");
    }
    let mut all = BTreeSet::new();
    for (reason, definition) in schema["$defs"].as_object().expect("definitions") {
        fields(definition, reason, &mut all);
    }
    let unused: Vec<&String> = all
        .iter()
        .filter(|field| !seen.contains(*field) && !SELDOM.contains(&&field[..]))
        // These are the fields of findings.
        .filter(|field| !field.starts_with("difference.") || *field == "difference.change")
        .collect();
    assert!(unused.is_empty(), "no run prints {unused:#?}");
}

/// What should not pass does not.
#[test]
fn wrong_lines_do_not_fit() {
    let schema = made();
    let open = jsonschema::validator_for(&schema).expect("a schema");
    let strict = jsonschema::validator_for(&closed(&schema)).expect("a schema");
    let good = json!({"schema": 1, "reason": "candidates", "candidates": 1, "crates": 1,
                      "functions": 2, "gaps": 0});
    assert!(open.is_valid(&good) && strict.is_valid(&good));
    let changed = |key: &str, value: Value| {
        let mut line = good.clone();
        line[key] = value;
        line
    };
    assert!(open.is_valid(&changed("new", json!(1))));
    assert!(!strict.is_valid(&changed("new", json!(1))));
    for (key, value) in [
        ("schema", json!(2)),
        ("reason", json!("guess")),
        ("crates", json!("1")),
        ("crates", json!(-1)),
    ] {
        assert!(!open.is_valid(&changed(key, value)), "{key}");
    }
}
