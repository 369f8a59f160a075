//! The keys as people want to read them: each explained once.

use std::collections::BTreeMap;

use super::keys::{Key, Kind, Table};

/// A table, and what is new in it.
pub(super) struct Outline<'k> {
    pub table: &'k Table,
    /// Keys that no table before has.
    pub new: Vec<&'k Key>,
    /// Tables before, and the keys that are the same here.
    pub as_in: BTreeMap<String, Vec<&'k str>>,
}

/// All tables that have keys.
pub(super) fn outline(known: &Table) -> Vec<Outline<'_>> {
    let mut first: BTreeMap<(&str, String), String> = BTreeMap::new();
    let mut outlines = Vec::new();
    for table in known.all() {
        let mut outline = Outline {
            table,
            new: Vec::new(),
            as_in: BTreeMap::new(),
        };
        for key in &table.keys {
            // The same name may mean something else there.
            let what = (&*key.name, format!("{} {:?}", key.help(), key.kind()));
            match first.get(&what) {
                Some(before) => {
                    let names: &mut Vec<&str> = outline.as_in.entry(before.clone()).or_default();
                    names.push(&key.name);
                }
                None => {
                    first.insert(what, table.name());
                    outline.new.push(key);
                }
            }
        }
        if !table.keys.is_empty() {
            outlines.push(outline);
        }
    }
    outlines
}

/// The default as it is written in the file, if there is one.
pub(super) fn default(key: &Key) -> Option<String> {
    match (key.kind(), key.default().first()) {
        _ if key.is_list() => Some("[]".to_owned()),
        (Kind::Flag | Kind::Integer | Kind::Number, Some(default)) => Some(default.clone()),
        (_, Some(default)) => Some(format!("\"{default}\"")),
        (_, None) => None,
    }
}

/// What counts if nobody says anything, in words, where it depends: on the machine, say.
pub(super) fn default_in_words(key: &Key) -> Option<String> {
    let help = key.help();
    let (_, words) = help.split_once("[default: ")?;
    let (words, _) = words.rsplit_once(']')?;
    Some(words.to_owned())
}

/// The first thing that the help says, and what can be chosen.
pub(super) fn brief(key: &Key) -> String {
    let help = key.help();
    let ends = [";", " [", ", as `", ": `"].map(|end| help.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(help.len());
    match key.kind() {
        Kind::Choice(choices) => format!("{}: {}", &help[..end], choices.join(", ")),
        _ => help[..end].to_owned(),
    }
}
