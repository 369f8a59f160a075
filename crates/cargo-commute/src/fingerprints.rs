//! Fingerprints of findings: what does not change when lines move or a program runs again.
//!
//! A fingerprint is of the code, the object, the operations, and of each place the file,
//! the trimmed text of the line, and which of the lines with this text it is. Numbers of
//! lines and events, addresses, and names of threads are no part of it. Where the source
//! text cannot be had, the line is left out; findings of a trace that are alike then are
//! counted in the order in which they stand in the source code.
//!
//! This is the only place where it is made: whatever names a finding, in any format, in a
//! file or on the command line, names it by this. An analysis may leave in
//! [`Finding::fingerprint`] what else a finding is told by; what a command needs to show it
//! again has the word `ID`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use commute_model::{Code, EventRef, Finding, parse_location};
use commute_report::Sources;
use commute_report::human::short_id;

use crate::config;

/// Which events a finding is told by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ToldBy {
    /// By what all of them do, and where.
    Events,
    /// By where the last of them are: what is done is in what the analysis says.
    LastPlaces(usize),
    /// The same, of all but so many before the last one: what others do.
    PlacesBut(usize),
    /// By the blocks that the analysis names, or says where they are: by which events
    /// they meet is another matter in every run.
    Blocks,
}

/// Completes the fingerprints of findings that one analysis has made.
pub(crate) fn complete(findings: &mut [Finding], sources: &dyn Sources) {
    let findings = findings.iter_mut().map(|finding| {
        let told_by = match finding.code {
            Code::CM111 => ToldBy::Blocks,
            _ => ToldBy::Events,
        };
        (finding, told_by)
    });
    complete_by(findings, sources);
}

/// The same, of findings that may be told otherwise.
pub(crate) fn complete_by<'a>(
    findings: impl Iterator<Item = (&'a mut Finding, ToldBy)>,
    sources: &dyn Sources,
) {
    let mut alike: BTreeMap<String, Vec<&mut Finding>> = BTreeMap::new();
    let mut places = Places::new(sources);
    for (finding, told_by) in findings {
        let text = text(finding, told_by, &mut places);
        alike.entry(text).or_default().push(finding);
    }
    for (text, mut findings) in alike {
        findings.sort_by_cached_key(|finding| position(finding));
        for (finding, occurrence) in findings.into_iter().zip(1..) {
            let occurrence: u32 = occurrence;
            finding.fingerprint = Finding::fingerprint_of([&*text, &*occurrence.to_string()]);
            let id = short_id(&finding.fingerprint);
            finding.replay = { finding.replay.take() }.map(|words| with_id(&words, id));
        }
    }
}

