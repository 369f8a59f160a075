//! What the signs of a diagram mean, with a sample of each.

use commute_model::{ExtentKind, Finding, Scene};

use super::data::{conflicts, meaning};
use crate::html::markup::Markup;

/// Writes the signs that a diagram has; `arrows` if events are ordered, `gaps` if some are
/// not shown.
pub(super) fn write(finding: &Finding, scene: &Scene, arrows: bool, gaps: bool, html: &mut Markup) {
    let has = |kind| scene.extents.iter().any(|extent| extent.kind == kind);
    let pairs = !conflicts(finding, scene).is_empty();
    let cycle = meaning(finding).0 == "cycle";
    let signs = [
        (true, "red", "what the finding is about"),
        (pairs && cycle, "before", "must come before"),
        (pairs && !cycle, "apart", "do not commute"),
        (arrows, "blue", "happens before the other"),
        (has(ExtentKind::Lock), "solid", "a lock is held"),
        (
            has(ExtentKind::SharedLock),
            "thin",
            "a lock is held with other readers",
        ),
        (has(ExtentKind::Block), "frame", "should be atomic"),
        (gaps, "more", "so many events are not shown"),
    ];
    html.raw("<ul class=\"key\">");
    for (_, class, text) in signs.into_iter().filter(|(is_there, ..)| *is_there) {
        html.raw("<li><i class=\"").raw(class).raw("\"></i>");
        html.raw(text).raw("</li>");
    }
    html.raw("</ul>\n");
}
