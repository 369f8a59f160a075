//! What was found, in the words of a failing test.

use commute_lint::Violation;

/// Violations in one line.
pub(crate) fn titles(violations: &[Violation]) -> String {
    let titles: Vec<String> = violations
        .iter()
        .map(|violation| format!("{} in {}", violation.title, violation.path[0].function))
        .collect();
    titles.join("; ")
}
