//! Which files may be shown: regular files of source code below known directories.
//!
//! Locations come from traces and stored runs, and those from anywhere: `/etc/shadow:1` is a
//! location, and so is a symbolic link in a project to `~/.ssh`. A file is shown if its
//! canonical path lies below a root, no component below the root begins with a dot, and its
//! name ends like that of source code or of one of our formats. Nothing below `/proc`, `/sys`
//! and `/dev` is shown. The roots are the current directory, the package, workspace and
//! repository around it, `--sources`, and what a command adds that the user has named: the
//! directory of a trace, the project that is built. Nothing that a trace or a stored run says
//! adds a root.
//!
//! The file is opened one directory after the other from its root, following no symbolic
//! link, and without waiting for the other end of a pipe. What counts is the file that is
//! open: exchanging a directory for a link in the meantime leads nowhere.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Result, bail};

use crate::config;

/// Endings of files that are shown: of source code, and of our text formats. A page of the
/// documentation lists them.
pub(crate) const SHOWN: [&str; 84] = [
    "rs", "c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp",
    "cu", "cuh", "m", "mm", "java", "kt", "kts", "scala", "groovy", "clj", "cljs", "cljc", "cs",
    "fs", "fsx", "vb", "go", "py", "pyi", "pyx", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts",
    "tsx", "swift", "zig", "d", "nim", "cr", "odin", "adb", "ads", "pas", "f", "for", "f90", "f95",
    "f03", "f08", "hs", "lhs", "ml", "mli", "erl", "hrl", "ex", "exs", "lua", "rb", "pl", "pm",
    "jl", "r", "dart", "lisp", "scm", "rkt", "s", "asm", "sv", "v", "vhd", "vhdl", "sml", "std",
    "ecl",
];

/// Endings of traces, which stored runs name.
const TRACES: [&str; 2] = ["std", "ctr"];

/// Endings that a compressed trace has after its own.
const COMPRESSED: [&str; 2] = ["gz", "zst"];

/// Directories whose files are no files: what they hold is made when it is read.
const NEVER: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Directories below which files may be shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roots {
    /// Canonical paths.
    directories: Vec<PathBuf>,
    /// Whether sources of the standard library may be shown, too.
    has_standard_library: bool,
}

impl Roots {
    /// The current directory, packages, workspaces and the repository around it, and these.
    pub(crate) fn here(sources: &[PathBuf]) -> Roots {
        let mut roots = Roots::default();
        let here = std::env::current_dir().unwrap_or_default();
        roots.add(&here);
        packages_around(&here).for_each(|package| roots.add(package));
        config::repository(&here)
            .into_iter()
            .for_each(|root| roots.add(root));
        sources.iter().for_each(|directory| roots.add(directory));
        roots
    }

    /// Adds a directory that the user has named, if it is there.
    pub(crate) fn add(&mut self, directory: &Path) {
        // An empty path is what is here.
        let canonical = Path::new(".").join(directory).canonicalize();
        if let Ok(canonical) = canonical
            && canonical.is_dir()
            && !self.directories.contains(&canonical)
        {
            self.directories.push(canonical);
        }
    }

