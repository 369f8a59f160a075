//! Tests in runs that are joined or compared: parts of them, and others of the same name.

use crate::project::{Project, Said};

/// What a run says of a test: `1/2 failed`, say, of the test of this name in a target of a
/// package.
fn test(package: &str, target: &str, name: &str, says: &str) -> String {
    let (shard, verdict) = says.rsplit_once(' ').unwrap_or(("", says));
    let shard = match shard {
        "" => String::new(),
        shard => format!("\"shard\":\"{shard}\","),
    };
    let reasons = match verdict {
        "inconclusive" => "\"a bound\"",
        _ => "",
    };
    format!(
        "{{\"schema\":1,\"reason\":\"test\",\"name\":\"{name}\",\"package\":\"{package}\",\
         \"target\":\"{target}\",\"verdict\":\"{verdict}\",{shard}\"executions\":1,\
         \"outcomes\":1,\"reasons\":[{reasons}]}}\n"
    )
}

/// The last line of a run.
fn summary(verdict: &str) -> String {
    format!("{{\"schema\":1,\"reason\":\"summary\",\"verdict\":\"{verdict}\"}}\n")
}

/// The class and the name of each test case of a document, and what came of it.
fn cases(said: &Said) -> Vec<(String, &'static str)> {
    let cases = said.stdout.split("<testcase ").skip(1);
    let case = |case: &str| {
        let attribute = |name: &str| {
            let rest = case.split(&format!("{name}=\"")).nth(1)?;
            Some(rest.split('"').next()?.to_owned())
        };
        // The name comes first.
        let (class, name) = (attribute("classname")?, attribute("name")?);
        let marks = [("<failure", "failed"), ("<error", "inconclusive")];
        let found = marks.iter().find(|(mark, _)| case.contains(mark));
        Some((format!("{class} {name}"), found.map_or("passed", |f| f.1)))
    };
    cases.filter_map(case).collect()
}

/// One that is not explored to its end has not passed because another of its name has.
#[test]
fn tests_of_one_name_are_told_apart_by_package_and_target() {
    let project = Project::new(&[]);
    for shard in ["1/2", "2/2"] {
        let parts = [
            test("pa", "--lib", "t", &format!("{shard} passed")),
            test("pb", "--lib", "t", &format!("{shard} inconclusive")),
            test("pb", "--test x", "t", &format!("{shard} passed")),
        ];
        let text = parts.concat() + &summary("inconclusive");
        project.write(&format!("{}.json", &shard[..1]), &text);
    }
    let said = project.commute("report merge 1.json 2.json");
    assert_eq!(said.code, Some(3), "{said:?}");
    let counts = "inconclusive: 3 tests: 2 passed, 1 inconclusive";
    assert!(said.stdout.contains(counts), "{said:?}");
    for (words, suite) in [
        ("report merge 1.json 2.json", "commute report merge"),
        ("report 1.json", "commute report"),
    ] {
        let said = project.commute(&format!("{words} --message-format junit"));
        assert_eq!(said.code, Some(3), "{said:?}");
        let expected = [
            (format!("{suite} pa t"), "passed"),
            (format!("{suite} pb t"), "inconclusive"),
            (format!("{suite} pb::x t"), "passed"),
        ];
        assert_eq!(cases(&said), expected, "{said:?}");
    }
    // Machines are told, so that what they are told can be joined.
    let said = project.commute("report merge 1.json 2.json --message-format json");
    let place = "\"name\":\"t\",\"package\":\"pb\",\"target\":\"--test x\",";
    assert!(said.stdout.contains(place), "{said:?}");
}

/// Two tests of one name fail alike, since both are of a module that both targets have.
#[test]
fn what_fails_in_one_test_fails_in_another_of_its_name() {
    let project = Project::new(&[]);
    let finding = "{\"schema\":1,\"reason\":\"finding\",\"code\":\"CM302\",\"level\":\"error\",\
                   \"certainty\":\"observed\",\"fingerprint\":\"abcdef01\",\"title\":\"stuck\",\
                   \"events\":[],\"count\":1,\"notes\":[]}\n";
    let parts = ["--test x", "--test y"].map(|target| test("p", target, "t", "failed") + finding);
    project.write("run.json", &(parts.concat() + &summary("violations")));
    let said = project.commute("report merge run.json --message-format junit");
    assert_eq!(said.code, Some(1), "{said:?}");
    let suite = "commute report merge p";
    let expected = [
        (format!("{suite}::x t"), "failed"),
        (format!("{suite}::y t"), "failed"),
    ];
    assert_eq!(cases(&said), expected, "{said:?}");
}

