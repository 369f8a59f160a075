//! `commute init`: a commented `commute.toml`, and a first test.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, Package};

use crate::cargo_project::metadata;
use crate::cli::InitArgs;
use crate::config;
use crate::exit::Exit;
use crate::output::Output;
use crate::shell_word::shell_word;
use crate::store::whole_file;

/// The first test.
const TEST: &str = include_str!("init/first_test.rs");

/// Where it goes.
const TEST_FILE: &str = "tests/commute.rs";

/// Writes the files, or prints the schema.
pub(crate) fn run(args: &InitArgs, output: &mut Output) -> Result<Exit> {
    if args.schema {
        output.raw(&config::schema());
        return Ok(Exit::Clean);
    }
    let project = Project::find(args)?;
    let (missing, there): (Vec<File>, Vec<File>) = { project.files().into_iter() }
        // A link to nowhere is there, too.
        .partition(|file| args.force || file.path.symlink_metadata().is_err());
    if missing.is_empty() {
        let names: Vec<String> = { there.iter() }
            .map(|file| file.path.display().to_string())
            .collect();
        let is = if names.len() == 1 { "is" } else { "are" };
        bail!(
            "{} {is} already there, so nothing was written; `--force` writes over what is there",
            names.join(" and ")
        );
    }
    // All of it or nothing.
    for file in &missing {
        file.refuse_if_in_the_way()?;
    }
    for file in &missing {
        write(file, args.force)?;
        output.result_line(&format!("wrote {}: {}", file.path.display(), file.what));
    }
    for file in &there {
        output.result_line(&format!(
            "left {} as it is: `--force` writes over it",
            file.path.display()
        ));
    }
    let manifest = args.manifest.manifest_path.as_deref();
    output.result_line(project.next_steps(manifest).trim_end());
    Ok(Exit::Clean)
}

struct File {
    path: PathBuf,
    text: String,
    what: &'static str,
}

impl File {
    /// What is no folder and would have to be one, or the other way round.
    fn refuse_if_in_the_way(&self) -> Result<()> {
        let path = self.path.display();
        if self.path.is_dir() {
            bail!("cannot write {path}: this is a folder");
        }
        for above in self.path.ancestors().skip(1) {
            // An empty path is what is here.
            if !above.as_os_str().is_empty() && above.symlink_metadata().is_ok() && !above.is_dir()
            {
                bail!("cannot write {path}: {} is no folder", above.display());
            }
        }
        Ok(())
    }
}

fn write(file: &File, force: bool) -> Result<()> {
    let cannot = || format!("cannot write {}", file.path.display());
    if let Some(folder) = file
        .path
        .parent()
        .filter(|path| !path.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).with_context(cannot)?;
    }
    if force {
        return whole_file::replace(&file.path, &file.text).with_context(cannot);
    }
    let folder = whole_file::folder_of(&file.path);
    let mut begun = whole_file::begin(&folder).with_context(cannot)?;
    begun.write_all(file.text.as_bytes()).with_context(cannot)?;
    // Another process may have been faster.
    let kept = begun.persist_noclobber(&file.path);
    kept.map_err(|error| error.error).with_context(cannot)?;
    Ok(())
}

/// Where the files go.
struct Project {
    /// The root of the workspace, or what is here.
    root: PathBuf,
    package: Option<TestedPackage>,
}

/// The package that gets the test.
struct TestedPackage {
    folder: PathBuf,
    name: String,
    /// Whether cargo has to be told which one it is.
    one_of_several: bool,
    uses_commute: bool,
}

impl Project {
    fn find(args: &InitArgs) -> Result<Project> {
        let manifest = args.manifest.manifest_path.as_deref();
        let here = std::env::current_dir().context("cannot tell what is here")?;
        let nearest = match manifest {
            Some(manifest) => Some(manifest.to_owned()),
            None => { here.ancestors() }
                .map(|folder| folder.join("Cargo.toml"))
                .find(|manifest| manifest.is_file()),
        };
        let Some(nearest) = nearest else {
            if let Some(name) = &args.package {
                bail!("there is no package `{name}`: here is no Cargo.toml, and none above");
            }
            return Ok(Project {
                root: PathBuf::new(),
                package: None,
            });
        };
        let metadata = metadata(manifest, None)?;
        let root = metadata.workspace_root.as_std_path();
        let package = package(&metadata, args.package.as_deref(), &nearest)?;
        let folder = package
            .manifest_path
            .parent()
            .map(|path| path.as_std_path());
        Ok(Project {
            package: Some(TestedPackage {
                folder: from_here(folder.unwrap_or(root), &here),
                name: package.name.to_string(),
                one_of_several: metadata.workspace_members.len() > 1,
                uses_commute: package.dependencies.iter().any(|one| one.name == "commute"),
            }),
            root: from_here(root, &here),
        })
    }

