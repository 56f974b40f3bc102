//! Types, array dimensions, parameters and initial values.

use super::{Dialect, Parsed, Parser};
use crate::parser::token::TokenKind;
use crate::tree::{
    Dimension, Initialiser, InitialiserItem, IntRange, Parameter, StructField, TypeKind, TypeSpec,
};

impl Parser<'_, '_> {
    /// A type with its prefixes.
    pub(super) fn type_spec(&mut self) -> Parsed<TypeSpec> {
        let start = self.peek();
        let mut spec = TypeSpec {
            constant: false,
            meta: false,
            urgent: false,
            broadcast: false,
            hybrid: false,
            kind: TypeKind::Broken,
            span: self.span(start),
        };
        loop {
            match self.kind() {
                TokenKind::Const => spec.constant = true,
                TokenKind::Meta => spec.meta = true,
                TokenKind::Urgent => spec.urgent = true,
                TokenKind::Broadcast => spec.broadcast = true,
                TokenKind::Name
                    if self.at_word("hybrid") && self.kind_at(1) == TokenKind::Clock =>
                {
                    spec.hybrid = true
                }
                _ => break,
            }
            self.advance();
        }
        spec.kind = if spec.constant && self.at_old_constant() {
            TypeKind::Int(None)
        } else {
            self.type_kind()?
        };
        spec.span = self.span_from(start);
        Ok(spec)
    }

    /// After `const`: whether this is `const NAME value` of the old language, which has no type.
    pub(super) fn at_old_constant(&mut self) -> bool {
        self.at(TokenKind::Name)
            && !matches!(self.kind_at(1), TokenKind::Name | TokenKind::Ampersand)
    }

