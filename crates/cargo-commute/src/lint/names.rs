//! What people call the findings of the lint.

use commute_model::Code;

use crate::config::nearest;

/// Names and codes.
pub(crate) const NAMES: [(&str, Code); 2] = [
    ("stale_value", Code::CM202),
    ("high_level_data_race", Code::CM201),
];

/// The code of a name, or of a code.
pub(super) fn code(word: &str) -> Option<Code> {
    let named = NAMES.iter().find(|(name, _)| *name == word);
    let codes = NAMES.map(|(_, code)| code);
    let is_code = word.starts_with("CM") || word.starts_with("cm");
    let parsed = word
        .parse()
        .ok()
        .filter(|code| is_code && codes.contains(code));
    named.map(|(_, code)| *code).or(parsed)
}

/// That nobody knows a name.
pub(super) fn unknown(word: &str) -> String {
    let names = NAMES.map(|(name, _)| name);
    match nearest(word, &names) {
        Some(name) => format!("unknown name `{word}`; did you mean `{name}`?"),
        None => format!("unknown name `{word}`; there are {}", names.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_are_known() {
        assert_eq!(code("stale_value"), Some(Code::CM202));
        assert_eq!(code("CM201"), Some(Code::CM201));
        assert_eq!(code("CM101"), None);
        assert_eq!(code("202"), None);
        assert_eq!(
            unknown("x"),
            "unknown name `x`; there are stale_value and high_level_data_race"
        );
    }
}
