//! How text for people looks.

use annotate_snippets::Renderer;

/// How text for people looks. The caller knows the terminal; this crate does
/// not ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// How wide source excerpts may be, in columns.
    pub width: usize,
    /// Whether to say everything, at any length.
    pub verbose: bool,
}

impl Default for Style {
    /// Plain text, 100 columns, short.
    fn default() -> Style {
        Style {
            color: false,
            width: 100,
            verbose: false,
        }
    }
}

impl Style {
    pub(crate) fn renderer(&self) -> Renderer {
        let renderer = if self.color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.hyperlink(false).term_width(self.excerpt_width())
    }

    /// How wide excerpts are. A narrower one is not worth having, and the renderer's
    /// arithmetic expects some room.
    pub(crate) fn excerpt_width(&self) -> usize {
        self.width.clamp(40, 500)
    }

    /// How many characters of one text are shown.
    pub(crate) fn text_limit(&self) -> usize {
        if self.verbose { 10_000 } else { 400 }
    }

    /// How many characters of one action are shown.
    pub(crate) fn action_limit(&self) -> usize {
        if self.verbose { 10_000 } else { 120 }
    }
}
