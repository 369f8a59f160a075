//! Reads files of lines of JSON, with the place of what is wrong with them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use commute_report::stored::{self, Line};

/// A longer line is none of ours.
const LONGEST_LINE: u64 = 64 << 20;

/// Shows every line of a file to `take`, with its number; how many there are.
///
/// # Errors
/// If there is one that is no line of ours, with line and column.
pub(crate) fn read(path: &Path, take: &mut dyn FnMut(usize, Line)) -> Result<usize> {
    let name = path.display();
    if path.is_dir() {
        bail!("{name} is a folder");
    }
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    let mut lines = 0;
    for number in 1.. {
        bytes.clear();
        let read = (&mut reader)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes);
        if read.with_context(|| format!("{name}:{number}:1: cannot be read"))? == 0 {
            break;
        }
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let column = before.chars().count() + 1;
            anyhow!("{name}:{number}:{column}: this is no text")
        })?;
        // Some editors begin a file with a mark.
        let text = text.trim_start_matches('\u{feff}').trim_end();
        if text.trim().is_empty() {
            continue;
        }
        let line = stored::read(text).map_err(|error| {
            let stored::Unreadable { column, message } = error;
            anyhow!("{name}:{number}:{column}: {message}")
        })?;
        take(number, line);
        lines += 1;
    }
    Ok(lines)
}
