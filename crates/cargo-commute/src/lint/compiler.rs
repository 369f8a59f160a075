//! Being rustc, for cargo: the crate is compiled as ever, and its MIR is printed.
//!
//! Cargo is given us as `RUSTC_WORKSPACE_WRAPPER`, so that we are called for the crates
//! of the workspace and for no other. We run the compiler twice: as cargo wants it, and
//! again with flags that make it print MIR. Printing needs `RUSTC_BOOTSTRAP`, because
//! the places in the source come by a flag that is not stable; a compiler that does not
//! know it is asked by stable flags, without places. Both run at the same time: they do
//! much the same work, and where cargo has one crate to compile the other processors
//! are idle.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use super::unit::{Unit, mir};
use crate::compiler_words::option;

/// What we are called as a wrapper: the first argument is the compiler.
pub(super) const NAME: &str = "commute-mir";
/// The folder beside us where MIR goes.
pub(super) const FOLDER: &str = "mir";

/// What prints MIR with places. Optimizations would inline the locks away.
const PRINT: [&str; 4] = [
    "-Copt-level=0",
    "-Zunpretty=mir",
    "-Zmir-include-spans=on",
    "-Ztrim-diagnostic-paths=no",
];

/// Acts as a compiler, if that is what we are called.
pub(crate) fn compile(args: &[OsString]) -> Option<ExitCode> {
    let (us, words) = args.split_first()?;
    let us = Path::new(us);
    if us.file_name()? != NAME {
        return None;
    }
    Some(run(us, words).unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "error: commute: {error:#}");
        ExitCode::FAILURE
    }))
}

fn run(us: &Path, words: &[OsString]) -> Result<ExitCode> {
    let (rustc, words) = words.split_first().context("no compiler")?;
    let mut compiler = Command::new(rustc);
    compiler.args(words);
    let Some((name, file_name)) = wanted(words) else {
        let error = compiler.exec();
        return Err(error).with_context(|| format!("cannot run {}", rustc.display()));
    };
    // What the crate is warned of is for another day, and must not fail this one.
    compiler.arg("--cap-lints=allow");
    let mut compiler = compiler
        .spawn()
        .with_context(|| format!("cannot run {}", rustc.display()))?;
    let folder = us.parent().context("no folder")?.join(FOLDER);
    let printing = Printing {
        rustc,
        words,
        folder: &folder,
        name: &file_name,
    };
    let printer = printing.start(true);
    let version = version(rustc);
    let status = compiler.wait().context("cannot wait for rustc")?;
    if !status.success() {
        printer.into_iter().for_each(Running::give_up);
        return Ok(exit_code(status));
    }
    let mut unit = describe(name, words);
    unit.rustc = version;
    let printed = printer.and_then(Running::finish);
    unit.spans = printed.is_ok();
    // Another compiler may not know our flags, or not let us use them.
    let printed = printed.or_else(|_| printing.start(false).and_then(Running::finish));
    match printed {
        Ok(file) => fs::rename(file, mir(&folder, &file_name)).context("cannot keep MIR")?,
        Err(error) => unit.failure = Some(format!("{error:#}")),
    }
    unit.write(&folder, &file_name)?;
    Ok(ExitCode::SUCCESS)
}

/// The name of the crate, and that of its files, if its MIR is wanted: not that of build
/// scripts, procedural macros and what they use, all of which are linked, nor of
/// questions to the compiler.
fn wanted(words: &[OsString]) -> Option<(&str, String)> {
    let name = option(words, "--crate-name")?.to_str()?;
    let emit = option(words, "--emit")?.to_str()?;
    let emits = |what: &str| emit.split(',').any(|word| word == what);
    let kind = option(words, "--crate-type");
    let is_macro = kind.is_some_and(|kind| kind == "proc-macro");
    if name == "___" || is_macro || emits("link") || !emits("metadata") {
        return None;
    }
    Some((name, format!("{name}{}", codegen(words, "extra-filename"))))
}

/// The value of `-C name=value`.
fn codegen<'a>(words: &'a [OsString], name: &str) -> &'a str {
    let mut values = words.iter().enumerate().filter_map(|(i, word)| {
        let word = word.to_str()?;
        let setting = match word.strip_prefix("-C") {
            Some("") => words.get(i + 1)?.to_str()?,
            Some(setting) => setting,
            None => return None,
        };
        setting.strip_prefix(name)?.strip_prefix('=')
    });
    values.next_back().unwrap_or_default()
}

