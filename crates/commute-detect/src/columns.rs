//! A table of events, one column per thread.

use commute_model::{LocationId, Names, ThreadId};

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
    let width = |t: &ThreadId| {
        let own = rows.iter().filter(|row| row.0 == *t);
        let cells = own.map(|row| row.1.chars().count());
        cells.max().unwrap_or(0).max(heading(t).chars().count())
    };
    let widths: Vec<usize> = threads.iter().map(width).collect();
    let line = |cell: &dyn Fn(&ThreadId) -> String| {
        let cells = threads.iter().zip(&widths);
        let cells = cells.map(|(t, &width)| format!("{:<width$}", cell(t)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&heading)];
    for (thread, text) in rows {
        lines.push(line(&|t| match t == thread {
            true => text.clone(),
            false => String::new(),
        }));
    }
    lines.join("\n")
}
