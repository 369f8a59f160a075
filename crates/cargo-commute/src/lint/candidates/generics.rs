//! Generic parameters of a method and of the `impl` around it, with their bounds. MIR
//! has no bounds, so they are read in the source; a parameter without a declaration in the source has none.

use std::collections::BTreeMap;

use super::types::{Ty, bounded, last, split};

/// Bounds that `u32` meets, which stands for a parameter.
const OF_NUMBERS: [&str; 18] = [
    "Borrow",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Domain",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sized",
    "Sync",
    "ToOwned",
    "ToString",
    "Unpin",
];

/// The argument that a test passes for a generic parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Given {
    /// The type that its name suggests.
    Any,
    /// This type.
    Type(Ty),
    /// A type that has to be filled in, which implements this.
    Blank(String),
}

/// The generic parameters at a place in a source file, by their names.
#[derive(Default, Debug)]
pub(super) struct Generics(BTreeMap<String, Given>);

impl Generics {
    /// Reads those of the function of this name that is declared at or before a line,
    /// counted from 1, and of the `impl` around it.
    pub(super) fn of(text: &str, line: u32, function: &str) -> Generics {
        let mut generics = Generics::default();
        let lines: Vec<&str> = text.lines().map(without_comment).collect();
        let end = (line as usize).min(lines.len());
        let wanted = format!("fn {function}");
        let Some(at) = (0..end).rev().find(|at| declares(lines[*at], &wanted)) else {
            return generics;
        };
        let indent = |line: &str| line.len() - line.trim_start().len();
        let is_around = |line: &str| {
            let start = line.trim_start();
            let is_impl = start.starts_with("impl") || start.starts_with("unsafe impl");
            is_impl && indent(line) < indent(lines[at])
        };
        if let Some(around) = (0..at).rev().find(|at| is_around(lines[*at])) {
            generics.read(&header(&lines[around..]), "impl");
        }
        generics.read(&header(&lines[at..]), &wanted);
        generics
    }

    /// Reads the parameters and the `where` of a declaration, which come behind `word`.
    fn read(&mut self, header: &str, word: &str) {
        let Some(at) = header.find(word) else {
            return;
        };
        let rest = header[at + word.len()..].trim_start();
        let (parameters, rest) = match rest.strip_prefix('<') {
            Some(_) => rest.split_at(closing(rest)),
            None => ("", rest),
        };
        let inside = parameters.strip_prefix('<').unwrap_or_default();
        let inside = inside.strip_suffix('>').unwrap_or(inside);
        let clauses = match rest.find(" where ") {
            Some(at) => &rest[at + " where ".len()..],
            None => "",
        };
        let mut bounds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for part in split(inside) {
            let declared = part.split(" = ").next().unwrap_or(part);
            let (name, bound) = declared.split_once(':').unwrap_or((declared, ""));
            if is_name(name.trim()) {
                bounds.entry(name.trim()).or_default().push(bound);
            }
        }
        for clause in split(clauses) {
            if let Some((name, bound)) = clause.split_once(':')
                && let name = name.trim()
                && (bounds.contains_key(name) || self.0.contains_key(name))
            {
                bounds.entry(name).or_default().push(bound);
            }
        }
        for (name, bounds) in bounds {
            let given = given(name, &bounds);
            let known = self.0.entry(name.to_owned()).or_insert(Given::Any);
            if given != Given::Any {
                *known = given;
            }
        }
    }

    /// The type with arguments in place of its parameters.
    pub(super) fn resolve(&self, ty: Ty) -> Ty {
        let all = |types: Vec<Ty>| types.into_iter().map(|ty| self.resolve(ty)).collect();
        match ty {
            Ty::Named {
                path,
                arguments,
                borrows,
            } => match self.0.get(&path).filter(|_| arguments.is_empty()) {
                Some(Given::Type(ty)) => ty.clone(),
                Some(Given::Blank(_)) => Ty::Generic(path),
                Some(Given::Any) if path.len() > 1 => Ty::parse("u32"),
                _ => Ty::Named {
                    path,
                    arguments: all(arguments),
                    borrows,
                },
            },
            Ty::Reference { mutable, to } => Ty::Reference {
                mutable,
                to: Box::new(self.resolve(*to)),
            },
            Ty::Slice(of) => Ty::Slice(Box::new(self.resolve(*of))),
            Ty::Tuple(parts) => Ty::Tuple(all(parts)),
            Ty::Into(of) => Ty::Into(Box::new(self.resolve(*of))),
            ty => ty,
        }
    }

