//! Which keys there are: the options of the command line, by their long names.

use std::path::PathBuf;

use clap::builder::{StyledStr, ValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Command, Id};
use commute_report::clip;

use super::nearest::nearest;
use super::section::list;
use crate::cli;
use crate::glob::Glob;

/// Options that are no keys: they say where the file is, or which project is meant and with
/// it the file, overwrite files (`force`), or let reports show more than a project may decide
/// (`sources`).
pub(super) const NO_KEYS: [&str; 5] = ["config", "no-config", "manifest-path", "force", "sources"];

/// Commands that have nothing to do with a project's wishes. They do not read the file.
pub(super) const NO_TABLES: [&str; 3] = ["init", "completions", "man"];

/// Keys whose files are written: a configuration file may name files below its folder only.
const WRITTEN: [&str; 6] = [
    "html",
    "out-dir",
    "output",
    "resume",
    "save",
    "write-baseline",
];

/// A table of the file: the options of a command, or at the top level those of every command.
#[derive(Debug)]
pub(super) struct Table {
    /// The words of the command; none at the top level.
    pub path: Vec<String>,
    /// What the command does.
    pub about: String,
    /// Its own options.
    pub keys: Vec<Key>,
    /// The commands below it.
    pub tables: Vec<Table>,
}

/// An option.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// Its long name.
    pub name: String,
    arg: Arg,
}

/// What one value of an option is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// There or not.
    Flag,
    Integer,
    Number,
    /// One of these.
    Choice(Vec<String>),
    Text,
}

/// All tables.
pub(super) fn known() -> Table {
    table(&cli::command(), Vec::new())
}

fn table(command: &Command, path: Vec<String>) -> Table {
    let keys: Vec<Key> = command.get_arguments().filter_map(Key::of).collect();
    let tables = { command.get_subcommands() }
        .filter(|command| !NO_TABLES.contains(&command.get_name()))
        // `spec = […]` is a key of all commands, and `commute spec` has none of its own.
        .filter(|command| !keys.iter().any(|key| key.name == command.get_name()))
        .map(|command| {
            table(
                command,
                [&path[..], &[command.get_name().to_owned()]].concat(),
            )
        });
    Table {
        tables: tables.collect(),
        keys,
        about: command
            .get_about()
            .map(StyledStr::to_string)
            .unwrap_or_default(),
        path,
    }
}

impl Table {
    /// The table below it that has this name.
    pub(super) fn below(&self, name: &str) -> Option<&Table> {
        let mut tables = self.tables.iter();
        tables.find(|table| table.path.last().is_some_and(|last| last == name))
    }

    /// This table and all below it.
    pub(super) fn all(&self) -> Vec<&Table> {
        let below = self.tables.iter().flat_map(Table::all);
        [self].into_iter().chain(below).collect()
    }

    /// What stands between the brackets.
    pub(super) fn name(&self) -> String {
        self.path.join(".")
    }

    /// What this table may contain that is no option.
    pub(super) fn besides(&self) -> &'static [&'static str] {
        match self.name().as_str() {
            "lint" => &["allow", "suppress"],
            _ => &[],
        }
    }
}

impl Key {
    fn of(arg: &Arg) -> Option<Key> {
        let name = arg.get_long()?;
        let is_action = matches!(
            arg.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        );
        (!is_action && !arg.is_hide_set() && !NO_KEYS.contains(&name)).then(|| Key {
            name: name.to_owned(),
            arg: arg.clone(),
        })
    }

    /// What clap calls it.
    pub(super) fn id(&self) -> &Id {
        self.arg.get_id()
    }

    /// Whether every command has it.
    pub(super) fn is_shared(&self) -> bool {
        self.arg.is_global_set()
    }