/// A failure that was found is there, whatever others say and in whatever order; who has
/// seen everything need not ask who has not.
#[test]
fn a_part_that_failed_is_not_outvoted_and_one_that_was_inconclusive_can_be_retried() {
    let project = Project::new(&[]);
    for (name, says) in [
        ("whole-inconclusive", "inconclusive"),
        ("whole-passed", "passed"),
        ("1-passed", "1/2 passed"),
        ("2-passed", "2/2 passed"),
        ("2-failed", "2/2 failed"),
        ("2-inconclusive", "2/2 inconclusive"),
    ] {
        let text = test("p", "--lib", "t", says) + &summary("inconclusive");
        project.write(&format!("{name}.json"), &text);
    }
    for (parts, verdict) in [
        ("1-passed 2-inconclusive", "inconclusive"),
        ("1-passed 2-inconclusive 2-passed", "passed"),
        ("1-passed 2-inconclusive 2-failed", "FAILED"),
        ("1-passed 2-passed 2-failed", "FAILED"),
        ("whole-inconclusive 2-failed", "FAILED"),
        ("whole-inconclusive 2-passed", "inconclusive"),
        ("whole-inconclusive 1-passed 2-passed", "passed"),
        ("whole-inconclusive whole-passed", "passed"),
        ("whole-passed 1-passed 2-inconclusive", "passed"),
    ] {
        let mut parts: Vec<&str> = parts.split(' ').collect();
        for _ in 0..parts.len() {
            parts.rotate_left(1);
            let files: Vec<String> = parts.iter().map(|part| format!("{part}.json")).collect();
            let said = project.commute(&format!("report merge {}", files.join(" ")));
            let line = format!("test t ... {verdict}: ");
            assert!(said.stdout.contains(&line), "{parts:?}: {said:?}");
        }
    }
}

#[test]
fn a_shard_of_many_does_not_list_all_others() {
    let project = Project::new(&[]);
    let says = format!("2/{} passed", u64::MAX);
    project.write(
        "many.json",
        &(test("p", "--lib", "t", &says) + &summary("clean")),
    );
    let said = project.commute("report merge many.json");
    assert_eq!(said.code, Some(3), "{said:?}");
    assert_eq!(said.stdout.matches(" is missing").count(), 10, "{said:?}");
    let more = format!("and {} more", u64::MAX - 11);
    assert!(said.stdout.contains(&more), "{said:?}");
}

#[test]
fn what_is_outside_of_a_shard_is_not_called_fixed_without_a_word() {
    let project = Project::new(&[]);
    let finding = "{\"schema\":1,\"reason\":\"finding\",\"code\":\"CM302\",\"level\":\"error\",\
                   \"certainty\":\"observed\",\"fingerprint\":\"abcdef01\",\"title\":\"stuck\",\
                   \"events\":[],\"count\":1,\"notes\":[]}\n";
    let old = test("p", "--lib", "t", "failed") + finding + &summary("violations");
    project.write("old.json", &old);
    for (file, says) in [
        ("half/1.json", "1/2 passed"),
        ("both/1.json", "1/2 passed"),
        ("both/2.json", "2/2 passed"),
        ("retried/1.json", "1/2 passed"),
        ("retried/2.json", "2/2 inconclusive"),
        ("retried/3.json", "2/2 passed"),
    ] {
        project.write(file, &(test("p", "--lib", "t", says) + &summary("clean")));
    }
    let said = project.commute("report diff old.json half");
    assert_eq!(said.code, Some(3), "{said:?}");
    let note = "note: what is called fixed may not have been looked at: t: shard 2/2 is missing\n";
    assert_eq!(said.stderr, note);
    for all in ["both", "retried"] {
        let said = project.commute(&format!("report diff old.json {all}"));
        assert_eq!((said.code, &*said.stderr), (Some(0), ""), "{said:?}");
    }
    // Something that is found does not say what else there is.
    project.write(
        "half/1.json",
        &(test("p", "--lib", "t", "1/2 failed") + &summary("clean")),
    );
    let said = project.commute("report diff old.json half");
    assert_eq!((said.code, &*said.stderr), (Some(3), note), "{said:?}");
}
