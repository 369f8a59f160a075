//! `commute spec check`: what is wrong or unusual about specifications.

use commute_model::Severity;
use commute_spec::parse;

use super::{Outcome, Report, Text};
use crate::cli::MessageFormat;
use crate::exit::Exit;
use crate::output::count;

/// Tells all diagnostics of the texts.
pub(super) fn run(texts: &[Text], report: &mut Report<'_>) -> Outcome {
    let (mut types, mut counts) = (0, [0u64; 3]);
    for text in texts {
        let parsed = parse(&text.text);
        types += parsed.specifications.len() as u64;
        for diagnostic in &parsed.diagnostics {
            counts[diagnostic.severity as usize] += 1;
        }
        let mut shown = parsed.diagnostics.clone();
        if report.output.is_quiet() {
            shown.retain(|diagnostic| diagnostic.severity != Severity::Note);
        }
        report.begin(text);
        report.diagnostics(&shown, text);
        if parsed.specifications.is_empty() && parsed.diagnostics.is_empty() {
            counts[Severity::Error as usize] += 1;
            report.refuse(text.empty());
        }
    }
    let [errors, warnings, notes] = counts;
    let exit = match errors {
        0 => Exit::Clean,
        _ => Exit::BadInput,
    };
    if report.output.format != MessageFormat::Json {
        report.output.note(&format!(
            "commute: {}, {}, {}, {}",
            count(types, "usable type"),
            count(errors, "error"),
            count(warnings, "warning"),
            count(notes, "note")
        ));
    }
    Outcome {
        types,
        errors,
        exit,
    }
}
