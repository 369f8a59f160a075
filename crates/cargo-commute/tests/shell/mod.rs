//! Commands that are started with other limits.

use std::process::Command;

/// That command, started by a shell that does this before.
pub(crate) fn after(before: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    let rest = format!("{before}; exec \"$0\" \"$@\"");
    shell.args(["-c", &rest]).arg(command.get_program());
    shell.args(command.get_args());
    for (name, value) in command.get_envs() {
        shell.env(name, value.expect("none is removed"));
    }
    shell.current_dir(command.get_current_dir().expect("it has one"));
    shell
}
