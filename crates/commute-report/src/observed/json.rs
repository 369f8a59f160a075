//! The fields `observed` and `not_observed` of a summary in JSON.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Observed, Unobserved, UnobservedReason, UnsafeConstruct, UnsafeUse};

/// An element of `not_observed` in JSON.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct NotObserved {
    /// `plain-memory`, `unsafe`, `library`, `source` or `unknown`.
    what: String,
    /// The package.
    #[serde(rename = "crate", default, skip_serializing_if = "Option::is_none")]
    krate: Option<String>,
    /// The library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    library: Option<String>,
    /// Where the library is used, or the file that could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// The constructs of unsafe code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    uses: Option<Vec<UseBody>>,
    /// Whether `--trust` waives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trusted: Option<bool>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct UseBody {
    construct: UnsafeConstruct,
    location: String,
}

impl Observed {
    /// `not_observed` in JSON.
    pub(crate) fn not_observed(&self) -> Vec<NotObserved> {
        let named = |what: &str| NotObserved {
            what: what.to_owned(),
            ..NotObserved::default()
        };
        let Some(not) = &self.not else {
            return vec![named("unknown")];
        };
        let mut bodies = vec![named("plain-memory")];
        for one in not {
            let mut body = match &one.reason {
                UnobservedReason::Unsafe { uses } => NotObserved {
                    uses: Some({ uses.iter() }.map(UseBody::of).collect()),
                    ..named("unsafe")
                },
                UnobservedReason::Library { name, location } => NotObserved {
                    library: Some(name.clone()),
                    location: Some(location.clone()),
                    ..named("library")
                },
                UnobservedReason::Source { file } => NotObserved {
                    location: Some(file.clone()),
                    ..named("source")
                },
            };
            body.krate = Some(one.krate.clone());
            body.trusted = Some(one.is_trusted);
            bodies.push(body);
        }
        bodies
    }

    /// Returns what the two fields say. Elements that only a later version knows are left
    /// out.
    pub fn of_json(kinds: &[Value], not: &[Value]) -> Observed {
        let not: Vec<NotObserved> = known(not);
        let is_unknown = not.iter().any(|body| body.what == "unknown");
        let not = not.iter().filter_map(NotObserved::read).collect();
        Observed {
            kinds: known(kinds).into_iter().collect(),
            not: (!is_unknown).then_some(not),
        }
    }
}

impl UseBody {
    fn of(one: &UnsafeUse) -> UseBody {
        UseBody {
            construct: one.construct,
            location: one.location.clone(),
        }
    }
}

impl NotObserved {
    fn read(&self) -> Option<Unobserved> {
        let location = || self.location.clone().unwrap_or_default();
        let reason = match &*self.what {
            "unsafe" => UnobservedReason::Unsafe {
                uses: { self.uses.iter().flatten() }
                    .map(|one| UnsafeUse {
                        location: one.location.clone(),
                        construct: one.construct,
                    })
                    .collect(),
            },
            "library" => UnobservedReason::Library {
                name: self.library.clone().unwrap_or_default(),
                location: location(),
            },
            "source" => UnobservedReason::Source { file: location() },
            _ => return None,
        };
        Some(Unobserved {
            krate: self.krate.clone().unwrap_or_default(),
            reason,
            is_trusted: self.trusted.unwrap_or(false),
        })
    }
}

/// The values of a type that this version knows.
fn known<T: DeserializeOwned>(values: &[Value]) -> Vec<T> {
    let values = values.iter().cloned();
    values
        .filter_map(|value| serde_json::from_value(value).ok())
        .collect()
}
