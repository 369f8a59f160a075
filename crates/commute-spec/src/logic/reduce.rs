//! Dropping variables on which nothing depends.

/// Drops variable `bit` of a function that is given as the list of its values,
/// if the function does not depend on it. `None` is a value that never matters.
pub(crate) fn drop_variable<T: Copy + PartialEq>(values: &mut Vec<Option<T>>, bit: usize) -> bool {
    let bit = 1 << bit;
    let pair = |i: usize| (values[i & !bit], values[i | bit]);
    let agree = |(a, b): (Option<T>, Option<T>)| a == b || a.is_none() || b.is_none();
    if !(0..values.len()).all(|i| agree(pair(i))) {
        return false;
    }
    // The rows without the variable: those whose bit is 0, and it is squeezed out.
    let kept = (0..values.len() / 2).map(|i| ((i & !(bit - 1)) << 1) | (i & (bit - 1)));
    *values = kept.map(|i| pair(i).0.or(pair(i).1)).collect();
    true
}

/// Drops all of these variables on which the function does not depend.
pub(crate) fn drop_variables<T: Copy + PartialEq, V>(
    values: &mut Vec<Option<T>>,
    variables: &mut Vec<V>,
) {
    let mut bit = 0;
    while bit < variables.len() {
        match drop_variable(values, bit) {
            true => drop(variables.remove(bit)),
            false => bit += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_stays() {
        // a xor c, where b does not matter, over (a, b, c).
        let value = |row: usize| Some((row & 1 == 1) != (row >> 2 & 1 == 1));
        let mut values: Vec<_> = (0..8).map(value).collect();
        let mut names = vec!["a", "b", "c"];
        drop_variables(&mut values, &mut names);
        assert_eq!(names, ["a", "c"]);
        assert_eq!(values, [Some(false), Some(true), Some(true), Some(false)]);
        // What never happens agrees with everything.
        let mut values = vec![Some(1), None, None, Some(1)];
        let mut names = vec!["a", "b"];
        drop_variables(&mut values, &mut names);
        assert_eq!((values, names.len()), (vec![Some(1)], 0));
    }
}
