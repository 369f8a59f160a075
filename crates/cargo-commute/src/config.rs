//! `commute.toml`: what a project wants of us, at the root of its workspace.
//!
//! A command asks for the tables and keys that it knows. What has the wrong type is an
//! error with line and column; a key that nobody knows is named, with the one that was
//! probably meant.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name of the file.
pub(crate) const FILE: &str = "commute.toml";

/// The tables that commands know.
const TABLES: [&str; 1] = ["lint"];

/// A table of the file.
pub(crate) struct Section<'t> {
    file: &'t str,
    text: &'t str,
    table: DeTable<'t>,
    /// Where it begins.
    start: usize,
}

/// The text of the file of a project, if it has one.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn text(root: &Path) -> Result<Option<String>> {
    let path = root.join(FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

impl<'t> Section<'t> {
    /// All of the file.
    ///
    /// # Errors
    /// If it is no TOML.
    pub(crate) fn parse(file: &'t str, text: &'t str) -> Result<Section<'t>> {
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            anyhow!("{}: {}", place(file, text, at), error.message())
        })?;
        Ok(Section {
            file,
            text,
            start: 0,
            table: table.into_inner(),
        })
    }

    /// Where it begins: `commute.toml:3:1`.
    pub(crate) fn place(&self) -> String {
        place(self.file, self.text, self.start)
    }

    /// The table of this name, if there is one.
    ///
    /// # Errors
    /// If it is no table.
    pub(crate) fn section(&self, key: &str) -> Result<Option<Section<'t>>> {
        let value = self.value(key);
        value.map(|value| self.inner(key, value)).transpose()
    }

    /// The tables of this name: `[[key]]`.
    ///
    /// # Errors
    /// If something there is no table.
    pub(crate) fn sections(&self, key: &str) -> Result<Vec<Section<'t>>> {
        let Some(value) = self.value(key) else {
            return Ok(Vec::new());
        };
        let Some(array) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, "a list of tables"));
        };
        array.iter().map(|value| self.inner(key, value)).collect()
    }

    /// The text of this name.
    ///
    /// # Errors
    /// If it is no text.
    pub(crate) fn string(&self, key: &str) -> Result<Option<Text>> {
        let value = self.value(key);
        value
            .map(|value| self.text_of(key, value, "a string"))
            .transpose()
    }

    /// The texts of this name.
    ///
    /// # Errors
    /// If it is no list of texts.
    pub(crate) fn strings(&self, key: &str) -> Result<Vec<Text>> {
        let Some(value) = self.value(key) else {
            return Ok(Vec::new());
        };
        let Some(array) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, "a list of strings"));
        };
        let texts = array.iter();
        texts
            .map(|value| self.text_of(key, value, "a list of strings"))
            .collect()
    }

    /// What is said of the keys that are not among these.
    pub(crate) fn unknown(&self, known: &[&str]) -> Vec<String> {
        let mut unknown: Vec<&Spanned<_>> = { self.table.iter() }
            .map(|(key, _)| key)
            .filter(|key| !known.contains(&&**key.get_ref()))
            .collect();
        unknown.sort_by_key(|key| key.span().start);
        let say = |key: &Spanned<std::borrow::Cow<'_, str>>| {
            let place = place(self.file, self.text, key.span().start);
            let key = key.get_ref();
            match nearest(key, known) {
                Some(name) => format!("{place}: unknown key `{key}`; did you mean `{name}`?"),
                None => format!("{place}: unknown key `{key}`; there are {}", list(known)),
            }
        };
        unknown.into_iter().map(say).collect()
    }

    /// The same of the whole file.
    pub(crate) fn unknown_tables(&self) -> Vec<String> {
        self.unknown(&TABLES)
    }

    fn value(&self, key: &str) -> Option<&Spanned<DeValue<'t>>> {
        let mut entries = self.table.iter();
        let found = entries.find(|(name, _)| **name.get_ref() == *key);
        found.map(|(_, value)| value)
    }

    fn inner(&self, key: &str, value: &Spanned<DeValue<'t>>) -> Result<Section<'t>> {
        let table = value.get_ref().as_table();
        Ok(Section {
            file: self.file,
            text: self.text,
            start: value.span().start,
            table: { table.cloned() }.ok_or_else(|| self.wrong(key, value, "a table"))?,
        })
    }

    fn text_of(&self, key: &str, value: &Spanned<DeValue<'t>>, what: &str) -> Result<Text> {
        let text = value.get_ref().as_str();
        Ok(Text {
            text: text.ok_or_else(|| self.wrong(key, value, what))?.to_owned(),
            place: place(self.file, self.text, value.span().start),
        })
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'t>>, what: &str) -> anyhow::Error {
        let place = place(self.file, self.text, value.span().start);
        let kind = value.get_ref().type_str();
        anyhow!("{place}: `{key}` is {what}, and this is of type {kind}")
    }
}

