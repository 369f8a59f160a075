//! Which word was probably meant.

/// The one of these that was probably meant.
pub(crate) fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let near = names
        .iter()
        .map(|name| (strsim::osa_distance(word, name), *name));
    let (distance, name) = near.min()?;
    (distance <= word.chars().count().max(3) / 3).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_was_meant() {
        assert_eq!(nearest("alow", &["allow", "suppress"]), Some("allow"));
        assert_eq!(nearest("x", &["allow"]), None);
        // Two letters in the wrong order are one mistake.
        assert_eq!(nearest("onyl", &["only", "lax"]), Some("only"));
    }
}
