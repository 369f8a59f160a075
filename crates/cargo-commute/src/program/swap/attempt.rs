//! Compiling a dependency with stand-ins, and without if that fails.
//!
//! A few crates take `core::sync::atomic::AtomicUsize` for that of `std`, or rely on
//! something else that a stand-in cannot have; they are those that make locks of
//! their own, and hardly ever have a lock of std in their interface. So they are left
//! as they are, and we say so. What the user wrote is not: an error there is shown.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result};

/// Runs `first`, and `second` if it fails. `name` is for the message.
pub(super) fn either(mut first: Command, mut second: Command, name: &str) -> Result<ExitCode> {
    let running = "cannot run the compiler";
    let mut child = first.stderr(Stdio::piped()).spawn().context(running)?;
    let messages = child.stderr.take().context("the compiler has no output")?;
    let held_back = pass_on(BufReader::new(messages)).context("cannot read from the compiler")?;
    let status = child.wait().context(running)?;
    if status.success() {
        io::stderr().write_all(&held_back)?;
        return Ok(code(status));
    }
    let status = second.status().context(running)?;
    if status.success() {
        let _ = writeln!(
            io::stderr(),
            "commute: `{name}` does not compile with what `--swap` replaces, and is left as it is"
        );
    }
    Ok(code(status))
}

/// Passes messages on as they come: cargo goes on with other crates when it hears
/// that there is something to go on with. From the first error on, nothing is.
fn pass_on(messages: impl BufRead) -> io::Result<Vec<u8>> {
    let mut held_back = Vec::new();
    for line in messages.split(b'\n') {
        let mut line = line?;
        line.push(b'\n');
        if held_back.is_empty() && !is_error(&line) {
            io::stderr().write_all(&line)?;
        } else {
            held_back.extend(line);
        }
    }
    Ok(held_back)
}

fn is_error(line: &[u8]) -> bool {
    let message: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    message["level"]
        .as_str()
        .is_some_and(|level| level.starts_with("error"))
}

fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_held_back_with_all_that_follows() {
        let messages =
            "{\"level\":\"warning\"}\n{\"artifact\":\"a.rmeta\"}\n{\"level\":\"error\"}\nrest\n";
        let held_back = pass_on(messages.as_bytes()).expect("read");
        assert_eq!(held_back, b"{\"level\":\"error\"}\nrest\n");
    }
}
