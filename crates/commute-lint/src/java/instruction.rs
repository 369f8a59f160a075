//! What each instruction does to the stack, and which statements it is.

use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::{LiteralConstant, Loadable, MemberRef, ObjectArrayType};

use super::arithmetic::{self, Kind};
use super::body::{Value, of};
use super::calls::{Dispatch, Method};
use super::lowering::Lowering;
use super::names;
use crate::ir::{Operand, Place, Rule};

impl Lowering<'_, '_> {
    /// One instruction: its index, its offset, itself.
    pub(super) fn instruction(
        &mut self,
        index: usize,
        offset: usize,
        opcode: &Opcode<'_>,
    ) -> Result<(), String> {
        use Opcode::*;
        if let Some((text, descriptor)) = arithmetic::constant(opcode) {
            let value = self.body.constant(text, descriptor);
            self.frame.push(value);
        } else if let Some((count, descriptor)) = arithmetic::computes(opcode) {
            let from = operands(self.frame.pop_many(count)?);
            let value = self.body.make(descriptor, Rule::Compute, from);
            self.frame.push(value);
        } else if let Some((slot, kind)) = arithmetic::loads(opcode) {
            let local = (self.frame).variable(&mut self.body, slot, kind, offset, None);
            self.frame.push(self.body.value(local));
        } else if let Some((slot, kind)) = arithmetic::stores(opcode) {
            self.store(index, slot, kind)?;
        } else if let Some(descriptor) = arithmetic::loads_element(opcode) {
            self.load_element(descriptor)?;
        } else if arithmetic::stores_element(opcode) {
            let value = self.frame.pop()?;
            let at = self.frame.pop()?;
            let array = self.frame.pop()?;
            let place = self.body.element(array, Some(at));
            self.body.assign(place, Rule::Copy, vec![value.operand]);
        } else if self.stack_only(opcode)? || self.jump(index, opcode)? {
        } else {
            match opcode {
                Iinc(slot, by) => {
                    let local =
                        (self.frame).variable(&mut self.body, *slot, Kind::Int, offset, None);
                    self.frame.save(&mut self.body, local);
                    let from = vec![of(local), Operand::Constant(by.to_string())];
                    self.body.assign(Place::local(local), Rule::Compute, from);
                }
                Ldc(constant) | LdcW(constant) | Ldc2W(constant) => self.load(constant),
                Getfield(member) => {
                    let base = self.frame.pop()?;
                    self.read(base, member);
                }
                Getstatic(member) => {
                    let name = &member.name_and_type.name;
                    let base = self.body.statics(&member.class_name, name);
                    self.read(base, member);
                }
                Putfield(member) => {
                    let value = self.frame.pop()?;
                    let base = self.frame.pop()?;
                    self.write(base, member, value);
                }
                Putstatic(member) => {
                    let value = self.frame.pop()?;
                    let name = &member.name_and_type.name;
                    let base = self.body.statics(&member.class_name, name);
                    self.write(base, member, value);
                }
                New(class) => self.new_object(&format!("L{class};"), Vec::new()),
                Newarray(element) => {
                    let count = vec![self.frame.pop()?.operand];
                    self.new_object(&format!("[{}", primitive(*element)), count);
                }
                Anewarray(element) => {
                    let count = vec![self.frame.pop()?.operand];
                    self.new_object(&format!("[{}", descriptor(element)), count);
                }
                Multianewarray(ty, dimensions) => {
                    let counts = operands(self.frame.pop_many((*dimensions).into())?);
                    self.new_object(&descriptor(ty), counts);
                }
                Checkcast(ty) => {
                    let mut value = self.frame.pop()?;
                    // A closure says more than the interface that it is cast to.
                    if (self.body.world)
                        .closure(&self.body.class_of(&value))
                        .is_none()
                    {
                        value.ty = self.body.tables.ty(&descriptor(ty));
                    }
                    self.frame.push(value);
                }
                Monitorenter => {
                    let object = self.frame.pop()?;
                    self.body.enter(object.operand);
                }
                Monitorexit => {
                    self.frame.pop()?;
                    self.body.exit();
                }
                Invokevirtual(member) | Invokeinterface(member, _) => {
                    self.invoke(index, Dispatch::Virtual, member)?;
                }
                Invokespecial(member) => self.invoke(index, Dispatch::Special, member)?,
                Invokestatic(member) => self.invoke(index, Dispatch::Static, member)?,
                Invokedynamic(dynamic) => {
                    let (parameters, _) = names::signature(&dynamic.name_and_type.descriptor);
                    let arguments = self.frame.pop_many(parameters.len())?;
                    let site = (self.at.class, self.at.method, index);
                    let closure = self.sites.get(&site).copied();
                    // Borrowed from the class, which lives longer than the frame.
                    let value = self.dynamic(index, closure, arguments);
                    self.frame.stack.extend(value);
                    self.may_throw(index)?;
                }
                Jsr(_) | Ret(_) => return Err("it uses jsr and ret".to_owned()),
                other => {
                    let name = format!("{other:?}");
                    let name = name.split('(').next().unwrap_or_default();
                    return Err(format!("it uses the instruction {name}"));
                }
            }
        }
        Ok(())
    }