/// A text, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Text {
    pub text: String,
    /// `commute.toml:3:9`
    pub place: String,
}

fn place(file: &str, text: &str, at: usize) -> String {
    let (line, column) = line_and_column(text, at);
    format!("{file}:{line}:{column}")
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The one of these that was probably meant.
pub(crate) fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let near = names.iter().map(|name| (distance(word, name), *name));
    let (distance, name) = near.min()?;
    (distance <= word.chars().count().max(3) / 3).then_some(name)
}

/// How many characters have to be put in, taken out or exchanged.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_with_their_places() {
        let text = "[lint]\nallow = [\"a\",\n  \"b\"]\n[[lint.suppress]]\nfile = \"x\"\n";
        let all = Section::parse("c.toml", text).unwrap();
        let lint = all.section("lint").unwrap().expect("a table");
        let allow = lint.strings("allow").unwrap();
        let places: Vec<_> = allow.iter().map(|text| &*text.place).collect();
        assert_eq!(places, ["c.toml:2:10", "c.toml:3:3"]);
        let suppress = lint.sections("suppress").unwrap();
        assert_eq!(suppress[0].place(), "c.toml:4:1");
        assert_eq!(suppress[0].string("file").unwrap().unwrap().text, "x");
        assert_eq!(suppress[0].string("code").unwrap(), None);
    }

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        let error = |text: &str| {
            let read = || -> Result<()> {
                let all = Section::parse("c.toml", text)?;
                if let Some(lint) = all.section("lint")? {
                    lint.strings("allow")?;
                    lint.sections("suppress")?;
                }
                Ok(())
            };
            read().expect_err(text).to_string()
        };
        let checks = [
            (
                "lint = 3",
                "c.toml:1:8: `lint` is a table, and this is of type integer",
            ),
            (
                "[lint]\nallow = \"x\"",
                "c.toml:2:9: `allow` is a list of strings, and this is of type string",
            ),
            (
                "[lint]\nallow = [1]",
                "c.toml:2:10: `allow` is a list of strings, and this is of type integer",
            ),
            (
                "[lint]\nsuppress = true",
                "c.toml:2:12: `suppress` is a list of tables, and this is of type boolean",
            ),
        ];
        for (text, expected) in checks {
            assert_eq!(error(text), expected);
        }
        assert!(error("[lint\n").starts_with("c.toml:1:6: "));
        let all = Section::parse("c.toml", "[lnt]\n[other]\n").unwrap();
        assert_eq!(
            all.unknown_tables(),
            [
                "c.toml:1:2: unknown key `lnt`; did you mean `lint`?",
                "c.toml:2:2: unknown key `other`; there are `lint`",
            ]
        );
    }

    #[test]
    fn what_is_near_was_meant() {
        assert_eq!(nearest("alow", &["allow", "suppress"]), Some("allow"));
        assert_eq!(nearest("x", &["allow"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
