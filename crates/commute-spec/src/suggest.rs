//! "Did you mean …?"

/// Names longer than this are not compared; the cost is quadratic.
const LONGEST: usize = 40;

/// The candidate most like `word`, if one is like it enough to be what was meant.
///
/// ```
/// assert_eq!(commute_spec::closest("dictonary", ["set", "dictionary"]), Some("dictionary"));
/// ```
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match word.chars().count() {
        0..=1 => 0,
        2..=4 => 1,
        5..=LONGEST => 2,
        _ => return None,
    };
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 2 * LONGEST)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The same as advice for a diagnostic.
pub(crate) fn advice<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    closest(word, candidates).map(|name| format!("did you mean `{name}`?"))
}

/// How many characters must be inserted, deleted, replaced or exchanged with
/// their neighbour, case aside.
fn distance(a: &str, b: &str) -> usize {
    let lower = |text: &str| text.to_lowercase().chars().collect::<Vec<char>>();
    let (a, b) = (lower(a), lower(b));
    // rows[i][j]: from the first i characters of a to the first j of b.
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => {
                    let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    let crossed = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    match crossed {
                        true => best.min(rows[i - 2][j - 2] + 1),
                        false => best,
                    }
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_is_recognised() {
        assert_eq!(closest("szie", ["get", "size", "put"]), Some("size"));
        assert_eq!(closest("NIL", ["nil", "MIN"]), Some("nil"));
        assert_eq!(closest("k3", ["k1", "k2"]), Some("k1"));
        assert_eq!(closest("remove", ["get", "size", "put"]), None);
        assert_eq!(closest("x", ["y"]), None);
    }

    #[test]
    fn the_distance_is_the_number_of_edits() {
        for (a, b, expected) in [("", "abc", 3), ("kitten", "sitting", 3), ("ab", "ba", 1)] {
            assert_eq!(distance(a, b), expected);
            assert_eq!(distance(b, a), expected);
        }
    }
}
