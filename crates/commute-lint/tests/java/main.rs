//! The Java front end, on what a Java compiler makes of small programs.
//!
//! Without a JDK these tests say so and pass.

mod broken;
mod bugs;
mod compiler;
#[path = "../snippets/forgetting.rs"]
mod forgetting;
mod jars;
mod jdk;
#[path = "../snippets/lists.rs"]
mod lists;
mod processes;
mod regions;
mod statements;
#[path = "../snippets/titles.rs"]
mod titles;
