//! `commute`

fn main() -> std::process::ExitCode {
    cargo_commute::main(std::env::args_os().collect())
}
