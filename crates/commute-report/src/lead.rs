//! What the page of a code says before its first section. Pages are written in Markdown;
//! of that a lead has paragraphs, links and tables.

/// A part of a lead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A paragraph, its lines joined.
    Paragraph(String),
    /// A table: the names of its columns, and its rows.
    Table(Vec<String>, Vec<Vec<String>>),
}

/// The parts of the lead of a page.
pub(crate) fn lead(page: &str) -> Vec<Part> {
    let body = page.split_once('\n').map_or("", |(_, body)| body);
    let lead = body.split("\n## ").next().unwrap_or_default();
    let parts = lead.split("\n\n").map(str::trim);
    parts.filter(|part| !part.is_empty()).map(part).collect()
}

/// A lead as text, without the names of columns: a row of a table is a line.
pub(crate) fn plain(parts: &[Part]) -> String {
    let line = |cells: &Vec<String>| format!("- {}", cells.join(": "));
    let text = |part: &Part| match part {
        Part::Paragraph(text) => text.clone(),
        Part::Table(_, rows) => rows.iter().map(line).collect::<Vec<_>>().join("\n"),
    };
    parts.iter().map(text).collect::<Vec<_>>().join("\n\n")
}

fn part(text: &str) -> Part {
    if !text.starts_with('|') {
        let joined = text.lines().collect::<Vec<_>>().join(" ");
        return Part::Paragraph(without_links(&joined));
    }
    // The second line is between the names and the rows.
    let mut lines = text.lines();
    let names = cells(lines.next().unwrap_or_default());
    Part::Table(names, lines.skip(1).map(cells).collect())
}

fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    { line.split('|') }
        .map(|cell| without_links(cell.trim()))
        .collect()
}

/// A text with the words of its links. What looks like a link in code is none.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    for (number, piece) in text.split('`').enumerate() {
        if number > 0 {
            out.push('`');
        }
        let mut rest = piece;
        while number % 2 == 0
            && let Some((words, after)) = rest.split_once("](")
            && let Some((before, words)) = words.rsplit_once('[')
            && let Some((_, end)) = after.split_once(')')
        {
            out.push_str(before);
            out.push_str(words);
            rest = end;
        }
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_of_a_page_ends_at_its_first_section() {
        let page = "# CM101: title\n\nTwo threads\nmet.\n\nMore.\n\n## Example\n\nText.\n";
        let texts = ["Two threads met.", "More."].map(str::to_owned);
        assert_eq!(lead(page), texts.map(Part::Paragraph));
        assert!(lead("").is_empty());
    }

    #[test]
    fn nothing_of_markdown_is_left() {
        let page = "# CM202: title\n\nIt is in the [source](../lint.md), or the\n\
            [other](a.md) `a[0](1)`.\n\n| what | |\n|---|---|\n| `a` | see [b](b.md) |\n| c | d |\n\n\
            ## Example\n";
        let parts = lead(page);
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            parts,
            [
                Part::Paragraph("It is in the source, or the other `a[0](1)`.".to_owned()),
                Part::Table(
                    row(["what", ""]),
                    vec![row(["`a`", "see b"]), row(["c", "d"])]
                ),
            ]
        );
        let text = "It is in the source, or the other `a[0](1)`.\n\n- `a`: see b\n- c: d";
        assert_eq!(plain(&parts), text);
    }

    #[test]
    fn the_pages_have_nothing_else() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/codes");
        let mut pages = 0;
        for file in std::fs::read_dir(folder).expect("the pages") {
            let path = file.expect("a page").path();
            let page = std::fs::read_to_string(&path).expect("a text");
            let text = plain(&lead(&page));
            for sign in ["](", "\n|", "---|", "**", "```", "\n#", "\n* ", "\n1. "] {
                assert!(!text.contains(sign), "{sign} in {}", path.display());
            }
            pages += 1;
        }
        assert!(pages > 10, "{pages} pages");
    }
}
