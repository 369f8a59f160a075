//! What is left out of a report that would be too long.

/// What is left out. What is decided first is missed least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brevity {
    /// Events at one place share a label.
    pub(crate) one_label: bool,
    /// So many events are shown with their source.
    pub(crate) events: usize,
    /// Remarks that are short share a line; of the others the first is there.
    pub(crate) one_remark: bool,
    /// What to do about it and who says more share a line.
    pub(crate) one_help: bool,
    /// So many rows of a table are shown that are events of the finding.
    pub(crate) own_rows: usize,
    /// So many others.
    pub(crate) rows: usize,
}

impl Brevity {
    /// Nothing is left out.
    pub(crate) const NONE: Brevity = Brevity {
        one_label: false,
        events: usize::MAX,
        one_remark: false,
        one_help: false,
        own_rows: usize::MAX,
        rows: usize::MAX,
    };

    /// Briefer and briefer, each with the fewest rows.
    pub(crate) fn steps() -> impl Iterator<Item = Brevity> {
        (0..6).map(|step| Brevity {
            one_label: step >= 1,
            events: if step >= 2 { 2 } else { usize::MAX },
            one_remark: step >= 3,
            one_help: step >= 4,
            own_rows: if step >= 5 { 3 } else { 8 },
            rows: 0,
        })
    }
}
