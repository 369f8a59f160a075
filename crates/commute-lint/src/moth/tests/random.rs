//! Random programs of the core language, as text, from a number. Low numbers
//! give short programs, so that the first failure is a short one.

use std::fmt::Write;

/// What a program may contain.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) loops: bool,
    pub(crate) recursion: bool,
    pub(crate) methods: usize,
    pub(crate) fields: usize,
    /// How many statements a block has at most.
    pub(crate) length: usize,
}

impl Shape {
    /// Short programs; longer ones for higher numbers.
    pub(crate) fn small(seed: u64) -> Shape {
        Shape {
            loops: false,
            recursion: false,
            methods: 1 + (seed / 100 % 4) as usize,
            fields: 2,
            length: 1 + (seed / 50 % 5) as usize,
        }
    }
}

struct Random {
    state: u64,
    shape: Shape,
    text: String,
}

pub(crate) fn program(seed: u64, shape: Shape) -> String {
    let mut random = Random {
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        shape,
        text: "class C {\n".to_owned(),
    };
    for field in 0..shape.fields {
        writeln!(random.text, "f{field}").expect("text");
    }
    for own in 0..shape.methods {
        let atomic = if random.below(2) == 0 { "atomic " } else { "" };
        writeln!(random.text, "{atomic}m{own}(a, b) {{").expect("text");
        random.block(own, 0);
        if random.below(2) == 0 {
            let e = random.expression();
            writeln!(random.text, "return {e};").expect("text");
        }
        random.text.push_str("}\n");
    }
    random.text.push_str("}\nprocess p {\nc := new C;\n");
    for method in 0..shape.methods {
        writeln!(random.text, "r := c.m{method}(r, s);").expect("text");
    }
    random.text.push_str("}\n");
    random.text
}

impl Random {
    /// xorshift64*.
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let mixed = self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        mixed as usize % bound
    }

    fn local(&mut self) -> &'static str {
        ["x", "y", "z", "a", "b"][self.below(5)]
    }

    fn expression(&mut self) -> String {
        match self.below(5) {
            0 => "1".to_owned(),
            1 => format!("{} + {}", self.local(), self.local()),
            _ => self.local().to_owned(),
        }
    }

    fn block(&mut self, own: usize, depth: usize) {
        for _ in 0..self.below(self.shape.length + 1) {
            self.statement(own, depth);
        }
    }

    fn statement(&mut self, own: usize, depth: usize) {
        let callees = match self.shape.recursion {
            true => self.shape.methods,
            false => own,
        };
        let kinds = if depth < 3 { 10 } else { 8 };
        let x = self.local();
        let line = match self.below(kinds) {
            0 | 1 => format!("{x} := {};", self.expression()),
            2 | 3 => format!("{x} := this.f{};", self.below(self.shape.fields)),
            4 | 5 => {
                let e = self.expression();
                format!("this.f{} := {e};", self.below(self.shape.fields))
            }
            6 => format!("{x} := new C;"),
            7 if callees > 0 => {
                let (a, b) = (self.local(), self.local());
                format!("{x} := m{}({a}, {b});", self.below(callees))
            }
            7 => "skip;".to_owned(),
            8 if self.shape.loops => {
                let e = self.expression();
                writeln!(self.text, "while {e} {{").expect("text");
                self.block(own, depth + 1);
                "}".to_owned()
            }
            _ => {
                let e = self.expression();
                writeln!(self.text, "if {e} {{").expect("text");
                self.block(own, depth + 1);
                self.text.push_str("} else {\n");
                self.block(own, depth + 1);
                "}".to_owned()
            }
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }
}
