//! Reading, writing, validating, converting and generating traces.
//!
//! A trace is text ([STD](StdWriter), one event a line) or binary
//! ([CTR](CtrWriter), compressed frames); a [`TraceReader`] finds out which, and
//! decompresses gzip and zstd. Everything here streams: events come in batches,
//! and memory depends on how many *names* a trace has, not on how many events.
//!
//! ```
//! use commute_trace::{Generator, Recipe, Shape, StdWriter};
//!
//! let mut generator = Generator::new(&Recipe::new(Shape::OneLock, 100))?;
//! let mut writer = StdWriter::new(Vec::new());
//! let mut events = Vec::new();
//! while generator.read_batch(&mut events) > 0 {
//!     for event in &events {
//!         writer.write(event, generator.names())?;
//!     }
//! }
//! let text = String::from_utf8(writer.finish()?)?;
//! assert!(text.starts_with("T0|fork(T1)|pool.rs:9\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Bad input never panics, never takes unbounded memory, and ends with a
//! [`TraceError`] that says where and why, after the events before it.

mod ctr;
mod decimal;
mod declared;
mod ending;
mod error;
mod generate;
mod info;
mod input;
mod limits;
mod naming;
mod read_ahead;
mod reader;
mod recycle;
mod slice;
mod text;
mod validate;
mod writer;

pub use ctr::{CtrWriter, Numbers, value_bytes};
pub use ending::end_where_cut;
pub use error::{ErrorKind, Excerpt, Place, TraceError};
pub use generate::{Generator, Recipe, Shape};
pub use info::{InfoCounter, ObjectInfo, TraceInfo, trace_info};
pub use input::{Compression, Format};
pub use limits::{BATCH, MAX_LINE, MAX_NAMES, MAX_NESTING, MAX_TEXT};
pub use naming::{NameKind, check_name};
pub use read_ahead::{Bell, ReadAhead, Waited};
pub use reader::{Notes, Options, TraceReader};
pub use slice::{Selection, Slicer};
pub use text::{StdWriter, ValueError, is_symbol, read_value};
pub use validate::{Flaw, Validator, validate};
pub use writer::{CopyError, TraceWriter, copy};