    /// Adds what cargo has fetched and the standard library: a program that is built here
    /// consists of them.
    pub(crate) fn add_dependencies(&mut self) {
        let home = || Some(std::env::home_dir()?.join(".cargo"));
        let set = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty());
        if let Some(home) = set.map(PathBuf::from).or_else(home) {
            self.add(&home.join("registry/src"));
            self.add(&home.join("git/checkouts"));
        }
        self.has_standard_library = true;
    }

    /// Opens a file of source code that may be shown.
    pub(crate) fn open_source(&self, path: &Path) -> Option<File> {
        let canonical = path.canonicalize().ok()?;
        let is_shown = SHOWN.contains(&&*ending(&canonical)?);
        self.open(&canonical).filter(|_| is_shown)
    }

    /// Whether a file that a stored run names may be a trace, below a root.
    pub(crate) fn has_trace(&self, path: &Path) -> bool {
        let canonical = path.canonicalize();
        canonical.is_ok_and(|path| is_named_as_trace(&path) && self.open(&path).is_some())
    }

    fn open(&self, canonical: &Path) -> Option<File> {
        if is_never_shown(canonical) {
            return None;
        }
        let mut all = { self.directories.iter().map(PathBuf::as_path) }
            .chain(self.standard_library(canonical));
        let (root, below) = all.find_map(|root| {
            let below = canonical.strip_prefix(root).ok()?;
            (!has_hidden(below)).then_some((root, below))
        })?;
        open_regular(root, below)
    }

    /// The root of the standard library's sources, asked for if a path looks like one there.
    fn standard_library(&self, path: &Path) -> Option<&'static Path> {
        static ROOT: OnceLock<Option<PathBuf>> = OnceLock::new();
        let is_like_it = || path.to_string_lossy().contains("/rustlib/src/rust/");
        if !self.has_standard_library || !is_like_it() {
            return None;
        }
        ROOT.get_or_init(standard_library).as_deref()
    }
}

/// Whether a file that a stored run names may be a trace, wherever it is: for a command that
/// prints the events of one finding at the terminal of the user, who asks for it. What does
/// not end like a trace is not opened, because errors quote it.
pub(crate) fn is_trace(path: &Path) -> bool {
    let Ok(canonical) = path.canonicalize() else {
        return false;
    };
    let parts = canonical.parent().zip(canonical.file_name());
    let file = parts.and_then(|(parent, name)| open_regular(parent, Path::new(name)));
    is_named_as_trace(&canonical) && !is_never_shown(&canonical) && file.is_some()
}

fn is_named_as_trace(path: &Path) -> bool {
    let is_one = |path: &Path| ending(path).is_some_and(|end| TRACES.contains(&&*end));
    let is_compressed = ending(path).is_some_and(|end| COMPRESSED.contains(&&*end));
    is_one(path) || is_compressed && is_one(&path.with_extension(""))
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Directories around this one that have a manifest.
pub(super) fn packages_around(here: &Path) -> impl Iterator<Item = &Path> {
    let around = here.ancestors().skip(1);
    around.filter(|directory| directory.join("Cargo.toml").is_file())
}

/// Refuses values of `--sources` that could not do what was asked for.
///
/// # Errors
/// If one is no directory, or in a part of the file system that is never shown.
pub(crate) fn check(directories: &[PathBuf]) -> Result<()> {
    for directory in directories {
        let name = directory.display();
        match directory.canonicalize() {
            Err(error) => bail!("cannot show sources below {name}: {error} (--sources)"),
            Ok(path) if !path.is_dir() => bail!(
                "cannot show sources below {name}: it is not a directory; name the one that it is in (--sources)"
            ),
            Ok(path) if is_never_shown(&path) => bail!(
                "cannot show sources below {name}: files below {} are never shown (--sources)",
                NEVER.join(", ")
            ),
            Ok(_) => {}
        }
    }
    Ok(())
}

/// The sources that come with the toolchain of the current directory.
fn standard_library() -> Option<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--print", "sysroot"]).stderr(Stdio::null());
    let printed = String::from_utf8(command.stdin(Stdio::null()).output().ok()?.stdout).ok()?;
    let root = Path::new(printed.trim()).join("lib/rustlib/src/rust");
    root.canonicalize().ok()
}

fn is_never_shown(canonical: &Path) -> bool {
    NEVER.iter().any(|never| canonical.starts_with(never))
}

