//! The arguments of macros, which may be anything.

use commute_report::UnsafeConstruct;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Block, Expr, File, Token};

use super::constructs::{is_cell, of_function, of_trait};
use super::source::Scanner;

/// Visits them as expressions between commas, as statements or as items; else token by
/// token.
pub(super) fn visit(scanner: &mut Scanner<'_>, stream: TokenStream) {
    let expressions = Punctuated::<Expr, Token![,]>::parse_terminated;
    if let Ok(expressions) = expressions.parse2(stream.clone()) {
        for expression in &expressions {
            scanner.visit_expr(expression);
        }
    } else if let Ok(statements) = Block::parse_within.parse2(stream.clone()) {
        for statement in &statements {
            scanner.visit_stmt(statement);
        }
    } else if let Ok(file) = syn::parse2::<File>(stream.clone()) {
        scanner.visit_file(&file);
    } else {
        one_by_one(scanner, stream);
    }
}

/// Words that an expression can follow.
const KEYWORDS: &[&str] = &[
    "break", "else", "if", "in", "match", "return", "while", "yield",
];

fn ident(tree: Option<&TokenTree>) -> Option<String> {
    match tree {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(tree: Option<&TokenTree>, wanted: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn is_path_separator(trees: &[TokenTree], at: usize) -> bool {
    is_punct(trees.get(at), ':') && is_punct(trees.get(at + 1), ':')
}

/// Looks for the words that unsafe code has.
fn one_by_one(scanner: &mut Scanner<'_>, stream: TokenStream) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(word) => {
                let (word, span) = (word.to_string(), word.span());
                one_word(scanner, &trees, at, &word, span);
            }
            TokenTree::Punct(star) if star.as_char() == '*' && scanner.is_unsafe => {
                // Behind an operand it multiplies; `*const` and `*mut` are types.
                let is_operand = match at.checked_sub(1).map(|before| &trees[before]) {
                    Some(TokenTree::Ident(word)) => !KEYWORDS.contains(&&*word.to_string()),
                    Some(TokenTree::Literal(_)) => true,
                    Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Brace,
                    _ => false,
                };
                let next = ident(trees.get(at + 1)).unwrap_or_default();
                if !is_operand && !["const", "mut"].contains(&&*next) {
                    scanner.found(UnsafeConstruct::RawPointer, star.span());
                }
            }
            TokenTree::Group(group) => {
                let before = at.checked_sub(1).and_then(|before| trees.get(before));
                let is_block = group.delimiter() == Delimiter::Brace
                    && ident(before).is_some_and(|word| word == "unsafe");
                let is_unsafe = scanner.is_unsafe || is_block;
                scanner.within(is_unsafe, |scanner| visit(scanner, group.stream()));
            }
            _ => {}
        }
    }
}

fn one_word(scanner: &mut Scanner<'_>, trees: &[TokenTree], at: usize, word: &str, span: Span) {
    if is_cell(word) {
        scanner.found(UnsafeConstruct::UnsafeCell, span);
    }
    if word == "static" && ident(trees.get(at + 1)).is_some_and(|next| next == "mut") {
        scanner.found(UnsafeConstruct::StaticMut, span);
    }
    if word == "unsafe" && ident(trees.get(at + 1)).is_some_and(|next| next == "impl") {
        let rest = trees[at + 2..].iter();
        let words = rest.map_while(|tree| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => None,
            tree => Some(tree),
        });
        for construct in words.filter_map(|tree| of_trait(&ident(Some(tree))?)) {
            scanner.found(construct, span);
        }
    }
    if is_path_separator(trees, at + 1) {
        let item = ident(trees.get(at + 3));
        let is_first = at < 2 || !is_path_separator(trees, at - 2);
        if is_first {
            scanner.named(word, item.as_deref(), span);
        }
    }
    let is_call = matches!(trees.get(at + 1), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis);
    if scanner.is_unsafe && is_call {
        let is_qualified = at >= 3 && is_path_separator(trees, at - 2);
        let module = is_qualified.then(|| ident(trees.get(at - 3))).flatten();
        if let Some(construct) = of_function(&module.unwrap_or_default(), word) {
            scanner.found(construct, span);
        }
    }
}
