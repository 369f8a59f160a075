//! `commute spec`: what people and machines are told about specifications, and
//! about arguments that are none.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn spec(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_commute"))
        .arg("spec")
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("commute runs")
}

/// The lines of JSON, the last one apart, and the exit code.
fn json(args: &[&str]) -> (Vec<Value>, Value, Option<i32>) {
    let output = spec(&[args, &["--message-format", "json"]].concat());
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let lines = text.lines();
    let mut lines: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    let last = lines.pop().expect("there is a line");
    assert!(lines.iter().all(|line| line["schema"] == 1));
    assert_eq!(last["reason"], "summary", "{args:?}");
    (lines, last, output.status.code())
}

/// A directory of these files.
fn directory(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("a temporary directory can be made");
    for (name, text) in files {
        std::fs::write(path.join(name), text).expect("a temporary file can be written");
    }
    path
}

const HEAP: &str = "type heap {
  push(v)  mutates
  pop() -> r  mutates r != nil
  push ~ push : true
  push(v1) ~ pop()/r2 : r2 != nil && v1 > r2
  pop ~ pop : false
}
";

#[test]
fn show_describes_a_specification_in_json() {
    let (lines, summary, code) = json(&["show", "dictionary"]);
    assert_eq!((code, &summary["verdict"]), (Some(0), &"clean".into()));
    let [dictionary] = &lines[..] else {
        panic!("one type: {lines:?}")
    };
    assert_eq!(dictionary["reason"], "specification");
    assert_eq!(dictionary["name"], "dictionary");
    assert_eq!(dictionary["model"], "map");
    let put = &dictionary["methods"][0];
    assert_eq!(put["signature"], "put(k, v) -> p");
    assert_eq!(put["mutates"], "v != p");
    let pair = &dictionary["pairs"][1];
    assert_eq!(pair["methods"], serde_json::json!(["put", "get"]));
    assert_eq!(pair["condition"], "k1 != k2 || v1 == p1");
    assert_eq!(
        (&pair["class"], &pair["culprit"]),
        (&"ECL".into(), &Value::Null)
    );
    let point = &dictionary["points"][1];
    assert_eq!(point["name"], "w:k");
    assert_eq!(point["conflicts"], serde_json::json!(["r:k", "w:k"]));
    let touch =
        serde_json::json!({"method": "put", "key": "k", "elements": false, "when": "v != p"});
    assert_eq!(point["touches"], serde_json::json!([touch]));
    assert_eq!(dictionary["linear"], serde_json::json!([]));
}

#[test]
fn show_names_what_is_outside_ecl_in_json() {
    let path = directory("heap", &[("heap.ecl", HEAP)]).join("heap.ecl");
    let (lines, _, code) = json(&["show", &path.to_string_lossy()]);
    assert_eq!(code, Some(0));
    let pair = &lines[0]["pairs"][1];
    assert_eq!(
        (&pair["class"], &pair["culprit"]),
        (&"L2".into(), &"v1 > r2".into())
    );
    assert_eq!(lines[0]["linear"], serde_json::json!([["push", "pop"]]));
    assert_eq!(lines[0]["methods"][0]["mutates"], "true");
}

#[test]
fn check_and_verify_speak_json() {
    let (lines, summary, code) = json(&["verify", "set", "priority_queue"]);
    assert_eq!((code, &summary["verdict"]), (Some(0), &"clean".into()));
    let verified: Vec<_> = lines
        .iter()
        .filter(|l| l["reason"] == "verification")
        .collect();
    let names: Vec<_> = verified.iter().map(|line| &line["name"]).collect();
    assert_eq!(names, ["set", "priority_queue"]);
    assert!(verified.iter().all(|line| line["verdict"] == "sound"));
    let path = directory(
        "json",
        &[("bad.ecl", "type a { f(x) f(x1) ~ f(x2) : x1 != x3 }")],
    );
    let (lines, summary, code) = json(&["check", &path.to_string_lossy()]);
    assert_eq!((code, &summary["findings"]), (Some(2), &1.into()));
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(lines[0]["code"], "CM902");
}

/// Exit code 2 and this text, for people and for machines.
fn refused(args: &[&str], message: &str, help: &str) {
    let output = spec(args);
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    assert!(text.contains("error: "), "{args:?}: {text}");
    assert!(text.contains(message), "{args:?}: {text}");
    assert!(text.contains(help), "{args:?}: {text}");
    let (lines, summary, code) = json(args);
    assert_eq!((code, &summary["verdict"]), (Some(2), &"violations".into()));
    let contains = |line: &Value, field: &str, text: &str| {
        line[field].as_str().unwrap_or_default().contains(text)
    };
    let found = lines
        .iter()
        .any(|line| contains(line, "message", message) && contains(line, "help", help));
    assert!(found, "{args:?}: {lines:?}");
    assert!(
        lines
            .iter()
            .all(|l| l["reason"] != "diagnostic" || l["location"]["file"].is_string())
    );
}

