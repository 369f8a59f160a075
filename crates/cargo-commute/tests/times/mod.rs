//! What a command prints, without how long it took: that is said only of what takes more
//! than a second, and on another day nothing does.

/// The text without `, 3.2 s` in lines about a whole run or test.
pub(crate) fn without_times(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let is_about = line.starts_with("commute: ") || line.starts_with("test ");
        match is_about {
            true => out += &without_time(line),
            false => out += line,
        }
    }
    out
}

fn without_time(line: &str) -> String {
    let mut out = String::new();
    for (i, part) in line.split(", ").enumerate() {
        match after_time(part).filter(|_| i > 0) {
            Some(rest) => out += rest,
            None => {
                out += if i > 0 { ", " } else { "" };
                out += part;
            }
        }
    }
    // As the harness of Rust's tests says it.
    match out.split_once("; finished in ") {
        Some((before, _)) => format!("{before}\n"),
        None => out,
    }
}

/// What comes after `3.2 s`, if it begins like that: `1 still there` does not.
fn after_time(part: &str) -> Option<&str> {
    let (number, rest) = part.split_once(" s")?;
    number.parse::<f64>().ok()?;
    let is_word = rest.starts_with(|c: char| c.is_alphanumeric());
    (!is_word).then_some(rest)
}

#[test]
fn times_are_left_out() {
    let text = "commute: clean in 1 crate, 3.2 s [x]\ntest a ... passed: 2, 1.50 s\n  1, 2 s\n";
    let expected = "commute: clean in 1 crate [x]\ntest a ... passed: 2\n  1, 2 s\n";
    assert_eq!(without_times(text), expected);
    let text = "commute: 0 new, 1 still there\n";
    assert_eq!(without_times(text), text);
    assert_eq!(
        without_times("test result: ok; finished in 0.00s\n"),
        "test result: ok\n"
    );
}
