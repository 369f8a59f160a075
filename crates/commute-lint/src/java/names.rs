//! Names: as class files have them, and as people write them.

/// `a/b/C` as `a.b.C`.
pub(super) fn dotted(class: &str) -> String {
    class.replace('/', ".")
}

/// The name without its package and outer classes: `Entry` of `a/b/Map$Entry`.
pub(super) fn simple(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

/// A class for reports about libraries: without its package.
pub(super) fn short(class: &str) -> String {
    let short = class.rsplit('/').next().unwrap_or(class);
    short.replace('$', ".")
}

/// A descriptor as the language writes the type: `int[]` for `[I`.
pub(super) fn of_descriptor(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let name = match element {
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "D" => "double".to_owned(),
        "F" => "float".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "S" => "short".to_owned(),
        "Z" => "boolean".to_owned(),
        "V" => "void".to_owned(),
        _ => dotted(class_of(element).unwrap_or(element)),
    };
    format!("{name}{}", "[]".repeat(dimensions))
}

/// The class in `La/b/C;`; nothing for other descriptors.
pub(super) fn class_of(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// The parameters and the result of a method descriptor. What is malformed
/// ends the list.
pub(super) fn signature(descriptor: &str) -> (Vec<&str>, &str) {
    let (mut rest, result) = match descriptor.strip_prefix('(').and_then(|d| d.split_once(')')) {
        Some(parts) => parts,
        None => return (Vec::new(), "V"),
    };
    let mut parameters = Vec::new();
    while !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let length = match element.as_bytes().first() {
            Some(b'L') => element.find(';').map(|end| end + 1),
            Some(_) => element.chars().next().map(char::len_utf8),
            None => None,
        };
        let Some(length) = length else { break };
        let (parameter, others) = rest.split_at(rest.len() - element.len() + length);
        parameters.push(parameter);
        rest = others;
    }
    (parameters, result)
}

/// Whether values of this type take two slots.
pub(super) fn is_wide(descriptor: &str) -> bool {
    matches!(descriptor, "J" | "D")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures() {
        let (parameters, result) = signature("(I[[JLa/B;[La/C;)V");
        assert_eq!(parameters, ["I", "[[J", "La/B;", "[La/C;"]);
        assert_eq!(result, "V");
        assert_eq!(signature("(I[").0, [""; 0]);
        assert_eq!(signature("(L").0, [""; 0]);
        assert_eq!(signature("([").0, [""; 0]);
        assert_eq!(of_descriptor("[[La/B;"), "a.B[][]");
    }
}
