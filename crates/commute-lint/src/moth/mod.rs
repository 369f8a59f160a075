//! MoTH (Dias, Pessanha, Lourenço: Precise Detection of Atomicity Violations,
//! HVC 2012), as the paper has it.
//!
//! Values are followed through the program by a graph of causal dependencies
//! ([`dependencies`], §4). A value that leaves an atomic method and comes back
//! in another is stale if somebody writes the variable it was read from
//! ([`stale`], §5.2); variables that are accessed together in one method and
//! apart in others are a high-level data race ([`consistency`], §5.1).

mod actions;
mod bits;
mod calls;
mod control;
mod dependencies;
mod graph;
mod regions;
mod summaries;
mod variables;
mod versions;

