//! A table of events, one column per thread.

use commute_model::{LocationId, Names, ThreadId};
use unicode_width::UnicodeWidthStr;

/// The text, or its beginning and its end, in which names differ most: a line of
/// a table must not become too long.
pub(crate) fn short(text: impl ToString, limit: usize) -> String {
    let text = text.to_string();
    let length = text.chars().count();
    if length <= limit {
        return text;
    }
    let head: String = text.chars().take(limit / 3).collect();
    let tail: String = text.chars().skip(length - (limit - limit / 3)).collect();
    format!("{head}…{tail}")
}

/// The file, without its directories, and the line.
pub(crate) fn file_and_line(location: LocationId, names: &Names) -> String {
    let name = names.locations.name(location).to_string();
    short(name.rsplit(['/', '\\']).next().unwrap_or(""), 24)
}

/// The rows, each in the column of its thread.
pub(crate) fn table(rows: &[(ThreadId, String)], names: &Names) -> String {
    let mut threads: Vec<ThreadId> = rows.iter().map(|row| row.0).collect();
    threads.sort_unstable();
    threads.dedup();
    let heading = |t: &ThreadId| short(names.threads.name(*t), 24);
    let headings: Vec<String> = threads.iter().map(heading).collect();
    let column = |t: ThreadId| threads.binary_search(&t).unwrap_or(0);
    let rows = rows.iter().map(|(t, text)| (column(*t), text.clone()));
    lay_out(&headings, &rows.collect::<Vec<_>>())
}

/// A table: each row has text in one column.
///
/// ```
/// let rows = [(0, "fork(T1)".to_owned()), (1, "w(x)".to_owned())];
/// let table = commute_detect::lay_out(&["main".to_owned(), "T1".to_owned()], &rows);
/// assert_eq!(table, "main      T1\nfork(T1)\n          w(x)");
/// ```
pub fn lay_out(headings: &[String], rows: &[(usize, String)]) -> String {
    let width = |(column, heading): (usize, &String)| {
        let own = rows.iter().filter(|row| row.0 == column);
        let cells = own.map(|row| row.1.width());
        cells.max().unwrap_or(0).max(heading.width())
    };
    let widths: Vec<usize> = headings.iter().enumerate().map(width).collect();
    let line = |cell: &dyn Fn(usize) -> String| {
        let cells = widths.iter().enumerate();
        // Letters may be two columns wide, or none: the text is filled up by hand.
        let cells = cells.map(|(column, &width)| {
            let text = cell(column);
            let room = width.saturating_sub(text.width());
            format!("{text}{:room$}", "")
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&|column| headings[column].clone())];
    for (own, text) in rows {
        lines.push(line(&|column| match column == *own {
            true => text.clone(),
            false => String::new(),
        }));
    }
    lines.join("\n")
}
