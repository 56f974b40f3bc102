//! Types as written, and the dimensions of arrays.

use crate::data::types::{Field, INT, Type, WIDE};
use crate::naming::scope::{Env, Symbol};
use crate::run::limits::{MAX_CELLS, MAX_TYPE_DEPTH};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use merkhet_syntax::Span;
use merkhet_syntax::tree::{Dimension, Expr, ExprKind, IntRange, StructField, TypeKind, TypeSpec};

impl Lowerer<'_> {
    /// The type that is written; `const` and `meta` are up to the caller.
    pub fn type_spec(&mut self, env: &mut Env, spec: &TypeSpec) -> Lower<Type> {
        Ok(match &spec.kind {
            TypeKind::Int(None) if spec.constant => WIDE,
            TypeKind::Int(None) => INT,
            TypeKind::Int(Some(range)) => self.int_range(env, range, spec.span)?,
            TypeKind::Bool => Type::Bool,
            TypeKind::Clock if spec.hybrid => Type::Unsupported("a hybrid clock"),
            TypeKind::Clock => Type::Clock,
            TypeKind::Channel => Type::Channel {
                urgent: spec.urgent,
                broadcast: spec.broadcast,
            },
            TypeKind::Double => Type::Unsupported("a floating-point variable"),
            TypeKind::String => Type::Unsupported("a string"),
            TypeKind::Void => Type::Void,
            TypeKind::Scalar(size) => self.scalar_set(env, size)?,
            TypeKind::Struct(fields) => self.structure(env, fields, spec.span)?,
            TypeKind::Named(name) => match self.lookup(env, name, spec.span)? {
                Symbol::Type(ty) => ty,
                Symbol::Unsupported(what) => Type::Unsupported(what),
                Symbol::Lattice(id) => self.lattice_type(env, id, &[], spec.span)?,
                _ => {
                    return self.error("type", format!("`{name}` is not a type"), spec.span);
                }
            },
            TypeKind::Broken => return Err(Reported),
        })
    }

    /// A type with array dimensions behind the name.
    pub fn declared_type(
        &mut self,
        env: &mut Env,
        spec: &TypeSpec,
        dimensions: &[Dimension],
    ) -> Lower<Type> {
        let named = match &spec.kind {
            TypeKind::Named(name) => self.resolve(env, name),
            _ => None,
        };
        let (mut ty, dimensions) = match named {
            Some(Symbol::Lattice(id)) => {
                // The last dimensions are the lattice's own.
                let own = (self.tables.lattice_declarations)
                    .get(id as usize)
                    .map_or(0, |declared| declared.tree.dimensions.len());
                let (outer, own) = dimensions.split_at(dimensions.len().saturating_sub(own));
                (self.lattice_type(env, id, own, spec.span)?, outer)
            }
            _ => (self.type_spec(env, spec)?, dimensions),
        };
        for dimension in dimensions.iter().rev() {
            let Indices {
                length,
                low,
                scalar,
                span,
            } = self.dimension(env, dimension)?;
            if ty == Type::Void {
                return self.error("type", "an array cannot hold `void`", spec.span);
            }
            if length as u64 > MAX_CELLS {
                let message = format!("an array cannot have more than {MAX_CELLS} elements");
                return self.error("too-large", message, span);
            }
            ty = Type::array(length, low, scalar, ty);
            self.check_size(&ty, span)?;
        }
        Ok(ty)
    }

    /// The lattice with these dimensions.
    fn lattice_type(
        &mut self,
        env: &mut Env,
        id: u32,
        dimensions: &[Dimension],
        span: Span,
    ) -> Lower<Type> {
        let declared = self.tables.lattice_declarations.get(id as usize);
        let tree = declared.ok_or(Reported)?.tree.clone();
        if dimensions.len() != tree.dimensions.len() {
            let brackets = |name: &merkhet_syntax::tree::Name| format!("[{}]", name.text);
            let all: String = tree.dimensions.iter().map(brackets).collect();
            let name = &tree.name.text;
            let message =
                format!("the lattice `{name}` has dimensions, as in `{name} variable{all}`");
            return self.error("array-size", message, span);
        }
        let mut values = Vec::new();
        for dimension in dimensions {
            let indices = self.dimension(env, dimension)?;
            if indices.low != 0 || indices.scalar.is_some() {
                let message = "the dimension of a lattice is a number";
                return self.error("array-size", message, indices.span);
            }
            values.push(indices.length.min(i32::MAX as u32) as i32);
        }
        self.lattice_instance(id, values, span)
    }

    fn check_size(&mut self, ty: &Type, span: Span) -> Lower<()> {
        let counts = ty.counts();
        if counts.total() > MAX_CELLS {
            return self.error(
                "too-large",
                format!("this takes more than {MAX_CELLS} cells"),
                span,
            );
        }
        if counts.depth > MAX_TYPE_DEPTH {
            return self.error("too-large", "this type is nested too deeply", span);
        }
        Ok(())
    }

    fn int_range(&mut self, env: &mut Env, range: &IntRange, span: Span) -> Lower<Type> {
        let mut bound = |this: &mut Self, bound: &Option<Expr>, default| match bound {
            Some(expr) => this.constant(env, expr),
            None => Ok(default),
        };
        let low = bound(self, &range.lower, -32768);
        let high = bound(self, &range.upper, 32767);
        let (low, high) = (low?, high?);
        if low > high {
            return self.error(
                "empty-range",
                format!("the range [{low},{high}] is empty"),
                span,
            );
        }
        Ok(Type::Int { low, high })
    }

    fn scalar_set(&mut self, env: &mut Env, size: &Expr) -> Lower<Type> {
        let count = self.constant(env, size)?;
        if count <= 0 {
            return self.error(
                "empty-range",
                "a scalar set has at least one element",
                size.span,
            );
        }
        self.tables.scalar_sets += 1;
        Ok(Type::Scalar {
            set: self.tables.scalar_sets,
            size: count as u32,
        })
    }

    fn structure(&mut self, env: &mut Env, fields: &[StructField], span: Span) -> Lower<Type> {
        Ok(Type::structure(self.fields(env, fields, span)?))
    }

    /// The fields of a structure or lattice.
    pub fn fields(
        &mut self,
        env: &mut Env,
        fields: &[StructField],
        span: Span,
    ) -> Lower<Vec<Field>> {
        let mut lowered: Vec<Field> = Vec::new();
        for field in fields {
            let ty = self.declared_type(env, &field.type_spec, &field.dimensions)?;
            if ty == Type::Void {
                return self.error("type", "a field cannot be `void`", field.type_spec.span);
            }
            if lowered.iter().any(|other| other.name == field.name.text) {
                return self.error(
                    "duplicate-name",
                    format!("there are two fields `{}`", field.name.text),
                    field.name.span,
                );
            }
            lowered.push(Field {
                name: field.name.text.clone(),
                ty,
            });
        }
        self.check_size(&Type::structure(lowered.clone()), span)?;
        Ok(lowered)
    }

    fn dimension(&mut self, env: &mut Env, dimension: &Dimension) -> Lower<Indices> {
        let (ty, span) = match dimension {
            Dimension::Index(spec) => (self.type_spec(env, spec)?, spec.span),
            Dimension::Size(size) => {
                if let ExprKind::Name(name) = &size.kind
                    && let Some(Symbol::Type(ty)) = self.resolve(env, name)
                {
                    (ty, size.span)
                } else {
                    let length = self.constant(env, size)?;
                    if length < 0 {
                        return self.error(
                            "array-size",
                            format!("an array cannot have {length} elements"),
                            size.span,
                        );
                    }
                    return Ok(Indices::new(length as u32, 0, None, size.span));
                }
            }
        };
        let range = ty
            .range()
            .map(|(low, high)| (low, high as i64 - low as i64 + 1));
        match (ty, range) {
            (Type::Scalar { set, size }, _) => Ok(Indices::new(size, 0, Some(set), span)),
            (_, Some((low, length))) => {
                let length = length.clamp(0, u32::MAX as i64) as u32;
                Ok(Indices::new(length, low, None, span))
            }
            _ => self.error(
                "array-size",
                "an array is indexed by integers or by a scalar set",
                span,
            ),
        }
    }
}

/// What an array is indexed by.
struct Indices {
    length: u32,
    low: i32,
    scalar: Option<u32>,
    span: Span,
}

impl Indices {
    fn new(length: u32, low: i32, scalar: Option<u32>, span: Span) -> Indices {
        Indices {
            length,
            low,
            scalar,
            span,
        }
    }
}
