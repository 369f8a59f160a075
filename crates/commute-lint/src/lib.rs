//! Finds stale values and high-level data races in source code, without
//! running it: MoTH (Dias, Pessanha, Lourenço: Precise Detection of Atomicity
//! Violations, HVC 2012), and beyond.

pub mod candidates;
mod control;
pub mod core_language;
mod flow;
pub mod ir;
pub mod java;
mod lost;
pub mod moth;
mod options;
pub mod print;
pub mod rust;
mod suppression;
mod violation;

pub use lost::{Loss, LostSection, locks_never_taken};
pub use options::{Algorithm, Options};
pub use suppression::{Suppression, SwitchedOff};
pub use violation::{Confidence, Kind, Outcome, Stop, Violation};

/// Looks for violations.
pub fn lint(program: &ir::Program, options: &Options) -> Outcome {
    match options.algorithm {
        Algorithm::Moth | Algorithm::MothExtended | Algorithm::Artho => {
            moth::violations(program, options)
        }
        Algorithm::Commute => flow::violations(program, options),
    }
}
