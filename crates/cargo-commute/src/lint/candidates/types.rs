//! Types as the compiler prints them, and as a test at the end of the same file writes
//! them.
//!
//! There, whatever the file imports is known by its last name; what is std's is written
//! with its path.

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Named {
        path: String,
        arguments: Vec<Ty>,
        /// Whether it borrows from something.
        borrows: bool,
    },
    Reference {
        mutable: bool,
        to: Box<Ty>,
    },
    Slice(Box<Ty>),
    Tuple(Vec<Ty>),
    /// `impl FnOnce(A, B) -> C`, with so many parameters.
    Closure(usize),
    /// What is made of a value of this type: `impl Into<T>`.
    Into(Box<Ty>),
    /// A generic parameter whose argument the user has to write, by its name.
    Generic(String),
    /// Anything else, as it is printed.
    Other(String),
}

impl Ty {
    pub(super) fn parse(text: &str) -> Ty {
        let text = text.trim();
        let other = || Ty::Other(text.to_owned());
        if let Some(rest) = text.strip_prefix('&') {
            let rest = without_lifetime(rest);
            let inner = rest.strip_prefix("mut ");
            return Ty::Reference {
                mutable: inner.is_some(),
                to: Box::new(Ty::parse(inner.unwrap_or(rest))),
            };
        }
        if let Some(inside) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            return Ty::Tuple(split(inside).into_iter().map(Ty::parse).collect());
        }
        if let Some(inside) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            return match inside.contains(';') {
                true => other(),
                false => Ty::Slice(Box::new(Ty::parse(inside))),
            };
        }
        if let Some(bound) = text.strip_prefix("impl ") {
            return bounded(bound).unwrap_or_else(other);
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        let (path, rest) = text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()));
        if path.is_empty() || path == "dyn" || path == "fn" || is_function(path) {
            return other();
        }
        let inside = rest.strip_prefix('<').and_then(|t| t.strip_suffix('>'));
        if !rest.is_empty() && inside.is_none() {
            return other();
        }
        let all = split(inside.unwrap_or_default());
        let (lifetimes, types): (Vec<&str>, Vec<&str>) =
            all.into_iter().partition(|text| text.starts_with('\''));
        let arguments: Vec<Ty> = types.into_iter().map(Ty::parse).collect();
        Ty::Named {
            path: path.to_owned(),
            borrows: lifetimes.iter().any(|lifetime| *lifetime != "'static"),
            arguments,
        }
    }

    /// The last name of its path; empty if it has none.
    pub(super) fn name(&self) -> &str {
        match self {
            Ty::Named { path, .. } => last(path),
            _ => "",
        }
    }

    pub(super) fn arguments(&self) -> &[Ty] {
        match self {
            Ty::Named { arguments, .. } => arguments,
            _ => &[],
        }
    }

    /// Whether a value of it refers to something that somebody else owns.
    pub(super) fn borrows(&self) -> bool {
        match self {
            Ty::Named {
                arguments, borrows, ..
            } => *borrows || arguments.iter().any(Ty::borrows),
            Ty::Tuple(parts) => parts.iter().any(Ty::borrows),
            Ty::Slice(_) | Ty::Reference { .. } => true,
            Ty::Closure(_) | Ty::Into(_) | Ty::Generic(_) => false,
            Ty::Other(text) => text.contains(['&', '\'']),
        }
    }

    /// As a test writes it.
    pub(super) fn text(&self) -> String {
        let list = |types: &[Ty]| {
            let types: Vec<String> = types.iter().map(Ty::text).collect();
            types.join(", ")
        };
        match self {
            Ty::Named {
                path, arguments, ..
            } => {
                if let Some(stand_in) = self.stand_in() {
                    return stand_in.to_owned();
                }
                let name = match is_std(path) && !is_in_scope(path) {
                    true => path,
                    false => last(path),
                };
                match arguments.is_empty() {
                    true => name.to_owned(),
                    false => format!("{name}<{}>", list(arguments)),
                }
            }
            Ty::Reference { mutable, to } => {
                let word = if *mutable { "mut " } else { "" };
                format!("&{word}{}", to.text())
            }
            Ty::Slice(of) => format!("[{}]", of.text()),
            Ty::Tuple(parts) if parts.len() == 1 => format!("({},)", parts[0].text()),
            Ty::Tuple(parts) => format!("({})", list(parts)),
            Ty::Into(of) => of.text(),
            Ty::Closure(_) => "_".to_owned(),
            Ty::Generic(text) | Ty::Other(text) => text.clone(),
        }
    }

    /// What stands for a generic parameter, as far as its name tells.
    fn stand_in(&self) -> Option<&'static str> {
        let Ty::Named {
            path, arguments, ..
        } = self
        else {
            return None;
        };
        let is_parameter = path.len() == 1 && path.as_bytes()[0].is_ascii_uppercase();
        match path.as_str() {
            _ if !is_parameter || !arguments.is_empty() => None,
            "S" | "H" => Some("std::collections::hash_map::RandomState"),
            _ => Some("u32"),
        }
    }

    /// The names of the types in it that are neither std's nor generic.
    pub(super) fn own(&self, names: &mut Vec<String>) {
        match self {
            Ty::Named {
                path, arguments, ..
            } => {
                let is_word = path.chars().all(|c| c.is_lowercase() || c.is_ascii_digit());
                if !is_std(path) && !is_word && self.stand_in().is_none() {
                    names.push(last(path).to_owned());
                }
                arguments.iter().for_each(|of| of.own(names));
            }
            Ty::Tuple(parts) => parts.iter().for_each(|of| of.own(names)),
            Ty::Reference { to: of, .. } | Ty::Slice(of) | Ty::Into(of) => of.own(names),
            Ty::Generic(name) => names.push(name.clone()),
            Ty::Closure(_) | Ty::Other(_) => {}
        }
    }
}

