//! What is done under guards of maps and sets, in the words of traces: one action when the
//! guard goes, as a recorder has it.

use std::collections::BTreeMap;

use commute_explore::Told;

/// Guards that are alone: by thread, object and key, and what was there when they came.
#[derive(Default)]
pub(super) struct Guards(BTreeMap<(String, String, String), String>);

/// Whether a call is one that traces have no word for.
pub(super) fn is_guarded(method: &str) -> bool {
    let takes = [
        "get",
        "get_mut",
        "entry",
        "try_get",
        "try_get_mut",
        "try_entry",
    ];
    let others = [
        "contains_key",
        "look",
        "try_insert",
        // What is there before its guard goes is in no action yet, but is counted.
        "len_at_once",
        "is_empty_at_once",
        "set",
        "unset",
        "next",
        "next_mut",
        "release",
        "release_removed",
        "downgrade",
    ];
    takes.contains(&method) || others.contains(&method)
}

impl Guards {
    /// The action that it is, if it is one.
    pub(super) fn action(&mut self, told: &Told, object: &str) -> Option<String> {
        let is_set = told.sort == "hashset";
        let key = told.args.first()?;
        let result = told.result.as_deref().unwrap_or("nil");
        let looks = |found: &str| match is_set {
            true => format!("contains({key})/{}", found == "true"),
            false => format!("get({key})/{found}"),
        };
        let guard = (told.thread.clone(), object.to_owned(), key.clone());
        match &*told.method {
            _ if result == "locked" => None,
            "contains_key" if is_set => Some(looks(result)),
            "contains_key" => Some(format!("contains_key({key})/{result}")),
            "look" | "get" | "try_get" | "next" => Some(looks(result)),
            "try_insert" if is_set => Some(format!("insert({key})/{result}")),
            "try_insert" => {
                let value = told.args.get(1)?;
                Some(format!("try_insert({key},{value})/{result}"))
            }
            "set" => None,
            // If there is nothing, there is no guard.
            "get_mut" | "try_get_mut" if result == "nil" || result == "false" => {
                Some(looks(result))
            }
            "get_mut" | "try_get_mut" | "entry" | "try_entry" | "next_mut" => {
                self.0.insert(guard, result.to_owned());
                None
            }
            method => {
                let before = self.0.remove(&guard)?;
                Some(match (method, told.args.get(1)) {
                    ("release_removed" | "unset", _) => format!("remove({key})/{before}"),
                    (_, Some(after)) => format!("insert({key},{after})/{before}"),
                    (_, None) => looks(&before),
                })
            }
        }
    }
}
