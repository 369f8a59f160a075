//! Choosing which findings are shown: by code, object and thread. Only a script can do
//! that, so the form is hidden until one runs.

use std::collections::BTreeSet;

use commute_model::{Code, Finding};

use super::markup::Markup;
use crate::site::is_of_source;
use crate::untrusted::clip;

/// More are not listed.
const MOST: usize = 2000;

/// What there is to choose from.
pub(super) struct Filters<'a> {
    codes: Vec<Code>,
    objects: Vec<&'a str>,
    threads: Vec<&'a str>,
    /// Whether these are functions.
    are_functions: bool,
}

impl<'a> Filters<'a> {
    /// What these findings are about.
    pub(super) fn of(all: impl Iterator<Item = &'a Finding> + Clone) -> Filters<'a> {
        let findings = || all.clone();
        let codes: BTreeSet<Code> = findings().map(|finding| finding.code).collect();
        let objects: BTreeSet<&str> = { findings() }
            .filter_map(|finding| finding.object.as_deref())
            .collect();
        let threads: BTreeSet<&str> = { findings() }
            .flat_map(|finding| &finding.events)
            .map(|event| event.thread.as_str())
            .filter(|thread| !thread.is_empty())
            .collect();
        Filters {
            are_functions: findings().all(is_of_source),
            codes: codes.into_iter().collect(),
            objects: objects.into_iter().take(MOST).collect(),
            threads: threads.into_iter().take(MOST).collect(),
        }
    }

    /// Writes the form.
    pub(super) fn form(&self, html: &mut Markup) {
        html.raw("<form id=\"filters\" hidden aria-label=\"Which findings are shown\">\n");
        html.raw("<label>Code <select name=\"code\"><option value=\"\">all</option>");
        for code in &self.codes {
            html.raw("<option").set("value", code).raw(">").show(code);
            html.raw(" ").text(code.title()).raw("</option>");
        }
        let thread = match self.are_functions {
            true => "Function",
            false => "Thread",
        };
        for (label, name, values) in [
            ("Object", "object", &self.objects),
            (thread, "thread", &self.threads),
        ]
        .into_iter()
        .filter(|(.., values)| !values.is_empty())
        {
            html.raw("</select></label>\n<label>").raw(label);
            html.raw(" <select").set("name", name).raw(">");
            options(values, html);
        }
        html.raw("</select></label>\n<output></output>\n</form>\n");
    }

    /// Writes what a finding is chosen by.
    pub(super) fn attributes(&self, finding: &Finding, html: &mut Markup) {
        html.set("data-code", finding.code);
        let object = finding.object.as_deref().and_then(|object| {
            let place = self.objects.binary_search(&object);
            place.ok()
        });
        if let Some(object) = object {
            html.set("data-object", object);
        }
        let threads: BTreeSet<usize> = { finding.events.iter() }
            .filter_map(|event| self.threads.binary_search(&event.thread.as_str()).ok())
            .collect();
        html.raw(" data-threads=\"");
        for (i, thread) in threads.iter().enumerate() {
            html.raw(if i > 0 { " " } else { "" }).show(thread);
        }
        html.raw("\"");
    }
}

/// The names, by their places.
fn options(names: &[&str], html: &mut Markup) {
    html.raw("<option value=\"\">all</option>");
    for (i, name) in names.iter().enumerate() {
        html.raw("<option").set("value", i).raw(">");
        html.text(&clip(name, 80)).raw("</option>");
    }
}
