//! A code as a rule: what its page says.

use commute_model::Code;

use super::format::{Configuration, Help, Rule};
use super::message::message;
use crate::lead::{lead, plain};

/// The rule of a code with this page.
pub(super) fn rule(code: Code, page: &'static str) -> Rule {
    Rule {
        id: code.to_string(),
        name: name(code.title()),
        short_description: message(code.title()),
        full_description: message(&plain(&lead(page))),
        help: Help {
            text: message(page).text,
            // Markdown is shown as it is: braces in its code are code.
            markdown: page,
        },
        default_configuration: Configuration {
            level: code.level().to_string(),
        },
    }
}

/// `commutativity race` as an identifier: `CommutativityRace`.
fn name(title: &str) -> String {
    let mut out = String::new();
    for word in title.split(|c: char| !c.is_alphanumeric()) {
        let mut letters = word.chars();
        out.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        out.push_str(letters.as_str());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_identifiers() {
        assert_eq!(name("commutativity race"), "CommutativityRace");
        assert_eq!(name("condition outside ECL"), "ConditionOutsideECL");
        for code in Code::ALL {
            let name = name(code.title());
            assert!(name.chars().all(char::is_alphanumeric), "{name}");
        }
    }
}
