//! The words of a command line of rustc, as cargo writes them.

use std::ffi::{OsStr, OsString};

/// The value of an option, in either form.
pub(crate) fn option<'a>(words: &'a [OsString], name: &str) -> Option<&'a OsStr> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == name {
            return words.next().map(OsString::as_os_str);
        }
        let rest = word.to_str().and_then(|word| word.strip_prefix(name));
        if let Some(value) = rest.and_then(|rest| rest.strip_prefix('=')) {
            return Some(OsStr::new(value));
        }
    }
    None
}
