//! What the command line, the environment and the file say together.
//!
//! The command line is read twice. The first time shows what is typed; what the environment
//! and the file say then takes the place of defaults, and it is read again. So whatever is
//! typed wins, and a flag replaces a list of the file rather than extending it.
//!
//! What is typed also wins over what it conflicts with: `-v` over `quiet = true`. And every
//! key has an option `--no-KEY`, with which neither the environment nor the file say anything
//! about it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, ColorChoice, Command, FromArgMatches, Id};

use super::file::File;
use super::keys::{self, Key, NO_TABLES, Table};
use super::values::{self, Setting};
use super::variables;
use crate::cli::{self, Cli, Shared};

/// What is wanted.
pub(crate) struct Said {
    pub cli: Cli,
    /// The file, if there is one.
    pub file: Option<File>,
    /// What is odd about it, and about the environment.
    pub warnings: Vec<String>,
    /// Files that nobody typed.
    pub elsewhere: Elsewhere,
    typed: Vec<Id>,
    /// Options for which the file has decided.
    configured: Vec<Id>,
}

impl Said {
    /// Whether it is the file that says this option.
    pub(crate) fn is_configured(&self, id: &str) -> bool {
        self.configured.iter().any(|configured| configured == id)
    }

    /// Whether one of these options is on the command line.
    pub(crate) fn is_typed(&self, ids: &[&str]) -> bool {
        self.typed.iter().any(|id| ids.contains(&id.as_str()))
    }
}

/// Files that the environment or the file names, and where.
#[derive(Default)]
pub(crate) struct Elsewhere(Vec<(String, String)>);

impl Elsewhere {
    /// Who named the file that a mistake is about, if that was not typed.
    pub(crate) fn who_named(&self, mistake: &str) -> Option<&str> {
        let mut all = self.0.iter();
        let (_, source) = all.find(|(file, _)| mistake.contains(file))?;
        Some(source)
    }
}

/// Why nothing is done.
pub(crate) enum Refused {
    /// What is typed makes no sense, or asks for help.
    Usage(Box<clap::Error>),
    /// What the environment or the file says makes no sense. How that is said is typed.
    Settings(anyhow::Error, Box<Shared>),
}

impl From<clap::Error> for Refused {
    fn from(error: clap::Error) -> Refused {
        Refused::Usage(Box::new(error))
    }
}

/// What these arguments ask for, the first being the name of the program.
///
/// # Errors
/// If they make no sense, or the environment or the file does not.
pub(crate) fn parse(args: &[OsString]) -> Result<Said, Refused> {
    let known = keys::known();
    let color = color(args);
    let command = |known: &Table| command(known).color(color);
    let matches = match without_required(command(&known)).try_get_matches_from(args) {
        Ok(matches) => matches,
        // The help says what is required, and advice does not lead to what is hidden.
        Err(error) => {
            let is_negation = |arg: &OsString| arg.to_string_lossy().starts_with("--no-");
            let strict = match args.iter().any(is_negation) {
                true => command(&known),
                false => cli::command().color(color),
            };
            let strict = strict.try_get_matches_from(args);
            return Err(strict.err().unwrap_or(error).into());
        }
    };
    let typed = Typed::new(&known, &matches)?;
    typed.refuse_conflicts()?;
    let read = || -> Result<(Option<File>, Vec<String>, Vec<Chosen>)> {
        let file = typed.file()?;
        let contents = file.as_ref().map(|file| values::read(file, &known));
        let mut contents = contents.transpose()?.unwrap_or_default();
        // A mistake in the table of the lint is one for every command, too.
        #[cfg(unix)]
        if let Some(file) = &file {
            contents.warnings.extend(crate::lint::warnings(file)?);
        }
        contents.warnings.extend(variables::misplaced(&known));
        let chosen = typed.choose(&mut contents.tables)?;
        Ok((file, contents.warnings, chosen))
    };
    let refused = |error| Refused::Settings(error, Box::new(typed.shared.clone()));
    let (file, warnings, chosen) = read().map_err(refused)?;
    let mut command = command(&known);
    let mut elsewhere = Elsewhere::default();
    let in_file = chosen.iter().filter(|one| one.is_in_file);
    let configured = in_file.map(|one| one.id.clone()).collect();
    for one in chosen {
        elsewhere.0.extend(one.files);
        let set = |command: Command| command.mut_arg(&one.id, |arg| Key::set(arg, one.words));
        command = at(command, &typed.path[..one.depth], set);
    }
    let matches = command.clone().try_get_matches_from(args)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok(Said {
        cli,
        file,
        warnings,
        elsewhere,
        typed: typed.ids,
        configured,
    })
}

/// The command line with `--no-KEY` for every key.
fn command(known: &Table) -> Command {
    with_negations(cli::command(), known)
}

