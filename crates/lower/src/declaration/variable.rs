//! Variables, constants, clocks and channels get their room in the network.

use crate::data::memory::cell_ranges;
use crate::data::object::{Object, Root};
use crate::data::types::Type;
use crate::naming::scope::{Env, Symbol};
use crate::run::limits::MAX_CLOCKS;
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported, UNSUPPORTED, only_unsupported, soften};
use crate::run::tables::Constant;
use merkhet_network::{
    Address, Cell, Channel, ChannelKind, Clock, ProcessId, Region, Variable, VariableId,
};
use merkhet_syntax::tree::{Declarator, Initialiser, VariableDeclaration};
use merkhet_syntax::{Diagnostic, Span};

/// Whose variables are declared.
#[derive(Clone, Debug, Default)]
pub struct Owner {
    /// The process, if they are not global.
    pub process: Option<ProcessId>,
    /// What goes before the names: `P.`.
    pub prefix: String,
}

impl Lowerer<'_> {
    /// Declares the variables, constants, clocks or channels of a declaration in the environment's scope.
    pub fn declare_variables(
        &mut self,
        env: &mut Env,
        owner: &Owner,
        declaration: &VariableDeclaration,
    ) {
        for declarator in &declaration.declarators {
            let outer = self.report.begin();
            let symbol = self.variable(env, owner, declaration, declarator);
            let mut messages = self.report.end(outer);
            // What is not symbolic is an error only where it is used.
            let symbol = match symbol {
                Ok(symbol) => symbol,
                Err(Reported) if only_unsupported(&messages) => {
                    soften(&mut messages);
                    Symbol::Unsupported("a quantity computed outside the symbolic language")
                }
                Err(Reported) => Symbol::Broken,
            };
            self.report.extend(messages);
            let name = &declarator.name;
            self.declare(env.scope, &name.text, symbol, name.span);
        }
    }

    fn variable(
        &mut self,
        env: &mut Env,
        owner: &Owner,
        declaration: &VariableDeclaration,
        declarator: &Declarator,
    ) -> Lower<Symbol> {
        let spec = &declaration.type_spec;
        let name = &declarator.name;
        let ty = self.declared_type(env, spec, &declarator.dimensions)?;
        if let Some(what) = ty.unsupported() {
            self.warn(
                UNSUPPORTED,
                format!(
                    "`{}` is {what}: what depends on it cannot be checked",
                    name.text
                ),
                name.span,
            );
            return Ok(Symbol::Unsupported(what));
        }
        if ty == Type::Void {
            return self.error("type", "a variable cannot be of type `void`", spec.span);
        }
        let timeless = ty.counts().clocks + ty.counts().channels == 0;
        let mut initialiser = declarator.initialiser.as_ref();
        if !timeless && let Some(given) = initialiser.take() {
            self.zero_clock(env, &ty, given)?;
        }
        if spec.constant && declarator.initialiser.is_none() {
            return self.error(
                "uninitialised-constant",
                format!("the constant `{}` has no value", name.text),
                name.span,
            );
        }
        let mut values = Vec::new();
        self.initial_values(env, &ty, initialiser, &mut values)?;
        let full_name = format!("{}{}", owner.prefix, name.text);
        if spec.constant && timeless {
            return Ok(self.new_constant(full_name, owner.process, ty, values, name.span));
        }
        let region = if spec.meta && !self.tables.lasting.contains(&name.span) {
            Region::Meta
        } else {
            Region::State
        };
        let object = self.allocate(&full_name, owner.process, ty, region, &values, name.span)?;
        Ok(Symbol::Object(object))
    }

    /// Accepts `clock x = 0`, which says nothing new; clocks start at 0 and channels have no value.
    fn zero_clock(&mut self, env: &mut Env, ty: &Type, initialiser: &Initialiser) -> Lower<()> {
        if let (Type::Clock, Initialiser::Expr(expr)) = (ty, initialiser)
            && self.constant(env, expr)? == 0
        {
            return Ok(());
        }
        self.error(
            "initialiser",
            "clocks start at 0 and channels have no value",
            initialiser.span(),
        )
    }

    /// A constant: folded if it is one cell.
    pub fn new_constant(
        &mut self,
        name: String,
        owner: Option<ProcessId>,
        ty: Type,
        values: Vec<i32>,
        span: Span,
    ) -> Symbol {
        if let (true, [value]) = (ty.is_cell(), values.as_slice()) {
            return Symbol::Constant(*value, ty);
        }
        let id = self.tables.constants.len() as u32;
        self.tables.constants.push(Constant {
            name,
            owner,
            ty: ty.clone(),
            values: values.into(),
            address: None,
            span,
        });
        Symbol::Object(Object {
            ty,
            root: Root::Constant { id, offset: 0 },
            clock: 0,
            channel: 0,
            indices: Vec::new(),
            mutable: false,
            before: Vec::new(),
        })
    }

    /// Room for a variable, with its clocks and channels.
    pub fn allocate(
        &mut self,
        name: &str,
        owner: Option<ProcessId>,
        ty: Type,
        region: Region,
        values: &[i32],
        span: Span,
    ) -> Lower<Object> {
        let counts = ty.counts();
        self.check_room(counts.total(), span)?;
        if self.network.clocks.len() as u64 + counts.clocks > MAX_CLOCKS {
            return self.error(
                "too-large",
                format!("the model has more than {MAX_CLOCKS} clocks"),
                span,
            );
        }
        let cells = match region {
            Region::Meta => &mut self.network.meta_cells,
            _ => &mut self.network.state_cells,
        };
        let base = Address {
            region,
            offset: cells.len() as u32,
        };
        if counts.cells > 0 {
            let variable = VariableId::from(self.network.variables.len());
            let mut ranges = Vec::with_capacity(counts.cells as usize);
            cell_ranges(&ty, &mut ranges);
            cells.extend(
                ranges
                    .iter()
                    .zip(values)
                    .map(|(&(low, high), &initial)| Cell {
                        low,
                        high,
                        initial,
                        variable,
                    }),
            );
            self.network.variables.push(Variable {
                name: name.to_string(),
                owner,
                shape: ty.shape().ok_or(Reported)?,
                base,
            });
            self.tables.variable_spans.push(span);
            if region == Region::State {
                self.note_lattices(name.to_string(), variable, base.offset, &ty);
            }
        }
        let clock = self.network.clocks.len() as u32;
        let channel = self.network.channels.len() as u32;
        if counts.clocks + counts.channels > 0 {
            self.add_parts(name.to_string(), owner, &ty, span);
        }
        Ok(Object {
            clock,
            channel,
            ..Object::in_memory(ty, base, true)
        })
    }

    /// The clocks and channels of a variable, each with its name.
    fn add_parts(&mut self, name: String, owner: Option<ProcessId>, ty: &Type, span: Span) {
        match ty {
            Type::Clock => {
                self.network.clocks.push(Clock { name, owner });
                self.tables.clock_spans.push(span);
            }
            Type::Channel { urgent, broadcast } => {
                self.network.channels.push(Channel {
                    name,
                    kind: if *broadcast {
                        ChannelKind::Broadcast
                    } else {
                        ChannelKind::Binary
                    },
                    urgent: *urgent,
                    priority: 0,
                });
                self.tables.channel_spans.push(span);
            }
            Type::Array(array) => {
                for k in (array.low as i64..).take(array.length as usize) {
                    self.add_parts(format!("{name}[{k}]"), owner, &array.element, span);
                }
            }
            Type::Struct(structure) => {
                for field in &structure.fields {
                    self.add_parts(format!("{name}.{}", field.name), owner, &field.ty, span);
                }
            }
            _ => {}
        }
    }

    /// Declares the names of a `typedef`.
    pub fn declare_typedef(&mut self, env: &mut Env, declaration: &VariableDeclaration) {
        for declarator in &declaration.declarators {
            let name = &declarator.name;
            let ty = self.declared_type(env, &declaration.type_spec, &declarator.dimensions);
            let symbol = match ty {
                Ok(ty) => match ty.unsupported() {
                    Some(what) => Symbol::Unsupported(what),
                    None => Symbol::Type(ty),
                },
                Err(Reported) => Symbol::Broken,
            };
            self.declare(env.scope, &name.text, symbol, name.span);
        }
    }

    /// Reports something that the checker does not look at.
    pub fn note_unsupported(&mut self, what: &str, span: Span) {
        self.say(Diagnostic::warning(
            UNSUPPORTED,
            format!("{what} is outside the symbolic language"),
            span,
        ));
    }
}
