//! From words to syntax trees.

use super::Error;
use super::syntax::{
    Access, Call, Class, Declaration, Expression, Kind, Method, Position, Process, Program,
    Statement,
};
use super::tokens::{OPERATORS, Token, tokens};

/// Deeper nesting is refused rather than answered with a stack overflow.
const DEPTH: usize = 100;

const KEYWORDS: &[&str] = &[
    "class", "atomic", "process", "main", "if", "else", "while", "return", "skip", "new", "null",
    "true", "false",
];

pub(super) fn parse(text: &str) -> Result<Program, Error> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
    };
    let mut program = Program::default();
    loop {
        let at = parser.at();
        if parser.take_word("class") {
            program.classes.push(parser.class(at)?);
        } else if parser.take_word("process") {
            let name = parser.name("the process's name")?;
            let body = parser.block()?;
            program.processes.push(Process { name, body, at });
        } else if parser.take_word("main") {
            let body = parser.block()?;
            let name = "main".to_owned();
            program.processes.push(Process { name, body, at });
        } else if *parser.peek() == Token::End {
            return Ok(program);
        } else {
            return Err(parser.expected("`class`, `process` or `main`"));
        }
    }
}

struct Parser {
    tokens: Vec<(Token, Position)>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.look(0)
    }

    fn look(&self, ahead: usize) -> &Token {
        let index = (self.next + ahead).min(self.tokens.len() - 1);
        &self.tokens[index].0
    }

    fn at(&self) -> Position {
        self.tokens[self.next.min(self.tokens.len() - 1)].1
    }

    fn error(&self, message: String) -> Error {
        let Position { line, column } = self.at();
        Error {
            line,
            column,
            message,
        }
    }

    fn expected(&self, what: &str) -> Error {
        self.error(format!("expected {what}, found {}", self.peek().describe()))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let there = self.is(sign);
        self.next += usize::from(there);
        there
    }

    fn need(&mut self, sign: &str) -> Result<(), Error> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.expected(&format!("`{sign}`")))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        self.next += usize::from(there);
        there
    }

    fn name(&mut self, what: &str) -> Result<String, Error> {
        match self.peek() {
            Token::Word(name) if !KEYWORDS.contains(&name.as_str()) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn class(&mut self, at: Position) -> Result<Class, Error> {
        let name = self.name("the class's name")?;
        self.need("{")?;
        let mut class = Class {
            name,
            fields: Vec::new(),
            methods: Vec::new(),
            at,
        };
        while !self.take("}") {
            if self.take(";") || self.take(",") {
                continue;
            }
            let at = self.at();
            let atomic = self.take_word("atomic");
            if atomic || matches!(self.look(1), Token::Sign("(")) {
                class.methods.push(self.method(atomic, at)?);
            } else {
                class.fields.push(self.declaration("a field or a method")?);
            }
        }
        Ok(class)
    }

    fn declaration(&mut self, what: &str) -> Result<Declaration, Error> {
        let at = self.at();
        let name = self.name(what)?;
        let class = match self.take(":") {
            true => Some(self.name("the name of a class")?),
            false => None,
        };
        Ok(Declaration { name, class, at })
    }

    fn method(&mut self, atomic: bool, at: Position) -> Result<Method, Error> {
        let name = self.name("the method's name")?;
        self.need("(")?;
        let mut parameters = Vec::new();
        while !self.take(")") {
            parameters.push(self.declaration("a parameter or `)`")?);
            if !self.is(")") {
                self.need(",")?;
            }
        }
        let body = self.block()?;
        Ok(Method {
            name,
            atomic,
            parameters,
            body,
            at,
        })
    }

    fn block(&mut self) -> Result<Vec<Statement>, Error> {
        self.deeper()?;
        self.need("{")?;
        let mut statements = Vec::new();
        while !self.take("}") {
            if !self.take(";") {
                statements.push(self.statement()?);
            }
        }
        self.depth -= 1;
        Ok(statements)
    }

    fn deeper(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error(format!("this is nested more than {DEPTH} deep")));
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<Statement, Error> {
        let at = self.at();
        let kind = if self.take_word("skip") {
            Kind::Skip
        } else if self.take_word("return") {
            let empty = self.is("}") || self.is(";");
            Kind::Return(if empty {
                None
            } else {
                Some(self.expression()?)
            })
        } else if self.take_word("while") {
            Kind::Loop(self.expression()?, self.block()?)
        } else if self.is_word("if") {
            self.conditional()?
        } else {
            self.assignment()?
        };
        Ok(Statement { kind, at })
    }

    fn conditional(&mut self) -> Result<Kind, Error> {
        self.next += 1;
        let condition = self.expression()?;
        let then = self.block()?;
        if !self.take_word("else") {
            return Ok(Kind::Conditional(condition, then, Vec::new()));
        }
        let otherwise = if self.is_word("if") {
            let at = self.at();
            self.deeper()?;
            let kind = self.conditional()?;
            self.depth -= 1;
            vec![Statement { kind, at }]
        } else {
            self.block()?
        };
        Ok(Kind::Conditional(condition, then, otherwise))
    }

    fn assignment(&mut self) -> Result<Kind, Error> {
        let name = self.name("a statement")?;
        if self.is("(") {
            let arguments = self.arguments()?;
            return Ok(call(None, None, name, arguments));
        }
        if self.take(".") {
            let field = self.name("a field or a method")?;
            if self.is("(") {
                let arguments = self.arguments()?;
                return Ok(call(None, Some(name), field, arguments));
            }
            let access = self.access(name, field)?;
            self.need(":=")?;
            return Ok(Kind::HeapWrite(access, self.expression()?));
        }
        self.need(":=")?;
        if self.take_word("new") {
            let class = self.name("the name of a class")?;
            if self.take("(") {
                self.need(")")?;
            }
            return Ok(Kind::Allocation(name, class));
        }
        match (self.peek(), self.look(1)) {
            (Token::Word(_), Token::Sign("(")) => {
                let method = self.name("a method")?;
                let arguments = self.arguments()?;
                Ok(call(Some(name), None, method, arguments))
            }
            (Token::Word(_), Token::Sign(".")) => {
                let object = self.name("a variable")?;
                self.need(".")?;
                let field = self.name("a field or a method")?;
                if self.is("(") {
                    let arguments = self.arguments()?;
                    return Ok(call(Some(name), Some(object), field, arguments));
                }
                Ok(Kind::HeapRead(name, self.access(object, field)?))
            }
            _ => Ok(Kind::Assign(name, self.expression()?)),
        }
    }

    fn access(&mut self, object: String, field: String) -> Result<Access, Error> {
        let index = match self.take("[") {
            true => {
                let index = self.expression()?;
                self.need("]")?;
                Some(index)
            }
            false => None,
        };
        Ok(Access {
            object,
            field,
            index,
        })
    }

    fn arguments(&mut self) -> Result<Vec<Expression>, Error> {
        self.need("(")?;
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.expression()?);
            if !self.is(")") {
                self.need(",")?;
            }
        }
        Ok(arguments)
    }

    /// All operators bind equally, from left to right: dependencies do not
    /// care which is computed first.
    fn expression(&mut self) -> Result<Expression, Error> {
        self.deeper()?;
        let mut left = self.operand()?;
        let before = self.depth;
        while let Token::Sign(sign) = self.peek() {
            let Some(operator) = OPERATORS.iter().find(|o| *o == sign) else {
                break;
            };
            self.next += 1;
            let right = self.operand()?;
            left = Expression::Binary(Box::new(left), operator, Box::new(right));
            // The tree grows to the left, and others walk down there.
            self.deeper()?;
        }
        self.depth = before - 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression, Error> {
        if self.take("!") {
            self.deeper()?;
            let inner = self.operand()?;
            self.depth -= 1;
            return Ok(Expression::Not(Box::new(inner)));
        }
        if self.take("(") {
            let inner = self.expression()?;
            self.need(")")?;
            return Ok(inner);
        }
        let negative = self.take("-");
        match self.peek() {
            Token::Number(digits) => {
                let minus = if negative { "-" } else { "" };
                let constant = format!("{minus}{digits}");
                self.next += 1;
                Ok(Expression::Constant(constant))
            }
            Token::Word(word) if ["null", "true", "false"].contains(&word.as_str()) => {
                let constant = word.clone();
                self.next += 1;
                Ok(Expression::Constant(constant))
            }
            _ => Ok(Expression::Variable(self.name("an expression")?)),
        }
    }
}

fn call(
    to: Option<String>,
    object: Option<String>,
    method: String,
    arguments: Vec<Expression>,
) -> Kind {
    Kind::Call(
        to,
        Call {
            object,
            method,
            arguments,
        },
    )
}
