//! Bounds that keep memory independent of what a file contains.

/// The longest line of a text trace, in bytes.
pub const MAX_LINE: usize = 1 << 20;
/// The longest name, string or symbol, in bytes.
pub const MAX_TEXT: usize = 1 << 16;
/// How much memory the names of a trace may take, in bytes, as
/// [`Names::bytes`](commute_model::Names::bytes) counts: six million names that have
/// nothing in common, or 80 million variables `V1`, `V2`, ….
pub const MAX_NAMES: usize = 1 << 30;
/// How deeply tuples may be nested.
pub const MAX_NESTING: usize = 32;
/// How many events a batch has at most. A batch of this size, 96 KiB, stays in
/// the second-level cache while parser and analysis pass over it.
pub const BATCH: usize = 4096;
/// How many of them may be actions, which are six times as large.
pub(crate) const BATCH_ACTIONS: usize = 1024;
