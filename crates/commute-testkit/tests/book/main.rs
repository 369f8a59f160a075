//! The pages under `docs/` are a book: it builds, every page is in it, and nothing in it
//! leads nowhere or to the network. It is left in `target/book`.

mod html;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use html::Page;
use mdbook_driver::MDBook;

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("two levels up").to_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder with this ending, as paths from there with forward slashes.
fn files(folder: &Path, ending: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                let path = path.strip_prefix(folder).expect("below it");
                found.insert(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

/// What stands in the parentheses of links of a Markdown text.
fn targets(text: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        let ends = line.split("](").skip(1).filter(|_| !in_code);
        targets.extend(ends.filter_map(|rest| rest.split(')').next()));
    }
    targets
}

/// The book, built once for all tests: its folder, and its pages by their paths.
fn book() -> &'static (PathBuf, BTreeMap<String, Page>) {
    static BOOK: OnceLock<(PathBuf, BTreeMap<String, Page>)> = OnceLock::new();
    BOOK.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../book");
        let _ = fs::remove_dir_all(&target);
        let mut book = MDBook::load(root().join("docs")).expect("book.toml and SUMMARY.md");
        book.config.build.build_dir = target.clone();
        book.build().expect("the book builds");
        let pages = files(&target, ".html").into_iter();
        let pages = pages.map(|path| (path.clone(), Page::of(&read(&target.join(path)))));
        let pages = pages.collect();
        (target, pages)
    })
}

#[test]
fn every_page_is_in_the_book_once() {
    let docs = root().join("docs");
    let summary = read(&docs.join("SUMMARY.md"));
    let mut listed = targets(&summary);
    listed.sort_unstable();
    let mut pages = files(&docs, ".md");
    pages.remove("SUMMARY.md");
    assert_eq!(listed, pages.iter().map(|page| &**page).collect::<Vec<_>>());
    for page in &pages {
        let name = page.replace(".md", ".html");
        let is_built = book().1.contains_key(&name);
        assert!(is_built, "{page} is not in the book");
    }
}

/// The page in which a link of `page` ends, and the name in it.
fn resolved(page: &str, link: &str) -> (String, Option<String>) {
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (link, None),
    };
    if path.is_empty() {
        return (page.to_owned(), anchor);
    }
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." => {}
            // Out of the book: a path that is not there.
            ".." if parts.is_empty() => parts.push(".."),
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    (parts.join("/"), anchor)
}

#[test]
fn every_link_of_the_book_leads_somewhere() {
    let (folder, pages) = book();
    let mut wrong = Vec::new();
    let mut links = 0;
    for (path, page) in pages {
        // It is shown in place of a page anywhere, so its links are from the root.
        if path == "404.html" {
            continue;
        }
        for link in page.links.iter().filter(|link| !html::is_remote(link)) {
            let (target, anchor) = resolved(path, link);
            let is_there = folder.join(&target).is_file();
            let named = match (pages.get(&target), anchor) {
                (Some(page), Some(anchor)) => page.names.contains(&anchor),
                _ => true,
            };
            links += 1;
            if !is_there || !named {
                wrong.push(format!("{path}: {link}"));
            }
        }
    }
    assert!(links > 1000, "no links were found");
    assert!(
        wrong.is_empty(),
        "these lead nowhere:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_book_needs_no_network() {
    let (folder, pages) = book();
    let mut remote = Vec::new();
    for (path, page) in pages {
        let loads = page.loads.iter().filter(|load| html::is_remote(load));
        remote.extend(loads.map(|load| format!("{path}: {load}")));
    }
    for style in files(folder, ".css") {
        let text = read(&folder.join(&style));
        let parts = text.split("url(").skip(1);
        let parts = parts.chain(text.split("@import").skip(1));
        let urls = parts.map(|rest| rest.trim_start_matches([' ', '"', '\'']));
        let urls = urls.filter(|url| html::is_remote(url));
        remote.extend(urls.map(|url| format!("{style}: {}", &url[..40.min(url.len())])));
    }
    assert!(remote.is_empty(), "{}", remote.join("\n"));
}

/// Pages outside of the book are read where the repository is.
#[test]
fn links_of_the_other_pages_lead_somewhere() {
    let root = root();
    let pages = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    let mut wrong = Vec::new();
    for page in pages {
        let text = read(&root.join(page));
        for link in targets(&text)
            .into_iter()
            .filter(|link| !html::is_remote(link))
        {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let is_there = root.join(path).exists();
            let built = path.strip_prefix("docs/").map(|path| {
                let path = path.replace(".md", ".html");
                book().1.get(&path)
            });
            let named = match built {
                Some(Some(page)) if !anchor.is_empty() => page.names.contains(anchor),
                _ => true,
            };
            if !is_there || !named {
                wrong.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "these lead nowhere:\n{}",
        wrong.join("\n")
    );
}
