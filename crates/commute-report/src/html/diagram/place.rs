//! Places in boxes: the name of the file and the line. The line is never cut off.

use std::borrow::Cow;

use commute_model::parse_location;
use unicode_width::UnicodeWidthStr;

use crate::untrusted::{narrow, visible};

/// A place without its folders and its column, and with everything visible.
pub(super) fn name(location: &str) -> Cow<'_, str> {
    let (file, line) = parts(location);
    match line {
        Some(line) => format!("{}:{line}", visible(file)).into(),
        None => visible(file),
    }
}

/// The same in so many columns: a longer name of a file is cut in its middle.
pub(super) fn short(location: &str, room: usize) -> Cow<'_, str> {
    let whole = name(location);
    let (file, line) = parts(location);
    let Some(line) = line.filter(|_| whole.width() > room) else {
        return narrow(&whole, room).into_owned().into();
    };
    let line = format!(":{line}");
    let file = visible(file);
    let left = room.saturating_sub(line.len() + 1);
    let mut end = String::new();
    for c in file.chars().rev() {
        end.insert(0, c);
        if end.width() > left / 2 {
            end.remove(0);
            break;
        }
    }
    let start = narrow(&file, (left - end.width().min(left)) + 1);
    format!("{start}{end}{line}").into()
}

fn parts(location: &str) -> (&str, Option<u32>) {
    let (file, line) = match parse_location(location) {
        Some((file, line, _)) => (file, Some(line)),
        None => (location, None),
    };
    let file = file.rsplit(['/', '\\']).next();
    (file.unwrap_or_default(), line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_is_never_cut_off() {
        let check = |location, room, expected: &str| assert_eq!(short(location, room), expected);
        check("src/pool.rs:12:7", 20, "pool.rs:12");
        check("src/connection_manager.rs:1042", 16, "conne…er.rs:1042");
        check(
            "src/connection_manager.rs:1042",
            24,
            "connectio…anager.rs:1042",
        );
        check("no place", 4, "no …");
        check("", 4, "");
    }

    proptest! {
        #[test]
        fn it_fits(file in "[a-zé日/]{0,30}", line in 1_u32..5000, room in 8_usize..40) {
            let text = short(&format!("{file}.rs:{line}"), room).into_owned();
            prop_assert!(text.width() <= room, "{}", text);
            let line = format!(":{line}");
            prop_assert!(text.ends_with(&line), "{}", text);
        }
    }
}
