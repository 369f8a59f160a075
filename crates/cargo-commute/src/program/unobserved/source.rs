//! Looks for unsafe code and for libraries in the source code of a crate.
//!
//! Macros are not expanded: their arguments are read as expressions, statements or items,
//! and token by token if they are none of these. Types are not known: a dereference in
//! unsafe code counts as one of a raw pointer, unless it is one of `self` or of a parameter
//! that is declared as a reference. A call of a foreign function alone does not count.

use std::collections::{BTreeMap, BTreeSet};

use commute_report::UnsafeConstruct;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Signature};

use super::cfg::Cfg;
use super::constructs::{is_cell, of_function, of_method, of_trait};
use super::{libraries, tokens};

/// What was found in source code, with lines and columns from 1.
#[derive(Default, Debug)]
pub(super) struct Found {
    /// Constructs of unsafe code, each with its place.
    pub uses: BTreeSet<(usize, usize, UnsafeConstruct)>,
    /// The first use of each library, by package.
    pub libraries: BTreeMap<String, (usize, usize)>,
}

/// Looks at the text of a file. `names` are the libraries by the names that the code has
/// for them.
///
/// # Errors
/// If it is no Rust, not even a piece of it.
pub(super) fn scan(
    text: &str,
    cfg: &Cfg,
    names: &BTreeMap<String, String>,
) -> Result<Found, syn::Error> {
    let mut scanner = Scanner {
        cfg,
        names,
        found: Found::default(),
        is_unsafe: false,
        references: BTreeSet::new(),
    };
    // What is included may be an expression, or some statements.
    match syn::parse_file(text) {
        Ok(file) => scanner.visit_file(&file),
        Err(_) => scanner.tokens(text.parse()?),
    }
    Ok(scanner.found)
}

/// The state while source code is visited.
pub(super) struct Scanner<'a> {
    cfg: &'a Cfg,
    names: &'a BTreeMap<String, String>,
    found: Found,
    /// Whether unsafe operations are allowed here.
    pub(super) is_unsafe: bool,
    /// Parameters that are references.
    references: BTreeSet<String>,
}

impl Scanner<'_> {
    pub(super) fn found(&mut self, construct: UnsafeConstruct, span: Span) {
        let start = span.start();
        let at = (start.line, start.column + 1, construct);
        self.found.uses.insert(at);
    }

    /// An item of a library is named.
    pub(super) fn named(&mut self, name: &str, item: Option<&str>, span: Span) {
        let Some(package) = self.names.get(name) else {
            return;
        };
        if libraries::counts(package, item) {
            let start = span.start();
            let at = (start.line, start.column + 1);
            let first = self.found.libraries.entry(package.clone()).or_insert(at);
            *first = at.min(*first);
        }
    }

    fn path_is_named(&mut self, path: &syn::Path) {
        if let [first, second, ..] = &path.segments.iter().collect::<Vec<_>>()[..] {
            let (name, item) = (first.ident.to_string(), second.ident.to_string());
            self.named(&name, Some(&item), first.ident.span());
        }
    }

    /// Visits code in which unsafe operations are allowed or not.
    pub(super) fn within(&mut self, is_unsafe: bool, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_unsafe, is_unsafe);
        visit(self);
        self.is_unsafe = before;
    }

    /// Visits a function.
    fn function(&mut self, signature: &Signature, visit: impl FnOnce(&mut Self)) {
        let references = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) if matches!(*typed.ty, syn::Type::Reference(_)) => {
                name_of(&typed.pat)
            }
            syn::FnArg::Receiver(receiver) if receiver.colon_token.is_none() => {
                Some("self".to_owned())
            }
            _ => None,
        });
        let before = std::mem::replace(&mut self.references, references.collect());
        self.within(signature.unsafety.is_some(), visit);
        self.references = before;
    }

    /// Whether an expression is known not to be a raw pointer.
    fn is_reference(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Path(path) => { path.path.get_ident() }
                .is_some_and(|name| self.references.contains(&name.to_string())),
            Expr::Reference(_) => true,
            Expr::Paren(inner) => self.is_reference(&inner.expr),
            _ => false,
        }
    }
}

