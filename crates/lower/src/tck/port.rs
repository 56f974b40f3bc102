//! Which edges go alone and which in vectors.

use super::synchronise::{Role, Roles};
use super::{Lower, Lowering, MAX_EDGES};
use merkhet_network::{Edge, Sync};
use merkhet_syntax::Diagnostic;
use merkhet_tck::tree;

impl Lowering<'_> {
    /// Lowers all edges, once vectors and locations are known.
    pub(super) fn fill_edges(&mut self) -> Lower<()> {
        let roles = self.synchronise();
        let system = self.system;
        let mut total = 0;
        for edge in &system.edges {
            // An error has been reported; the others are lowered all the same.
            if let Ok((process, copies)) = self.edge(edge, &roles) {
                total += copies.len();
                if total > MAX_EDGES {
                    let message = format!(
                        "more than {MAX_EDGES} edges, with a copy for each synchronisation"
                    );
                    return self.fail("too-many-edges", message, edge.span);
                }
                self.network.processes[process].edges.extend(copies);
            }
        }
        Ok(())
    }

    /// The edge, with a copy for each way to synchronise.
    fn edge(&mut self, edge: &tree::Edge, roles: &Roles) -> Lower<(usize, Vec<Edge>)> {
        let process = self.process(&edge.process)?;
        let event = self.event(&edge.event);
        let source = self.location(process, &edge.source);
        let target = self.location(process, &edge.target);
        let context = format!(
            "process {}, edge {} -> {}",
            edge.process.text, edge.source.text, edge.target.text
        );
        let guard = self.guard(&edge.guards, &format!("{context}, provided"));
        let update = self.update(&edge.statements, &format!("{context}, do"));
        let (event, guard) = (event?, guard?);
        let port = roles.port(process, event);
        if port.weak && (guard.data.is_some() || !guard.clocks.is_empty()) {
            let diagnostic = Diagnostic::error(
                "guarded-weak-event",
                format!(
                    "`{}@{}` is a weak participant of a synchronisation: its edges cannot have guards",
                    edge.process.text, edge.event.text
                ),
                edge.guards.first().map_or(edge.span, |guard| guard.span),
            )
            .with_hint("a weak participant joins wherever its location has such an edge");
            self.report(diagnostic);
            return Err(super::Broken);
        }
        let edges = &self.network.processes[process].edges;
        let origin = edges.last().map_or(0, |edge| edge.origin + 1);
        let copy = Edge {
            source: source?,
            target: target?,
            guard,
            sync: Sync::Internal,
            update: update?,
            select: Vec::new(),
            origin,
            site: self.site(edge.span, &context),
        };
        let with = |sync| Edge {
            sync,
            ..copy.clone()
        };
        let copies = match port.roles.as_slice() {
            [] => vec![copy],
            roles => roles
                .iter()
                .map(|&role| with(sync_of(role, event)))
                .collect(),
        };
        Ok((process, copies))
    }
}

fn sync_of(role: Role, event: usize) -> Sync {
    match role {
        Role::Send(channel) => Sync::Send(channel),
        Role::Receive(channel) => Sync::Receive(channel),
        Role::Vector => Sync::Event(event.into()),
    }
}
