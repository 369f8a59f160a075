//! The source code of the workspace.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of source code.
pub(crate) struct Source {
    /// Its path from the root.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Whether it is no part of a library: tests, benchmarks, examples.
    pub(crate) test: bool,
}

impl Source {
    pub(crate) fn krate(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }

    /// The lines that end up in the library, numbered from 1, without comments
    /// and without the test module at the end.
    pub(crate) fn library_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = self
            .text
            .match_indices("\n#[cfg(test)]\nmod ")
            .find(|(at, _)| {
                let module = self.text[at + 1..].lines().nth(1);
                module.is_some_and(|line| line.ends_with('{'))
            });
        let library = &self.text[..end.map_or(self.text.len(), |(at, _)| at)];
        library
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default())
            .enumerate()
            .map(|(i, line)| (i + 1, line))
    }

    /// The files of the modules that it declares for tests only.
    pub(crate) fn test_modules(&self) -> Vec<String> {
        let stem = self.path.trim_end_matches(".rs");
        let (folder, file) = stem.rsplit_once('/').unwrap_or_default();
        let own = ["lib", "mod", "main"].contains(&file);
        let folder = if own { folder } else { stem };
        let declared = self.text.split("#[cfg(test)]\nmod ").skip(1);
        declared
            .filter_map(|rest| rest.lines().next()?.strip_suffix(';'))
            .map(|name| format!("{folder}/{name}.rs"))
            .collect()
    }
}

pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("two levels up").to_owned()
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below `folder` with this extension, sorted.
pub(crate) fn files(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.ends_with("target") {
            files(&path, extension, out);
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
}

pub(crate) fn sources() -> Vec<Source> {
    let root = root();
    let mut paths = Vec::new();
    files(&root.join("crates"), "rs", &mut paths);
    let relative = |path: &Path| {
        let path = path.strip_prefix(&root).expect("below the root");
        path.to_string_lossy().replace('\\', "/")
    };
    let mut sources: Vec<Source> = paths
        .iter()
        .map(|path| {
            let path = relative(path);
            let folders = ["/tests/", "/benches/", "/examples/"];
            Source {
                text: read(&root.join(&path)),
                test: folders.iter().any(|folder| path.contains(folder)),
                path,
            }
        })
        .collect();
    let tests: BTreeSet<String> = sources.iter().flat_map(Source::test_modules).collect();
    for source in &mut sources {
        source.test |= tests.contains(&source.path);
    }
    assert!(sources.len() > 20, "the source code was not found");
    sources
}

/// `path:line` of every library line that contains one of `words`.
pub(crate) fn find(sources: &[Source], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| !source.test) {
        for (number, line) in source.library_lines() {
            if words.iter().any(|word| contains_word(line, word)) {
                found.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    found
}

/// Whether `word` stands in `line` and not inside a longer name: `print!` is
/// not in `eprint!`.
pub(crate) fn contains_word(line: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let open = |c: Option<char>| !c.is_some_and(is_name);
        let inner = word.chars().next().is_some_and(is_name);
        let end = word.chars().next_back().is_some_and(is_name);
        (!inner || open(before)) && (!end || open(after))
    })
}

#[test]
fn words_are_found_whole() {
    assert!(contains_word("    println!(\"x\")", "println!"));
    assert!(!contains_word("    eprintln!(\"x\")", "println!"));
    assert!(contains_word("use std::fs::File;", "std::fs"));
}

#[test]
fn modules_for_tests_are_known() {
    let parent = Source {
        path: "crates/x/src/parse.rs".into(),
        text: "#[cfg(test)]\nmod more;\nfn f() {}\n#[cfg(test)]\nmod tests {\n}\n".into(),
        test: false,
    };
    assert_eq!(parent.test_modules(), ["crates/x/src/parse/more.rs"]);
    assert_eq!(parent.library_lines().count(), 3);
}
