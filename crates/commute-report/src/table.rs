//! Tables of events, one column per thread, where there is not room enough.
//!
//! An analysis lays a table out as wide and as long as it is. Each row has a cell in one
//! column only, so a cell may reach into the columns behind it: in a narrow place the columns
//! begin closer to each other, and nothing is cut that has room. In a short place the events
//! that the finding is about stay, then what is next to them; where blocks begin and end says
//! least.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::untrusted::{clip, narrow};

/// Columns that begin closer than this cannot be told apart.
const CLOSEST: usize = 4;
/// What is between two columns if there is room.
const GAP: usize = 2;
/// Before an event of the pair that a prediction is about.
const MARKED: &str = "> ";
/// Before the others in such a table.
const UNMARKED: &str = "  ";

/// A table, taken apart.
pub(crate) struct Table {
    headings: Vec<String>,
    rows: Vec<Row>,
    /// How many rows were left out.
    hidden: usize,
}

struct Row {
    column: usize,
    text: String,
}

impl Table {
    /// The table that an analysis laid out; of a longer cell than `limit` characters the ends.
    pub(crate) fn parse(text: &str, limit: usize) -> Table {
        let mut lines = text.lines();
        let heading = lines.next().unwrap_or_default();
        let mut cells: Vec<(usize, &str)> = lines.map(cell).collect();
        // A mark and the room for one belong to the cell: all cells of a thread begin in
        // the same column.
        let is_marked = cells.iter().any(|(_, text)| text.starts_with(MARKED));
        let prefix = |text: &str| match is_marked && !text.starts_with(MARKED) {
            true => UNMARKED,
            false => "",
        };
        for (start, text) in &mut cells {
            *start = start.saturating_sub(prefix(text).len());
        }
        let mut starts: Vec<usize> = cells.iter().map(|cell| cell.0).collect();
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        let row = |(start, text): &(usize, &str)| Row {
            column: starts.binary_search(start).unwrap_or(0),
            text: format!("{}{}", prefix(text), clip(text, limit)),
        };
        let rows = cells.iter().map(row).collect();
        let headings = headings(heading, &starts);
        let headings = headings.iter().map(|name| clip(name, limit).into_owned());
        Table {
            headings: headings.collect(),
            rows,
            hidden: 0,
        }
    }

    /// Keeps the first rows.
    pub(crate) fn first(&mut self, most: usize) {
        if self.rows.len() > most {
            self.rows.truncate(most);
            let text = "…".to_owned();
            self.rows.push(Row { column: 0, text });
        }
    }

    /// Keeps so many rows of these events, and so many others.
    pub(crate) fn shorten(&mut self, events: &[u64], own: usize, others: usize) {
        let is_decisive = |row: &Row| row.index().is_some_and(|index| events.contains(&index));
        let decisive: Vec<usize> = { self.rows.iter().enumerate() }
            .filter(|(_, row)| is_decisive(row))
            .map(|(i, _)| i)
            .collect();
        let most = decisive.len().min(own).max(1) + others;
        if self.rows.len() <= most {
            return;
        }
        let rank = |i: usize| {
            let row = &self.rows[i];
            let near = decisive.iter().map(|place| place.abs_diff(i)).min();
            // Of two that are as near, the later one: there the finding became one.
            let later = self.rows.len() - i;
            (row.is_of_block(), near.unwrap_or(0), later)
        };
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|i| rank(*i));
        order.truncate(most);
        let all = std::mem::take(&mut self.rows);
        self.hidden = all.len() - most;
        self.rows = { all.into_iter().enumerate() }
            .filter(|(i, _)| order.contains(i))
            .map(|(_, row)| row)
            .collect();
    }

    /// The table in so many columns of the screen.
    pub(crate) fn fit(mut self, room: usize) -> String {
        self.drop_empty_columns();
        let starts = self.starts(room);
        let mut out = self.heading(&starts, room);
        let more = format!("(… {} more: `-v`)", self.hidden);
        let after = out.width() + GAP;
        let has_room = after + more.width() <= room;
        if self.hidden > 0 && has_room {
            out += &format!("{:GAP$}{more}", "");
        }
        for row in &self.rows {
            let before = starts[row.column];
            let text = narrow(&row.text, room.saturating_sub(before).max(CLOSEST));
            out += &format!("\n{:before$}{text}", "");
        }
        if self.hidden > 0 && !has_room {
            out += &format!("\n{more}");
        }
        out
    }

    fn drop_empty_columns(&mut self) {
        let used = |column: usize| self.rows.iter().any(|row| row.column == column);
        let kept: Vec<usize> = (0..self.headings.len()).filter(|c| used(*c)).collect();
        if kept.is_empty() {
            return;
        }
        self.headings = kept.iter().map(|c| self.headings[*c].clone()).collect();
        for row in &mut self.rows {
            row.column = kept.binary_search(&row.column).unwrap_or(0);
        }
    }

    /// Where the columns begin: one behind the other, or closer if there is not room enough.
    fn starts(&self, room: usize) -> Vec<usize> {
        let mut starts = Vec::new();
        let (mut next, mut widest) = (0, 0);
        for (column, name) in self.headings.iter().enumerate() {
            let cells = self.rows.iter().filter(|row| row.column == column);
            let cells = cells.map(|row| row.text.width());
            let width = cells.max().unwrap_or(0).max(name.width());
            starts.push(next);
            widest = widest.max(width + GAP);
            next += width + GAP;
        }
        if next.saturating_sub(GAP) <= room {
            return starts;
        }
        // As far apart as the widest cell of each column allows.
        let distance = |row: &Row| match row.column {
            0 => usize::MAX,
            n => room.saturating_sub(row.text.width()) / n,
        };
        let step = self.rows.iter().map(distance).min().unwrap_or(usize::MAX);
        let step = step.min(widest).max(CLOSEST);
        (0..self.headings.len()).map(|n| step * n).collect()
    }

    /// The names of the columns, each in the room up to the next.
    fn heading(&self, starts: &[usize], room: usize) -> String {
        let mut out = String::new();
        for (column, name) in self.headings.iter().enumerate() {
            let before = starts[column];
            let space = match starts.get(column + 1) {
                Some(next) => next - before - 1,
                None => room.saturating_sub(before),
            };
            let filled = out.width();
            out += &" ".repeat(before.saturating_sub(filled));
            out += &narrow(name, space.max(1));
        }
        out.trim_end().to_owned()
    }
}