/// What the words and cargo say of a crate.
fn describe(name: &str, words: &[OsString]) -> Unit {
    let text = |value: Option<&OsStr>| value.unwrap_or_default().to_string_lossy().into_owned();
    let mut unit = Unit::new(name);
    unit.harness = words.iter().any(|word| word == "--test");
    unit.kind = match option(words, "--crate-type") {
        Some(kind) => text(Some(kind)),
        // Only programs are compiled with tests and without a type.
        None => "bin".to_owned(),
    };
    if let Some(edition) = option(words, "--edition") {
        unit.edition = text(Some(edition));
    }
    let is_source = |word: &&OsString| Path::new(word).extension().is_some_and(|e| e == "rs");
    unit.root = text(words.iter().find(is_source).map(OsString::as_os_str));
    unit.package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    unit.made = now.map_or(0, |since| since.as_nanos());
    unit
}

/// How MIR is printed.
struct Printing<'a> {
    rustc: &'a OsStr,
    words: &'a [OsString],
    folder: &'a Path,
    name: &'a str,
}

/// A compiler that prints.
struct Running {
    child: Child,
    file: PathBuf,
    said: thread::JoinHandle<String>,
}

impl Printing<'_> {
    /// Starts a compiler that prints, with places if it can.
    fn start(&self, spans: bool) -> Result<Running> {
        fs::create_dir_all(self.folder).context("cannot make a folder for MIR")?;
        let file = format!("{}.{}.part", self.name, std::process::id());
        let file = self.folder.join(file);
        let mut command = Command::new(self.rustc);
        command.args(kept(self.words)).arg("--cap-lints=allow");
        if spans {
            command.env("RUSTC_BOOTSTRAP", "1").args(PRINT);
            command.arg("-o").arg(&file);
        } else {
            let mut emit = OsString::from("--emit=mir=");
            emit.push(&file);
            command.arg("-Copt-level=0").arg(emit);
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot run rustc")?;
        let mut stderr = child.stderr.take().context("rustc has no output")?;
        let said = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Running { child, file, said })
    }
}

impl Running {
    /// The file it has written.
    fn finish(mut self) -> Result<PathBuf> {
        let status = self.child.wait().context("cannot wait for rustc")?;
        let said = self.said.join().unwrap_or_default();
        if status.success() && self.file.is_file() {
            return Ok(self.file);
        }
        let _ = fs::remove_file(&self.file);
        let error = said.lines().find(|line| line.starts_with("error"));
        let error = error.map_or("rustc printed no MIR", |line| {
            line.strip_prefix("error: ").unwrap_or(line)
        });
        anyhow::bail!("{}", error.to_owned())
    }

    /// Nobody wants it any more.
    fn give_up(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.file);
    }
}

/// The words without those that say what is written, and how errors are shown.
fn kept(words: &[OsString]) -> Vec<&OsString> {
    const DROPPED: [&str; 6] = [
        "--emit",
        "--out-dir",
        "--error-format",
        "--json",
        "--cap-lints",
        "--diagnostic-width",
    ];
    let mut kept: Vec<&OsString> = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let name = text.split('=').next().unwrap_or_default();
        if DROPPED.contains(&name) {
            if !text.contains('=') {
                words.next();
            }
            continue;
        }
        let next = words.peek().map(|next| next.to_string_lossy());
        if text == "-C" && next.is_some_and(|next| next.starts_with("incremental=")) {
            words.next();
            continue;
        }
        if !text.starts_with("-Cincremental=") {
            kept.push(word);
        }
    }
    kept
}

/// What the compiler says it is.
fn version(rustc: &OsStr) -> String {
    let output = Command::new(rustc).arg("--version").output();
    let text = output.map_or_else(|_| Vec::new(), |output| output.stdout);
    String::from_utf8_lossy(&text).trim().to_owned()
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn crates_of_the_user_are_wanted_and_nothing_else() {
        let of = |text: &str| wanted(&words(text)).map(|(_, file)| file);
        let check = "--crate-name a --crate-type lib --emit=dep-info,metadata -C extra-filename=-1";
        assert_eq!(of(check), Some("a-1".to_owned()));
        for other in [
            "-vV",
            "- --crate-name ___ --print=file-names",
            "--crate-name build_script_build --crate-type bin --emit=dep-info,link",
            "--crate-name m --crate-type proc-macro --emit=dep-info,metadata",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_written_where_is_left_out() {
        let all = words(
            "--crate-name a src/lib.rs --error-format=json --json=artifacts --emit dep-info,metadata -C debuginfo=2 -C incremental=/t/i --out-dir /t -Cincremental=/x --cfg f",
        );
        let kept: Vec<_> = kept(&all).into_iter().cloned().collect();
        assert_eq!(
            kept,
            words("--crate-name a src/lib.rs -C debuginfo=2 --cfg f")
        );
    }

    #[test]
    fn a_crate_is_described() {
        let unit = describe(
            "a",
            &words("--edition=2021 src/lib.rs --crate-type lib --test"),
        );
        assert_eq!(
            (&*unit.edition, &*unit.root, &*unit.kind, unit.harness),
            ("2021", "src/lib.rs", "lib", true)
        );
    }
}
