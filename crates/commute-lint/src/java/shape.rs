//! The shape of a class file, looked at before `cafebabe` does.
//!
//! `cafebabe` returns errors for nearly everything that is broken. Three things
//! it believes, and no caller could catch what comes of them: the number of
//! cases of a switch, for which it allocates first; and how deep annotations and
//! attributes are nested, for which it recurses. (Jumps that overflow only
//! panic, in builds that check.) This pass reads the same structure, allocates
//! next to nothing, and refuses those.
//!
//! One thing `cafebabe` refuses that is correct: constants that are computed, as
//! arguments of bootstrap methods. Compilers write them since Java 21 for a
//! `switch` over the constants of an enum. Nobody needs them here, so that they
//! are replaced.

use std::borrow::Cow;

/// How deep attributes, or values of annotations, may be nested. Compilers
/// produce two and about three.
const DEEPEST: u32 = 32;

/// What is wrong, in words.
type Broken = String;

/// The tag of a constant that is computed.
const DYNAMIC: u8 = 17;

/// What was seen in a class file.
pub(super) struct Shape {
    /// Whether the code of all methods can be read.
    pub(super) sound: bool,
    /// Where arguments of bootstrap methods are computed constants.
    computed: Vec<usize>,
    /// The index of the constant for the class itself.
    class: [u8; 2],
}

impl Shape {
    /// The bytes with other arguments for those that `cafebabe` refuses: the
    /// class itself, which is a constant that every class has.
    pub(super) fn repaired<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let mut bytes = Cow::Borrowed(bytes);
        for &at in &self.computed {
            if let Some(index) = bytes.to_mut().get_mut(at..at + 2) {
                index.copy_from_slice(&self.class);
            }
        }
        bytes
    }
}

/// Looks at a class file.
pub(super) fn check(bytes: &[u8]) -> Result<Shape, Broken> {
    let mut file = Reader {
        bytes,
        at: 0,
        strings: Vec::new(),
        tags: Vec::new(),
        computed: Vec::new(),
        sound: true,
    };
    if file.u4()? != 0xCAFE_BABE {
        return Err("it is not a class file".to_owned());
    }
    file.skip(4)?;
    file.constants()?;
    file.skip(2)?;
    let class = file.take(2)?;
    let class = [class[0], class[1]];
    file.skip(2)?;
    let interfaces = file.u2()?;
    file.skip(2 * interfaces)?;
    for _ in 0..2 {
        for _ in 0..file.u2()? {
            file.skip(6)?;
            file.attributes(0)?;
        }
    }
    file.attributes(0)?;
    match file.at == bytes.len() {
        true => Ok(Shape {
            sound: file.sound,
            computed: file.computed,
            class,
        }),
        false => Err("there are bytes after its end".to_owned()),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The constants that are strings, by their index; others are empty.
    strings: Vec<&'a [u8]>,
    /// The tags of all constants.
    tags: Vec<u8>,
    computed: Vec<usize>,
    /// Whether all code can be read so far.
    sound: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let end = self.at.checked_add(count);
        let bytes = end.and_then(|end| self.bytes.get(self.at..end));
        let bytes = bytes.ok_or_else(|| format!("it ends early, at byte {}", self.bytes.len()))?;
        self.at += count;
        Ok(bytes)
    }

    fn skip(&mut self, count: usize) -> Result<(), Broken> {
        self.take(count).map(|_| ())
    }

    fn u1(&mut self) -> Result<usize, Broken> {
        Ok(self.take(1)?[0].into())
    }

    fn u2(&mut self) -> Result<usize, Broken> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]).into())
    }

    fn u4(&mut self) -> Result<usize, Broken> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    fn constants(&mut self) -> Result<(), Broken> {
        let count = self.u2()?;
        self.strings.push(b"");
        self.tags.push(0);
        while self.strings.len() < count {
            let tag = self.u1()?;
            let mut string: &[u8] = b"";
            match tag {
                1 => {
                    let length = self.u2()?;
                    string = self.take(length)?;
                }
                7 | 8 | 16 | 19 | 20 => self.skip(2)?,
                15 => self.skip(3)?,
                3 | 4 | 9..=12 | 17 | 18 => self.skip(4)?,
                5 | 6 => {
                    self.skip(8)?;
                    self.strings.push(b"");
                    self.tags.push(0);
                }
                _ => return Err(format!("it has a constant of the unknown kind {tag}")),
            }
            self.strings.push(string);
            self.tags.push(tag as u8);
        }
        Ok(())
    }

    fn attributes(&mut self, depth: u32) -> Result<(), Broken> {
        deep_enough(depth)?;
        for _ in 0..self.u2()? {
            let name = self.u2()?;
            let name = *self.strings.get(name).unwrap_or(&b"".as_slice());
            let length = self.u4()?;
            let end = self.at.saturating_add(length);
            match name {
                b"Code" => self.code(depth)?,
                b"Record" => {
                    for _ in 0..self.u2()? {
                        self.skip(4)?;
                        self.attributes(depth + 1)?;
                    }
                }
                b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => {
                    self.annotations()?;
                }
                b"RuntimeVisibleParameterAnnotations" | b"RuntimeInvisibleParameterAnnotations" => {
                    for _ in 0..self.u1()? {
                        self.annotations()?;
                    }
                }
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    self.type_annotations()?;
                }
                b"BootstrapMethods" => self.bootstrap_methods()?,
                b"AnnotationDefault" => self.value(0)?,
                _ => self.skip(length)?,
            }
            if self.at != end {
                let name = String::from_utf8_lossy(name);
                return Err(format!("its attribute `{name}` has another length"));
            }
        }
        Ok(())
    }

    fn bootstrap_methods(&mut self) -> Result<(), Broken> {
        for _ in 0..self.u2()? {
            self.skip(2)?;
            for _ in 0..self.u2()? {
                let at = self.at;
                let argument = self.u2()?;
                if self.tags.get(argument) == Some(&DYNAMIC) {
                    self.computed.push(at);
                }
            }
        }
        Ok(())
    }

    fn annotations(&mut self) -> Result<(), Broken> {
        for _ in 0..self.u2()? {
            self.annotation(0)?;
        }
        Ok(())
    }

    fn annotation(&mut self, depth: u32) -> Result<(), Broken> {
        self.skip(2)?;
        for _ in 0..self.u2()? {
            self.skip(2)?;
            self.value(depth)?;
        }
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<(), Broken> {
        deep_enough(depth)?;
        match self.u1()? as u8 {
            b'e' => self.skip(4),
            b'@' => self.annotation(depth + 1),
            b'[' => {
                for _ in 0..self.u2()? {
                    self.value(depth + 1)?;
                }
                Ok(())
            }
            _ => self.skip(2),
        }
    }

    fn type_annotations(&mut self) -> Result<(), Broken> {
        for _ in 0..self.u2()? {
            match self.u1()? {
                0x00 | 0x01 | 0x16 => self.skip(1)?,
                0x13..=0x15 => {}
                0x40 | 0x41 => {
                    let count = self.u2()?;
                    self.skip(6 * count)?;
                }
                0x47..=0x4b => self.skip(3)?,
                _ => self.skip(2)?,
            }
            let path = self.u1()?;
            self.skip(2 * path)?;
            self.annotation(0)?;
        }
        Ok(())
    }

    fn code(&mut self, depth: u32) -> Result<(), Broken> {
        self.skip(4)?;
        let length = self.u4()?;
        let code = self.take(length)?;
        self.sound &= Code { code, at: 0 }.reads_well();
        let handlers = self.u2()?;
        self.skip(8 * handlers)?;
        self.attributes(depth + 1)
    }
}

