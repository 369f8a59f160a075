//! `commute spec check`: what is wrong or unusual about specifications.

use commute_model::Severity;
use commute_spec::parse;

use super::Text;
use crate::cli::MessageFormat;
use crate::exit::Exit;
use crate::output::{Output, count};

/// Prints all diagnostics of the texts; how many errors there are.
pub(super) fn run(texts: &[Text], output: &mut Output) -> (u64, Exit) {
    let (mut types, mut counts) = (0, [0u64; 3]);
    for text in texts {
        let parsed = parse(&text.text);
        types += parsed.specifications.len() as u64;
        for diagnostic in &parsed.diagnostics {
            counts[diagnostic.severity as usize] += 1;
        }
        let mut shown = parsed.diagnostics.clone();
        if output.is_quiet() {
            shown.retain(|diagnostic| diagnostic.severity != Severity::Note);
        }
        output.diagnostics(&shown, &text.source());
        if parsed.specifications.is_empty() && parsed.diagnostics.is_empty() {
            counts[Severity::Error as usize] += 1;
            text.empty().report(output);
        }
    }
    let [errors, warnings, notes] = counts;
    let exit = match errors {
        0 => Exit::Clean,
        _ => Exit::BadInput,
    };
    if output.format != MessageFormat::Json {
        output.note(&format!(
            "commute: {}, {}, {}, {}",
            count(types, "usable type"),
            count(errors, "error"),
            count(warnings, "warning"),
            count(notes, "note")
        ));
    }
    (errors, exit)
}
