//! What tells a test from others: packages and targets have tests of the same name.

use serde::{Deserialize, Serialize};

/// The name of a test, and where it is. What is not known is left out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TestName {
    /// As people call it.
    pub name: String,
    /// The package it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// What names the test binary to cargo: `--test locks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

impl TestName {
    /// The test binary in a word, as other runners of tests call it.
    ///
    /// ```
    /// use commute_report::TestName;
    ///
    /// let binary = |target: &str| {
    ///     let (package, target) = (Some("pool".into()), Some(target.into()));
    ///     TestName { package, target, ..TestName::default() }.binary().unwrap()
    /// };
    /// assert_eq!(binary("--lib"), "pool");
    /// assert_eq!(binary("--test locks"), "pool::locks");
    /// assert_eq!(binary("--bin server"), "pool::bin/server");
    /// ```
    pub fn binary(&self) -> Option<String> {
        let target = self.target.as_deref().unwrap_or_default();
        let target = target.trim_start_matches("--");
        let target = match target.split_once(' ') {
            Some(("test", name)) => Some(name.to_owned()),
            Some((kind, name)) => Some(format!("{kind}/{name}")),
            None => None,
        };
        let parts = self.package.iter().cloned().chain(target);
        parts.reduce(|package, target| format!("{package}::{target}"))
    }
}
