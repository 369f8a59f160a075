//! Which word was probably meant.

/// The one of these that was probably meant: `MAX_FINDINGS` is `max-findings` in other
/// letters, and who writes how a name begins means that one.
pub(crate) fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let word = folded(word);
    let near = names
        .iter()
        .map(|name| (strsim::osa_distance(&word, &folded(name)), *name));
    let (distance, name) = near.min()?;
    if distance <= word.chars().count().max(3) / 3 {
        return Some(name);
    }
    let begins = |name: &&&str| word.len() >= 3 && folded(name).starts_with(&word);
    let mut beginning = names.iter().filter(begins);
    match (beginning.next(), beginning.next()) {
        (Some(name), None) => Some(name),
        _ => None,
    }
}

/// Whether two words are one but for the case of letters and the kind of dashes.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

fn folded(word: &str) -> String {
    word.to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_was_meant() {
        assert_eq!(nearest("alow", &["allow", "suppress"]), Some("allow"));
        assert_eq!(nearest("x", &["allow"]), None);
        assert_eq!(
            nearest("MAX_FINDINGS", &["max-findings"]),
            Some("max-findings")
        );
        assert_eq!(nearest("stale", &["stale_value", "x"]), Some("stale_value"));
        assert_eq!(nearest("max", &["max-findings", "max-seconds"]), None);
        // Two letters in the wrong order are one mistake.
        assert_eq!(nearest("onyl", &["only", "lax"]), Some("only"));
    }
}
