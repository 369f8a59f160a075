//! Lambdas and method references, and what else `invokedynamic` is used for.
//!
//! A lambda becomes what the JVM makes of it: an object of a class of its own,
//! whose fields are what it captured, with one method that calls the body.

use std::borrow::Cow;

use cafebabe::ClassFile;
use cafebabe::attributes::{AttributeData, BootstrapMethodEntry};
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::{BootstrapArgument, InvokeDynamic, MethodHandle, ReferenceKind};
use rustc_hash::FxHashMap;

use super::body::{Body, Value};
use super::calls::{Dispatch, Method};
use super::class;
use super::hierarchy::World;
use super::names;
use crate::ir::{
    Block, Effect, Function, FunctionId, Local, Operand, Place, Rule, Site, Statement, Terminator,
};

/// A lambda, or a method reference.
pub(super) struct Closure<'a> {
    /// The name of its class, which no file has.
    pub(super) class: String,
    /// The interface that it implements.
    pub(super) interface: String,
    /// The method of the interface: name and descriptor, written after each
    /// other.
    pub(super) method: String,
    /// The descriptor of that method with the types that are meant.
    pub(super) signature: String,
    /// The function that it is.
    pub(super) function: FunctionId,
    /// The class it is in.
    pub(super) home: usize,
    /// The types of what it captures.
    captures: Vec<String>,
    /// What it calls.
    target: MethodHandle<'a>,
}

/// Which closure an instruction makes: by class, method and instruction.
pub(super) type Sites = FxHashMap<(usize, usize, usize), usize>;

/// Finds all closures of all classes.
pub(super) fn find<'a>(world: &mut World<'a>) -> Sites {
    let mut found = Vec::new();
    for (home, class) in world.classes.iter().enumerate() {
        let mut number = 0;
        for (method, info) in class.file.methods.iter().enumerate() {
            let bytecode = class::code(info).and_then(|code| code.bytecode.as_ref());
            for (index, (_, opcode)) in bytecode.iter().flat_map(|b| b.opcodes.iter().enumerate()) {
                let Opcode::Invokedynamic(dynamic) = opcode else {
                    continue;
                };
                let name = format!("{}$$Lambda${number}", class.name());
                if let Some(closure) = closure(&class.file, dynamic, home, name) {
                    number += 1;
                    found.push(((home, method, index), closure));
                }
            }
        }
    }
    let mut sites = Sites::default();
    for (site, closure) in found {
        let index = world.add(|function| Closure {
            function,
            ..closure
        });
        sites.insert(site, index);
    }
    sites
}

fn bootstrap<'f, 'a>(
    file: &'f ClassFile<'a>,
    dynamic: &InvokeDynamic<'a>,
) -> Option<&'f BootstrapMethodEntry<'a>> {
    let methods = (file.attributes.iter()).find_map(|attribute| match &attribute.data {
        AttributeData::BootstrapMethods(methods) => Some(methods),
        _ => None,
    })?;
    methods.get(usize::from(dynamic.attr_index))
}

fn closure<'a>(
    file: &ClassFile<'a>,
    dynamic: &InvokeDynamic<'a>,
    home: usize,
    class: String,
) -> Option<Closure<'a>> {
    let entry = bootstrap(file, dynamic)?;
    if entry.method.class_name != "java/lang/invoke/LambdaMetafactory" {
        return None;
    }
    let [
        BootstrapArgument::MethodType(method),
        BootstrapArgument::MethodHandle(target),
        BootstrapArgument::MethodType(signature),
        ..,
    ] = entry.arguments.as_slice()
    else {
        return None;
    };
    let (captures, interface) = names::signature(&dynamic.name_and_type.descriptor);
    Some(Closure {
        class,
        interface: names::class_of(interface)?.to_owned(),
        method: format!("{}{method}", dynamic.name_and_type.name),
        signature: signature.to_string(),
        function: FunctionId(0),
        home,
        captures: captures.into_iter().map(str::to_owned).collect(),
        target: target.clone(),
    })
}

