//! Being rustc and rustdoc, for cargo.
//!
//! Under the names below, `commute` changes the arguments and calls the real one.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use super::attempt;
use super::plan::Plan;
use crate::compiler_words::option;

/// What we are called as `RUSTC_WRAPPER`: the first argument is the real one.
pub(super) const RUSTC: &str = "commute-rustc";
/// What we are called as `RUSTDOC`.
pub(super) const RUSTDOC: &str = "commute-rustdoc";

/// The packages that stand-ins consist of, should the program use some of them.
const OURS: [&str; 7] = [
    "commute",
    "commute-dashmap",
    "commute-macros",
    "commute-model",
    "commute-record",
    "commute-std",
    "commute-trace",
];

/// Features of dashmap that its stand-in does not have: they are traits of other crates,
/// and these are not the program's if the stand-in is built apart from it.
const NOT_OFFERED: [&str; 4] = ["rayon", "serde", "arbitrary", "typesize"];

/// Whom cargo takes us for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Rustc,
    Rustdoc,
}

/// The package that is compiled.
#[derive(Default, Debug)]
struct Package {
    name: String,
    version: String,
}

/// Acts as a compiler, if that is what we are called.
pub(crate) fn compile(args: &[OsString]) -> Option<ExitCode> {
    let (us, words) = args.split_first()?;
    let us = Path::new(us);
    let role = match us.file_name()?.to_str()? {
        RUSTC => Role::Rustc,
        RUSTDOC => Role::Rustdoc,
        _ => return None,
    };
    let result = run(us, role, words);
    Some(result.unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "error: commute: {error:#}");
        ExitCode::FAILURE
    }))
}

fn run(us: &Path, role: Role, words: &[OsString]) -> Result<ExitCode> {
    // A plan names programs. It is beside us, where we have put it, and never just here.
    let folder = us.parent().filter(|folder| folder.is_absolute());
    let plan = Plan::read(folder.context("called without a folder")?)?;
    let variable = |name| std::env::var(name).unwrap_or_default();
    let package = Package {
        name: variable("CARGO_PKG_NAME"),
        version: variable("CARGO_PKG_VERSION"),
    };
    let with = swapped(words, role, &plan, &package)?;
    let is_swapped = with != words;
    let mut command = command(with, role, &plan)?;
    // Cargo says what the user asked for.
    let is_dependency = std::env::var_os("CARGO_PRIMARY_PACKAGE").is_none();
    if is_swapped && is_dependency && role == Role::Rustc {
        let mut without = words.to_vec();
        add_directories(&mut without, &plan);
        let without = self::command(without, role, &plan)?;
        return attempt::either(command, without, &package.name);
    }
    let error = command.exec();
    let program = command.get_program().display();
    Err(anyhow::Error::new(error).context(format!("cannot run {program}")))
}

/// The real compiler.
fn command(words: Vec<OsString>, role: Role, plan: &Plan) -> Result<Command> {
    let mut words = words.into_iter();
    let program = match (role, &plan.wrapper) {
        (Role::Rustdoc, _) => plan.rustdoc.clone().into_os_string(),
        (Role::Rustc, Some(wrapper)) => wrapper.into(),
        (Role::Rustc, None) => words.next().context("no compiler")?,
    };
    let mut command = Command::new(program);
    command.args(words);
    Ok(command)
}

/// The arguments, with stand-ins.
fn swapped(
    words: &[OsString],
    role: Role,
    plan: &Plan,
    package: &Package,
) -> Result<Vec<OsString>> {
    let mut words = words.to_vec();
    let Some(target) = option(&words, "--target") else {
        // A build script, a procedural macro, or a question to the compiler.
        return Ok(words);
    };
    let of_cargo = option(&words, "--error-format").is_some_and(|format| format == "json");
    let compiles = option(&words, "--crate-name").is_some_and(|name| name != "___");
    // Build scripts call the compiler as well, to see what it can do.
    if !compiles || (role == Role::Rustc && !of_cargo) || OURS.contains(&&*package.name) {
        return Ok(words);
    }
    if target != OsStr::new(&plan.target) {
        bail!(
            "the stand-ins of `--swap` are for {}, and this is compiled for {}: set `build.target` in a configuration file instead of `--target`",
            plan.target,
            target.display(),
        );
    }
    if package.name == "dashmap" && plan.crates.contains_key("dashmap") {
        check_dashmap(&words, package)?;
    }
    for i in 1..words.len() {
        if words[i - 1] == "--extern"
            && let Some(word) = stand_in(&words[i], plan)
        {
            words[i] = word;
        }
    }
    add_directories(&mut words, plan);
    if let Some(library) = plan.crates.get("std") {
        words.push("--extern".into());
        words.push(joined("std=", library));
    }
    // A lint may see a difference, which is not worth an error.
    if role == Role::Rustc && option(&words, "--cap-lints").is_none() {
        words.push("--cap-lints=warn".into());
    }
    Ok(words)
}

