//! The JSON schema of `commute.toml`, for editors.
//!
//! It is made of the same keys that the file is read by. A copy is kept in
//! `schemas/commute.schema.json`; `UPDATE_EXPECT=1 cargo test -p cargo-commute --lib config`
//! writes it anew.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::keys::{self, Key, Kind, Table};

/// The schema, as text.
pub(crate) fn schema() -> String {
    let known = keys::known();
    let mut schema = table(&known, &known);
    let shared = known.keys.iter().map(|key| (key.name.clone(), of(key)));
    let about = "What commute does in this project, unless the command line or the environment says otherwise. Keys are the long names of options.";
    schema.extend([
        (
            "$schema".to_owned(),
            json!("http://json-schema.org/draft-07/schema#"),
        ),
        ("definitions".to_owned(), object(shared)),
        ("description".to_owned(), json!(about)),
        ("title".to_owned(), json!("commute.toml")),
    ]);
    let schema = object(schema);
    serde_json::to_string_pretty(&schema).expect("a value can be written") + "\n"
}

/// The order of keys does not depend on how the library that writes them was built.
fn object(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    let sorted: BTreeMap<String, Value> = entries.into_iter().collect();
    Value::Object(sorted.into_iter().collect())
}

fn table(table: &Table, known: &Table) -> BTreeMap<String, Value> {
    let own = table.keys.iter().filter(|key| !key.is_shared());
    let own = own.map(|key| (key.name.clone(), of(key)));
    let mut properties: BTreeMap<String, Value> = own.collect();
    for key in &known.keys {
        let reference = format!("#/definitions/{}", key.name);
        properties.insert(key.name.clone(), json!({ "$ref": reference }));
    }
    for below in &table.tables {
        let name = below.path.last().expect("a command has a name");
        let value = object(self::table(below, known));
        properties.insert(name.clone(), value);
    }
    for name in table.besides() {
        properties.insert((*name).to_owned(), beside(name));
    }
    BTreeMap::from([
        ("additionalProperties".to_owned(), json!(false)),
        ("description".to_owned(), json!(table.about)),
        ("properties".to_owned(), object(properties)),
        ("type".to_owned(), json!("object")),
    ])
}

fn of(key: &Key) -> Value {
    let mut one = BTreeMap::new();
    match key.kind() {
        Kind::Flag => one.insert("type", json!("boolean")),
        // What can be is asked of the option.
        Kind::Integer => {
            let least = if key.accepts("0") { 0 } else { 1 };
            one.insert("minimum", json!(least));
            one.insert("type", json!("integer"))
        }
        Kind::Number => {
            if !key.accepts("-1") {
                one.insert("minimum", json!(0));
            }
            if !key.accepts("2") {
                one.insert("maximum", json!(1));
            }
            one.insert("type", json!("number"))
        }
        Kind::Text => {
            if let Some(pattern) = key.pattern() {
                one.insert("pattern", json!(pattern));
            } else if !key.accepts("") {
                one.insert("minLength", json!(1));
            }
            one.insert("type", json!("string"))
        }
        Kind::Choice(choices) => one.insert("enum", json!(choices)),
    };
    if key.is_list() {
        let items = object(
            one.into_iter()
                .map(|(name, value)| (name.to_owned(), value)),
        );
        one = BTreeMap::from([("items", items), ("type", json!("array"))]);
    }
    one.insert("description", json!(key.help()));
    if let [default] = &key.default()[..] {
        let number = default.parse::<serde_json::Number>();
        let value = match (key.kind(), number) {
            (Kind::Flag, _) => json!(default == "true"),
            (Kind::Integer | Kind::Number, Ok(number)) => Value::Number(number),
            _ => json!(default),
        };
        one.insert("default", value);
    }
    object(
        one.into_iter()
            .map(|(name, value)| (name.to_owned(), value)),
    )
}

