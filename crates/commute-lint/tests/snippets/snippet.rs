//! Programs that tests look at: compiled to MIR, linted with any options.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use commute_lint::ir::Program;
use commute_lint::rust::{CrateInfo, mir, program};
use commute_lint::{Confidence, Options, Violation, lint};

use crate::compiler::{run, rustc, tests};

/// A file, with what it says about itself.
pub(crate) struct Snippet {
    pub(crate) name: String,
    file: String,
    text: String,
    arguments: Vec<String>,
}

/// The files of a directory in `rust`; `arguments` are for the compiler.
pub(crate) fn snippets(directory: &str, arguments: &[String]) -> Vec<Snippet> {
    let entries = fs::read_dir(tests().join("rust").join(directory)).expect("a directory");
    let mut snippets: Vec<Snippet> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy();
            Snippet {
                file: format!("rust/{directory}/{name}.rs"),
                text: fs::read_to_string(&path).expect("a file"),
                name: name.into_owned(),
                arguments: arguments.to_vec(),
            }
        })
        .collect();
    snippets.sort_by(|a, b| a.name.cmp(&b.name));
    snippets
}

impl Snippet {
    /// What a line `//@ key: …` says.
    pub(crate) fn says(&self, key: &str) -> &str {
        let mut lines = self.text.lines();
        lines
            .find_map(|line| {
                line.strip_prefix("//@ ")?
                    .strip_prefix(key)?
                    .strip_prefix(": ")
            })
            .unwrap_or_else(|| panic!("{} does not say `//@ {key}: …`", self.file))
    }

    /// The program, with a `--cfg` or without.
    pub(crate) fn program(&self, cfg: Option<&str>) -> Program {
        let mut rustc = rustc();
        rustc.args(&self.arguments).args([
            "-Zunpretty=mir",
            "-Zmir-include-spans=on",
            "-Ztrim-diagnostic-paths=no",
            "-o",
            "-",
        ]);
        if let Some(cfg) = cfg {
            rustc.args(["--cfg", cfg]);
        }
        let mir = mir::parse::parse(&run(&mut rustc, &self.file));
        let info = CrateInfo {
            name: "sample".to_owned(),
            root: String::new(),
            edition: "2024".to_owned(),
            library: true,
        };
        let finder = |name: &str| fs::read_to_string(tests().join(name)).ok();
        let program = program(vec![(info, mir)], &finder);
        assert_eq!(program.gaps, [], "{}", self.file);
        program
    }
}

/// What is found, of whatever confidence.
pub(crate) fn all(program: &Program, options: &Options) -> Vec<Violation> {
    let outcome = lint(program, options);
    assert_eq!(outcome.lost, []);
    assert_eq!(outcome.limits, [] as [String; 0]);
    outcome.violations
}

/// What is shown by default.
pub(crate) fn shown(program: &Program, options: &Options) -> Vec<Violation> {
    let mut violations = all(program, options);
    violations.retain(|violation| violation.confidence == Confidence::High);
    violations
}

/// Whether one of them passes through a function.
pub(crate) fn is_in(violations: &[Violation], function: &str) -> bool {
    let mut stops = violations.iter().flat_map(|violation| &violation.path);
    stops.any(|stop| stop.function.contains(function))
}

/// What each snippet's judge says is wrong, on all cores: compilers are slow.
pub(crate) fn judged(
    snippets: &[Snippet],
    judge: impl Fn(&Snippet) -> Vec<String> + Sync,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(snippet) = snippets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = judge(snippet);
                    wrong.lock().expect("no judge panics").extend(found);
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no judge panics");
    wrong.sort();
    wrong
}

/// Compiles the stub of a crate; what the compiler has to be told to use it.
pub(crate) fn stub(name: &str, out: &Path) -> Vec<String> {
    let out = out.to_string_lossy();
    let mut rustc = rustc();
    rustc.args(["--emit=metadata", "--crate-name", name, "--out-dir", &out]);
    run(&mut rustc, &format!("rust/stubs/{name}.rs"));
    vec![
        "--extern".to_owned(),
        format!("{name}={out}/lib{name}.rmeta"),
    ]
}
