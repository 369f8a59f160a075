//! Trust in files that were found, not named: only files of the user's own are obeyed, and the
//! output of a configuration file stays below its folder.

use std::fs::File;
use std::path::{Component, Path, PathBuf};

#[cfg(unix)]
use anyhow::bail;
use anyhow::{Context, Result};

use super::file::REPOSITORY;
#[cfg(unix)]
use crate::shell_word::shell_word;

/// Opens a file that was found, if it is a regular file that belongs to the user or to root and
/// that not every user can write to. Permissions of its folder do not matter: another user can
/// replace the file there, but only by a file of the other user.
///
/// # Errors
/// If the file cannot be opened, or is not such a file: then with this remedy.
#[cfg(unix)]
pub(crate) fn open_own(path: &Path, remedy: &str) -> Result<File> {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

    let name = path.display();
    let cannot = || format!("cannot read {name}");
    // A pipe of others must not make us wait.
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let file = std::fs::OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let file = file.with_context(cannot)?;
    // Metadata of the open file: another file may have its name by now.
    let found = file.metadata().with_context(cannot)?;
    if !found.is_file() {
        bail!("cannot read {name}: it is no regular file");
    }
    let link = path.symlink_metadata().with_context(cannot)?;
    let user = rustix::process::geteuid().as_raw();
    for (what, uid) in [("", found.uid()), ("the link ", link.uid())] {
        if uid != user && uid != 0 {
            bail!("refusing to read {what}{name}: it belongs to another user ({uid}); {remedy}");
        }
    }
    if found.mode() & 0o002 != 0 {
        let word = shell_word(path);
        bail!(
            "refusing to read {name}: every user can write to it; `chmod o-w {word}` changes that; {remedy}"
        );
    }
    Ok(file)
}

/// Opens a file that was found.
///
/// # Errors
/// If it cannot be opened.
#[cfg(not(unix))]
pub(crate) fn open_own(path: &Path, _remedy: &str) -> Result<File> {
    File::open(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Whether a file at this path is below a folder, and not inside of a `.git` or its like there. Links and `..` are followed as far as the path exists.
pub(super) fn is_below(path: &Path, folder: &Path) -> bool {
    let (Some(path), Some(folder)) = (resolved(path), resolved(folder)) else {
        return false;
    };
    let Ok(inner) = path.strip_prefix(folder) else {
        return false;
    };
    let mut parts = inner.components();
    !parts.any(|part| REPOSITORY.iter().any(|name| part.as_os_str() == *name))
}

/// The path that the system takes a path for. `None` if a link on it leads nowhere.
fn resolved(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        match part {
            Component::CurDir => {}
            // Before this, all links are resolved.
            Component::ParentDir => drop(real.pop()),
            part => real.push(part),
        }
        if real.is_symlink() {
            real = real.canonicalize().ok()?;
        }
    }
    Some(real)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_is_followed_as_far_as_it_exists() {
        let here = tempfile::tempdir().expect("a folder");
        let at = |name: &str| here.path().join(name);
        fs::create_dir_all(at("p/inner")).expect("made");
        fs::create_dir(at("outside")).expect("made");
        fs::write(at("outside/file"), "").expect("written");
        symlink("../outside", at("p/away")).expect("linked");
        symlink("inner", at("p/near")).expect("linked");
        symlink("../outside/file", at("p/file")).expect("linked");
        symlink("../outside/new", at("p/nowhere")).expect("linked");
        symlink("p", at("alias")).expect("linked");
        let is_below = |path: &str| is_below(&at(path), &at("p"));
        for inside in [
            "p",
            "p/x.html",
            "p/new/x.html",
            "p/inner/../x",
            "p/near/x",
            "p/near/../x",
            "p/new/../x",
            "p/../p/x",
            "alias/x",
        ] {
            assert!(is_below(inside), "{inside}");
        }
        for outside in [
            "x",
            "p/../x",
            "p/away",
            "p/away/x",
            "p/away/new/x",
            "p/away/../x",
            "p/file",
            "p/nowhere",
            "p/new/../../x",
            "p/.git/hooks/x",
            "p2/x",
            "/etc/passwd",
        ] {
            assert!(!is_below(outside), "{outside}");
        }
    }
}
