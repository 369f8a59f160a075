//! The tables as text.

use std::fmt::Write;

use commute_moth::{Known, Wrong};

use super::Row;
use super::judge::Verdict;

const LANGUAGES: [&str; 2] = ["Rust", "Java"];

/// The rows of one table of the paper (0: in none), with totals, and below
/// what each number is made of.
pub fn table(rows: &[Row], number: u8, algorithm: usize) -> String {
    let name = ["MoTH", "Artho", "Commute", "Commute -v", "MoTH extended"][algorithm];
    let of = |known: &Known| known.numbers.map_or(0, |numbers| numbers.table);
    let rows: Vec<&Row> = rows.iter().filter(|row| of(row.known) == number).collect();
    let title = match number {
        0 => "Not in a table".to_owned(),
        number => format!("Table {number}"),
    };
    let mut text = format!("{title}, {name}: missed/false alarms (+uncounted)\n");
    line(
        &mut text,
        "",
        ["AV", "paper", LANGUAGES[0], LANGUAGES[1], "repaired"],
    );
    let mut totals = Totals::default();
    for row in &rows {
        let cells = cells(row, algorithm, &mut totals);
        let cells = cells.each_ref().map(String::as_str);
        line(&mut text, row.known.title, cells);
    }
    let paper = match totals.paper {
        Some((missed, alarms)) => shown(missed, alarms, 0),
        None => "-".to_owned(),
    };
    let [rust, java] = totals.found.map(|total| match total {
        Some((missed, alarms, uncounted)) => shown(missed, alarms, uncounted),
        None => "-".to_owned(),
    });
    let violations = totals.violations.to_string();
    line(&mut text, "total", [&violations, &paper, &rust, &java, ""]);
    for row in &rows {
        details(&mut text, row, algorithm);
    }
    text
}

#[derive(Default)]
struct Totals {
    violations: usize,
    paper: Option<(usize, usize)>,
    found: [Option<(usize, usize, usize)>; 2],
}

fn cells(row: &Row, algorithm: usize, totals: &mut Totals) -> [String; 5] {
    let violations = row.known.violations.count();
    totals.violations += violations;
    let paper = row.known.numbers.and_then(|numbers| match algorithm {
        0 => Some(numbers.moth),
        1 => Some(numbers.artho),
        _ => None,
    });
    let paper = match paper {
        Some(Wrong {
            missed,
            false_alarms,
        }) => {
            let total = totals.paper.get_or_insert_default();
            total.0 += missed;
            total.1 += false_alarms;
            shown(missed, false_alarms, 0)
        }
        None => "-".to_owned(),
    };
    let mut loud = Vec::new();
    let mut found = [String::from("-"), String::from("-")];
    for (language, verdict) in verdicts(row, algorithm) {
        let numbers = numbers(verdict);
        let total = totals.found[language].get_or_insert_default();
        total.0 += numbers.0;
        total.1 += numbers.1;
        total.2 += numbers.2;
        found[language] = shown(numbers.0, numbers.1, numbers.2);
        if !verdict.repaired.is_empty() {
            loud.push(format!(
                "{} in {}",
                verdict.repaired.len(),
                LANGUAGES[language]
            ));
        }
    }
    let repaired = match loud.is_empty() {
        true => "silent".to_owned(),
        false => loud.join(", "),
    };
    let [rust, java] = found;
    [violations.to_string(), paper, rust, java, repaired]
}

fn verdicts(row: &Row, algorithm: usize) -> impl Iterator<Item = (usize, &Verdict)> {
    let all = [Some(&row.rust), row.java.as_ref()];
    let all = all.into_iter().enumerate();
    all.filter_map(move |(language, verdicts)| Some((language, &verdicts?[algorithm])))
}

fn numbers(verdict: &Verdict) -> (usize, usize, usize) {
    (
        verdict.missed.len(),
        verdict.false_alarms.len(),
        verdict.uncounted.len(),
    )
}

fn shown(missed: usize, alarms: usize, uncounted: usize) -> String {
    match uncounted {
        0 => format!("{missed}/{alarms}"),
        more => format!("{missed}/{alarms} (+{more})"),
    }
}

fn line(text: &mut String, title: &str, [violations, paper, rust, java, repaired]: [&str; 5]) {
    let line = format!("{title:20} {violations:>3}  {paper:6} {rust:11} {java:11} {repaired}");
    text.push_str(line.trim_end());
    text.push('\n');
}

fn details(text: &mut String, row: &Row, algorithm: usize) {
    for (language, verdict) in verdicts(row, algorithm) {
        for (what, list) in [
            ("missed", &verdict.missed),
            ("false alarm", &verdict.false_alarms),
            ("uncounted", &verdict.uncounted),
            ("in the repaired twin", &verdict.repaired),
        ] {
            for found in list {
                let (title, language) = (row.known.title, LANGUAGES[language]);
                // Nothing goes wrong when writing to a string.
                let _ = writeln!(text, "  {title}, {language}: {what}: {found}");
            }
        }
    }
}
