//! What people see: colours, widths, names of any script, pipes, line ends. With the real
//! program, at a terminal and without.

#![cfg(unix)]

mod pty;
mod reports;
mod streams;

use std::path::Path;
use std::process::Command;

use expect_test::{Expect, expect};
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr;

use pty::at_terminal;

/// Two threads put into one map. The names are wide, have marks on their letters, and are
/// not in the same direction.
const TRACE: &str = "主|new(連接池:dictionary)|src/größe.rs:1
主|fork(e\u{301}te\u{301})|src/größe.rs:1
主|fork(שרת)|src/größe.rs:1
e\u{301}te\u{301}|連接池.put('例え.jp','c1')/nil|src/größe.rs:3:19
שרת|連接池.put('例え.jp','c2')/'c1'|src/größe.rs:4:23
";

const SOURCE: &str = "let 連接池 = connections();
thread::scope(|scope| {
    scope.spawn(|| 連接池.insert(\"例え.jp\", connect(\"例え.jp\", \"c1\", Duration::from_secs(60), Retries::Three))); // e\u{301}te\u{301}
\tscope.spawn(|| { 連接池.insert(\"例え.jp\", connect(\"例え.jp\", \"c2\", Duration::from_secs(60), Retries::Three)) }); // שרת
});
";

/// Blocks that are not atomic, of three threads.
const BLOCKS: &str = "accountant|begin(transfer_between_accounts)|bank.rs:10
accountant|r(balance_of_the_first_account)|bank.rs:11
customer|begin(withdraw_everything)|bank.rs:20
customer|w(balance_of_the_first_account)|bank.rs:21
customer|w(balance_of_the_second_account)|bank.rs:22
customer|end(withdraw_everything)|bank.rs:23
auditor|begin(add_up_all_accounts)|bank.rs:30
auditor|r(balance_of_the_second_account)|bank.rs:31
auditor|w(report_of_the_auditor)|bank.rs:32
auditor|end(add_up_all_accounts)|bank.rs:33
accountant|w(report_of_the_auditor)|bank.rs:12
accountant|end(transfer_between_accounts)|bank.rs:13
";

/// A folder with what is looked at.
fn folder(line_end: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let text = text.replace('\n', line_end);
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    std::fs::create_dir(folder.path().join("src")).expect("made");
    write("t.std", TRACE);
    write("src/größe.rs", SOURCE);
    write("blocks.std", BLOCKS);
    write("rules", "# what is known\nCM102 object=nothing\n");
    let types = "type pair {\n  // two methods\n  set(k)\n  get(k) -> v\n  set(k1) ~ set(k2) : k1 != k2\n  set(k1) ~ get(k2)/v2 : k1 != k2\n  get ~ get : true\n}\n";
    write("pair.ecl", types);
    write(
        "bad.ecl",
        "type pair {\n  set(k)\n  set(k1) ~ set(k2) : k1 =! k2\n}\n",
    );
    write("bad.std", "T1|w(x)|a.rs:1\nT1|frob(x)|a.rs:2\n");
    write(
        "pairs.std",
        "A|new(p:pair)|p.rs:1\nA|p.set(1)|p.rs:2\nB|p.set(1)|p.rs:3\n",
    );
    folder
}

fn commute(args: &str, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command.args(args.split(' ')).current_dir(folder);
    let variables = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI"];
    for variable in variables {
        command.env_remove(variable);
    }
    command.env("TERM", "xterm-256color");
    command
}

/// Escape sequences so that they can be read, and no times.
fn readable(text: &str) -> String {
    let text = text.replace('\x1b', "␛");
    let line = |line: &str| match line.rfind(" in 0.") {
        Some(at) if line.contains("commute: ") && line.ends_with('s') => line[..at].to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(|l| line(l) + "\n").collect()
}

/// What is shown without colours at a terminal that is so wide.
fn check(args: &str, columns: u16, expected: &Expect) -> String {
    let folder = folder("\n");
    let mut command = commute(args, folder.path());
    command.env("NO_COLOR", "1");
    let (_, text) = at_terminal(command, columns);
    assert!(!text.contains('\x1b'), "{text:?}");
    let text = readable(&text);
    expected.assert_eq(&without_indent(&text));
    text
}

/// Without the spaces that all lines begin with: expected texts have none.
fn without_indent(text: &str) -> String {
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    let indent = filled.map(|line| line.len() - line.trim_start_matches(' ').len());
    let indent = indent.min().unwrap_or(0);
    let lines = text.lines();
    let lines = lines.map(|line| format!("{}\n", line.get(indent..).unwrap_or_default()));
    lines.collect()
}

/// How wide the widest line is that matches.
fn widest(text: &str, of: impl Fn(&str) -> bool) -> usize {
    let lines = text.lines().filter(|line| of(line));
    lines.map(UnicodeWidthStr::width).max().unwrap_or(0)
}

#[test]
fn a_finding_at_80_columns() {
    let text = check(
        "check t.std --only races",
        80,
        &expect![[r#"
            error[CM101]: commutativity race on `連接池` (dictionary): `put` and `put`
             --> src/größe.rs:4:23
              |
            3 |     scope.spawn(|| 連接池.insert("例え.jp", connect("例え.jp", "c1", Durat…
              |                   - été, event 4: 連接池.put('例え.jp','c1')/nil
            4 | …ope.spawn(|| { 連接池.insert("例え.jp", connect("例え.jp", "c2", Duration:…
              |                        ^^^^^^ שרת, event 5: 連接池.put('例え.jp','c2')/'c1'
              |
              = note: condition: k1 != k2 || (v1 == p1 && v2 == p2)   with k1 = '例え.jp', k2 = '例え.jp', v1 = 'c1', p1 = nil, v2 = 'c2', p2 = 'c1'
              = note: points: both touch 連接池:w:'例え.jp', which conflicts with itself
              = note: 主 forked été (event 2) and שרת (event 3), and neither waits for the other; neither holds a lock
              = help: hold one lock around both, or join one thread before the other
              = help: `commute explain CM101` says more

            commute: violations: 1 finding (CM101 x1) in 5 events, 3 threads, 1 object [races]
        "#]],
    );
    assert!(widest(&text, |line| line.contains(" | ")) <= 80, "{text}");
}

#[test]
fn a_finding_at_200_columns() {
    let text = check(
        "check t.std --only races",
        200,
        &expect![[r#"
        error[CM101]: commutativity race on `連接池` (dictionary): `put` and `put`
         --> src/größe.rs:4:23
          |
        3 |     scope.spawn(|| 連接池.insert("例え.jp", connect("例え.jp", "c1", Duration::from_secs(60), Retries::Three))); // été
          |                   - été, event 4: 連接池.put('例え.jp','c1')/nil
        4 |     scope.spawn(|| { 連接池.insert("例え.jp", connect("例え.jp", "c2", Duration::from_secs(60), Retries::Three)) }); // שרת
          |                             ^^^^^^ שרת, event 5: 連接池.put('例え.jp','c2')/'c1'
          |
          = note: condition: k1 != k2 || (v1 == p1 && v2 == p2)   with k1 = '例え.jp', k2 = '例え.jp', v1 = 'c1', p1 = nil, v2 = 'c2', p2 = 'c1'
          = note: points: both touch 連接池:w:'例え.jp', which conflicts with itself
          = note: 主 forked été (event 2) and שרת (event 3), and neither waits for the other; neither holds a lock
          = help: hold one lock around both, or join one thread before the other
          = help: `commute explain CM101` says more

        commute: violations: 1 finding (CM101 x1) in 5 events, 3 threads, 1 object [races]
    "#]],
    );
    assert!(text.contains("Retries::Three"), "{text}");
}

#[test]
fn a_table_at_80_columns() {
    let args = "check blocks.std --only atomicity";
    let text = check(
        args,
        80,
        &expect![[r#"
            error[CM111]: atomicity violation: `transfer_between_accounts` of accountant cannot be separated from `withdraw_everything` of customer and 1 more
            --> bank.rs:12 (accountant, event 11: w(report_of_the_auditor))
            ::: bank.rs:32 (auditor, event 9: w(report_of_the_auditor))
             |
             = note: accountant  customer    auditor  (… 5 more: `-v`)
                     2: r(balance_of_the_first_account) bank.rs:11
                                 4: w(balance_of_the_first_account) bank.rs:21
                                 5: w(balance_of_the_second_account) bank.rs:22
                                             8: r(balance_of_the_second_account) bank.rs:31
                                             9: w(report_of_the_auditor) bank.rs:32
                     11: w(report_of_the_auditor) bank.rs:12
                     12: end bank.rs:13
             = note: `add_up_all_accounts` of auditor (events 7 to 10) comes before `transfer_between_accounts` of accountant (events 1 to 12): w(report_of_the_auditor) (9), then w(report_of_the_auditor) (11); they do not commute: one of them writes (… 2 more: `-v`)
             = help: hold one lock for the whole block, or use one operation that does it all
             = help: `commute explain CM111` says more

            commute: violations: 1 finding (CM111 x1) in 12 events, 3 threads, 0 objects [atomicity]
        "#]],
    );
    let row =
        |line: &str| line.contains("bank.rs:") && !line.contains("-->") && !line.contains("then");
    assert!(widest(&text, row) <= 80, "{text}");
}

#[test]
fn a_table_at_200_columns() {
    check(
        "check blocks.std --only atomicity",
        200,
        &expect![[r#"
            error[CM111]: atomicity violation: `transfer_between_accounts` of accountant cannot be separated from `withdraw_everything` of customer and 1 more
            --> bank.rs:12 (accountant, event 11: w(report_of_the_auditor))
            ::: bank.rs:32 (auditor, event 9: w(report_of_the_auditor))
             |
             = note: accountant                                     customer                                        auditor  (… 5 more: `-v`)
                     2: r(balance_of_the_first_account) bank.rs:11
                                                                    4: w(balance_of_the_first_account) bank.rs:21
                                                                    5: w(balance_of_the_second_account) bank.rs:22
                                                                                                                    8: r(balance_of_the_second_account) bank.rs:31
                                                                                                                    9: w(report_of_the_auditor) bank.rs:32
                     11: w(report_of_the_auditor) bank.rs:12
                     12: end bank.rs:13
             = note: `add_up_all_accounts` of auditor (events 7 to 10) comes before `transfer_between_accounts` of accountant (events 1 to 12): w(report_of_the_auditor) (9), then w(report_of_the_auditor) (11); they do not commute: one of them writes (… 2 more: `-v`)
             = help: hold one lock for the whole block, or use one operation that does it all
             = help: `commute explain CM111` says more

            commute: violations: 1 finding (CM111 x1) in 12 events, 3 threads, 0 objects [atomicity]
        "#]],
    );
}

#[test]
fn a_trace_at_80_columns() {
    let text = check(
        "trace show blocks.std",
        80,
        &expect![[r#"
                  accountant   customer     auditor
               1  begin(transfer_between_accounts)  bank.rs:10
               2  r(balance_of_the_first_account)  bank.rs:11
               3               begin(withdraw_everything)  bank.rs:20
               4               w(balance_of_the_first_account)  bank.rs:21
               5               w(balance_of_the_second_account)  bank.rs:22
               6               end(withdraw_everything)  bank.rs:23
               7                            begin(add_up_all_accounts)  bank.rs:30
               8                            r(balance_of_the_second_account)  bank.rs:31
               9                            w(report_of_the_auditor)  bank.rs:32
              10                            end(add_up_all_accounts)  bank.rs:33
              11  w(report_of_the_auditor)  bank.rs:12
              12  end(transfer_between_accounts)  bank.rs:13
    "#]],
    );
    assert!(widest(&text, |_| true) <= 80, "{text}");
}

#[test]
fn columns_of_wide_names_are_straight() {
    check(
        "trace show t.std",
        200,
        &expect![[r#"
                  主                      été                             שרת
               1  new(連接池:dictionary)                                                                   src/größe.rs:1
               2  fork(été)                                                                                src/größe.rs:1
               3  fork(שרת)                                                                                src/größe.rs:1
               4                          連接池.put('例え.jp','c1')/nil                                   src/größe.rs:3:19
               5                                                          連接池.put('例え.jp','c2')/'c1'  src/größe.rs:4:23
    "#]],
    );
}

#[test]
fn a_terminal_has_colours() {
    let folder = folder("\n");
    let command = commute("check pairs.std --spec pair.ecl", folder.path());
    let (code, text) = at_terminal(command, 80);
    assert_eq!(code, Some(1));
    expect![[r#"
        ␛[1m␛[91merror[CM101]␛[0m␛[1m: commutativity race on `p` (pair): `set` and `set`␛[0m
        ␛[1m␛[94m--> ␛[0mp.rs:3 (B, event 3: p.set(1))
        ␛[1m␛[94m::: ␛[0mp.rs:2 (A, event 2: p.set(1))
         ␛[1m␛[94m|␛[0m
         ␛[1m␛[94m= ␛[0m␛[1mnote␛[0m: condition: k1 != k2   with k1 = 1, k2 = 1
         ␛[1m␛[94m= ␛[0m␛[1mnote␛[0m: points: both touch p:w:1, which conflicts with itself
         ␛[1m␛[94m= ␛[0m␛[1mnote␛[0m: no lock, fork or join leads from A to B; neither holds a lock
         ␛[1m␛[94m= ␛[0m␛[1mhelp␛[0m: hold one lock around both, or join one thread before the other
         ␛[1m␛[94m= ␛[0m␛[1mhelp␛[0m: `commute explain CM101` says more

        commute: ␛[1m␛[91mviolations␛[0m: 1 finding (CM101 x1) in 3 events, 2 threads, 1 object [races, data-races, atomicity, prediction]
    "#]].assert_eq(&readable(&text));
}

#[test]
fn who_wants_colours_has_them_and_nobody_else() {
    let folder = folder("\n");
    let command = |flags: &str| {
        let args = format!("check pairs.std --spec pair.ecl{flags}");
        commute(&args, folder.path())
    };
    let colored = |text: &str| text.contains('\x1b');
    let terminal = |flags: &str, variables: &[(&str, &str)]| {
        let mut command = command(flags);
        command.envs(variables.iter().copied());
        colored(&at_terminal(command, 80).1)
    };
    assert!(terminal("", &[]));
    assert!(!terminal("", &[("NO_COLOR", "1")]));
    assert!(
        terminal("", &[("NO_COLOR", "")]),
        "an empty one says nothing"
    );
    assert!(!terminal("", &[("TERM", "dumb")]));
    assert!(!terminal("", &[("CLICOLOR", "0")]));
    assert!(!terminal(" --color never", &[("CLICOLOR_FORCE", "1")]));
    assert!(terminal(" --color always", &[("NO_COLOR", "1")]));
    let piped = |flags: &str, variables: &[(&str, &str)]| {
        let mut command = command(flags);
        let output = command.envs(variables.iter().copied()).output();
        let output = output.expect("it runs");
        colored(&String::from_utf8_lossy(&output.stdout))
    };
    assert!(!piped("", &[]));
    assert!(piped("", &[("CLICOLOR_FORCE", "1")]));
    assert!(!piped("", &[("CLICOLOR_FORCE", "0")]));
    assert!(!piped("", &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(piped(" --color always", &[]));
}

/// Standard output and standard error of a command in a pipe.
fn piped(args: &str, folder: &Path) -> (Option<i32>, String, String) {
    let output = commute(args, folder).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    (output.status.code(), out, err)
}

#[test]
fn a_pipe_gets_no_colours_and_no_progress() {
    let folder = folder("\n");
    // Long enough for a bar, at a terminal.
    let trace = folder.path().join("long.ctr");
    let args = "trace generate --shape one-lock --events 3000000 -o long.ctr";
    assert_eq!(piped(args, folder.path()).0, Some(0));
    let (code, out, err) = piped("check long.ctr", folder.path());
    assert!(trace.is_file());
    assert_eq!((code, &*err), (Some(0), ""));
    assert!(!out.contains(['\x1b', '\r']), "{out:?}");
    assert_eq!(out.lines().count(), 1, "{out}");
}

#[test]
fn who_is_quiet_says_what_was_found_and_nothing_else() {
    let folder = folder("\n");
    let (code, out, err) = piped("check pairs.std --spec pair.ecl -q", folder.path());
    assert_eq!((code, &*err), (Some(1), ""));
    expect![[r#"
        error[CM101]: commutativity race on `p` (pair): `set` and `set`
        --> p.rs:3 (B, event 3: p.set(1))
        ::: p.rs:2 (A, event 2: p.set(1))
         |
         = note: condition: k1 != k2   with k1 = 1, k2 = 1
         = note: points: both touch p:w:1, which conflicts with itself
         = note: no lock, fork or join leads from A to B; neither holds a lock
         = help: hold one lock around both, or join one thread before the other
         = help: `commute explain CM101` says more

    "#]]
    .assert_eq(&out);
    let (code, out, err) = piped("check blocks.std --only races -q", folder.path());
    assert_eq!((code, &*out, &*err), (Some(0), "", ""));
    // What is wrong is said all the same.
    let (code, out, err) = piped("check bad.std -q", folder.path());
    assert_eq!((code, &*out), (Some(2), ""));
    expect![[r#"
        error: unknown operation `frob`
         --> bad.std:2:4
          |
        2 | T1|frob(x)|a.rs:2
          |    ^^^^
          |
          = help: an action is written `object.method(arguments)/result`
    "#]]
    .assert_eq(&err);
}

#[test]
fn line_ends_of_windows_change_nothing() {
    let (unix, windows) = (folder("\n"), folder("\r\n"));
    for args in [
        "check t.std",
        "check t.std --message-format json",
        "check t.std --message-format short",
        "check t.std --message-format github",
        "check t.std --message-format sarif",
        "check t.std --message-format junit",
        "check t.std --suppress rules",
        "check blocks.std",
        "check pairs.std --spec pair.ecl",
        "check bad.std",
        "check pairs.std --spec bad.ecl",
        "spec check pair.ecl",
        "spec check bad.ecl",
        "spec show pair.ecl",
        "trace show t.std",
        "trace info t.std",
        "trace convert t.std",
        "trace convert t.std --to perfetto",
        "trace validate t.std",
    ] {
        let seen = [&unix, &windows].map(|folder| piped(args, folder.path()));
        let [unix, windows] = seen.map(|(code, out, err)| (code, without_seconds(&out), err));
        assert_eq!(unix, windows, "{args}");
        assert!(!windows.1.contains('\r'), "{args}: {windows:?}");
    }
}

/// Times are different in every run.
fn without_seconds(text: &str) -> String {
    let line = |line: &str| match line.split_once("\"seconds\":") {
        Some((before, after)) => {
            let rest = after.find(',').map_or("", |at| &after[at..]);
            format!("{before}{rest}\n")
        }
        None => readable(line),
    };
    text.lines().map(line).collect()
}
