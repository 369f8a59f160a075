//! Classes: read from bytes, with what the front end asks of them.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cafebabe::attributes::{Annotation, AttributeData, AttributeInfo, CodeData};
use cafebabe::descriptors::FieldType;
use cafebabe::{ClassFile, MethodAccessFlags, MethodInfo, ParseOptions, parse_class_with_options};
use rustc_hash::FxHashMap;

use super::tables::Tables;
use super::{Input, names, shape};
use crate::ir::FunctionId;

/// The newest version of class files that was looked at: Java 25.
const NEWEST: u16 = 69;

/// A class, and which functions its methods are.
pub(super) struct Class<'a> {
    pub(super) file: ClassFile<'a>,
    /// The input it is from.
    pub(super) input: &'a str,
    /// The descriptors of its methods.
    pub(super) descriptors: Vec<String>,
    /// The functions of its methods, if they have a body.
    pub(super) functions: Vec<Option<FunctionId>>,
    /// Its methods by name and descriptor, written after each other.
    keyed: FxHashMap<String, usize>,
}

impl<'a> Class<'a> {
    fn new(file: ClassFile<'a>, input: &'a str) -> Class<'a> {
        let descriptors: Vec<String> = (file.methods.iter())
            .map(|method| method.descriptor.to_string())
            .collect();
        let keyed = (file.methods.iter().zip(&descriptors).enumerate())
            .map(|(index, (method, descriptor))| (format!("{}{descriptor}", method.name), index))
            .collect();
        Class {
            functions: vec![None; descriptors.len()],
            file,
            input,
            descriptors,
            keyed,
        }
    }

    /// Its name, as class files have it.
    pub(super) fn name(&self) -> &str {
        &self.file.this_class
    }

    /// The method with this name and descriptor, written after each other.
    pub(super) fn method(&self, key: &str) -> Option<usize> {
        self.keyed.get(key).copied()
    }

    /// The name of a method in reports; with the types of its parameters if
    /// the class has several of that name.
    pub(super) fn method_name(&self, index: usize) -> String {
        let method = &self.file.methods[index];
        let name = format!("{}.{}", names::dotted(self.name()), method.name);
        let overloaded = |other: &&MethodInfo<'_>| {
            other.name == method.name && !is_bridge(other) && !is_bridge(method)
        };
        if self.file.methods.iter().filter(overloaded).count() < 2 {
            return name;
        }
        let (parameters, _) = names::signature(&self.descriptors[index]);
        let parameters: Vec<String> = (parameters.iter())
            .map(|parameter| match names::class_of(parameter) {
                Some(class) => names::simple(class).to_owned(),
                None => names::of_descriptor(parameter),
            })
            .collect();
        format!("{name}({})", parameters.join(","))
    }

    /// Its source file, with the directories of its package.
    pub(super) fn source(&self) -> Option<String> {
        let file = (self.file.attributes.iter()).find_map(|attribute| match &attribute.data {
            AttributeData::SourceFile(name) => Some(name),
            _ => None,
        })?;
        Some(match self.name().rsplit_once('/') {
            Some((package, _)) => format!("{package}/{file}"),
            None => file.to_string(),
        })
    }
}

/// Whether a compiler made the method to call another with other types.
pub(super) fn is_bridge(method: &MethodInfo<'_>) -> bool {
    (method.access_flags).contains(MethodAccessFlags::BRIDGE | MethodAccessFlags::SYNTHETIC)
}

/// The code of a method.
pub(super) fn code<'m, 'a>(method: &'m MethodInfo<'a>) -> Option<&'m CodeData<'a>> {
    (method.attributes.iter()).find_map(|attribute| match &attribute.data {
        AttributeData::Code(code) => Some(code),
        _ => None,
    })
}

/// Whether there is an annotation called `Atomic`, whatever its package and
/// however long it is kept.
pub(super) fn is_atomic(attributes: &[AttributeInfo<'_>]) -> bool {
    let is_atomic = |annotation: &Annotation<'_>| match &annotation.type_descriptor.field_type {
        FieldType::Object(class) => names::simple(class) == "Atomic",
        _ => false,
    };
    attributes.iter().any(|attribute| match &attribute.data {
        AttributeData::RuntimeVisibleAnnotations(all)
        | AttributeData::RuntimeInvisibleAnnotations(all) => all.iter().any(is_atomic),
        _ => false,
    })
}

/// A class file whose shape was looked at.
pub(super) struct Checked<'a> {
    name: &'a str,
    bytes: Cow<'a, [u8]>,
    /// Whether its code can be read.
    sound: bool,
}

/// Looks at the shape of all class files. What is broken is a gap.
pub(super) fn check<'a>(inputs: &'a [Input], tables: &mut Tables) -> Vec<Checked<'a>> {
    let mut checked = Vec::with_capacity(inputs.len());
    for input in inputs {
        match shape::check(&input.bytes) {
            Ok(shape) => checked.push(Checked {
                name: &input.name,
                bytes: shape.repaired(&input.bytes),
                sound: shape.sound,
            }),
            Err(what) => tables.gap(&input.name, what),
        }
    }
    checked
}

/// Reads all classes. What cannot be read is a gap.
pub(super) fn read<'a>(files: &'a [Checked<'a>], tables: &mut Tables) -> Vec<Class<'a>> {
    let mut classes = Vec::new();
    for input in files {
        match parse(&input.bytes, input.sound) {
            Ok((file, problem)) => {
                if let Some(problem) = problem {
                    tables.gap(input.name, problem);
                }
                if file.major_version > NEWEST {
                    let version = file.major_version;
                    let what = format!("version {version} of class files is newer than {NEWEST}");
                    tables.gap(input.name, what);
                }
                classes.push(Class::new(file, input.name));
            }
            Err(what) => tables.gap(input.name, what),
        }
    }
    classes
}

/// A class; and a problem, if its code had to be left out.
fn parse(bytes: &[u8], sound: bool) -> Result<(ClassFile<'_>, Option<String>), String> {
    let mut problem = "its code cannot be read".to_owned();
    if sound {
        match attempt(bytes, true) {
            Ok(file) => return Ok((file, None)),
            Err(error) => problem = error,
        }
    }
    // Others may still call its methods or extend it.
    match attempt(bytes, false) {
        Ok(file) => Ok((file, Some(problem))),
        Err(_) => Err(problem),
    }
}

fn attempt(bytes: &[u8], code: bool) -> Result<ClassFile<'_>, String> {
    let mut options = ParseOptions::default();
    options.parse_bytecode(code);
    // It has some `panic!` for what it holds impossible.
    match catch_unwind(AssertUnwindSafe(|| {
        parse_class_with_options(bytes, &options)
    })) {
        Ok(Ok(file)) => Ok(file),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the parser of class files gave up".to_owned()),
    }
}
