//! Comments that allow what they are written next to.
//!
//! `// commute: allow(stale_value)` stands on the line of an access, alone above it, or
//! above the function the value goes through: above its attributes and what documents
//! it, or among them. Attributes would be nicer, but those of unknown tools do not
//! compile.

use std::collections::BTreeMap;
use std::ops::Range;

use commute_model::{Code, EventRef, parse_location};
use commute_report::Sources;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::names;
use super::outcome::Found;

/// What a comment begins with.
const START: &str = "commute: allow(";

/// The comments of all files that were asked about.
#[derive(Default)]
pub(super) struct Comments {
    files: BTreeMap<String, File>,
}

/// The comments of a file, and its functions.
#[derive(Default)]
struct File {
    comments: Vec<Comment>,
    functions: Vec<Function>,
}

struct Comment {
    /// From 1.
    line: usize,
    /// The line below that it is about, if there is no code on its own.
    below: Option<usize>,
    codes: Vec<Code>,
    /// Names that nobody knows.
    unknown: Vec<String>,
    used: bool,
}

/// Lines, from 1, the last one excluded.
struct Function {
    /// Its attributes, up to where its body begins.
    head: Range<usize>,
    /// All of it.
    whole: Range<usize>,
}

impl Comments {
    /// Whether a comment allows it. Every comment that does counts as used.
    pub(super) fn allow(&mut self, found: &Found, sources: &dyn Sources) -> bool {
        let events = &found.finding.events;
        let others = events.len().saturating_sub(1 + found.others);
        let mut allowed = false;
        for (i, event) in events.iter().enumerate() {
            // Whoever writes the variable as well has a right to: it is allowed where
            // it is read and written, or at the other access itself.
            let is_other = i >= others && i + 1 < events.len();
            allowed |= self.allow_at(event, found.finding.code, is_other, sources);
        }
        allowed
    }

    fn allow_at(
        &mut self,
        event: &EventRef,
        code: Code,
        is_other: bool,
        sources: &dyn Sources,
    ) -> bool {
        let Some((name, line, _)) = parse_location(&event.location) else {
            return false;
        };
        let line = line as usize;
        let file = self.file(name, sources);
        let around = file.functions.iter().filter(|f| f.whole.contains(&line));
        let heads: Vec<&Range<usize>> = match is_other {
            true => Vec::new(),
            false => around.map(|function| &function.head).collect(),
        };
        let mut allowed = false;
        for comment in &mut file.comments {
            let is_here = comment.line == line || comment.below == Some(line);
            let is_above = heads.iter().any(|head| {
                let lines = [Some(comment.line), comment.below];
                lines.iter().flatten().any(|line| head.contains(line))
            });
            if (is_here || is_above) && comment.codes.contains(&code) {
                comment.used = true;
                allowed = true;
            }
        }
        allowed
    }

    fn file(&mut self, name: &str, sources: &dyn Sources) -> &mut File {
        if !self.files.contains_key(name) {
            let file = sources.text(name).map(|text| File::of(&text));
            self.files.insert(name.to_owned(), file.unwrap_or_default());
        }
        self.files.get_mut(name).expect("it was put there")
    }

    /// The comments in these files that allow nothing, and the names in them that nobody
    /// knows.
    pub(super) fn unused(&mut self, files: &[String], sources: &dyn Sources) -> Vec<String> {
        let mut out = Vec::new();
        for name in files {
            for comment in &self.file(name, sources).comments {
                let place = format!("{name}:{}", comment.line);
                for word in &comment.unknown {
                    out.push(format!("{place}: {}", names::unknown(word)));
                }
                if !comment.used && comment.unknown.is_empty() {
                    out.push(format!("{place}: unused `allow`"));
                }
            }
        }
        out
    }
}

impl File {
    fn of(text: &str) -> File {
        let lines: Vec<&str> = text.lines().collect();
        let mut file = File::default();
        for (i, line) in lines.iter().enumerate() {
            file.comments.extend(Comment::of(i, line, &lines));
        }
        // Most files have none, and are not worth a closer look.
        if !file.comments.is_empty()
            && let Ok(syntax) = syn::parse_file(text)
        {
            file.visit_file(&syntax);
        }
        file
    }

    fn function(&mut self, whole: proc_macro2::Span, body: proc_macro2::Span) {
        self.functions.push(Function {
            head: whole.start().line..body.start().line + 1,
            whole: whole.start().line..whole.end().line + 1,
        });
    }
}

impl<'ast> Visit<'ast> for File {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(item.span(), item.block.span());
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(item.span(), item.block.span());
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(item.span(), block.span());
        }
        visit::visit_trait_item_fn(self, item);
    }
}

