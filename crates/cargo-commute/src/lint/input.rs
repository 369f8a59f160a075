//! What kind of code a path names.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::LintArgs;

/// Deeper folders are not searched for class files.
const DEEPEST: usize = 32;

/// What is looked at.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// A project of cargo's: of this manifest, in this directory, or here.
    Project {
        manifest: Option<PathBuf>,
        directory: Option<PathBuf>,
    },
    /// MIR that somebody has printed.
    Mir(Vec<PathBuf>),
    /// Class files, jars, and folders of both.
    Classes(Vec<PathBuf>),
}

/// What the command line names.
///
/// # Errors
/// If that is nothing that can be looked at, or not all of one kind.
pub(super) fn of(args: &LintArgs) -> Result<Input> {
    let manifest = args.cargo.manifest.manifest_path.clone();
    if args.paths.is_empty() {
        return Ok(Input::Project {
            manifest,
            directory: None,
        });
    }
    if manifest.is_some() {
        bail!("a path or `--manifest-path` says what to look at, not both");
    }
    let mut inputs = args.paths.iter().map(|path| one(path));
    let mut all = inputs.next().expect("there is one")?;
    for input in inputs {
        match (&mut all, input?) {
            (Input::Mir(all), Input::Mir(more)) => all.extend(more),
            (Input::Classes(all), Input::Classes(more)) => all.extend(more),
            (Input::Project { .. }, Input::Project { .. }) => {
                bail!("one project at a time: `-p` and `--workspace` choose among its packages")
            }
            _ => bail!("a project, MIR or class files can be looked at, not several of these"),
        }
    }
    if !matches!(all, Input::Project { .. }) && args.cargo.is_given() {
        bail!("packages and targets can be chosen where cargo builds, and here is no Cargo.toml");
    }
    Ok(all)
}

fn one(path: &Path) -> Result<Input> {
    let name = path.display();
    let Ok(metadata) = fs::metadata(path) else {
        bail!("there is no {name}");
    };
    if metadata.is_dir() {
        return folder(path);
    }
    if path.file_name().is_some_and(|name| name == "Cargo.toml") {
        return Ok(Input::Project {
            manifest: Some(path.to_owned()),
            directory: None,
        });
    }
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("mir") => Ok(Input::Mir(vec![path.to_owned()])),
        Some("jar" | "class") => Ok(Input::Classes(vec![path.to_owned()])),
        Some("rs") => {
            bail!("{name} is one file of a package: name the package's folder, or its Cargo.toml")
        }
        Some("java") => bail!("{name} is not compiled: name its class files"),
        _ => bail!(
            "cannot tell what {name} is: there are folders with a Cargo.toml, and `.mir`, `.jar` and `.class` files"
        ),
    }
}

fn folder(path: &Path) -> Result<Input> {
    let project = Input::Project {
        manifest: None,
        directory: Some(path.to_owned()),
    };
    if path.join("Cargo.toml").is_file() {
        return Ok(project);
    }
    if has_classes(path, 0) {
        return Ok(Input::Classes(vec![path.to_owned()]));
    }
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_inside = |folder: &Path| folder.join("Cargo.toml").is_file();
    if whole.ancestors().skip(1).any(is_inside) {
        return Ok(project);
    }
    bail!(
        "there is neither a Cargo.toml nor a class file in {}",
        path.display()
    )
}

fn has_classes(folder: &Path, depth: usize) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    let mut folders = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => folders.push(path),
            Ok(_) if matches!(ending, Some("class" | "jar")) => return true,
            _ => {}
        }
    }
    let mut folders = folders.iter();
    depth < DEEPEST && folders.any(|folder| has_classes(folder, depth + 1))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command};

    fn args(words: &[&str]) -> LintArgs {
        let words = ["commute", "lint"].iter().chain(words);
        match Cli::try_parse_from(words).expect("a command line").command {
            Command::Lint(args) => args,
            _ => panic!("lint"),
        }
    }

    #[test]
    fn a_path_says_what_it_is() {
        let here = tempfile::tempdir().expect("a folder");
        let at = |name: &str| here.path().join(name);
        for folder in ["p/src", "p/classes/a", "empty"] {
            fs::create_dir_all(at(folder)).expect("made");
        }
        for file in [
            "p/Cargo.toml",
            "p/src/lib.rs",
            "p/classes/a/B.class",
            "x.mir",
            "y.mir",
            "z.jar",
            "A.java",
            "what",
        ] {
            fs::write(at(file), "").expect("written");
        }
        let paths = |names: &[&str]| -> Vec<String> {
            let paths = names.iter().map(|name| at(name).display().to_string());
            paths.collect()
        };
        let check = |names: &[&str], expected: Result<Input, &str>| {
            let names = paths(names);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            match (of(&args(&names)), expected) {
                (Ok(input), Ok(expected)) => assert_eq!(input, expected),
                (Err(error), Err(part)) => {
                    assert!(error.to_string().contains(part), "{error}");
                }
                (found, _) => panic!("{names:?}: {found:?}"),
            }
        };
        let project = |name| Input::Project {
            manifest: None,
            directory: Some(at(name)),
        };
        check(&["p"], Ok(project("p")));
        check(&["p/src"], Ok(project("p/src")));
        check(&["p/classes"], Ok(Input::Classes(vec![at("p/classes")])));
        check(
            &["x.mir", "y.mir"],
            Ok(Input::Mir(vec![at("x.mir"), at("y.mir")])),
        );
        check(&["z.jar"], Ok(Input::Classes(vec![at("z.jar")])));
        check(&["x.mir", "z.jar"], Err("not several of these"));
        check(&["empty"], Err("neither a Cargo.toml nor a class file"));
        check(&["A.java"], Err("is not compiled"));
        check(&["p/src/lib.rs"], Err("is one file of a package"));
        check(&["what"], Err("cannot tell what"));
        check(&["nowhere"], Err("there is no"));
        check(&["p", "p"], Err("one project at a time"));
    }
}