fn deep_enough(depth: u32) -> Result<(), Broken> {
    match depth <= DEEPEST {
        true => Ok(()),
        false => Err("its attributes or annotations are nested too deep".to_owned()),
    }
}

/// The instructions of a method.
struct Code<'a> {
    code: &'a [u8],
    at: usize,
}

impl Code<'_> {
    fn reads_well(mut self) -> bool {
        while self.at < self.code.len() {
            if self.instruction().is_none() {
                return false;
            }
        }
        self.at == self.code.len()
    }

    fn i4(&mut self) -> Option<i32> {
        let bytes = self.code.get(self.at..self.at.checked_add(4)?)?;
        self.at += 4;
        Some(i32::from_be_bytes(bytes.try_into().ok()?))
    }

    /// A jump from here, which must not leave the numbers there are.
    fn jump(&mut self, from: i32) -> Option<()> {
        from.checked_add(self.i4()?).map(|_| ())
    }

    fn instruction(&mut self) -> Option<()> {
        let from = i32::try_from(self.at).ok()?;
        let opcode = *self.code.get(self.at)?;
        self.at += 1;
        let operands = match opcode {
            0xaa | 0xab => return self.switch(opcode, from),
            0xc8 | 0xc9 => return self.jump(from),
            0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 1,
            0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xa8 | 0xb2..=0xb8 => 2,
            0xbb | 0xbd | 0xc0 | 0xc1 | 0xc6 | 0xc7 => 2,
            0xb9 | 0xba => 4,
            0xc5 => 3,
            0xc4 => match *self.code.get(self.at)? {
                0x84 => 5,
                _ => 3,
            },
            0x00..=0xca | 0xfe | 0xff => 0,
            _ => return None,
        };
        self.at += operands;
        (self.at <= self.code.len()).then_some(())
    }

    fn switch(&mut self, opcode: u8, from: i32) -> Option<()> {
        self.at = (self.at + 3) & !3;
        self.jump(from)?;
        let low = i64::from(self.i4()?);
        let (cases, size) = match opcode {
            0xaa => {
                let high = i64::from(self.i4()?);
                // What reads it next counts with 32 bits.
                i32::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
                (high - low + 1, 4)
            }
            _ => (low, 8),
        };
        let cases = usize::try_from(cases).ok()?;
        let left = self.code.len().checked_sub(self.at)?;
        if cases > left / size {
            return None;
        }
        for _ in 0..cases {
            self.at += size - 4;
            self.jump(from)?;
        }
        Some(())
    }
}
