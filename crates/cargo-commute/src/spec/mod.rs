//! `commute spec`: checking, showing and verifying specifications.

mod check;
mod show;
mod verify;

use std::path::Path;

use anyhow::{Result, bail};
use commute_model::Severity;
use commute_report::diagnostic::{self, Source};
use commute_report::{Summary, Verdict};
use commute_spec::{Parsed, parse, shipped};

use crate::cli::{Shared, SpecArgs, SpecCommand};
use crate::exit::Exit;
use crate::output::Output;

/// Runs a subcommand.
pub(crate) fn run(command: &SpecCommand, shared: &Shared, output: &mut Output) -> Result<Exit> {
    match command {
        SpecCommand::Check(args) => check::run(&texts(args, shared)?, output),
        SpecCommand::Show(args) => show::run(&texts(args, shared)?, output),
        SpecCommand::Verify(args) => verify::run(&texts(args, shared)?, output),
    }
}

/// A text of specifications.
pub(crate) struct Text {
    /// The name of its file.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Text {
    fn source(&self) -> Source<'_> {
        Source::new(&self.name, &self.text)
    }

    /// The specifications of the text.
    ///
    /// # Errors
    /// If it has errors; these are printed.
    fn parse(&self, output: &mut Output) -> Result<Parsed> {
        let parsed = parse(&self.text);
        let errors: Vec<_> = parsed
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .cloned()
            .collect();
        if !errors.is_empty() {
            let text = diagnostic::human(&errors, &self.source(), &output.style);
            output.stderr(&text);
            bail!("{} is not a usable specification", self.name);
        }
        if parsed.specifications.is_empty() {
            bail!("{} contains no type", self.name);
        }
        Ok(parsed)
    }
}

/// The last line of JSON.
fn summary(analysis: &str, findings: u64, exit: Exit) -> Summary {
    Summary {
        verdict: match exit {
            Exit::Clean => Verdict::Clean,
            Exit::Inconclusive => Verdict::Inconclusive,
            Exit::Findings | Exit::BadInput => Verdict::Violations,
        },
        findings,
        analyses: vec![analysis.to_owned()],
        ..Summary::default()
    }
}

/// The texts that the arguments name: shipped types and files, also those of
/// `--spec`; all shipped ones if nothing is named.
fn texts(args: &SpecArgs, shared: &Shared) -> Result<Vec<Text>> {
    let mut texts = Vec::new();
    for which in &args.which {
        let path = Path::new(which);
        let normal = which.replace('-', "_");
        match shipped::SOURCES.iter().find(|(name, _)| *name == normal) {
            Some((name, text)) if !path.is_file() => texts.push(shipped_text(name, text)),
            _ if path.exists() || which.contains(['/', '.']) => texts.push(file(path)?),
            _ => {
                let known: Vec<_> = shipped::SOURCES.iter().map(|(name, _)| *name).collect();
                bail!(
                    "there is no file and no shipped type `{which}`; shipped are {}",
                    known.join(", ")
                );
            }
        }
    }
    for path in &shared.spec {
        for file_path in crate::library::files(path)? {
            texts.push(file(&file_path)?);
        }
    }
    if texts.is_empty() {
        let all = shipped::SOURCES.iter();
        texts.extend(all.map(|(name, text)| shipped_text(name, text)));
    }
    Ok(texts)
}

fn shipped_text(name: &str, text: &str) -> Text {
    Text {
        name: format!("specs/{name}.ecl"),
        text: text.to_owned(),
    }
}

fn file(path: &Path) -> Result<Text> {
    Ok(Text {
        name: path.display().to_string(),
        text: crate::library::read(path)?,
    })
}
