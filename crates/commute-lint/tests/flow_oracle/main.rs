//! What the analysis of values says about a program, against runs of it.
//!
//! Random programs run with two threads in all kinds of interleavings, and
//! every value knows on which reads it depends. A stale write that was seen has
//! to be reported, and a report has to be seen.

mod builder;
mod machine;
mod postdominators;
mod random;
mod schedule;
mod step;
mod taint;
mod truth;

use commute_lint::{Confidence, Kind, Options, Violation, lint};
use commute_lint::ir::Program;
use commute_lint::print::print;

use schedule::{Effort, truth};
use truth::{Grade, Pair};

fn name(program: &Program, pair: &Pair) -> String {
    let (member, field) = pair.variable;
    let member = &program.fields[member.index()];
    match field {
        Some(field) => format!("{member}.{}", program.fields[field.index()].name),
        None => member.to_string(),
    }
}

fn matches(program: &Program, pair: &Pair, violation: &Violation) -> bool {
    let ends = (violation.path.first(), violation.path.last());
    let (Some(first), Some(last)) = ends else { return false };
    violation.variable == name(program, pair)
        && (pair.read.contains(&first.site.line) || pair.regions.0.contains(&first.site.line))
        && (pair.write.contains(&last.site.line) || pair.regions.1.contains(&last.site.line))
}

fn text(program: &Program) -> String {
    program.functions.iter().map(|function| print(program, function)).collect()
}


fn reachable(program: &Program, lines: &std::collections::BTreeSet<u32>) -> String {
    // the function with the pair, and what it calls, minus get/set/guard
    use commute_lint::ir::*;
    let mut todo: Vec<usize> = program.functions.iter().enumerate().filter(|(_, f)| f.name.starts_with("public") && f.blocks.iter().any(|b| b.statements.iter().any(|(_, s)| lines.contains(&s.line)))).map(|(i, _)| i).collect();
    let mut all = std::collections::BTreeSet::new();
    while let Some(i) = todo.pop() {
        if all.insert(i) {
            for (s, _) in program.functions[i].blocks.iter().flat_map(|b| &b.statements) {
                if let Statement::Call { callee: Callee::Functions(fs), .. } = s { todo.extend(fs.iter().map(|f| f.index())); }
            }
        }
    }
    let mut t: String = all.iter().map(|i| print(program, &program.functions[*i])).collect();
    t.push_str(&format!("public: {:?}\n", program.processes.iter().map(|p| &p.name).collect::<Vec<_>>()));
    t
}

#[test]
fn explore() {
    let count: u64 = std::env::var("COUNT").ok().and_then(|c| c.parse().ok()).unwrap_or(200);
    let from: u64 = std::env::var("FROM").ok().and_then(|c| c.parse().ok()).unwrap_or(0);
    let mut stats = std::collections::BTreeMap::<String, usize>::new();
    let mut least = std::collections::BTreeMap::<String, Vec<String>>::new();
    let mut spent = [std::time::Duration::ZERO; 2];
    for seed in from..from+count {
        let program = random::program(seed, seed % 2 == 0);
        let begin = std::time::Instant::now();
        let effort = Effort { values: 4, all: None };
        let seen = truth(&program, effort);
        spent[0] += begin.elapsed();
        let begin = std::time::Instant::now();
        let outcome = lint(&program, &Options::default());
        spent[1] += begin.elapsed();
        let stale: Vec<&Violation> = outcome.violations.iter().filter(|v| matches!(v.kind, Kind::StaleValue | Kind::StaleCheck)).collect();
        let all = || { let mut t = String::new(); for v in &stale { t.push_str(&format!("{:?} {:?} {} {:?}\n", v.kind, v.confidence, v.title, v.path.iter().map(|p| (p.site.line, &p.what)).collect::<Vec<_>>())); } t };
        for (pair, grades) in &seen.pairs {
            let grade = grades.last().unwrap();
            let found = stale.iter().any(|v| matches(&program, pair, v));
            let same = stale.iter().any(|v| v.variable == name(&program, pair) && v.path.last().is_some_and(|l| pair.write.contains(&l.site.line)));
            let var = stale.iter().any(|v| v.variable == name(&program, pair));
            let hidden = stale.iter().any(|v| v.variable != name(&program, pair) && { let l = |s: u32, a: &machine::Lines, b: &machine::Lines| a.contains(&s) || b.contains(&s); l(v.path[0].site.line, &pair.read, &pair.regions.0) && l(v.path.last().unwrap().site.line, &pair.write, &pair.regions.1) });
            let what = format!("{grade:?} {}{}", if hidden && !found { "HIDDEN " } else {""}, if found {"found"} else if same {"same write"} else if var {"same variable"} else {"missed"});
            let claims = seen.claims.contains(&(pair.regions.0.clone(), pair.variable));
            let what = format!("{what}{}{}", if claims {" claims"} else {""}, if pair.variable.1.is_none() {" atomic"} else {""});
            if *grade >= Grade::Own && !found {
                least.entry(what.clone()).or_default().push(format!("=== seed {seed} {what} {} {pair:?}\n{}{}", name(&program, pair), reachable(&program, &pair.write), all()));
            }
            *stats.entry(what).or_default() += 1;
        }
        let mut more = None;
        for v in &stale {
            let mut witness = seen.pairs.keys().any(|p| matches(&program, p, v));
            if std::env::var("MORE").is_ok() && !witness && seed % 2 == 1 && v.confidence == Confidence::High {
                let more = more.get_or_insert_with(|| truth(&program, Effort { values: 4, all: Some(300) }));
                witness = more.pairs.keys().any(|p| matches(&program, p, v));
            }
            let what = format!("report {:?} {:?} {} {witness}", v.kind, v.confidence, seed % 2);
            if std::env::var("MORE").is_ok() && !witness && v.confidence == Confidence::High && seed % 2 == 1 {
                let lines = v.path.iter().map(|s| s.site.line).collect();
                least.entry(what.clone()).or_default().push(format!("=== seed {seed} {what} {} {:?}\n{}", v.title, v.path.iter().chain(&v.others).map(|p| (p.site.line, &p.what)).collect::<Vec<_>>(), reachable(&program, &lines)));
            }
            *stats.entry(what).or_default() += 1;
        }
    }
    for list in least.values_mut() {
        list.sort_by_key(|t| t.len());
        for t in list.iter().take(6) { eprintln!("{t}"); }
    }
    eprintln!("{stats:#?} {spent:?}");
}
