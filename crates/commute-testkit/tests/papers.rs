//! PAPERS.md names a file for everything in the papers, and the files exist.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("two levels up").to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The paths of the repository that a page names in backticks.
fn paths(page: &str) -> Vec<String> {
    let folders = [
        "crates/",
        "specs/",
        "examples/",
        "docs/",
        "benches/",
        "fuzz/",
        ".ci/",
    ];
    let mut fenced = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let quoted = line.split('`').skip(1).step_by(2);
            let named = quoted.filter(|text| folders.iter().any(|f| text.starts_with(f)));
            found.extend(named.map(str::to_owned));
        }
    }
    found
}

/// The targets of the page's links that are files of the repository.
fn links(page: &str) -> Vec<&str> {
    let targets = page.split("](").skip(1);
    targets
        .filter_map(|rest| rest.split([')', '#']).next())
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .collect()
}

#[test]
fn every_path_that_the_documentation_names_exists() {
    let roots = [
        "README.md",
        "PAPERS.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
    ];
    let mut pages: Vec<String> = roots.map(str::to_owned).to_vec();
    for entry in fs::read_dir(root().join("docs")).expect("docs/ is there") {
        let name = entry.expect("readable").file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    pages.sort();
    let mut missing = Vec::new();
    for page in &pages {
        let text = read(page);
        for path in paths(&text) {
            // A pattern or a place holder, not a path.
            if path.contains(['*', '<', ' ', '…']) {
                continue;
            }
            if !root().join(&path).exists() {
                missing.push(format!("{page}: {path}"));
            }
        }
        let folder = Path::new(page).parent().expect("a folder");
        for link in links(&text) {
            if !root().join(folder).join(link).exists() {
                missing.push(format!("{page}: link to {link}"));
            }
        }
    }
    assert!(missing.is_empty(), "no such file:\n{}", missing.join("\n"));
}

/// The part of PAPERS.md that begins with the heading `## name`.
fn section<'a>(page: &'a str, name: &str) -> &'a str {
    let heading = format!("\n## {name}");
    let start = page
        .find(&heading)
        .unwrap_or_else(|| panic!("no section {name}"));
    let rest = &page[start + 1..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

#[test]
fn every_numbered_item_of_the_papers_has_a_row() {
    let page = read("PAPERS.md");
    let check = |name: &str, kind: &str, numbers: &[&str]| {
        let section = section(&page, name);
        for number in numbers {
            let row = format!("\n| {kind} {number} |");
            assert!(section.contains(&row), "{name}: no row for {kind} {number}");
        }
    };
    let upto = |n: usize| -> Vec<&'static str> {
        [
            "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13",
        ][..n]
            .to_vec()
    };

    check("RD2", "Figure", &upto(7));
    check("RD2", "Table", &upto(2));
    check("RD2", "Algorithm", &upto(1));
    let definitions = [
        "3.1", "4.1", "4.2", "4.3", "4.4", "4.5", "6.1", "6.2", "6.3",
    ];
    check("RD2", "Definition", &definitions);
    check("RD2", "Theorem", &["5.1", "5.2", "6.5", "6.6"]);
    check("RD2", "Lemma", &["6.4"]);

    check("MoTH", "Definition", &upto(11));
    check("MoTH", "Figure", &upto(5));
    check("MoTH", "Table", &upto(2));

    check("COLT", "Figure", &upto(13));
    check("COLT", "Table", &upto(1));

    check("AeroDrome", "Definition", &upto(2));
    check("AeroDrome", "Theorem", &["2", "3", "4"]);
    check("AeroDrome", "Proposition", &upto(1));
    check("AeroDrome", "Algorithm", &upto(1));
    check("AeroDrome", "Figure", &upto(8));
    check("AeroDrome", "Table", &upto(2));

    let thesis = "OVPredict and NCMC";
    check(thesis, "Algorithm", &upto(6));
    check(thesis, "Theorem", &upto(2));
    check(
        thesis,
        "Definition",
        &["2.2.1", "2.2.2", "2.3.1", "3.3.1", "3.5.1"],
    );
    let semantic: Vec<String> = (1..=11).map(|n| format!("4.3.{n}")).collect();
    let semantic: Vec<&str> = semantic.iter().map(String::as_str).collect();
    check(thesis, "Definition", &semantic);
    check(thesis, "Definition", &["4.4.1", "4.4.2"]);
    check(
        thesis,
        "Figure",
        &["3.1", "3.2", "3.3", "3.4", "3.5", "3.6"],
    );
    check(
        thesis,
        "Figure",
        &["4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7"],
    );
    check(thesis, "Table", &["2.1", "3.1", "3.2", "3.3", "3.4"]);
    check(thesis, "Table", &["4.1", "4.2", "4.3", "4.4", "4.5"]);
}

#[test]
fn the_first_paper_is_done() {
    let page = read("PAPERS.md");
    let undone: Vec<&str> = section(&page, "RD2")
        .lines()
        .filter(|line| line.contains("not yet"))
        .collect();
    assert!(undone.is_empty(), "{undone:?}");
}

/// The row of an item.
fn row<'a>(page: &'a str, name: &str, item: &str) -> &'a str {
    let start = format!("| {item} |");
    let row = section(page, name)
        .lines()
        .find(|line| line.starts_with(&start));
    row.unwrap_or_else(|| panic!("{name}: no row for {item}"))
}

/// What is reproduced is named, and so is what a reproduction lacks.
#[test]
fn rows_say_how_much_is_reproduced() {
    let page = read("PAPERS.md");
    let thesis = "OVPredict and NCMC";
    for (paper, item, all) in [
        (
            "RD2",
            "Table 2",
            &["freed_page_space", "chunks", "size_hint"][..],
        ),
        ("MoTH", "Table 1", &["examples/moth/", "all fifteen"]),
        ("MoTH", "Table 2", &["examples/moth/", "nineteen"]),
        ("COLT", "Figure 12", &["(vii)", "counts as absent"]),
        (thesis, "Algorithm 3", &["neither bounded nor online"]),
        (thesis, "Table 4.4", &["NCMC_c", "missing"]),
        (thesis, "Table 4.5", &["NCMC_c", "missing", "counts differ"]),
    ] {
        let row = row(&page, paper, item);
        for words in all {
            assert!(
                row.contains(words),
                "{paper}, {item} lacks {words:?}: {row}"
            );
        }
    }
    // The programs are as many as the row says: those of the tables, and VectorFail.
    let programs = read("examples/moth/README.md");
    let rows = programs.lines().filter(|line| line.starts_with("| "));
    assert_eq!(
        rows.count(),
        1 + 19 + 1,
        "a heading, the tables and VectorFail"
    );
}

/// Numbers of crates that an analysis was tuned on say nothing of others.
#[test]
fn rates_of_tuned_crates_are_not_general() {
    let page = read("docs/published-crates.md");
    let (_, sum) = page.split_once("## The sum").expect("a section");
    for words in [
        "0.39",
        "do not hold in general",
        "tune",
        "twelve other",
        "2.6",
    ] {
        assert!(sum.contains(words), "{words}");
    }
}

/// The recorder refuses to be built where the documentation says that nothing records.
#[test]
fn recording_is_for_unix() {
    let recorder = read("crates/commute-record/src/lib.rs");
    let refusal = recorder.split_once("#[cfg(not(unix))]\ncompile_error!(");
    assert!(refusal.is_some());
    let page = read("docs/run.md");
    assert!(page.contains("on Windows nothing records"));
    assert!(!page.contains("elsewhere a program records"));
}
