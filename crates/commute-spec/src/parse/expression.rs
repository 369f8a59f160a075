//! Parsing conditions.
//!
//! From the loosest to the tightest: `||`, `&&`, comparisons (which do not
//! chain), `+ -`, `* / %`, and the prefixes `!` and `-`. Lists of `&&` and `||`
//! stay flat, everything else may nest [`DEEPEST`] levels: whoever walks a
//! formula later may do so by recursion.

use commute_model::{Span, Value};

use super::advice;
use super::cursor::{Cursor, Failed, shorten};
use super::lexer::Token;
use super::syntax::{Expression, Kind};
use crate::formula::{Arithmetic, Comparison};

/// How deep expressions may nest.
pub(super) const DEEPEST: usize = 128;

impl<'t> Cursor<'t> {
    /// A formula or a term.
    pub(super) fn expression(&mut self) -> Result<Expression<'t>, Failed> {
        self.list("||", Kind::Or, |this| {
            this.list("&&", Kind::And, Cursor::comparison)
        })
    }

    fn list(
        &mut self,
        sign: &str,
        kind: fn(Vec<Expression<'t>>) -> Kind<'t>,
        part: impl Fn(&mut Cursor<'t>) -> Result<Expression<'t>, Failed>,
    ) -> Result<Expression<'t>, Failed> {
        let start = self.span();
        let first = part(self)?;
        if !self.at(sign) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(sign) {
            parts.push(part(self)?);
        }
        self.node(kind(parts), start)
    }

    fn comparison(&mut self) -> Result<Expression<'t>, Failed> {
        let start = self.span();
        let left = self.sum()?;
        let Some(op) = self.comparison_sign() else {
            return Ok(left);
        };
        self.advance();
        let right = self.sum()?;
        let node = self.node(Kind::Compare(op, Box::new([left, right])), start)?;
        if self.comparison_sign().is_some() {
            return Err(self.fail(self.span(), || {
                let message = "comparisons cannot be chained".to_string();
                (message, Some("use parentheses or `&&`".to_string()))
            }));
        }
        Ok(node)
    }

    fn comparison_sign(&self) -> Option<Comparison> {
        Some(match self.token() {
            Token::Sign("==") => Comparison::Eq,
            Token::Sign("!=") => Comparison::Ne,
            Token::Sign("<") => Comparison::Lt,
            Token::Sign("<=") => Comparison::Le,
            Token::Sign(">") => Comparison::Gt,
            Token::Sign(">=") => Comparison::Ge,
            _ => return None,
        })
    }

    /// A sum, or a part of one: no comparison.
    pub(super) fn sum(&mut self) -> Result<Expression<'t>, Failed> {
        let start = self.span();
        let mut left = self.product()?;
        loop {
            let op = match self.token() {
                Token::Sign("+") => Arithmetic::Add,
                Token::Sign("-") => Arithmetic::Sub,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.product()?;
            left = self.node(Kind::Arithmetic(op, Box::new([left, right])), start)?;
        }
    }

    fn product(&mut self) -> Result<Expression<'t>, Failed> {
        let start = self.span();
        let mut left = self.prefixed()?;
        loop {
            let op = match self.token() {
                Token::Sign("*") => Arithmetic::Mul,
                Token::Sign("/") => Arithmetic::Div,
                Token::Sign("%") => Arithmetic::Rem,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.prefixed()?;
            left = self.node(Kind::Arithmetic(op, Box::new([left, right])), start)?;
        }
    }

    fn prefixed(&mut self) -> Result<Expression<'t>, Failed> {
        let start = self.span();
        match (self.token(), self.next_token()) {
            (Token::Sign("!"), _) => {
                self.advance();
                let part = self.nested(start, Cursor::prefixed)?;
                self.node(Kind::Not(Box::new(part)), start)
            }
            (Token::Sign("-"), Token::Integer(_)) => {
                self.advance();
                self.integer(start, true)
            }
            (Token::Sign("-"), _) => {
                self.advance();
                let part = self.nested(start, Cursor::prefixed)?;
                self.node(Kind::Negate(Box::new(part)), start)
            }
            // `not x`, `if x`: what follows is no item.
            (Token::Name(word), Token::Name(_))
                if advice::word_of_another_language(word).is_some() && !self.next_is_fresh() =>
            {
                Err(self.unexpected_in_condition("a condition or a value"))
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) -> Result<Expression<'t>, Failed> {
        let start = self.span();
        match self.token() {
            Token::Name(_) => {
                let name = self.name("a name")?;
                if !self.eat("(") {
                    return self.node(Kind::Name(name.text), start);
                }
                let mut parts = Vec::new();
                while !self.eat(")") {
                    parts.push(self.nested(start, Cursor::expression)?);
                    if !self.at(")") && !self.eat(",") {
                        return Err(self.unexpected("`,` or `)`"));
                    }
                }
                self.node(Kind::Call(name, parts), start)
            }
            Token::Integer(_) => self.integer(start, false),
            Token::Text(raw) => {
                let text = self.unescape(raw, start)?;
                self.advance();
                self.node(Kind::Constant(Value::str(&text)), start)
            }
            Token::Sign("(") => {
                self.advance();
                if self.eat(")") {
                    return self.node(Kind::Constant(Value::unit()), start);
                }
                let inner = self.nested(start, Cursor::expression)?;
                self.expect(")")?;
                Ok(inner)
            }
            _ => Err(self.unexpected_in_condition("a condition or a value")),
        }
    }

    /// The current token, a number, perhaps after a minus.
    fn integer(&mut self, start: Span, negative: bool) -> Result<Expression<'t>, Failed> {
        let Token::Integer(digits) = self.token() else {
            return Err(self.unexpected("a number"));
        };
        let span = start.to(self.span());
        let sign = if negative { "-" } else { "" };
        // The least number has no positive counterpart, so the sign counts
        // before the digits are read.
        let number = match digits.len() {
            0..=200 => format!("{sign}{digits}").parse::<i128>().ok(),
            _ => None,
        };
        let Some(number) = number else {
            return Err(self.fail(span, || {
                let message = format!("the number {sign}{} is too large", shorten(digits));
                (message, Some("numbers have at most 128 bits".to_string()))
            }));
        };
        self.advance();
        self.node(Kind::Constant(Value::Int(number)), start)
    }

    /// The text of a quoted string.
    fn unescape(&mut self, raw: &str, span: Span) -> Result<String, Failed> {
        let inner = &raw[1..raw.len() - 1];
        let mut text = String::with_capacity(inner.len());
        let mut rest = inner.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                text.push(c);
                continue;
            }
            match rest.next() {
                Some('\\') => text.push('\\'),
                Some('\'') => text.push('\''),
                Some('n') => text.push('\n'),
                Some('x') => {
                    let code = rest.as_str().get(..2).and_then(hexadecimal);
                    let Some(code) = code else {
                        return Err(self.bad_escape(span));
                    };
                    text.push(char::from(code));
                    rest.nth(1);
                }
                _ => return Err(self.bad_escape(span)),
            }
        }
        Ok(text)
    }

    fn bad_escape(&mut self, span: Span) -> Failed {
        self.fail(span, || {
            let message = "unknown escape in a string".to_string();
            (message, Some(r"escapes are \\ \' \n \xNN".to_string()))
        })
    }

    /// Parses something that stands inside something else.
    fn nested<T>(
        &mut self,
        span: Span,
        parse: impl FnOnce(&mut Cursor<'t>) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        if self.level == DEEPEST {
            return Err(self.too_deep(span));
        }
        self.level += 1;
        let result = parse(self);
        self.level -= 1;
        result
    }

    fn node(&mut self, kind: Kind<'t>, start: Span) -> Result<Expression<'t>, Failed> {
        let node = kind.at(self.since(start));
        if node.depth > DEEPEST {
            return Err(self.too_deep(node.span));
        }
        Ok(node)
    }

    fn too_deep(&mut self, span: Span) -> Failed {
        self.fail(span, || {
            let message = format!("this condition is nested more than {DEEPEST} levels deep");
            (message, None)
        })
    }
}

fn hexadecimal(digits: &str) -> Option<u8> {
    let proper = digits.bytes().all(|b| b.is_ascii_hexdigit());
    proper
        .then(|| u8::from_str_radix(digits, 16).ok())
        .flatten()
}