fn has_hidden(below: &Path) -> bool {
    let mut names = below.components().map(Component::as_os_str);
    names.any(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Whether a file is of a file system like that of `/proc`, wherever it is mounted.
#[cfg(target_os = "linux")]
fn is_of_kernel(file: &File) -> bool {
    /// `sysfs` (`linux/magic.h`).
    const SYSFS: u64 = 0x6265_6572;
    let kind = rustix::fs::fstatfs(file).map(|of| of.f_type as u64);
    // A file system that does not say what it is shows nothing.
    kind.map_or(true, |kind| {
        [rustix::fs::PROC_SUPER_MAGIC as u64, SYSFS].contains(&kind)
    })
}

#[cfg(not(target_os = "linux"))]
fn is_of_kernel(_: &File) -> bool {
    false
}

/// Opens a regular file by its path below a directory.
fn open_regular(root: &Path, below: &Path) -> Option<File> {
    let file = open_below(root, below).ok()?;
    let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
    (is_regular && !is_of_kernel(&file)).then_some(file)
}

/// Opens a file by its path below a root. A component that is a symbolic link is an error.
#[cfg(unix)]
fn open_below(root: &Path, below: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    let safe = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    // Directories that may be entered need not be listable.
    #[cfg(target_os = "linux")]
    let directory = safe | OFlags::DIRECTORY | OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let directory = safe | OFlags::DIRECTORY;
    let mut inside = openat(CWD, root, directory, Mode::empty())?;
    let mut names = below.components().map(Component::as_os_str).peekable();
    while let Some(name) = names.next() {
        let is_last = names.peek().is_none();
        let flags = if is_last {
            safe | OFlags::RDONLY
        } else {
            directory
        };
        inside = openat(&inside, name, flags, Mode::empty())?;
    }
    Ok(File::from(inside))
}

#[cfg(not(unix))]
fn open_below(root: &Path, below: &Path) -> io::Result<File> {
    File::open(root.join(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_lists_all_endings() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reports.md");
        let page = std::fs::read_to_string(page).expect("the page");
        let listed = SHOWN.map(|ending| format!("`{ending}`")).join(" ");
        assert!(page.lines().any(|line| line == listed), "{listed}");
    }

    /// A directory that is exchanged for a link after its path was made canonical.
    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_when_a_file_is_opened() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for directory in ["root/inside", "outside"] {
            std::fs::create_dir_all(at(directory)).expect("made");
            std::fs::write(at(directory).join("a.rs"), "text").expect("written");
        }
        symlink(at("outside"), at("root/linked")).expect("a link");
        symlink(at("outside/a.rs"), at("root/inside/b.rs")).expect("a link");
        let opened = |below: &str| open_below(&at("root"), Path::new(below));
        assert!(opened("inside/a.rs").is_ok());
        for below in ["linked/a.rs", "inside/b.rs"] {
            assert!(opened(below).is_err(), "{below}");
        }
        symlink(at("root"), at("other")).expect("a link");
        assert!(open_below(&at("other"), Path::new("inside/a.rs")).is_err());
    }

    #[test]
    fn traces_are_told_by_their_names() {
        for name in ["a.std", "a.ctr", "a.b.STD", "a.std.gz", "a.ctr.zst"] {
            assert!(is_named_as_trace(Path::new(name)), "{name}");
        }
        for name in [
            "a",
            "std",
            ".std",
            "a.gz",
            "a.tar.gz",
            "a.std.pem",
            "a.gz.zst",
        ] {
            assert!(!is_named_as_trace(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn hidden_names_count_below_the_root_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join(".work/project");
        std::fs::create_dir_all(root.join("src/.git")).expect("made");
        for file in [
            "src/a.rs",
            "src/A.RS",
            "src/.b.rs",
            "src/.git/c.rs",
            "src/a.pem",
            "src/rs",
        ] {
            std::fs::write(root.join(file), "text").expect("written");
        }
        let mut roots = Roots::default();
        roots.add(&root);
        let is_shown = |file: &str| roots.open_source(&root.join(file)).is_some();
        assert!(is_shown("src/a.rs") && is_shown("src/A.RS") && is_shown("src/../src/a.rs"));
        for file in [
            "src/.b.rs",
            "src/.git/c.rs",
            "src/a.pem",
            "src/rs",
            "src",
            "../project",
        ] {
            assert!(!is_shown(file), "{file}");
        }
        roots.add(&root.join("src/.git"));
        assert!(roots.open_source(&root.join("src/.git/c.rs")).is_some());
    }
}
