//! Which atomic blocks count: `--atomic` and `--not-atomic`.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use commute_detect::Select;

use crate::glob::{Glob, GlobError, GlobSet};
use crate::text_file;

/// A longer file is no file of patterns.
const LONGEST: u64 = 16 << 20;

/// The patterns of the command line.
#[derive(Clone)]
pub(crate) struct Selection {
    /// Blocks that count; all if there is no pattern.
    atomic: Option<Arc<GlobSet>>,
    /// Blocks that do not, whatever `atomic` says.
    not_atomic: Arc<GlobSet>,
}

impl Selection {
    /// The selection of these patterns; none if there are none. `@FILE` stands
    /// for the patterns of a file, one a line.
    pub(crate) fn new(atomic: &[String], not_atomic: &[String]) -> Result<Option<Selection>> {
        if atomic.is_empty() && not_atomic.is_empty() {
            return Ok(None);
        }
        Ok(Some(Selection {
            atomic: match atomic {
                [] => None,
                patterns => Some(Arc::new(globs(patterns, "--atomic")?)),
            },
            not_atomic: Arc::new(globs(not_atomic, "--not-atomic")?),
        }))
    }

    /// Whether a block with this label counts.
    fn counts(&self, label: &str) -> bool {
        let wanted = |globs: &Arc<GlobSet>| globs.is_match(label);
        self.atomic.as_ref().is_none_or(wanted) && !self.not_atomic.is_match(label)
    }

    /// The selection as the analysis takes it.
    pub(crate) fn select(&self) -> Select {
        let selection = self.clone();
        Arc::new(move |label| selection.counts(label))
    }
}

fn globs(patterns: &[String], flag: &str) -> Result<GlobSet> {
    let mut globs = Vec::new();
    for pattern in patterns {
        let Some(file) = pattern.strip_prefix('@') else {
            globs.push(Glob::new(pattern).map_err(|error| anyhow!("{flag}: {error}"))?);
            continue;
        };
        let text = text_file::read(Path::new(file), LONGEST).context(flag.to_owned())?;
        for (i, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default();
            let pattern = content.trim();
            let indent = content.chars().take_while(|c| c.is_whitespace()).count();
            if !pattern.is_empty() {
                let at = |GlobError { column, message }| {
                    anyhow!("{file}:{}:{}: {message}", i + 1, indent + column)
                };
                globs.push(Glob::new(pattern).map_err(at)?);
            }
        }
    }
    Ok(GlobSet::new(globs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(atomic: &[&str], not_atomic: &[&str]) -> Selection {
        let strings = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let selection = Selection::new(&strings(atomic), &strings(not_atomic));
        selection.expect("good patterns").expect("there are some")
    }

    #[test]
    fn what_is_excluded_does_not_count_even_if_it_is_included() {
        let all_but = selection(&[], &["main", "*.run"]);
        assert!(all_but.counts("transfer") && !all_but.counts("main"));
        assert!(!all_but.counts("Worker.run"));
        let some = selection(&["bank.*"], &["bank.main"]);
        assert!(some.counts("bank.transfer"));
        assert!(!some.counts("bank.main") && !some.counts("other"));
        assert!(Selection::new(&[], &[]).expect("nothing").is_none());
    }

    #[test]
    fn the_first_pattern_of_a_file_counts() {
        let here = tempfile::tempdir().expect("a folder");
        let path = here.path().join("blocks");
        std::fs::write(&path, "\u{feff}withdraw\n").expect("written");
        let some = selection(&[&format!("@{}", path.display())], &[]);
        assert!(some.counts("withdraw") && !some.counts("other"));
        std::fs::write(&path, b"a\nb\xff\n").expect("written");
        let error = Selection::new(&[format!("@{}", path.display())], &[]).err();
        let error = format!("{:#}", error.expect("no text"));
        let expected = "blocks:2:2: this is no text in UTF-8";
        assert!(
            error.starts_with("--atomic: ") && error.ends_with(expected),
            "{error}"
        );
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let error = Selection::new(&["a[".to_owned()], &[]).err();
        assert!(error.is_some_and(|e| e.to_string().starts_with("--atomic: ")));
    }
}
