//! What the source text says that MIR does not: whose `impl` it is, the names
//! of fields, what is `pub`.

use std::collections::BTreeMap;

use crate::rust::text::{last, plain, referent};

/// Finds source texts by their names.
pub type Finder<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What is known of the sources.
pub(crate) struct Sources<'a> {
    finder: Finder<'a>,
    files: BTreeMap<String, Option<Vec<String>>>,
    /// The fields of structures, by their names.
    fields: BTreeMap<String, Vec<String>>,
}

/// The header of an `impl`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Impl {
    /// The type, without generic arguments and modules.
    pub(crate) of: String,
    /// The trait, likewise; empty if there is none.
    pub(crate) of_trait: String,
}

impl<'a> Sources<'a> {
    pub(crate) fn new(finder: Finder<'a>) -> Sources<'a> {
        Sources {
            finder,
            files: BTreeMap::new(),
            fields: BTreeMap::new(),
        }
    }

    fn lines(&mut self, file: &str) -> Option<&[String]> {
        if !self.files.contains_key(file) {
            let text = (self.finder)(file);
            let lines = text.map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
            if let Some(lines) = &lines {
                structures(lines, &mut self.fields);
            }
            self.files.insert(file.to_owned(), lines);
        }
        self.files.get(file)?.as_deref()
    }

    /// Reads a file, so that the fields of its structures are known.
    pub(crate) fn read(&mut self, file: &str) {
        self.lines(file);
    }

    /// Whether a file has `unsafe` code.
    pub(crate) fn is_unchecked(&mut self, file: &str) -> bool {
        let lines = self.lines(file).unwrap_or_default();
        lines.iter().any(|line| {
            let code = line.split("//").next().unwrap_or_default();
            code.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == "unsafe")
        })
    }

    /// The name of a field.
    pub(crate) fn field(&self, class: &str, index: u32) -> Option<&str> {
        let fields = self.fields.get(last(class))?;
        fields.get(index as usize).map(String::as_str)
    }

    /// The header at a span such as `src/main.rs:5:1: 5:12`.
    pub(crate) fn header(&mut self, span: &str) -> Option<Impl> {
        let (start, end) = span.rsplit_once(": ")?;
        let (rest, column) = start.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        let (end_line, end_column) = end.split_once(':')?;
        let number = |text: &str| text.parse::<usize>().ok();
        let (line, column) = (number(line)?, number(column)?);
        let (end_line, end_column) = (number(end_line)?, number(end_column)?);
        let lines = self.lines(file)?;
        let mut text = String::new();
        for at in line..=end_line {
            let whole: Vec<char> = lines.get(at.checked_sub(1)?)?.chars().collect();
            let from = if at == line {
                column.saturating_sub(1)
            } else {
                0
            };
            let to = if at == end_line {
                end_column.saturating_sub(1)
            } else {
                whole.len()
            };
            let part: String = whole.get(from..to.min(whole.len()))?.iter().collect();
            text.push_str(&part);
            text.push(' ');
        }
        header(&text)
    }

    /// Whether the function of this name that is declared at or before a line
    /// is `pub`.
    pub(crate) fn is_public(&mut self, file: &str, line: u32, name: &str) -> Option<bool> {
        let lines = self.lines(file)?;
        let wanted = format!("fn {name}");
        let from = (line as usize).min(lines.len());
        lines[..from].iter().rev().take(40).find_map(|line| {
            let at = line.find(&wanted)?;
            let behind = line[at + wanted.len()..].chars().next();
            if behind.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                return None;
            }
            let before = line[..at].trim_start();
            Some(before.starts_with("pub "))
        })
    }
}

