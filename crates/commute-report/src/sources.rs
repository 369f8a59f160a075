//! Where source text comes from.

use std::sync::Arc;

/// Gives the text of the source files that a trace names.
///
/// Whoever implements this reads the files, and should remember that the names
/// come from a trace: read regular files only, and not without a limit.
pub trait Sources {
    /// The whole text of `file`, as a location of the trace names it; `None`
    /// if it cannot be had.
    fn text(&self, file: &str) -> Option<Arc<str>>;
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
