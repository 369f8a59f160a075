//! Lists of programs that are judged wrongly, and why: they may only say what
//! is so.

/// What is wrong with a list of those that fail: it lists one that passes, or
/// not one that fails.
pub(crate) fn compare(
    name: &str,
    failed: Option<&str>,
    known: &[(&str, &str)],
    wrong: &mut Vec<String>,
) {
    let listed = known.iter().any(|(listed, _)| *listed == name);
    match failed {
        Some(why) if !listed => wrong.push(format!("{name}: {why}")),
        None if listed => wrong.push(format!("{name} is listed as failing, but passes")),
        _ => {}
    }
}
