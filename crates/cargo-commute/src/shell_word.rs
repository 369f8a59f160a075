//! Paths in commands that people copy.

use std::path::Path;

/// A path as one word of a shell, in quotes if it needs them.
pub(crate) fn shell_word(path: &Path) -> String {
    let path = path.display().to_string();
    // What has no quoting is no path, either.
    shlex::try_quote(&path).map_or_else(|_| path.clone(), Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word() {
        for (path, word) in [
            ("a/b.std", "a/b.std"),
            ("a b.std", "'a b.std'"),
            ("it's.std", "\"it's.std\""),
            ("$(rm x)", "'$(rm x)'"),
        ] {
            assert_eq!(shell_word(Path::new(path)), word);
            let words = shlex::split(word);
            assert_eq!(words, Some(vec![path.to_owned()]));
        }
    }
}
