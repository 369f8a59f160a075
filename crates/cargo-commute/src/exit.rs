//! How a run ends.

use std::process::ExitCode;

/// How a run ends; 101, our own bug, is what a panic gives. Where several
/// hold, the one that comes first here wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// 2: bad usage or bad input.
    BadInput,
    /// 1: something was found.
    Findings,
    /// 3: a bound was hit, or what was found is not confirmed.
    Inconclusive,
    /// 0: everything was looked at and nothing was found.
    Clean,
}

impl Exit {
    /// The number that others see.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::BadInput => 2,
            Exit::Inconclusive => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
