//! What goes wrong between the same regions is one mistake, however many variables suffer
//! from it: one lock held over them mends it all.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{Code, Finding, Note, parse_location};

use super::outcome::Found;

/// More are counted, not named.
const NAMED: usize = 3;

/// The reason for which a finding is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Allowed {
    /// Nothing does.
    No,
    /// A comment in the source.
    ByComment,
    /// Only the configuration file.
    ByConfiguration,
}

/// One finding for each mistake, and how many mistakes are allowed.
#[derive(Default)]
pub(super) struct United {
    /// Those that are not allowed.
    pub findings: Vec<Finding>,
    /// How many are allowed.
    pub allowed: u64,
    /// How many of these the configuration file allows.
    pub by_configuration: u64,
}

/// One finding for each mistake: the first of those with the highest level, which names
/// the others. Who allows it allows the mistake; of the others each is allowed by itself.
pub(super) fn unite(all: Vec<(Found, Allowed)>) -> United {
    let mut mistakes: Vec<Vec<(Finding, Allowed)>> = Vec::new();
    let mut known: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (found, allowed) in all {
        let keys = keys(found.finding.code, found.between);
        let earlier: BTreeSet<usize> = keys
            .iter()
            .filter_map(|key| known.get(key))
            .copied()
            .collect();
        let number = earlier.first().copied().unwrap_or(mistakes.len());
        mistakes.resize_with(mistakes.len().max(number + 1), Vec::new);
        for other in earlier.into_iter().skip(1) {
            let joined = std::mem::take(&mut mistakes[other]);
            mistakes[number].extend(joined);
            known
                .values_mut()
                .filter(|known| **known == other)
                .for_each(|known| *known = number);
        }
        known.extend(keys.into_iter().map(|key| (key, number)));
        mistakes[number].push((found.finding, allowed));
    }
    mistakes.retain(|mistake| !mistake.is_empty());
    let mut united = United::default();
    for mistake in mistakes {
        match one(mistake) {
            Ok(finding) => united.findings.push(finding),
            Err(allowed) => {
                united.allowed += 1;
                united.by_configuration += u64::from(allowed == Allowed::ByConfiguration);
            }
        }
    }
    united
}

/// What findings of one mistake have in common. Of three variables that belong together
/// every two are torn: there it is a region. A value that two regions use may be two
/// mistakes: there it is both.
fn keys(code: Code, between: Option<[String; 2]>) -> Vec<Vec<String>> {
    let Some(both) = between else {
        return Vec::new();
    };
    let named = |mut regions: Vec<String>| {
        regions.insert(0, code.to_string());
        regions
    };
    match code {
        Code::CM201 => both.map(|region| named(vec![region])).to_vec(),
        _ => vec![named(both.to_vec())],
    }
}

/// The finding that stands for a mistake, which has at least one, unless it is allowed.
fn one(mut all: Vec<(Finding, Allowed)>) -> Result<Finding, Allowed> {
    let levels = all.iter().map(|(finding, _)| finding.level).enumerate();
    let lead = levels
        .min_by_key(|(_, level)| *level)
        .map_or(0, |(at, _)| at);
    let (mut lead, allowed) = all.remove(lead);
    if allowed != Allowed::No {
        return Err(allowed);
    }
    all.retain(|(_, allowed)| *allowed == Allowed::No);
    let help = { lead.notes.iter() }
        .position(|note| note.label == "help")
        .unwrap_or(lead.notes.len());
    let mut likewise: Vec<Note> = { all.iter().take(NAMED) }
        .map(|(other, _)| Note::new("why", format!("likewise, {}", told(other))))
        .collect();
    if all.len() > NAMED {
        let more = format!("likewise, {} more between the same", all.len() - NAMED);
        likewise.push(Note::new("why", more));
    }
    lead.notes.splice(help..help, likewise);
    Ok(lead)
}

/// What it is, and in which lines.
fn told(finding: &Finding) -> String {
    let line = |at: usize| {
        let event = finding.events.get(at)?;
        parse_location(&event.location).map(|(_, line, _)| line)
    };
    let (first, last) = (line(0), line(finding.events.len().wrapping_sub(1)));
    match (first, last) {
        (Some(first), Some(last)) => format!("{} (lines {first} and {last})", finding.title),
        _ => finding.title.clone(),
    }
}

#[cfg(test)]
mod tests {
    use commute_lint::Confidence;
    use commute_lint::ir::{FileId, Site};

