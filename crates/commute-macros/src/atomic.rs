//! `#[commute::atomic]`

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, ItemFn, LitStr};

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let mut function: ItemFn = syn::parse2(item)?;
    let signature = &function.sig;
    if let Some(word) = &signature.asyncness {
        let message = "an `async` function gives way to others wherever it awaits";
        return Err(Error::new_spanned(word, message));
    }
    if let Some(word) = &signature.constness {
        let message = "a `const` function is atomic as it is";
        return Err(Error::new_spanned(word, message));
    }
    let name = match arguments.is_empty() {
        true => LitStr::new(&signature.ident.to_string(), signature.ident.span()),
        false => syn::parse2(arguments)?,
    };
    // The lint knows what is atomic by the name of the static.
    // Not `#[track_caller]`: that would hide where the body calls what.
    let body = &function.block;
    function.block = syn::parse2(quote_spanned!(signature.ident.span()=> {
        static __COMMUTE_BLOCK: ::commute::hidden::Block = ::commute::hidden::Block::new(#name);
        let __commute_region = ::commute::hidden::Region::enter(&__COMMUTE_BLOCK);
        #body
    }))?;
    Ok(quote!(#function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_in_a_region_with_the_name_of_the_function() {
        let expanded = expand(
            quote!(),
            quote!(
                fn transfer() -> u8 {
                    7
                }
            ),
        )
        .unwrap();
        let text = expanded.to_string();
        assert!(text.contains("Block :: new (\"transfer\")"), "{text}");
        assert!(text.contains("{ 7 }"), "{text}");
        let named = expand(
            quote!("move money"),
            quote!(
                fn transfer() {}
            ),
        )
        .unwrap();
        assert!(named.to_string().contains("Block :: new (\"move money\")"));
    }

    #[test]
    fn functions_that_cannot_be_atomic_are_refused() {
        assert!(
            expand(
                quote!(),
                quote!(
                    async fn f() {}
                )
            )
            .is_err()
        );
        assert!(
            expand(
                quote!(),
                quote!(
                    const fn f() {}
                )
            )
            .is_err()
        );
        assert!(
            expand(
                quote!(),
                quote!(
                    struct S;
                )
            )
            .is_err()
        );
        assert!(
            expand(
                quote!(1),
                quote!(
                    fn f() {}
                )
            )
            .is_err()
        );
    }
}
