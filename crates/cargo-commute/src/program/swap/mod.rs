//! Programs that must not change: what they use is replaced while they are compiled.
//!
//! `commute-std` has everything of `std`, and `commute-dashmap` everything of
//! `dashmap`, under the same names. These stand-ins are built first
//! ([`stand_ins`]). Then cargo builds the program as always, but calls us instead of
//! rustc and rustdoc ([`compiler`]): for every crate of the program and of what it
//! depends on, the compiler is told to take the stand-ins for the originals. No
//! manifest, lock file or source file knows of it.
//!
//! Build scripts and procedural macros run inside of the build and are none of our
//! business. Cargo tells them apart if it is given a target, even if that is the
//! host; so it is.

mod attempt;
mod compiler;
mod plan;
mod stand_ins;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) use self::compiler::compile;
use self::plan::Plan;
use self::stand_ins::StandIns;
use super::environment::Environment;
use super::toolchain::Toolchain;
use crate::cli::{CargoArgs, SwapArgs, Swapped};

/// What is to be swapped, and where.
pub(super) struct Request<'a> {
    pub args: &'a SwapArgs,
    pub cargo: &'a CargoArgs,
    pub toolchain: &'a Toolchain,
    /// Our folder in the user's target directory.
    pub folder: &'a Path,
    pub quiet: bool,
}

impl Request<'_> {
    /// Builds the stand-ins, and makes cargo use them.
    ///
    /// # Errors
    /// If they cannot be built, or files cannot be written.
    pub(super) fn prepare(&self, environment: &mut Environment) -> Result<()> {
        let stand_ins = StandIns::build(self)?;
        let mut crates = self.args.crates.clone();
        crates.sort();
        crates.dedup();
        let plan = Plan::new(&crates, stand_ins, self.toolchain);
        let names: Vec<&str> = crates.iter().map(|krate| krate.name()).collect();
        // Of its own for each choice, so that they do not build over one another.
        let target_directory = self.folder.join(format!("swap-{}", names.join("-")));
        let digest = digest(&plan)?;
        let compilers = target_directory.join("compilers").join(&digest);
        let (rustc, rustdoc) = install(&plan, &compilers)
            .with_context(|| format!("cannot write to {}", compilers.display()))?;

        // Cargo does not know of the stand-ins. The flag changes with them, and with
        // it everything is built anew; and no crate of the program is taken for one
        // that the stand-ins use.
        let mut rustflags = self.toolchain.rustflags.clone();
        rustflags
            .flags
            .push(format!("-Cmetadata=commute-swap-{digest}"));
        environment.set("CARGO_ENCODED_RUSTFLAGS", rustflags.encode()?);
        environment.set("CARGO_BUILD_TARGET", &self.toolchain.target);
        environment.set("RUSTC_WRAPPER", rustc);
        environment.set("RUSTDOC", rustdoc);
        environment.set_target_directory(&target_directory);
        Ok(())
    }
}

impl Swapped {
    /// The name of the original.
    fn name(self) -> &'static str {
        match self {
            Swapped::Std => "std",
            Swapped::Dashmap => "dashmap",
        }
    }
}

/// Changes when a stand-in or anything else about the plan does.
fn digest(plan: &Plan) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(plan)?.hash(&mut hasher);
    for rlib in plan.crates.values() {
        let bytes = std::fs::read(rlib);
        bytes
            .with_context(|| format!("cannot read {}", rlib.display()))?
            .hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Puts us where cargo will look for compilers, with the plan beside.
fn install(plan: &Plan, folder: &Path) -> Result<(PathBuf, PathBuf)> {
    std::fs::create_dir_all(folder)?;
    plan.write(folder)?;
    let us = std::env::current_exe()?;
    let place = |name: &str| {
        let path = folder.join(name);
        // Another run may be at it, or an older version of us was here.
        let new = tempfile::Builder::new()
            .make_in(folder, |new| symlink(&us, new))?
            .into_temp_path();
        std::fs::rename(&new, &path)?;
        Ok(path)
    };
    let compilers: Result<(PathBuf, PathBuf)> =
        place(compiler::RUSTC).and_then(|rustc| Ok((rustc, place(compiler::RUSTDOC)?)));
    compilers
}
