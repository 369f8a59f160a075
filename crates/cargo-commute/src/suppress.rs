//! Findings that are known and wanted.
//!
//! A suppression file has one suppression a line: a code, an object and a
//! location, each optional, in any order; objects and locations are globs. A
//! finding is suppressed if everything the line names fits; an object fits if it
//! fits all objects the finding is about, a location if it is that of one of the
//! finding's events.
//!
//! ```text
//! # the cache is allowed to lose writes
//! CM101 object=cache location=src/cache.rs:*
//! CM102 location=**/vendor/**
//! ```

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use commute_model::{Code, Finding};
use commute_report::{clip, visible};

use crate::glob::{Glob, GlobSet};
use crate::text_file;

/// A longer file is no file of suppressions.
const LONGEST: u64 = 16 << 20;

/// The suppressions of a file.
#[derive(Clone, Default)]
pub(crate) struct Suppressions {
    all: Option<Arc<File>>,
    /// Those that a finding fitted.
    used: BTreeSet<usize>,
}

/// A file of suppressions, which are numbered.
struct File {
    name: String,
    all: Vec<Suppression>,
    /// Objects.
    objects: Patterns,
    /// Locations.
    locations: Patterns,
    /// Suppressions with a code only.
    bare: Vec<usize>,
}

/// The patterns for one part of a finding.
struct Patterns {
    set: GlobSet,
    /// The suppressions that have these patterns.
    suppressions: Vec<usize>,
}

/// A line of the file.
#[derive(Default)]
struct Suppression {
    line: usize,
    text: String,
    code: Option<Code>,
    object: Option<Glob>,
    location: Option<Glob>,
}

impl Suppressions {
    /// The suppressions of a file; none without a file.
    ///
    /// # Errors
    /// If it cannot be read, or a line makes no sense: then with line and column.
    pub(crate) fn read(path: Option<&Path>) -> Result<Suppressions> {
        let Some(path) = path else {
            return Ok(Suppressions::default());
        };
        let file = path.display().to_string();
        let text = text_file::read(path, LONGEST)?;
        Suppressions::parse(&text, file)
    }

    fn parse(text: &str, file: String) -> Result<Suppressions> {
        let mut all = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default();
            if content.trim().is_empty() {
                continue;
            }
            let suppression = Suppression::parse(i + 1, content);
            all.push(suppression.map_err(|error| anyhow!("{file}:{error}"))?);
        }
        Ok(Suppressions {
            all: Some(Arc::new(File::new(file, all))),
            used: BTreeSet::new(),
        })
    }

    /// Whether a finding is suppressed. Every suppression that fits counts as
    /// used.
    pub(crate) fn suppress(&mut self, finding: &Finding) -> bool {
        let Some(file) = &self.all else {
            return false;
        };
        let fitting = file.fitting(finding);
        let is_suppressed = !fitting.is_empty();
        self.used.extend(fitting);
        is_suppressed
    }

    /// The suppressions no finding fitted.
    pub(crate) fn unused(&self) -> impl Iterator<Item = String> {
        let all = self.all.iter().flat_map(|file| {
            let numbered = file.all.iter().enumerate();
            numbered.map(|(number, one)| (number, one, &file.name))
        });
        let unused = all.filter(|(number, _, _)| !self.used.contains(number));
        unused.map(|(_, Suppression { line, text, .. }, file)| {
            let (file, text) = (visible(file), clip(text, 400));
            format!("{file}:{line}: unused suppression `{text}`")
        })
    }
}

impl File {
    fn new(name: String, mut all: Vec<Suppression>) -> File {
        let (mut objects, mut locations) = (Vec::new(), Vec::new());
        let mut bare = Vec::new();
        for (number, one) in all.iter_mut().enumerate() {
            let (object, location) = (one.object.take(), one.location.take());
            if object.is_none() && location.is_none() {
                bare.push(number);
            }
            objects.extend(object.map(|glob| (number, glob)));
            locations.extend(location.map(|glob| (number, glob)));
        }
        File {
            name,
            objects: Patterns::new(objects),
            locations: Patterns::new(locations),
            bare,
            all,
        }
    }

    /// The suppressions that a finding fits.
    fn fitting(&self, finding: &Finding) -> Vec<usize> {
        let mut objects = self
            .objects
            .matching(finding.object.as_deref().unwrap_or_default());
        for note in finding.notes.iter().filter(|note| note.label == "also on") {
            let others = self.objects.matching(&note.text);
            objects.retain(|number| others.contains(number));
        }
        let places: BTreeSet<&str> = { finding.events.iter() }
            .map(|event| &*event.location)
            .collect();
        let places = places.into_iter();
        let locations: BTreeSet<usize> = places
            .flat_map(|place| self.locations.matching(place))
            .collect();
        let is_both = |number: &usize| {
            (!self.objects.have(*number) || objects.contains(number))
                && (!self.locations.have(*number) || locations.contains(number))
        };
        let named: BTreeSet<usize> = objects.union(&locations).copied().collect();
        let named = named.into_iter().filter(is_both);
        let is_of_code = |number: &usize| {
            let code = self.all[*number].code;
            code.is_none_or(|code| code == finding.code)
        };
        let all = named.chain(self.bare.iter().copied());
        all.filter(is_of_code).collect()
    }
}

