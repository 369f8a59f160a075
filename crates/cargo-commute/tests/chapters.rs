//! Every command has a chapter, and every chapter has the flags of its command: none is
//! forgotten and none is invented. A new command gets a line in [`CHAPTERS`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command, its page below `docs`, and the heading above the table of its flags. If
/// there is no heading, the command has no flags of its own.
const CHAPTERS: &[(&str, &str, Option<&str>)] = &[
    ("", "commands.md", Some("Flags of every command")),
    ("check", "check.md", Some("Flags")),
    ("run", "run.md", Some("Flags of `run`")),
    ("record", "run.md", Some("Flags of `record`")),
    ("lint", "lint.md", Some("Flags")),
    ("test", "test.md", Some("Flags")),
    ("replay", "replay.md", Some("Flags")),
    ("report merge", "stored.md", None),
    ("report diff", "stored.md", None),
    ("trace info", "trace.md", None),
    ("trace show", "trace.md", Some("show")),
    ("trace slice", "trace.md", Some("slice")),
    ("trace convert", "trace.md", Some("convert")),
    ("trace generate", "trace.md", Some("generate")),
    ("trace validate", "trace.md", Some("validate")),
    ("spec check", "spec.md", None),
    ("spec show", "spec.md", None),
    ("spec verify", "spec.md", None),
    ("explain", "explain.md", None),
    ("init", "configuration.md", Some("Flags of `init`")),
    ("completions", "completions.md", None),
    ("man", "completions.md", Some("Flags")),
];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// What `commute COMMAND --help` prints.
fn help(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(command.split_whitespace())
        .arg("--help")
        .output()
        .expect("commute runs");
    assert!(output.status.success(), "commute {command} --help");
    String::from_utf8(output.stdout).expect("text")
}

/// The flags that a help text describes: those of the command, and those of all.
fn flags(help: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut own, mut shared) = (BTreeSet::new(), BTreeSet::new());
    let mut is_shared = false;
    for line in help.lines() {
        if !line.starts_with(' ') && line.ends_with(':') {
            is_shared = ["Shared options:", "Stored findings:"].contains(&line);
        }
        let words = line.trim_start();
        let after = words
            .get(..2)
            .is_some_and(|w| w.starts_with('-') && w != "--");
        let long = if after { words.get(4..) } else { Some(words) };
        let Some(name) = long.and_then(|long| long.strip_prefix("--")) else {
            continue;
        };
        let name = name.split([' ', '=']).next().unwrap_or(name);
        if !["help", "version"].contains(&name) {
            let flags = if is_shared { &mut shared } else { &mut own };
            flags.insert(format!("--{name}"));
        }
    }
    (own, shared)
}

/// The subcommands that a help text lists.
fn subcommands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The part of a page below a heading, up to the next one of its level or above.
fn section<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let level = |line: &str| line.chars().take_while(|c| *c == '#').count();
    let mut from = None;
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let depth = level(line);
        match from {
            None if depth > 0 && line[depth..].trim() == heading => {
                from = Some((at + line.len(), depth));
            }
            Some((from, above)) if (1..=above).contains(&depth) => return Some(&page[from..at]),
            _ => {}
        }
        at += line.len();
    }
    from.map(|(from, _)| &page[from..])
}

/// The flags of a text.
fn named(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '-';
    let mut flags = BTreeSet::new();
    for (at, _) in text.match_indices("--") {
        let before = text[..at].chars().next_back();
        let name = text[at + 2..].split(|c| !is_part(c)).next().unwrap_or("");
        let begins = !before.is_some_and(|c| c == '-' || c.is_alphanumeric());
        if begins && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            flags.insert(format!("--{name}"));
        }
    }
    flags
}

/// The flags in the first cells of the tables of a text.
fn tabled(text: &str) -> BTreeSet<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
    rows.flat_map(|row| named(row.split(" | ").next().unwrap_or(row)))
        .collect()
}

#[test]
fn every_command_has_a_chapter() {
    let mut commands = vec![String::new()];
    let mut all = Vec::new();
    while let Some(command) = commands.pop() {
        let below = subcommands(&help(&command));
        if below.is_empty() {
            all.push(command.clone());
        }
        commands.extend(below.iter().map(|name| format!("{command} {name}")));
    }
    let mut all: Vec<&str> = all.iter().map(|command| command.trim()).collect();
    all.sort_unstable();
    let chapters = CHAPTERS.iter().map(|(command, ..)| *command);
    let mut chapters: Vec<&str> = chapters.filter(|command| !command.is_empty()).collect();
    chapters.sort_unstable();
    assert_eq!(all, chapters);
}

