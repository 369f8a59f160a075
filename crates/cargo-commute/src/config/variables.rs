//! What the environment says about options: `COMMUTE_QUIET=1`, `COMMUTE_CHECK_ONLY=races`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use anyhow::{Result, anyhow};

use super::keys::{Key, Kind, Table};
use super::values::Setting;

/// The variable that names the file.
pub(super) const CONFIG: &str = "COMMUTE_CONFIG";

/// The variable of a key of this table.
pub(super) fn name(path: &[String], key: &str) -> String {
    let mut name = String::from("COMMUTE");
    for word in path.iter().map(String::as_str).chain([key]) {
        name.push('_');
        name.push_str(&word.replace('-', "_").to_uppercase());
    }
    name
}

/// The value of a variable; an empty one says nothing.
pub(super) fn value(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// What the environment says about a key for the commands of this table.
///
/// # Errors
/// If it cannot be that.
pub(super) fn setting<'k>(path: &[String], key: &'k Key) -> Result<Option<Setting<'k>>> {
    let source = name(path, &key.name);
    let Some(value) = value(&source) else {
        return Ok(None);
    };
    let words = words(key, &value).map_err(|reason| anyhow!("the variable {source}: {reason}"))?;
    Ok(Some(Setting {
        key,
        words,
        source,
        is_in_file: false,
        outside: None,
    }))
}

/// Variables that say nothing because the name of a command is missing in theirs.
pub(super) fn misplaced(known: &Table) -> Vec<String> {
    let tables = known.all();
    let own = |table: &&&Table| !table.path.is_empty();
    let mut commands: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for table in tables.iter().filter(own) {
        for key in table.keys.iter().filter(|key| !key.is_shared()) {
            let whole = name(&table.path, &key.name);
            commands
                .entry(name(&[], &key.name))
                .or_default()
                .push(whole);
        }
    }
    let set = commands
        .into_iter()
        .filter(|(name, _)| value(name).is_some());
    set.map(|(name, whole)| {
        format!(
            "the variable {name} says nothing: the name of a command belongs in it, as in {}",
            whole.join(", ")
        )
    })
    .collect()
}

fn words(key: &Key, value: &OsStr) -> Result<Vec<OsString>, String> {
    let name = &key.name;
    let text = value.to_str();
    if key.kind() == Kind::Flag {
        let text = text.unwrap_or_default().to_ascii_lowercase();
        return match &*text {
            "1" | "true" | "yes" | "on" => Ok(vec!["true".into()]),
            "0" | "false" | "no" | "off" => Ok(vec!["false".into()]),
            _ => Err(format!(
                "`{name}` is switched by `1` and `0` (or `true` and `false`), not by `{}`",
                value.to_string_lossy()
            )),
        };
    }
    let words: Vec<OsString> = match text {
        Some(text) if key.is_list() => {
            let parts = text.split(key.separator()).map(str::trim);
            parts
                .filter(|part| !part.is_empty())
                .map(OsString::from)
                .collect()
        }
        _ => vec![value.to_owned()],
    };
    for word in &words {
        key.check(word)?;
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::keys;

    #[test]
    fn names_follow_one_rule() {
        assert_eq!(name(&[], "max-findings"), "COMMUTE_MAX_FINDINGS");
        let path = ["trace", "show"].map(str::to_owned);
        assert_eq!(name(&path, "events"), "COMMUTE_TRACE_SHOW_EVENTS");
    }

    #[test]
    fn values_are_taken_apart() {
        let known = keys::known();
        let tables = known.all();
        let key = |name: &str| {
            let mut keys = tables.iter().flat_map(|table| &table.keys);
            keys.find(|key| key.name == name).expect(name)
        };
        let read = |name: &str, value: &str| words(key(name), value.as_ref());
        let is = |words: &[&str]| Ok(words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(read("quiet", "1"), is(&["true"]));
        assert_eq!(read("quiet", "off"), is(&["false"]));
        assert_eq!(
            read("quiet", "maybe"),
            Err(
                "`quiet` is switched by `1` and `0` (or `true` and `false`), not by `maybe`"
                    .to_owned()
            )
        );
        assert_eq!(
            read("only", "races, atomicity"),
            is(&["races", "atomicity"])
        );
        assert_eq!(read("spec", "a.ecl:b,c.ecl"), is(&["a.ecl", "b,c.ecl"]));
        assert_eq!(read("features", "a b"), is(&["a", "b"]));
        assert_eq!(read("max-findings", "5"), is(&["5"]));
        assert!(read("max-findings", "five").is_err());
    }
}
