//! Takes patterns apart.

use super::{DEEPEST, GlobError};

/// A part of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `?`: any character.
    Any,
    /// `*`: any number of characters.
    Many,
    /// This character.
    Char(char),
    /// `[a-z]`: one of these characters.
    Class(Class),
    /// `**/` at the beginning: any folder, or none.
    Folders,
    /// `/**` at the end: all that a folder contains.
    Below,
    /// `/**/`: a separator, or any folder between two.
    Between,
    /// `{a,b}`
    Alternatives(Vec<Vec<Token>>),
}

/// A set of characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Class {
    /// Whether it is all others instead.
    pub is_negated: bool,
    /// The first and the last character of each range.
    pub ranges: Vec<(char, char)>,
}

impl Class {
    /// The class of one character.
    pub(super) fn one(c: char) -> Class {
        Class {
            is_negated: false,
            ranges: vec![(c, c)],
        }
    }
}

/// Whether only the empty text fits because nothing is asked for.
pub(super) fn is_empty(tokens: &[Token]) -> bool {
    tokens.iter().all(|token| match token {
        Token::Alternatives(all) => all.iter().all(|tokens| is_empty(tokens)),
        _ => false,
    })
}

/// The parts of a pattern.
///
/// # Errors
/// If it is none, or braces are nested too deeply.
pub(super) fn parse(pattern: &str) -> Result<Vec<Token>, GlobError> {
    let mut parser = Parser {
        chars: pattern.chars().collect(),
        at: 0,
        open: Vec::new(),
        tokens: Vec::new(),
    };
    while let Some(c) = parser.next() {
        parser.take(c)?;
    }
    match parser.open.last() {
        Some(open) => Err(GlobError {
            column: open.column,
            message: "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"
                .to_owned(),
        }),
        None => Ok(parser.tokens),
    }
}

/// A brace that is open.
struct Open {
    column: usize,
    /// The parts before it.
    before: Vec<Token>,
    /// The alternatives that are complete.
    complete: Vec<Vec<Token>>,
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    open: Vec<Open>,
    /// Those of the innermost alternative so far.
    tokens: Vec<Token>,
}

impl Parser {
    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// An error at the character that was taken last.
    fn error<T>(&self, message: &str) -> Result<T, GlobError> {
        Err(GlobError {
            column: self.at,
            message: message.to_owned(),
        })
    }

    fn take(&mut self, c: char) -> Result<(), GlobError> {
        match c {
            '?' => self.tokens.push(Token::Any),
            '*' => self.star(),
            '[' => self.class()?,
            '{' => self.open()?,
            '}' => self.close()?,
            ',' if !self.open.is_empty() => {
                let tokens = std::mem::take(&mut self.tokens);
                let open = self.open.last_mut().expect("one is open");
                open.complete.push(tokens);
            }
            '\\' => match self.next() {
                Some(c) => self.tokens.push(Token::Char(c)),
                None => return self.error("dangling '\\'"),
            },
            c => self.tokens.push(Token::Char(c)),
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), GlobError> {
        if self.open.len() == DEEPEST {
            return self.error(&format!(
                "alternate groups are nested at most {DEEPEST} deep"
            ));
        }
        self.open.push(Open {
            column: self.at,
            before: std::mem::take(&mut self.tokens),
            complete: Vec::new(),
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), GlobError> {
        let Some(mut open) = self.open.pop() else {
            return self
                .error("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
        };
        open.complete.push(std::mem::take(&mut self.tokens));
        self.tokens = open.before;
        self.tokens.push(Token::Alternatives(open.complete));
        Ok(())
    }

    /// `*`, or `**`, which means folders if it is a component of a path.
    fn star(&mut self) {
        if self.peek() != Some('*') {
            return self.tokens.push(Token::Many);
        }
        self.next();
        let next = self.peek();
        let is_folder = next == Some('/');
        let is_at_end = next.is_none() || !self.open.is_empty() && matches!(next, Some(',' | '}'));
        match self.tokens.last() {
            None if is_folder || next.is_none() => self.tokens.push(Token::Folders),
            // It already is any folder.
            Some(Token::Folders) if is_folder || is_at_end => {}
            Some(Token::Char('/') | Token::Between) => {
                let token = match (is_folder, is_at_end) {
                    (true, _) => Token::Between,
                    (false, true) => Token::Below,
                    (false, false) => return self.tokens.push(Token::Many),
                };
                self.tokens.pop();
                self.tokens.push(token);
            }
            _ => return self.tokens.push(Token::Many),
        }
        if is_folder {
            self.next();
        }
    }

    /// The rest of a class after its `[`.
    fn class(&mut self) -> Result<(), GlobError> {
        let start = self.at;
        let is_negated = matches!(self.peek(), Some('!' | '^'));
        if is_negated {
            self.next();
        }
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut is_in_range = false;
        loop {
            let Some(c) = self.next() else {
                self.at = start;
                return self.error("unclosed character class; missing ']'");
            };
            match (c, ranges.last_mut()) {
                (']', Some(_)) => break,
                ('-', Some(_)) if !is_in_range => {
                    is_in_range = true;
                    continue;
                }
                (c, Some(last)) if is_in_range => {
                    if c < last.0 {
                        let message = format!("invalid range; '{}' > '{c}'", last.0.escape_debug());
                        return self.error(&message);
                    }
                    last.1 = c;
                }
                _ => ranges.push((c, c)),
            }
            is_in_range = false;
        }
        // At the end it stands for itself.
        if is_in_range {
            ranges.push(('-', '-'));
        }
        self.tokens.push(Token::Class(Class { is_negated, ranges }));
        Ok(())
    }
}

/// The longest text that is part of every match, or nothing.
pub(super) fn needle(tokens: &[Token]) -> String {
    let mut longest = String::new();
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Char(c) => text.push(*c),
            _ => text.clear(),
        }
        if text.len() > longest.len() {
            longest.clone_from(&text);
        }
    }
    longest
}
