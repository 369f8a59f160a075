//! Every example of the documentation runs, and prints what the documentation
//! says. `COMMUTE_BLESS=1 cargo test -p cargo-commute --test documentation`
//! writes what it prints now. Pages of codes are part of the program: after
//! blessing one, test again.

mod times;

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use commute_model::Code;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command.args(args).current_dir(root());
    command
        .env_remove("NO_COLOR")
        .env("CARGO_TERM_QUIET", "true");
    command
}

fn commute(args: &[&str]) -> Output {
    command(args).output().expect("commute runs")
}

/// What a command prints, both streams as they come: a terminal shows them so.
fn at_terminal(args: &[&str]) -> String {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let mut command = command(args);
    command.stderr(writer.try_clone().expect("a pipe"));
    let mut child = command.stdout(writer).spawn().expect("commute runs");
    // It has ends of the pipe, too: as long as they are open, there may be more.
    drop(command);
    let mut printed = String::new();
    reader.read_to_string(&mut printed).expect("UTF-8");
    child.wait().expect("commute ends");
    printed
}

/// The arguments of a command line that runs Commute.
fn arguments(line: &str) -> Option<Vec<&str>> {
    let line = line.strip_prefix("$ ")?;
    let rest = line
        .strip_prefix("cargo run --release --bin commute -- ")
        .or_else(|| line.strip_prefix("commute "))
        .or_else(|| {
            let rest = line.strip_prefix("cargo commute ")?;
            rest.starts_with("lint ").then_some(rest)
        })?;
    Some(rest.split_whitespace().collect())
}

/// The text with the output of every command in its `console` blocks brought
/// up to date.
fn replayed(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        writeln!(out, "{line}").unwrap();
        match line {
            "```console" => inside = true,
            _ if line.starts_with("```") => inside = false,
            _ => {}
        }
        if let (true, Some(args)) = (inside, arguments(line)) {
            while lines
                .next_if(|next| !next.starts_with("```") && !next.starts_with("$ "))
                .is_some()
            {}
            out += &times::without_times(&at_terminal(&args));
        }
    }
    out
}

