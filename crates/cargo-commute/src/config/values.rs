//! From values of the file to words of a command line.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, anyhow};
use toml::Spanned;
use toml::de::{DeInteger, DeValue};

use super::file::File;
use super::keys::{Key, Kind, NO_KEYS, Table};
use super::nearest::{is_same, nearest};
use super::section::Section;

/// What the file or the environment says about an option.
#[derive(Debug)]
pub(super) struct Setting<'k> {
    pub key: &'k Key,
    /// The values, as words of a command line.
    pub words: Vec<OsString>,
    /// Where it says so.
    pub source: String,
    /// Whether that is in the file.
    pub is_in_file: bool,
    /// Why it cannot be done, if it would write outside of the folder of the file.
    pub outside: Option<String>,
}

impl Setting<'_> {
    /// Whether anything is asked for: `false` and an empty list only say that nothing is.
    pub(super) fn is_on(&self) -> bool {
        match self.key.kind() {
            Kind::Flag => self.words.iter().any(|word| word == "true"),
            _ => !self.words.is_empty(),
        }
    }
}

/// What the file says.
#[derive(Default)]
pub(super) struct Contents<'k> {
    /// For each table its words and what it says.
    pub tables: Vec<(&'k [String], Vec<Setting<'k>>)>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

/// What a file says about the options of these tables.
///
/// # Errors
/// If it is no TOML, or a value cannot be one.
pub(super) fn read<'k>(file: &File, known: &'k Table) -> Result<Contents<'k>> {
    let name = file.name();
    let section = Section::parse(&name, &file.text)?;
    let mut contents = Contents::default();
    Reading {
        file,
        shared: known,
    }
    .table(&section, known, &mut contents)?;
    Ok(contents)
}

struct Reading<'f, 'k> {
    file: &'f File,
    /// The table of what every command has.
    shared: &'k Table,
}

