//! The command line of `commute init`.

use clap::Args;

/// `commute init`
#[derive(Args, Debug)]
pub(crate) struct InitArgs {
    /// The package that gets the test [default: the one here]
    #[arg(short, long, value_name = "NAME")]
    pub package: Option<String>,
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// Write over what is there
    #[arg(long)]
    pub force: bool,
    /// Print a JSON schema of `commute.toml` instead, for editors
    #[arg(long, conflicts_with_all = ["package", "PATH", "force"])]
    pub schema: bool,
}