impl<'a> Body<'_, 'a> {
    /// An `invokedynamic` with its arguments, and the closure that it makes if
    /// it makes one.
    pub(super) fn dynamic(
        &mut self,
        dynamic: &InvokeDynamic<'a>,
        closure: Option<usize>,
        arguments: Vec<Value>,
    ) -> Option<Value> {
        let world = self.world;
        let from: Vec<Operand> = arguments.into_iter().map(|value| value.operand).collect();
        if let Some(index) = closure {
            let closure = &world.closures[index];
            let ty = self.tables.class(&closure.class);
            let local = self.local(None, ty);
            let fields = (0..from.len())
                .map(|index| self.tables.field(&closure.class, &index.to_string()))
                .collect();
            self.push(Statement::Assign {
                to: Place::local(local),
                rule: Rule::Aggregate,
                from,
                fields,
            });
            return Some(self.value(local));
        }
        let result = names::signature(&dynamic.name_and_type.descriptor).1;
        let entry = bootstrap(&world.classes[self.class].file, dynamic);
        let maker = entry.map_or(Cow::Borrowed(""), |entry| entry.method.class_name.clone());
        match &*maker {
            // `"a" + b`, the methods of records, `switch` over patterns.
            "java/lang/invoke/StringConcatFactory"
            | "java/lang/runtime/ObjectMethods"
            | "java/lang/runtime/SwitchBootstraps" => Some(self.make(result, Rule::Compute, from)),
            _ => {
                let maker = names::dotted(&maker);
                self.gap(format!("an invokedynamic made by `{maker}`"));
                let to = match result {
                    "V" => self.nowhere(),
                    result => Place::local(self.temporary(result)),
                };
                let value = (result != "V").then(|| self.value(to.local));
                let name = dynamic.name_and_type.name.to_string();
                self.call(to, name, Effect::Unknown, from);
                value
            }
        }
    }

    /// The function of a closure: it takes what was captured out of the object,
    /// and calls the body.
    pub(super) fn forward(mut self, closure: &Closure<'a>) -> Function {
        let (parameters, result) = names::signature(&closure.signature);
        self.temporary(result);
        let ty = self.tables.class(&closure.class);
        let object = self.local(Some("closure"), ty);
        let given: Vec<Local> = parameters.iter().map(|ty| self.temporary(ty)).collect();
        let mut arguments = Vec::new();
        for (index, ty) in closure.captures.iter().enumerate() {
            let field = self.tables.field(&closure.class, &index.to_string());
            let place = super::body::through(object, field);
            arguments.push(self.make(ty, Rule::Copy, vec![Operand::Place(place, false)]));
        }
        arguments.extend(given.iter().map(|local| self.value(*local)));
        let target = &closure.target;
        let method = Method {
            class: &target.class_name,
            name: &target.member_ref.name,
            descriptor: &target.member_ref.descriptor,
            dropped: result == "V",
        };
        let value = match target.kind {
            ReferenceKind::NewInvokeSpecial => {
                let ty = format!("L{};", method.class);
                let object = self.make(&ty, Rule::New, Vec::new());
                arguments.insert(0, object.clone());
                self.invoke(Dispatch::Special, method, arguments);
                Some(object)
            }
            ReferenceKind::InvokeStatic => self.invoke(Dispatch::Static, method, arguments),
            ReferenceKind::InvokeSpecial => self.invoke(Dispatch::Special, method, arguments),
            _ => self.invoke(Dispatch::Virtual, method, arguments),
        };
        if let Some(value) = value
            && result != "V"
        {
            self.assign(Place::local(Local(0)), Rule::Copy, vec![value.operand]);
        }
        Function {
            name: self.name,
            site: Site::UNKNOWN,
            parameters: given.len() as u32 + 1,
            locals: self.locals,
            blocks: vec![Block {
                statements: self.statements,
                terminator: Terminator::Return,
                site: Site::UNKNOWN,
            }],
            atomic: false,
            public: false,
        }
    }
}

/// The parts of a closure's name that reports show.
pub(super) fn shown(closure: &Closure<'_>) -> String {
    let method = closure.method.split('(').next().unwrap_or_default();
    format!("{}.{method}", names::dotted(&closure.class))
}
