//! `commute spec verify`: specifications against their sequential models.

use anyhow::Result;
use commute_model::{Code, Diagnostic, Severity};
use commute_spec::verify::{PairVerdict, Verification, verify};
use commute_spec::{Specification, models};

use super::Text;
use crate::cli::MessageFormat;
use crate::exit::Exit;
use crate::output::Output;

/// Verifies every type of the texts.
pub(super) fn run(texts: &[Text], output: &mut Output) -> Result<Exit> {
    let mut exit = Exit::Clean;
    let (mut sound, mut unsound, mut unknown) = (0, 0, 0);
    for text in texts {
        for specification in text.parse(output)?.specifications {
            let one = one(&specification, text, output);
            match one {
                Exit::Clean => sound += 1,
                Exit::Findings => unsound += 1,
                Exit::BadInput | Exit::Inconclusive => unknown += 1,
            }
            exit = exit.min(one);
        }
    }
    let checked = sound + unsound;
    let mut line = format!("commute: {sound} of {checked} specifications are sound");
    if unsound > 0 {
        line += &format!(", {unsound} unsound");
    }
    if unknown > 0 {
        line += &format!(", {unknown} could not be verified");
    }
    match output.format {
        MessageFormat::Human => output.line(&line),
        MessageFormat::Json => output.summary(&super::summary("spec verify", unsound, exit)),
        _ => output.note(&line),
    }
    Ok(exit)
}

fn one(specification: &Specification, text: &Text, output: &mut Output) -> Exit {
    let name = &specification.name;
    let Some(model_name) = &specification.model else {
        output.note(&format!(
            "{name}: not verified: it names no model (`model map`, for example)"
        ));
        return Exit::Inconclusive;
    };
    let Some(model) = models::named(model_name) else {
        let known: Vec<_> = models::all().iter().map(|model| model.name()).collect();
        let known = known.join(", ");
        output.note(&format!(
            "error: {name}: there is no model `{model_name}`; there are {known}"
        ));
        return Exit::BadInput;
    };
    let result = verify(specification, model);
    if output.format == MessageFormat::Human {
        human(specification, &result, output);
    }
    let refuted = refutations(specification, &result);
    output.diagnostics(&refuted, &text.source());
    if output.format != MessageFormat::Human {
        let imprecise: Vec<_> = result
            .imprecise_pairs()
            .map(|pair| imprecision(specification, pair))
            .collect();
        output.diagnostics(&imprecise, &text.source());
    }
    for mismatch in &result.mismatches {
        output.note(&format!("error: {name}: {mismatch}"));
    }
    match result.is_sound() {
        true => Exit::Clean,
        false if result.mismatches.is_empty() => Exit::Findings,
        false => Exit::BadInput,
    }
}

/// One line, and one more per imprecise pair.
fn human(specification: &Specification, result: &Verification, output: &mut Output) {
    let verdict = match (result.is_sound(), result.mismatches.is_empty()) {
        (true, _) => "sound",
        (false, true) => "UNSOUND",
        (false, false) => "NOT VERIFIED",
    };
    let Verification {
        specification: name,
        model,
        size,
        ..
    } = result;
    let imprecise = result.imprecise_pairs().count();
    let mut line = format!("{name}: {verdict} against model {model}: {size}");
    if imprecise > 0 {
        let s = if imprecise == 1 { "" } else { "s" };
        line += &format!("; {imprecise} imprecise pair{s}");
    }
    output.line(&line);
    for pair in result.imprecise_pairs() {
        let (first, second) = names(specification, pair);
        let PairVerdict {
            imprecise,
            realisable,
            imprecision,
            ..
        } = pair;
        let witness = imprecision
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        output.line(&format!(
            "  {first} ~ {second}: {imprecise} of {realisable} pairs of actions commute unnoticed: {witness}"
        ));
    }
}

fn names<'a>(specification: &'a Specification, pair: &PairVerdict) -> (&'a str, &'a str) {
    let name = |i: usize| &specification.methods[i].name[..];
    (name(pair.first), name(pair.second))
}

fn refutations(specification: &Specification, result: &Verification) -> Vec<Diagnostic> {
    let mut refuted = Vec::new();
    for pair in result.unsound_pairs() {
        let (first, second) = names(specification, pair);
        let condition = specification.pair(pair.first, pair.second).0;
        let message = format!(
            "unsound condition: `{first}` and `{second}` do not always commute when it holds ({} pairs of actions)",
            pair.unsound
        );
        let counterexample = pair.counterexample.as_ref().map(ToString::to_string);
        refuted.push(
            Diagnostic::error(Code::CM908, condition.span, message)
                .label("holds in this counterexample")
                .help(counterexample.unwrap_or_default()),
        );
    }
    for verdict in &result.mutates {
        let method = &specification.methods[verdict.method];
        if let Some(change) = &verdict.counterexample {
            let message = format!(
                "unsound `mutates`: `{}` changes the object where it says not",
                method.name
            );
            refuted.push(
                Diagnostic::error(Code::CM908, method.span, message).help(change.to_string()),
            );
        }
    }
    refuted
}

fn imprecision(specification: &Specification, pair: &PairVerdict) -> Diagnostic {
    let (first, second) = names(specification, pair);
    let span = specification.pair(pair.first, pair.second).0.span;
    let message = format!(
        "imprecise condition: {} of {} pairs of actions of `{first}` and `{second}` commute although it is false",
        pair.imprecise, pair.realisable
    );
    let witness = pair.imprecision.as_ref().map(ToString::to_string);
    Diagnostic {
        severity: Severity::Note,
        ..Diagnostic::warning(Code::CM909, span, message).help(witness.unwrap_or_default())
    }
}
