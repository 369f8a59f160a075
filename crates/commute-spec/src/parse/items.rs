//! Parsing what stands in a type, going on after errors.
//!
//! Items need no terminator: each begins with a word, and nothing that comes
//! before an item can be continued by a word. The one exception is a bare
//! `mutates` before an item that looks like a call; see [`Cursor::mutates`].

use commute_model::{Code, Diagnostic, Span, Value};

use super::advice;
use super::cursor::{Cursor, Failed, shorten};
use super::lexer::Token;
use super::syntax::{Declaration, Expression, Item, Kind, Name, Pairs, Pattern};
use crate::suggest;

/// The words that begin an item and are not methods.
const KEYWORDS: [&str; 3] = ["model", "orders", "order"];

impl<'t> Cursor<'t> {
    /// Skips to where the next item may begin.
    pub(super) fn skip_item(&mut self, start: Span) {
        if self.span() == start {
            self.advance();
        }
        loop {
            match (self.token(), self.next_token()) {
                (Token::End | Token::Sign("}" | ";"), _) => return,
                (Token::Name("type"), Token::Name(_)) => return,
                (Token::Name(_), Token::Sign("(" | "~")) if self.fresh() => return,
                (Token::Name(word), Token::Name(_)) if self.fresh() && KEYWORDS.contains(&word) => {
                    return;
                }
                _ => self.advance(),
            }
        }
    }

