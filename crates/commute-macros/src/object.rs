//! `#[commute::object]`

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{
    Error, FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, LitStr, Member, Pat, ReturnType, Token,
    Type, Visibility,
};

/// `spec = "…"` or `model = TYPE`, or both, and maybe `identity = field`
struct Arguments {
    spec: Option<LitStr>,
    model: Option<Type>,
    identity: Option<Member>,
}

const EXPECTED: &str = "expected `spec = \"…\"`, `model = TYPE` or `identity = FIELD`";

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Arguments, Error> {
        let mut arguments = Arguments {
            spec: None,
            model: None,
            identity: None,
        };
        while !input.is_empty() {
            let key: Ident = { input.parse() }.map_err(|e| Error::new(e.span(), EXPECTED))?;
            input.parse::<Token![=]>()?;
            let Arguments {
                spec,
                model,
                identity,
            } = &mut arguments;
            match key.to_string().as_str() {
                "spec" => once(&key, spec, input.parse()?)?,
                "model" => once(&key, model, parse_model(input)?)?,
                "identity" => once(&key, identity, input.parse()?)?,
                _ => return Err(Error::new(key.span(), EXPECTED)),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if arguments.spec.is_none() && arguments.model.is_none() {
            return Err(input.error("expected `spec = \"…\"` or `model = TYPE`"));
        }
        Ok(arguments)
    }
}

/// Sets what may be set once.
fn once<T>(key: &Ident, place: &mut Option<T>, value: T) -> Result<(), Error> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Error::new(key.span(), format!("`{key}` is there twice"))),
    }
}

fn parse_model(input: ParseStream<'_>) -> Result<Type, Error> {
    if input.peek(LitStr) {
        let message = "a model is a type that implements `commute::Model`: write it without \
                       quotes; the model of a shipped type comes with `spec = \"…\"`";
        return Err(input.error(message));
    }
    input.parse()
}

