//! What is wrong with specifications, as documents.

use serde_json::{Value, json};

use super::{CONNECTIONS, commute, file, notifications, place, sarif, text};

const UNSOUND: &str = "type pair {
  model map
  put(k, v) -> p  mutates v != p
  get(k) -> v
  put ~ put : true
  put(k1, v1)/p1 ~ get(k2)/v2 : k1 != k2
}
type other {
  model nothing
  f()
  f ~ f : true
}
";

/// Places of a specification are no events: nobody does anything there.
#[test]
fn what_is_wrong_with_specifications_is_in_documents() {
    let unsound = file("unsound.ecl", UNSOUND);
    let (code, run) = sarif(&["spec", "verify", &unsound]);
    assert_eq!(code, Some(2), "there is a model that nobody knows");
    let results = run["results"].as_array().expect("results");
    let codes: Vec<&Value> = results.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(codes, ["CM908", "CM909", "CM909"]);
    let location = &results[0]["locations"][0];
    assert_eq!(location["physicalLocation"]["region"]["startLine"], 5);
    assert_eq!(location["message"]["text"], "holds in this counterexample");
    let said = results[0]["message"]["text"].as_str().expect("a text");
    assert!(said.contains("example: in state ()"), "{said}");
    assert_eq!(results[0]["codeFlows"], Value::Null);
    let (successful, said) = notifications(&run);
    assert_eq!(
        (successful, said.as_array().map(Vec::len)),
        (&json!(false), Some(1))
    );
    let region = &said[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 9, "{said}");

    let page = place("specification.html");
    let html = [
        "--html",
        &page.to_string_lossy(),
        "--message-format",
        "junit",
    ];
    let output = commute(&[&["spec", "check", &unsound, "counter"][..], &html].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let junit = text(&output.stdout);
    // Advice is no failure.
    assert!(
        junit.contains("tests=\"2\" skipped=\"0\" failures=\"0\" errors=\"0\""),
        "{junit}"
    );
    assert!(junit.contains("<system-out>warning[CM905]"), "{junit}");
    let page = std::fs::read_to_string(page).expect("a page");
    for shown in [
        "what was found is no error",
        "CM905",
        "<dt>types</dt><dd>3</dd>",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    for strange in ["<svg", "event 1", "<dt>events", "name=\"thread\""] {
        assert!(!page.contains(strange), "{strange}");
    }

    let (code, run) = sarif(&["spec", "check", "no-such-file.ecl"]);
    assert_eq!((code, notifications(&run).0), (Some(2), &json!(false)));
    assert_eq!(run["properties"]["verdict"], "inconclusive");
}

#[test]
fn github_is_told_where_a_specification_is_wrong() {
    let bad = file(
        "bad.ecl",
        "type a {\n  f(x)\n  f(x1) ~ f(x2) : x1 != y\n}\n",
    );
    let github = ["--message-format", "github"];
    for command in [
        &["spec", "check", &bad][..],
        &["check", CONNECTIONS, "--spec", &bad],
    ] {
        let output = commute(&[command, &github].concat());
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stdout);
        let expected =
            "documents-bad.ecl,line=3,col=25,title=CM902%3A nothing here is called `y`::";
        let is_told = said.starts_with("::error file=") && said.contains(expected);
        assert!(is_told, "{said}");
    }
    let output = commute(&[&["spec", "check", "no-such-file.ecl"][..], &github].concat());
    let said = text(&output.stdout);
    assert!(
        said.starts_with("::error file=no-such-file.ecl::"),
        "{said}"
    );
}

/// The page of a specification does not overwrite it.
#[test]
fn a_page_does_not_overwrite_a_specification() {
    let path = file("kept.ecl", UNSOUND);
    let output = commute(&["spec", "check", &path, "--html", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), UNSOUND);
}
