//! Where source text comes from.

use std::borrow::Cow;
use std::sync::Arc;

use commute_model::parse_location;

/// Gives the text of the source files that a trace names.
///
/// Whoever implements this reads the files, and should remember that the names
/// come from a trace: read regular files only, and not without a limit.
pub trait Sources {
    /// The whole text of `file`, as a location of the trace names it; `None`
    /// if it cannot be had.
    fn text(&self, file: &str) -> Option<Arc<str>>;

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
    fn text(&self, _: &str) -> Option<Arc<str>> {
        None
    }
}

impl<F: Fn(&str) -> Option<Arc<str>>> Sources for F {
    fn text(&self, file: &str) -> Option<Arc<str>> {
        self(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Beside;

    impl Sources for Beside {
        fn text(&self, _: &str) -> Option<Arc<str>> {
            None
        }

        fn path(&self, file: &str) -> Option<String> {
            file.ends_with(".rs").then(|| format!("traces/{file}"))
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