#[test]
fn what_is_no_specification_is_refused_with_advice() {
    let path = directory(
        "refused",
        &[
            ("heap.ecl", HEAP),
            ("empty.txt", "# nothing\n"),
            (
                "models.ecl",
                "type a { model mpa  f()  f ~ f : true }
type b { f()  f ~ f : true }
type c { model map  sise() -> n  get() -> v
  sise ~ sise, sise ~ get, get ~ get : true }",
            ),
        ],
    );
    let file = |name: &str| path.join(name).to_string_lossy().into_owned();
    for command in ["check", "show", "verify"] {
        refused(
            &[command, "dictonary"],
            "no specification `dictonary`",
            "mean `dictionary`?",
        );
        refused(
            &[command, "no_such_thing"],
            "`no_such_thing`",
            "there are atomic, ",
        );
        refused(&[command, &file("haep.ecl")], "haep.ecl: ", "heap.ecl`?");
        refused(
            &[command, &file("empty.txt")],
            "empty.txt contains no type",
            "`type name {`",
        );
        refused(
            &[command, "heep", "--spec", &file("heap.ecl")],
            "`heep`",
            "mean `heap`?",
        );
    }
    let models = file("models.ecl");
    refused(&["verify", &models], "no model `mpa`", "mean `map`?");
    refused(
        &["verify", &models],
        "`b` cannot be verified: it names no model",
        "the models are atomic",
    );
    refused(
        &["verify", &models],
        "the model has no method `sise`",
        "mean `size`?",
    );
    refused(
        &["verify", &models],
        "`get` is declared with 0 arguments and 1 result",
        "",
    );
}

#[test]
fn directories_and_types_of_files_are_named_like_shipped_types() {
    let path = directory(
        "both",
        &[
            ("a.ecl", HEAP),
            ("b.ecl", "type b { f()  f ~ f : true }\ntype c { }"),
        ],
    );
    let path = path.to_string_lossy();
    let names = |args: &[&str]| {
        let (lines, _, code) = json(&[&["show"], args].concat());
        assert_eq!(code, Some(0), "{args:?}");
        let name = |line: &Value| line["name"].as_str().unwrap_or("?").to_owned();
        lines.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&[&path]), ["heap", "b", "c"]);
    assert_eq!(names(&["--spec", &path]), ["heap", "b", "c"]);
    assert_eq!(names(&["c", "set", "--spec", &path]), ["c", "set"]);
    assert_eq!(spec(&["check", &path]).status.code(), Some(0));
    assert_eq!(spec(&["verify", &path]).status.code(), Some(2));
}

/// What `commute check` says in this directory about an object of this type.
fn check_in(directory: &Path, of: &str, action: &str) -> (Option<i32>, String) {
    let trace = format!(
        "T0|new(o:{of})|a.rs:1\nT0|fork(T1)|a.rs:2\nT0|o.push(1)|a.rs:3\nT1|{action}|a.rs:4\n"
    );
    let file = directory.join("trace.std");
    std::fs::write(&file, trace).expect("a temporary file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(["check", "--only", "races"])
        .arg(&file)
        .current_dir(directory)
        .output()
        .expect("commute runs");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[test]
fn specifications_of_the_package_are_found() {
    let package = directory("package", &[("Cargo.toml", "")]);
    let all_commutes =
        "type stack { push(v) pop() -> r push ~ push, push ~ pop, pop ~ pop : true }";
    directory(
        "package/specs",
        &[
            ("heap.ecl", HEAP),
            ("stack.ecl", all_commutes),
            ("broken.ecl", "type broken {"),
        ],
    );
    let inner = directory("package/src/inner", &[]);
    for directory in [&package, &inner] {
        let (code, text) = check_in(directory, "heap", "o.pop()/1");
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("(heap)"), "{text}");
        // Nobody asked for this one.
        assert!(text.contains("broken.ecl is not a usable"), "{text}");
        // And nobody wants another `stack` than that which everybody has.
        let (code, text) = check_in(directory, "stack", "o.push(2)");
        assert_eq!(code, Some(1), "{text}");
    }
    // A folder of the name is no package.
    let other = directory("no_package", &[]);
    directory(
        "no_package/specs",
        &[("mound.ecl", &HEAP.replace("heap", "mound"))],
    );
    let (code, text) = check_in(&other, "mound", "o.pop()/1");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("no specification"), "{text}");
}
