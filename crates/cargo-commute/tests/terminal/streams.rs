//! Standard output at a terminal and standard error in a file, or the other way round; and
//! bars for what takes long.

use std::fs::File;
use std::process::Stdio;

use crate::pty::{at_terminal, with_errors_to};
use crate::{commute, folder};

#[test]
fn a_file_of_errors_has_no_colours() {
    let folder = folder("\n");
    let path = folder.path().join("errors");
    for args in [
        "check bad.std",
        "trace show bad.std",
        "trace info bad.std",
        "trace convert bad.std -o x.ctr",
        "check pairs.std --spec bad.ecl",
        "spec show bad.ecl",
        "check nowhere.std",
    ] {
        let command = commute(args, folder.path());
        let errors = File::create(&path).expect("a file");
        let (_, shown) = with_errors_to(command, 80, Some(errors));
        let errors = std::fs::read_to_string(&path).expect("errors");
        assert!(errors.contains("error"), "{args}: {errors} | {shown}");
        assert!(!errors.contains('\x1b'), "{args}: {errors:?}");
        // At the terminal they have.
        let (_, shown) = at_terminal(commute(args, folder.path()), 80);
        assert!(shown.contains('\x1b'), "{args}: {shown:?}");
        let mut command = commute(args, folder.path());
        command.arg("--color=always");
        let output = command.stdout(Stdio::null()).output().expect("it runs");
        assert!(output.stderr.contains(&0x1b), "{args}");
    }
}

#[test]
fn no_width_is_no_width() {
    let folder = folder("\n");
    let shown = |columns: &str| {
        let mut command = commute("trace show blocks.std", folder.path());
        command.env("NO_COLOR", "1").env("COLUMNS", columns);
        at_terminal(command, 80).1
    };
    assert_eq!(shown("0"), shown("80"));
    assert_ne!(shown("0"), shown("200"));
}

#[test]
fn what_takes_long_has_a_bar() {
    let folder = folder("\n");
    let out = folder.path().join("long.ctr");
    let bar = |args: &str| {
        let (code, shown) = at_terminal(commute(args, folder.path()), 80);
        assert_eq!(code, Some(0), "{args}: {shown}");
        shown.contains("M events")
    };
    let long = "--shape locked --events 6000000 --threads 4";
    let args = format!("trace generate {long} -o {}", out.display());
    assert!(bar(&args), "no bar");
    for args in ["trace validate", "trace slice --thread T1 -o part.std"] {
        assert!(bar(&format!("{args} long.ctr")), "no bar: {args}");
    }
    assert!(bar("trace info long.ctr"), "no bar: trace info");
    assert!(!bar("trace info long.ctr -q"));
    // To a pipe; at the terminal the trace itself is to be seen.
    let mut command = commute("trace show long.ctr --events 5900000..", folder.path());
    let child = command.stdout(Stdio::null());
    assert!(child.status().expect("it runs").success());
}