    use super::super::finding::{self, tests::stale};
    use super::*;

    fn found(title: &str, confidence: Confidence, lines: Option<(u32, u32)>) -> Found {
        let (program, mut violation) = stale(confidence);
        let site = |line| Site {
            file: FileId(0),
            line,
            column: 1,
        };
        violation.title = title.to_owned();
        violation.between = lines.map(|(one, two)| (site(one), site(two)));
        finding::all(&program, &[violation]).remove(0)
    }

    /// The titles and notes of what is left, and how many are allowed.
    fn united(all: Vec<(Found, bool)>) -> (Vec<String>, u64) {
        let all = all.into_iter();
        let all = all.map(|(found, is_allowed)| {
            let allowed = if is_allowed {
                Allowed::ByComment
            } else {
                Allowed::No
            };
            (found, allowed)
        });
        let united = unite(all.collect());
        let (left, allowed) = (united.findings, united.allowed);
        let words = left.into_iter().flat_map(|finding| {
            let notes = finding.notes.into_iter().map(|note| note.text);
            let likewise = notes.filter(|text| text.starts_with("likewise, "));
            [finding.title]
                .into_iter()
                .chain(likewise)
                .collect::<Vec<_>>()
        });
        (words.collect(), allowed)
    }

    #[test]
    fn the_same_two_regions_are_one_mistake() {
        let all = vec![
            (found("a", Confidence::Low, Some((4, 6))), false),
            (found("b", Confidence::High, Some((4, 7))), false),
            (found("c", Confidence::High, Some((4, 6))), false),
            (found("d", Confidence::High, Some((4, 6))), false),
        ];
        let (words, allowed) = united(all);
        // Where the first was, with the first that is an error in front.
        let expected = [
            "c",
            "likewise, a (lines 4 and 6)",
            "likewise, d (lines 4 and 6)",
            "b",
        ];
        assert_eq!(words, expected);
        assert_eq!(allowed, 0);
    }

    #[test]
    fn of_what_belongs_together_every_two_are_torn() {
        let torn = |title: &str, lines| {
            let mut found = found(title, Confidence::High, Some(lines));
            found.finding.code = Code::CM201;
            (found, Allowed::No)
        };
        let all = vec![
            torn("a, b", (1, 2)),
            torn("d, e", (7, 8)),
            torn("x, y", (4, 5)),
            torn("a, c", (1, 3)),
            torn("b, x", (2, 4)),
        ];
        let left = unite(all).findings;
        let titles: Vec<&str> = left.iter().map(|finding| &*finding.title).collect();
        assert_eq!(titles, ["a, b", "d, e"]);
    }

    #[test]
    fn help_stays_last() {
        let one = |title| (found(title, Confidence::High, Some((4, 6))), Allowed::No);
        let left = unite(vec![one("a"), one("b")]).findings;
        let labels: Vec<&str> = left[0].notes.iter().map(|note| &*note.label).collect();
        assert_eq!(labels, ["why", "why", "help"]);
    }

    #[test]
    fn who_allows_the_one_that_is_shown_allows_the_mistake() {
        let all = |first, second| {
            vec![
                (found("a", Confidence::High, Some((4, 6))), first),
                (found("b", Confidence::High, Some((4, 6))), second),
            ]
        };
        assert_eq!(united(all(true, false)), (vec![], 1));
        assert_eq!(united(all(false, true)), (vec!["a".to_owned()], 0));
    }

    #[test]
    fn what_the_configuration_allows_is_counted_apart() {
        let one = |title| found(title, Confidence::High, None);
        let united = unite(vec![
            (one("a"), Allowed::ByConfiguration),
            (one("b"), Allowed::ByComment),
            (one("c"), Allowed::No),
        ]);
        assert_eq!(united.findings.len(), 1);
        assert_eq!((united.allowed, united.by_configuration), (2, 1));
    }

    #[test]
    fn of_many_the_rest_is_counted() {
        let one = |number: usize| {
            let title = number.to_string();
            (found(&title, Confidence::High, Some((4, 6))), false)
        };
        let (words, _) = united((0..6).map(one).collect());
        assert_eq!(words.len(), 5);
        assert_eq!(words[4], "likewise, 2 more between the same");
    }

    #[test]
    fn what_is_between_unknown_regions_stays_alone() {
        let all = vec![
            (found("a", Confidence::High, None), false),
            (found("b", Confidence::High, None), true),
        ];
        assert_eq!(united(all), (vec!["a".to_owned()], 1));
    }
}
