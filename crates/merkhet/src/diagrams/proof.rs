//! Proofs about finite systems as text, to be kept and judged again.

use merkhet_finite::{SpecificationKind, System, VariableId};
use merkhet_symbolic::check::judge_certificate;
use merkhet_symbolic::limits::Limits;
use merkhet_unroll::certificate::{Certificate, Diagram, Node};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The first line of the text.
const HEAD: &str = "merkhet proof about a finite system, version 1";

/// A proof that no state of a kind is reachable, in the names of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemProof {
    /// The specification that it answers, with its keyword.
    pub query: String,
    certificate: Certificate,
}

impl SystemProof {
    pub(crate) fn new(system: &System, specification: usize, certificate: Certificate) -> Self {
        let specification = &system.specifications[specification];
        let keyword = match specification.kind {
            SpecificationKind::Ctl => "CTLSPEC",
            SpecificationKind::Invariant => "INVARSPEC",
            SpecificationKind::Ltl => "LTLSPEC",
            SpecificationKind::Compute => "COMPUTE",
        };
        SystemProof {
            query: format!("{keyword} {}", specification.text),
            certificate,
        }
    }

    /// Accepts the proof for a specification of a system, or says what is wrong. The judge shares no code with the
    /// diagrams.
    pub fn judge(&self, system: &System, specification: usize) -> Result<(), String> {
        let limits = Limits::default();
        match judge_certificate(system, specification, &self.certificate, &limits) {
            Ok(judgement) => judgement,
            Err(stop) => Err(format!("the judge came to no end: {stop}")),
        }
    }

    /// The proof as text.
    pub fn write(&self, system: &System) -> String {
        let name = |id: &VariableId| system.variable(*id).name.as_str();
        let mut text = format!("{HEAD}\nquery {}\n", self.query);
        let _ = match &self.certificate {
            Certificate::Induction { depth, variables } => {
                let names: Vec<&str> = variables.iter().map(name).collect();
                writeln!(text, "induction {depth} {}", names.join(" "))
            }
            Certificate::NoPath { steps, variables } => {
                let names: Vec<&str> = variables.iter().map(name).collect();
                writeln!(text, "no-path {steps} {}", names.join(" "))
            }
            Certificate::Invariant(diagram) => {
                for node in &diagram.nodes {
                    let (low, high) = (node.low, node.high);
                    let _ = writeln!(
                        text,
                        "node {} {} {low} {high}",
                        name(&node.variable),
                        node.bit
                    );
                }
                writeln!(text, "invariant {}", diagram.root)
            }
        };
        text
    }

    /// The proof that a text holds, about a system with these names.
    pub fn read(text: &str, system: &System) -> Result<SystemProof, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err("this is no proof about a finite system".into());
        }
        let query = lines.next().and_then(|line| line.strip_prefix("query "));
        let query = query.ok_or("line 2: the query is missing")?.to_owned();
        let names: FxHashMap<&str, VariableId> = (system.variable_ids())
            .map(|id| (system.variable(id).name.as_str(), id))
            .collect();
        let mut nodes = Vec::new();
        for (line, number) in lines.zip(3..) {
            let wrong = |what: &str| format!("line {number}: {what}");
            let mut words = line.split_whitespace();
            let kind = words.next().unwrap_or_default();
            let known = |name: Option<&str>| {
                let id = name.and_then(|name| names.get(name).copied());
                id.ok_or_else(|| wrong("there is no such variable"))
            };
            let count = |word: Option<&str>| {
                let count = word.and_then(|word| word.parse::<u32>().ok());
                count.ok_or_else(|| wrong("a number is missing"))
            };
            let certificate = match kind {
                "node" => {
                    nodes.push(Node {
                        variable: known(words.next())?,
                        bit: count(words.next())?,
                        low: count(words.next())?,
                        high: count(words.next())?,
                    });
                    continue;
                }
                "invariant" => Certificate::Invariant(Diagram {
                    root: count(words.next())?,
                    nodes,
                }),
                "induction" | "no-path" => {
                    let steps = count(words.next())? as usize;
                    let mut variables = Vec::new();
                    for word in words {
                        variables.push(known(Some(word))?);
                    }
                    match kind {
                        "induction" => Certificate::Induction {
                            depth: steps,
                            variables,
                        },
                        _ => Certificate::NoPath { steps, variables },
                    }
                }
                _ => {
                    return Err(wrong(
                        "`node`, `invariant`, `induction` or `no-path` is needed",
                    ));
                }
            };
            return Ok(SystemProof { query, certificate });
        }
        Err("the proof ends too early".into())
    }
}
