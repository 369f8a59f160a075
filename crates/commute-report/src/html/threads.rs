//! The events of a finding in order, a column for each thread.

use commute_model::{EventRef, Finding};

use super::markup::Markup;
use crate::site::is_of_source;
use crate::untrusted::clip;

/// Wider tables are not readable: the threads beyond share the last column.
const MOST_THREADS: usize = 12;
/// More events are counted.
const MOST_EVENTS: usize = 200;

/// Writes the table; nothing if the finding names no events.
pub(super) fn table(finding: &Finding, html: &mut Markup) {
    let events = &finding.events[..finding.events.len().min(MOST_EVENTS)];
    let mut threads: Vec<&str> = Vec::new();
    for event in events {
        if !threads.contains(&event.thread.as_str()) {
            threads.push(&event.thread);
        }
    }
    if threads.is_empty() {
        return;
    }
    let columns = threads.len().min(MOST_THREADS);
    html.raw("<details>\n<summary>The events as a table</summary>\n");
    html.raw("<div class=\"wide\" role=\"region\" aria-label=\"Events\" tabindex=\"0\">\n");
    html.raw("<table class=\"events\">\n");
    html.raw(match is_of_source(finding) {
        true => "<caption>How it goes wrong, a column for each function</caption>\n",
        false => "<caption>What each thread did, in the order of the trace</caption>\n",
    });
    html.raw("<thead><tr><th scope=\"col\">event</th>");
    for (i, thread) in threads.iter().take(columns).enumerate() {
        html.raw("<th scope=\"col\">").text(&clip(thread, 80));
        if i + 1 == MOST_THREADS && threads.len() > columns {
            html.raw(" and others");
        }
        html.raw("</th>");
    }
    html.raw("</tr></thead>\n<tbody>\n");
    for (i, event) in events.iter().enumerate() {
        let last = i + 1 == finding.events.len();
        row(event, &threads, columns, last, html);
    }
    html.raw("</tbody>\n</table>\n</div>\n");
    if finding.events.len() > events.len() {
        let more = finding.events.len() - events.len();
        html.raw("<p>and ").show(more).raw(" more events</p>\n");
    }
    html.raw("</details>\n");
}

fn row(event: &EventRef, threads: &[&str], columns: usize, last: bool, html: &mut Markup) {
    html.raw(match last {
        true => "<tr class=\"here\"><th scope=\"row\">",
        false => "<tr><th scope=\"row\">",
    });
    html.show(event.index).raw("</th>");
    let own = threads.iter().position(|thread| *thread == event.thread);
    let own = own.unwrap_or_default().min(columns - 1);
    for column in 0..columns {
        html.raw("<td>");
        if column == own {
            if column + 1 == columns && threads.len() > columns {
                html.text(&clip(&event.thread, 80)).raw(": ");
            }
            html.raw("<code>").text(&clip(&event.action, 400));
            html.raw("</code>");
            if !event.location.is_empty() {
                html.raw("<br><small>").text(&clip(&event.location, 200));
                html.raw("</small>");
            }
        }
        html.raw("</td>");
    }
    html.raw("</tr>\n");
}
