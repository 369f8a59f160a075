//! The Java front end, on what a Java compiler makes of small programs.
//!
//! Without a JDK these tests are skipped, or fail if `COMMUTE_REQUIRE_TOOLS` is
//! set (`commute_testkit::tools`).

mod broken;
mod bugs;
mod compiler;
#[path = "../snippets/forgetting.rs"]
mod forgetting;
mod fuzz;
mod jars;
mod jdk;
#[path = "../snippets/lists.rs"]
mod lists;
mod processes;
mod regions;
mod statements;
#[path = "../snippets/titles.rs"]
mod titles;