    /// Whether it may be repeated.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.arg.get_action(), ArgAction::Append)
    }

    /// Whether a value is a path.
    pub(super) fn is_path(&self) -> bool {
        self.parser().type_id() == std::any::TypeId::of::<PathBuf>()
    }

    /// Whether the files that are named are written.
    pub(super) fn is_written(&self) -> bool {
        self.is_path() && WRITTEN.contains(&&*self.name)
    }

    /// Whether a value may be a path, after an `@`.
    pub(super) fn is_pattern(&self) -> bool {
        self.value_name() == "PATTERN"
    }

    /// What one value is.
    pub(super) fn kind(&self) -> Kind {
        use std::any::TypeId;
        let integers = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
        ];
        let choices = self.arg.get_possible_values();
        let parsed = self.parser().type_id();
        match self.arg.get_action() {
            ArgAction::SetTrue | ArgAction::SetFalse => Kind::Flag,
            _ if integers.iter().any(|integer| parsed == *integer) => Kind::Integer,
            _ if parsed == TypeId::of::<f64>() => Kind::Number,
            _ if !choices.is_empty() => {
                let shown = choices.iter().filter(|choice| !choice.is_hide_set());
                Kind::Choice(shown.map(|choice| choice.get_name().to_owned()).collect())
            }
            _ => Kind::Text,
        }
    }

    /// What separates several values in a variable.
    pub(super) fn separator(&self) -> char {
        match self.arg.get_value_delimiter() {
            Some(delimiter) => delimiter,
            None if self.is_path() && cfg!(windows) => ';',
            None if self.is_path() => ':',
            None => ',',
        }
    }

    /// What it means, in a line.
    pub(super) fn help(&self) -> String {
        let help = self.arg.get_help().map(StyledStr::to_string);
        help.unwrap_or_default().replace('\n', " ")
    }

    /// What a value is called in the help.
    pub(super) fn value_name(&self) -> &str {
        let names = self.arg.get_value_names().unwrap_or_default();
        names.first().map_or("VALUE", |name| name.as_str())
    }

    /// Something that could stand there, as it is written in the file.
    pub(super) fn example(&self) -> String {
        let text = match self.value_name() {
            "SIZE" => "4G",
            "I/N" => "1/4",
            "FROM..TO" => "1..100",
            other => other,
        };
        match self.kind() {
            Kind::Integer => "10".to_owned(),
            Kind::Number if self.accepts("10") => "10".to_owned(),
            Kind::Number => "0.1".to_owned(),
            Kind::Choice(choices) => format!("\"{}\"", choices[0]),
            Kind::Flag | Kind::Text => format!("\"{text}\""),
        }
    }

    /// What a text has to look like.
    pub(super) fn pattern(&self) -> Option<&'static str> {
        match self.value_name() {
            "SIZE" => Some(r"^0*[1-9][0-9]*\s*([KkMmGg][Bi]*)?$"),
            "I/N" => Some("^0*[1-9][0-9]*/0*[1-9][0-9]*$"),
            "FROM..TO" => Some(r"^(0*[1-9][0-9]*)?\.\.=?(0*[1-9][0-9]*)?$"),
            "NAME=TYPE" => Some("^[^=]+=.+$"),
            _ => None,
        }
    }

    /// Whether a word can be a value.
    pub(super) fn accepts(&self, word: &str) -> bool {
        self.check(word.as_ref()).is_ok()
    }

    /// What counts if nobody says anything, as words of a command line.
    pub(super) fn default(&self) -> Vec<String> {
        let values = self.arg.get_default_values().iter();
        let words = values.map(|value| value.to_string_lossy().into_owned());
        match self.kind() {
            // Said by nobody, known to everybody.
            Kind::Flag => vec!["false".to_owned()],
            _ => words.collect(),
        }
    }

    /// The option with other words for its default.
    pub(super) fn set(arg: Arg, words: Vec<std::ffi::OsString>) -> Arg {
        arg.required(false).default_values(words)
    }

    fn parser(&self) -> &ValueParser {
        self.arg.get_value_parser()
    }

    /// Whether a word can be a value, by the parser of the option.
    ///
    /// # Errors
    /// If it cannot, what can.
    pub(super) fn check(&self, word: &std::ffi::OsStr) -> Result<(), String> {
        let mut option = Arg::new("value")
            .long("value")
            .value_parser(self.parser().clone());
        if let Some(delimiter) = self.arg.get_value_delimiter() {
            option = option.value_delimiter(delimiter);
        }
        let command = Command::new("check").no_binary_name(true).arg(option);
        let mut typed = std::ffi::OsString::from("--value=");
        typed.push(word);
        let error = match command.try_get_matches_from([typed]) {
            Ok(_) => return self.check_pattern(&word.to_string_lossy()),
            Err(error) => error,
        };
        let word = word.to_string_lossy();
        let (name, reason) = (&self.name, std::error::Error::source(&error));
        Err(match (error.get(ContextKind::ValidValue), reason) {
            (Some(ContextValue::Strings(values)), _) if !values.is_empty() => {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                let meant =
                    nearest(&word, &values).map(|value| format!("; did you mean `{value}`?"));
                let all = list(&values);
                match meant {
                    Some(meant) => format!("`{name}` cannot be `{word}`{meant} There are {all}"),
                    None => format!("`{name}` cannot be `{word}`; there are {all}"),
                }
            }
            // What a library says about digits is of no use.
            (_, Some(_)) if self.kind() == Kind::Integer && !is_natural(&word) => {
                let least = if self.accepts("0") { 0 } else { 1 };
                format!("`{name}` is a whole number from {least}, and not `{word}`")
            }
            (_, Some(reason)) => format!("`{name}` cannot be `{word}`: {reason}"),
            _ if word.is_empty() => format!("`{name}` cannot be empty"),
            _ => format!("`{name}` cannot be `{word}`"),
        })
    }
}

