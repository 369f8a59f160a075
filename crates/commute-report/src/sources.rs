//! Where source text comes from.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use commute_model::parse_location;

/// Text of a source file whose lines are found in constant time.
///
/// ```
/// let text = commute_report::SourceText::from("a\r\nb");
/// assert_eq!(text.line(1), Some("a"));
/// assert_eq!(text.line(3), None);
/// assert_eq!(text.len(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct SourceText {
    text: Box<str>,
    /// Byte offsets at which lines begin, in ascending order.
    starts: Box<[usize]>,
}

impl SourceText {
    /// Returns a line, counted from 1, without its end.
    pub fn line(&self, number: usize) -> Option<&str> {
        let place = number.checked_sub(1)?;
        let start = *self.starts.get(place)?;
        let Some(&next) = self.starts.get(number) else {
            return self.text[start..].lines().next();
        };
        let line = &self.text[start..next - 1];
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

impl Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<String> for SourceText {
    fn from(text: String) -> SourceText {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = [0].into_iter().chain(ends).filter(|at| *at < text.len());
        SourceText {
            starts: starts.collect(),
            text: text.into(),
        }
    }
}

impl From<&str> for SourceText {
    fn from(text: &str) -> SourceText {
        text.to_owned().into()
    }
}

/// Gives the text of the source files that a trace names.
///
/// The names come from a trace: an implementation reads regular files only, those that
/// may be shown to every reader of a report, and not more than a limit.
pub trait Sources {
    /// The whole text of `file`, as a location of the trace names it; `None`
    /// if it cannot be had.
    fn text(&self, file: &str) -> Option<Arc<SourceText>>;

    /// What others call the file from here, if a location of the trace calls it something
    /// else: a trace may name files from where it is.
    fn path(&self, file: &str) -> Option<String> {
        let _ = file;
        None
    }

    /// What a path from here is from the root of the repository, if that is something
    /// else: who looks at a whole repository begins there.
    fn in_repository(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }
}

/// The location for editors and whoever else opens the file.
pub(crate) fn from_here<'a>(location: &'a str, sources: &dyn Sources) -> Cow<'a, str> {
    let path = parse_location(location).and_then(|(file, ..)| Some((file, sources.path(file)?)));
    match path {
        Some((file, path)) => (path + &location[file.len()..]).into(),
        None => location.into(),
    }
}

/// The location for who begins at the root of the repository.
pub(crate) fn in_repository<'a>(location: &'a str, sources: &dyn Sources) -> Cow<'a, str> {
    let location = from_here(location, sources);
    let path =
        parse_location(&location).and_then(|(file, ..)| Some((file, sources.in_repository(file)?)));
    match path {
        Some((file, path)) => (path + &location[file.len()..]).into(),
        None => location,
    }
}

/// No source text: reports name places without showing them.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl Sources for NoSources {
    fn text(&self, _: &str) -> Option<Arc<SourceText>> {
        None
    }
}

impl<F: Fn(&str) -> Option<Arc<str>>> Sources for F {
    fn text(&self, file: &str) -> Option<Arc<SourceText>> {
        self(file).map(|text| Arc::new(text.to_string().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Beside;

    impl Sources for Beside {
        fn text(&self, _: &str) -> Option<Arc<SourceText>> {
            None
        }

        fn path(&self, file: &str) -> Option<String> {
            file.ends_with(".rs").then(|| format!("traces/{file}"))
        }
    }

    #[test]
    fn lines_are_those_of_the_standard_library() {
        for text in [
            "",
            "a",
            "a\n",
            "\n",
            "\r\n\n",
            "a\r",
            "a\r\nb\r\n\nc\rd\n\r",
            "é\nb\n\n",
        ] {
            let indexed = SourceText::from(text);
            for number in 0..7usize {
                let expected = { number.checked_sub(1) }.and_then(|place| text.lines().nth(place));
                assert_eq!(indexed.line(number), expected, "{text:?}, line {number}");
            }
        }
    }

    #[test]
    fn a_location_is_opened_from_here() {
        for (location, expected) in [
            ("pool.rs:3", "traces/pool.rs:3"),
            ("a/pool.rs:3:14", "traces/a/pool.rs:3:14"),
            ("Main.java:3", "Main.java:3"),
            ("pool.rs", "pool.rs"),
            ("", ""),
        ] {
            assert_eq!(from_here(location, &Beside), expected);
            assert_eq!(from_here(location, &NoSources), location);
        }
    }
}