#[test]
fn every_chapter_has_the_flags_of_its_command() {
    for (command, page, heading) in CHAPTERS {
        let text = read(&docs().join(page));
        let (own, shared) = flags(&help(command));
        let expected = if command.is_empty() { shared } else { own };
        let told = heading.map_or_else(BTreeSet::new, |heading| {
            let section = section(&text, heading);
            tabled(section.unwrap_or_else(|| panic!("{page} has no heading {heading:?}")))
        });
        let place = format!("docs/{page}, {heading:?}, of `commute {command}`");
        let missing: Vec<_> = expected.difference(&told).collect();
        assert!(missing.is_empty(), "{place} lacks {missing:?}");
        let invented: Vec<_> = told.difference(&expected).collect();
        assert!(invented.is_empty(), "{place}: there is no {invented:?}");
        let name = command.split(' ').next().unwrap_or(command);
        assert!(text.contains(&format!("commute {name}")), "{place}");
    }
}

/// Whoever types a command from a page finds that it exists, with these flags.
#[test]
fn commands_in_the_text_have_flags_that_exist() {
    let mut known: Vec<(&str, BTreeSet<String>)> = Vec::new();
    for (command, ..) in CHAPTERS.iter().rev() {
        let (own, shared) = flags(&help(command));
        let all = own.union(&shared).cloned();
        known.push((command, all.chain(["--help".to_owned()]).collect()));
    }
    // Short ones last: `trace show` is not `trace`.
    known.sort_by_key(|(command, _)| std::cmp::Reverse(command.len()));
    let mut seen = 0;
    for page in pages() {
        let text = read(&page);
        for typed in typed(&text) {
            let rest = |command: &str| {
                let rest = typed.strip_prefix(command)?;
                (rest.is_empty() || rest.starts_with(' ')).then_some(rest)
            };
            let found = known
                .iter()
                .find_map(|(command, flags)| Some((rest(command)?, flags)));
            let Some((rest, flags)) = found else { continue };
            // What follows ` -- ` is for somebody else.
            let rest = rest.split(" -- ").next().unwrap_or(rest);
            let unknown: Vec<_> = named(rest).difference(flags).cloned().collect();
            let place = page.display();
            assert!(unknown.is_empty(), "{place}: `{typed}`: {unknown:?}");
            seen += 1;
        }
    }
    assert!(seen > 200, "only {seen} commands were found");
}

/// The README, and all pages of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![docs().join("../README.md")];
    for folder in [docs(), docs().join("codes")] {
        let entries = std::fs::read_dir(folder).expect("it is there");
        let paths = entries.map(|entry| entry.expect("readable").path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    pages
}

/// What stands behind `commute ` where a command begins: in a line of a block, or in
/// backticks.
fn typed(text: &str) -> Vec<&str> {
    let mut typed = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        }
        let parts: Vec<&str> = match in_block {
            true => vec![line.trim_start_matches("$ ")],
            false => line.split('`').skip(1).step_by(2).collect(),
        };
        for part in parts {
            let part = part.strip_prefix("cargo ").unwrap_or(part);
            // In a block an explanation may follow, after some blanks.
            let part = part.split("   ").next().unwrap_or(part);
            typed.extend(part.strip_prefix("commute "));
        }
    }
    typed
}

#[test]
fn flags_are_read_from_texts() {
    let (own, shared) =
        flags("Options:\n  -q, --quiet\n      --max-x <N>\nShared options:\n  --y\n");
    assert_eq!(own.iter().collect::<Vec<_>>(), ["--max-x", "--quiet"]);
    assert_eq!(shared.iter().collect::<Vec<_>>(), ["--y"]);
    let page = "# A\n## Flags\n| `--a X`, `--b` | not `--c` |\n## B\n| `--d` | |\n";
    let flags = tabled(section(page, "Flags").expect("it is there"));
    assert_eq!(flags.iter().collect::<Vec<_>>(), ["--a", "--b"]);
    assert_eq!(named("a--b ---c `--d-e=f`").len(), 1);
    assert_eq!(
        typed("`cargo commute run --x`\n```\n$ commute check\n```").len(),
        2
    );
}
