//! Files that people write by hand, for us to read.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// What some editors put before a text, and is no part of it.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The text of a file, without a byte order mark.
///
/// # Errors
/// If it cannot be read, has more than `longest` bytes, or is no UTF-8: then with the place.
pub(crate) fn read(path: &Path, longest: u64) -> Result<String> {
    let file = std::fs::File::open(path);
    let file = file.with_context(|| format!("cannot read {}", path.display()))?;
    read_open(&file, path, longest)
}

/// The text of a file that is open, without a byte order mark.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_open(file: &std::fs::File, path: &Path, longest: u64) -> Result<String> {
    let name = path.display();
    let cannot = || format!("cannot read {name}");
    let mut bytes = Vec::new();
    let mut start = file.take(longest.saturating_add(1));
    start.read_to_end(&mut bytes).with_context(cannot)?;
    if bytes.len() as u64 > longest {
        bail!("{name} is longer than it can be ({longest} bytes)");
    }
    let text = String::from_utf8(bytes).or_else(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..valid]);
        let text = without_mark(&text);
        let line = text.matches('\n').count() + 1;
        let before = text.rsplit('\n').next().unwrap_or_default();
        let column = before.chars().count() + 1;
        bail!("{name}:{line}:{column}: this is no text in UTF-8")
    })?;
    Ok(without_mark(&text).to_owned())
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_no_text_and_what_is_no_text_is_named() {
        let here = tempfile::tempdir().expect("a folder");
        let path = here.path().join("x");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            read(&path, 20).map_err(|error| error.to_string())
        };
        assert_eq!(read(b"\xef\xbb\xbfCM101\n"), Ok("CM101\n".to_owned()));
        assert_eq!(read(b""), Ok(String::new()));
        let error = |bytes: &[u8]| read(bytes).expect_err("no text");
        let wrong = error(b"a\n\xc3\xa4b\xff");
        assert!(
            wrong.ends_with("x:2:3: this is no text in UTF-8"),
            "{wrong}"
        );
        let wrong = error(b"\xef\xbb\xbfab\xff");
        assert!(
            wrong.ends_with("x:1:3: this is no text in UTF-8"),
            "{wrong}"
        );
        assert!(error(&[b'#'; 21]).contains("longer than"));
    }
}
