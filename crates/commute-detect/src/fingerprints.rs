//! Fingerprints of findings: what does not change when lines move.

use commute_model::{Finding, parse_location};
use rustc_hash::FxHashMap;

/// How many findings have a fingerprint's text, to tell them apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fingerprints(FxHashMap<String, u32>);

impl Fingerprints {
    /// The fingerprint of the next finding.
    pub(crate) fn of(&mut self, finding: &Finding) -> String {
        let mut parts = vec![
            finding.code.to_string(),
            finding.object.clone().unwrap_or_default(),
        ];
        let mut sides: Vec<_> = finding
            .events
            .iter()
            .map(|event| {
                let operation = event.action.split('(').next().unwrap_or_default();
                let file = parse_location(&event.location).map_or("", |(file, ..)| file);
                format!("{operation}@{file}")
            })
            .collect();
        sides.sort_unstable();
        parts.append(&mut sides);
        let occurrence = self.0.entry(parts.join("\0")).or_insert(0);
        *occurrence += 1;
        parts.push(occurrence.to_string());
        Finding::fingerprint_of(parts.iter().map(String::as_str))
    }
}
