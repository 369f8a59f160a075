//! `commute spec show`: a specification for people.

use commute_spec::{AccessPoints, Mutates, Specification, Variables, models};

use super::describe::{self, Classes};
use super::{Outcome, Report, Text};
use crate::cli::MessageFormat;
use crate::exit::Exit;
use crate::output::Output;

/// A column is not made wider than this for the sake of one long name.
const WIDEST: usize = 40;

/// Prints every type of the texts; a text that cannot be used is an error.
pub(super) fn run(texts: &[Text], report: &mut Report<'_>) -> Outcome {
    let mut first = true;
    let (mut types, mut errors) = (0, 0);
    for text in texts {
        let specifications = text.specifications(report).unwrap_or_else(|refusal| {
            report.refuse(refusal);
            errors += 1;
            Vec::new()
        });
        let output = &mut *report.output;
        for specification in specifications {
            types += 1;
            if output.format == MessageFormat::Json {
                output.line(&describe::json(&specification, &text.name));
                continue;
            }
            if !std::mem::take(&mut first) {
                output.line("");
            }
            one(&specification, output);
        }
    }
    let exit = match errors {
        0 => Exit::Clean,
        _ => Exit::BadInput,
    };
    Outcome {
        types,
        errors,
        exit,
    }
}

fn one(specification: &Specification, output: &mut Output) {
    let Specification {
        name,
        model,
        orders,
        ..
    } = specification;
    let mut title = format!("type {name}");
    if let Some(model) = model {
        title += &match models::named(model) {
            Some(_) => format!(", verified against model {model}"),
            None => format!(", not verified: there is no model {model}"),
        };
    }
    output.line(&heading(&title, output));
    for orders in orders {
        output.line(&format!("  orders {}", specification.order_text(orders)));
    }
    methods(specification, output);
    conditions(specification, output);
    let points = AccessPoints::of(specification);
    access_points(specification, &points, output);
    conflicts(&points, output);
}

fn heading(text: &str, output: &Output) -> String {
    if output.style.color {
        format!("\x1b[1m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

fn methods(specification: &Specification, output: &mut Output) {
    output.line(&heading("\nmethods", output));
    let signatures: Vec<_> = specification
        .methods
        .iter()
        .map(|m| m.signature())
        .collect();
    let width = signatures
        .iter()
        .map(|s| s.chars().count())
        .max()
        .unwrap_or(0)
        .min(WIDEST);
    for (method, signature) in specification.methods.iter().zip(signatures) {
        let mutates = match &method.mutates {
            Mutates::Never => "does not change the object".to_owned(),
            Mutates::Unknown => "may change the object".to_owned(),
            Mutates::When(formula) => {
                let formula = formula.text(&Variables::of_method(method));
                match &formula[..] {
                    "true" => "changes the object".to_owned(),
                    _ => format!("changes the object if {formula}"),
                }
            }
        };
        output.line(&format!("  {signature:width$}   {mutates}"));
    }
}

fn conditions(specification: &Specification, output: &mut Output) {
    output.line(&heading(
        "\nconditions: two invocations commute if …",
        output,
    ));
    let names = |a: usize, b: usize| {
        let name = |i: usize| &specification.methods[i].name;
        format!("{} ~ {}", name(a), name(b))
    };
    let widths = specification
        .pairs()
        .map(|(a, b, _)| names(a, b).chars().count());
    let width = widths.max().unwrap_or(0).min(WIDEST);
    let mut classes = Classes::default();
    for (a, b, condition) in specification.pairs() {
        let found = classes.of(&condition.formula);
        let mut line = format!(
            "  {:width$}   {:6}   {}",
            names(a, b),
            found.class.to_string(),
            specification.condition_text(a, b)
        );
        if let Some(culprit) = found.culprit
            && found.class > commute_spec::Class::Ecl
        {
            let culprit = culprit.text(&specification.variables(a, b));
            line += &format!("   (outside ECL: {culprit})");
        }
        if condition.order {
            line += "   (order only: no value flows)";
        }
        if !condition.listed {
            line += "   (not listed)";
        }
        output.line(&line);
    }
}

fn access_points(specification: &Specification, points: &AccessPoints, output: &mut Output) {
    output.line(&heading("\naccess points", output));
    for method in 0..specification.methods.len() {
        output.line(&format!("  {}", points.describe(specification, method)));
    }
    if !points.linear().is_empty() {
        let name = |i: usize| &specification.methods[i].name;
        let pairs: Vec<_> = points
            .linear()
            .iter()
            .map(|&(a, b)| format!("{} ~ {}", name(a), name(b)))
            .collect();
        output.line(&format!(
            "  compared one by one, linear in the object's actions: {}",
            pairs.join(", ")
        ));
    }
}

fn conflicts(points: &AccessPoints, output: &mut Output) {
    let classes = points.classes();
    if classes.is_empty() {
        return;
    }
    output.line(&heading(
        "\nconflicts (points with a key conflict if their keys are equal)",
        output,
    ));
    let width = classes
        .iter()
        .map(|c| c.name.chars().count())
        .max()
        .unwrap_or(0)
        .min(WIDEST);
    let mut header = format!("  {:width$}", "");
    for class in classes {
        header += &format!("  {}", class.name);
    }
    output.line(&header);
    for (i, class) in classes.iter().enumerate() {
        let mut line = format!("  {:width$}", class.name);
        for (j, other) in classes.iter().enumerate() {
            let cell = if points.conflict(i as u16, j as u16) {
                "x"
            } else {
                "·"
            };
            let column = other.name.chars().count().min(WIDEST);
            line += &format!("  {cell:^column$}");
        }
        output.line(line.trim_end());
    }
}
