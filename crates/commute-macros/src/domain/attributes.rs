//! What `#[domain(…)]` says.

use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, Token, parenthesized};

/// What an attribute is of.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Of {
    Type,
    Variant,
    Field,
}

/// What the attributes of one thing say.
#[derive(Default)]
pub(super) struct Said {
    pub(super) values: Option<Vec<Expr>>,
    pub(super) skip: bool,
}

impl Said {
    pub(super) fn in_attributes(attributes: &[Attribute], of: Of) -> Result<Said, Error> {
        let mut said = Said::default();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("domain")) {
            attribute.parse_nested_meta(|word| said.read(&word, of))?;
        }
        Ok(said)
    }

    fn read(&mut self, word: &ParseNestedMeta<'_>, of: Of) -> Result<(), Error> {
        if word.path.is_ident("values") {
            if of == Of::Variant {
                return Err(word.error("`values` is for types and fields, not for variants"));
            }
            let values = values(word)?;
            match self.values.replace(values) {
                None => Ok(()),
                Some(_) => Err(word.error("`values` is there twice")),
            }
        } else if word.path.is_ident("skip") {
            if of != Of::Variant {
                let message = "`skip` is for variants: give a field or a type a value with \
                               `values(…)`";
                return Err(word.error(message));
            }
            self.skip = true;
            Ok(())
        } else {
            let expected = match of {
                Of::Variant => "expected `skip`",
                Of::Type | Of::Field => "expected `values(…)`",
            };
            Err(word.error(expected))
        }
    }
}

/// `(EXPR, EXPR, …)`
fn values(word: &ParseNestedMeta<'_>) -> Result<Vec<Expr>, Error> {
    let at = word.input.span();
    let missing = "expected values in parentheses: `values(1, 2)`";
    if !word.input.peek(syn::token::Paren) {
        return Err(Error::new(at, missing));
    }
    let content;
    parenthesized!(content in word.input);
    let values = Punctuated::<Expr, Token![,]>::parse_terminated(&content)?;
    match values.is_empty() {
        true => Err(Error::new(at, "give at least one value")),
        false => Ok(values.into_iter().collect()),
    }
}
