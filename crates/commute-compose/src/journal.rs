//! What was returned in a run, and by whom.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Between these, a number that means nothing but which thing it is.
const FRESH: [char; 2] = ['\u{e000}', '\u{e001}'];

/// What a program writes down while it runs: what its threads return, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// In the order in which they came to their ends.
    pub texts: Vec<(u32, String)>,
}

/// The same, in the hands of a program and of whoever runs it.
pub type Shared = Rc<RefCell<Written>>;

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

/// A text, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct TextId(u32);

impl TextId {
    /// The number.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// What the method returned, then each operation in order, then each observation.
pub(crate) type Returned = SmallVec<[TextId; 8]>;

/// All texts that were ever returned.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    numbers: FxHashMap<String, TextId>,
    texts: Vec<String>,
    /// Whether there is something fresh in each.
    fresh: Vec<bool>,
}

impl Texts {
    /// The number of a text.
    pub(crate) fn number(&mut self, text: &str) -> TextId {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let number = TextId(self.texts.len() as u32);
        self.numbers.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        self.fresh.push(text.contains(FRESH[0]));
        number
    }

    pub(crate) fn text(&self, number: TextId) -> &str {
        &self.texts[number.0 as usize]
    }

    /// Whether there is something fresh in a text.
    pub(crate) fn is_fresh(&self, number: TextId) -> bool {
        self.fresh[number.0 as usize]
    }

    /// Whether two texts are the same but for which fresh things are in them.
    pub(crate) fn is_alike(&self, one: TextId, other: TextId) -> bool {
        let parts = |text: TextId| {
            let text = self.text(text);
            let mut is_name = true;
            text.split(FRESH).filter(move |_| {
                is_name = !is_name;
                !is_name
            })
        };
        one == other || self.is_fresh(one) && parts(one).eq(parts(other))
    }

    /// In words.
    pub(crate) fn journal(&self, returned: &Returned, operations: usize) -> Journal {
        let mut texts = returned.iter().map(|number| self.text(*number).to_owned());
        Journal {
            method: texts.next(),
            operations: texts.by_ref().take(operations).collect(),
            observations: texts.collect(),
        }
    }

    /// The same with fresh things numbered as they come.
    pub(crate) fn renamed(&mut self, returned: &Returned) -> Returned {
        let mut known: Vec<String> = Vec::new();
        let mut rename = |text: &str| {
            let mut renamed = String::with_capacity(text.len());
            let mut rest = text;
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
        let texts: Vec<String> = { returned.iter() }
            .map(|number| rename(self.text(*number)))
            .collect();
        texts.iter().map(|text| self.number(text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_things_are_compared_up_to_their_names() {
        let mut texts = Texts::default();
        let mut returned = |method: u64, operation: u64| {
            let all = [
                format!("Some({})", fresh(method)),
                fresh(operation),
                fresh(method),
                fresh(operation),
            ];
            let all: Returned = all.iter().map(|text| texts.number(text)).collect();
            texts.renamed(&all)
        };
        let one = returned(7, 9);
        assert_eq!(one, returned(1, 2));
        assert_ne!(returned(7, 7), returned(1, 2));
        let mut text = |text: String| texts.number(&text);
        let (first, second) = (text(fresh(1)), text(fresh(2)));
        let (plain, other) = (text("1".to_owned()), text("2".to_owned()));
        assert!(texts.is_alike(first, second) && texts.is_alike(plain, plain));
        assert!(!texts.is_alike(plain, other) && !texts.is_alike(plain, first));
        let journal = texts.journal(&one, 1);
        assert_eq!(journal.method.unwrap(), "Some(#1)");
        assert_eq!(journal.operations, ["#2"]);
        assert_eq!(journal.observations, ["#1", "#2"]);
    }
}
