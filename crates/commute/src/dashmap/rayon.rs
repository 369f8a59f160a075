//! Iterations by several threads at a time. Like those by one they go from shard to
//! shard, and what happens to each entry is recorded. The threads of `rayon` have no
//! parent in the trace, unless `rayon` itself uses threads of ours.

pub mod map;
pub mod set;