impl Row {
    fn cell(&self) -> &str {
        let text = self.text.strip_prefix(MARKED);
        text.unwrap_or(&self.text).trim_start()
    }

    /// The number of the event.
    fn index(&self) -> Option<u64> {
        self.cell().split_once(':')?.0.parse().ok()
    }

    /// Whether a block begins or ends here, or nothing is said.
    fn is_of_block(&self) -> bool {
        let Some((_, operation)) = self.cell().split_once(": ") else {
            return true;
        };
        let word = operation.split(['(', ' ']).next().unwrap_or_default();
        matches!(word, "begin" | "end")
    }
}

/// Where the only cell of a row begins, and its text.
fn cell(row: &str) -> (usize, &str) {
    let text = row.trim_start_matches(' ');
    (row.len() - text.len(), text.trim_end())
}

/// The names of the columns that begin here.
fn headings(heading: &str, starts: &[usize]) -> Vec<String> {
    let mut names = vec![String::new(); starts.len()];
    let mut at = 0;
    for c in heading.chars() {
        let column = starts.partition_point(|start| *start <= at).max(1) - 1;
        names[column].push(c);
        at += c.width().unwrap_or(0);
    }
    names
        .iter()
        .map(|name| name.trim_end().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "main          worker\nfork(worker)\n              o.put('k',1)/nil\njoin(worker)";

    fn fit(table: &str, room: usize) -> String {
        Table::parse(table, 400).fit(room)
    }

    #[test]
    fn a_table_that_fits_is_as_it_was() {
        assert_eq!(fit(TABLE, 30), TABLE);
    }

    #[test]
    fn columns_move_together() {
        let narrow = "main        worker\nfork(worker)\n            o.put('k',1)/nil\njoin(worker)";
        assert_eq!(fit(TABLE, 28), narrow);
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        let cut = "ma… worker\nfork(worker)\n    o.put('…\njoin(worker)";
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

    /// T2 comes first, T1 is marked in between, the last row is marked in T2.
    const MARKS: &str = "\
T1                            T2
                                9: acq(stdout) logged.rs:9
                                10: rel(stdout) logged.rs:9
> 6: o.put('a.com') logged.rs:11
                              > 11: o.put('a.com') logged.rs:11
  7: rel(stdout) logged.rs:12";

    #[test]
    fn a_mark_is_part_of_its_cell() {
        for room in 40..80 {
            let table = fit(MARKS, room);
            let start_of = |cell: &str| {
                let line = table.lines().find(|line| line.contains(cell));
                line.and_then(|line| line.find(cell)).expect(cell) - 2
            };
            assert_eq!(start_of("6: o"), 0, "{table}");
            assert_eq!(start_of("7: rel"), 0, "{table}");
            let second = table.find("T2").expect("a heading");
            for cell in ["9: acq", "10: rel", "11: o"] {
                assert_eq!(start_of(cell), second, "{table}");
            }
            assert!(table.lines().all(|line| line.width() <= room), "{table}");
        }
    }

    #[test]
    fn what_the_finding_is_about_stays() {
        let shortened = |text: &str, events: &[u64], others| {
            let mut table = Table::parse(text, 400);
            table.shorten(events, 3, others);
            table.fit(100)
        };
        let pair = "T1                                T2  (… 3 more: `-v`)
> 6: o.put('a.com') logged.rs:11
                                  > 11: o.put('a.com') logged.rs:11";
        assert_eq!(shortened(MARKS, &[6, 11], 0), pair);
        // What is next to them comes next.
        let near = shortened(MARKS, &[6, 11], 2);
        assert!(
            near.contains("10: rel") && near.contains("7: rel"),
            "{near}"
        );
        assert!(
            !near.contains("9: acq") && near.contains("1 more"),
            "{near}"
        );
        let blocks = "T0          T1\n2: begin(b)\n4: r(x)\n            6: begin(b)\n            11: w(x)\n            13: end\n14: acq(l)\n15: w(x)\n17: end";
        let short = shortened(blocks, &[4, 11, 15], 1);
        assert_eq!(
            short,
            "T0          T1  (… 4 more: `-v`)\n4: r(x)\n            11: w(x)\n14: acq(l)\n15: w(x)"
        );
    }
}