/// A command with the word `ID`, with the number in its place.
fn with_id(command: &str, id: &str) -> String {
    let words = command.split(' ').map(|word| match word {
        "ID" => id,
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What is the same in the next run.
fn text(finding: &Finding, told_by: ToldBy, places: &mut Places<'_>) -> String {
    let told = match told_by {
        ToldBy::Blocks => "",
        _ => &finding.fingerprint,
    };
    let mut parts = vec![finding.code.to_string(), told.to_owned(), object(finding)];
    let mut sides: Vec<String> = match told_by {
        ToldBy::Events => { finding.events.iter() }
            .map(|event| {
                format!(
                    "{}\0{}",
                    operation(event, finding),
                    places.of(&event.location)
                )
            })
            .collect(),
        ToldBy::LastPlaces(count) => {
            let first = finding.events.len().saturating_sub(count);
            let events = finding.events[first..].iter();
            events.map(|event| places.of(&event.location)).collect()
        }
        ToldBy::PlacesBut(others) => {
            let last = finding.events.len().saturating_sub(1);
            let left_out = last.saturating_sub(others)..last;
            let events = finding.events.iter().enumerate();
            let events = events.filter(|(i, _)| !left_out.contains(i));
            events
                .map(|(_, event)| places.of(&event.location))
                .collect()
        }
        ToldBy::Blocks => { finding.fingerprint.lines() }
            .map(|block| match block.strip_prefix('@') {
                Some(location) => places.of(location),
                None => block.to_owned(),
            })
            .collect(),
    };
    // Who came first may be different in the next run.
    sides.sort_unstable();
    parts.append(&mut sides);
    parts.join("\0")
}

/// The object. Of several at the same places, the one that the next run meets first may
/// be another: the first by name is taken; of so many that not all are named, none.
fn object(finding: &Finding) -> String {
    let others = finding.notes.iter().filter(|note| note.label == "also on");
    let others = others.map(|note| &*note.text);
    let mut all = finding.object.as_deref().into_iter().chain(others);
    match all.clone().any(|name| name == "…") {
        true => String::new(),
        false => { all.by_ref().map(steady) }.min().unwrap_or_default(),
    }
}

/// What an event does, without the object that the finding is about.
fn operation(event: &EventRef, finding: &Finding) -> String {
    let words = event.action.split('(').next().unwrap_or_default();
    let of_object = { finding.object.as_deref() }
        .and_then(|object| words.strip_prefix(object)?.strip_prefix('.'));
    of_object.map_or_else(|| steady(words), str::to_owned)
}

/// Places in the source code, by the text of their lines.
struct Places<'a> {
    sources: &'a dyn Sources,
    /// The project: files in it are called by their path from there, wherever it is.
    root: PathBuf,
    /// Of each file, its lines.
    files: BTreeMap<String, Option<Vec<Line>>>,
}

/// A line of a file.
struct Line {
    text: String,
    /// How many characters come before the text.
    indent: u32,
    /// Which of the lines with this text it is, from 1.
    occurrence: u32,
}

impl Places<'_> {
    fn new(sources: &dyn Sources) -> Places<'_> {
        let here = std::env::current_dir().unwrap_or_default();
        Places {
            sources,
            root: config::repository(&here).unwrap_or(&here).to_owned(),
            files: BTreeMap::new(),
        }
    }

    /// The file, the text of the line, which of those it is, and where in it.
    fn of(&mut self, location: &str) -> String {
        let Some((file, number, column)) = parse_location(location) else {
            return steady(location);
        };
        let sources = self.sources;
        let lines = { self.files.entry(file.to_owned()) }
            .or_insert_with(|| sources.text(file).map(|text| lines(&text)));
        let number = usize::try_from(number).unwrap_or_default();
        let line = lines.as_ref().zip(number.checked_sub(1));
        let name = in_any_checkout(file, &self.root);
        match line.and_then(|(lines, place)| lines.get(place)) {
            None => format!("{name}\0"),
            Some(line) => {
                // Where the line begins depends on what is around it.
                let column = column.map(|column| column.saturating_sub(line.indent).to_string());
                let column = column.unwrap_or_default();
                format!("{name}\0{}\0{}\0{column}", line.text, line.occurrence)
            }
        }
    }
}

/// A file of the project, or of a crate from a registry, as it is called on every machine.
fn in_any_checkout<'f>(file: &'f str, root: &Path) -> &'f str {
    if let Some(below) = { Path::new(file).strip_prefix(root).ok() }.and_then(Path::to_str)
        && root.parent().is_some()
    {
        return below;
    }
    // `…/registry/src/INDEX/serde-1.0.0/src/lib.rs`
    let of_registry = file.split_once("/registry/src/");
    if let Some((_, crate_file)) = of_registry.and_then(|(_, rest)| rest.split_once('/')) {
        return crate_file;
    }
    file.trim_start_matches("./")
}

fn lines(text: &str) -> Vec<Line> {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let lines = text.lines().map(|line| {
        let text = line.trim();
        let occurrence = seen.entry(text).or_default();
        *occurrence += 1;
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        Line {
            text: text.to_owned(),
            indent: u32::try_from(indent).unwrap_or(u32::MAX),
            occurrence: *occurrence,
        }
    });
    lines.collect()
}

/// Where a finding is, to tell those apart that are alike.
fn position(finding: &Finding) -> (Vec<(String, u32, u32)>, Vec<u64>) {
    let places = finding.events.iter().map(|event| {
        let parsed = parse_location(&event.location);
        let (file, line, column) = parsed.unwrap_or((&event.location, 0, None));
        (file.to_owned(), line, column.unwrap_or_default())
    });
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    let indices = finding.events.iter().map(|event| event.index);
    (places, indices.collect())
}