/// What is in the table of the lint and is no option.
fn beside(name: &str) -> Value {
    let code = json!({ "enum": ["CM201", "CM202"] });
    let glob = |what: &str| json!({ "description": what, "type": "string" });
    let suppressed = json!({
        "additionalProperties": false,
        "minProperties": 1,
        "properties": {
            "code": code,
            "file": glob("A glob: a file on the way of the value"),
            "function": glob("A glob: a function on the way of the value"),
            "variable": glob("A glob: the variable"),
        },
        "type": "object",
    });
    match name {
        "allow" => json!({
            "description": "Findings that nobody wants to see, by code or name",
            "items": {
                "enum": ["CM201", "CM202", "high_level_data_race", "stale_value"],
            },
            "type": "array",
        }),
        _ => json!({
            "description": "Findings that are known and wanted: what all of the named globs fit; or a file of them, as on the command line",
            "oneOf": [
                { "items": suppressed, "type": "array" },
                { "$ref": "#/definitions/suppress" },
            ],
        }),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;
    use crate::config::template;

    fn check(text: &str) -> Result<(), String> {
        let schema: Value = serde_json::from_str(&schema()).expect("JSON");
        let validator = jsonschema::draft7::new(&schema).expect("a schema");
        let file: Value = toml::from_str(text).expect(text);
        let result = validator.validate(&file);
        result.map_err(|error| format!("{}: {error}", error.instance_path()))
    }

    #[test]
    fn the_schema_that_is_kept_is_this_one() {
        expect_file!["../../../../schemas/commute.schema.json"].assert_eq(&schema());
    }

    #[test]
    fn what_init_writes_is_valid_even_with_every_line_counting() {
        let text = template::template();
        check(&text).expect("all of it is a comment");
        let keys = template::uncommented(&text);
        assert!(keys.contains("\nmessage-format = "), "{keys}");
        check(&keys).expect("valid");
    }

    #[test]
    fn good_files_are_valid_and_bad_ones_are_not() {
        for good in [
            "quiet = true\nspec = ['a.ecl']\n[check]\nonly = ['races']\nmax-findings = 3",
            "suppress = 'known'\n[[lint.suppress]]\ncode = 'CM202'\nvariable = 'a*'",
            "[lint]\nallow = ['stale_value']\nsuppress = 'known'",
            "[test]\nmax-seconds = 1.5\nmax-memory = '4G'\n[trace.show]\nevents = '1..3'",
            "[trace.info]\nquiet = true",
        ] {
            check(good).expect(good);
        }
        for bad in [
            "quite = true",
            "quiet = 1",
            "max-findings = -1",
            "max-findings = '5'",
            "[check]\nonly = 'races'",
            "[check]\nonly = ['race']",
            "[test]\nengine = 'fast'",
            "[spec]\nx = 1",
            "[lint]\nallow = ['stale']",
            "[[lint.suppress]]",
            "[[lint.suppress]]\nfnction = 'x'",
            "config = 'x'",
            "html = ''",
            "object = ['x']",
            "[test]\nmax-seconds = -1",
            "[test]\nmax-memory = 'SIZE'",
            "[test]\njobs = 0",
            "[test]\nshard = 'I/N'",
            "[trace.show]\nevents = '0..3'",
            "[trace.generate]\nconflicts = 2",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    /// A pattern says of a text what the option says of it.
    #[test]
    fn patterns_are_those_of_the_options() {
        let known = keys::known();
        let tables = known.all();
        for (name, texts) in [
            (
                "max-memory",
                &["4G", "500 MiB", "12k", "4096", "0", "G", "4X", "-1", ""][..],
            ),
            ("shard", &["1/4", "4/4", "0/4", "I/N", "1", "1/", "/4"]),
            (
                "events",
                &["1..3", "..3", "3..", "..", "1..=3", "0..3", "x..3", "3"],
            ),
            ("object", &["a=b", "a=b=c", "a=", "=b", "a", ""]),
        ] {
            let mut keys = tables.iter().flat_map(|table| &table.keys);
            let key = keys.find(|key| key.name == name && key.pattern().is_some());
            let key = key.expect(name);
            let schema = json!({ "pattern": key.pattern() });
            let validator = jsonschema::draft7::new(&schema).expect("a schema");
            for text in texts {
                let fits = validator.is_valid(&json!(text));
                assert_eq!(fits, key.accepts(text), "{name} = {text:?}");
            }
        }
    }

    /// Names of the lint are known to the lint.
    #[cfg(unix)]
    #[test]
    fn what_may_be_allowed_is_known() {
        let schema: Value = serde_json::from_str(&schema()).expect("JSON");
        let names = &schema["properties"]["lint"]["properties"]["allow"]["items"]["enum"];
        let names = names.as_array().expect("names");
        let known = crate::lint::NAMES.map(|(name, code)| [name.to_owned(), code.to_string()]);
        let mut known: Vec<String> = known.into_iter().flatten().collect();
        known.sort();
        assert_eq!(*names, known);
    }
}
