//! The place in the text a parser has reached.

use commute_model::{Code, Diagnostic, Span};

use super::advice;
use super::diagnostics::Diagnostics;
use super::lexer::{Lexeme, Lexer, Token};
use super::syntax::Name;

/// An error was reported; the caller looks for a place to go on.
#[derive(Debug)]
pub(super) struct Failed;

/// The current token, the one after it, and what was reported so far.
pub(super) struct Cursor<'t> {
    lexer: Lexer<'t>,
    current: Lexeme<'t>,
    ahead: Lexeme<'t>,
    previous: Span,
    pub(super) diagnostics: Diagnostics,
    /// How many brackets and operators are open around the current token.
    pub(super) level: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Cursor<'t> {
        let mut lexer = Lexer::new(text);
        Cursor {
            current: lexer.next(),
            ahead: lexer.next(),
            lexer,
            previous: Span::default(),
            diagnostics: Diagnostics::default(),
            level: 0,
        }
    }

    /// The current token.
    pub(super) fn token(&self) -> Token<'t> {
        self.current.token
    }

    /// The token after the current one.
    pub(super) fn next_token(&self) -> Token<'t> {
        self.ahead.token
    }

    /// Where the current token is.
    pub(super) fn span(&self) -> Span {
        self.current.span
    }

    /// Whether the current token is the first of its line.
    pub(super) fn fresh(&self) -> bool {
        self.current.fresh
    }

    /// Whether the token after the current one is the first of its line.
    pub(super) fn next_is_fresh(&self) -> bool {
        self.ahead.fresh
    }

    /// From `start` to the end of the token before the current one.
    pub(super) fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.previous.end.max(start.end))
    }

    /// Goes on to the next token.
    pub(super) fn advance(&mut self) {
        self.previous = self.current.span;
        self.current = self.ahead;
        self.ahead = self.lexer.next();
    }

    /// Whether the current token is this sign or word.
    pub(super) fn at(&self, text: &str) -> bool {
        matches!(self.token(), Token::Sign(word) | Token::Name(word) if word == text)
    }

    /// Takes this sign or word if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.advance();
        }
        found
    }

    /// Takes this sign, which must come next.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Failed> {
        if self.eat(sign) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{sign}`")))
        }
    }

    /// Takes a word, which must come next.
    pub(super) fn name(&mut self, what: &str) -> Result<Name<'t>, Failed> {
        let Token::Name(text) = self.token() else {
            return Err(self.unexpected(what));
        };
        let span = self.span();
        self.advance();
        Ok(Name { text, span })
    }

    /// Reports that `expected` should stand here.
    pub(super) fn unexpected(&mut self, expected: &str) -> Failed {
        let help = advice::about(self.token(), self.next_token());
        self.unexpected_with(expected, help)
    }

    /// The same inside a condition.
    pub(super) fn unexpected_in_condition(&mut self, expected: &str) -> Failed {
        let help = advice::in_condition(self.token(), self.next_token());
        self.unexpected_with(expected, help)
    }

    /// The same with this advice.
    pub(super) fn unexpected_with(&mut self, expected: &str, help: Option<&str>) -> Failed {
        let token = self.token();
        self.fail(self.span(), || {
            let found = match token {
                Token::Name(word) => format!("`{}`", shorten(word)),
                Token::Integer(digits) => format!("the number {}", shorten(digits)),
                Token::Text(_) => "a string".to_string(),
                Token::Sign(sign) => format!("`{sign}`"),
                Token::Unclosed => return ("this string has no closing `'`".to_string(), None),
                Token::Unknown(text) => format!("`{}`", shorten(text).escape_debug()),
                Token::End => "the end of the file".to_string(),
            };
            let message = format!("expected {expected}, found {found}");
            (message, help.map(str::to_string))
        })
    }

    /// Reports a syntax error: a message, and perhaps advice.
    pub(super) fn fail(
        &mut self,
        span: Span,
        make: impl FnOnce() -> (String, Option<String>),
    ) -> Failed {
        self.diagnostics.error(|| {
            let (message, help) = make();
            Diagnostic {
                help,
                ..Diagnostic::error(Code::CM901, span, message)
            }
        });
        Failed
    }
}

/// `text`, cut if it is too long for a message.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
