//! `commute.toml`: what a project wants of us, unless somebody says otherwise.
//!
//! Every option of the command line is a key. What keys there are, which values they take
//! and what they mean is asked of the command line itself ([`keys`]), so that the two cannot
//! differ; so are the schema, the commented file of `commute init` and the tables of the
//! documentation. The file is found ([`file`]) and read with line and column
//! ([`section`], [`values`]), the environment is read ([`variables`]), and what both say
//! takes the place of defaults where the command line says nothing ([`merge`]).

mod file;
mod keys;
mod merge;
mod nearest;
mod outline;
#[cfg(test)]
mod page;
mod schema;
// What only the lint asks for is not asked for elsewhere.
#[cfg_attr(not(unix), allow(dead_code))]
mod section;
mod template;
mod trust;
mod values;
mod variables;

pub(crate) use self::file::{FILE, File, repository};
pub(crate) use self::merge::{Refused, parse};
#[cfg(unix)]
pub(crate) use self::nearest::nearest;
pub(crate) use self::schema::schema;
#[cfg(unix)]
pub(crate) use self::section::{Section, Text};
pub(crate) use self::template::template;
pub(crate) use self::trust::open_own;
