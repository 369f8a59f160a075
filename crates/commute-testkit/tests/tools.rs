//! A test without its tool is skipped and says so in one line, or fails if tools
//! are required. Each case is a run of this test binary itself.

use std::env;
use std::process::{Command, Output};

use commute_testkit::tools::{REQUIRE_TOOLS, require};

/// The test that the others run, with the name of the tool that it needs.
const TOOL: &str = "COMMUTE_TESTKIT_NEEDS";

#[test]
fn needs_a_tool() {
    let Ok(tool) = env::var(TOOL) else { return };
    for _ in 0..3 {
        let _ = require(&tool);
    }
}

/// Runs `needs_a_tool` with a value of `COMMUTE_REQUIRE_TOOLS`.
fn run(tool: &str, required: &str) -> Output {
    Command::new(env::current_exe().expect("the test is a file"))
        .args(["--exact", "needs_a_tool"])
        .env(TOOL, tool)
        .env(REQUIRE_TOOLS, required)
        .output()
        .expect("the test starts")
}

#[test]
fn without_a_tool_a_test_is_skipped_in_one_line() {
    for required in ["", "0"] {
        let output = run("no-such-tool", required);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "skipped: needs_a_tool: `no-such-tool` is not installed\n"
        );
    }
}

#[test]
fn without_a_required_tool_a_test_fails() {
    let output = run("no-such-tool", "1");
    assert!(!output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let message = "`no-such-tool` is not installed, and COMMUTE_REQUIRE_TOOLS is set";
    assert!(text.contains(message), "{text}");
}

#[test]
fn with_a_tool_nothing_is_skipped() {
    let output = run("cargo", "1");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