/// `impl<T> Trait for Type<T> where …`.
fn header(text: &str) -> Option<Impl> {
    let text = text.trim();
    let rest = text
        .strip_prefix("unsafe ")
        .unwrap_or(text)
        .strip_prefix("impl")?;
    let rest = plain_of_generics(rest);
    // In a macro the whole of it is there.
    let rest = rest.split(" where ").next()?.split(" {").next()?.trim();
    let (of_trait, of) = match rest.split_once(" for ") {
        Some((of_trait, of)) => (of_trait, of),
        None => ("", rest),
    };
    let name = |text: &str| last(&plain(referent(text.trim()))).trim().to_owned();
    Some(Impl {
        of: name(of),
        of_trait: name(of_trait.trim_start_matches('!')),
    })
}

/// Without the generic parameters that follow `impl`.
fn plain_of_generics(text: &str) -> String {
    let text = text.trim_start();
    if !text.starts_with('<') {
        return text.to_owned();
    }
    let mut depth = 0i32;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' => {
                depth -= 1;
                if depth == 0 {
                    return text[at + 1..].trim_start().to_owned();
                }
            }
            _ => {}
        }
    }
    text.to_owned()
}

/// Finds `struct Name { field: Type, … }`. Tuples have no names.
fn structures(lines: &[String], fields: &mut BTreeMap<String, Vec<String>>) {
    let mut at = 0;
    while at < lines.len() {
        let line = code(&lines[at]);
        if let Some(name) = structure(line)
            && line.contains('{')
        {
            let mut names = Vec::new();
            let mut depth = 0i32;
            let mut part = String::new();
            let mut row = at;
            'rows: while row < lines.len() && row < at + 400 {
                let text = code(&lines[row]);
                let text = if row == at {
                    &text[text.find('{').unwrap_or(0)..]
                } else {
                    text
                };
                let text = if text.trim_start().starts_with("#[") {
                    ""
                } else {
                    text
                };
                for c in text.chars() {
                    match c {
                        '{' | '(' | '[' | '<' => {
                            depth += 1;
                            if depth == 1 {
                                continue;
                            }
                        }
                        '>' if part.ends_with('-') => {}
                        '}' | ')' | ']' | '>' => {
                            depth -= 1;
                            if depth == 0 {
                                field_name(&part, &mut names);
                                break 'rows;
                            }
                        }
                        ',' if depth == 1 => {
                            field_name(&part, &mut names);
                            part.clear();
                            continue;
                        }
                        _ => {}
                    }
                    part.push(c);
                }
                part.push(' ');
                row += 1;
            }
            fields.entry(name.to_owned()).or_insert(names);
        }
        at += 1;
    }
}

fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

fn structure(line: &str) -> Option<&str> {
    let at = line.find("struct ")?;
    let before = line[..at].trim();
    if !(before.is_empty() || before.starts_with("pub")) {
        return None;
    }
    let rest = line[at + 7..].trim_start();
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

fn field_name(part: &str, names: &mut Vec<String>) {
    let Some((name, _)) = part.split_once(':') else {
        return;
    };
    if let Some(name) = name.split_whitespace().last() {
        names.push(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_and_fields_are_read() {
        let text = "pub struct Cache<K, V> {\n    // a comment\n    pub(crate) map: Mutex<HashMap<K, V>>,\n    hits: AtomicUsize,\n}\nimpl<K: Hash, V> Cache<K, V> {\n    pub fn get(&self) {}\n    fn own(&self) {}\n}\nimpl<T> Drop for Cache<T, T> {}\n";
        let finder = |_: &str| Some(text.to_owned());
        let mut sources = Sources::new(&finder);
        let header = sources.header("a.rs:6:1: 6:29").unwrap();
        assert_eq!(header.of, "Cache");
        let drop = sources.header("a.rs:10:1: 10:29").unwrap();
        assert_eq!(
            (drop.of.as_str(), drop.of_trait.as_str()),
            ("Cache", "Drop")
        );
        assert_eq!(sources.field("x::Cache", 0), Some("map"));
        assert_eq!(sources.field("Cache", 1), Some("hits"));
        assert_eq!(sources.is_public("a.rs", 7, "get"), Some(true));
        assert_eq!(sources.is_public("a.rs", 8, "own"), Some(false));
    }
}
