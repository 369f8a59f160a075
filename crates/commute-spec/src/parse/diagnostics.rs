//! Collecting diagnostics, within a bound.
//!
//! A file of garbage has as many errors as lines. The first ones help; the rest
//! are counted. Errors have a bound of their own, so that they cannot be hidden
//! behind notes.

use commute_model::{Diagnostic, Severity};

/// How many diagnostics of one severity are kept.
pub(super) const KEPT: usize = 100;

/// The diagnostics of one file.
#[derive(Default)]
pub(super) struct Diagnostics {
    kept: Vec<Diagnostic>,
    seen: [usize; 3],
}

impl Diagnostics {
    /// Takes the diagnostic that `make` makes, or only counts it: what makes a
    /// message may be costly (suggestions, counterexamples).
    pub(super) fn report(&mut self, severity: Severity, make: impl FnOnce() -> Diagnostic) {
        let seen = &mut self.seen[severity as usize];
        *seen += 1;
        if *seen <= KEPT {
            self.kept.push(Diagnostic { severity, ..make() });
        }
    }

    /// Takes an error.
    pub(super) fn error(&mut self, make: impl FnOnce() -> Diagnostic) {
        self.report(Severity::Error, make);
    }

    /// How many errors there were so far.
    pub(super) fn errors(&self) -> usize {
        self.seen[Severity::Error as usize]
    }

    /// All of them in the order of the text, and what was left out.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|d| (d.span.start, d.severity));
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            let more = self.seen[severity as usize].saturating_sub(KEPT);
            let last = self.kept.iter().rfind(|d| d.severity == severity);
            if let (1.., Some(last)) = (more, last) {
                let s = if more == 1 { "" } else { "s" };
                self.kept.push(Diagnostic {
                    severity,
                    code: None,
                    message: format!("{more} more {severity}{s} not shown"),
                    span: last.span,
                    label: String::new(),
                    related: Vec::new(),
                    help: None,
                });
            }
        }
        self.kept
    }
}