/// The README, and every page of the book.
fn documents() -> Vec<String> {
    let mut documents = vec!["README.md".to_owned()];
    for folder in ["docs", "docs/codes"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("it is there");
        let names = entries.map(|entry| entry.expect("readable").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let pages = names.filter(|name| name.ends_with(".md"));
        documents.extend(pages.map(|name| format!("{folder}/{name}")));
    }
    documents.sort();
    documents
}

#[test]
fn console_examples_print_what_they_say() {
    let bless = std::env::var_os("COMMUTE_BLESS").is_some();
    let mut commands = 0;
    for document in documents() {
        let path = root().join(&document);
        let text = std::fs::read_to_string(&path).expect("the document exists");
        commands += text
            .lines()
            .filter(|line| arguments(line).is_some())
            .count();
        let now = replayed(&text);
        if bless {
            std::fs::write(&path, now).expect("the document can be written");
        } else {
            assert_eq!(
                text, now,
                "{document} is out of date (COMMUTE_BLESS=1 updates it)"
            );
        }
    }
    assert!(commands >= 3, "the README shows no commands any more");
}

/// A table of the models: a method of a type is the one of the model that has its name.
fn models() -> String {
    let mut table = "| model | methods |\n|---|---|\n".to_owned();
    for model in commute_spec::models::all() {
        let methods = model.methods().iter().map(|method| {
            let letters = ["a", "b", "c", "d"];
            let results = match method.results {
                0 => String::new(),
                1 => " -> r".to_owned(),
                n => format!(" -> ({})", ["r", "s", "t", "u"][..n].join(", ")),
            };
            format!(
                "`{}({}){results}`",
                method.name,
                letters[..method.args].join(", ")
            )
        });
        let methods: Vec<String> = methods.collect();
        writeln!(table, "| `{}` | {} |", model.name(), methods.join(", ")).unwrap();
    }
    table
}

#[test]
fn the_models_shown_are_those_that_there_are() {
    let path = root().join("docs/specifications.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (start, rest) = page.split_once("| model | methods |").expect("a table");
    let (_, end) = rest.split_once("\n\n").expect("its end");
    let now = format!("{start}{}\n{end}", models());
    match std::env::var_os("COMMUTE_BLESS") {
        Some(_) => std::fs::write(&path, now).expect("the page can be written"),
        None => assert_eq!(page, now, "COMMUTE_BLESS=1 updates it"),
    }
}

/// The fenced blocks of a page with their tags.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut current: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut current, line.strip_prefix("```")) {
            (None, Some(tag)) => current = Some((tag.to_owned(), String::new())),
            (Some(_), Some("")) => blocks.extend(current.take()),
            (Some((_, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// What Commute says about an example: the codes it prints.
fn codes(tag: &str, text: &str, name: &str) -> Vec<Code> {
    let ending = tag.split(' ').next().unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{ending}"));
    std::fs::write(&file, text).expect("a temporary file can be written");
    let file = file.to_string_lossy().into_owned();
    let runs: &[&[&str]] = match ending {
        "std" => &[&["check"]],
        _ => &[&["spec", "check"], &["spec", "verify"]],
    };
    let mut printed = String::new();
    for run in runs {
        let format = ["--message-format", "json", &file];
        let output = commute(&[run, &format[..]].concat());
        printed += &String::from_utf8_lossy(&output.stdout);
        printed += &String::from_utf8_lossy(&output.stderr);
    }
    let said = |code: &&Code| printed.contains(&format!("{code}"));
    Code::ALL.iter().filter(said).copied().collect()
}

#[test]
fn every_page_shows_its_own_code() {
    for code in Code::ALL {
        let page = root().join(format!("docs/codes/{code}.md"));
        let page = std::fs::read_to_string(page).expect("every code has a page");
        assert!(page.starts_with(&format!("# {code}: {}\n", code.title())));
        let examples: Vec<_> = blocks(&page)
            .into_iter()
            .filter(|(tag, _)| tag.starts_with("std") || tag.starts_with("ecl"))
            .collect();
        let wrong = examples.iter().filter(|(tag, _)| !tag.contains("fixed"));
        // What a test does is shown by the command.
        let told = page.contains(&format!("error[{code}]: "));
        assert!(told || wrong.count() > 0, "{code} has no example");
        let is_fixed = |(tag, _): &(String, String)| tag.ends_with(" fixed");
        let is_fixed = blocks(&page).iter().any(is_fixed);
        // What is shown for a schedule that does not apply is a test that has been mended.
        assert!(is_fixed || *code == Code::CM303, "{code} shows no fix");
        for (i, (tag, text)) in examples.iter().enumerate() {
            // A name that is not a code: file names are printed too.
            let found = codes(tag, text, &format!("example-{}-{i}", *code as u16));
            let expected = !tag.contains("fixed");
            assert_eq!(
                found.contains(code),
                expected,
                "{code}, example {i} ({tag}): {found:?}\n{text}"
            );
        }
    }
}

/// A page that shows what is found in a shipped trace shows that trace.
#[test]
fn the_pages_show_the_shipped_traces() {
    let mut shown = 0;
    for code in Code::ALL {
        let page = root().join(format!("docs/codes/{code}.md"));
        let page = std::fs::read_to_string(page).expect("every code has a page");
        let commands = page.lines().filter_map(arguments);
        for args in commands.filter(|args| args[0] == "check") {
            let trace = std::fs::read_to_string(root().join(args[1])).expect("it is shipped");
            let examples = blocks(&page);
            let same = examples
                .iter()
                .any(|(tag, text)| tag == "std" && *text == trace);
            assert!(same, "{code}: no example is {}", args[1]);
            shown += 1;
        }
    }
    assert!(shown > 0, "no page shows what is printed");
}

/// The page about specifications shows what its commands read.
#[test]
fn the_specifications_shown_are_those_that_are_checked() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("it is shipped");
    let page = read("docs/specifications.md");
    let blocks = blocks(&page).into_iter().filter(|(tag, _)| tag == "text");
    let blocks: Vec<String> = blocks.map(|(_, text)| text).collect();
    let files = ["phonebook_first", "phonebook"];
    assert_eq!(blocks.len(), files.len());
    for (block, file) in blocks.iter().zip(files) {
        let file = read(&format!("examples/specs/{file}.ecl"));
        assert!(contains_lines(&file, block), "{block}");
    }
}

/// Whether all lines of a part stand in a text, one after the other, however indented.
fn contains_lines(text: &str, part: &str) -> bool {
    let lines =
        |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let (text, part) = (lines(text), lines(part));
    text.windows(part.len()).any(|lines| lines == part)
}

/// The programs that a page about source code, tests or methods shows parts of: those
/// with the mistake, and those without.
fn programs(page: &str) -> (String, String) {
    let command = page.lines().find(|line| line.contains("--example "));
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("it is shipped");
    if let Some((_, name)) = command.and_then(|command| command.rsplit_once(' ')) {
        let file = |name: &str| read(&format!("examples/programs/{name}.rs"));
        return (file(name), file(&format!("{name}_fixed")));
    }
    let files = ["composed", "classics/locks", "classics/count"];
    let tests = files.map(|name| read(&format!("examples/workloads/tests/{name}.rs")));
    (tests.join("\n"), tests.join("\n"))
}

/// A page about programs shows parts of one that is shipped, and of its fix; the command
/// that it shows finds the code in the one, and nothing in the other.
#[test]
fn the_pages_show_the_shipped_programs() {
    let mut shown = 0;
    let of_programs = |code: &&Code| (200..900).contains(&(**code as u16));
    for code in Code::ALL.iter().filter(of_programs) {
        let page = root().join(format!("docs/codes/{code}.md"));
        let page = std::fs::read_to_string(page).expect("every code has a page");
        let (wrong, fixed) = programs(&page);
        for (tag, text) in blocks(&page) {
            let program = match &*tag {
                "rust" => &wrong,
                "rust fixed" => &fixed,
                _ => continue,
            };
            assert!(contains_lines(program, &text), "{code}, {tag}:\n{text}");
            shown += 1;
        }
        let (before, after) = page.split_once("## How to fix it").expect("a fix");
        let commands =
            |part| -> Vec<Vec<&str>> { str::lines(part).filter_map(arguments).collect() };
        let (finds, mut passes) = (commands(before), commands(after));
        let fixed_example = finds[0].last().map(|name| format!("{name}_fixed"));
        if finds[0][0] == "lint" {
            let (_, others) = finds[0].split_last().expect("words");
            let words = others.iter().copied().chain(fixed_example.as_deref());
            passes.push(words.collect());
        }
        assert!(
            !passes.is_empty(),
            "{code}: no command shows that it is mended"
        );
        for (commands, is_wrong) in [(finds, true), (passes, false)] {
            for args in commands {
                let output = commute(&args);
                let printed = String::from_utf8_lossy(&output.stdout);
                let is_found = printed.contains(&format!("error[{code}]: "));
                assert_eq!(is_found, is_wrong, "{args:?}: {printed}");
                // Of examples that use our own library, the lint does not understand all.
                let may = match (is_wrong, args[0]) {
                    (true, _) => &[1][..],
                    (false, "lint") => &[0, 3],
                    (false, _) => &[0],
                };
                let exit = output.status.code().expect("a code");
                assert!(may.contains(&exit), "{args:?}: {exit}: {printed}");
            }
        }
    }
    assert!(shown >= 14, "only {shown} parts of programs are shown");
}

#[test]
fn explain_prints_the_page() {
    for code in Code::ALL {
        let output = commute(&["explain", &code.to_string()]);
        let page = std::fs::read(root().join(format!("docs/codes/{code}.md"))).unwrap();
        assert_eq!(output.stdout, page);
        assert_eq!(output.status.code(), Some(0));
    }
    assert_eq!(commute(&["explain", "CM000"]).status.code(), Some(2));
}

/// Whether all that `part` says is also in `whole`.
fn agrees(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, value)| whole.get(key).is_some_and(|other| agrees(value, other))),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len() && part.iter().zip(whole).all(|(a, b)| agrees(a, b))
        }
        _ => part == whole,
    }
}

