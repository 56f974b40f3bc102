//! Declarations.

use super::{Parsed, Parser, Reported};
use crate::parser::token::{Token, TokenKind};
use crate::tree::{
    Block, Declaration, Declarator, Function, Lattice, TypeSpec, VariableDeclaration,
};

impl Parser<'_, '_> {
    /// Declarations up to the end of the text.
    pub(crate) fn declarations(&mut self) -> Vec<Declaration> {
        let mut declarations = Vec::new();
        while !self.at(TokenKind::End) {
            declarations.extend(self.recovering_declaration());
        }
        declarations
    }

    /// A declaration, broken where it cannot be read; takes at least one token. `None` for a lone `;`.
    pub(super) fn recovering_declaration(&mut self) -> Option<Declaration> {
        let start = self.peek();
        let level = self.braces;
        if self.eat(TokenKind::Semicolon) {
            return None;
        }
        match self.declaration() {
            Ok(declaration) => Some(declaration),
            Err(Reported) => {
                self.skip_to_semicolon(level);
                if self.peek() == start {
                    self.advance();
                }
                Some(Declaration::Broken(self.span_from(start)))
            }
        }
    }

    fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.peek();
        let next = self.kind_at(1);
        match start.kind {
            TokenKind::Typedef => self.typedef(),
            TokenKind::Chan if self.at_channel_priority() => self.channel_priority(),
            TokenKind::Name => match (self.letters(start), next) {
                ("before_update" | "after_update", TokenKind::LeftBrace) => self.update_block(),
                ("progress", TokenKind::LeftBrace) => self.progress(),
                ("gantt", TokenKind::LeftBrace) => self.gantt(),
                ("import", TokenKind::String) => self.import(),
                ("dynamic", TokenKind::Name) => self.dynamic(),
                ("IO", _) if self.at_io_declaration() => self.io_declaration(),
                ("extern", TokenKind::Name) if self.kind_at(2) == TokenKind::Semicolon => {
                    self.extern_lattice()
                }
                ("lattice", TokenKind::Name)
                    if matches!(
                        self.kind_at(2),
                        TokenKind::LeftBrace | TokenKind::LeftBracket
                    ) =>
                {
                    self.lattice()
                }
                (_, TokenKind::Assign | TokenKind::LeftParen) => self.instantiation(),
                _ => self.variables_or_function(start),
            },
            kind if kind.starts_type() => self.variables_or_function(start),
            _ => Err(self.expected("a declaration")),
        }
    }

    fn variables_or_function(&mut self, start: Token) -> Parsed<Declaration> {
        let type_spec = self.type_spec()?;
        if self.at(TokenKind::Name) && self.kind_at(1) == TokenKind::LeftParen {
            return Ok(Declaration::Function(self.function(start, type_spec)?));
        }
        Ok(Declaration::Variables(self.variables(start, type_spec)?))
    }

    fn typedef(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        let type_spec = self.type_spec()?;
        Ok(Declaration::Typedef(self.variables(start, type_spec)?))
    }

    /// `name[…] = …, …;` after a type.
    pub(super) fn variables(
        &mut self,
        start: Token,
        type_spec: TypeSpec,
    ) -> Parsed<VariableDeclaration> {
        let declarators = self.comma_separated(|parser| {
            let name = parser.name("the name of what is declared")?;
            let dimensions = parser.dimensions()?;
            // The old language has `const N 5;` without `=`.
            let initialised = parser.eat(TokenKind::Assign)
                || type_spec.constant
                    && !matches!(parser.kind(), TokenKind::Comma | TokenKind::Semicolon);
            let initialiser = if initialised {
                Some(parser.initialiser()?)
            } else {
                None
            };
            Ok(Declarator {
                name,
                dimensions,
                initialiser,
            })
        })?;
        self.expect_semicolon("after the declaration")?;
        Ok(VariableDeclaration {
            type_spec,
            declarators,
            span: self.span_from(start),
        })
    }

    /// `name(parameters) { … }` after a type.
    fn function(&mut self, start: Token, return_type: TypeSpec) -> Parsed<Function> {
        let errors = self.errors();
        let name = self.name("the name of a function")?;
        self.expect(TokenKind::LeftParen, "before the parameters")?;
        let parameters = self.parameters()?;
        let body = self.block()?;
        self.eat(TokenKind::Semicolon);
        let broken = self.errors() > errors;
        Ok(Function {
            return_type,
            name,
            parameters,
            body,
            broken,
            span: self.span_from(start),
        })
    }

    /// `before_update { a, b }`; the expressions may also be separated by `;`.
    fn update_block(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        let before = self.letters(start) == "before_update";
        self.advance();
        let mut expressions = Vec::new();
        while !self.at(TokenKind::RightBrace) {
            expressions.push(self.nested(Self::expression)?);
            if !self.eat(TokenKind::Comma) && !self.eat(TokenKind::Semicolon) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "after the updates")?;
        let span = self.span_from(start);
        Ok(if before {
            Declaration::BeforeUpdate(expressions, span)
        } else {
            Declaration::AfterUpdate(expressions, span)
        })
    }

    /// `import "library" { … };` or `import "library" type name(…);`.
    fn import(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        self.advance();
        let mut names = Vec::new();
        let mut open = 0usize;
        while !self.at(TokenKind::End) {
            match self.kind() {
                TokenKind::LeftBrace => open += 1,
                TokenKind::RightBrace => open = open.saturating_sub(1),
                TokenKind::Name if self.kind_at(1) == TokenKind::LeftParen => {
                    names.push(self.take_name());
                    continue;
                }
                _ => {}
            }
            if self.advance().kind == TokenKind::Semicolon && open == 0 {
                break;
            }
        }
        Ok(Declaration::Unsupported {
            what: "an imported function",
            names,
            span: self.span_from(start),
        })
    }

    /// `dynamic Name(parameters);`
    fn dynamic(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        let name = self.name("the name of a template")?;
        self.expect(TokenKind::LeftParen, "before the parameters")?;
        self.parameters()?;
        self.expect_semicolon("after the declaration")?;
        Ok(Declaration::Unsupported {
            what: "a dynamic template",
            names: vec![name],
            span: self.span_from(start),
        })
    }

    /// Whether `IO Process {` comes next.
    pub(super) fn at_io_declaration(&mut self) -> bool {
        self.at_word("IO")
            && self.kind_at(1) == TokenKind::Name
            && self.kind_at(2) == TokenKind::LeftBrace
    }

    /// `IO Process { channels }`: inputs and outputs of a specification.
    fn io_declaration(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        let name = self.name("the name of a process")?;
        self.advance();
        self.skip_to_closing_brace();
        let what = "a declaration of inputs and outputs";
        Ok(Declaration::Unsupported {
            what,
            names: vec![name],
            span: self.span_from(start),
        })
    }

    fn extern_lattice(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        let name = self.name("the name of a lattice")?;
        self.expect_semicolon("after the declaration")?;
        Ok(Declaration::Extern(name, self.span_from(start)))
    }

    /// `lattice Name[dimension]… { fields; functions }`
    fn lattice(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        let name = self.name("the name of a lattice")?;
        let mut dimensions = Vec::new();
        while self.eat(TokenKind::LeftBracket) {
            dimensions.push(self.name("the name of a dimension")?);
            self.expect(TokenKind::RightBracket, "after the dimension")?;
        }
        self.expect(TokenKind::LeftBrace, "before the fields")?;
        let (mut fields, mut functions) = (Vec::new(), Vec::new());
        while !self.at(TokenKind::RightBrace) {
            if self.at(TokenKind::End) {
                return Err(self.expected("`}` after the lattice"));
            }
            if self.at_function() {
                let member = self.peek();
                let return_type = self.type_spec()?;
                functions.push(self.function(member, return_type)?);
            } else {
                self.fields(&mut fields)?;
            }
        }
        self.advance();
        self.eat(TokenKind::Semicolon);
        Ok(Declaration::Lattice(Lattice {
            name,
            dimensions,
            fields,
            functions,
            span: self.span_from(start),
        }))
    }

    /// Whether a `(` comes before the next `;`, `=` or `{`.
    fn at_function(&mut self) -> bool {
        const FARTHEST: usize = 64;
        for n in 0..FARTHEST {
            match self.kind_at(n) {
                TokenKind::LeftParen if n > 0 && self.kind_at(n - 1) == TokenKind::Name => {
                    return true;
                }
                TokenKind::Semicolon
                | TokenKind::Assign
                | TokenKind::LeftBrace
                | TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether a local declaration follows rather than a statement.
    pub(super) fn at_local_declaration(&mut self) -> bool {
        let kind = self.kind();
        kind.starts_type()
            || kind == TokenKind::Name
                && (self.kind_at(1) == TokenKind::Name && !self.at_word("assert")
                    || self.at_word("hybrid") && self.kind_at(1) == TokenKind::Clock)
    }

    /// A local declaration, broken where it cannot be read.
    pub(super) fn local_declaration(&mut self, block: &mut Block) {
        block.declarations.extend(self.recovering_declaration());
    }
}
