//! What was returned in a run, and by whom.

use std::cell::RefCell;
use std::rc::Rc;

/// Between these, a number that means nothing but which thing it is.
const FRESH: [char; 2] = ['\u{e000}', '\u{e001}'];

/// What a program writes down while it runs: what its threads return, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Texts {
    /// In the order in which they came to their ends.
    pub texts: Vec<(u32, String)>,
}

/// The same, in the hands of a program and of whoever runs it.
pub type Shared = Rc<RefCell<Texts>>;

/// What a method and its environment returned, as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Journal {
    /// The method, if it came to its end.
    pub method: Option<String>,
    /// Each operation of the environment, in order.
    pub operations: Vec<String>,
    /// What was to be seen afterwards.
    pub observations: Vec<String>,
}

/// The text of something of which only matters which one it is: a new object, the next
/// number. Two journals are alike if such things can be renamed so that they are.
pub fn fresh(number: u64) -> String {
    let [open, close] = FRESH;
    format!("{open}{number}{close}")
}

/// Whether there is something fresh in a text.
pub(crate) fn has_fresh(text: &str) -> bool {
    text.contains(FRESH[0])
}

impl Journal {
    /// All of it.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &String> {
        let others = self.operations.iter().chain(&self.observations);
        self.method.iter().chain(others)
    }

    /// The same with fresh things numbered as they come.
    #[must_use]
    pub fn renamed(&self) -> Journal {
        let mut known: Vec<String> = Vec::new();
        let mut rename = |text: &String| {
            let mut renamed = String::with_capacity(text.len());
            let mut rest = text.as_str();
            while let Some((before, after)) = rest.split_once(FRESH[0]) {
                let Some((name, after)) = after.split_once(FRESH[1]) else {
                    break;
                };
                let place = known.iter().position(|other| other == name);
                let place = place.unwrap_or_else(|| {
                    known.push(name.to_owned());
                    known.len() - 1
                });
                renamed += before;
                renamed += &format!("#{}", place + 1);
                rest = after;
            }
            renamed + rest
        };
        Journal {
            method: self.method.as_ref().map(&mut rename),
            operations: self.operations.iter().map(&mut rename).collect(),
            observations: self.observations.iter().map(&mut rename).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_things_are_compared_up_to_their_names() {
        let journal = |method: u64, operation: u64| Journal {
            method: Some(format!("Some({})", fresh(method))),
            operations: vec![fresh(operation)],
            observations: vec![fresh(method), fresh(operation)],
        };
        assert_eq!(journal(7, 9).renamed(), journal(1, 2).renamed());
        assert_ne!(journal(7, 7).renamed(), journal(1, 2).renamed());
        assert_eq!(journal(7, 9).renamed().method.unwrap(), "Some(#1)");
    }
}