#[test]
fn the_result_shown_is_what_sarif_contains() {
    let page = std::fs::read_to_string(root().join("docs/reports.md")).unwrap();
    let examples = blocks(&page).into_iter().filter(|(tag, _)| tag == "json");
    let examples: Vec<Value> = examples
        .map(|(_, text)| serde_json::from_str(&text).expect("JSON"))
        .collect();
    let trace = "examples/traces/connections.std";
    let output = commute(&["check", trace, "--message-format", "sarif"]);
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(examples.len(), 1);
    assert!(agrees(&examples[0], result), "{result:#}");
}

#[test]
fn the_witness_shown_is_what_json_contains() {
    let page = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let examples = blocks(&page).into_iter().filter(|(tag, _)| tag == "json");
    let examples: Vec<Value> = examples
        .map(|(_, text)| serde_json::from_str(&text).expect("JSON"))
        .collect();
    let trace = "examples/traces/use_after_free.std";
    let output = commute(&["check", trace, "--message-format", "json"]);
    let lines = String::from_utf8_lossy(&output.stdout);
    let first = lines.lines().next().expect("a finding");
    let finding: Value = serde_json::from_str(first).expect("JSON");
    assert_eq!(examples, [finding["witness"].clone()]);
}

#[test]
fn the_table_of_codes_says_their_titles_and_levels() {
    let table = std::fs::read_to_string(root().join("docs/README.md")).unwrap();
    for code in Code::ALL {
        let (title, level) = (code.title(), code.level());
        let row = format!("| [{code}](codes/{code}.md) | {title} | {level} |");
        assert!(table.contains(&row), "no {row}");
    }
}
