//! What is said of a trace that misses operations.

use commute_trace::Notes;

/// One line about it, if the trace does.
pub(crate) fn missed(notes: Notes) -> Option<String> {
    let operations = match notes.missed {
        0 => return None,
        1 => "1 operation was".to_owned(),
        n => format!("{n} operations were"),
    };
    let why = "a signal handler, or an allocator, did this in the middle of another operation";
    Some(format!("{operations} not recorded: {why}"))
}
