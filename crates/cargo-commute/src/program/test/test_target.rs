//! Cargo targets with tests, and names in the form that cargo accepts.
//!
//! A schedule comes from anywhere, and names a package and a target for cargo. Both are read
//! into types that cannot hold an option or a path.

use std::fmt;

/// A cargo target with tests, as an option of cargo names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum TestTarget {
    /// `--bin NAME`
    Binary(Name),
    /// `--example NAME`
    Example(Name),
    /// `--lib`
    Library,
    /// `--test NAME`
    Integration(Name),
}

/// The problem with a text that names no target.
const EXPECTED: &str = "expected `--lib`, `--test NAME`, `--bin NAME` or `--example NAME`";

impl TestTarget {
    /// The target of an artifact.
    pub(super) fn of(target: &cargo_metadata::Target) -> TestTarget {
        use cargo_metadata::TargetKind;
        let name = Name(target.name.clone());
        match target.kind.first() {
            Some(TargetKind::Test) => TestTarget::Integration(name),
            Some(TargetKind::Bin) => TestTarget::Binary(name),
            Some(TargetKind::Example) => TestTarget::Example(name),
            _ => TestTarget::Library,
        }
    }

    /// Reads what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// If the text is no target: the column of the wrong word, from 0 and in characters, and
    /// the problem.
    pub(super) fn parse(text: &str) -> Result<TestTarget, (usize, String)> {
        let column = |word: &str| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            text[..start].chars().count()
        };
        let mut words = text.split_whitespace();
        let Some(option) = words.next() else {
            return Err((0, EXPECTED.to_owned()));
        };
        let mut name = || {
            let Some(word) = words.next() else {
                let end = text.trim_end().chars().count();
                return Err((end, format!("expected a name after `{option}`")));
            };
            Name::parse(word).map_err(|problem| (column(word), problem))
        };
        let target = match option {
            "--lib" => TestTarget::Library,
            "--test" => TestTarget::Integration(name()?),
            "--bin" => TestTarget::Binary(name()?),
            "--example" => TestTarget::Example(name()?),
            _ => return Err((column(option), EXPECTED.to_owned())),
        };
        match words.next() {
            Some(more) => Err((
                column(more),
                "a schedule names one target, and nothing else for cargo".to_owned(),
            )),
            None => Ok(target),
        }
    }

    /// The option, as one word: a name in it is no option of its own.
    pub(super) fn option(&self) -> String {
        match self {
            TestTarget::Library => "--lib".to_owned(),
            TestTarget::Integration(name) => format!("--test={name}"),
            TestTarget::Binary(name) => format!("--bin={name}"),
            TestTarget::Example(name) => format!("--example={name}"),
        }
    }
}

impl fmt::Display for TestTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestTarget::Library => f.write_str("--lib"),
            TestTarget::Integration(name) => write!(f, "--test {name}"),
            TestTarget::Binary(name) => write!(f, "--bin {name}"),
            TestTarget::Example(name) => write!(f, "--example {name}"),
        }
    }
}

/// The name of a package or of a target.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Name(String);

impl Name {
    /// Reads a name: letters, digits, `-` and `_`, the first one no `-`. The compiler and cargo
    /// accept no others; options, paths, patterns and package specifications are none.
    ///
    /// # Errors
    /// If the text is none, the problem.
    pub(super) fn parse(text: &str) -> Result<Name, String> {
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if text.is_empty() || text.starts_with('-') || !text.chars().all(is_inner) {
            return Err(
                "expected a name: letters, digits, `-` and `_`, and no `-` at the beginning"
                    .to_owned(),
            );
        }
        Ok(Name(text.to_owned()))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_as_they_are_written() {
        for text in ["--lib", "--test x", "--bin a-b_c1", "--example été"] {
            let target = TestTarget::parse(text).expect(text);
            assert_eq!(target.to_string(), text);
            assert_eq!(target.option(), text.replace(' ', "="));
        }
        let spaced = TestTarget::parse("  --test   x ").expect("a target");
        assert_eq!(spaced.to_string(), "--test x");
    }

    #[test]
    fn the_word_that_is_wrong_is_named() {
        for (text, column) in [
            ("", 0),
            ("lib", 0),
            (" --Lib", 1),
            ("--lib x", 6),
            ("--test", 6),
            ("--test --x", 7),
            ("--test=x", 0),
            ("--test é/x", 7),
            ("--test a --config x", 9),
            ("--test *", 7),
        ] {
            let error = TestTarget::parse(text).expect_err(text);
            assert_eq!(error.0, column, "{text}");
        }
    }
}
