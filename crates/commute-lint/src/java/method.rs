//! Methods to functions.

use cafebabe::{ClassAccessFlags, MethodAccessFlags};

use super::body::{Body, of};
use super::class::{self, Class};
use super::closures::Sites;
use super::hierarchy::World;
use super::library;
use super::lowering::Lowering;
use super::names;
use super::processes::Facts;
use super::tables::{self, Tables};
use crate::ir::{Block, Effect, FileId, Function, Local, Place, Site, Terminator, Variable};

/// A method.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) class: usize,
    pub(super) method: usize,
}

/// Methods in another language: what they do with the objects that they are
/// given is not known. Those of the platform keep to what is written about it.
pub(super) fn natives(world: &World<'_>, tables: &mut Tables) {
    let classes = world.classes.iter();
    for class in classes.filter(|class| !library::is_platform(class.name())) {
        for (index, method) in class.file.methods.iter().enumerate() {
            let given = parameters(class, index);
            let given = given.iter().any(|parameter| tables::is_object(parameter));
            if method.access_flags.contains(MethodAccessFlags::NATIVE) && given {
                let place = format!("{}: {}", class.input, class.method_name(index));
                tables.gap(
                    place,
                    "it is native, and may do anything with what it is given",
                );
            }
        }
    }
}

/// The function of a method that has code. If the code is not understood, the
/// function does what is not known, and that is a gap.
pub(super) fn lower(
    world: &World<'_>,
    tables: &mut Tables,
    facts: &mut Facts,
    sites: &Sites,
    at: At,
) -> Function {
    let class = &world.classes[at.class];
    let info = &class.file.methods[at.method];
    let flags = info.access_flags;
    let atomic = class::is_atomic(&info.attributes);
    if atomic {
        facts.regions.insert(at.class);
    }
    let file = match class.source() {
        Some(source) => tables.file(&source),
        None => FileId(0),
    };
    let name = class.method_name(at.method);
    let mut lowered = Lowered {
        parameters: 0,
        locals: Vec::new(),
        blocks: Vec::new(),
    };
    let mut site = Site::UNKNOWN;
    let mut problem = None;
    match class::code(info) {
        Some(code) => match &code.bytecode {
            Some(_) if !tables.has_room(code.code.len()) => {
                problem = Some("the methods before it have more than 12 MiB of code".to_owned());
            }
            Some(bytecode) => {
                let mut body = Body::new(world, tables, facts, at.class, name.clone());
                body.once = info.name == "main" && flags.contains(MethodAccessFlags::STATIC);
                let method = Lowering::new(body, class, code, bytecode, sites, at, file);
                site = method.lines.first().map_or(site, |(_, line)| Site {
                    file,
                    line: *line,
                    column: 0,
                });
                match method.run() {
                    Ok(done) => lowered = done,
                    Err(what) => problem = Some(what),
                }
            }
            // Said once for the class.
            None => problem = Some(String::new()),
        },
        None => problem = Some("it has no code".to_owned()),
    }
    if let Some(what) = problem {
        if !what.is_empty() {
            tables.gap(format!("{}: {name}", class.input), what);
        }
        let body = Body::new(world, tables, facts, at.class, name.clone());
        lowered = unknown(body, class, at.method);
    }
    Function {
        name,
        site,
        parameters: lowered.parameters,
        locals: lowered.locals,
        blocks: lowered.blocks,
        atomic,
        public: flags.contains(MethodAccessFlags::PUBLIC)
            && (class.file.access_flags).contains(ClassAccessFlags::PUBLIC),
    }
}

/// What a body becomes.
pub(super) struct Lowered {
    pub(super) parameters: u32,
    pub(super) locals: Vec<Variable>,
    pub(super) blocks: Vec<Block>,
}

/// The types of a method's parameters, `this` among them.
pub(super) fn parameters(class: &Class<'_>, method: usize) -> Vec<String> {
    let (parameters, _) = names::signature(&class.descriptors[method]);
    let flags = class.file.methods[method].access_flags;
    let this = (!flags.contains(MethodAccessFlags::STATIC)).then(|| format!("L{};", class.name()));
    this.into_iter()
        .chain(parameters.into_iter().map(str::to_owned))
        .collect()
}

/// A body that does nobody knows what.
fn unknown(mut body: Body<'_, '_>, class: &Class<'_>, method: usize) -> Lowered {
    body.temporary(names::signature(&class.descriptors[method]).1);
    let parameters = parameters(class, method);
    let arguments = (parameters.iter())
        .map(|ty| of(body.temporary(ty)))
        .collect();
    let name = body.name.clone();
    body.call(Place::local(Local(0)), name, Effect::Unknown, arguments);
    Lowered {
        parameters: parameters.len() as u32,
        locals: body.locals,
        blocks: vec![Block {
            statements: body.statements,
            terminator: Terminator::Return,
            site: Site::UNKNOWN,
        }],
    }
}
