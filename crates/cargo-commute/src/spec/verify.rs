//! `commute spec verify`: specifications against their sequential models.

use commute_model::{Code, Diagnostic, Severity};
use commute_spec::models::{self, Model};
use commute_spec::verify::{Mismatch, PairVerdict, Verification, verify};
use commute_spec::{Orders, Specification, closest};
use serde::Serialize;

use super::{Outcome, Report, Text};
use crate::cli::MessageFormat;
use crate::exit::Exit;
use crate::output::Output;

/// Verifies every type of the texts: those that are unsound or not verified are errors.
pub(super) fn run(texts: &[Text], report: &mut Report<'_>) -> Outcome {
    let mut exit = Exit::Clean;
    let (mut sound, mut unsound, mut unknown) = (0, 0, 0);
    for text in texts {
        report.begin(text);
        let specifications = text.specifications(report).unwrap_or_else(|refusal| {
            report.refuse(refusal);
            exit = Exit::BadInput;
            unknown += 1;
            Vec::new()
        });
        for specification in specifications {
            let one = one(&specification, text, report);
            match one {
                Exit::Clean => sound += 1,
                Exit::Findings => unsound += 1,
                Exit::BadInput | Exit::Inconclusive => unknown += 1,
            }
            exit = exit.min(one);
        }
    }
    let all = sound + unsound + unknown;
    let mut line = format!("commute: {sound} of {all} specifications are sound");
    if unsound > 0 {
        line += &format!(", {unsound} unsound");
    }
    if unknown > 0 {
        line += &format!(", {unknown} could not be verified");
    }
    match report.output.format {
        MessageFormat::Human => report.output.result_line(&line),
        MessageFormat::Json => {}
        _ => report.output.note(&line),
    }
    Outcome {
        types: all,
        errors: unsound + unknown,
        exit,
    }
}

/// Verifies one type: sound (clean), refuted (findings), or not to be verified
/// as it is (bad input).
fn one(specification: &Specification, text: &Text, report: &mut Report<'_>) -> Exit {
    let model = match model(specification) {
        Ok(model) => model,
        Err(diagnostic) => {
            report.diagnostics(&[diagnostic], text);
            if report.output.format == MessageFormat::Json {
                report.output.line(&json(specification, text, None));
            }
            return Exit::BadInput;
        }
    };
    let result = verify(specification, model);
    // That it is as it should be is no finding.
    let is_told = !report.output.is_quiet() || !result.is_sound();
    if report.output.format == MessageFormat::Human && is_told {
        human(specification, &result, report.output);
    }
    let mut found: Vec<Diagnostic> = result
        .mismatches
        .iter()
        .map(|mismatch| misfit(specification, mismatch))
        .collect();
    found.extend(refutations(specification, &result));
    if report.output.format != MessageFormat::Human && !report.output.is_quiet() {
        let imprecise = result.imprecise_pairs();
        found.extend(imprecise.map(|pair| imprecision(specification, pair)));
    }
    report.diagnostics(&found, text);
    if report.output.format == MessageFormat::Json {
        report
            .output
            .line(&json(specification, text, Some(&result)));
    }
    match result.is_sound() {
        true => Exit::Clean,
        false if result.mismatches.is_empty() => Exit::Findings,
        false => Exit::BadInput,
    }
}

/// The model that a type names.
fn model(specification: &Specification) -> Result<&'static dyn Model, Diagnostic> {
    let names = || models::all().iter().map(|model| model.name());
    let error = |span, message: String| Diagnostic {
        code: None,
        ..Diagnostic::error(Code::CM908, span, message)
    };
    let known = || format!("the models are {}", names().collect::<Vec<_>>().join(", "));
    let name = &specification.name;
    let Some(model) = &specification.model else {
        let message = format!("`{name}` cannot be verified: it names no model");
        let help = format!("write `model …` into the type; {}", known());
        return Err(error(specification.span, message).help(help));
    };
    models::named(model).ok_or_else(|| {
        let message = format!("`{name}` cannot be verified: there is no model `{model}`");
        let help = match closest(model, names()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => known(),
        };
        error(specification.model_span, message).help(help)
    })
}

/// A method that the model does not have, or not so.
fn misfit(specification: &Specification, mismatch: &Mismatch) -> Diagnostic {
    let (method, help) = match mismatch {
        Mismatch::UnknownMethod { method, known } => {
            let close = closest(method, known.iter().copied());
            (
                method,
                close.map(|close| format!("did you mean `{close}`?")),
            )
        }
        Mismatch::Signature { method, .. } => (method, None),
        Mismatch::NoSuchSlot { methods } => (&methods[0], None),
    };
    let declared = specification.method(method);
    let span = declared.map_or(specification.span, |i| specification.methods[i].span);
    Diagnostic {
        code: None,
        help,
        ..Diagnostic::error(Code::CM908, span, mismatch.to_string())
    }
}

#[derive(Serialize)]
struct Body<'a> {
    name: &'a str,
    file: &'a str,
    model: Option<&'a str>,
    verdict: &'a str,
    states: usize,
    actions: usize,
    pairs: usize,
    cases: usize,
    unsound: usize,
    imprecise: usize,
}

/// `{"schema":1,"reason":"verification",…}`; without a result if there was none.
fn json(specification: &Specification, text: &Text, result: Option<&Verification>) -> String {
    let size = result.map(|result| result.size).unwrap_or_default();
    let hidden = result.map_or(0, |result| result.hidden_changes().count());
    let flowing = result.map_or(0, |result| result.flowing_values().count());
    let body = Body {
        name: &specification.name,
        file: &text.name,
        model: specification.model.as_deref(),
        verdict: match result {
            Some(result) if result.is_sound() => "sound",
            Some(result) if result.mismatches.is_empty() => "unsound",
            _ => "unverified",
        },
        states: size.states,
        actions: size.actions,
        pairs: size.pairs,
        cases: size.triples,
        unsound: hidden + flowing + result.map_or(0, |result| result.unsound_pairs().count()),
        imprecise: result.map_or(0, |result| result.imprecise_pairs().count()),
    };
    commute_report::json::line("verification", body)
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
            "  note[CM909]: {first} ~ {second}: {imprecise} of {realisable} pairs of actions commute unnoticed: {witness}"
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
    for (index, counterexample) in result.broken_rules() {
        let Orders::Rule(rule) = &specification.orders[index] else {
            continue;
        };
        let message = "unsound `orders`: an action after `->` does not need one before it";
        let help = counterexample.to_string();
        refuted.push(Diagnostic::error(Code::CM908, rule.span, message).help(help));
    }
    for (order, value) in result.flowing_values() {
        let name = |method: usize| &specification.methods[method].name;
        let message = format!(
            "unsound `order`: a value flows between `{}` and `{}` ({} pairs of actions)",
            name(order.first),
            name(order.second),
            order.dependent
        );
        let span = specification.pair(order.first, order.second).0.span;
        refuted.push(Diagnostic::error(Code::CM908, span, message).help(value.to_string()));
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
