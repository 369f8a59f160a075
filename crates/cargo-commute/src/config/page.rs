//! The tables of `docs/configuration.md` are those of the command line.
//! `UPDATE_EXPECT=1 cargo test -p cargo-commute --lib config` writes them anew.

use expect_test::expect_file;

use super::keys::{self, Key, Kind};
use super::outline::{default, outline};
use super::values::description;
use super::variables;

const START: &str = "<!-- keys: made by a test -->\n";
const END: &str = "<!-- end of keys -->\n";

fn tables() -> String {
    let known = keys::known();
    let mut text = String::new();
    for outline in outline(&known) {
        let table = outline.table;
        text += &match table.path.is_empty() {
            true => "\n### At the top level, and in every table\n\n".to_owned(),
            false => format!("\n### `[{}]`\n\n{}.\n\n", table.name(), table.about),
        };
        if !outline.new.is_empty() {
            text += "| key | value | default | meaning |\n|---|---|---|---|\n";
        }
        for key in outline.new {
            text += &row(key);
        }
        let mut as_in = outline.as_in.iter();
        if let (Some(_), false) = (outline.as_in.first_key_value(), text.ends_with("\n\n")) {
            text.push('\n');
        }
        if let Some(said) = as_in.next().map(|first| {
            let all = [first].into_iter().chain(as_in);
            let all = all.map(|(before, names)| {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("as in `[{before}]`: {}", names.join(", "))
            });
            all.collect::<Vec<_>>().join("; ")
        }) {
            text += &format!("A{}.\n", &said[1..]);
        }
        if !table.besides().is_empty() {
            text += "\nFurther: `allow` and `[[lint.suppress]]`, see [lint](lint.md#allowing-a-finding).\n";
        }
    }
    text + "\n"
}

fn row(key: &Key) -> String {
    let value = match key.kind() {
        Kind::Choice(choices) => {
            let choices: Vec<String> = { choices.iter() }
                .map(|one| format!("`\"{one}\"`"))
                .collect();
            let several = if key.is_list() { "list of " } else { "" };
            format!("{several}{}", choices.join(", "))
        }
        _ => description(key),
    };
    let default = default(key).map_or_else(|| "–".to_owned(), |text| format!("`{text}`"));
    let help = key.help().replace('|', "\\|");
    format!("| `{}` | {value} | {default} | {help} |\n", key.name)
}

#[test]
fn the_page_has_all_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (start, rest) = page.split_once(START).expect("where the tables begin");
    let (_, end) = rest.split_once(END).expect("where they end");
    let now = [start, START, &tables(), END, end].concat();
    expect_file![path].assert_eq(&now);
}

/// The example of a variable is one.
#[test]
fn the_page_names_variables_by_the_rule() {
    let page = include_str!("../../../../docs/configuration.md");
    for (table, key) in [("", "quiet"), ("check", "only"), ("trace.show", "events")] {
        let path: Vec<String> = { table.split('.') }
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let name = variables::name(&path, key);
        assert!(page.contains(&format!("`{name}=")), "{name}");
    }
}
