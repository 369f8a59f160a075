//! Instructions that only compute: how many values they take, and what they
//! give.

use cafebabe::bytecode::Opcode;

/// How many values an instruction takes from the stack, and the descriptor of
/// what it computes from them.
pub(super) fn computes(opcode: &Opcode<'_>) -> Option<(usize, &'static str)> {
    use Opcode::*;
    Some(match opcode {
        Iadd | Iand | Idiv | Imul | Ior | Irem | Ishl | Ishr | Isub | Iushr | Ixor => (2, "I"),
        Ladd | Land | Ldiv | Lmul | Lor | Lrem | Lshl | Lshr | Lsub | Lushr | Lxor => (2, "J"),
        Fadd | Fdiv | Fmul | Frem | Fsub => (2, "F"),
        Dadd | Ddiv | Dmul | Drem | Dsub => (2, "D"),
        Dcmpg | Dcmpl | Fcmpg | Fcmpl | Lcmp => (2, "I"),
        Ineg | D2i | F2i | L2i => (1, "I"),
        I2b => (1, "B"),
        I2c => (1, "C"),
        I2s => (1, "S"),
        Lneg | D2l | F2l | I2l => (1, "J"),
        Fneg | D2f | I2f | L2f => (1, "F"),
        Dneg | F2d | I2d | L2d => (1, "D"),
        Arraylength => (1, "I"),
        Instanceof(_) => (1, "Z"),
        _ => return None,
    })
}

/// The constant that an instruction pushes, and its descriptor.
pub(super) fn constant(opcode: &Opcode<'_>) -> Option<(String, &'static str)> {
    use Opcode::*;
    let (text, descriptor) = match opcode {
        AconstNull => ("null", "Lnull;"),
        IconstM1 => ("-1", "I"),
        Iconst0 => ("0", "I"),
        Iconst1 => ("1", "I"),
        Iconst2 => ("2", "I"),
        Iconst3 => ("3", "I"),
        Iconst4 => ("4", "I"),
        Iconst5 => ("5", "I"),
        Lconst0 => ("0", "J"),
        Lconst1 => ("1", "J"),
        Fconst0 => ("0.0", "F"),
        Fconst1 => ("1.0", "F"),
        Fconst2 => ("2.0", "F"),
        Dconst0 => ("0.0", "D"),
        Dconst1 => ("1.0", "D"),
        Bipush(value) => return Some((value.to_string(), "I")),
        Sipush(value) => return Some((value.to_string(), "I")),
        _ => return None,
    };
    Some((text.to_owned(), descriptor))
}

/// The variable that an instruction loads, and the kind of its value.
pub(super) fn loads(opcode: &Opcode<'_>) -> Option<(u16, Kind)> {
    use Opcode::*;
    Some(match opcode {
        Aload(slot) => (*slot, Kind::Reference),
        Iload(slot) => (*slot, Kind::Int),
        Lload(slot) => (*slot, Kind::Long),
        Fload(slot) => (*slot, Kind::Float),
        Dload(slot) => (*slot, Kind::Double),
        _ => return None,
    })
}

/// The variable that an instruction stores to, and the kind of its value.
pub(super) fn stores(opcode: &Opcode<'_>) -> Option<(u16, Kind)> {
    use Opcode::*;
    Some(match opcode {
        Astore(slot) => (*slot, Kind::Reference),
        Istore(slot) => (*slot, Kind::Int),
        Lstore(slot) => (*slot, Kind::Long),
        Fstore(slot) => (*slot, Kind::Float),
        Dstore(slot) => (*slot, Kind::Double),
        _ => return None,
    })
}

/// The descriptor of the elements that an instruction loads from an array;
/// nothing more is known of references.
pub(super) fn loads_element(opcode: &Opcode<'_>) -> Option<&'static str> {
    use Opcode::*;
    Some(match opcode {
        Aaload => "Ljava/lang/Object;",
        Baload => "B",
        Caload => "C",
        Daload => "D",
        Faload => "F",
        Iaload => "I",
        Laload => "J",
        Saload => "S",
        _ => return None,
    })
}

/// Whether an instruction stores to an element of an array.
pub(super) fn stores_element(opcode: &Opcode<'_>) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Aastore | Bastore | Castore | Dastore | Fastore | Iastore | Lastore | Sastore
    )
}

/// What the JVM tells apart in variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// `int`, and everything smaller.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// Objects and arrays.
    Reference,
}

impl Kind {
    /// The kind of values with a descriptor.
    pub(super) fn of(descriptor: &str) -> Kind {
        match descriptor.as_bytes().first() {
            Some(b'J') => Kind::Long,
            Some(b'F') => Kind::Float,
            Some(b'D') => Kind::Double,
            Some(b'L' | b'[') => Kind::Reference,
            _ => Kind::Int,
        }
    }

    /// A descriptor of that kind.
    pub(super) fn descriptor(self) -> &'static str {
        match self {
            Kind::Int => "I",
            Kind::Long => "J",
            Kind::Float => "F",
            Kind::Double => "D",
            Kind::Reference => "Ljava/lang/Object;",
        }
    }
}
