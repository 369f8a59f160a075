//! Splitting a specification into tokens.

use commute_model::Span;

/// A token. It borrows from the text; numbers and strings are read later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A word.
    Name(&'t str),
    /// Digits.
    Integer(&'t str),
    /// A string with its quotes and escapes.
    Text(&'t str),
    /// One of [`SIGNS`].
    Sign(&'static str),
    /// A string that is not closed on its line.
    Unclosed,
    /// Characters the language does not have.
    Unknown(&'t str),
    /// The end of the file.
    End,
}

/// Everything that is not a word, a number or a string; longer ones first.
const SIGNS: &[&str] = &[
    "->", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "{", "}", ",", ";", ":", "~", "/", "!",
    "<", ">", "+", "-", "*", "%", "=", "&", "|",
];

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme<'t> {
    pub(super) token: Token<'t>,
    pub(super) span: Span,
    /// Whether it is the first of its line.
    pub(super) fresh: bool,
}

/// Makes tokens on demand, so that memory does not grow with the file.
pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, position: 0 }
    }

    /// The next token; after the last one, [`Token::End`] for ever.
    pub(super) fn next(&mut self) -> Lexeme<'t> {
        let fresh = self.skip_blanks();
        let start = self.position;
        let rest = &self.text[start..];
        let token = match rest.chars().next() {
            None => Token::End,
            Some('\'') => self.string(rest),
            Some(c) if c.is_ascii_digit() => {
                Token::Integer(self.take_while(rest, |c| c.is_ascii_digit()))
            }
            Some(c) if is_word(c) => Token::Name(self.take_while(rest, is_word)),
            Some(_) => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => {
                    self.position += sign.len();
                    Token::Sign(sign)
                }
                None => Token::Unknown(self.take_while(rest, is_unknown)),
            },
        };
        Lexeme {
            token,
            span: Span::new(start, self.position),
            fresh,
        }
    }

    /// Skips blanks and comments; whether that went over the end of a line, or
    /// started at the beginning of the text.
    fn skip_blanks(&mut self) -> bool {
        let mut fresh = self.position == 0;
        loop {
            let rest = &self.text[self.position..];
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            fresh |= rest[..blank].contains('\n');
            self.position += blank;
            let rest = &rest[blank..];
            if rest.starts_with('#') || rest.starts_with("//") {
                self.position += rest.find('\n').unwrap_or(rest.len());
            } else {
                return fresh;
            }
        }
    }

    fn take_while(&mut self, rest: &'t str, keep: impl Fn(char) -> bool) -> &'t str {
        let length = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn string(&mut self, rest: &'t str) -> Token<'t> {
        let bytes = rest.as_bytes();
        let mut length = 1;
        loop {
            match bytes.get(length) {
                None | Some(b'\n') => {
                    self.position += length;
                    return Token::Unclosed;
                }
                Some(b'\'') => {
                    length += 1;
                    self.position += length;
                    return Token::Text(&rest[..length]);
                }
                // The escaped character may be the end of the line.
                Some(b'\\') if bytes.get(length + 1).is_some_and(u8::is_ascii_graphic) => {
                    length += 2;
                }
                Some(_) => length += 1,
            }
        }
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn is_unknown(c: char) -> bool {
    let ours = |c: char| SIGNS.iter().any(|sign| sign.starts_with(c));
    !(is_blank(c) || is_word(c) || c == '\'' || c == '#' || ours(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| match lexer.next().token {
            Token::End => None,
            token => Some(token),
        })
        .collect()
    }

    #[test]
    fn comments_and_blanks_separate_tokens() {
        use Token::{Name, Sign};
        let expected = [Name("a"), Sign("->"), Name("b"), Sign("/"), Name("c_2")];
        assert_eq!(tokens("a# x\n->b//y\n\u{feff}/ c_2#"), expected);
    }

    #[test]
    fn a_string_ends_on_its_line() {
        let expected = [Token::Text(r"'a\'\\'"), Token::Name("b")];
        assert_eq!(tokens(r"'a\'\\'b"), expected);
        assert_eq!(tokens("'a\nb"), [Token::Unclosed, Token::Name("b")]);
        assert_eq!(tokens("'a\\\nb"), [Token::Unclosed, Token::Name("b")]);
        assert_eq!(tokens("'\\é'"), [Token::Text("'\\é'")]);
    }

    #[test]
    fn foreign_characters_come_as_one_token() {
        let expected = [Token::Name("a"), Token::Unknown("≠≠@"), Token::Name("b")];
        assert_eq!(tokens("a≠≠@b"), expected);
    }

    #[test]
    fn the_first_token_of_a_line_knows_it() {
        let mut lexer = Lexer::new("a b # c\n # d\n e");
        let fresh: Vec<bool> = (0..3).map(|_| lexer.next().fresh).collect();
        assert_eq!(fresh, [true, false, true]);
    }
}
