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

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use commute_model::{Code, Finding};
use globset::{Glob, GlobMatcher};

use crate::text_file;

/// The suppressions of a file.
#[derive(Clone, Default)]
pub(crate) struct Suppressions {
    file: String,
    all: Vec<Suppression>,
}

#[derive(Clone)]
struct Suppression {
    line: usize,
    text: String,
    code: Option<Code>,
    object: Option<GlobMatcher>,
    location: Option<GlobMatcher>,
    used: bool,
}

impl Suppressions {
    /// The suppressions of a file; none without a file.
    pub(crate) fn read(path: Option<&Path>) -> Result<Suppressions> {
        let Some(path) = path else {
            return Ok(Suppressions::default());
        };
        let file = path.display().to_string();
        let text = text_file::read(path, u64::MAX)?;
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
        Ok(Suppressions { file, all })
    }

    /// Whether a finding is suppressed. Every suppression that fits counts as
    /// used.
    pub(crate) fn suppress(&mut self, finding: &Finding) -> bool {
        let mut suppressed = false;
        for suppression in &mut self.all {
            if suppression.fits(finding) {
                suppression.used = true;
                suppressed = true;
            }
        }
        suppressed
    }

    /// The suppressions no finding fitted.
    pub(crate) fn unused(&self) -> impl Iterator<Item = String> {
        let unused = self.all.iter().filter(|suppression| !suppression.used);
        unused.map(|suppression| {
            let Suppression { line, text, .. } = suppression;
            format!("{}:{line}: unused suppression `{text}`", self.file)
        })
    }
}

impl Suppression {
    fn parse(line: usize, text: &str) -> Result<Suppression> {
        let mut suppression = Suppression {
            line,
            text: text.trim().to_owned(),
            code: None,
            object: None,
            location: None,
            used: false,
        };
        for word in text.split_whitespace() {
            let column = word.as_ptr() as usize - text.as_ptr() as usize + 1;
            let at = format!("{line}:{column}");
            let glob = |pattern: &str| -> Result<Option<GlobMatcher>> {
                let glob = Glob::new(pattern).map_err(|error| anyhow!("{at}: {error}"))?;
                Ok(Some(glob.compile_matcher()))
            };
            match word.split_once('=') {
                Some(("object", pattern)) => suppression.object = glob(pattern)?,
                Some(("location", pattern)) => suppression.location = glob(pattern)?,
                Some((key, _)) => bail!("{at}: unknown key `{key}`; there are object and location"),
                None => match word.parse() {
                    Ok(code) => suppression.code = Some(code),
                    Err(()) => bail!("{at}: `{word}` is not a code"),
                },
            }
        }
        Ok(suppression)
    }

    fn fits(&self, finding: &Finding) -> bool {
        let object = |glob: &GlobMatcher| {
            let others = finding.notes.iter().filter(|note| note.label == "also on");
            glob.is_match(finding.object.as_deref().unwrap_or_default())
                && others.into_iter().all(|note| glob.is_match(&note.text))
        };
        let location = |glob: &GlobMatcher| {
            let mut locations = finding.events.iter().map(|event| &event.location);
            locations.any(|location| glob.is_match(location))
        };
        self.code.is_none_or(|code| code == finding.code)
            && self.object.as_ref().is_none_or(object)
            && self.location.as_ref().is_none_or(location)
    }
}

#[cfg(test)]
mod tests {
    use commute_model::{Certainty, EventRef, Level};

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

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        let error = |text| {
            let result = Suppressions::parse(text, "s".into());
            result.err().expect("an error").to_string()
        };
        assert_eq!(error("\nCM777"), "s:2:1: `CM777` is not a code");
        let keys = "s:1:7: unknown key `thread`; there are object and location";
        assert_eq!(error("CM101 thread=T1"), keys);
        assert!(error("object=[").starts_with("s:1:1: "));
    }
}
