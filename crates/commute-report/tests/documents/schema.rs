//! The schema of SARIF 2.1.0. Tests of other crates use it, too.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// What cargo prints.
fn cargo(args: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().expect("cargo runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    match output.status.success() {
        true => Ok(text(output.stdout)),
        false => Err(format!("cargo {args:?}: {}", text(output.stderr))),
    }
}

/// The official schema, as the crate `serde-sarif` ships it. Cargo knows where
/// that crate is.
pub(crate) static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    // Crates for other platforms have not been fetched.
    let version = cargo(&["-vV"]).expect("a version");
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let of_host = ["--filter-platform", host.expect("a platform")];
    let metadata = [&["metadata", "--format-version", "1"][..], &of_host].concat();
    // A build of this crate alone has not fetched what the others need.
    let metadata = cargo(&[&metadata[..], &["--offline"]].concat())
        .or_else(|_| cargo(&metadata))
        .expect("what cargo knows of the workspace");
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|p| p["name"] == "serde-sarif");
    let manifest = package.expect("a dependency")["manifest_path"].as_str();
    let schema = PathBuf::from(manifest.expect("a path")).with_file_name("src/schema.json");
    let schema = std::fs::read_to_string(schema).expect("the schema is there");
    let mut schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    assert_eq!(
        schema["title"],
        "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"
    );
    // The pattern of `language`, which we do not write, has a bracket too many
    // and is no regular expression.
    for object in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][object]["properties"]["language"];
        language
            .as_object_mut()
            .expect("an object")
            .remove("pattern");
    }
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("the schema is a schema")
});

/// The document, if it is one that the standard allows.
pub(crate) fn valid(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).expect("JSON");
    let errors: Vec<_> = SCHEMA
        .iter_errors(&document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    document
}
