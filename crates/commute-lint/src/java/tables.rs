//! The lists of a program while it is made: each field, type and file once.

use rustc_hash::FxHashMap;

use super::names;
use crate::ir::{Field, FieldId, FileId, Gap, Type, TypeId, TypeKind};

/// How many bytes of code become functions, each of which takes up to 150 bytes: more
/// than `java.base` has.
const MOST_CODE: usize = 12 << 20;

/// The lists that functions refer to.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) fields: Vec<Field>,
    pub(super) types: Vec<Type>,
    pub(super) files: Vec<String>,
    pub(super) gaps: Vec<Gap>,
    field_ids: FxHashMap<String, FieldId>,
    type_ids: FxHashMap<String, TypeId>,
    file_ids: FxHashMap<String, FileId>,
    /// How many bytes of code became functions.
    code: usize,
}

impl Tables {
    /// Counts the code of a method, and says whether it may become a function.
    pub(super) fn has_room(&mut self, code: usize) -> bool {
        self.code = self.code.saturating_add(code);
        self.code <= MOST_CODE
    }

    /// The field of a class, which is named as class files do (`a/b/C`).
    pub(super) fn field(&mut self, class: &str, name: &str) -> FieldId {
        let key = format!("{class}.{name}");
        if let Some(&id) = self.field_ids.get(&key) {
            return id;
        }
        let id = FieldId(self.fields.len() as u32);
        self.fields.push(Field {
            class: names::dotted(class),
            name: name.to_owned(),
        });
        self.field_ids.insert(key, id);
        id
    }

    /// The type a descriptor stands for (`I`, `La/b/C;`, `[I`, `V`).
    pub(super) fn ty(&mut self, descriptor: &str) -> TypeId {
        if let Some(&id) = self.type_ids.get(descriptor) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(Type {
            name: names::of_descriptor(descriptor),
            kind: kind(descriptor),
        });
        self.type_ids.insert(descriptor.to_owned(), id);
        id
    }

    /// The type of objects of this class (`a/b/C`, or `[I`).
    pub(super) fn class(&mut self, name: &str) -> TypeId {
        match name.starts_with('[') {
            true => self.ty(name),
            false => self.ty(&format!("L{name};")),
        }
    }

    /// A source file.
    pub(super) fn file(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.file_ids.get(name) {
            return id;
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(name.to_owned());
        self.file_ids.insert(name.to_owned(), id);
        id
    }

    /// Something that was not understood.
    pub(super) fn gap(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.gaps.push(Gap {
            place: place.into(),
            what: what.into(),
        });
    }
}

/// Whether something is reached through what a descriptor describes.
pub(super) fn is_object(descriptor: &str) -> bool {
    kind(descriptor) == TypeKind::Mutable
}

/// Strings and boxed numbers never change, so nothing is reached through them.
fn kind(descriptor: &str) -> TypeKind {
    match descriptor {
        "Ljava/lang/String;"
        | "Ljava/lang/Integer;"
        | "Ljava/lang/Long;"
        | "Ljava/lang/Short;"
        | "Ljava/lang/Byte;"
        | "Ljava/lang/Character;"
        | "Ljava/lang/Boolean;"
        | "Ljava/lang/Float;"
        | "Ljava/lang/Double;" => TypeKind::Scalar,
        _ if descriptor.starts_with(['L', '[']) => TypeKind::Mutable,
        _ => TypeKind::Scalar,
    }
}
