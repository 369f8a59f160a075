//! The intermediate representation as text, for tests and for those who want
//! to see what a front end understood.

use std::fmt::Write;

use crate::ir::{
    Callee, Effect, Function, Local, Mode, Operand, Place, Program, Rule, Site, Statement, Step,
    Terminator,
};

/// A function as text: a line per statement, each with its line in the source.
pub fn print(program: &Program, function: &Function) -> String {
    let printer = Printer { program, function };
    let mut out = String::new();
    printer.head(&mut out);
    for (index, block) in function.blocks.iter().enumerate() {
        let _ = writeln!(out, "bb{index}:");
        for (statement, site) in &block.statements {
            line(&mut out, &printer.statement(statement), *site);
        }
        line(&mut out, &printer.terminator(&block.terminator), block.site);
    }
    out
}

/// A line of text, and at the end the line of the source if it is known.
fn line(out: &mut String, text: &str, site: Site) {
    let _ = match site.line {
        0 => writeln!(out, "  {text}"),
        number => writeln!(out, "  {text}  ; {number}"),
    };
}

struct Printer<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Printer<'_> {
    fn head(&self, out: &mut String) {
        let function = self.function;
        if function.atomic {
            out.push_str("atomic ");
        }
        if function.public {
            out.push_str("public ");
        }
        let parameters: Vec<String> = (1..=function.parameters)
            .map(|index| format!("{}: {}", self.local(Local(index)), self.ty(Local(index))))
            .collect();
        let _ = writeln!(
            out,
            "fn {}({}) -> {}",
            function.name,
            parameters.join(", "),
            self.ty(Local(0))
        );
    }

    fn ty(&self, local: Local) -> &str {
        self.function
            .locals
            .get(local.index())
            .and_then(|variable| self.program.types.get(variable.ty.index()))
            .map_or("?", |ty| &ty.name)
    }

    fn local(&self, local: Local) -> String {
        let name = self
            .function
            .locals
            .get(local.index())
            .and_then(|variable| variable.name.clone());
        name.unwrap_or_else(|| format!("_{}", local.0))
    }

    fn place(&self, place: &Place) -> String {
        let mut text = self.local(place.local);
        for step in &place.steps {
            text = match step {
                Step::Deref => format!("(*{text})"),
                Step::Field(field) => match self.program.fields.get(field.index()) {
                    Some(field) => format!("{text}.{field}"),
                    None => format!("{text}.?"),
                },
                Step::Element(Some(index)) => format!("{text}[{}]", self.local(*index)),
                Step::Element(None) => format!("{text}[]"),
            };
        }
        text
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Place(place, false) => self.place(place),
            Operand::Place(place, true) => format!("move {}", self.place(place)),
            Operand::Constant(constant) => constant.clone(),
            Operand::Static(name) => format!("&static {name}"),
        }
    }

    fn operands(&self, operands: &[Operand]) -> String {
        let operands: Vec<String> = operands.iter().map(|o| self.operand(o)).collect();
        operands.join(", ")
    }

    fn statement(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign {
                to,
                rule,
                from,
                fields,
            } => {
                let from = match rule {
                    Rule::Aggregate if fields.len() == from.len() => {
                        let parts: Vec<String> = fields
                            .iter()
                            .zip(from)
                            .map(|(field, operand)| {
                                let name = self.program.fields.get(field.index());
                                let name = name.map_or("?".to_owned(), ToString::to_string);
                                format!("{name}: {}", self.operand(operand))
                            })
                            .collect();
                        parts.join(", ")
                    }
                    _ => self.operands(from),
                };
                let rule = match rule {
                    Rule::Copy => return format!("{} = {from}", self.place(to)),
                    Rule::Borrow => return format!("{} = &{from}", self.place(to)),
                    Rule::Compute => "compute",
                    Rule::Discriminant => "discriminant",
                    Rule::Aggregate => "aggregate",
                    Rule::New => "new",
                };
                format!("{} = {rule}({from})", self.place(to))
            }
            Statement::Call {
                to,
                callee,
                arguments,
            } => format!(
                "{} = {}({})",
                self.place(to),
                self.callee(callee),
                self.operands(arguments)
            ),
            Statement::Drop(place) => format!("drop {}", self.place(place)),
        }
    }

    fn callee(&self, callee: &Callee) -> String {
        match callee {
            Callee::Functions(functions) => {
                let names: Vec<&str> = functions
                    .iter()
                    .map(|id| match self.program.functions.get(id.index()) {
                        Some(function) => function.name.as_str(),
                        None => "?",
                    })
                    .collect();
                format!("call {}", names.join(" | "))
            }
            Callee::Library { name, effect } => format!("{name} <{}>", described(effect)),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Goto(target) => format!("goto bb{}", target.0),
            Terminator::Branch { on, targets } => {
                let targets: Vec<String> = targets.iter().map(|t| format!("bb{}", t.0)).collect();
                format!("branch {} -> {}", self.operand(on), targets.join(", "))
            }
            Terminator::Return => "return".to_owned(),
            Terminator::Stop => "stop".to_owned(),
        }
    }
}

/// An effect in a few words.
fn described(effect: &Effect) -> String {
    let operation = match effect {
        Effect::Unknown => return "unknown".to_owned(),
        Effect::Pure => return "pure".to_owned(),
        Effect::Same => return "same".to_owned(),
        Effect::Wrap => return "wrap".to_owned(),
        Effect::Poll(_) => return "poll".to_owned(),
        Effect::Acquire(Mode::Exclusive) => return "acquire".to_owned(),
        Effect::Acquire(Mode::Shared) => return "acquire shared".to_owned(),
        Effect::Enter => return "enter".to_owned(),
        Effect::Release => return "release".to_owned(),
        Effect::Wait => return "wait".to_owned(),
        Effect::Spawn(argument) => return format!("spawn {argument}"),
        Effect::Join => return "join".to_owned(),
        Effect::Apply => return "apply".to_owned(),
        Effect::Scope => return "scope".to_owned(),
        Effect::Parallel { often: false } => return "parallel".to_owned(),
        Effect::Parallel { often: true } => return "parallel often".to_owned(),
        Effect::Log => return "log".to_owned(),
        Effect::Operation(operation) => operation,
    };
    let mut text = match operation.spec {
        Some(spec) => format!("{spec}.{}", operation.method),
        None => operation.method.to_owned(),
    };
    let words = [
        (operation.reads, "reads"),
        (operation.writes, "writes"),
        (operation.atomic, "atomic"),
        (operation.checks, "checks"),
        (operation.lends, "lends"),
    ];
    for (_, word) in words.into_iter().filter(|(holds, _)| *holds) {
        let _ = write!(text, " {word}");
    }
    if let Some(key) = operation.key {
        let _ = write!(text, " key {key}");
    }
    text
}
