//! A finding as a GitHub workflow command, which becomes an annotation of the
//! changed file.
//!
//! `::error file=pool.rs,line=12,col=5,title=…::text`; in the text a line end
//! is `%0A`. GitHub takes commands from any line of the log, so everything is
//! escaped: a trace must not be able to write commands of its own.

use commute_model::{Finding, Level, parse_location};

use crate::plain;
use crate::untrusted::clip;

/// The finding as one line, without a line end.
pub fn finding(finding: &Finding) -> String {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties = Vec::new();
    let place = finding.events.last().map(|event| event.location.as_str());
    if let Some((file, line, column)) = place.and_then(parse_location) {
        properties.push(format!("file={}", property(&clip(file, 400))));
        properties.push(format!("line={line}"));
        properties.extend(column.map(|column| format!("col={column}")));
    }
    let title = format!("{}: {}", finding.code, clip(&finding.title, 400));
    properties.push(format!("title={}", property(&title)));
    let properties = properties.join(",");
    format!(
        "::{command} {properties}::{}",
        message(&plain::lines(finding))
    )
}

fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
