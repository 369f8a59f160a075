//! Tests that are not explored because another crate runs them: `#[tokio::test]`, counted
//! in the source of the targets.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::targets::Target;

/// The path of the attribute.
const ATTRIBUTE: [&str; 4] = ["tokio", ":", ":", "test"];

/// How many functions with `#[tokio::test]` there are in the sources of these targets.
/// Sources that cannot be read have none.
pub(super) fn count(targets: &[Target], root: Option<&Path>) -> u64 {
    let files: BTreeSet<PathBuf> = { targets.iter() }
        .flat_map(|target| sources(target, root))
        .collect();
    let texts = files
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok());
    texts.map(|text| in_text(&text)).sum()
}

/// The source files of a target: cargo keeps beside each binary a list of those that it
/// was made of, as a rule of a makefile.
fn sources(target: &Target, root: Option<&Path>) -> Vec<PathBuf> {
    let mut list = target.binary.clone().into_os_string();
    list.push(".d");
    let text = fs::read_to_string(list).unwrap_or_default();
    let rule = text.lines().find_map(|line| line.split_once(": "));
    let names = rule.map_or("", |(_, names)| names).replace("\\ ", "\0");
    let files = names.split(' ').filter(|name| name.ends_with(".rs"));
    let root = root.unwrap_or(Path::new(""));
    files
        .map(|name| root.join(name.replace('\0', " ")))
        .collect()
}

/// How many there are in the text of a file.
fn in_text(text: &str) -> u64 {
    text.parse().map_or(0, in_tokens)
}

fn in_tokens(tokens: TokenStream) -> u64 {
    let (mut found, mut is_attribute) = (0, false);
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let is_list = is_attribute && group.delimiter() == Delimiter::Bracket;
            found += if is_list && names_it(group.stream()) {
                1
            } else {
                in_tokens(group.stream())
            };
        }
        is_attribute = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '#');
    }
    found
}

/// Whether an attribute is the one, or adds it under a condition.
fn names_it(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let words: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let is_it = words.windows(ATTRIBUTE.len()).any(|part| part == ATTRIBUTE);
    let mut groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    is_it || groups.any(names_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_counted_and_what_only_looks_like_one_is_not() {
        let text = r##"
            // #[tokio::test]
            #[tokio::test]
            async fn one() { let text = "#[tokio::test]"; }
            mod inner {
                #[tokio::test(flavor = "multi_thread")]
                async fn two() {}
                #[cfg_attr(unix, tokio::test)]
                async fn three() {}
                #[commute::test]
                async fn explored() { tokio::test::nothing(); }
            }
        "##;
        assert_eq!(in_text(text), 3);
        assert_eq!(in_text("no rust {"), 0);
    }
}
