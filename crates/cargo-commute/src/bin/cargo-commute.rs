//! `cargo commute`: the same program. Cargo calls it with its own name as the
//! first argument.

fn main() -> std::process::ExitCode {
    let mut args: Vec<_> = std::env::args_os().collect();
    if args.get(1).is_some_and(|arg| arg == "commute") {
        args.remove(1);
        // As people type it: the help and mistakes say so.
        args[0] = "cargo commute".into();
    }
    cargo_commute::main(args)
}
