//! Operations of a program that are not recorded although its threads may share something by
//! them: unsafe code of workspace crates, and libraries that are not instrumented.
//!
//! Only crates of the workspace count, and only libraries that one of them depends on
//! directly: others use such things as well, and are taken for correct. `crates.rs` finds the
//! crates and their files, `source.rs` searches them and says how exact that is.

mod cfg;
mod constructs;
mod crates;
mod libraries;
mod source;
mod tokens;

use std::path::Path;

use cargo_metadata::Metadata;
use commute_report::{Unobserved, UnobservedReason, UnsafeUse};

use self::crates::Crate;
use super::cargo_target::Built;
use crate::cli::Swapped;

/// Finds them in what was built; `trusted` are the names by which the user waives them.
pub(super) fn of_build(
    built: &Built,
    metadata: &Metadata,
    swapped: &[Swapped],
    trusted: &[String],
) -> Vec<Unobserved> {
    let is_swapped = swapped.contains(&Swapped::Dashmap);
    let swapped: &[&str] = if is_swapped { &["dashmap"] } else { &[] };
    let crates = crates::of_program(built, metadata, swapped);
    let root = metadata.workspace_root.as_std_path();
    let mut found: Vec<Unobserved> = crates
        .iter()
        .flat_map(|krate| of_crate(krate, root))
        .collect();
    for one in &mut found {
        let name = normal(one.trusted_as());
        one.is_trusted = trusted.iter().any(|trusted| normal(trusted) == name);
    }
    found
}

/// A name of a crate, however it is written.
fn normal(name: &str) -> String {
    name.trim().replace('-', "_")
}

fn of_crate(krate: &Crate, root: &Path) -> Vec<Unobserved> {
    let mut uses = Vec::new();
    let mut first_uses: Vec<(String, String)> = Vec::new();
    let mut reasons = Vec::new();
    let Some(files) = &krate.files else {
        let file = "the list of its files".to_owned();
        return vec![krate.of(UnobservedReason::Source { file })];
    };
    for (path, cfg) in files {
        let shown = path
            .strip_prefix(root)
            .unwrap_or(path)
            .display()
            .to_string();
        let text = std::fs::read_to_string(path).ok();
        let Some(found) = text.and_then(|text| source::scan(&text, cfg, &krate.libraries).ok())
        else {
            reasons.push(UnobservedReason::Source { file: shown });
            continue;
        };
        uses.extend(
            { found.uses.into_iter() }.map(|(line, column, construct)| UnsafeUse {
                location: format!("{shown}:{line}:{column}"),
                construct,
            }),
        );
        for (library, (line, column)) in found.libraries {
            if !first_uses.iter().any(|(known, _)| *known == library) {
                first_uses.push((library, format!("{shown}:{line}:{column}")));
            }
        }
    }
    if !uses.is_empty() {
        reasons.insert(0, UnobservedReason::Unsafe { uses });
    }
    first_uses.sort();
    reasons.extend(
        { first_uses.into_iter() }
            .map(|(name, location)| UnobservedReason::Library { name, location }),
    );
    reasons.into_iter().map(|reason| krate.of(reason)).collect()
}

impl Crate {
    fn of(&self, reason: UnobservedReason) -> Unobserved {
        Unobserved {
            krate: self.name.clone(),
            reason,
            is_trusted: false,
        }
    }
}
