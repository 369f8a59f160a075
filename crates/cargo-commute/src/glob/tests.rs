//! Patterns, compared with `globset`.

use commute_testkit::fuzz;
use commute_testkit::random::Random;

use super::*;

/// A text of some of these parts.
fn some(random: &mut Random, parts: &[&str], most: usize) -> String {
    let parts = (0..random.below(most + 1)).map(|_| parts[random.below(parts.len())]);
    parts.collect()
}

fn is_match(pattern: &str, text: &str) -> bool {
    Glob::new(pattern).expect(pattern).is_match(text)
}

#[test]
fn patterns_match_all_of_a_text() {
    for (pattern, text) in [
        ("", ""),
        ("a", "a"),
        ("*", ""),
        ("*", "a/b"),
        ("cache*", "cache1"),
        ("src/cache.rs:*", "src/cache.rs:3:5"),
        ("**/vendor/**", "vendor/a.rs:1"),
        ("**/vendor/**", "a/b/vendor/c/d.rs:1"),
        ("a/**/b", "a/b"),
        ("a/**/b", "a/x/y/b"),
        ("{a,b{c,d}}x", "bdx"),
        ("[!a-c]?", "dé"),
        ("[]-]", "]"),
        ("[é-ü]", "ö"),
        (r"\*\{", "*{"),
        ("a,b", "a,b"),
    ] {
        assert!(is_match(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [
        ("", "a"),
        ("a", ""),
        ("a", "ab"),
        ("?", ""),
        ("?", "ab"),
        ("cache*", "my cache"),
        ("a/**/b", "a/xb"),
        ("**/vendor/**", "myvendor/a.rs"),
        ("{a,b}", "ab"),
        ("[!a]", "a"),
        ("[é-ü]", "u"),
    ] {
        assert!(!is_match(pattern, text), "{pattern} {text}");
    }
}

#[test]
fn mistakes_have_a_place() {
    for (pattern, column, message) in [
        ("ab[c", 3, "unclosed character class; missing ']'"),
        ("é{a,{b}", 2, "unclosed alternate group; missing '}'"),
        ("ab}", 3, "unopened alternate group; missing '{'"),
        ("a[c-a]", 5, "invalid range; 'c' > 'a'"),
        (r"ab\", 3, r"dangling '\'"),
    ] {
        let error = Glob::new(pattern).expect_err(pattern);
        assert_eq!(error.column, column, "{pattern}");
        assert!(error.message.starts_with(message), "{pattern}: {error}");
    }
}

#[test]
fn patterns_have_bounds() {
    let deep = |depth: usize| "{".repeat(depth) + "b" + &"}".repeat(depth);
    assert!(is_match(&deep(DEEPEST), "b"));
    for depth in [DEEPEST + 1, 249, 250, 300] {
        let error = Glob::new(&deep(depth)).expect_err("too deep");
        assert_eq!(error.column, DEEPEST + 1);
        assert_eq!(error.message, "alternate groups are nested at most 10 deep");
    }
    assert!(Glob::new(&"a".repeat(LONGEST)).is_ok());
    for long in ["a".repeat(LONGEST + 1), deep(100_000), "*a".repeat(100_000)] {
        let error = Glob::new(&long).expect_err("too long");
        assert_eq!(error.column, 1);
        assert!(
            error
                .message
                .starts_with("a pattern has at most 1000 bytes")
        );
    }
}

/// Every byte of a pattern may make a state, also in the last word.
#[test]
fn the_longest_patterns_match() {
    let all = "ab".repeat(LONGEST / 2);
    assert!(is_match(&all, &all));
    assert!(!is_match(&all, &all[1..]));
    let many = "{a,".repeat(DEEPEST) + "b" + &"}".repeat(DEEPEST);
    let pattern = many.repeat(LONGEST / many.len());
    assert!(is_match(&pattern, &"a".repeat(LONGEST / many.len())));
    let stars = "*a".repeat(LONGEST / 2);
    assert!(is_match(&stars, &"a".repeat(50_000)));
    assert!(!is_match(&stars, &("a".repeat(50_000) + "b")));
}

#[test]
fn patterns_match_as_in_globset() {
    const PARTS: [&str; 20] = [
        "a",
        "b",
        "ab",
        "/",
        "?",
        "*",
        "**",
        "**/",
        "/**",
        "/**/",
        "[ab]",
        "[!a]",
        "[a-]",
        "{",
        "}",
        ",",
        "{a,b}",
        "{**/a,b/**}",
        "[b-a]",
        "[/]",
    ];
    let mut compared = 0;
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let pattern = some(&mut random, &PARTS, 6);
        let ours = Glob::new(&pattern);
        let theirs = globset::Glob::new(&pattern);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{seed}: {pattern}");
        let (Ok(ours), Ok(theirs)) = (ours, theirs) else {
            continue;
        };
        let theirs = theirs.compile_matcher();
        for _ in 0..20 {
            let text = some(&mut random, &["a", "b", "/", "-"], 6);
            let expected = theirs.is_match(&text);
            assert_eq!(ours.is_match(&text), expected, "{seed}: {pattern} {text}");
            compared += usize::from(expected);
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn a_set_finds_what_its_patterns_match() {
    const LONG: &str = "abbabaababbabaabbaababbaabbabaababbabaabbaababbaabbabaababbabaab_";
    const PARTS: [&str; 9] = ["a", "b", "*", "?", "/", "{a,b}", "**/", "abb", LONG];
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let globs: Vec<Glob> = (0..random.below(20))
            .map(|_| Glob::new(&some(&mut random, &PARTS, 5)).expect("a pattern"))
            .collect();
        let set = GlobSet::new(globs.clone());
        for _ in 0..10 {
            let text = some(&mut random, &["a", "b", "/", LONG], 6);
            let all = (0..globs.len()).filter(|number| globs[*number].is_match(&text));
            let all: Vec<usize> = all.collect();
            let found: Vec<usize> = set.matches(&text).into_iter().collect();
            assert_eq!(found, all, "{seed}: {text}");
            assert_eq!(set.is_match(&text), !all.is_empty(), "{seed}: {text}");
        }
    }
}

/// Garbage is refused at a place in it, or is a pattern that can be used.
#[test]
fn damaged_globs_are_refused_or_match() {
    const PARTS: [&str; 18] = [
        "a",
        "é",
        "\u{10ffff}",
        "\u{0}",
        "*",
        "**",
        "?",
        "[",
        "]",
        "!",
        "^",
        "-",
        "{",
        "}",
        ",",
        "\\",
        "/",
        "{{{{{{{{",
    ];
    let pattern = |random: &mut Random| {
        let most = [8, 60, 700][random.below(3).min(random.below(3))];
        some(random, &PARTS, most).into_bytes()
    };
    fuzz::each("globs", 10_000, pattern, |bytes| {
        let pattern = std::str::from_utf8(bytes).expect("parts are UTF-8");
        match Glob::new(pattern) {
            Ok(glob) => {
                glob.is_match("aé/-\u{10ffff}a/é");
                let literal: String = pattern.chars().filter(|c| !"*?".contains(*c)).collect();
                if !literal.contains(['[', '{', '\\', ']', '}']) && !pattern.contains("**") {
                    assert!(glob.is_match(&pattern.replace('*', "")), "{pattern}");
                }
            }
            Err(error) => {
                let length = pattern.chars().count();
                assert!((1..=length).contains(&error.column), "{pattern}");
                assert!(!error.message.is_empty());
            }
        }
    });
}
