//! What a run came to, at the top of the page.

use super::markup::Markup;
use crate::problem::{Place, Problem};
use crate::run::Run;
use crate::untrusted::{clip, clip_lines};
use crate::{Summary, Verdict};

/// Writes the verdict in a sentence.
pub(super) fn verdict(run: &Run<'_>, html: &mut Markup) {
    let summary = run.summary;
    html.raw(match summary.verdict {
        Verdict::Clean => "<p class=\"verdict clean\"><strong>Clean.</strong> ",
        Verdict::Violations => "<p class=\"verdict violations\"><strong>Violations.</strong> ",
        Verdict::Inconclusive => {
            "<p class=\"verdict inconclusive\"><strong>Inconclusive.</strong> "
        }
    });
    match (summary.verdict, summary.findings) {
        (Verdict::Clean, _) if summary.suppressed > 0 => {
            html.raw("Everything was looked at; what was found is known and suppressed.")
        }
        (Verdict::Clean, 0) => html.raw("Everything was looked at and nothing was found."),
        (Verdict::Clean, _) => html.raw("Everything was looked at; what was found is no error."),
        (Verdict::Violations, 1) => html.raw("There is 1 finding."),
        (Verdict::Violations, n) => html.raw("There are ").show(n).raw(" findings."),
        (Verdict::Inconclusive, 0) => {
            html.raw("Nothing was found, but not everything could be looked at.")
        }
        (Verdict::Inconclusive, _) => html.raw("What was found is not confirmed."),
    };
    if let Some(configured) = &summary.configured {
        let count = configured.suppressed + configured.known;
        html.raw(" Findings that <code>");
        html.text(&clip(&configured.file, 400));
        html.raw("</code> keeps out of this report: ")
            .show(count)
            .raw(".");
    }
    if summary.verdict == Verdict::Violations && !run.is_complete() {
        html.raw(" Not everything could be read.");
    }
    html.raw("</p>\n");
}

/// Writes the numbers, and the traces if there are several.
pub(super) fn summary(run: &Run<'_>, html: &mut Markup) {
    let summary = run.summary;
    html.raw("<section>\n<h2>Summary</h2>\n<dl class=\"numbers\">\n");
    html.raw("<div><dt>findings</dt><dd>")
        .show(summary.findings);
    for (i, (code, n)) in summary.codes.iter().enumerate() {
        html.raw(if i == 0 { " <small>" } else { ", " });
        html.show(code).raw(" ×\u{a0}").show(n);
    }
    if !summary.codes.is_empty() {
        html.raw("</small>");
    }
    html.raw("</dd></div>\n");
    for (name, n) in looked_at(summary) {
        html.raw("<div><dt>").raw(name).raw("</dt><dd>").show(n);
        html.raw("</dd></div>\n");
    }
    html.raw("<div><dt>analyses</dt><dd><small>");
    html.text(&summary.analyses.join(", "));
    html.raw("</small></dd></div>\n</dl>\n");
    traces(run, html);
    html.raw("</section>\n");
}

/// How much of what was looked at.
fn looked_at(summary: &Summary) -> Vec<(&'static str, u64)> {
    let suppressed = ("suppressed", summary.suppressed);
    if let Some(types) = summary.types {
        return vec![("types", types)];
    }
    if let Some(tests) = &summary.tests {
        return vec![
            suppressed,
            ("tests passed", tests.passed),
            ("tests failed", tests.failed),
            ("inconclusive", tests.inconclusive),
        ];
    }
    if let Some(looked) = &summary.looked {
        return vec![
            suppressed,
            ("crates", looked.crates),
            ("functions", looked.functions),
            ("regions", looked.regions),
        ];
    }
    vec![
        suppressed,
        ("events", summary.events),
        ("threads", summary.threads),
        ("objects", summary.objects),
    ]
}

fn traces(run: &Run<'_>, html: &mut Markup) {
    let summary = run.summary;
    let [all, one] = match (summary.types, &summary.tests, &summary.looked) {
        (Some(_), ..) => ["Specifications", "file"],
        (_, Some(_), _) => ["Tests", "test"],
        (.., Some(_)) => ["Source code", "where"],
        _ => ["Traces", "trace"],
    };
    html.raw("<div class=\"wide\" role=\"region\" aria-label=\"");
    html.raw(all).raw("\" tabindex=\"0\">\n<table>\n<caption>");
    html.raw(all)
        .raw("</caption>\n<thead><tr><th scope=\"col\">");
    html.raw(one).raw("</th><th scope=\"col\">findings</th>");
    html.raw("<th scope=\"col\">looked at</th></tr></thead>\n<tbody>\n");
    for trace in &run.traces {
        html.raw("<tr><td><code>").text(&clip(trace.name(), 400));
        html.raw("</code></td><td>");
        html.show(trace.findings.len() as u64 + trace.hidden);
        html.raw("</td><td>");
        html.raw(match (&trace.problem, trace.reasons) {
            (Some(_), _) => "not to its end",
            (None, []) => "completely",
            (None, _) => "to its end, but inconclusive",
        });
        html.raw("</td></tr>\n");
    }
    html.raw("</tbody>\n</table>\n</div>\n");
}

/// Writes what was wrong with the input, why there is no verdict, and remarks.
pub(super) fn trouble(run: &Run<'_>, html: &mut Markup) {
    let said = |t: &crate::TraceRun<'_>| !t.reasons.is_empty() || !t.notes.is_empty();
    if run.is_complete() && run.doubts.is_empty() && !run.traces.iter().any(said) {
        return;
    }
    html.raw("<section>\n<h2>What to know about the input</h2>\n<ul>\n");
    if let Some(failure) = run.failure {
        html.raw("<li><span class=\"error\">error</span> ");
        html.lines(&clip_lines(failure, 1000, 20), &[])
            .raw("</li>\n");
    }
    for doubt in run.doubts {
        html.raw("<li><span class=\"warning\">inconclusive</span> ");
        html.prose(&clip(doubt, 1000)).raw("</li>\n");
    }
    for trace in &run.traces {
        if let Some(error) = &trace.problem {
            problem(error, html);
        }
        for reason in trace.reasons {
            html.raw("<li><span class=\"warning\">inconclusive</span> <code>");
            html.text(&clip(trace.name(), 400)).raw("</code>: ");
            html.prose(&clip(reason, 1000)).raw("</li>\n");
        }
        for note in trace.notes {
            html.raw("<li><span class=\"note\">note</span> <code>");
            html.text(&clip(trace.name(), 400)).raw("</code>: ");
            html.prose(&clip(note, 1000)).raw("</li>\n");
        }
    }
    html.raw("</ul>\n</section>\n");
}

fn problem(problem: &Problem<'_>, html: &mut Markup) {
    html.raw("<li><span class=\"error\">error</span> <code>");
    html.text(&problem.origin()).raw("</code>: ");
    html.prose(&clip(problem.message, 1000));
    if let Place::Line { excerpt, .. } = problem.place
        && !excerpt.is_empty()
    {
        html.raw("\n<pre role=\"region\" aria-label=\"Line of the trace\" tabindex=\"0\">")
            .text(&clip(excerpt, 600));
        html.raw("</pre>");
    }
    if let Some(help) = problem.help {
        html.raw("<p>")
            .lines(&clip_lines(help, 1000, 20), &[])
            .raw("</p>");
    }
    html.raw("</li>\n");
}
