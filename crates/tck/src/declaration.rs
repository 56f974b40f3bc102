//! Reads declarations, one a line.

use super::cursor::Cursor;
use super::expression::{Broken, Parsed};
use super::tree::{Clock, Edge, Int, Location, Name, Participant, Synchronisation, System};
use merkhet_syntax::Diagnostics;
use merkhet_syntax::{Diagnostic, FileId, nearest_name};

/// The words that start declarations.
const KINDS: [&str; 8] = [
    "system", "process", "event", "clock", "int", "location", "edge", "sync",
];

/// Reads a whole file.
pub(super) fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> System {
    let mut system = System::default();
    let mut cursor = Cursor {
        file,
        text,
        position: 0,
        diagnostics,
    };
    if cursor.next() == Some('\u{FEFF}') {
        cursor.position += '\u{FEFF}'.len_utf8();
    }
    loop {
        cursor.skip_empty_lines();
        if cursor.rest().is_empty() {
            break;
        }
        let start = cursor.position;
        if cursor.declaration(&mut system).is_err() {
            cursor.skip_declaration(start);
        }
    }
    if system.name.is_none() {
        let diagnostic = Diagnostic::error(
            "no-system",
            "there is no `system` declaration",
            cursor.span_from(cursor.position),
        );
        cursor
            .diagnostics
            .push(diagnostic.with_hint("the first declaration is `system:name`"));
    }
    system
}

impl Cursor<'_, '_> {
    fn declaration(&mut self, system: &mut System) -> Parsed<()> {
        let start = self.position;
        let kind = self.name("a declaration")?;
        match kind.text.as_str() {
            "system" => self.system(&kind, system)?,
            "process" => {
                let name = self.last_name("the process's name")?;
                system.processes.push(name);
            }
            "event" => {
                let name = self.last_name("the event's name")?;
                system.events.push(name);
            }
            "clock" => {
                let clock = self.clock()?;
                system.clocks.push(clock);
            }
            "int" => {
                let int = self.int()?;
                system.ints.push(int);
            }
            "location" => self.location(system)?,
            "edge" => self.edge(start, system)?,
            "sync" => {
                let synchronisation = self.synchronisation(start)?;
                system.synchronisations.push(synchronisation);
            }
            _ => return self.unknown_declaration(&kind),
        }
        self.end_of_line()
    }

    fn unknown_declaration(&mut self, kind: &Name) -> Parsed<()> {
        let message = format!("`{}` starts no declaration", kind.text);
        let diagnostic = Diagnostic::error("unknown-declaration", message, kind.span)
            .with_suggestion(nearest_name(&kind.text, KINDS));
        self.diagnostics.push(diagnostic);
        Err(Broken)
    }

    /// `:name`, and attributes that have no effect.
    fn last_name(&mut self, what: &str) -> Parsed<Name> {
        let name = self.field(what)?;
        self.no_attributes()?;
        Ok(name)
    }

    /// `:name`.
    fn field(&mut self, what: &str) -> Parsed<Name> {
        self.expect(':')?;
        self.name(what)
    }

    fn system(&mut self, kind: &Name, system: &mut System) -> Parsed<()> {
        let name = self.last_name("the system's name")?;
        if let Some(first) = &system.name {
            let diagnostic = Diagnostic::error(
                "declared-twice",
                "there is more than one `system` declaration",
                kind.span,
            )
            .with_label(first.span, "the first");
            self.diagnostics.push(diagnostic);
            return Ok(());
        }
        system.name = Some(name);
        Ok(())
    }

    /// `:size`, at least 1.
    fn size(&mut self) -> Parsed<(u32, merkhet_syntax::Span)> {
        self.expect(':')?;
        let (value, span) = self.integer("a size")?;
        match u32::try_from(value) {
            Ok(size) if size > 0 => Ok((size, span)),
            _ => {
                let message = "a size is at least 1";
                self.diagnostics
                    .push(Diagnostic::error("bad-size", message, span));
                Err(Broken)
            }
        }
    }

    fn clock(&mut self) -> Parsed<Clock> {
        let (size, size_span) = self.size()?;
        let name = self.last_name("the clock's name")?;
        Ok(Clock {
            size,
            size_span,
            name,
        })
    }

    fn int(&mut self) -> Parsed<Int> {
        let (size, size_span) = self.size()?;
        self.expect(':')?;
        let (low, low_span) = self.integer("the smallest value")?;
        self.expect(':')?;
        let (high, _) = self.integer("the largest value")?;
        self.expect(':')?;
        let (initial, initial_span) = self.integer("the initial value")?;
        let name = self.last_name("the variable's name")?;
        let range_span = low_span.to(initial_span);
        if low > high || initial < low || initial > high {
            let message =
                format!("the initial value {initial} is not in the range {low} to {high}");
            self.diagnostics
                .push(Diagnostic::error("bad-range", message, range_span));
            return Err(Broken);
        }
        Ok(Int {
            size,
            size_span,
            low,
            high,
            initial,
            range_span,
            name,
        })
    }

    fn location(&mut self, system: &mut System) -> Parsed<()> {
        let mut location = Location {
            process: self.field("a process")?,
            name: self.field("the location's name")?,
            initial: false,
            committed: false,
            urgent: false,
            labels: Vec::new(),
            invariants: Vec::new(),
        };
        let attributes = self.attributes();
        self.location_attributes(attributes.as_deref().unwrap_or(&[]), &mut location);
        system.locations.push(location);
        attributes.map(|_| ())
    }

    fn edge(&mut self, start: usize, system: &mut System) -> Parsed<()> {
        let mut edge = Edge {
            process: self.field("a process")?,
            source: self.field("the source location")?,
            target: self.field("the target location")?,
            event: self.field("an event")?,
            guards: Vec::new(),
            statements: Vec::new(),
            span: self.span_from(start),
        };
        let attributes = self.attributes()?;
        self.edge_attributes(&attributes, &mut edge);
        edge.span = self.span_from(start);
        system.edges.push(edge);
        Ok(())
    }

    fn synchronisation(&mut self, start: usize) -> Parsed<Synchronisation> {
        let mut participants = Vec::new();
        while self.take(':') {
            let process = self.name("a process")?;
            self.expect('@')?;
            let event = self.name("an event")?;
            participants.push(Participant {
                process,
                event,
                weak: self.take('?'),
            });
        }
        if participants.is_empty() {
            return self.fail_expected("`:`");
        }
        let span = self.span_from(start);
        self.no_attributes()?;
        Ok(Synchronisation { participants, span })
    }
}