/// When help and mistakes have colours: nothing is understood yet when they are shown.
fn color(args: &[OsString]) -> ColorChoice {
    let words = args.iter().map(|arg| arg.to_string_lossy());
    let words: Vec<_> = words.take_while(|word| word != "--").collect();
    let mut typed = None;
    for (i, word) in words.iter().enumerate() {
        match word.strip_prefix("--color") {
            Some("") => typed = words.get(i + 1).map(ToString::to_string),
            Some(rest) if rest.starts_with('=') => typed = Some(rest[1..].to_owned()),
            _ => {}
        }
    }
    let variable = || variables::value("COMMUTE_COLOR")?.into_string().ok();
    match typed.or_else(variable).as_deref() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

fn with_negations(mut command: Command, table: &Table) -> Command {
    for key in &table.keys {
        let name = negation(key);
        if !{ command.get_arguments() }.any(|arg| arg.get_long() == Some(&name)) {
            let arg = Arg::new(&name)
                .long(&name)
                .action(ArgAction::SetTrue)
                .hide(true);
            command = command.arg(arg.global(key.is_shared()).overrides_with(key.id()));
        }
    }
    for below in &table.tables {
        let name = below.path.last().expect("a command has a name");
        command = command.mut_subcommand(name, |command| with_negations(command, below));
    }
    command
}

fn negation(key: &Key) -> String {
    format!("no-{}", key.name)
}

/// Options that are required may be in the file.
fn without_required(command: Command) -> Command {
    let optional = |arg: Arg| match arg.get_long() {
        Some(_) => arg.required(false),
        None => arg,
    };
    command.mut_args(optional).mut_subcommands(without_required)
}

/// The same command with a command below it changed.
fn at(command: Command, path: &[String], change: impl FnOnce(Command) -> Command) -> Command {
    // A closure in a closure would be a type of its own at every depth.
    let change: Box<dyn FnOnce(Command) -> Command + '_> = Box::new(change);
    match path {
        [] => change(command),
        [name, rest @ ..] => command.mut_subcommand(name, |command| at(command, rest, change)),
    }
}

/// What is on the command line.
struct Typed<'k, 'm> {
    known: &'k Table,
    /// The words of the command.
    path: Vec<String>,
    /// What it was given.
    matches: &'m ArgMatches,
    /// What is said.
    ids: Vec<Id>,
    /// What every command may be given.
    shared: Shared,
    /// The command, with all that it knows.
    command: Command,
}

/// What an option is, if it is not typed.
struct Chosen {
    id: Id,
    words: Vec<OsString>,
    /// How many words of the command come before it.
    depth: usize,
    /// Files among the words, and where they are named.
    files: Vec<(String, String)>,
    /// Whether the configuration file says so.
    is_in_file: bool,
}

impl<'k, 'm> Typed<'k, 'm> {
    fn new(known: &'k Table, matches: &'m ArgMatches) -> Result<Typed<'k, 'm>, clap::Error> {
        let mut all = command(known);
        all.build();
        let (mut path, mut matches, mut command) = (Vec::new(), matches, &all);
        while let Some((name, below)) = matches.subcommand() {
            path.push(name.to_owned());
            matches = below;
            command = command.find_subcommand(name).expect("it was found before");
        }
        let ids = matches.ids().cloned();
        let is_typed = |id: &Id| {
            let source = matches.value_source(id.as_str());
            source == Some(ValueSource::CommandLine)
        };
        Ok(Typed {
            known,
            ids: ids.filter(is_typed).collect(),
            path,
            matches,
            shared: Shared::from_arg_matches(matches)?,
            command: command.clone(),
        })
    }

    fn is_typed(&self, id: &str) -> bool {
        self.ids.iter().any(|typed| typed == id)
    }

    /// What every command has may stand before the command and after it, where the two are
    /// not compared: `-q check -v`.
    fn refuse_conflicts(&self) -> Result<(), clap::Error> {
        let shared = self.known.keys.iter().map(Key::id);
        let typed: Vec<&Id> = shared.filter(|id| self.is_typed(id.as_str())).collect();
        for (i, one) in typed.iter().enumerate() {
            if let Some(other) = typed[..i].iter().find(|other| self.conflict(one, other)) {
                let shown = |id: &Id| {
                    let mut all = self.command.get_arguments();
                    let arg = all.find(|arg| arg.get_id() == id);
                    arg.map(ToString::to_string).unwrap_or_default()
                };
                let (one, other) = (shown(one), shown(other));
                let text = format!("the argument '{other}' cannot be used with '{one}'");
                let kind = clap::error::ErrorKind::ArgumentConflict;
                return Err(self.command.clone().error(kind, text));
            }
        }
        Ok(())
    }

    /// The file that counts.
    fn file(&self) -> Result<Option<File>> {
        let is_without = { self.path.first() }.is_some_and(|name| NO_TABLES.contains(&&**name));
        if is_without || self.shared.no_config {
            return Ok(None);
        }
        let typed = self.shared.config.clone();
        let named = typed.or_else(|| variables::value(variables::CONFIG).map(PathBuf::from));
        match named {
            Some(path) => File::read(&path).map(Some),
            None => File::find(&self.folder()),
        }
    }

    /// Where the project is.
    fn folder(&self) -> PathBuf {
        let mut manifest = { self.command.get_arguments() }
            .filter(|arg| arg.get_long() == Some("manifest-path"))
            .filter_map(|arg| self.matches.get_one::<PathBuf>(arg.get_id().as_str()));
        if let Some(manifest) = manifest.next() {
            return folder_of(manifest);
        }
        let code = match &*self.path {
            [command] if command == "lint" => self.matches.get_many::<PathBuf>("paths"),
            _ => None,
        };
        match code.and_then(|mut paths| paths.next()) {
            Some(path) if path.is_dir() => path.clone(),
            Some(path) => folder_of(path),
            None => PathBuf::new(),
        }
    }

    /// What is taken of what the environment and these tables say.
    fn choose(&self, tables: &mut Vec<(&'k [String], Vec<Setting<'k>>)>) -> Result<Vec<Chosen>> {
        // From the command to the top level: what is said for one command counts more.
        let mut levels = vec![self.known];
        for name in &self.path {
            levels.extend(levels[levels.len() - 1].below(name));
        }
        levels.reverse();
        // An option of this very command, or of every one.
        let counts = |level: &Table, key: &Key| key.is_shared() || level.path == self.path;
        let mut layers = Vec::new();
        // `commute spec` has no table, but variables.
        for depth in (0..=self.path.len()).rev() {
            let path = &self.path[..depth];
            let level = levels.iter().find(|level| level.path == path);
            let own = level.map(|level| {
                let own = level.keys.iter().filter(|key| !key.is_shared());
                own.filter(|key| counts(level, key))
            });
            let keys = own.into_iter().flatten().chain(&self.known.keys);
            let settings = keys.map(|key| variables::setting(path, key));
            layers.push(
                settings
                    .filter_map(Result::transpose)
                    .collect::<Result<Vec<_>>>()?,
            );
        }
        for level in &levels {
            let found = tables.iter().position(|(path, _)| *path == level.path);
            let mut settings = found.map(|at| tables.swap_remove(at).1).unwrap_or_default();
            settings.retain(|setting| counts(level, setting.key));
            layers.push(settings);
        }
        let negated = |key: &&Key| self.is_typed(&negation(key));
        let keys = levels.iter().flat_map(|level| &level.keys);
        let mut decided: Vec<Id> = keys.filter(negated).map(|key| key.id().clone()).collect();
        decided.extend(self.ids.iter().cloned());
        let mut on = self.ids.clone();
        let mut chosen = Vec::new();
        for layer in layers {
            let layer = self.layer(layer, &decided, &on)?;
            for setting in layer {
                if let Some(problem) = setting.outside {
                    bail!("{problem}");
                }
                let id = setting.key.id().clone();
                decided.push(id.clone());
                on.extend(setting.is_on().then(|| id.clone()));
                let files = setting.words.iter().filter(|_| setting.key.is_path());
                chosen.push(Chosen {
                    files: files
                        .map(|word| (word.to_string_lossy().into_owned(), setting.source.clone()))
                        .collect(),
                    depth: if setting.key.is_shared() {
                        0
                    } else {
                        self.path.len()
                    },
                    id,
                    words: setting.words,
                    is_in_file: setting.is_in_file,
                });
            }
        }
        Ok(chosen)
    }

    /// What is taken of a layer, under others that have decided some options and switched
    /// some of these on.
    fn layer(
        &self,
        layer: Vec<Setting<'k>>,
        decided: &[Id],
        on: &[Id],
    ) -> Result<Vec<Setting<'k>>> {
        let is_free = |setting: &Setting<'_>| {
            let id = setting.key.id();
            let conflicts = || on.iter().any(|other| self.conflict(id, other));
            let is_ruled_out = setting.is_on() && conflicts();
            !decided.contains(id) && !is_ruled_out
        };
        let taken: Vec<Setting<'k>> = layer.into_iter().filter(is_free).collect();
        for (i, one) in taken.iter().enumerate() {
            let both = |other: &&Setting<'_>| {
                one.is_on() && other.is_on() && self.conflict(one.key.id(), other.key.id())
            };
            if let Some(other) = taken[..i].iter().find(both) {
                bail!(
                    "{}: `{}` cannot be used with `{}` ({})",
                    one.source,
                    one.key.name,
                    other.key.name,
                    other.source
                );
            }
        }
        Ok(taken)
    }

    /// Whether two options cannot be used together.
    fn conflict(&self, one: &Id, other: &Id) -> bool {
        let arg = |id: &Id| self.command.get_arguments().find(|arg| arg.get_id() == id);
        let names = |one: &Id, other: &Id| {
            let conflicts = arg(one).map(|arg| self.command.get_arg_conflicts_with(arg));
            conflicts.is_some_and(|args| args.iter().any(|arg| arg.get_id() == other))
        };
        names(one, other) || names(other, one)
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}
