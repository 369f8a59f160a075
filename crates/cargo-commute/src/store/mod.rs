//! Findings that are kept from run to run.
//!
//! A run is a file of lines of JSON in a folder: [`place`] says which folder, [`asked`]
//! for which command line it is, [`keep`] gathers what comes of a run, [`folder`] writes
//! it and forgets old ones. [`read`] and [`found`] take it out again.

pub(crate) mod asked;
pub(crate) mod folder;
pub(crate) mod found;
pub(crate) mod keep;
pub(crate) mod lines;
pub(crate) mod place;
pub(crate) mod read;
mod unlisted;
pub(crate) mod whole_file;
