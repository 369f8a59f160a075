//! Tests of the graph: the rules of the figures one by one, the definitions,
//! and random programs against the oracle.

mod definitions;
mod oracle;
mod random;
mod rules;
mod rust_regions;

use std::collections::BTreeSet;

use super::dependencies::Dependencies;
use super::figures::{Graph, Version};
use super::graph::Label;
use super::variables::Variable;
use crate::core_language;
use crate::core_language::syntax::Position;
use crate::ir::Program;

/// What is found in a program of the core language.
pub(crate) fn found(text: &str) -> (Program, Dependencies) {
    let program = core_language::program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let roots: Vec<_> = program.processes.iter().map(|p| p.function).collect();
    let found = Dependencies::of(&program, &roots, true);
    (program, found)
}

/// A node in the words of the paper; nothing for nodes between versions.
pub(crate) fn version(program: &Program, found: &Dependencies, node: u32) -> Option<Version> {
    let node = &found.graph.nodes[node as usize];
    let function = program.function(found.instances[node.instance as usize].function);
    let name = &function.name;
    let (variable, entry) = match node.label {
        Label::Parameter(index) => (format!("{name}.p{index}"), true),
        Label::Result => (format!("{name}.ret"), true),
        Label::Version { variable, entry } => match variable {
            Variable::Global(global) => (found.variables.name(global).to_owned(), entry),
            Variable::Local(local) => {
                let local = function.locals[local.index()].name.as_ref()?;
                (format!("{name}/{local}"), entry)
            }
        },
        _ => return None,
    };
    let position = Position {
        line: node.site.line,
        column: node.site.column,
    };
    Some(Version {
        variable,
        hash: (!entry).then_some(position),
        region: node
            .region
            .map(|region| found.regions[region as usize].name.clone()),
    })
}

/// The graph without the nodes between versions.
pub(crate) fn graph(program: &Program, found: &Dependencies) -> Graph {
    let mut edges = Graph::new();
    for from in 0..found.graph.nodes.len() as u32 {
        let Some(source) = version(program, found, from) else {
            continue;
        };
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(node) = waiting.pop() {
            for edge in found.graph.after(node) {
                match version(program, found, edge.to) {
                    Some(target) => {
                        edges.insert((source.clone(), target));
                    }
                    None => {
                        if seen.insert(edge.to) {
                            waiting.push(edge.to);
                        }
                    }
                }
            }
        }
    }
    edges
}

/// As the paper writes it, with lines as hashes.
pub(crate) fn show(version: &Version) -> String {
    match version.hash {
        Some(at) => format!("({}, h{})", version.variable, at.line),
        None if version.variable.contains('/') => format!("({}, h?)", version.variable),
        None => version.variable.clone(),
    }
}
