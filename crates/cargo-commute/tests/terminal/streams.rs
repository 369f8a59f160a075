//! Standard output at a terminal and standard error in a file, or the other way round; and
//! bars for what takes long.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

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

/// Three times as long as a command goes on without a bar.
const SLOW: Duration = Duration::from_secs(3);

#[test]
fn what_takes_long_has_a_bar() {
    let folder = folder("\n");
    let bar = |args: &str| {
        let (code, shown) = at_terminal(commute(args, folder.path()), 80);
        assert_eq!(code, Some(0), "{args}: {shown}");
        shown.contains("M events")
    };
    let generate = "trace generate --shape locked --threads 4";
    read_slowly(&folder.path().join("long.ctr"), || {
        assert!(bar(&format!("{generate} --events 300000 -o long.ctr")));
    });
    bar(&format!("{generate} --events 100000 -o short.std"));
    let trace = std::fs::read(folder.path().join("short.std")).expect("written");
    for args in [
        "trace validate slow.std",
        "trace slice --thread T1 -o part.std slow.std",
        "trace info slow.std",
        "check slow.std --only races",
    ] {
        slowly(&trace, &folder.path().join("slow.std"), || {
            assert!(bar(args), "no bar: {args}");
        });
    }
    slowly(&trace, &folder.path().join("slow.std"), || {
        assert!(!bar("trace info slow.std -q"));
    });
}

/// Calls `f`, while there is a pipe that takes a trace, but not all of it at once.
fn read_slowly(path: &Path, f: impl FnOnce()) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("it runs").success());
    let from = path.to_owned();
    std::thread::spawn(move || {
        let mut pipe = File::open(from)?;
        let mut first = [0; 1 << 10];
        pipe.read_exact(&mut first)?;
        std::thread::sleep(SLOW);
        std::io::copy(&mut pipe, &mut std::io::sink())
    });
    f();
    std::fs::remove_file(path).expect("it can be removed");
}

/// Calls `f`, while there is a pipe from which a trace comes, but not all of it at once.
fn slowly(trace: &[u8], path: &Path, f: impl FnOnce()) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("it runs").success());
    let (trace, to) = (trace.to_owned(), path.to_owned());
    // Nobody waits for it: if nobody reads, it does not end.
    std::thread::spawn(move || {
        let mut pipe = File::options().write(true).open(to)?;
        let (first, rest) = trace.split_at(trace.len() / 2);
        pipe.write_all(first)?;
        std::thread::sleep(SLOW);
        pipe.write_all(rest)
    });
    f();
    std::fs::remove_file(path).expect("it can be removed");
}