/// A name without what is another one in the next run: places in it have no lines
/// (`map@src/a.rs:3`, `<impl at src/a.rs:3:1: 3:9>`), and there are no addresses and
/// no numbers of objects that have the same name.
pub(crate) fn steady(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name;
    let is_digit = |c: char| c.is_ascii_digit();
    while let Some(at) = rest.find([':', '#', 'x']) {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        let sign = &rest[at..=at];
        let after_number = match sign {
            "x" if before.ends_with('0') => {
                after.trim_start_matches(|c: char| c.is_ascii_hexdigit())
            }
            "x" => after,
            // Of a place; what people call `stage:2` is not `stage:1`.
            ":" if out.contains(['@', '<']) || before.contains(['@', '<']) => {
                after.trim_start_matches(' ').trim_start_matches(is_digit)
            }
            ":" => after,
            _ => after.trim_start_matches(is_digit),
        };
        let spaces = match sign {
            ":" if after_number.len() < after.len() => {
                after.len() - after.trim_start_matches(' ').len()
            }
            _ => 0,
        };
        out.push_str(before);
        if after_number.len() + spaces == after.len() {
            out.push_str(sign);
            rest = after;
        } else {
            out.push_str(if sign == "x" { sign } else { "" });
            rest = after_number;
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use commute_model::{Certainty, Level, Note};
    use commute_report::{NoSources, SourceText};

    use super::*;

    struct Text(&'static str);

    impl Sources for Text {
        fn text(&self, _: &str) -> Option<Arc<SourceText>> {
            Some(Arc::new(self.0.into()))
        }
    }

    fn finding(object: &str, sides: &[(&str, &str, u64, u32)]) -> Finding {
        let events = sides.iter().map(|&(thread, action, index, line)| EventRef {
            thread: thread.to_owned(),
            index,
            action: action.to_owned(),
            location: format!("a.rs:{line}"),
        });
        Finding {
            code: Code::CM101,
            level: Level::Error,
            certainty: Certainty::Observed,
            fingerprint: String::new(),
            title: "a race".to_owned(),
            object: Some(object.to_owned()),
            events: events.collect(),
            condition: None,
            witness: None,
            count: 1,
            replay: Some("commute trace show ID.std --witness ID".to_owned()),
            scene: None,
            notes: Vec::new(),
        }
    }

    /// The fingerprints of these findings.
    fn all(findings: &mut [Finding], sources: &dyn Sources) -> Vec<String> {
        complete(findings, sources);
        let fingerprints = findings.iter().map(|finding| finding.fingerprint.clone());
        fingerprints.collect()
    }

    fn one(sides: &[(&str, &str, u64, u32)], text: &'static str) -> String {
        all(&mut [finding("o", sides)], &Text(text)).remove(0)
    }

    const LINES: &str = "put();\n  get(); \r\n";

    #[test]
    fn lines_that_move_do_not_matter_but_their_text_does() {
        let sides = [("T1", "o.put(1)/nil", 3, 1), ("T2", "o.get(1)/1", 5, 2)];
        let first = one(&sides, LINES);
        let moved = [("A", "o.get(7)/7", 9, 4), ("B", "o.put(7)/2", 11, 3)];
        assert_eq!(first, one(&moved, "new\nnew\nput();\n\tget();\n"));
        assert_ne!(first, one(&sides, "put();\nget_or_insert();\n"));
        let other = [("T1", "o.put(1)/nil", 3, 1), ("T2", "o.size()/1", 5, 2)];
        assert_ne!(first, one(&other, LINES));
    }

    #[test]
    fn without_a_text_the_line_is_left_out() {
        let side = |line| [("T1", "o.put(1)/nil", 3, line)];
        let of = |line| all(&mut [finding("o", &side(line))], &NoSources).remove(0);
        assert_eq!(of(1), of(2));
        // A line that the file does not have is no line.
        assert_eq!(one(&side(77), LINES), one(&side(0), LINES));
        assert_ne!(one(&side(1), LINES), of(1));
    }

    /// What else was found does not matter.
    #[test]
    fn a_line_is_told_from_others_with_the_same_text() {
        let at = |line| [("T", "o.put(1)/nil", 1, line)];
        let text = "put();\nother();\n  put();\nput();\n";
        let ids: Vec<String> = [1, 3, 4].map(|line| one(&at(line), text)).into();
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
        let mut found = [4, 1, 3].map(|line| finding("o", &at(line)));
        assert_eq!(
            all(&mut found, &Text(text)),
            [&*ids[2], &*ids[0], &*ids[1]],
            "of all at once"
        );
    }

    #[test]
    fn places_in_a_line_are_told_apart_wherever_it_begins() {
        let at = |column: u32, text: &'static str| {
            let mut found = finding("o", &[("T", "o.put(1)/nil", 1, 1)]);
            found.events[0].location = format!("a.rs:1:{column}");
            all(&mut [found], &Text(text)).remove(0)
        };
        assert_eq!(at(3, "  put(); put();"), at(1, "put(); put();"));
        assert_ne!(at(1, "put(); put();"), at(8, "put(); put();"));
    }

    #[test]
    fn names_of_places_are_told_apart() {
        let at = |location: &str| {
            let mut found = finding("o", &[("T", "o.put(1)/nil", 1, 1)]);
            found.events[0].location = location.to_owned();
            all(&mut [found], &NoSources).remove(0)
        };
        assert_ne!(at("A.foo"), at("B.bar"));
        assert_eq!(at("./a.rs:1"), at("a.rs:2"));
    }

    #[test]
    fn which_of_several_objects_was_met_first_does_not_matter() {
        let on = |object: &str, others: &[&str]| {
            let action = format!("{object}.put(1)/nil");
            let mut found = finding(object, &[("T", &action, 1, 1)]);
            let notes = others.iter().map(|name| Note::new("also on", *name));
            found.notes = notes.collect();
            all(&mut [found], &Text(LINES)).remove(0)
        };
        assert_eq!(on("o", &["p"]), on("p", &["o"]));
        assert_ne!(on("o", &[]), on("p", &[]));
        let many = ["a", "b", "c", "…"];
        assert_eq!(on("o", &many), on("p", &many));
    }

    /// Through which events two blocks meet depends on the schedule.
    #[test]
    fn blocks_are_told_by_their_names_or_where_they_begin() {
        let of = |blocks: &str, line, text: &'static str| {
            let mut found = finding("o", &[("T", "r(balance)", 1, line)]);
            found.code = Code::CM111;
            found.fingerprint = blocks.to_owned();
            all(&mut [found], &Text(text)).remove(0)
        };
        assert_eq!(of("put\nput", 1, LINES), of("put\nput", 2, LINES));
        assert_ne!(of("put\nput", 1, LINES), of("get\nput", 1, LINES));
        assert_eq!(of("@a.rs:1", 1, LINES), of("@a.rs:2", 1, "new\nput();\n"));
        assert_ne!(of("@a.rs:1", 1, LINES), of("@a.rs:2", 1, LINES));
    }

    /// Who else writes may be another one tomorrow.
    #[test]
    fn others_are_no_part_of_a_stale_value() {
        let of = |sides: &[(&str, &str, u64, u32)], others| {
            let mut found = [finding("o", sides)];
            let told = found.iter_mut().map(|one| (one, ToldBy::PlacesBut(others)));
            complete_by(told, &Text("read\nwrite\nother\nnew\n"));
            found[0].fingerprint.clone()
        };
        let (read, write) = (("f", "read", 1, 1), ("f", "written", 9, 2));
        let by = |line| ("g", "written", 2, line);
        assert_eq!(of(&[read, by(3), write], 1), of(&[read, by(4), write], 1));
        assert_eq!(of(&[read, by(3), write], 1), of(&[read, write], 0));
        assert_ne!(of(&[read, by(3), write], 1), of(&[by(4), by(3), write], 1));
    }

    #[test]
    fn those_alike_are_counted_in_the_order_of_the_source() {
        let at = |line, index| finding("o", &[("T", "o.put(1)/nil", index, line)]);
        let (mut found, mut turned) = ([at(1, 9), at(3, 2)], [at(3, 1), at(1, 2)]);
        let (a, b) = (all(&mut found, &NoSources), all(&mut turned, &NoSources));
        assert_eq!((&a[0], &a[1]), (&b[1], &b[0]));
        assert_ne!(a[0], a[1]);
    }

    #[test]
    fn a_command_names_the_finding() {
        let mut findings = [finding("o", &[])];
        let id = all(&mut findings, &NoSources).remove(0);
        let expected = format!("commute trace show ID.std --witness {}", &id[..8]);
        assert_eq!(findings[0].replay, Some(expected));
    }

    #[test]
    fn names_are_steady() {
        for (name, expected) in [
            ("map@src/a.rs:12", "map@src/a.rs"),
            ("map@src/a.rs:12#3", "map@src/a.rs"),
            (
                "<impl at src/a.rs:8:1: 8:12>::inc::{closure#0}",
                "<impl at src/a.rs>::inc::{closure}",
            ),
            ("queue", "queue"),
            ("stage:2", "stage:2"),
            ("x1", "x1"),
            ("a::b", "a::b"),
            ("cell 0x7f00beef", "cell 0x"),
            ("größe:ü", "größe:ü"),
        ] {
            assert_eq!(steady(name), expected);
        }
    }

    /// A baseline made here counts there.
    #[test]
    fn files_are_called_the_same_in_every_checkout() {
        for (file, expected) in [
            ("/home/a/project/src/lib.rs", "src/lib.rs"),
            ("src/lib.rs", "src/lib.rs"),
            ("./src/lib.rs", "src/lib.rs"),
            ("/home/a/project2/src/lib.rs", "/home/a/project2/src/lib.rs"),
            (
                "/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/x-1.0.0/src/lib.rs",
                "x-1.0.0/src/lib.rs",
            ),
        ] {
            let root = Path::new("/home/a/project");
            assert_eq!(in_any_checkout(file, root), expected);
        }
        // Nothing is below the root of everything.
        assert_eq!(in_any_checkout("/a.rs", Path::new("/")), "/a.rs");
    }
}
