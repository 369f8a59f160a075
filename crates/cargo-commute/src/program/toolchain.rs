//! What cargo would compile with, here: flags, target, wrappers.

use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_config2::{Config, Flags};

/// What makes the library record.
const CFG: [&str; 2] = ["--cfg", "commute"];

/// The settings of the user, from variables and files, and our flag.
pub(super) struct Toolchain {
    pub rustflags: Flags,
    pub rustdocflags: Flags,
    /// The target triple, which is the host's unless the user wants another one.
    pub target: String,
    /// What the user has around rustc, a cache for example.
    pub wrapper: Option<PathBuf>,
    pub rustdoc: PathBuf,
}

impl Toolchain {
    /// That of the current directory.
    ///
    /// # Errors
    /// If cargo's configuration is not understood.
    pub(super) fn find() -> Result<Toolchain> {
        let unknown = "cannot tell which flags rustc gets";
        let config = Config::load().context(unknown)?;
        let targets = config.build_target_for_config(None::<&str>);
        let target = targets.context(unknown)?.into_iter().next();
        let target = target.context(unknown)?;
        let rustflags = config.rustflags(&target).context(unknown)?;
        let rustdocflags = config.rustdocflags(&target).context(unknown)?;
        let given = config.build.target.as_ref().and_then(|all| all.first());
        let host = config.host_triple().context(unknown)?;
        Ok(Toolchain {
            rustflags: with_cfg(rustflags),
            rustdocflags: with_cfg(rustdocflags),
            target: given.map_or(host, |target| target.triple()).to_owned(),
            wrapper: config.build.rustc_wrapper.clone(),
            rustdoc: { config.build.rustdoc.clone() }.unwrap_or_else(|| "rustdoc".into()),
        })
    }
}

fn with_cfg(flags: Option<Flags>) -> Flags {
    let mut flags = flags.unwrap_or_default();
    if !flags.flags.windows(2).any(|pair| pair == CFG) {
        flags.flags.extend(CFG.map(str::to_owned));
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_kept_and_ours_comes_once() {
        let flags = with_cfg(Some(Flags::from_space_separated("-C opt-level=1")));
        assert_eq!(flags.flags, ["-C", "opt-level=1", "--cfg", "commute"]);
        assert_eq!(with_cfg(Some(flags.clone())), flags);
        assert_eq!(with_cfg(None).flags, CFG);
    }
}
