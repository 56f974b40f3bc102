//! Declarations in UPPAAL's syntax.

use super::Writer;
use crate::ids::FunctionId;
use crate::memory::{Region, Shape, Variable};
use crate::network::{Channel, ChannelKind};

impl Writer<'_> {
    /// A type's name (without array dimensions) and the dimensions that follow the variable's name.
    pub fn type_parts(&self, shape: &Shape) -> (String, String) {
        let mut dimensions = String::new();
        let mut inner = shape;
        while let Shape::Array { length, element } = inner {
            dimensions += &format!("[{length}]");
            inner = element;
        }
        let base = match inner {
            Shape::Bool => "bool".into(),
            Shape::Int {
                low: -32768,
                high: 32767,
            } => "int".into(),
            Shape::Int { low, high } => format!("int[{low},{high}]"),
            Shape::Scalar { size } => format!("scalar[{size}]"),
            Shape::Struct { fields } => {
                match self.structures.iter().find(|(known, _)| known == inner) {
                    Some((_, name)) => name.clone(),
                    None => self.structure(fields),
                }
            }
            Shape::Array { .. } => String::new(),
        };
        (base, dimensions)
    }

    /// A structure type, written out.
    pub fn structure(&self, fields: &[(String, Shape)]) -> String {
        let fields: Vec<String> = fields
            .iter()
            .map(|(name, shape)| format!("{};", self.declared(name, shape)))
            .collect();
        format!("struct {{ {} }}", fields.join(" "))
    }

    /// `type name[dimensions]`.
    pub fn declared(&self, name: &str, shape: &Shape) -> String {
        let (base, dimensions) = self.type_parts(shape);
        format!("{base} {name}{dimensions}")
    }

    /// An initialiser for the cells of a layout, taken one by one.
    pub fn initialiser(&self, shape: &Shape, values: &mut impl Iterator<Item = i32>) -> String {
        match shape {
            Shape::Array { length, element } => {
                let items: Vec<String> = (0..*length)
                    .map(|_| self.initialiser(element, values))
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
            Shape::Struct { fields } => {
                let items: Vec<String> = fields
                    .iter()
                    .map(|(_, field)| self.initialiser(field, values))
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
            Shape::Bool => match values.next() {
                Some(0) | None => "false".into(),
                Some(_) => "true".into(),
            },
            _ => values.next().unwrap_or(0).to_string(),
        }
    }

    /// The declaration of a variable with its initial value.
    pub fn variable(&self, name: &str, variable: &Variable) -> String {
        let prefix = match variable.base.region {
            Region::Meta => "meta ",
            Region::Constant => "const ",
            _ => "",
        };
        let first = variable.base.offset as usize;
        let cells = &self.network.cells(variable.base.region)
            [first..first + variable.shape.cells() as usize];
        let initial = self.initialiser(&variable.shape, &mut cells.iter().map(|cell| cell.initial));
        let mut declared = match self.lattice_declared(name, variable) {
            Some(declared) => declared,
            None => self.declared(name, &variable.shape),
        };
        // A constant of type `int` may have any value.
        if variable.base.region == Region::Constant
            && let Some(rest) = declared.strip_prefix("int ")
        {
            declared = format!("int[-32768,32767] {rest}");
        }
        format!("{prefix}{declared} = {initial};")
    }

    /// The declaration of a variable, or array, of elements of a lattice: `Name variable[array][dimensions]`.
    fn lattice_declared(&self, name: &str, variable: &Variable) -> Option<String> {
        let end = variable.base.offset + variable.shape.cells();
        let mut parts = self.network.lattice_variables.iter();
        let part = (variable.base.region == Region::State)
            .then(|| parts.find(|part| (variable.base.offset..end).contains(&part.base)))??;
        let lattice = &self.network.lattices[part.lattice as usize];
        let mut dimensions = String::new();
        let mut inner = &variable.shape;
        while *inner != lattice.shape {
            let Shape::Array { length, element } = inner else {
                self.complain(|| format!("`{name}`, a structure with elements of lattices in it"));
                return None;
            };
            dimensions += &format!("[{length}]");
            inner = element;
        }
        let own = lattice.name.strip_prefix(&lattice.declared).unwrap_or("");
        Some(format!("{} {name}{dimensions}{own}", lattice.declared))
    }

    /// The kind of a channel.
    pub fn channel_kind(channel: &Channel) -> &'static str {
        match (channel.urgent, channel.kind) {
            (false, ChannelKind::Binary) => "chan",
            (true, ChannelKind::Binary) => "urgent chan",
            (false, ChannelKind::Broadcast) => "broadcast chan",
            (true, ChannelKind::Broadcast) => "urgent broadcast chan",
        }
    }

    /// The head of a function: `int[0,3] f(int[0,3] a, int &b)`.
    pub fn function_head(&self, id: FunctionId) -> String {
        let function = &self.network.functions[id.index()];
        let object = |cell: u32| {
            self.objects
                .find(cell)
                .map(|index| &self.objects.all[index])
        };
        let result = match function.result {
            None => "void".into(),
            Some((base, _)) => match object(base.offset) {
                Some(object) => {
                    let (base, dimensions) = self.type_parts(&object.shape);
                    if !dimensions.is_empty() {
                        self.complain(|| {
                            format!("the result of `{}`, which is an array", function.name)
                        });
                    }
                    format!("{base}{dimensions}")
                }
                None => "int".into(),
            },
        };
        let mut parameters = Vec::new();
        for (base, _) in &function.parameters {
            if let Some(object) = object(base.offset) {
                parameters.push(self.declared(&object.name, &object.shape));
            }
        }
        for index in &self.references[id.index()] {
            let object = &self.objects.all[*index];
            let constant = if self.constant_references.contains(index) {
                "const "
            } else {
                ""
            };
            parameters.push(
                constant.to_string() + &self.declared(&format!("&{}", object.name), &object.shape),
            );
        }
        format!(
            "{result} {}({})",
            self.names.functions[id.index()],
            parameters.join(", ")
        )
    }
}