    /// The parameters that have to be filled in, and what each implements.
    pub(super) fn blanks(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, given)| match given {
            Given::Blank(bounds) => Some((name.as_str(), bounds.as_str())),
            Given::Any | Given::Type(_) => None,
        })
    }
}

/// The argument for a parameter with these bounds.
fn given(name: &str, bounds: &[&str]) -> Given {
    let bounds = bounds.iter().flat_map(|bounds| top_level(bounds));
    let is_needed = |bound: &&str| {
        let trait_name = last(bound.split('<').next().unwrap_or(bound));
        let hashes = trait_name == "BuildHasher" && matches!(name, "S" | "H");
        let is_free = bound.starts_with(['\'', '?']) || OF_NUMBERS.contains(&trait_name);
        !bound.is_empty() && !is_free && !hashes
    };
    let needed: Vec<&str> = bounds.filter(is_needed).collect();
    match needed.as_slice() {
        [] => Given::Any,
        [one] if bounded(one).is_some() => bounded(one).map_or(Given::Any, Given::Type),
        all => Given::Blank(all.join(" + ")),
    }
}

/// The bounds of `A + B<C + D>`.
fn top_level(bounds: &str) -> Vec<&str> {
    let (mut depth, mut from, mut before) = (0i32, 0, ' ');
    let mut parts = Vec::new();
    for (at, c) in bounds.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            '+' if depth == 0 => {
                parts.push(bounds[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(bounds[from..].trim());
    parts
}

/// A declaration as one line, without its body.
fn header(lines: &[&str]) -> String {
    let mut header = String::new();
    for line in lines {
        let end = line.find(['{', ';']);
        header.push_str(line[..end.unwrap_or(line.len())].trim());
        header.push(' ');
        if end.is_some() {
            break;
        }
    }
    header
}

/// Where the bracket that opens a text is closed, and one more.
fn closing(text: &str) -> usize {
    let (mut depth, mut before) = (0i32, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8();
        }
        before = c;
    }
    text.len()
}

fn declares(line: &str, wanted: &str) -> bool {
    line.find(wanted).is_some_and(|at| {
        let behind = line[at + wanted.len()..].chars().next();
        !behind.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_ascii_uppercase())
        && letters.all(|c| c.is_alphanumeric() || c == '_')
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
pub struct Cache<B: Backend> { backend: B }
impl<B: Backend + Send + 'static, K, const N: usize> Cache<B, K>
where
    K: std::hash::Hash + Eq + for<'a> From<&'a str>, // a comment
{
    pub fn get<Q: ?Sized + Eq, Make>(&self, key: &Q, make: Make) -> u32
    where
        Make: FnOnce(&K) -> u32,
    {
        0
    }
    pub fn get_all<Store: Clone>(&self, store: Store) {}
}
impl<T> Other<T> { fn plain(&self) {} }
";

    /// The types that stand for some, and what has to be filled in.
    fn check(line: u32, function: &str, types: &[(&str, &str)], blanks: &[(&str, &str)]) {
        let generics = Generics::of(SOURCE, line, function);
        for (ty, expected) in types {
            let resolved = generics.resolve(Ty::parse(ty));
            assert_eq!(resolved.text(), *expected, "{ty} in {function}");
        }
        let found: Vec<_> = generics.blanks().collect();
        assert_eq!(found, blanks, "{function}");
    }

    #[test]
    fn bounds_are_read_where_they_are() {
        let blanks = [("B", "Backend"), ("K", "for<'a> From<&'a str>")];
        check(
            7,
            "get",
            &[
                ("&cache::Cache<B, K>", "&Cache<B, K>"),
                ("std::vec::Vec<Q>", "Vec<u32>"),
                ("Make", "_"),
            ],
            &blanks,
        );
        let types = [("Store", "u32"), ("(B, Other<Store>)", "(B, Other<u32>)")];
        check(13, "get_all", &types, &blanks);
        check(15, "plain", &[("Other<T>", "Other<u32>")], &[]);
        check(15, "missing", &[("Store", "Store")], &[]);
    }
}
