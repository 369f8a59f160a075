//! Java sources to programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use commute_lint::ir::Program;
use commute_lint::java::{archive, program};
use commute_lint::print::print;
use commute_testkit::tools;
use expect_test::Expect;

/// Runs a tool of the JDK. Returns false if the test has to be skipped, because
/// the tool is not installed.
#[track_caller]
pub(crate) fn run(tool: &str, arguments: &[&str], directory: &Path) -> bool {
    let Some(path) = tools::require(tool) else {
        return false;
    };
    let output = Command::new(path)
        .args(arguments)
        .current_dir(directory)
        .output();
    let output = output.unwrap_or_else(|error| panic!("{tool} cannot be started: {error}"));
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} failed: {problem}");
    true
}

/// Compiles a source file and returns the directory of the classes; `None` if
/// the test has to be skipped, because there is no compiler.
pub(crate) fn compile(source: &str, options: &[&str]) -> Option<tempfile::TempDir> {
    let directory = tempfile::tempdir().expect("a directory for the classes");
    fs::write(directory.path().join("Test.java"), source).expect("the source is written");
    let arguments = [options, &["-d", "classes", "Test.java"]].concat();
    run("javac", &arguments, directory.path()).then_some(directory)
}

/// The program of a source file.
pub(crate) fn program_of(source: &str) -> Option<Program> {
    program_with(source, &["-g"])
}

/// The same with other options of the compiler.
pub(crate) fn program_with(source: &str, options: &[&str]) -> Option<Program> {
    let directory = compile(source, options)?;
    Some(read(directory.path().join("classes")))
}

/// The program in a directory or jar.
pub(crate) fn read(path: PathBuf) -> Program {
    let classes = archive::read(&[path]);
    assert_eq!(classes.problems, []);
    let program = program(&classes.inputs);
    validate(&program);
    program
}

/// Compares functions of a source file with what they should be. They are
/// separated by empty lines.
pub(crate) fn check(source: &str, functions: &[&str], expected: Expect) {
    let Some(program) = program_of(source) else {
        return;
    };
    assert_eq!(program.gaps, []);
    expected.assert_eq(&text(&program, functions));
}

/// Functions as text.
pub(crate) fn text(program: &Program, functions: &[&str]) -> String {
    let mut texts = Vec::new();
    for name in functions {
        let function = program.functions.iter().find(|f| f.name == *name);
        match function {
            Some(function) => texts.push(print(program, function)),
            None => {
                let names: Vec<&str> = program.functions.iter().map(|f| f.name.as_str()).collect();
                panic!("there is no {name}, only {names:?}");
            }
        }
    }
    texts.join("\n")
}

/// Whatever was read, indexes name something.
pub(crate) fn validate(program: &Program) {
    use commute_lint::ir::{Callee, Local, Operand, Place, Statement, Step, Terminator};
    for function in &program.functions {
        let name = &function.name;
        let local = |local: Local| {
            assert!(local.index() < function.locals.len(), "{name}: {local:?}");
        };
        let place = |place: &Place| {
            local(place.local);
            for step in &place.steps {
                match step {
                    Step::Field(field) => assert!(field.index() < program.fields.len(), "{name}"),
                    Step::Element(Some(index)) => local(*index),
                    _ => {}
                }
            }
        };
        let operand = |operand: &Operand| {
            if let Operand::Place(of, _) = operand {
                place(of);
            }
        };
        assert!(
            function.locals.len() > function.parameters as usize,
            "{name}"
        );
        assert!(!function.blocks.is_empty(), "{name}");
        for variable in &function.locals {
            assert!(variable.ty.index() < program.types.len(), "{name}");
        }
        for block in &function.blocks {
            for (statement, site) in &block.statements {
                assert!(site.file.index() < program.files.len(), "{name}");
                match statement {
                    Statement::Assign { to, from, .. } => {
                        place(to);
                        from.iter().for_each(operand);
                    }
                    Statement::Call {
                        to,
                        callee,
                        arguments,
                    } => {
                        place(to);
                        arguments.iter().for_each(operand);
                        if let Callee::Functions(functions) = callee {
                            assert!(!functions.is_empty(), "{name}");
                            for id in functions {
                                let callee = &program.functions[id.index()];
                                assert_eq!(
                                    callee.parameters as usize,
                                    arguments.len(),
                                    "{name} calls {}",
                                    callee.name
                                );
                            }
                        }
                    }
                    Statement::Drop(of) => place(of),
                }
            }
            if let Terminator::Branch { on, .. } = &block.terminator {
                operand(on);
            }
            for target in block.terminator.targets() {
                assert!(target.index() < function.blocks.len(), "{name}");
            }
        }
    }
    for process in &program.processes {
        assert!(process.function.index() < program.functions.len());
    }
}
