//! What a diagram shows as a table, for those who read or hear it line by line.

use commute_model::{EventRef, Finding};

use super::diagram::{Shown, count};
use super::markup::Markup;
use crate::site::is_of_source;
use crate::untrusted::clip;

/// Writes the table; nothing if there are no events.
pub(super) fn table(finding: &Finding, shown: &[Shown], html: &mut Markup) {
    if shown.is_empty() {
        return;
    }
    html.raw("<details>\n<summary>The events as a table</summary>\n");
    html.raw("<div class=\"wide\" role=\"region\" aria-label=\"Events\" tabindex=\"0\">\n");
    html.raw("<table class=\"events\">\n");
    html.raw(match is_of_source(finding) {
        true => "<caption>How it goes wrong; in red where it does</caption>\n",
        false => "<caption>What was done, in the order of the trace; in red what the finding is about</caption>\n",
    });
    html.raw("<thead><tr><th scope=\"col\">event</th><th scope=\"col\">");
    html.raw(match is_of_source(finding) {
        true => "function",
        false => "thread",
    });
    html.raw(
        "</th><th scope=\"col\">what</th><th scope=\"col\">where</th></tr></thead>\n<tbody>\n",
    );
    for shown in shown {
        match shown {
            Shown::Event(event, is_marked) => row(event, *is_marked, html),
            Shown::Gap(hidden) => {
                html.raw("<tr><td colspan=\"4\">⋯ ").text(&count(*hidden));
                html.raw(match hidden {
                    1 => " event</td></tr>\n",
                    _ => " events</td></tr>\n",
                });
            }
        }
    }
    html.raw("</tbody>\n</table>\n</div>\n</details>\n");
}

fn row(event: &EventRef, is_marked: bool, html: &mut Markup) {
    html.raw(match is_marked {
        true => "<tr class=\"here\"><th scope=\"row\">",
        false => "<tr><th scope=\"row\">",
    });
    html.show(event.index).raw("</th><td>");
    html.text(&clip(&event.thread, 80)).raw("</td><td><code>");
    html.text(&clip(&event.action, 400)).raw("</code></td><td>");
    html.text(&clip(&event.location, 200)).raw("</td></tr>\n");
}
