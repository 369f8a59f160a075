//! A JSON schema, made of the tables of `docs/json.md`. A row is a field, its type and
//! its meaning. Fields of objects have their path for a name, `witness.kind`, and those of
//! the elements of an array `events[].thread`; `.kind` is beside the field before it.

use serde_json::{Value, json};

/// Before the name of what a line has the fields of, too.
const OTHERS: &str = "The other fields are those of `";

/// The schema of all lines.
pub(crate) fn schema(page: &str) -> Value {
    let parts: Vec<(Vec<String>, &str)> = page.split("\n## `").skip(1).map(part).collect();
    let so_far: Vec<&String> = parts.iter().flat_map(|(reasons, _)| reasons).collect();
    let mut definitions = serde_json::Map::new();
    for (reasons, text) in &parts {
        let [reason] = &reasons[..] else { continue };
        // The same fields under another reason, in reports that are not the last word.
        let other = format!("{reason}-so-far");
        let mut reasons = vec![reason.clone()];
        reasons.extend(so_far.contains(&&other).then_some(other));
        let mut made = definition(&reasons, text);
        if let Some((_, name)) = text.split_once(OTHERS) {
            let name = name.split('`').next().unwrap_or_default();
            add_some(&mut made, &definitions[name]);
        }
        definitions.insert(reason.clone(), made);
    }
    let refer = |name: &String| json!({"$ref": format!("#/$defs/{name}")});
    let choices: Vec<Value> = definitions.keys().map(refer).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line that Commute prints with --message-format json",
        "description": "Made of the tables of docs/json.md. Readers ignore fields that they do not know.",
        "oneOf": choices,
        "$defs": definitions,
    })
}

/// The reasons in the heading of a part, and the rest of it.
fn part(text: &str) -> (Vec<String>, &str) {
    let (heading, rest) = text.split_once('\n').unwrap_or((text, ""));
    let names = heading.split('`').step_by(2);
    (names.map(str::to_owned).collect(), rest)
}

fn definition(reasons: &[String], text: &str) -> Value {
    let mut object = empty_object();
    object["properties"] = json!({"schema": {"const": 1}, "reason": {"enum": reasons}});
    object["required"] = json!(["schema", "reason"]);
    let about = text.trim().lines().next().unwrap_or_default();
    if !about.starts_with('|') && !about.is_empty() {
        object["description"] = json!(plain(about));
    }
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    for row in rows {
        let cells: Vec<&str> = row.trim_matches(['|', ' ']).splitn(3, " | ").collect();
        let [names, kind, meaning] = cells[..] else {
            panic!("not three cells: {row}");
        };
        let mut parent = String::new();
        for name in names.split('`').skip(1).step_by(2) {
            let name = match name.starts_with('.') {
                true => format!("{parent}{name}"),
                false => name.to_owned(),
            };
            parent = name
                .rsplit_once('.')
                .map_or("", |(parent, _)| parent)
                .into();
            let path: Vec<&str> = name.split('.').collect();
            insert(&mut object, &path, kind, meaning);
        }
    }
    object
}

/// Adds the fields of another line, each of which may be absent.
fn add_some(object: &mut Value, other: &Value) {
    for (name, field) in other["properties"].as_object().into_iter().flatten() {
        let properties = object["properties"].as_object_mut().expect("an object");
        properties
            .entry(name.clone())
            .or_insert_with(|| field.clone());
    }
}

fn empty_object() -> Value {
    json!({"type": "object", "properties": {}, "required": []})
}

/// Adds a field to an object, and what is above it.
fn insert(object: &mut Value, path: &[&str], kind: &str, meaning: &str) {
    let name = path[0].trim_end_matches("[]");
    if path.len() == 1 {
        let (mut field, is_optional) = of_type(kind);
        field["description"] = json!(plain(meaning));
        object["properties"][name] = field;
        if !is_optional {
            require(object, name);
        }
        return;
    }
    if object["properties"].get(name).is_none() {
        object["properties"][name] = match path[0].ends_with("[]") {
            true => json!({"type": "array", "items": empty_object()}),
            false => empty_object(),
        };
        require(object, name);
    }
    let inner = &mut object["properties"][name];
    let inner = match path[0].ends_with("[]") {
        true => &mut inner["items"],
        false => inner,
    };
    insert(inner, &path[1..], kind, meaning);
}

fn require(object: &mut Value, name: &str) {
    let required = object["required"].as_array_mut().expect("a list");
    required.push(json!(name));
}

/// The schema of a type in words, and whether the field may be absent.
fn of_type(text: &str) -> (Value, bool) {
    let required = text.strip_prefix("optional ");
    let text = required.unwrap_or(text);
    let some = text.strip_suffix(" or null");
    let mut schema = match some.unwrap_or(text) {
        "object" => empty_object(),
        "object of integers" => {
            json!({"type": "object", "additionalProperties": of_type("integer").0})
        }
        "array" => json!({"type": "array", "items": empty_object()}),
        "array of pairs of strings" => {
            json!({"type": "array", "items": of_type("pair of strings").0})
        }
        "array of strings" => json!({"type": "array", "items": {"type": "string"}}),
        "array of integers" => json!({"type": "array", "items": of_type("integer").0}),
        "pair of strings" => {
            json!({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2})
        }
        "integer" => json!({"type": "integer", "minimum": 0}),
        plain @ ("string" | "number" | "boolean") => json!({"type": plain}),
        values if values.starts_with('`') => {
            let values: Vec<&str> = values.split('`').skip(1).step_by(2).collect();
            json!({"enum": values})
        }
        other => panic!("docs/json.md: what is {other:?}?"),
    };
    if some.is_some() {
        match schema.get_mut("enum").and_then(Value::as_array_mut) {
            Some(values) => values.push(Value::Null),
            None => schema["type"] = json!([schema["type"], "null"]),
        }
    }
    (schema, required.is_some())
}

/// Without links.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let (label, end) = (before.rfind('['), after.find(')'));
        let (Some(label), Some(end)) = (label, end) else {
            break;
        };
        out += &before[..label];
        out += &before[label + 1..];
        rest = &after[end + 1..];
    }
    out + rest
}

#[test]
fn tables_become_schemas() {
    let page = "# A\n\n## `a`\n\nAll [of it](b.md).\n\n| field | type | meaning |\n|---|---|---|\n\
                | `x` | optional `u` or `v` | a value |\n| `y[].z`, `.w` | integer or null | both |\n\n\
                ## `a-so-far` and `b-so-far`\n";
    let definition = &schema(page)["$defs"]["a"];
    assert_eq!(definition["description"], "All of it.");
    assert_eq!(definition["properties"]["x"]["enum"], json!(["u", "v"]));
    assert_eq!(definition["required"], json!(["schema", "reason", "y"]));
    let items = &definition["properties"]["y"]["items"];
    assert_eq!(items["required"], json!(["z", "w"]));
    assert_eq!(items["properties"]["w"]["type"], json!(["integer", "null"]));
    let reasons = &definition["properties"]["reason"]["enum"];
    assert_eq!(*reasons, json!(["a", "a-so-far"]));
}
