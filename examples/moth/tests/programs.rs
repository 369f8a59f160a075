//! The programs run, and the table says of them what is true.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use commute_moth::{Known, PROGRAMS, java_name};

macro_rules! binaries {
    ($($name:literal)*) => {
        &[$(($name, env!(concat!("CARGO_BIN_EXE_", $name)))),*]
    };
}

const BINARIES: &[(&str, &str)] = binaries!(
    "connection" "connection_repaired" "coord03" "coord03_repaired" "local" "local_repaired"
    "nasa" "nasa_repaired" "coord04" "coord04_repaired" "buffer" "buffer_repaired"
    "double_check" "double_check_repaired" "string_buffer" "string_buffer_repaired"
    "account" "account_repaired" "jigsaw" "jigsaw_repaired"
    "over_reporting" "over_reporting_repaired" "under_reporting" "under_reporting_repaired"
    "allocate_vector" "allocate_vector_repaired" "knight" "knight_repaired"
    "arithmetic_database" "arithmetic_database_repaired" "elevator" "elevator_repaired"
    "philo" "philo_repaired" "tsp" "tsp_repaired" "store" "store_repaired"
    "vector_fail" "vector_fail_repaired"
);

/// The programs take milliseconds; the rest is for a busy machine.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn all_come_to_their_end() {
    for (name, path) in BINARIES {
        let mut child = Command::new(path).stdout(Stdio::null()).spawn().unwrap();
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begin.elapsed() > LONG {
                child.kill().unwrap();
                panic!("{name} does not end");
            }
            thread::sleep(Duration::from_millis(1));
        };
        assert!(status.success(), "{name}: {status}");
    }
}

#[test]
fn every_program_is_there_twice_in_both_languages() {
    let names: Vec<String> = PROGRAMS.iter().flat_map(both).collect();
    let binaries: Vec<&str> = BINARIES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, binaries);
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let mut java = names.clone();
    java.push("commute".to_owned());
    assert_eq!(sorted(java), sorted(entries("java")));
    let sources = names.iter().map(|name| format!("{name}.rs")).collect();
    assert_eq!(sorted(sources), sorted(entries("src/bin")));
}

#[test]
fn every_method_of_the_table_is_there() {
    for program in PROGRAMS {
        for name in both(program) {
            let rust = read(&format!("src/bin/{name}.rs"));
            let java = read(&format!("java/{name}/Main.java"));
            for method in program.methods() {
                let wanted = format!("fn {method}(");
                assert!(rust.contains(&wanted), "{name}.rs has no `{wanted}`");
                let wanted = format!(" {}(", java_name(method));
                assert!(java.contains(&wanted), "Java's {name} has no `{wanted}`");
            }
        }
        // Only there are they atomic by themselves.
        let java = read(&format!("java/{}/Main.java", program.name));
        let lines: Vec<&str> = java.lines().collect();
        for method in program.methods() {
            let call = format!(" {}(", java_name(method));
            let atomic = lines.windows(2).any(|pair| {
                pair[0].trim() == "@Atomic" && pair[1].contains(&call) && pair[1].ends_with('{')
            });
            assert!(atomic, "Java's {}: {call}) is not @Atomic", program.name);
        }
    }
}

#[test]
fn the_numbers_are_the_papers() {
    let mut totals = [[0; 5]; 2];
    for program in PROGRAMS {
        let Some(numbers) = program.numbers else {
            continue;
        };
        let (moth, artho) = (numbers.moth, numbers.artho);
        assert_eq!(
            program.violations.count(),
            numbers.violations,
            "{}",
            program.name
        );
        // Of Philo's two only one is known.
        let known = program.false_alarms.count() + usize::from(program.name == "philo");
        assert_eq!(known, moth.false_alarms, "{}", program.name);
        let total = &mut totals[usize::from(numbers.table) - 1];
        total[0] += numbers.violations;
        total[1] += moth.missed;
        total[2] += moth.false_alarms;
        total[3] += artho.missed;
        total[4] += artho.false_alarms;
    }
    assert_eq!(totals, [[15, 0, 3, 10, 0], [18, 0, 10, 17, 5]]);
}

fn both(program: &Known) -> [String; 2] {
    [program.name.to_owned(), program.repaired()]
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(folder(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn entries(path: &str) -> Vec<String> {
    fs::read_dir(folder(path))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}