/// What each method of a block tells of its type.
struct Told {
    name: LitStr,
    model: TokenStream,
    identity: Option<Member>,
}

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let arguments: Arguments = syn::parse2(arguments)?;
    let mut block: ItemImpl = syn::parse2(item)?;
    if let Some((_, path, _)) = &block.trait_ {
        let message = "put the attribute on the type's own `impl` block";
        return Err(Error::new_spanned(path, message));
    }
    let name = match &arguments.spec {
        Some(spec) => LitStr::new(type_name(&spec.value()), spec.span()),
        None => own_name(&block.self_ty)?,
    };
    let model = match &arguments.model {
        // What is wrong with the type is told where it is.
        Some(model) => quote_spanned!(model.span()=> ::commute::hidden::Modelled::by::<#model>()),
        None => quote!(::commute::hidden::Modelled::NOT),
    };
    let told = Told {
        name,
        model,
        identity: arguments.identity,
    };
    for item in &mut block.items {
        if let ImplItem::Fn(method) = item
            && matches!(method.vis, Visibility::Public(_))
            && method
                .sig
                .receiver()
                .is_some_and(|receiver| receiver.reference.is_some())
        {
            observe(method, &told)?;
        }
    }
    Ok(quote!(#block))
}

/// What a type without a specification is called in reports.
fn own_name(own: &Type) -> Result<LitStr, Error> {
    let last = match own {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    let message = "this type has no name: give it one with `spec = \"…\"`";
    let last = last.ok_or_else(|| Error::new_spanned(own, message))?;
    Ok(LitStr::new(&last.ident.to_string(), last.ident.span()))
}

/// `specs/ledger.ecl` and `ledger` both name the type `ledger`.
fn type_name(spec: &str) -> &str {
    let file = spec.rsplit('/').next().unwrap_or(spec);
    file.strip_suffix(".ecl").unwrap_or(file)
}

/// Puts the body of a method into a closure, and records call and result.
fn observe(method: &mut ImplItemFn, told: &Told) -> Result<(), Error> {
    let Told {
        name: kind,
        model,
        identity,
    } = told;
    if let Some(word) = &method.sig.asyncness {
        let message = "an `async` method is not one action";
        return Err(Error::new_spanned(word, message));
    }
    if let Some(word) = &method.sig.constness {
        let message = "a `const` method cannot tell that it was called";
        return Err(Error::new_spanned(word, message));
    }
    let name = LitStr::new(&method.sig.ident.to_string(), method.sig.ident.span());
    let mut shown = Vec::new();
    for argument in &method.sig.inputs {
        if let FnArg::Typed(argument) = argument {
            match &*argument.pat {
                Pat::Ident(pattern) if pattern.subpat.is_none() => shown.push(&pattern.ident),
                pattern => return Err(Error::new_spanned(pattern, "give this argument a name")),
            }
        }
    }
    let body = &method.block;
    let silent = match &method.sig.output {
        ReturnType::Default => quote!(.silent()),
        ReturnType::Type(..) => quote!(),
    };
    let output = match &method.sig.output {
        ReturnType::Default => quote!(: ()),
        // A type that has no name cannot be written down, but is known at the end.
        ReturnType::Type(_, output) if is_nameless(output) => quote!(),
        ReturnType::Type(_, output) => quote!(: #output),
    };
    let (begin, object) = match identity {
        Some(field) => (quote!(begin_of), quote!(&self.#field)),
        None => (quote!(begin), quote!(&*self)),
    };
    method.block = syn::parse2(quote!({
        #[allow(unused_imports)]
        use ::commute::hidden::{
            ShownAsValue as _, ShownByDebug as _, ShownOpaque as _, ShownOptionAsValue as _,
            ShownOptionByDebug as _,
        };
        static __COMMUTE_KIND: ::commute::hidden::Kind =
            ::commute::hidden::Kind::object(#kind, #kind);
        static __COMMUTE_METHOD: ::commute::hidden::Method =
            ::commute::hidden::Method::new(#name);
        let __commute_call = ::commute::hidden::Call::#begin(
            #object,
            &__COMMUTE_KIND,
            #model #silent,
            &__COMMUTE_METHOD,
            || [#((&&&&&::commute::hidden::Shown(&#shown)).show()),*],
        );
        let __commute_result #output = (|| #body)();
        __commute_call.end(|| (&&&&&::commute::hidden::Shown(&__commute_result)).show());
        __commute_result
    }))?;
    // The closure keeps the places inside the body what they are.
    method.attrs.push(syn::parse_quote!(#[track_caller]));
    Ok(())
}

/// Whether `impl` is somewhere in it.
fn is_nameless(output: &Type) -> bool {
    fn has_impl(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == "impl",
            TokenTree::Group(group) => has_impl(group.stream()),
            _ => false,
        })
    }
    has_impl(quote!(#output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_methods_are_observed_and_others_are_not() {
        let item = quote!(
            impl Ledger {
                pub fn new() -> Ledger { Ledger }
                pub fn deposit(&self, account: u32) -> i64 { 1 }
                fn inner(&self) {}
            }
        );
        let text = expand(quote!(spec = "specs/ledger.ecl"), item)
            .unwrap()
            .to_string();
        assert_eq!(text.matches("Method :: new").count(), 1, "{text}");
        assert!(text.contains("Method :: new (\"deposit\")"), "{text}");
        assert!(
            text.contains("Kind :: object (\"ledger\" , \"ledger\")"),
            "{text}"
        );
    }

    #[test]
    fn an_object_is_known_by_its_identity_or_its_address() {
        let item = quote!(impl S { pub fn f(&mut self) -> impl Sized { 1 } });
        let text = expand(quote!(spec = "s"), item.clone())
            .unwrap()
            .to_string();
        assert!(text.contains("Call :: begin (& * self"), "{text}");
        // There is no way to write this type down again.
        assert!(text.contains("let __commute_result ="), "{text}");
        let arguments = quote!(spec = "s", identity = id,);
        let text = expand(arguments, item).unwrap().to_string();
        assert!(text.contains("Call :: begin_of (& self . id"), "{text}");
    }

    #[test]
    fn what_cannot_be_one_action_is_refused() {
        let spec = || quote!(spec = "ledger");
        assert!(expand(spec(), quote!(impl Clone for S {})).is_err());
        assert!(expand(spec(), quote!(impl S { pub async fn f(&self) {} })).is_err());
        assert!(
            expand(
                spec(),
                quote!(impl S { pub fn f(&self, (a, b): (u8, u8)) {} })
            )
            .is_err()
        );
        assert!(expand(spec(), quote!(impl S { pub const fn f(&self) {} })).is_err());
    }

    #[test]
    fn what_is_wrong_with_the_arguments_is_told() {
        let told = |arguments: TokenStream| {
            let expanded = expand(arguments, quote!(impl S { pub fn f(&self) {} }));
            expanded.map(|_| ()).map_err(|error| error.to_string())
        };
        for (arguments, message) in [
            (quote!(), "expected `spec = \"…\"` or `model = TYPE`"),
            (
                quote!(identity = id),
                "expected `spec = \"…\"` or `model = TYPE`",
            ),
            (quote!(name = "x"), "or `identity = FIELD`"),
            (quote!("counter"), "expected `spec"),
            (quote!(model = "x"), "without quotes"),
            (quote!(model = A, model = B), "`model` is there twice"),
            (
                quote!(spec = "a", model = A, spec = "b"),
                "`spec` is there twice",
            ),
        ] {
            let error = told(arguments).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        assert_eq!(told(quote!(model = Ring<4>, identity = id)), Ok(()));
    }

    #[test]
    fn a_model_is_a_type() {
        let item = quote!(impl Gate { pub fn enter(&self) -> bool { true } });
        let text = expand(quote!(model = crate::Visitors), item).unwrap();
        let text = text.to_string();
        assert!(
            text.contains("Modelled :: by :: < crate :: Visitors > ()"),
            "{text}"
        );
        // What it is called, if nobody names a specification.
        assert!(
            text.contains("Kind :: object (\"Gate\" , \"Gate\")"),
            "{text}"
        );
        let nameless = expand(
            quote!(model = V),
            quote!(
                impl (u8, u8) {
                    pub fn f(&self) {}
                }
            ),
        );
        assert!(nameless.unwrap_err().to_string().contains("has no name"));
    }
}