/// The name of a simple pattern.
fn name_of(pattern: &syn::Pat) -> Option<String> {
    match pattern {
        syn::Pat::Ident(ident) => Some(ident.ident.to_string()),
        _ => None,
    }
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

impl<'ast> Visit<'ast> for Scanner<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !self.cfg.leaves_out(attributes_of(item)) {
            // An item in an unsafe block is as safe as elsewhere.
            self.within(false, |this| visit::visit_item(this, item));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !self.cfg.leaves_out(&item.attrs) {
            self.function(&item.sig, |this| visit::visit_impl_item_fn(this, item));
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if !self.cfg.leaves_out(&item.attrs) {
            self.function(&item.sig, |this| visit::visit_trait_item_fn(this, item));
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, |this| visit::visit_item_fn(this, item));
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        let references = self.references.clone();
        visit::visit_signature(self, signature);
        self.references = references;
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        // Another variable of that name need not be a reference.
        self.references.remove(&pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if !self.cfg.leaves_out(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !self.cfg.leaves_out(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        if !self.cfg.leaves_out(&block.attrs) {
            self.within(true, |this| visit::visit_expr_unsafe(this, block));
        }
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if let syn::UnOp::Deref(star) = &unary.op
            && self.is_unsafe
            && !self.is_reference(&unary.expr)
        {
            self.found(UnsafeConstruct::RawPointer, star.span());
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        if self.is_unsafe {
            // `read()` of a lock, whose result is unwrapped, takes no pointer.
            let is_lock = ["unwrap", "expect"].contains(&&*name)
                && matches!(&*call.receiver, Expr::MethodCall(inner)
                    if inner.method == "read" && inner.args.is_empty());
            if let Some(construct) = of_method(&name, call.args.len()) {
                self.found(construct, call.method.span());
            }
            if is_lock && let Expr::MethodCall(inner) = &*call.receiver {
                return self.visit_expr(&inner.receiver);
            }
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let (true, Expr::Path(function)) = (self.is_unsafe, &*call.func) {
            let mut segments = function.path.segments.iter().rev();
            let last = segments.next().map(|s| s.ident.to_string());
            let module = segments.next().map(|s| s.ident.to_string());
            let (last, module) = (last.unwrap_or_default(), module.unwrap_or_default());
            if let Some(construct) = of_function(&module, &last) {
                self.found(construct, function.span());
            }
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        if matches!(item.mutability, syn::StaticMutability::Mut(_)) {
            self.found(UnsafeConstruct::StaticMut, item.static_token.span);
        }
        visit::visit_item_static(self, item);
    }

    fn visit_foreign_item_static(&mut self, item: &'ast syn::ForeignItemStatic) {
        if matches!(item.mutability, syn::StaticMutability::Mut(_)) {
            self.found(UnsafeConstruct::StaticMut, item.static_token.span);
        }
        visit::visit_foreign_item_static(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let (Some(token), Some((None, path, _))) = (&item.unsafety, &item.trait_)
            && let Some(last) = path.segments.last()
            && let Some(construct) = of_trait(&last.ident.to_string())
        {
            self.found(construct, token.span());
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.path_is_named(path);
        for segment in &path.segments {
            if is_cell(&segment.ident.to_string()) {
                self.found(UnsafeConstruct::UnsafeCell, segment.ident.span());
            }
        }
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.imported(&item.tree, &[]);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.named(&item.ident.to_string(), None, item.ident.span());
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.path_is_named(&call.path);
        self.tokens(call.tokens.clone());
    }
}

impl Scanner<'_> {
    /// Names that are imported; `before` are the names before them.
    fn imported(&mut self, tree: &syn::UseTree, before: &[String]) {
        match tree {
            syn::UseTree::Path(path) => {
                let name = path.ident.to_string();
                self.imported_name(&name, before, path.ident.span());
                self.imported(&path.tree, &[before, &[name]].concat());
            }
            syn::UseTree::Name(last) => {
                self.imported_name(&last.ident.to_string(), before, last.ident.span());
                self.imported_whole(&last.ident, before);
            }
            syn::UseTree::Rename(last) => {
                self.imported_name(&last.ident.to_string(), before, last.ident.span());
                self.imported_whole(&last.ident, before);
            }
            syn::UseTree::Glob(glob) => {
                if let [library] = before {
                    self.named(library, None, glob.star_token.span());
                }
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.imported(tree, before);
                }
            }
        }
    }

    fn imported_name(&mut self, name: &str, before: &[String], span: Span) {
        if let [library] = before {
            let item = Some(name).filter(|name| *name != "self");
            self.named(library, item, span);
        }
        if is_cell(name) {
            self.found(UnsafeConstruct::UnsafeCell, span);
        }
    }

    /// `use tokio;` and `use tokio as t;` import everything.
    fn imported_whole(&mut self, name: &syn::Ident, before: &[String]) {
        if before.is_empty() {
            self.named(&name.to_string(), None, name.span());
        }
    }

    /// The arguments of a macro, or a piece of code.
    fn tokens(&mut self, stream: proc_macro2::TokenStream) {
        tokens::visit(self, stream);
    }
}

#[cfg(test)]
mod tests;
