//! Names for the slots of two invocations.
//!
//! A specification keeps slots, not the variables they were written with. For
//! people they get the declared names with a 1 or a 2: `k1`, `v2`. A declared
//! name that ends in a digit gets `_1` and `_2`.

use crate::formula::Side;
use crate::specification::{Method, Specification};

/// Names for the slots of both sides of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variables {
    first: Vec<String>,
    second: Vec<String>,
}

impl Variables {
    /// These names, slot by slot.
    pub fn new(first: Vec<String>, second: Vec<String>) -> Variables {
        Variables { first, second }
    }

    /// Names for an invocation of `a` and one of `b`: the declared ones,
    /// numbered. No two are the same.
    pub fn of_pair(a: &Method, b: &Method) -> Variables {
        Variables::new(numbered(a, 1), numbered(b, 2))
    }

    /// The declared names of one method, for both sides.
    pub fn of_method(method: &Method) -> Variables {
        let names: Vec<String> = method.slots().map(str::to_string).collect();
        Variables::new(names.clone(), names)
    }

    /// The name of a slot; `?` if there is none.
    pub fn name(&self, side: Side, slot: usize) -> &str {
        let names = match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        };
        names.get(slot).map_or("?", |name| name)
    }

    /// The same names with the sides exchanged.
    pub fn swap(self) -> Variables {
        Variables::new(self.second, self.first)
    }
}

impl Method {
    /// The names of all slots: arguments, then results.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.args.iter().chain(&self.results).map(|name| &name[..])
    }

    /// `put(k, v)/p` with these names for the slots, or fewer parts if there
    /// are no results.
    pub(crate) fn pattern<'a>(&self, name: impl Fn(usize) -> &'a str) -> String {
        let names: Vec<&str> = (0..self.args.len() + self.results.len())
            .map(name)
            .collect();
        let (args, results) = names.split_at(self.args.len());
        let head = format!("{}({})", self.name, args.join(", "));
        match results {
            [] => head,
            [result] => format!("{head}/{result}"),
            _ => format!("{head}/({})", results.join(", ")),
        }
    }
}

impl Specification {
    /// Names for the slots of methods `a` and `b`.
    ///
    /// # Panics
    /// If there is no such method.
    pub fn variables(&self, a: usize, b: usize) -> Variables {
        Variables::of_pair(&self.methods[a], &self.methods[b])
    }
}

fn numbered(method: &Method, number: u8) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for slot in method.slots() {
        let digit = slot.ends_with(|c: char| c.is_numeric());
        let mut stem = format!("{slot}{}", if digit { "_" } else { "" });
        // `k1` and `k1_` would both become `k1_1`.
        while names.contains(&format!("{stem}{number}")) {
            stem.push('_');
        }
        names.push(format!("{stem}{number}"));
    }
    names
}

#[cfg(test)]
mod tests {
    use commute_model::Span;

    use super::*;
    use crate::specification::Mutates;

    #[test]
    fn numbered_names_differ() {
        let method = Method {
            name: "m".into(),
            args: ["k", "k1", "k1_", "k1_1"].map(String::from).into(),
            results: vec!["p".into()],
            mutates: Mutates::Unknown,
            span: Span::default(),
        };
        let names = Variables::of_pair(&method, &method);
        assert_eq!(names.first, ["k1", "k1_1", "k1__1", "k1_1_1", "p1"]);
        assert_eq!(names.second, ["k2", "k1_2", "k1__2", "k1_1_2", "p2"]);
        let pattern = method.pattern(|slot| names.name(Side::Second, slot));
        assert_eq!(pattern, "m(k2, k1_2, k1__2, k1_1_2)/p2");
    }
}