    pub(super) fn item(&mut self) -> Result<Item<'t>, Failed> {
        let start = self.span();
        let name = self.name("a method, a pair of methods or `}`")?;
        let mut order = false;
        let pattern = match (name.text, self.token()) {
            ("model", Token::Name(_)) => return self.property("the name of a model", Item::Model),
            ("orders", Token::Name(_)) if self.at_rule() => {
                return self.rule(start).map(Item::Rule);
            }
            ("orders", Token::Name(_)) => return self.property("an order", Item::Orders),
            ("order", Token::Name(_)) => {
                order = true;
                self.pattern()?
            }
            (word, Token::Name(_)) if word != "mutates" => {
                return Err(self.unknown_keyword(name));
            }
            _ => self.pattern_of(name)?,
        };
        if order || self.at("~") {
            return self.pairs(start, order, pattern).map(Item::Pairs);
        }
        if pattern.results.is_some() {
            return Err(self.unexpected("`~` and the other method of the pair"));
        }
        match pattern.args {
            Some(args) => {
                let declaration = self.declaration(start, pattern.name, args)?;
                // With something behind it that is no item, the declaration is
                // not what was meant, and pairs should not be measured by it.
                match self.token() {
                    Token::Name(_) | Token::Sign("}" | ";") | Token::End => {
                        Ok(Item::Method(declaration))
                    }
                    Token::Sign("~") => {
                        let help = "in a pair results stand after `/`: `f(x)/r ~ g()/s`";
                        Err(self.unexpected_with("the next item", Some(help)))
                    }
                    _ => Err(self.unexpected("`->`, `mutates` or the next item")),
                }
            }
            None if self.at(",") => {
                Err(self.unexpected_with("`~` and the other method", Some(advice::PAIRS)))
            }
            None => Err(self.unexpected("`(` or `~` after the name of a method")),
        }
    }

    fn property(&mut self, what: &str, item: fn(Name<'t>) -> Item<'t>) -> Result<Item<'t>, Failed> {
        // What looks like the next item is the next item: a word is missing.
        if self.fresh() && matches!(self.next_token(), Token::Sign("(" | "~" | "/")) {
            return Err(self.unexpected(what));
        }
        self.name(what).map(item)
    }

    fn unknown_keyword(&mut self, word: Name<'t>) -> Failed {
        self.diagnostics.error(|| {
            let message = format!("no item begins with `{}`", shorten(word.text));
            Diagnostic {
                help: suggest::advice(word.text, KEYWORDS)
                    .or(suggest::advice(word.text, ["mutates"]))
                    .or(advice::word_of_another_language(word.text).map(str::to_string))
                    .or(Some("a method is declared as `name(arguments)`".into())),
                ..Diagnostic::error(Code::CM902, word.span, message)
            }
        });
        Failed
    }

    fn declaration(
        &mut self,
        start: Span,
        name: Name<'t>,
        args: Vec<Name<'t>>,
    ) -> Result<Declaration<'t>, Failed> {
        let results = match self.eat("->") {
            true => self.results()?,
            false => Vec::new(),
        };
        let mutates = match self.at("mutates") {
            true => Some(self.mutates()?),
            false => None,
        };
        Ok(Declaration {
            name,
            args,
            results,
            mutates,
            span: self.since(start),
        })
    }

    /// `mutates` with its condition; alone it means always.
    ///
    /// In `push(v) mutates` followed by `has(xs, x) -> r`, does the second
    /// line go on with the condition or declare a method? What looks like an
    /// item and begins a line is an item.
    fn mutates(&mut self) -> Result<Expression<'t>, Failed> {
        let word = self.span();
        self.advance();
        let item = match (self.token(), self.next_token()) {
            (Token::Sign("}" | ";") | Token::End, _) => true,
            (Token::Name(_), Token::Sign("(" | "~") | Token::Name(_)) => self.fresh(),
            _ => false,
        };
        match item {
            true => Ok(Kind::Constant(Value::Bool(true)).at(word)),
            false => self.condition(),
        }
    }

    /// A condition with nothing behind it but the next item.
    fn condition(&mut self) -> Result<Expression<'t>, Failed> {
        let condition = self.expression()?;
        let item = match self.token() {
            // `x and y` goes on; a method may be called `and` all the same.
            Token::Name(word) => {
                let method = matches!(self.next_token(), Token::Sign("(" | "~" | "/"));
                method || advice::word_of_another_language(word).is_none()
            }
            Token::Sign("}" | ";") | Token::End => true,
            _ => false,
        };
        match item {
            true => Ok(condition),
            false => Err(self.unexpected_in_condition("an operator or the end of the condition")),
        }
    }

    fn pairs(
        &mut self,
        start: Span,
        order: bool,
        mut first: Pattern<'t>,
    ) -> Result<Pairs<'t>, Failed> {
        let mut pairs = Vec::new();
        loop {
            if !self.eat("~") {
                return Err(self.unexpected_with("`~`", Some(advice::PAIRS)));
            }
            let second = self.pattern()?;
            pairs.push((first, second));
            if !self.eat(",") {
                break;
            }
            first = self.pattern()?;
        }
        self.expect(":")?;
        let condition = self.condition()?;
        Ok(Pairs {
            order,
            pairs,
            condition,
            span: self.since(start),
        })
    }

    fn pattern(&mut self) -> Result<Pattern<'t>, Failed> {
        let name = self.name("a method")?;
        self.pattern_of(name)
    }

    /// What follows the name of a method: `(k1, v1)/p1`, or less.
    fn pattern_of(&mut self, name: Name<'t>) -> Result<Pattern<'t>, Failed> {
        let args = match self.at("(") {
            true => Some(self.names()?),
            false => None,
        };
        let results = match self.eat("/") {
            true => Some(self.results()?),
            false => None,
        };
        Ok(Pattern {
            name,
            args,
            results,
            span: self.since(name.span),
        })
    }

    /// One name, or several in parentheses.
    fn results(&mut self) -> Result<Vec<Name<'t>>, Failed> {
        match self.at("(") {
            true => self.names(),
            false => Ok(vec![self.name("the name of a result")?]),
        }
    }

    /// Names in parentheses.
    fn names(&mut self) -> Result<Vec<Name<'t>>, Failed> {
        self.expect("(")?;
        let mut names = Vec::new();
        while !self.eat(")") {
            names.push(self.name("a name or `)`")?);
            if !self.at(")") && !self.eat(",") {
                let help = "arguments and results have names, not types";
                let help = self.at(":").then_some(help);
                return Err(self.unexpected_with("`,` or `)`", help));
            }
        }
        Ok(names)
    }
}
