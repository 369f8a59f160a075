//! Which specifications the arguments name.

use std::path::Path;

use commute_model::Severity;
use commute_report::diagnostic::Source;
use commute_spec::{Specification, closest, parse, shipped};

use super::Report;
use crate::cli::{Shared, SpecArgs};
use crate::library;
use crate::refusal::Refusal;

/// A text of specifications.
#[derive(Clone)]
pub(super) struct Text {
    /// The name of its file.
    pub(super) name: String,
    /// The text.
    pub(super) text: String,
    /// The type that is meant, if not all are.
    only: Option<String>,
}

impl Text {
    fn shipped(name: &str, text: &str) -> Text {
        Text {
            name: format!("specs/{name}.ecl"),
            text: text.to_owned(),
            only: None,
        }
    }

    fn file(path: &Path) -> Result<Text, Refusal> {
        Ok(Text {
            name: path.display().to_string(),
            text: library::read(path)?,
            only: None,
        })
    }

    pub(super) fn source(&self) -> Source<'_> {
        Source::new(&self.name, &self.text)
    }

    /// The specifications that are meant.
    ///
    /// # Errors
    /// If the text has errors, which are printed, or no type.
    pub(super) fn specifications(
        &self,
        report: &mut Report<'_>,
    ) -> Result<Vec<Specification>, Refusal> {
        let parsed = parse(&self.text);
        let mut errors = parsed.diagnostics;
        errors.retain(|diagnostic| diagnostic.severity == Severity::Error);
        if !errors.is_empty() {
            report.errors(&errors, self);
            let message = format!("{} is not a usable specification", self.name);
            return Err(Refusal::new(&self.name, message));
        }
        let mut found = parsed.specifications;
        if found.is_empty() {
            return Err(self.empty());
        }
        if let Some(only) = &self.only {
            found.retain(|specification| specification.name == *only);
        }
        Ok(found)
    }

    /// A text without a type.
    pub(super) fn empty(&self) -> Refusal {
        let help = "a specification begins with `type name {`".to_owned();
        Refusal::new(&self.name, format!("{} contains no type", self.name)).help(Some(help))
    }
}

/// The texts that the arguments name: files, directories of files, types of the
/// files of `--spec`, shipped types. If nothing is named, all of `--spec`, and
/// without that all shipped types.
pub(super) fn texts(args: &SpecArgs, shared: &Shared) -> Result<Vec<Text>, Refusal> {
    let mut own = Vec::new();
    for path in &shared.spec {
        for file in library::files(path)? {
            own.push(Text::file(&file)?);
        }
    }
    let mut texts = Vec::new();
    for which in &args.which {
        named(which, &own, &mut texts)?;
    }
    if args.which.is_empty() {
        texts = own;
    }
    if texts.is_empty() {
        let all = shipped::SOURCES.iter();
        texts.extend(all.map(|(name, text)| Text::shipped(name, text)));
    }
    Ok(texts)
}

/// Adds what `which` names.
fn named(which: &str, own: &[Text], texts: &mut Vec<Text>) -> Result<(), Refusal> {
    let path = Path::new(which);
    let name = which.replace('-', "_");
    if path.is_file() {
        texts.push(Text::file(path)?);
        return Ok(());
    }
    // The last one counts, as in an analysis.
    let declares = |text: &&Text| {
        let types = parse(&text.text).specifications;
        types.iter().any(|specification| specification.name == name)
    };
    if let Some(text) = own.iter().rev().find(declares) {
        let only = Some(name);
        texts.push(Text {
            only,
            ..text.clone()
        });
        return Ok(());
    }
    if let Some((name, text)) = shipped::SOURCES.iter().find(|(known, _)| *known == name) {
        texts.push(Text::shipped(name, text));
        return Ok(());
    }
    if path.exists() || which.contains(['/', '.', '\\']) {
        for file in library::files(path)? {
            texts.push(Text::file(&file)?);
        }
        return Ok(());
    }
    Err(unknown(which, &name, own))
}

fn unknown(which: &str, name: &str, own: &[Text]) -> Refusal {
    let mut known: Vec<String> = shipped::SOURCES
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    for text in own {
        known.extend(parse(&text.text).specifications.into_iter().map(|s| s.name));
    }
    let help = match closest(name, known.iter().map(String::as_str)) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    let message = format!("there is no file and no specification `{which}`");
    Refusal::new(which, message).help(Some(help))
}
