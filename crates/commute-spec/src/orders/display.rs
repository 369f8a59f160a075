//! Orders as the language writes them.

use super::{ActionPattern, InitialCount, Matching, OrderRule, Orders};
use crate::specification::Specification;
use crate::variables::Variables;

/// The names of the slots of each alternative of both sides of a rule.
struct SlotNames {
    shared: Vec<String>,
    /// Names that the first side uses for slots of its own.
    taken: Vec<String>,
}

impl Specification {
    /// What stands behind `orders`: `atomic`, or `release() -> acquire()`.
    pub fn order_text(&self, orders: &Orders) -> String {
        match orders {
            Orders::Atomic => "atomic".into(),
            Orders::Barrier => "barrier".into(),
            Orders::Rule(rule) => self.rule_text(rule),
        }
    }

    fn rule_text(&self, rule: &OrderRule) -> String {
        let mut names = SlotNames::of(rule, self);
        let mut side = |patterns: &[ActionPattern]| {
            let own = names.taken.clone();
            let texts = patterns
                .iter()
                .map(|pattern| names.text(pattern, self, &own));
            texts.collect::<Vec<_>>().join(" | ")
        };
        let (before, after) = (side(&rule.before), side(&rule.after));
        let suffix = match rule.matching {
            Matching::Pending => String::new(),
            Matching::Fifo => " fifo".into(),
            Matching::Counting(InitialCount::Least) => " counting".into(),
            Matching::Counting(InitialCount::Is(number)) => format!(" counting from {number}"),
            Matching::Counting(InitialCount::Parameter) => {
                let parameter = self.parameter.as_deref().unwrap_or_default();
                format!(" counting from {parameter}")
            }
        };
        format!("{before} -> {after}{suffix}")
    }
}

impl SlotNames {
    fn of(rule: &OrderRule, spec: &Specification) -> SlotNames {
        let mut names = SlotNames {
            shared: Vec::new(),
            taken: Vec::new(),
        };
        // Shared variables are sorted by name when they are read.
        let declared = { rule.before.first() }.map(|pattern| {
            let slots: Vec<&str> = spec.methods[pattern.method].slots().collect();
            let key = pattern.key.iter();
            key.map(|slot| slots[*slot].to_string()).collect::<Vec<_>>()
        });
        let declared = declared.unwrap_or_default();
        // The order of the names is that of the key.
        names.shared = if declared.is_sorted_by(|a, b| a < b) {
            declared
        } else {
            (0..declared.len())
                .map(|place| format!("key{place:02}"))
                .collect()
        };
        names
    }

    fn text(&mut self, pattern: &ActionPattern, spec: &Specification, own: &[String]) -> String {
        let method = &spec.methods[pattern.method];
        let mut used = vec![false; method.slots().count()];
        if let Some(guard) = &pattern.guard {
            guard.for_each_slot(&mut |_, slot| used[slot] = true);
        }
        let mut slots: Vec<String> = Vec::new();
        for (slot, name) in method.slots().enumerate() {
            let name = if let Some(place) = pattern.key.iter().position(|key| *key == slot) {
                self.shared[place].clone()
            } else if used[slot] {
                let name = unused(name.into(), |name| {
                    let others = self.shared.iter().chain(own).chain(&slots);
                    others.into_iter().any(|other| other == name)
                });
                self.taken.push(name.clone());
                name
            } else {
                "_".into()
            };
            slots.push(name);
        }
        let (args, results) = slots.split_at(method.args.len());
        let mut text = format!("{}({})", method.name, args.join(", "));
        if results.iter().any(|name| name != "_") {
            match results {
                [result] => text += &format!("/{result}"),
                _ => text += &format!("/({})", results.join(", ")),
            }
        }
        if let Some(guard) = &pattern.guard {
            let variables = Variables::new(slots.clone(), slots);
            text += &format!(" if {}", guard.text(&variables));
        }
        text
    }
}

/// The name, with as many `_` as it takes not to be taken.
fn unused(mut name: String, taken: impl Fn(&str) -> bool) -> String {
    while taken(&name) {
        name.push('_');
    }
    name
}
