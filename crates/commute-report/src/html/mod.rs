//! A run as a page for people: one file, without anything to fetch. All of it is there
//! without scripts, too; the one script that it has lets diagrams be stepped through and
//! unfolded, and findings be filtered.
//!
//! The page declares that it may load nothing, and run nothing but that script, which it
//! names by its digest (its content security policy), in case the escaping of [`markup`]
//! were ever wrong.

mod diagram;
mod filters;
mod finding;
mod markup;
mod overview;
mod places;
mod source;
mod threads;

use base64::prelude::{BASE64_STANDARD, Engine};
use commute_model::{Code, Finding};
use sha2::{Digest, Sha256};

use crate::Verdict;
use crate::lead::{Part, lead};
use crate::run::{Run, TraceRun};
use diagram::Written;
use filters::Filters;
use markup::Markup;

/// What the page can do if scripts are allowed.
const SCRIPT: &str = include_str!("script.js");

/// The page, with a line end after the last line.
pub fn page(run: &Run<'_>) -> String {
    let mut html = Markup::default();
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" ");
    html.raw("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-");
    html.text(&digest(SCRIPT)).raw("'\">\n<title>");
    html.show(run.summary.verdict)
        .raw(" · Commute</title>\n<style>\n");
    html.raw(include_str!("style.css"))
        .raw("</style>\n</head>\n<body>\n");

    html.raw("<header>\n<h1>Commute report</h1>\n");
    overview::verdict(run, &mut html);
    html.raw("</header>\n");
    html.raw("<main>\n");
    overview::summary(run, &mut html);
    overview::trouble(run, &mut html);
    findings(run, &mut html);
    codes(run, &mut html);
    html.raw("</main>\n<footer>\n<p>Written by Commute ")
        .text(run.version);
    html.raw(" (<code>commute ").text(run.command);
    html.raw("</code>).</p>\n</footer>\n<script>").raw(SCRIPT);
    html.raw("</script>\n</body>\n</html>\n");
    html.finish()
}

/// The digest of a script, as policies name it.
fn digest(script: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(script.as_bytes()))
}

/// So many findings are drawn: a browser has to show the page.
const MOST_FINDINGS: usize = 1_000;

/// The findings that are drawn, with the trace each is from.
fn drawn<'a>(run: &'a Run<'a>) -> impl Iterator<Item = (&'a TraceRun<'a>, &'a Finding)> + Clone {
    run.findings().take(MOST_FINDINGS)
}

/// A list of the findings with their places, if there are so many that one is of use.
fn contents(run: &Run<'_>, html: &mut Markup) {
    html.raw("<details class=\"contents\" open>\n<summary>List of the findings</summary>\n");
    html.raw("<nav aria-label=\"Findings\">\n<ol>\n");
    for (i, (_, finding)) in drawn(run).enumerate() {
        html.raw("<li><a href=\"#finding-").show(i + 1).raw("\">");
        html.show(finding.code).raw("</a> ");
        let names = finding::names(finding);
        html.prose_of(&crate::clip(&finding.title, 200), &names);
        let place = finding.events.last().map_or("", |event| &*event.location);
        if !place.is_empty() {
            html.raw(" <small>").text(&crate::clip(place, 80));
            html.raw("</small>");
        }
        html.raw("</li>\n");
    }
    html.raw("</ol>\n</nav>\n</details>\n");
}

/// How many events a trace has, if it is one and all of them count.
fn total(run: &Run<'_>, trace: &TraceRun<'_>) -> Option<u64> {
    matches!(run.command, "check" | "run").then_some(trace.events)
}

fn findings(run: &Run<'_>, html: &mut Markup) {
    html.raw("<section>\n<h2>Findings</h2>\n");
    let filters = Filters::of(drawn(run).map(|(_, finding)| finding));
    let (all, of) = (run.findings().count(), drawn(run).count());
    if all > of {
        html.raw("<p id=\"not-drawn\">The first ").show(of);
        html.raw(" of ")
            .show(all)
            .raw(" findings are drawn on this page. ");
        html.raw("<code>--message-format json</code> and <code>sarif</code> have all of them; ");
        html.raw("without those that <code>--suppress</code> and <code>--baseline</code> name, ");
        html.raw("others are drawn.</p>\n");
    }
    if of > 1 {
        filters.form(html);
        contents(run, html);
    }
    let mut written = Written::default();
    for (i, (trace, finding)) in drawn(run).enumerate() {
        let total = total(run, trace);
        finding::article(
            (i + 1, of),
            finding,
            trace,
            total,
            &filters,
            &mut written,
            html,
        );
    }
    let hidden: u64 = run.traces.iter().map(|trace| trace.hidden).sum();
    if hidden > 0 {
        html.raw("<p>").show(hidden);
        html.raw(" more are not shown (<code>--max-findings</code>).</p>\n");
    } else if run.findings().next().is_none() {
        html.raw(match run.summary.verdict {
            Verdict::Inconclusive => {
                "<p>There are none, but that does not mean that there is nothing to find.</p>\n"
            }
            _ => "<p>There are none.</p>\n",
        });
    }
    html.raw("</section>\n");
}

/// What the codes mean that occur.
fn codes(run: &Run<'_>, html: &mut Markup) {
    let codes = run.codes();
    if codes.is_empty() {
        return;
    }
    html.raw("<section>\n<h2>What the codes mean</h2>\n");
    for code in codes {
        meaning(code, (run.pages)(code), html);
    }
    html.raw("</section>\n");
}

fn meaning(code: Code, page: &str, html: &mut Markup) {
    html.raw("<h3 id=\"").show(code).raw("\">").show(code);
    html.raw(": ").text(code.title()).raw("</h3>\n");
    for part in lead(page) {
        match part {
            Part::Paragraph(text) => {
                html.raw("<p>").prose(&text).raw("</p>\n");
            }
            Part::Table(names, rows) => table(&names, &rows, html),
        }
    }
}

fn table(names: &[String], rows: &[Vec<String>], html: &mut Markup) {
    html.raw("<div class=\"wide\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">\n");
    html.raw("<table>\n<thead><tr>");
    for name in names {
        // A column may go without a name.
        html.raw(match name.is_empty() {
            true => "<td>",
            false => "<th scope=\"col\">",
        });
        html.prose(name).raw(match name.is_empty() {
            true => "</td>",
            false => "</th>",
        });
    }
    html.raw("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.raw("<tr>");
        for cell in row {
            html.raw("<td>").prose(cell).raw("</td>");
        }
        html.raw("</tr>\n");
    }
    html.raw("</tbody>\n</table>\n</div>\n");
}
