//! Tables of events, one column per thread, where there is not room enough.
//!
//! An analysis lays a table out as wide as it is. Each row has a cell in one column only,
//! so a cell may reach into the columns behind it: in a narrow place the columns begin
//! closer to each other, and nothing is cut that has room.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::untrusted::narrow;

/// Columns that begin closer than this cannot be told apart.
const CLOSEST: usize = 4;

/// The table in so many columns of the screen.
pub(crate) fn fit(table: &str, room: usize) -> String {
    if table.lines().all(|line| line.width() <= room) {
        return table.to_owned();
    }
    let mut lines = table.lines();
    let heading = lines.next().unwrap_or_default();
    let rows: Vec<(usize, &str)> = lines.map(cell).collect();
    let mut starts: Vec<usize> = rows.iter().map(|row| row.0).collect();
    starts.push(0);
    starts.sort_unstable();
    starts.dedup();
    let column = |start: usize| starts.binary_search(&start).unwrap_or(0);
    // As far apart as the widest cell of each column allows.
    let distance = |&(start, text): &(usize, &str)| match column(start) {
        0 => usize::MAX,
        n => room.saturating_sub(text.width()) / n,
    };
    let widest = starts.windows(2).map(|pair| pair[1] - pair[0]).max();
    let step = { rows.iter().map(distance) }.min().unwrap_or(usize::MAX);
    let step = step.min(widest.unwrap_or(room)).max(CLOSEST);
    let mut out = headings(heading, &starts, step, room);
    for (start, text) in rows {
        let before = step * column(start);
        let text = narrow(text, room.saturating_sub(before).max(CLOSEST));
        out += &format!("\n{:before$}{text}", "");
    }
    out
}

/// Where the only cell of a row begins, and its text.
fn cell(row: &str) -> (usize, &str) {
    let text = row.trim_start_matches(' ');
    (row.len() - text.len(), text.trim_end())
}

/// The names of the columns, each in the room up to the next.
fn headings(heading: &str, starts: &[usize], step: usize, room: usize) -> String {
    let mut names = vec![String::new(); starts.len()];
    let mut at = 0;
    for c in heading.chars() {
        let column = starts.partition_point(|start| *start <= at).max(1) - 1;
        names[column].push(c);
        at += c.width().unwrap_or(0);
    }
    let mut out = String::new();
    for (column, name) in names.iter().enumerate() {
        let before = step * column;
        let last = column + 1 == names.len();
        let space = if last {
            room.saturating_sub(before)
        } else {
            step - 1
        };
        let filled = out.width();
        out += &" ".repeat(before.saturating_sub(filled));
        out += &narrow(name.trim_end(), space.max(1));
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "main            worker\nfork(worker)\n                o.put('k',1)/nil\njoin(worker)";

    #[test]
    fn a_table_that_fits_is_as_it_was() {
        assert_eq!(fit(TABLE, 32), TABLE);
    }

    #[test]
    fn columns_move_together() {
        let narrow = "main        worker\nfork(worker)\n            o.put('k',1)/nil\njoin(worker)";
        assert_eq!(fit(TABLE, 28), narrow);
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        let cut = "mai…worker\nfork(worker)\n    o.put('…\njoin(worker)".replace("mai…", "ma… ");
        assert_eq!(fit(TABLE, 12), cut);
    }

    #[test]
    fn wide_letters_count_twice() {
        let table = "連接池    二\n一二三四\n          put(連接池)";
        for line in fit(table, 16).lines() {
            assert!(line.width() <= 16, "{line}");
        }
        assert_eq!(narrow("連接池", 4), "連…");
    }
}