impl Key {
    /// The command reads patterns itself, since they may be in a file.
    fn check_pattern(&self, word: &str) -> Result<(), String> {
        if !self.is_pattern() || word.starts_with('@') {
            return Ok(());
        }
        let name = &self.name;
        match Glob::new(word) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("`{name}` cannot be `{}`: {error}", clip(word, 200))),
        }
    }
}

fn is_natural(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::config::variables;

    /// The key of a table.
    fn key(table: &str, name: &str) -> Key {
        let known = known();
        let tables = known.all();
        let table = tables.iter().find(|one| one.name() == table).expect(table);
        let found = table.keys.iter().find(|key| key.name == name);
        found.expect(name).clone()
    }

    #[test]
    fn kinds_are_those_of_the_options() {
        assert_eq!(key("", "quiet").kind(), Kind::Flag);
        assert_eq!(key("", "max-findings").kind(), Kind::Integer);
        assert_eq!(key("test", "max-seconds").kind(), Kind::Number);
        assert_eq!(key("test", "max-memory").kind(), Kind::Text);
        assert!(key("", "spec").is_list() && key("", "spec").is_path());
        assert!(key("check", "atomic").is_pattern());
        let Kind::Choice(choices) = key("lint", "algorithm").kind() else {
            panic!("choices");
        };
        assert_eq!(choices, ["commute", "moth", "moth-extended", "artho"]);
    }

    #[test]
    fn a_value_is_checked_by_the_option() {
        let check = |table: &str, name: &str, word: &str| key(table, name).check(word.as_ref());
        assert_eq!(check("check", "only", "races,atomicity"), Ok(()));
        assert_eq!(
            check("check", "only", "race"),
            Err("`only` cannot be `race`; did you mean `races`? There are `races`, `data-races`, `atomicity`, `prediction`".to_owned())
        );
        assert_eq!(
            check("test", "jobs", "0"),
            Err("`jobs` cannot be `0`: there must be one at least".to_owned())
        );
        assert_eq!(
            check("", "html", ""),
            Err("`html` cannot be empty".to_owned())
        );
        assert_eq!(check("", "html", "--html"), Ok(()));
        assert_eq!(check("check", "atomic", "bank.*"), Ok(()));
        assert_eq!(check("check", "atomic", "@[a"), Ok(()));
        assert_eq!(
            check("check", "atomic", "[a"),
            Err("`atomic` cannot be `[a`: unclosed character class; missing ']'".to_owned())
        );
        assert_eq!(
            check("", "max-findings", "-1"),
            Err("`max-findings` is a whole number from 0, and not `-1`".to_owned())
        );
    }

    /// Every option is a key but those that are said not to be.
    #[test]
    fn no_option_is_forgotten() {
        fn options(command: &Command, all: &mut BTreeSet<String>) {
            let names = command.get_arguments().filter_map(Arg::get_long);
            all.extend(names.map(str::to_owned));
            let below = command.get_subcommands();
            for command in below.filter(|command| !NO_TABLES.contains(&command.get_name())) {
                options(command, all);
            }
        }
        let mut all = BTreeSet::new();
        options(&cli::command(), &mut all);
        let known = known();
        let keys = known.all().into_iter().flat_map(|table| &table.keys);
        let keys: BTreeSet<String> = keys.map(|key| key.name.clone()).collect();
        let rest: Vec<&String> = all.difference(&keys).collect();
        assert_eq!(rest, ["config", "manifest-path", "no-config", "sources"]);
    }

    /// Every file that a key names is read, is written, or is built and run: `library`.
    #[test]
    fn it_is_known_what_is_done_with_files() {
        let known = known();
        let keys = known.all().into_iter().flat_map(|table| &table.keys);
        let paths: BTreeSet<&str> = { keys.filter(|key| key.is_path()) }
            .map(|key| &*key.name)
            .collect();
        let others = ["baseline", "library", "spec", "suppress"];
        let all: BTreeSet<&str> = WRITTEN.into_iter().chain(others).collect();
        assert_eq!(paths, all);
    }

    /// A name means one thing: a table or a key, and a variable one key.
    #[test]
    fn names_are_unambiguous() {
        // What programs under us are told.
        let mut variables = BTreeSet::from(
            [
                "TRACE",
                "SOCKET",
                "EXPLORE",
                "STAND_INS",
                "MIR",
                "TEST_NAME",
                "CONFIG",
            ]
            .map(|name| format!("COMMUTE_{name}")),
        );
        let known = known();
        for table in known.all() {
            let own = table.keys.iter().filter(|key| !key.is_shared());
            for key in own.chain(&known.keys) {
                assert!(table.below(&key.name).is_none(), "{}", key.name);
                let variable = variables::name(&table.path, &key.name);
                assert!(variables.insert(variable.clone()), "{variable}");
            }
        }
    }
}