impl Comment {
    fn of(index: usize, line: &str, lines: &[&str]) -> Option<Comment> {
        let (code, comment) = line.split_once("//")?;
        let comment = comment.trim_start_matches(['/', '!']).trim_start();
        let (words, _) = comment.strip_prefix(START)?.split_once(')')?;
        let mut codes = Vec::new();
        let mut unknown = Vec::new();
        for word in words.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            match names::code(word) {
                Some(code) => codes.push(code),
                None => unknown.push(word.to_owned()),
            }
        }
        // Other comments may stand between it and what it is about.
        let is_comment = |line: &&str| line.trim_start().starts_with("//");
        let more = lines[index + 1..].iter().take_while(|l| is_comment(l));
        let below = index + 2 + more.count();
        Some(Comment {
            line: index + 1,
            below: code.trim().is_empty().then_some(below),
            codes,
            unknown,
            used: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use commute_lint::Confidence;
    use commute_report::SourceText;

    use super::super::finding::{self, tests::stale};
    use super::*;

    struct Text(String);

    impl Sources for Text {
        fn text(&self, _: &str) -> Option<Arc<SourceText>> {
            Some(Arc::new(self.0.as_str().into()))
        }
    }

    /// The program of which the finding is: read and let go in line 4, written in line
    /// 6, and by another in line 10.
    const BANK: &str = "\
/// Takes some.
#[inline]
fn withdraw(account: &Account, amount: i64) {
    let balance = *account.balance.lock().unwrap();
    confirm(amount);
    *account.balance.lock().unwrap() = balance - amount;
}

fn deposit(account: &Account, amount: i64) {
    *account.balance.lock().unwrap() += amount;
}
";

    /// Whether a comment that is put at the end of a line allows the finding; what it
    /// says of unused comments.
    fn check(line: usize, comment: &str) -> (bool, Vec<String>) {
        let lines = BANK
            .lines()
            .enumerate()
            .map(|(i, text)| match i + 1 == line {
                true => format!("{text} {comment}\n"),
                false => format!("{text}\n"),
            });
        ask(lines.collect(), 0)
    }

    /// The same of a line of its own, above a line.
    fn above(line: usize, comment: &str) -> bool {
        let mut lines: Vec<&str> = BANK.lines().collect();
        lines.insert(line - 1, comment);
        let text = lines.join("\n");
        // Everything below it has moved.
        let moved = |site: u32| u32::from(site as usize >= line);
        ask_moved(text, moved).0
    }

    fn ask(text: String, by: u32) -> (bool, Vec<String>) {
        ask_moved(text, |_| by)
    }

    fn ask_moved(text: String, moved: impl Fn(u32) -> u32) -> (bool, Vec<String>) {
        let (program, mut violation) = stale(Confidence::High);
        let stops = violation.path.iter_mut().chain(&mut violation.others);
        for stop in stops {
            stop.site.line += moved(stop.site.line);
        }
        let found = finding::all(&program, &[violation]).remove(0);
        let mut comments = Comments::default();
        let sources = Text(text);
        let allowed = comments.allow(&found, &sources);
        let unused = comments.unused(&["src/bank.rs".to_owned()], &sources);
        (allowed, unused)
    }

    #[test]
    fn a_comment_on_the_line_of_an_access_allows_it() {
        for line in [4, 6, 10] {
            let (allowed, unused) = check(line, "// commute: allow(stale_value)");
            assert!(allowed, "{line}");
            assert!(unused.is_empty(), "{unused:?}");
        }
        assert!(check(4, "// commute: allow(CM202)").0);
        assert!(check(4, "// commute: allow(high_level_data_race, cm202): known").0);
    }

    #[test]
    fn elsewhere_or_of_another_name_it_is_unused() {
        for line in [5, 7, 11] {
            let (allowed, unused) = check(line, "// commute: allow(stale_value)");
            assert!(!allowed, "{line}");
            assert_eq!(unused, [format!("src/bank.rs:{line}: unused `allow`")]);
        }
        assert!(!check(4, "// commute: allow(high_level_data_race)").0);
        let (allowed, unused) = check(4, "// commute: allow(stale_values)");
        assert!(!allowed);
        assert_eq!(
            unused,
            ["src/bank.rs:4: unknown name `stale_values`; did you mean `stale_value`?"]
        );
    }

    #[test]
    fn a_comment_above_allows_what_is_below() {
        for line in [1, 2, 3, 4, 6, 10] {
            assert!(above(line, "    // commute: allow(stale_value)"), "{line}");
            let more = "// commute: allow(stale_value)\n// because";
            let text = BANK.lines().collect::<Vec<_>>();
            let text = [&text[..3], &more.lines().collect::<Vec<_>>(), &text[3..]].concat();
            assert!(ask(text.join("\n"), 2).0);
        }
        // Not above another access, nor above the function of the other.
        assert!(!above(5, "    // commute: allow(stale_value)"));
        assert!(!above(9, "// commute: allow(stale_value)"));
    }

    #[test]
    fn damaged_sources_are_searched_for_comments() {
        let text = BANK.replace(
            "fn deposit",
            "// commute: allow(stale_value, CM201)\nfn deposit",
        );
        commute_testkit::fuzz::each(
            "comments in sources",
            300,
            |random| {
                let mut bytes = text.clone().into_bytes();
                let pieces: [&[u8]; 6] = [b"// commute: allow(", b")", b"{", b"#[", b"r#\"", b"'"];
                commute_testkit::fuzz::damage(random, &mut bytes, &pieces);
                bytes
            },
            |bytes| drop(File::of(&String::from_utf8_lossy(bytes))),
        );
    }
}
