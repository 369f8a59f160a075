//! Types and paths as text, taken apart.

/// The end of what begins at `from` and ends with the bracket that closes
/// `open` brackets. `->` closes nothing.
fn closing(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
            b'>' | b')' | b']' | b'}' => {
                depth -= 1;
                if depth <= 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The text in the brackets that open at `open`, which may not be closed: what a
/// front end is given may be damaged.
pub(crate) fn inside(text: &str, open: usize) -> &str {
    let end = closing(text, open).max(open + 1);
    let inside = &text[open + 1..end];
    inside.strip_suffix(['>', ')', ']', '}']).unwrap_or(inside)
}

/// A type without references, lifetimes and `mut` in front of it.
pub(crate) fn referent(ty: &str) -> &str {
    let mut ty = ty.trim();
    loop {
        let before = ty;
        for prefix in ["&", "*const ", "*mut ", "mut "] {
            ty = ty.strip_prefix(prefix).unwrap_or(ty).trim_start();
        }
        if let Some(rest) = ty.strip_prefix('\'') {
            let end = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            ty = rest[end..].trim_start();
        }
        if ty == before {
            return ty;
        }
    }
}

/// A path without generic arguments: `std::sync::Mutex::<T>::lock` becomes
/// `std::sync::Mutex::lock`; closures and tuples stay as they are.
pub(crate) fn plain(path: &str) -> String {
    if path.starts_with(['{', '(', '[']) {
        return path.to_owned();
    }
    let bytes = path.as_bytes();
    let mut plain = String::with_capacity(path.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'<' && (at > 0 || !path.starts_with("<impl")) {
            at = closing(path, at);
            if plain.ends_with("::") {
                plain.truncate(plain.len() - 2);
            }
            continue;
        }
        let mut rest = path[at..].char_indices().skip(1);
        let end = rest
            .find(|(_, character)| *character == '<')
            .map_or(bytes.len(), |(found, _)| at + found);
        plain.push_str(&path[at..end]);
        at = end;
    }
    plain
}

/// The last part of a path.
pub(crate) fn last(path: &str) -> &str {
    if path.starts_with('{') {
        return path;
    }
    path.rsplit("::").next().unwrap_or(path)
}

/// The generic arguments of a type: `Arc<Mutex<T>>` has `Mutex<T>`.
pub(crate) fn arguments(ty: &str) -> Vec<&str> {
    let Some(open) = ty.find('<') else {
        return Vec::new();
    };
    split(inside(ty, open))
}

/// Splits at commas that are in no bracket.
pub(crate) fn split(list: &str) -> Vec<&str> {
    let bytes = list.as_bytes();
    let (mut depth, mut from) = (0i32, 0);
    let mut parts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if !list[from..].trim().is_empty() {
        parts.push(list[from..].trim());
    }
    parts
}

/// A called path, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Path {
    /// The type whose function it is, as it is written; empty for free functions.
    pub(crate) of: String,
    /// The trait, without arguments; empty if there is none.
    pub(crate) of_trait: String,
    /// The whole path, without generic arguments; for `<T as Trait>::f` it is
    /// `T::f`.
    pub(crate) plain: String,
    /// The name of the function.
    pub(crate) name: String,
}

/// Takes a called path apart.
pub(crate) fn path(text: &str) -> Path {
    if text.starts_with('<') && !text.starts_with("<impl at ") {
        let end = closing(text, 0);
        let inside = inside(text, 0);
        let name = plain(text[end..].trim_start_matches("::"));
        let (of, of_trait) = match as_trait(inside) {
            Some((of, of_trait)) => (of, plain(of_trait)),
            None => (inside, String::new()),
        };
        return Path {
            plain: format!("{}::{name}", plain(referent(of))),
            of: of.to_owned(),
            of_trait,
            name: last(&name).to_owned(),
        };
    }
    let plain_path = plain(text);
    let name = last(&plain_path).to_owned();
    let of = owner(text);
    Path {
        of,
        of_trait: String::new(),
        plain: plain_path,
        name,
    }
}

/// `T as Trait` in the angle brackets of a path.
fn as_trait(inside: &str) -> Option<(&str, &str)> {
    let bytes = inside.as_bytes();
    let mut at = 0;
    let mut depth = 0i32;
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b' ' if depth == 0 && inside[at..].starts_with(" as ") => {
                return Some((&inside[..at], &inside[at + 4..]));
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The path without its last part and that part's generic arguments.
fn owner(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    let mut cut = None;
    let mut at = 0;
    while at + 1 < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'-' if bytes[at + 1] == b'>' => at += 1,
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b':' if depth == 0 && bytes[at + 1] == b':' => {
                if bytes.get(at + 2) != Some(&b'<') {
                    cut = Some(at);
                }
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    cut.map_or(String::new(), |at| text[..at].replace("::<", "<"))
}

/// Whether a type is a parameter of its structure: `T`, `K`, `T1`.
pub(crate) fn is_type_parameter(ty: &str) -> bool {
    ty.len() <= 2
        && ty.starts_with(|c: char| c.is_ascii_uppercase())
        && ty
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        let lock = path("std::sync::Mutex::<Inner>::lock");
        assert_eq!(lock.plain, "std::sync::Mutex::lock");
        assert_eq!(lock.of, "std::sync::Mutex<Inner>");
        assert_eq!(lock.name, "lock");
        let deref = path("<std::sync::MutexGuard<'_, Inner> as std::ops::Deref>::deref");
        assert_eq!(deref.plain, "std::sync::MutexGuard::deref");
        assert_eq!(deref.of_trait, "std::ops::Deref");
        let get = path("std::collections::HashMap::<K, fn(u8) -> u8>::get::<str>");
        assert_eq!(get.plain, "std::collections::HashMap::get");
        assert_eq!(get.of, "std::collections::HashMap<K, fn(u8) -> u8>");
        let closure =
            path("<{closure@src/main.rs:1:2: 3:4} as std::ops::FnOnce<(u8,)>>::call_once");
        assert_eq!(closure.of, "{closure@src/main.rs:1:2: 3:4}");
        let free = path("module::f::<T>");
        assert_eq!(
            (free.plain.as_str(), free.of.as_str()),
            ("module::f", "module")
        );
        let any = path("<impl Fn(u8) -> u8 as std::ops::Fn<(u8,)>>::call");
        assert_eq!(
            (any.of.as_str(), any.name.as_str()),
            ("impl Fn(u8) -> u8", "call")
        );
        let slice = path("core::slice::<impl [u32]>::iter");
        assert_eq!(slice.name, "iter");
    }

    #[test]
    fn damaged_types_are_taken_apart() {
        for text in ["é<", "<é", "é", "<", "", "aé<é>é<", "->", "<->", "T<é"] {
            path(text);
            arguments(text);
            plain(text);
        }
        assert_eq!(arguments("T<é"), ["é"]);
        assert_eq!(plain("é::b<c>::é"), "é::b::é");
    }

    #[test]
    fn types_are_taken_apart() {
        assert_eq!(referent("&'a mut Inner"), "Inner");
        assert_eq!(referent("&&std::sync::Arc<T>"), "std::sync::Arc<T>");
        assert_eq!(arguments("Arc<Mutex<(u8, u8)>>"), ["Mutex<(u8, u8)>"]);
        assert_eq!(plain("a::B<C<D>>"), "a::B");
    }
}
