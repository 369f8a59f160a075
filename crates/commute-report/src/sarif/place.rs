//! Places: files and regions, and names for what is no file.

use commute_model::parse_location;

use super::format::{ArtifactLocation, Location, LogicalLocation, PhysicalLocation, Region};

/// The place of an event as a trace gives it. What is not `file:line[:column]`
/// becomes a name; nothing at all if it is empty.
pub(super) fn place(location: &str) -> Location {
    if let Some((file, line, column)) = parse_location(location) {
        // Lines and columns count from 1: a zero says that they are not known.
        let known = |n: u32| (n > 0).then_some(u64::from(n));
        let region = known(line).map(|line| Region {
            start_line: Some(line),
            start_column: column.and_then(known),
            byte_offset: None,
        });
        return physical(file, region);
    }
    let named = (!location.is_empty()).then(|| LogicalLocation {
        fully_qualified_name: location.to_owned(),
    });
    Location {
        logical_locations: named.into_iter().collect(),
        ..Location::default()
    }
}

/// A place in a file.
pub(super) fn physical(file: &str, region: Option<Region>) -> Location {
    Location {
        physical_location: Some(PhysicalLocation {
            artifact_location: artifact(file),
            region,
        }),
        ..Location::default()
    }
}

/// A file.
pub(super) fn artifact(file: &str) -> ArtifactLocation {
    ArtifactLocation { uri: uri(file) }
}

/// The URI of a file: relative if the path is, with forward slashes, and with
/// everything encoded that could mean something else.
fn uri(file: &str) -> String {
    let path = file.replace('\\', "/");
    let drive = path
        .get(..3)
        .filter(|start| start.ends_with(":/") && start.as_bytes()[0].is_ascii_alphabetic());
    let (mut out, rest) = match drive {
        Some(drive) => (format!("file:///{drive}"), &path[3..]),
        None if path.starts_with('/') => ("file://".to_owned(), &path[..]),
        None => {
            let mut rest = &*path;
            while let Some(shorter) = rest.strip_prefix("./") {
                rest = shorter.trim_start_matches('/');
            }
            (String::new(), if rest.is_empty() { &*path } else { rest })
        }
    };
    for byte in rest.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        let check = |path: &str, expected: &str| assert_eq!(uri(path), expected);
        check("src/pool.rs", "src/pool.rs");
        check("./src/pool.rs", "src/pool.rs");
        check(".//src/pool.rs", "src/pool.rs");
        check("src\\pool.rs", "src/pool.rs");
        check("../a b/größe.rs", "../a%20b/gr%C3%B6%C3%9Fe.rs");
        check("/home/a#b?c%.rs", "file:///home/a%23b%3Fc%25.rs");
        check("C:\\src\\pool.rs", "file:///C:/src/pool.rs");
        check("javascript:alert(1)", "javascript%3Aalert%281%29");
        check("//host/x.rs", "file:////host/x.rs");
        check("\x1b\"<", "%1B%22%3C");
        check("é:/", "%C3%A9%3A/");
        check("./", "./");
    }

    #[test]
    fn what_is_no_file_is_a_name() {
        let json = |location| serde_json::to_string(&place(location)).unwrap();
        assert_eq!(json(""), "{}");
        assert_eq!(
            json("4711"),
            r#"{"logicalLocations":[{"fullyQualifiedName":"4711"}]}"#
        );
        assert_eq!(
            json("a.rs:0:7"),
            r#"{"physicalLocation":{"artifactLocation":{"uri":"a.rs"}}}"#
        );
        assert_eq!(
            json("a.rs:3:0"),
            r#"{"physicalLocation":{"artifactLocation":{"uri":"a.rs"},"region":{"startLine":3}}}"#
        );
    }
}