impl<'k> Reading<'_, 'k> {
    fn table(
        &self,
        section: &Section<'_>,
        table: &'k Table,
        contents: &mut Contents<'k>,
    ) -> Result<()> {
        let mut settings = Vec::new();
        // What every command has may be said for one of them.
        let own = table.keys.iter().filter(|key| !key.is_shared());
        let keys: Vec<&Key> = own.chain(&self.shared.keys).collect();
        for (name, value) in section.entries() {
            let word = &**name.get_ref();
            if let Some(below) = table.below(word) {
                self.table(&section.inner(word, value)?, below, contents)?;
                continue;
            }
            // `[[lint.suppress]]` is no option; `suppress = "FILE"` is one.
            if table.besides().contains(&word) && !value.get_ref().is_str() {
                continue;
            }
            match keys.iter().find(|key| key.name == word) {
                Some(key) => settings.push(Setting {
                    key,
                    words: self.words(key, section, value)?,
                    source: section.place_of(name),
                    is_in_file: true,
                    outside: self.outside(key, section, value),
                }),
                None => {
                    let names = keys.iter().map(|key| key.name.as_str());
                    let below = table.tables.iter().filter_map(|table| table.path.last());
                    let mut names: Vec<&str> = names.chain(below.map(String::as_str)).collect();
                    names.extend(table.besides());
                    names.sort_unstable();
                    names.dedup();
                    let advice = self.advice(word, table, &names);
                    contents.warnings.push(section.unknown_with(name, &advice));
                }
            }
        }
        contents.tables.push((&table.path, settings));
        Ok(())
    }

    /// What to do about a key that this table does not have.
    fn advice(&self, word: &str, table: &Table, names: &[&str]) -> String {
        if let Some(reason) = self.no_key(word) {
            return reason;
        }
        let near = nearest(word, names);
        let meant = |name: &str| format!("did you mean `{name}`?");
        if let Some(name) = near.filter(|name| is_same(name, word)) {
            return meant(name);
        }
        // It may be a key of other tables.
        let mut key = word;
        let mut others: Vec<String> = Vec::new();
        for other in self.shared.all() {
            if let Some(found) = other.keys.iter().find(|key| is_same(&key.name, word)) {
                key = &found.name;
                others.push(format!("`[{}]`", other.name()));
            }
        }
        match (&others[..], near) {
            ([], Some(name)) => meant(name),
            ([], None) => {
                let words = [&["commute".to_owned()], &table.path[..]].concat();
                format!("`{} --help` shows which there are", words.join(" "))
            }
            ([one], _) => format!("`{key}` belongs in {one}"),
            ([most @ .., last], _) => format!("`{key}` belongs in {} or {last}", most.join(", ")),
        }
    }

    /// Why an option of the command line is no key.
    fn no_key(&self, word: &str) -> Option<String> {
        if NO_KEYS.contains(&word) {
            return Some(format!("`--{word}` can only be typed"));
        }
        let positive = word.strip_prefix("no-")?;
        let tables = self.shared.all();
        let mut keys = tables.iter().flat_map(|table| &table.keys);
        keys.any(|key| key.name == positive)
            .then(|| format!("it can only be typed; the key is `{positive}`"))
    }

    fn words(
        &self,
        key: &Key,
        section: &Section<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<OsString>> {
        let what = description(key);
        let values = match (key.is_list(), value.get_ref().as_array()) {
            (true, Some(values)) => values.iter().collect(),
            (true, None) => return Err(section.wrong(&key.name, value, &what)),
            (false, _) => vec![value],
        };
        let word = |value: &Spanned<DeValue<'_>>| {
            let found = word(&key.kind(), value.get_ref());
            let word = found.ok_or_else(|| section.wrong(&key.name, value, &what))?;
            let problem = |reason| anyhow!("{}: {reason}", section.place_of(value));
            key.check(word.as_ref()).map_err(problem)?;
            Ok(self.meant(key, &word))
        };
        values.into_iter().map(word).collect()
    }

    /// That a file would be written outside of the folder of the configuration file.
    fn outside(
        &self,
        key: &Key,
        section: &Section<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<String> {
        let path = value.get_ref().as_str().filter(|_| key.is_written())?;
        // Standard output.
        let all = self.written(key, path);
        if path == "-" || all.iter().all(|path| self.file.may_write(path)) {
            return None;
        }
        let (place, name) = (section.place_of(value), &key.name);
        Some(format!(
            "{place}: `{name}` is outside of the folder of this file, below which a configuration file may have something written; give it on the command line (`--{name}`)"
        ))
    }

    /// The files and folders that are written for this value of a key: of `out-dir` these two,
    /// of a trace also those of further processes (`FILE-2`).
    fn written(&self, key: &Key, path: &str) -> Vec<String> {
        let mut all = vec![path.to_owned()];
        match &*key.name {
            "out-dir" => all.extend(["findings", "schedules"].map(|name| format!("{path}/{name}"))),
            "save" | "output" => {
                let stem = Path::new(path).file_stem().unwrap_or_default();
                let start = format!("{}-", stem.to_string_lossy());
                let file = Path::new(".").join(self.file.relative(path));
                let entries = file.parent().and_then(|folder| folder.read_dir().ok());
                let names = entries.into_iter().flatten().flatten();
                let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
                let others = names.filter(|name| name.starts_with(&start));
                all.extend(others.map(|name| format!("{path}/../{name}")));
            }
            _ => {}
        }
        all
    }

    /// The word with paths as they are from here.
    fn meant(&self, key: &Key, word: &str) -> OsString {
        match word.strip_prefix('@') {
            // Standard input or output.
            _ if word == "-" => word.into(),
            _ if key.is_path() => self.file.relative(word).into(),
            Some(path) if key.is_pattern() => {
                let mut word = OsString::from("@");
                word.push(self.file.relative(path));
                word
            }
            _ => word.into(),
        }
    }
}

fn word(kind: &Kind, value: &DeValue<'_>) -> Option<String> {
    match (kind, value) {
        (Kind::Flag, DeValue::Boolean(value)) => Some(value.to_string()),
        (Kind::Integer | Kind::Number, DeValue::Integer(number)) => Some(digits(number)),
        (Kind::Number, DeValue::Float(number)) => Some(number.as_str().to_owned()),
        (Kind::Choice(_) | Kind::Text, DeValue::String(text)) => Some(text.to_string()),
        _ => None,
    }
}

/// The number in decimal digits, if it is not too large for us anyway.
fn digits(number: &DeInteger<'_>) -> String {
    let text = number.as_str();
    let value = i128::from_str_radix(text, number.radix());
    value.map_or_else(|_| text.to_owned(), |value| value.to_string())
}

/// What an option is, for people.
pub(super) fn description(key: &Key) -> String {
    let (one, several) = match key.kind() {
        Kind::Flag => ("true or false", "a list of true and false"),
        Kind::Integer => ("an integer", "a list of integers"),
        Kind::Number => ("a number", "a list of numbers"),
        Kind::Choice(_) | Kind::Text => ("a string", "a list of strings"),
    };
    if key.is_list() { several } else { one }.to_owned()
}
