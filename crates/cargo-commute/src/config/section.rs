//! Tables of `commute.toml`, and where everything in them stands.
//!
//! What has the wrong type is an error with line and column; a key that nobody knows is
//! named, with the one that was probably meant.

use std::borrow::Cow;

use anyhow::{Result, anyhow};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::nearest::nearest;

/// A table of the file.
pub(crate) struct Section<'t> {
    file: &'t str,
    text: &'t str,
    table: DeTable<'t>,
    /// Where it begins.
    start: usize,
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
        let entries = self.entries().into_iter();
        let unknown = entries.filter(|(key, _)| !known.contains(&&**key.get_ref()));
        unknown
            .map(|(key, _)| self.unknown_key(key, known))
            .collect()
    }

    /// The same of one key.
    fn unknown_key(&self, key: &Spanned<Cow<'t, str>>, known: &[&str]) -> String {
        let advice = match nearest(key.get_ref(), known) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("there are {}", list(known)),
        };
        self.unknown_with(key, &advice)
    }

    /// The same with other advice.
    pub(super) fn unknown_with(&self, key: &Spanned<Cow<'t, str>>, advice: &str) -> String {
        let (place, key) = (self.place_of(key), key.get_ref());
        format!("{place}: unknown key `{key}`; {advice}")
    }

    /// Keys and values, in the order of the text.
    pub(super) fn entries(&self) -> Vec<(&Spanned<Cow<'t, str>>, &Spanned<DeValue<'t>>)> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    /// Where something of the file stands: `commute.toml:3:9`.
    pub(super) fn place_of<T>(&self, part: &Spanned<T>) -> String {
        place(self.file, self.text, part.span().start)
    }

    fn value(&self, key: &str) -> Option<&Spanned<DeValue<'t>>> {
        let mut entries = self.table.iter();
        let found = entries.find(|(name, _)| **name.get_ref() == *key);
        found.map(|(_, value)| value)
    }

    /// The table that this value is.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn inner(&self, key: &str, value: &Spanned<DeValue<'t>>) -> Result<Section<'t>> {
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
            place: self.place_of(value),
        })
    }

    /// That a value is not what the key is.
    pub(super) fn wrong(
        &self,
        key: &str,
        value: &Spanned<DeValue<'t>>,
        what: &str,
    ) -> anyhow::Error {
        let place = self.place_of(value);
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

/// Names as they stand in a message.
pub(super) fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
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
            all.unknown(&["lint"]),
            [
                "c.toml:1:2: unknown key `lnt`; did you mean `lint`?",
                "c.toml:2:2: unknown key `other`; there are `lint`",
            ]
        );
    }
}
