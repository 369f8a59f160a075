//! `commute lint`: source code in, findings out, and nothing is run.
//!
//! A front end makes a program of what a compiler has printed ([`front_end`]); cargo is
//! made to print it where it builds ([`extract`], [`compiler`]). What the analysis finds
//! becomes findings ([`finding`]), is kept ([`cache`]), and is shown unless somebody
//! allows it ([`comments`], [`settings`]).

mod cache;
mod comments;
mod compiler;
mod extract;
mod finding;
mod front_end;
mod input;
mod names;
mod outcome;
mod settings;
mod show;
mod unit;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use commute_lint::ir::Gap;
use commute_lint::{Options, ir};
use commute_report::Sources;

use self::cache::Question;
pub(crate) use self::compiler::compile;
use self::extract::{Place, Project};
use self::front_end::CrateInfo;
use self::input::Input;
use self::outcome::Seen;
use self::settings::Settings;
use self::show::Show;
use self::unit::Unit;
use crate::cli::{LintArgs, Shared};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Phase;
use crate::results::Results;
use crate::sources::FileSources;

/// Looks at what the command line names.
pub(crate) fn run(args: &LintArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let mut results = Results::of_lint(args.analyses(), shared);
    let result = look(args, shared, output, &mut results);
    results.finish("lint", result, output)
}

fn look(
    args: &LintArgs,
    shared: &Shared,
    output: &mut Output,
    results: &mut Results,
) -> Result<()> {
    results.prepare_documents(shared)?;
    let show = match input::of(args)? {
        Input::Project {
            manifest,
            directory,
        } => {
            let place = Place {
                args: &args.cargo,
                manifest: manifest.as_deref(),
                directory: directory.as_deref(),
                quiet: shared.quiet,
            };
            project(place.extract()?, &args.options(), shared)?
        }
        Input::Mir(files) => mir(&files, &args.options(), shared)?,
        Input::Classes(paths) => classes(&paths, &args.options(), shared)?,
    };
    show.tell(shared, output, results);
    Ok(())
}

/// Looks at the crates of a project, unless that was done before.
fn project(project: Project, options: &Options, shared: &Shared) -> Result<Show> {
    let settings = Settings::read(&project.root)?;
    let sources = FileSources::below(std::slice::from_ref(&project.root));
    let question = Question::new(&project.folder, &project.units, options)?;
    let seen = match question.answer() {
        Some(seen) => seen,
        None => {
            let program = read(&project.units, &sources, shared.quiet)?;
            let seen = analyse(&program, project.units.len(), options, shared.quiet);
            question.keep(&seen);
            seen
        }
    };
    Ok(Show {
        name: project.manifest,
        seen,
        sources,
        settings,
        others: project.others,
        root: project.root,
    })
}

/// The program that these crates are. What is missing is a gap in it.
fn read(units: &[(Unit, PathBuf)], sources: &FileSources, quiet: bool) -> Result<ir::Program> {
    let _phase = Phase::new("reading MIR", quiet);
    let mut crates = Vec::new();
    let mut gaps = Vec::new();
    for (unit, mir) in units {
        let gap = |what: String| Gap {
            place: format!("crate `{}`", unit.name),
            what,
        };
        if let Some(failure) = &unit.failure {
            let rustc = &unit.rustc;
            gaps.push(gap(format!("not looked at: {failure} ({rustc})")));
            continue;
        }
        let text = String::from_utf8_lossy(&read_bytes(mir)?).into_owned();
        let info = CrateInfo {
            name: unit.name.clone(),
            root: unit.package.display().to_string(),
            edition: unit.edition.clone(),
            library: unit.is_library(),
        };
        crates.push((info, front_end::read(&text)));
    }
    let source = |file: &str| sources.text(file).map(|text| text.to_string());
    let mut program = front_end::rust(crates, &source);
    program.gaps.splice(0..0, gaps);
    Ok(program)
}

/// Looks at MIR that somebody has printed.
fn mir(files: &[PathBuf], options: &Options, shared: &Shared) -> Result<Show> {
    let mut crates = Vec::new();
    for file in files {
        let name = file.display();
        let text = read_bytes(file)?;
        let text = String::from_utf8_lossy(&text);
        if text.trim().is_empty() {
            bail!("{name} is empty");
        }
        let mir = front_end::read(&text);
        let begins = |word| text.lines().any(|line: &str| line.starts_with(word));
        if mir.bodies.is_empty()
            && !["fn ", "const ", "static ", "// WARNING: This output format"]
                .into_iter()
                .any(begins)
        {
            bail!("{name} is no MIR: `rustc -Zunpretty=mir` and `rustc --emit=mir` print it");
        }
        let stem = file.file_stem().unwrap_or_default();
        let info = CrateInfo {
            name: stem.to_string_lossy().into_owned(),
            root: String::new(),
            edition: "2024".to_owned(),
            library: true,
        };
        crates.push((info, mir));
    }
    let sources = FileSources::of(&files[0]);
    let source = |file: &str| sources.text(file).map(|text| text.to_string());
    let program = front_end::rust(crates, &source);
    let seen = analyse(&program, files.len(), options, shared.quiet);
    Ok(Show::alone(files[0].clone(), seen, sources))
}

/// Looks at class files.
fn classes(paths: &[PathBuf], options: &Options, shared: &Shared) -> Result<Show> {
    let phase = Phase::new("reading class files", shared.quiet);
    let program = front_end::java(paths)?;
    drop(phase);
    let seen = analyse(&program, paths.len(), options, shared.quiet);
    let sources = FileSources::below(&[PathBuf::new()]);
    Ok(Show::alone(paths[0].clone(), seen, sources))
}

fn analyse(program: &ir::Program, crates: usize, options: &Options, quiet: bool) -> Seen {
    let _phase = Phase::new("analysing", quiet);
    let outcome = commute_lint::lint(program, options);
    Seen::new(program, &outcome, crates)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
