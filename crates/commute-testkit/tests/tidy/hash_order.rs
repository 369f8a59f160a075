//! No iteration order of a hash map reaches any output.

use std::collections::BTreeSet;

use crate::none;
use crate::source::{Source, contains_word, sources};

/// Hash maps may be asked, not listed: their order differs between versions and
/// could reach a report.
#[test]
fn hash_order_reaches_no_output() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.test) {
        let output = ["commute-report", "cargo-commute"].contains(&source.krate());
        let lines: Vec<&str> = source.text.lines().collect();
        let maps = hash_names(source);
        for (number, line) in source.library_lines() {
            let hash = ["HashMap", "HashSet", "FxHashMap", "FxHashSet"];
            let named = hash.iter().any(|word| contains_word(line, word));
            let explained = lines[number.saturating_sub(3)..number]
                .iter()
                .any(|line| line.contains("// order:"));
            // A chain of calls may go on in the next line.
            let next = lines.get(number).map_or("", |next| next.trim_start());
            let chain = format!("{}{}", line.trim_end(), next);
            let listed = |map: &String| lists(line, map) || lists(&chain, map);
            if output && named || !explained && maps.iter().any(listed) {
                complaints.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    none(
        &complaints,
        "use a BTreeMap or sort; where the order cannot matter, say why in a comment `// order: …` just above",
    );
}

/// The fields and variables that the file declares as hash maps or sets.
fn hash_names(source: &Source) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, line) in source.library_lines() {
        let declared = ["HashMap<", "HashSet<", "HashMap::", "HashSet::"];
        let Some(at) = declared.iter().filter_map(|d| line.find(d)).min() else {
            continue;
        };
        let before = &line[..at];
        let Some(end) = before.find(": ").or_else(|| before.find(" =")) else {
            continue;
        };
        let start = before[..end]
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |i| i + 1);
        if start < end {
            names.insert(before[start..end].to_owned());
        }
    }
    names
}

/// Whether the line goes through all of `map`.
fn lists(line: &str, map: &str) -> bool {
    let calls = [
        ".iter()",
        ".iter_mut()",
        ".keys()",
        ".values()",
        ".values_mut()",
        ".into_iter()",
        ".into_values()",
        ".into_keys()",
        ".drain()",
    ];
    let called = calls
        .iter()
        .any(|call| contains_word(line, &format!("{map}{call}")));
    let looped = line.trim_start().starts_with("for ")
        && ["", "&", "&mut ", "self.", "&self.", "&mut self."]
            .iter()
            .any(|prefix| line.contains(&format!(" in {prefix}{map} {{")));
    called || looped
}

#[test]
fn listing_a_hash_map_is_noticed() {
    let source = Source {
        path: "crates/x/src/lib.rs".into(),
        text: "let mut m = FxHashMap::default();\nfor (k, v) in &m {\n}\nm.keys(); // m.iter()\n"
            .into(),
        test: false,
    };
    let names = hash_names(&source);
    assert!(names.contains("m"), "{names:?}");
    let listed = source.library_lines().filter(|(_, line)| lists(line, "m"));
    assert_eq!(listed.map(|(n, _)| n).collect::<Vec<_>>(), [2, 4]);
    assert!(!lists("m.get(&k)", "m") && !lists("from.keys()", "m"));
}
