//! Parsing the types of a file, going on with the next one after an error.

use super::cursor::{Cursor, Failed, shorten};
use super::lexer::Token;
use super::syntax::Type;

impl<'t> Cursor<'t> {
    /// The next type of the file, and whether it has no errors of syntax.
    pub(super) fn next_type(&mut self) -> Option<(Type<'t>, bool)> {
        loop {
            let errors = self.diagnostics.errors();
            match self.token() {
                Token::End => return None,
                Token::Name("type") => {
                    if let Ok(found) = self.type_() {
                        return Some((found, self.diagnostics.errors() == errors));
                    }
                }
                Token::Name(_) => {
                    let help = "a specification begins with `type name {`";
                    self.unexpected_with("`type`", Some(help));
                    self.advance();
                }
                _ => {
                    self.unexpected("`type`");
                    self.advance();
                }
            }
            while !matches!(self.token(), Token::Name("type") | Token::End) {
                self.advance();
            }
        }
    }

    fn type_(&mut self) -> Result<Type<'t>, Failed> {
        self.advance();
        let name = self.name("the name of the type")?;
        let parameter = if self.eat("(") {
            let parameter = self.name("the name of the parameter")?;
            self.expect(")")?;
            Some(parameter)
        } else {
            None
        };
        if !self.eat("{") {
            let help = "names are made of letters, digits and `_`";
            let help = matches!(self.token(), Token::Sign("-" | ":" | "<")).then_some(help);
            let failed = self.unexpected_with("`{`", help);
            // Only the bracket was forgotten, if items follow.
            if !matches!(self.token(), Token::Name(word) if word != "type") {
                return Err(failed);
            }
        }
        let mut items = Vec::new();
        loop {
            if self.eat(";") {
                continue;
            }
            if self.eat("}") {
                break;
            }
            if self.token() == Token::End || self.at_type() {
                self.fail(name.span, || {
                    let message = format!("type `{}` has no closing `}}`", shorten(name.text));
                    (message, None)
                });
                break;
            }
            let start = self.span();
            match self.item() {
                Ok(item) => items.push(item),
                Err(Failed) => self.skip_item(start),
            }
        }
        Ok(Type {
            name,
            parameter,
            items,
        })
    }

    /// Whether another type begins here.
    fn at_type(&self) -> bool {
        self.at("type") && matches!(self.next_token(), Token::Name(_))
    }
}
