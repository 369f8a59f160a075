//! `commute lint`: source code in, findings out, and nothing is run.
//!
//! A front end makes a program of what a compiler has printed ([`front_end`]); cargo is
//! made to print it where it builds ([`extract`], [`compiler`]). What the analysis finds
//! becomes findings ([`finding`]), is kept ([`cache`]), and is shown unless somebody
//! allows it ([`comments`], [`settings`]). With `--candidates` other things are listed
//! ([`candidates`]).

mod cache;
mod candidates;
mod code;
mod comments;
mod compiler;
mod extract;
mod finding;
mod front_end;
mod input;
mod mistakes;
mod names;
mod outcome;
mod settings;
mod show;
mod unit;

use anyhow::Result;
use commute_lint::{Options, ir};

use self::cache::Question;
pub(crate) use self::compiler::compile;
use self::extract::{Place, Project};
use self::input::Input;
#[cfg(test)]
pub(crate) use self::names::NAMES;
use self::outcome::Seen;
use self::settings::Settings;
pub(crate) use self::settings::warnings;
use self::show::Show;
use crate::cli::{LintArgs, Shared};
use crate::config::File;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Phase;
use crate::results::Results;
use crate::sources::FileSources;

/// Looks at what the command line names.
pub(crate) fn run(
    args: &LintArgs,
    shared: &Shared,
    file: Option<&File>,
    output: &mut Output,
) -> Result<Exit> {
    if args.candidates {
        return candidates::run(args, shared, output);
    }
    let mut results = Results::of_lint(args.analyses(), shared);
    let result = look(args, shared, file, output, &mut results);
    results.finish("lint", result, output)
}

fn look(
    args: &LintArgs,
    shared: &Shared,
    file: Option<&File>,
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
            let settings = file.map(Settings::read).transpose()?.unwrap_or_default();
            project(place.extract()?, settings, &args.options(), shared)?
        }
        Input::Mir(files) => {
            let (program, sources) = code::of_mir(&files, shared)?;
            let seen = analyse(&program, files.len(), &args.options(), shared.quiet);
            Show::alone(files[0].clone(), seen, sources)
        }
        Input::Classes(paths) => {
            let (program, sources) = code::of_classes(&paths, shared)?;
            let seen = analyse(&program, paths.len(), &args.options(), shared.quiet);
            Show::alone(paths[0].clone(), seen, sources)
        }
    };
    show.tell(shared, output, results);
    Ok(())
}

/// Looks at the crates of a project, unless that was done before.
fn project(
    project: Project,
    settings: Settings,
    options: &Options,
    shared: &Shared,
) -> Result<Show> {
    let sources = FileSources::of_program(std::slice::from_ref(&project.root), shared);
    let question = Question::new(&project.folder, &project.units, options)?;
    let seen = match question.answer() {
        Some(seen) => seen,
        None => {
            let program = code::of_project(&project.units, &sources, shared.quiet)?;
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

fn analyse(program: &ir::Program, crates: usize, options: &Options, quiet: bool) -> Seen {
    let _phase = Phase::new("analysing", quiet);
    let outcome = commute_lint::lint(program, options);
    Seen::new(program, &outcome, crates)
}