/// `impl` with these bounds, if it is known what to give for it.
pub(super) fn bounded(bound: &str) -> Option<Ty> {
    let first = bound.split(" + ").next().unwrap_or(bound);
    for word in ["FnOnce(", "FnMut(", "Fn("] {
        let rest = first.strip_prefix(word).or_else(|| {
            let at = first.find(&format!("::{word}"))?;
            Some(&first[at + 2 + word.len()..])
        });
        if let Some(rest) = rest {
            let end = rest.find(')').unwrap_or(rest.len());
            return Some(Ty::Closure(split(&rest[..end]).len()));
        }
    }
    let bound = Ty::parse(first);
    let text = || Ty::parse("std::string::String");
    match (bound.name(), bound.arguments()) {
        ("Into", [of]) => Some(Ty::Into(Box::new(of.clone()))),
        ("AsRef", [of]) if of.name() == "str" => Some(Ty::Into(Box::new(text()))),
        ("AsRef", [of]) if of.name() == "Path" => {
            Some(Ty::Into(Box::new(Ty::parse("std::path::PathBuf"))))
        }
        ("ToString", []) => Some(Ty::Into(Box::new(text()))),
        _ => None,
    }
}

/// A generic parameter of this name is a function, as a rule.
fn is_function(path: &str) -> bool {
    path == "F"
}

fn is_std(path: &str) -> bool {
    let crates = ["std::", "core::", "alloc::"];
    crates.iter().any(|name| path.starts_with(name))
}

/// What is known everywhere; and locks, which the file has under their names, as ours or
/// as std's.
fn is_in_scope(path: &str) -> bool {
    matches!(last(path), "String" | "Vec" | "Option" | "Result" | "Box")
        || path.starts_with("std::sync::") && !matches!(last(path), "Arc" | "Weak")
}

pub(super) fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

fn without_lifetime(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) => rest.split_once(' ').map_or(rest, |(_, rest)| rest),
        None => text,
    }
}

/// Splits at commas that are in no bracket.
pub(super) fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut from) = (0i32, 0);
    let mut parts = Vec::new();
    let mut before = ' ';
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(list[from..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_a_test_in_the_file_can() {
        let check = |text: &str, expected: &str| assert_eq!(Ty::parse(text).text(), expected);
        check("u32", "u32");
        check("std::option::Option<std::string::String>", "Option<String>");
        check(
            "&'a mut cache::Cache<K, S>",
            "&mut Cache<u32, std::collections::hash_map::RandomState>",
        );
        check("std::sync::Arc<str>", "std::sync::Arc<str>");
        check("std::sync::RwLock<(u8, a::B)>", "RwLock<(u8, B)>");
        check("&[u8]", "&[u8]");
        check("[u8; 4]", "[u8; 4]");
        check("impl Into<std::string::String> + 'a", "String");
        assert_eq!(Ty::parse("impl FnOnce(&K, V) -> V"), Ty::Closure(2));
        assert_eq!(Ty::parse("impl std::ops::Fn() + Send"), Ty::Closure(0));
        assert!(
            Ty::parse("std::option::Option<dashmap::mapref::one::Ref<'_, u32, u32>>").borrows()
        );
        assert!(
            !Ty::parse("std::vec::Vec<&'static str>")
                .arguments()
                .is_empty()
        );
    }
}
