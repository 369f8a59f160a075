//! The syntax printed as MIR again. What it does not keep, for example where a
//! call unwinds to, is `…`.

use std::fmt::{Display, Formatter, Result};

use super::syntax::{BlockId, Function, Local, Operand, Place, Statement, Step, Terminator, Value};

impl Display for Local {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "_{}", self.0)
    }
}

impl Display for BlockId {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "bb{}", self.0)
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for step in self.steps.iter().rev() {
            f.write_str(match step {
                Step::Deref => "(*",
                Step::Field(..) | Step::Downcast(_) => "(",
                Step::Index(_) | Step::Constant => "",
            })?;
        }
        write!(f, "{}", self.local)?;
        for step in &self.steps {
            match step {
                Step::Deref => f.write_str(")")?,
                Step::Field(field, ty) => write!(f, ".{field}: {ty})")?,
                Step::Downcast(variant) => write!(f, " as {variant})")?,
                Step::Index(local) => write!(f, "[{local}]")?,
                Step::Constant => f.write_str("[…]")?,
            }
        }
        Ok(())
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Operand::Copy(place) => write!(f, "copy {place}"),
            Operand::Move(place) => write!(f, "move {place}"),
            // A reference to a thread-local static is a value of its own.
            Operand::Constant(text) if text.starts_with("&/*tls*/") => f.write_str(text),
            Operand::Constant(text) => write!(f, "const {text}"),
            Operand::Function(path) => f.write_str(path),
        }
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Function::Path(path) => f.write_str(path),
            Function::Pointer(operand) => write!(f, "{operand}"),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Value::Use(operand) => write!(f, "{operand}"),
            Value::Repeat(operand) => write!(f, "[{operand}; …]"),
            Value::Ref(true, place) => write!(f, "&…mut {place}"),
            Value::Ref(false, place) => write!(f, "&…{place}"),
            Value::Cast(operand, ty) => write!(f, "{operand} as {ty} (…)"),
            Value::Compute(name, operands) if operands.is_empty() => write!(f, "{name}(…)"),
            // The length of a place, and a box with its type.
            Value::Compute(name, operands) if name == "Len" => match &operands[..] {
                [Operand::Copy(place)] => write!(f, "{name}({place})"),
                _ => write!(f, "{name}(…)"),
            },
            Value::Compute(name, operands) => {
                write!(f, "{name}(")?;
                list(f, operands)?;
                let more = if name == "ShallowInitBox" {
                    ", …"
                } else {
                    ""
                };
                write!(f, "{more})")
            }
            Value::Discriminant(place) => write!(f, "discriminant({place})"),
            Value::Aggregate(name, fields) => aggregate(f, name, fields),
        }
    }
}

fn list(f: &mut Formatter<'_>, operands: &[Operand]) -> Result {
    for (index, operand) in operands.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        write!(f, "{comma}{operand}")?;
    }
    Ok(())
}

/// A tuple and an array are not told apart, nor is a name with no fields from
/// one with an empty list of them.
fn aggregate(f: &mut Formatter<'_>, name: &str, fields: &[(Option<String>, Operand)]) -> Result {
    f.write_str(name)?;
    if fields.is_empty() {
        return f.write_str("…");
    }
    let named = fields.iter().any(|(field, _)| field.is_some());
    f.write_str(if named { " { " } else { "…" })?;
    for (index, (field, operand)) in fields.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        match field {
            Some(field) => write!(f, "{comma}{field}: {operand}")?,
            None => write!(f, "{comma}{operand}")?,
        }
    }
    f.write_str(if named { " }" } else { "…" })
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Statement::Assign(place, value) => write!(f, "{place} = {value};"),
            Statement::SetDiscriminant(place, variant) => {
                write!(f, "discriminant({place}) = {variant};")
            }
            Statement::Inert => f.write_str("…;"),
            Statement::Intrinsic(name, operands) => {
                write!(f, "{name}(")?;
                for (index, operand) in operands.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}…{operand}")?;
                }
                f.write_str(");")
            }
        }
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Terminator::Goto(block) => write!(f, "…{block}…;"),
            Terminator::Switch(operand, targets) => {
                write!(f, "switchInt({operand}) -> [")?;
                for (index, (number, block)) in targets.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    let number = number.as_deref().unwrap_or("otherwise");
                    write!(f, "{comma}{number}: {block}")?;
                }
                f.write_str("];")
            }
            Terminator::Return => f.write_str("return;"),
            Terminator::Stop => f.write_str("…;"),
            Terminator::Drop(place, block) => write!(f, "drop({place}) -> [return: {block}…];"),
            Terminator::Call {
                to,
                function,
                arguments,
                target,
            } => {
                write!(f, "{to} = {function}(")?;
                list(f, arguments)?;
                match target {
                    Some(block) => write!(f, ") -> [return: {block}, …];"),
                    None => f.write_str(") -> …;"),
                }
            }
            Terminator::Assert(operand, block) => {
                write!(f, "assert(…{operand}, …) -> [success: {block}, …];")
            }
            Terminator::Yield(operand, block) => write!(f, "… = yield({operand}) -> …{block}…;"),
            Terminator::Asm(blocks) => {
                f.write_str("asm!(…")?;
                for block in blocks {
                    write!(f, "{block}…")?;
                }
                f.write_str(";")
            }
        }
    }
}
