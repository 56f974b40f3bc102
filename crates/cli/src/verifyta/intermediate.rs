//! The intermediate format, which `UPPAAL_COMPILE_ONLY=1` prints and trace readers need beside a trace.
//!
//! Everything is numbered through one layout: clocks, variables, locations. Clock 0 is the constant zero. We write no
//! instructions: readers of traces use names, edges and the texts of labels only.

use merkhet::network::{Address, LocationKind, Region};

use super::numbering::Numbering;

/// The whole file.
pub fn render(numbering: &Numbering<'_>) -> String {
    let network = numbering.network;
    let mut layout = String::from("0:clock:0:t(0)\n");
    let mut next = 1;
    for (index, clock) in network.clocks.iter().enumerate() {
        layout += &format!("{next}:clock:{}:{}\n", index + 1, clock.name);
        next += 1;
    }
    let mut number = 0;
    for (region, word) in [(Region::State, "var"), (Region::Meta, "meta")] {
        for (offset, cell) in network.cells(region).iter().enumerate() {
            let address = Address {
                region,
                offset: offset as u32,
            };
            let name = network.cell_name(address);
            layout += &format!(
                "{next}:{word}:{}:{}:{}:{number}:{name}\n",
                cell.low, cell.high, cell.initial
            );
            next += 1;
            number += 1;
        }
    }
    let (mut processes, mut locations, mut edges) = (String::new(), String::new(), String::new());
    let mut expressions = Expressions::default();
    for (index, process) in network.processes.iter().enumerate() {
        let first = next;
        for location in &process.locations {
            let flags = match location.kind {
                LocationKind::Normal => "",
                LocationKind::Urgent => "urgent",
                LocationKind::Committed => "committed",
            };
            layout += &format!("{next}:location:{flags}:{}\n", location.name);
            let invariant = expressions.add(&numbering.invariant(location));
            locations += &format!("{next}:{index}:{invariant}\n");
            next += 1;
        }
        processes += &format!(
            "{index}:{}:{}\n",
            first + process.initial.index(),
            process.name
        );
        for edge in numbering.edges(process) {
            // An edge that this process cannot take at all keeps its number.
            let (source, target, labels) = match edge {
                Some(edge) => {
                    let labels = numbering.labels(process, edge);
                    (edge.source.index(), edge.target.index(), Some(labels))
                }
                None => (process.initial.index(), process.initial.index(), None),
            };
            let [guard, sync, update] = match labels {
                Some(labels) => [labels.guard, labels.sync, labels.update],
                None => ["0", "tau", "1"].map(String::from),
            }
            .map(|text| expressions.add(&text));
            edges += &format!(
                "{index}:{}:{}:{guard}:{sync}:{update}\n",
                first + source,
                first + target
            );
        }
    }
    let expressions = expressions.text;
    format!(
        "layout\n{layout}\ninstructions\n\nprocesses\n{processes}\nlocations\n{locations}\nedges\n{edges}\nexpressions\n{expressions}"
    )
}

/// The texts of labels, numbered.
#[derive(Default)]
struct Expressions {
    text: String,
    count: usize,
}

impl Expressions {
    fn add(&mut self, label: &str) -> usize {
        let number = self.count;
        self.count += 1;
        // Readers split at these characters.
        let label = label.replace(';', ",").replace(['{', '}'], " ");
        self.text += &format!("{number}:::{label}\n");
        number
    }
}