impl Patterns {
    fn new(numbered: Vec<(usize, Glob)>) -> Patterns {
        let (suppressions, globs) = numbered.into_iter().unzip();
        Patterns {
            set: GlobSet::new(globs),
            suppressions,
        }
    }

    /// Whether a suppression has a pattern here.
    fn have(&self, suppression: usize) -> bool {
        self.suppressions.binary_search(&suppression).is_ok()
    }

    /// The suppressions whose patterns match all of a text.
    fn matching(&self, text: &str) -> BTreeSet<usize> {
        let matches = self.set.matches(text).into_iter();
        matches.map(|number| self.suppressions[number]).collect()
    }
}

impl Suppression {
    /// Reads a line.
    fn parse(line: usize, text: &str) -> Result<Suppression> {
        let mut suppression = Suppression {
            line,
            text: text.trim().to_owned(),
            ..Suppression::default()
        };
        for word in text.split_whitespace() {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let column = text[..start].chars().count() + 1;
            let at = |column: usize| format!("{line}:{column}");
            let glob = |key: &str, pattern: &str| -> Result<Option<Glob>> {
                let place = |column: usize| at(column + key.len() + "=".len());
                let glob = Glob::new(pattern);
                let glob =
                    glob.map_err(|error| anyhow!("{}: {error}", place(column + error.column - 1)));
                Ok(Some(glob?))
            };
            match word.split_once('=') {
                Some((key @ "object", pattern)) => suppression.object = glob(key, pattern)?,
                Some((key @ "location", pattern)) => suppression.location = glob(key, pattern)?,
                Some((key, _)) => bail!(
                    "{}: unknown key `{key}`; there are object and location",
                    at(column)
                ),
                None => match word.parse() {
                    Ok(code) => suppression.code = Some(code),
                    Err(()) => bail!("{}: `{word}` is not a code", at(column)),
                },
            }
        }
        Ok(suppression)
    }
}

#[cfg(test)]
mod tests {
    use commute_model::{Certainty, EventRef, Level, Note};

    use super::*;

    fn finding(object: &str, location: &str) -> Finding {
        Finding {
            code: Code::CM101,
            level: Level::Error,
            certainty: Certainty::Observed,
            fingerprint: String::new(),
            title: String::new(),
            object: Some(object.into()),
            events: vec![EventRef {
                thread: "T1".into(),
                index: 1,
                action: "o.put()".into(),
                location: location.into(),
            }],
            condition: None,
            witness: None,
            count: 1,
            replay: None,
            scene: None,
            notes: vec![],
        }
    }

    #[test]
    fn everything_a_line_names_must_fit() {
        let text = "# known\nCM101 object=cache* location=src/**\n\nCM102 object=x # never\n";
        let mut suppressions = Suppressions::parse(text, "s".into()).unwrap();
        assert!(suppressions.suppress(&finding("cache1", "src/a/b.rs:3")));
        assert!(!suppressions.suppress(&finding("cache1", "lib/b.rs:3")));
        assert!(!suppressions.suppress(&finding("x", "src/b.rs:3")));
        let unused: Vec<_> = suppressions.unused().collect();
        assert_eq!(unused, ["s:4: unused suppression `CM102 object=x`"]);
    }

    /// Only objects, only locations, both, and all objects of a finding.
    #[test]
    fn many_suppressions_are_told_apart() {
        let text = "object=a*\nlocation=b*\nobject=a* location=c*\nCM102\nCM101 object=*\n";
        let fitting = |object: &str, location: &str, also: &[&str]| {
            let mut finding = finding(object, location);
            let notes = also.iter().map(|also| Note::new("also on", *also));
            finding.notes = notes.collect();
            let mut suppressions = Suppressions::parse(text, "s".into()).unwrap();
            assert!(suppressions.suppress(&finding));
            suppressions.used.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(fitting("x", "x", &[]), [4]);
        assert_eq!(fitting("a1", "x", &[]), [0, 4]);
        assert_eq!(fitting("a1", "c", &["a2"]), [0, 2, 4]);
        assert_eq!(fitting("a1", "c", &["a2", "b"]), [4]);
        assert_eq!(fitting("a1", "b", &["b"]), [1, 4]);
    }

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        let error = |text| {
            let result = Suppressions::parse(text, "s".into());
            result.err().expect("an error").to_string()
        };
        assert_eq!(error("\nCM777"), "s:2:1: `CM777` is not a code");
        let keys = "s:1:7: unknown key `thread`; there are object and location";
        assert_eq!(error("CM101 thread=T1"), keys);
        assert!(error("object=[").starts_with("s:1:8: "));
        assert!(error("CM101 location=a{b").starts_with("s:1:17: "));
    }
}
