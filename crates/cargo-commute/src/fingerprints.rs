//! Fingerprints of findings: what does not change when lines move or a program runs again.
//!
//! A fingerprint is of the code, the object, the operations, and of each place the file
//! and the trimmed text of the line; and if that is the same of several, which of them it
//! is, in the order in which they stand in the source code. Numbers of lines and events,
//! addresses, and names of threads are no part of it. Where the source text cannot be had,
//! the line is left out.
//!
//! This is the only place where it is made: whatever names a finding, in any format, in a
//! file or on the command line, names it by this. An analysis may leave in
//! [`Finding::fingerprint`] what else a finding is told by; what a command needs to show it
//! again has the word `ID`.

use std::collections::BTreeMap;

use commute_model::{EventRef, Finding, parse_location};
use commute_report::Sources;
use commute_report::human::short_id;

/// Which events a finding is told by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ToldBy {
    /// By what all of them do, and where.
    Events,
    /// By where the last of them are: what is done is in what the analysis says.
    LastPlaces(usize),
}

/// Completes the fingerprints of findings that one analysis has made.
pub(crate) fn complete(findings: &mut [Finding], sources: &dyn Sources) {
    let findings = findings.iter_mut();
    complete_by(findings.map(|finding| (finding, ToldBy::Events)), sources);
}

/// The same, of findings that may be told otherwise.
pub(crate) fn complete_by<'a>(
    findings: impl Iterator<Item = (&'a mut Finding, ToldBy)>,
    sources: &dyn Sources,
) {
    let mut alike: BTreeMap<String, Vec<&mut Finding>> = BTreeMap::new();
    for (finding, told_by) in findings {
        let text = text(finding, told_by, sources);
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
fn text(finding: &Finding, told_by: ToldBy, sources: &dyn Sources) -> String {
    let object = finding.object.as_deref().unwrap_or_default();
    let mut parts = vec![
        finding.code.to_string(),
        finding.fingerprint.clone(),
        steady(object),
    ];
    let operation = |event: &EventRef| {
        let words = event.action.split('(').next().unwrap_or_default();
        steady(words)
    };
    let mut sides: Vec<String> = match told_by {
        ToldBy::Events => { finding.events.iter() }
            .map(|event| format!("{}\0{}", operation(event), place(event, sources)))
            .collect(),
        ToldBy::LastPlaces(count) => {
            let first = finding.events.len().saturating_sub(count);
            let events = finding.events[first..].iter();
            events.map(|event| place(event, sources)).collect()
        }
    };
    // Who came first may be different in the next run.
    sides.sort_unstable();
    parts.append(&mut sides);
    parts.join("\0")
}

/// The file and the text of the line.
fn place(event: &EventRef, sources: &dyn Sources) -> String {
    let Some((file, line, _)) = parse_location(&event.location) else {
        return String::new();
    };
    let text = sources.text(file);
    let line = text.as_deref().and_then(|text| {
        let number = usize::try_from(line).ok()?.checked_sub(1)?;
        text.lines().nth(number)
    });
    format!("{file}\0{}", line.unwrap_or_default().trim())
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
            ":" => after.trim_start_matches(' ').trim_start_matches(is_digit),
            _ => after.trim_start_matches(is_digit),
        };
        let spaces = match sign {
            ":" => after.len() - after.trim_start_matches(' ').len(),
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

    use commute_model::{Certainty, Code, Level};
    use commute_report::NoSources;

    use super::*;

    struct Text(&'static str);

    impl Sources for Text {
        fn text(&self, _: &str) -> Option<Arc<str>> {
            Some(self.0.into())
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

    #[test]
    fn those_alike_are_counted_in_the_order_of_the_source() {
        let at = |line, index| finding("o", &[("T", "o.put(1)/nil", index, line)]);
        let text = Text("put();\nother();\nput();\n");
        let (mut found, mut turned) = ([at(1, 9), at(3, 2), at(2, 1)], [at(3, 1), at(1, 2)]);
        let (a, b) = (all(&mut found, &text), all(&mut turned, &text));
        assert_eq!((&a[0], &a[1]), (&b[1], &b[0]));
        assert_ne!(a[0], a[1]);
        assert_eq!(a[2], all(&mut [at(2, 4)], &text)[0]);
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
            ("x1", "x1"),
            ("a::b", "a::b"),
            ("cell 0x7f00beef", "cell 0x"),
            ("größe:ü", "größe:ü"),
        ] {
            assert_eq!(steady(name), expected);
        }
    }
}
