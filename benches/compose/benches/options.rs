//! What can be said on the command line.

use std::time::Duration;

pub(crate) struct Options {
    /// How long a random test of a method may take.
    pub(crate) patience: Duration,
    /// Only methods with this in their name.
    only: String,
}

impl Options {
    pub(crate) fn has(&self, name: &str) -> bool {
        name.contains(&self.only)
    }
}

pub(crate) fn from_command_line() -> Options {
    let mut options = Options {
        patience: Duration::from_secs(2),
        only: String::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // Cargo says so.
            "--bench" => {}
            "--seconds" => {
                let seconds = arguments.next().and_then(|text| text.parse().ok());
                let seconds = seconds.expect("a number comes after `--seconds`");
                options.patience = Duration::from_secs_f64(seconds);
            }
            name => options.only = name.to_owned(),
        }
    }
    options
}