    fn files(&self) -> Vec<File> {
        let mut files = vec![File {
            path: self.root.join(config::FILE),
            text: config::template(),
            what: "every option, with its default",
        }];
        files.extend(self.package.as_ref().map(|package| File {
            path: package.folder.join(TEST_FILE),
            text: TEST.to_owned(),
            what: "a first test",
        }));
        files
    }

    /// What to do now. `manifest` is typed, and has to be typed again.
    fn next_steps(&self, manifest: Option<&Path>) -> String {
        let Some(package) = &self.package else {
            let next = "There is no Cargo.toml here, and so no test was written.";
            return format!("\n{next} Next:\n  commute check TRACE   checks a recorded trace\n");
        };
        let mut choice = match package.one_of_several {
            true => format!(" -p {}", package.name),
            false => String::new(),
        };
        if let Some(manifest) = manifest {
            choice += &format!(" --manifest-path {}", shell_word(manifest));
        }
        let add = match library() {
            Some(path) => (
                format!("cargo add commute{choice} --path {}", shell_word(&path)),
                "the library",
            ),
            None => (
                format!("cargo add commute{choice} --path CHECKOUT/crates/commute"),
                "the library, from a checkout of Commute",
            ),
        };
        let steps = [
            (
                format!("cargo test{choice} --test commute"),
                "runs the test once",
            ),
            (
                format!("cargo commute test{choice}"),
                "runs it once for every outcome",
            ),
        ];
        let add = (!package.uses_commute).then_some(add);
        let steps: Vec<_> = add.into_iter().chain(steps).collect();
        let width = steps
            .iter()
            .map(|(command, _)| command.chars().count())
            .max();
        let mut text = "\nNext:\n".to_owned();
        for (command, what) in &steps {
            let width = width.unwrap_or_default();
            let _ = writeln!(text, "  {command:width$}   {what}");
        }
        text
    }
}

/// Where the library is that this program was built with, if it is still there.
fn library() -> Option<PathBuf> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("commute");
    let is_there = ours.join("Cargo.toml").is_file();
    is_there.then_some(ours)
}

/// The package of this name, or of the nearest manifest, or the only one.
fn package<'m>(metadata: &'m Metadata, name: Option<&str>, nearest: &Path) -> Result<&'m Package> {
    let packages = metadata.workspace_packages();
    let names = || -> String {
        let names: Vec<String> = { packages.iter() }
            .map(|one| format!("`{}`", one.name))
            .collect();
        names.join(", ")
    };
    if let Some(name) = name {
        let found = packages.iter().find(|package| package.name == name);
        return match found {
            Some(package) => Ok(package),
            None => bail!("there is no package `{name}`; there are {}", names()),
        };
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let nearest = real(nearest);
    let is_here = |package: &&&Package| real(package.manifest_path.as_std_path()) == nearest;
    match (packages.iter().find(is_here), &packages[..]) {
        (Some(package), _) => Ok(package),
        (None, [package]) => Ok(package),
        (None, []) => bail!("this workspace has no packages yet"),
        (None, _) => bail!(
            "`-p NAME` says which package gets the test; there are {}",
            names()
        ),
    }
}

/// The path as somebody here would write it.
fn from_here(path: &Path, here: &Path) -> PathBuf {
    if let Ok(below) = path.strip_prefix(here) {
        return below.to_owned();
    }
    let above = here
        .ancestors()
        .take_while(|folder| !path.starts_with(folder))
        .count();
    match here.ancestors().nth(above) {
        // Not through the root: that would be longer.
        Some(shared) if shared.parent().is_some() => {
            let up: PathBuf = std::iter::repeat_n("..", above).collect();
            up.join(path.strip_prefix(shared).unwrap_or(path))
        }
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_short() {
        let from = |path: &str, here: &str| from_here(path.as_ref(), here.as_ref());
        assert_eq!(from("/a/b/c", "/a/b"), Path::new("c"));
        assert_eq!(from("/a/b", "/a/b"), Path::new(""));
        assert_eq!(from("/a", "/a/b/c"), Path::new("../.."));
        assert_eq!(from("/a/x", "/a/b"), Path::new("../x"));
        assert_eq!(from("/x/y", "/a/b"), Path::new("/x/y"));
    }
}