/// Where crates that have stand-ins find them: those that use one of these crates
/// have to find them, too.
fn add_directories(words: &mut Vec<OsString>, plan: &Plan) {
    for directory in &plan.directories {
        words.push("-L".into());
        words.push(joined("dependency=", directory));
    }
}

/// `name=…/libdashmap-0123.rmeta` with the library of the stand-in.
fn stand_in(word: &OsStr, plan: &Plan) -> Option<OsString> {
    let (name, path) = word.to_str()?.split_once('=')?;
    let file = Path::new(path).file_stem()?.to_str()?;
    let krate = file.strip_prefix("lib")?;
    let krate = krate.split_once('-').map_or(krate, |(krate, _)| krate);
    let library = plan.crates.get(krate)?;
    Some(joined(&format!("{name}="), library))
}

fn joined(start: &str, path: &Path) -> OsString {
    let mut word = OsString::from(start);
    word.push(path);
    word
}

/// Whether the stand-in can stand in for this version, as it is used.
fn check_dashmap(words: &[OsString], package: &Package) -> Result<()> {
    if !package.version.starts_with("6.") {
        bail!(
            "only dashmap 6 can be swapped, and the program depends on {}: leave `dashmap` out of `--swap`",
            package.version
        );
    }
    for feature in NOT_OFFERED {
        let cfg = format!("feature=\"{feature}\"");
        if words.iter().any(|word| *word == *cfg) {
            let _ = writeln!(
                std::io::stderr(),
                "commute: the stand-in for dashmap has no feature `{feature}`; code that needs it does not compile"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        let crates = [
            ("std", "/s/libcommute_std-1.rlib"),
            ("dashmap", "/s/libcommute_dashmap-2.rlib"),
        ];
        Plan {
            crates: crates.map(|(name, path)| (name.into(), path.into())).into(),
            directories: vec!["/s/deps".into()],
            target: "x86".into(),
            wrapper: None,
            rustdoc: "rustdoc".into(),
        }
    }

    fn check(role: Role, (name, version): (&str, &str), words: &str, expected: &str) {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let (name, version) = (name.to_owned(), version.to_owned());
        let text = match swapped(&words, role, &plan(), &Package { name, version }) {
            Ok(words) => words.join(OsStr::new(" ")).into_string().expect("text"),
            Err(error) => error.to_string(),
        };
        assert_eq!(text, expected);
    }

    /// What every crate of the program gets.
    const ADDED: &str = "-L dependency=/s/deps --extern std=/s/libcommute_std-1.rlib";

    #[test]
    fn crates_of_the_program_get_stand_ins() {
        let call = "rustc --crate-name a --error-format=json a.rs --target x86";
        check(
            Role::Rustc,
            ("a", "1.0.0"),
            call,
            &format!("{call} {ADDED} --cap-lints=warn"),
        );
        let capped = format!("{call} --cap-lints allow");
        check(
            Role::Rustc,
            ("a", "1.0.0"),
            &capped,
            &format!("{capped} {ADDED}"),
        );
        let externs =
            "--extern d=/t/libdashmap-0f.rmeta --extern dashmap_ext=/t/libdashmap_ext-1.rlib";
        let swapped =
            "--extern d=/s/libcommute_dashmap-2.rlib --extern dashmap_ext=/t/libdashmap_ext-1.rlib";
        let call = "--crate-name a --test a.rs --target x86";
        check(
            Role::Rustdoc,
            ("a", "1.0.0"),
            &format!("{call} {externs}"),
            &format!("{call} {swapped} {ADDED}"),
        );
    }

    #[test]
    fn everything_else_stays() {
        let stays = |package, call: &str| check(Role::Rustc, (package, "1.0.0"), call, call);
        stays("a", "rustc -vV");
        stays(
            "a",
            "rustc --crate-name build_script_build --error-format=json build.rs",
        );
        stays(
            "",
            "rustc - --crate-name ___ --print=file-names --target x86 --error-format=json",
        );
        // A build script tries something.
        stays("a", "rustc --crate-name probe --target=x86 -");
        stays(
            "commute-record",
            "rustc --crate-name commute_record --error-format=json --target x86",
        );
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let call = "rustc --crate-name a --error-format=json --target arm";
        let text = "the stand-ins of `--swap` are for x86, and this is compiled for arm: set `build.target` in a configuration file instead of `--target`";
        check(Role::Rustc, ("a", "1.0.0"), call, text);
        let call = "rustc --crate-name dashmap --error-format=json --target x86";
        let text = "only dashmap 6 can be swapped, and the program depends on 5.5.3: leave `dashmap` out of `--swap`";
        check(Role::Rustc, ("dashmap", "5.5.3"), call, text);
    }
}
