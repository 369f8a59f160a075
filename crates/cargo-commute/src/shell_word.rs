//! Commands that people copy: paths in them, and whether one that was read is ours.

use std::path::Path;

/// A path as one word of a shell, in quotes if it needs them.
pub(crate) fn shell_word(path: &Path) -> String {
    let path = path.display().to_string();
    // What has no quoting is no path, either.
    shlex::try_quote(&path).map_or_else(|_| path.clone(), Into::into)
}

/// The options of the commands that findings name.
#[cfg(unix)]
const OPTIONS: [&str; 8] = [
    "--all-orders",
    "--budget",
    "--lax",
    "--legal",
    "--out-dir",
    "--window",
    "--witness",
    "-p",
];

/// Whether a text is a command that shows a finding again, as we write it: for a shell it is
/// nothing but words, and it has no option that leads elsewhere. People copy it, and a file
/// with findings may come from anywhere.
#[cfg(unix)]
pub(crate) fn is_own_command(text: &str) -> bool {
    let Some(words) = shlex::split(text).filter(|_| has_words_only(text)) else {
        return false;
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let arguments = match &words[..] {
        ["commute", "replay", arguments @ ..] => arguments,
        ["commute", "trace", "show", arguments @ ..] => arguments,
        _ => return false,
    };
    let mut options = arguments.iter().filter(|word| word.starts_with('-'));
    options.all(|option| OPTIONS.contains(option))
}

/// Whether a shell takes nothing in a text for more than a part of a word.
#[cfg(unix)]
fn has_words_only(text: &str) -> bool {
    let mut quote = None;
    text.chars().all(|c| {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (Some('\''), c) => return !c.is_control(),
            (Some(_), c) => return !c.is_control() && !matches!(c, '$' | '`' | '\\' | '!'),
            (None, c) => return c.is_alphanumeric() || " _./:=,@%+-]".contains(c),
        }
        true
    })
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

    #[cfg(unix)]
    #[test]
    fn commands_of_ours_are_known() {
        for ours in [
            "commute replay 1b2c3d4e",
            "commute replay 1b2c3d4e -p server --out-dir 'a b; c'",
            "commute replay 1b2c3d4e --out-dir \"it's\"",
            "commute trace show '$(rm x).std' --witness 1b2c3d4e --legal replay --lax",
        ] {
            assert!(is_own_command(ours), "{ours}");
        }
        for other in [
            "",
            "rm -rf x",
            "commute",
            "commute run -- rm x",
            "commute replay 1b; rm x",
            "commute replay 1b\nrm x",
            "commute replay $(rm x)",
            "commute replay \"$(rm x)\"",
            "commute replay `rm x`",
            "commute replay 1b > x",
            "commute replay 1b & rm x",
            "commute replay 1b --manifest-path /tmp/x/Cargo.toml",
            "commute replay 1b --config=x",
            "commute replay ~root",
            "commute replay 'x",
        ] {
            assert!(!is_own_command(other), "{other}");
        }
    }
}
