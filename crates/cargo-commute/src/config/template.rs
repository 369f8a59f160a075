//! The `commute.toml` that `commute init` writes: every key as a comment.

use super::keys::{self, Key};
use super::outline::{brief, default, default_in_words, outline};

/// Where what a key means begins, if there is room.
const MARGIN: usize = 29;

/// No line is longer.
const WIDTH: usize = 96;

const HEAD: &str = "\
# What `commute` does in this project. The command line and variables (COMMUTE_QUIET=1,
# COMMUTE_CHECK_ONLY=races) come first. Keys are the long names of options.
#
# A line with a key shows its default, or with (none) or (default: …) what could stand there:
# take out the `#` to change it. Paths are relative to this file. docs/configuration.md of
# Commute says more.
#
# For editors that complete and check keys: `commute init --schema > commute.schema.json`, and
# one `#` less here:
##:schema ./commute.schema.json

# For every command; in the table of a command, for that command only.
";

/// What the table of the lint has beside options.
const ALLOW: &str = "\
#allow = []                   # Findings that nobody wants to see, as \"stale_value\"
";
const SUPPRESS: &str = "
# Findings that are known and wanted: what all of these fit.
#[[lint.suppress]]
#code = \"CM202\"
#variable = \"Cache.*\"
#function = \"*\"
#file = \"src/**\"
";

/// The file.
pub(crate) fn template() -> String {
    let known = keys::known();
    let mut text = HEAD.to_owned();
    for outline in outline(&known) {
        let table = outline.table;
        if !table.path.is_empty() {
            text += &format!("\n# {}\n[{}]\n", table.about, table.name());
        }
        for key in outline.new {
            text += &line(key);
        }
        let is_lint = !table.besides().is_empty();
        if is_lint {
            text += ALLOW;
        }
        for (before, names) in outline.as_in {
            let names = format!("As in [{before}]: {}", names.join(", "));
            for line in wrapped(&names, WIDTH - 2) {
                text += &format!("# {line}\n");
            }
        }
        if is_lint {
            text += SUPPRESS;
        }
    }
    text
}

fn line(key: &Key) -> String {
    let mut meaning = brief(key);
    let value = default(key).unwrap_or_else(|| {
        meaning += &match default_in_words(key) {
            Some(words) => format!(" (default: {words})"),
            None => " (none)".to_owned(),
        };
        key.example()
    });
    let assignment = format!("#{} = {value}", key.name);
    let mut text = String::new();
    for (i, line) in wrapped(&meaning, WIDTH - MARGIN - 3).iter().enumerate() {
        let start = if i == 0 { &*assignment } else { "" };
        text += &format!("{start:MARGIN$} # {line}\n");
    }
    text
}

/// The words of a text in lines.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is one");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The text with all keys counting.
#[cfg(test)]
pub(super) fn uncommented(text: &str) -> String {
    let is_key = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '[');
    let lines = text.lines().map(|line| {
        let rest = line.strip_prefix('#').filter(is_key);
        rest.unwrap_or(line).to_owned() + "\n"
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_can_count() {
        let here = tempfile::tempdir().expect("a folder");
        let path = here.path().join("commute.toml");
        std::fs::write(&path, uncommented(&template())).expect("written");
        let file = super::super::file::File::read(&path).expect("a file");
        let known = keys::known();
        let contents = super::super::values::read(&file, &known).expect("values");
        assert_eq!(contents.warnings, Vec::<String>::new());
        let settings = contents.tables.iter().map(|(_, settings)| settings.len());
        assert!(settings.sum::<usize>() > 60);
    }

    #[test]
    fn every_key_is_there_and_no_line_is_long() {
        let (text, known) = (template(), keys::known());
        for table in known.all() {
            for key in &table.keys {
                assert!(text.contains(&key.name), "{}", key.name);
            }
        }
        let long: Vec<&str> = text
            .lines()
            .filter(|line| line.chars().count() > WIDTH)
            .collect();
        assert_eq!(long, Vec::<&str>::new());
        assert!(text.lines().count() < 250, "nobody reads that");
    }
}