    fn dynamic(
        &mut self,
        index: usize,
        closure: Option<usize>,
        arguments: Vec<Value>,
    ) -> Option<Value> {
        let bytecode = self.bytecode;
        match &bytecode.opcodes[index].1 {
            Opcode::Invokedynamic(dynamic) => self.body.dynamic(dynamic, closure, arguments),
            _ => None,
        }
    }

    /// Instructions that only move values on the stack.
    fn stack_only(&mut self, opcode: &Opcode<'_>) -> Result<bool, String> {
        use Opcode::*;
        match opcode {
            Nop => {}
            Pop => self.frame.drop_slots(1)?,
            Pop2 => self.frame.drop_slots(2)?,
            Dup => self.frame.double(1, 0)?,
            DupX1 => self.frame.double(1, 1)?,
            DupX2 => self.frame.double(1, 2)?,
            Dup2 => self.frame.double(2, 0)?,
            Dup2X1 => self.frame.double(2, 1)?,
            Dup2X2 => self.frame.double(2, 2)?,
            Swap => {
                let values = self.frame.pop_many(2)?;
                self.frame.stack.extend(values.into_iter().rev());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn store(&mut self, index: usize, slot: u16, kind: Kind) -> Result<(), String> {
        let value = self.frame.pop()?;
        // The name of a variable is valid after it got its value.
        let after = (self.bytecode.opcodes.get(index + 1)).map_or(usize::MAX, |(next, _)| *next);
        let local = (self.frame).variable(&mut self.body, slot, kind, after, Some(&value));
        self.frame.save(&mut self.body, local);
        let from = vec![value.operand];
        self.body.assign(Place::local(local), Rule::Copy, from);
        Ok(())
    }

    fn load_element(&mut self, default: &str) -> Result<(), String> {
        let at = self.frame.pop()?;
        let array = self.frame.pop()?;
        let name = self.body.class_of(&array);
        let element = match name.strip_suffix("[]") {
            // Only references need more than the instruction says.
            Some(element) if default.starts_with('L') => {
                let dimensions = "[".repeat(element.matches("[]").count());
                match element.trim_end_matches("[]") {
                    primitive if !dimensions.is_empty() && letter(primitive).is_some() => {
                        format!("{dimensions}{}", letter(primitive).unwrap_or("I"))
                    }
                    class => format!("{dimensions}L{class};"),
                }
            }
            _ => default.to_owned(),
        };
        let place = self.body.element(array, Some(at));
        let from = vec![Operand::Place(place.clone(), false)];
        let value = self.body.make(&element, Rule::Copy, from);
        if let Some(local) = value.local()
            && default.starts_with('L')
        {
            self.body.comes_from(local, place);
        }
        self.frame.push(value);
        Ok(())
    }

    fn load(&mut self, constant: &Loadable<'_>) {
        let (text, descriptor) = match constant {
            Loadable::LiteralConstant(literal) => match literal {
                LiteralConstant::Integer(value) => (value.to_string(), "I"),
                LiteralConstant::Float(value) => (format!("{value:?}"), "F"),
                LiteralConstant::Long(value) => (value.to_string(), "J"),
                LiteralConstant::Double(value) => (format!("{value:?}"), "D"),
                LiteralConstant::String(text) => (format!("{text:?}"), "Ljava/lang/String;"),
                LiteralConstant::StringBytes(_) => ("\"…\"".to_owned(), "Ljava/lang/String;"),
            },
            Loadable::ClassInfo(name) => {
                let ty = self.body.tables.ty("Ljava/lang/Class;");
                let name = match name.starts_with('[') {
                    true => names::of_descriptor(name),
                    false => names::dotted(name),
                };
                self.frame.push(Value {
                    operand: Operand::Static(format!("{name}.class")),
                    ty,
                    wide: false,
                });
                return;
            }
            Loadable::MethodHandle(handle) => {
                let name = names::dotted(&handle.class_name);
                let text = format!("{name}::{}", handle.member_ref.name);
                (text, "Ljava/lang/invoke/MethodHandle;")
            }
            Loadable::MethodType(ty) => (ty.to_string(), "Ljava/lang/invoke/MethodType;"),
            Loadable::Dynamic(dynamic) => {
                let text = dynamic.name_and_type.name.to_string();
                let value = self.body.constant(text, &dynamic.name_and_type.descriptor);
                self.frame.push(value);
                return;
            }
        };
        let value = self.body.constant(text, descriptor);
        self.frame.push(value);
    }

    fn read(&mut self, base: Value, member: &MemberRef<'_>) {
        let named = &member.name_and_type;
        let value =
            (self.body).read_field(base, &member.class_name, &named.name, &named.descriptor);
        self.frame.push(value);
    }

    fn write(&mut self, base: Value, member: &MemberRef<'_>, value: Value) {
        let base = self.body.held(base);
        let place = (self.body).field(base, &member.class_name, &member.name_and_type.name);
        self.body.assign(place, Rule::Copy, vec![value.operand]);
    }

    fn new_object(&mut self, descriptor: &str, from: Vec<Operand>) {
        let value = self.body.make(descriptor, Rule::New, from);
        self.frame.push(value);
    }

    fn invoke(
        &mut self,
        index: usize,
        dispatch: Dispatch,
        member: &MemberRef<'_>,
    ) -> Result<(), String> {
        let named = &member.name_and_type;
        let (parameters, _) = names::signature(&named.descriptor);
        let object = usize::from(dispatch != Dispatch::Static);
        let arguments = self.frame.pop_many(parameters.len() + object)?;
        let next = self.bytecode.opcodes.get(index + 1);
        let method = Method {
            class: &member.class_name,
            name: &named.name,
            descriptor: &named.descriptor,
            dropped: matches!(next, Some((_, Opcode::Pop | Opcode::Pop2))),
        };
        self.body.looped = (self.flow.as_ref()).is_some_and(|flow| flow.is_looped(index));
        let value = self.body.invoke(dispatch, method, arguments);
        self.frame.stack.extend(value);
        self.may_throw(index)
    }
}

pub(super) fn operands(values: Vec<Value>) -> Vec<Operand> {
    values.into_iter().map(|value| value.operand).collect()
}

/// The descriptor of a class or an array type.
fn descriptor(ty: &ObjectArrayType<'_>) -> String {
    match ty {
        ObjectArrayType::ArrayType(array) => array.to_string(),
        ObjectArrayType::BinaryName(class) => format!("L{class};"),
    }
}

fn primitive(ty: cafebabe::bytecode::PrimitiveArrayType) -> &'static str {
    use cafebabe::bytecode::PrimitiveArrayType::*;
    match ty {
        Boolean => "Z",
        Char => "C",
        Float => "F",
        Double => "D",
        Byte => "B",
        Short => "S",
        Int => "I",
        Long => "J",
    }
}

/// The descriptor of a primitive type, by its name.
fn letter(name: &str) -> Option<&'static str> {
    Some(match name {
        "boolean" => "Z",
        "char" => "C",
        "float" => "F",
        "double" => "D",
        "byte" => "B",
        "short" => "S",
        "int" => "I",
        "long" => "J",
        _ => return None,
    })
}
