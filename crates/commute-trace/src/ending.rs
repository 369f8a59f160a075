//! An end for a trace that was cut.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use crate::error::{ErrorKind, TraceError};
use crate::reader::{Options, TraceReader};

/// Ends a binary trace that was cut after its last whole frame, as if the writer had
/// stopped there. For those who know why it was cut and wanted it: the file does not
/// tell any more. Whether there was something to do; a trace that ends as it should
/// stays as it is, and so does a file without a whole frame.
///
/// # Errors
/// If the file is something else, or cannot be written.
pub fn end_where_cut(path: &Path) -> Result<bool, TraceError> {
    let mut reader = match TraceReader::open(path, Options::default()) {
        Err(error) if is_cut(&error) => return Ok(false),
        reader => reader?,
    };
    let mut events = Vec::new();
    loop {
        match reader.read_batch(&mut events) {
            Ok(0) => return Ok(false),
            Ok(_) => {}
            Err(error) if is_cut(&error) && reader.events_read() > 0 => break,
            Err(error) if is_cut(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    let Some((at, end)) = reader.end_frame() else {
        return Ok(false);
    };
    let write = || {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(at)?;
        file.seek(SeekFrom::Start(at))?;
        file.write_all(&end)?;
        file.sync_all()
    };
    match write() {
        Ok(()) => Ok(true),
        Err(error) => Err(TraceError::whole(ErrorKind::Io, error.to_string())),
    }
}

fn is_cut(error: &TraceError) -> bool {
    matches!(error.kind, ErrorKind::Truncated | ErrorKind::Empty)
}
