//! Programs as text again. What is written is read back as the same program,
//! apart from places.

use std::fmt;

use super::syntax::{Access, Class, Declaration, Expression, Kind, Method, Program, Statement};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for class in &self.classes {
            write!(f, "{class}")?;
        }
        for process in &self.processes {
            match process.name.as_str() {
                "main" => writeln!(f, "main {{")?,
                name => writeln!(f, "process {name} {{")?,
            }
            block(f, &process.body, 1)?;
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "class {} {{", self.name)?;
        for field in &self.fields {
            writeln!(f, "    {field};")?;
        }
        for method in &self.methods {
            write!(f, "{method}")?;
        }
        writeln!(f, "}}")
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.class {
            Some(class) => write!(f, "{}: {class}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let atomic = if self.atomic { "atomic " } else { "" };
        let parameters: Vec<String> = self.parameters.iter().map(|p| p.to_string()).collect();
        let (name, parameters) = (&self.name, parameters.join(", "));
        writeln!(f, "    {atomic}{name}({parameters}) {{")?;
        block(f, &self.body, 2)?;
        writeln!(f, "    }}")
    }
}

fn block(f: &mut fmt::Formatter<'_>, body: &[Statement], depth: usize) -> fmt::Result {
    body.iter()
        .try_for_each(|statement| write_statement(f, statement, depth))
}

fn write_statement(f: &mut fmt::Formatter<'_>, it: &Statement, depth: usize) -> fmt::Result {
    let indent = "    ".repeat(depth);
    match &it.kind {
        Kind::Assign(x, e) => writeln!(f, "{indent}{x} := {e};"),
        Kind::HeapRead(x, access) => writeln!(f, "{indent}{x} := {access};"),
        Kind::HeapWrite(access, e) => writeln!(f, "{indent}{access} := {e};"),
        Kind::Allocation(x, class) => writeln!(f, "{indent}{x} := new {class};"),
        Kind::Call(to, call) => {
            let to = to.as_ref().map(|x| format!("{x} := ")).unwrap_or_default();
            let object = call.object.as_ref().map(|y| format!("{y}."));
            let object = object.unwrap_or_default();
            let arguments: Vec<String> = call.arguments.iter().map(|e| e.to_string()).collect();
            let (method, arguments) = (&call.method, arguments.join(", "));
            writeln!(f, "{indent}{to}{object}{method}({arguments});")
        }
        Kind::Conditional(e, then, otherwise) => {
            writeln!(f, "{indent}if {e} {{")?;
            block(f, then, depth + 1)?;
            if !otherwise.is_empty() {
                writeln!(f, "{indent}}} else {{")?;
                block(f, otherwise, depth + 1)?;
            }
            writeln!(f, "{indent}}}")
        }
        Kind::Loop(e, body) => {
            writeln!(f, "{indent}while {e} {{")?;
            block(f, body, depth + 1)?;
            writeln!(f, "{indent}}}")
        }
        Kind::Return(Some(e)) => writeln!(f, "{indent}return {e};"),
        Kind::Return(None) => writeln!(f, "{indent}return;"),
        Kind::Skip => writeln!(f, "{indent}skip;"),
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.object, self.field)?;
        match &self.index {
            Some(index) => write!(f, "[{index}]"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Variable(text) | Expression::Constant(text) => f.write_str(text),
            Expression::Binary(left, operator, right) => {
                let simple = !matches!(**right, Expression::Binary(..));
                match simple {
                    true => write!(f, "{left} {operator} {right}"),
                    false => write!(f, "{left} {operator} ({right})"),
                }
            }
            Expression::Not(inner) => match **inner {
                Expression::Binary(..) => write!(f, "!({inner})"),
                _ => write!(f, "!{inner}"),
            },
        }
    }
}