    fn type_kind(&mut self) -> Parsed<TypeKind> {
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::IntType => {
                self.advance();
                return Ok(TypeKind::Int(self.int_range()?.map(Box::new)));
            }
            TokenKind::Scalar => {
                self.advance();
                self.expect(TokenKind::LeftBracket, "after `scalar`")?;
                let size = self.nested(Self::expression)?;
                self.expect(TokenKind::RightBracket, "after the number of scalars")?;
                return Ok(TypeKind::Scalar(Box::new(size)));
            }
            TokenKind::Struct => {
                self.advance();
                self.expect(TokenKind::LeftBrace, "after `struct`")?;
                let fields = self.nested(Self::struct_fields)?;
                return Ok(TypeKind::Struct(fields));
            }
            TokenKind::Bool => TypeKind::Bool,
            TokenKind::Clock => TypeKind::Clock,
            TokenKind::Chan => TypeKind::Channel,
            TokenKind::Void => TypeKind::Void,
            TokenKind::Name => match self.letters(token) {
                "double" => TypeKind::Double,
                "string" => TypeKind::String,
                name => TypeKind::Named(name.to_string()),
            },
            _ => return Err(self.expected("a type")),
        };
        self.advance();
        Ok(kind)
    }

    /// `[lower, upper]` after `int`.
    fn int_range(&mut self) -> Parsed<Option<IntRange>> {
        if !self.eat(TokenKind::LeftBracket) {
            return Ok(None);
        }
        let mut range = IntRange {
            lower: None,
            upper: None,
        };
        if !self.at(TokenKind::Comma) {
            range.lower = Some(self.nested(Self::expression)?);
        }
        self.expect(
            TokenKind::Comma,
            "between the bounds of `int[lower, upper]`",
        )?;
        if !self.at(TokenKind::RightBracket) {
            range.upper = Some(self.nested(Self::expression)?);
        }
        self.expect(TokenKind::RightBracket, "after the bounds")?;
        Ok(Some(range))
    }

    /// The fields of a struct and the `}` after them.
    fn struct_fields(&mut self) -> Parsed<Vec<StructField>> {
        let mut fields = Vec::new();
        while !self.eat(TokenKind::RightBrace) {
            if self.at(TokenKind::End) {
                return Err(self.expected("`}` after the fields"));
            }
            self.fields(&mut fields)?;
        }
        Ok(fields)
    }

    /// `type name[…], …;` in a struct.
    pub(super) fn fields(&mut self, fields: &mut Vec<StructField>) -> Parsed<()> {
        let type_spec = self.nested(Self::type_spec)?;
        loop {
            let name = self.name("the name of a field")?;
            let dimensions = self.dimensions()?;
            fields.push(StructField {
                type_spec: type_spec.clone(),
                name,
                dimensions,
            });
            if !self.eat(TokenKind::Comma) {
                return self.expect_semicolon("after the field");
            }
        }
    }

    /// `[…][…]…`
    pub(super) fn dimensions(&mut self) -> Parsed<Vec<Dimension>> {
        let mut dimensions = Vec::new();
        while self.eat(TokenKind::LeftBracket) {
            dimensions.push(if self.kind().starts_type() {
                Dimension::Index(self.nested(Self::type_spec)?)
            } else {
                Dimension::Size(self.nested(Self::expression)?)
            });
            self.expect(TokenKind::RightBracket, "after the size of the array")?;
        }
        Ok(dimensions)
    }

    /// An initial value: an expression or a list in braces.
    pub(super) fn initialiser(&mut self) -> Parsed<Initialiser> {
        if !self.at(TokenKind::LeftBrace) {
            return Ok(Initialiser::Expr(self.expression()?));
        }
        let start = self.advance();
        let mut items = Vec::new();
        while !self.at(TokenKind::RightBrace) {
            items.push(self.nested(Self::initialiser_item)?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "after the initial values")?;
        Ok(Initialiser::List(items, self.span_from(start)))
    }

    fn initialiser_item(&mut self) -> Parsed<InitialiserItem> {
        let named = self.at(TokenKind::Name) && self.kind_at(1) == TokenKind::Colon;
        let field = named.then(|| self.take_name());
        if named {
            self.advance();
        }
        Ok(InitialiserItem {
            field,
            value: self.initialiser()?,
        })
    }

    /// The parameters of a template, function or instantiation and the `)` after them; the `(` has been taken.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let parameters = self.parameter_list(TokenKind::RightParen)?;
        self.expect(TokenKind::RightParen, "after the parameters")?;
        Ok(parameters)
    }

    /// Parameters up to, not including, a token of the sort `end`.
    ///
    /// The old language separates groups by `;`, the names of a group share its type, and all that is not constant
    /// is a reference: `(clock x, y; const k)`.
    pub(super) fn parameter_list(&mut self, end: TokenKind) -> Parsed<Vec<Parameter>> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut old = self.dialect == Dialect::Old;
        while !self.at(end) {
            let start = self.peek();
            let shares_type = self.at(TokenKind::Name)
                && matches!(
                    self.kind_at(1),
                    TokenKind::Comma | TokenKind::Semicolon | TokenKind::LeftBracket
                )
                || self.at(TokenKind::Name) && self.kind_at(1) == end;
            let type_spec = match parameters.last() {
                Some(last) if shares_type => {
                    old = true;
                    last.type_spec.clone()
                }
                _ => self.nested(Self::type_spec)?,
            };
            old |= type_spec.kind == TypeKind::Int(None) && self.previous_was_const();
            let reference = self.eat(TokenKind::Ampersand);
            let name = self.name("the name of a parameter")?;
            let dimensions = self.dimensions()?;
            parameters.push(Parameter {
                type_spec,
                reference,
                name,
                dimensions,
                span: self.span_from(start),
            });
            if self.eat(TokenKind::Semicolon) {
                old = true;
            } else if !self.eat(TokenKind::Comma) {
                break;
            } else if self.at(end) {
                return Err(self.expected("a parameter"));
            }
        }
        if old {
            for parameter in &mut parameters {
                parameter.reference |= !parameter.type_spec.constant;
            }
        }
        Ok(parameters)
    }

    /// Whether the last token taken was `const`: then the type was left out.
    fn previous_was_const(&self) -> bool {
        self.text
            .text
            .get(..self.previous_end as usize)
            .is_some_and(|before| before.ends_with("const"))
    }
}
