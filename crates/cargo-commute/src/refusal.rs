//! Input that cannot be used for a reason that is no place in it: it does not
//! exist, cannot be read, or is something else.

use std::fmt;
use std::path::Path;

use commute_model::Severity;
use commute_report::problem::{self, Place, Problem};
use commute_report::{github, visible_lines};

use crate::cli::MessageFormat;
use crate::output::Output;
use crate::sources::in_repository;

/// What is refused, and why.
#[derive(Debug)]
pub(crate) struct Refusal {
    message: String,
    /// The file, or what was given instead of one.
    file: String,
    help: Option<String>,
}

impl Refusal {
    pub(crate) fn new(file: &str, message: String) -> Refusal {
        Refusal {
            message,
            file: file.to_owned(),
            help: None,
        }
    }

    /// A file that the system does not let us read.
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Refusal {
        let name = path.display().to_string();
        Refusal::new(&name, format!("cannot read {name}: {error}"))
    }

    /// The same with advice, if there is any.
    pub(crate) fn help(mut self, help: Option<String>) -> Refusal {
        self.help = help;
        self
    }

    /// What is wrong with the file, for documents.
    pub(crate) fn problem(&self) -> Problem<'_> {
        Problem {
            severity: Severity::Error,
            code: None,
            message: &self.message,
            file: &self.file,
            place: Place::Whole,
            help: self.help.as_deref(),
        }
    }

    /// Prints it: for machines with the results, for people on standard error.
    pub(crate) fn report(&self, output: &mut Output) {
        match output.format {
            MessageFormat::Json => return output.line(&problem::json(&self.problem())),
            MessageFormat::Github => {
                let file = &*in_repository(&self.file);
                let problem = Problem {
                    file,
                    ..self.problem()
                };
                return output.command(&github::problem(&problem));
            }
            _ => {}
        }
        output.error_text(&self.message);
        if let Some(help) = &self.help {
            output.stderr(&visible_lines(&format!("help: {help}")));
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
