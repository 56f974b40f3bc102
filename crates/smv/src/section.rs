//! Modules and their sections.

use super::parser::{Parser, Read};
use super::token::{Keyword, TokenKind};
use super::tree::*;
use merkhet_syntax::{Diagnostic, Span};

impl Parser<'_> {
    /// The whole file.
    pub(super) fn program(mut self) -> (Program, Vec<Diagnostic>) {
        let mut program = Program::default();
        while !self.at_end() && !self.hopeless() {
            if !self.at_keyword(Keyword::Module) {
                let _ = self.fail_expected::<()>("`MODULE`");
                while !self.at_end() && !self.at_keyword(Keyword::Module) {
                    self.advance();
                }
                continue;
            }
            self.advance();
            match self.module_head() {
                Ok((name, parameters)) => {
                    let items = self.module_items();
                    program.modules.push(Module {
                        name,
                        parameters,
                        items,
                    });
                }
                Err(_) => self.skip_line(),
            }
        }
        (program, self.diagnostics)
    }

    fn module_head(&mut self) -> Read<(Name, Vec<Name>)> {
        let name = self.expect_name()?;
        let mut parameters = Vec::new();
        if self.eat_symbol("(") && !self.eat_symbol(")") {
            loop {
                parameters.push(self.expect_name()?);
                if !self.eat_symbol(",") {
                    break;
                }
            }
            self.expect_symbol(")")?;
        }
        Ok((name, parameters))
    }

    fn module_items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.hopeless() {
            let TokenKind::Keyword(keyword) = self.peek().kind else {
                if self.at_end() {
                    break;
                }
                let _ = self.fail_expected::<()>("a section such as `VAR`, `ASSIGN` or `SPEC`");
                self.skip_line();
                continue;
            };
            if keyword == Keyword::Module {
                break;
            }
            if !keyword.opens_section() {
                let _ = self.fail_expected::<()>("a section such as `VAR`, `ASSIGN` or `SPEC`");
                self.skip_line();
                continue;
            }
            self.advance();
            self.section(keyword, &mut items);
        }
        items
    }

    fn section(&mut self, keyword: Keyword, items: &mut Vec<Item>) {
        use Keyword::*;
        match keyword {
            Var => self.lines(items, |p| p.variable(VariableKind::State)),
            Ivar => self.lines(items, |p| p.variable(VariableKind::Input)),
            FrozenVar => self.lines(items, |p| p.variable(VariableKind::Frozen)),
            Define => self.lines(items, Parser::define),
            Assign => self.lines(items, Parser::assign),
            _ => match self.single(keyword) {
                Ok(item) => items.push(item),
                Err(_) => self.skip_line(),
            },
        }
    }

    /// The lines of a section, up to the next section.
    fn lines(&mut self, items: &mut Vec<Item>, read: fn(&mut Self) -> Read<Item>) {
        loop {
            match self.peek().kind {
                TokenKind::End => return,
                TokenKind::Keyword(keyword) if keyword.opens_section() => return,
                _ if self.hopeless() => return,
                _ => {}
            }
            match read(self) {
                Ok(item) => items.push(item),
                Err(_) => self.skip_line(),
            }
        }
    }

    /// A section that holds one thing.
    fn single(&mut self, keyword: Keyword) -> Read<Item> {
        use Keyword::*;
        let item = match keyword {
            Init => self.constraint(ConstraintKind::Init)?,
            Trans => self.constraint(ConstraintKind::Trans)?,
            Invar => self.constraint(ConstraintKind::Invar)?,
            Fairness | Justice => Item::Justice(self.expression()?),
            Compassion => {
                self.expect_symbol("(")?;
                let premise = self.expression()?;
                self.expect_symbol(",")?;
                let conclusion = self.expression()?;
                self.expect_symbol(")")?;
                Item::Compassion(premise, conclusion)
            }
            Pred => {
                self.expression()?;
                Item::Ignored
            }
            Mirror => {
                self.postfix_expression()?;
                Item::Ignored
            }
            Isa => Item::Isa(self.expect_name()?),
            Constants => Item::Constants(self.constants()?),
            Spec | CtlSpec => self.specification(SpecificationKind::Ctl),
            InvarSpec => self.specification(SpecificationKind::Invariant),
            LtlSpec => self.specification(SpecificationKind::Ltl),
            Keyword::Compute => self.specification(SpecificationKind::Compute),
            PslSpec => {
                let start = self.peek().span;
                let message = "PSL is not supported";
                let reason = Diagnostic::error("unsupported", message, start);
                self.unread(start, vec![reason])
            }
            _ => {
                let message = format!("`{}` sections are not supported", keyword.text());
                let span = self.peek().span;
                return self.fail("unsupported-section", message, span);
            }
        };
        self.eat_symbol(";");
        Ok(item)
    }

    fn constraint(&mut self, kind: ConstraintKind) -> Read<Item> {
        Ok(Item::Constraint {
            kind,
            value: self.expression()?,
        })
    }

    fn constants(&mut self) -> Read<Vec<Name>> {
        let mut names = vec![self.expect_name()?];
        while self.eat_symbol(",") {
            names.push(self.expect_name()?);
        }
        Ok(names)
    }

    /// A specification; one that cannot be read keeps its messages to itself.
    fn specification(&mut self, kind: SpecificationKind) -> Item {
        let (start, before) = (self.peek().span, self.diagnostics.len());
        match self.named_specification(kind) {
            Ok(item) => item,
            Err(_) => {
                let reasons = self.diagnostics.split_off(before);
                self.unread(start, reasons)
            }
        }
    }

    /// The text up to the end of the line or the next section.
    fn unread(&mut self, start: Span, diagnostics: Vec<Diagnostic>) -> Item {
        self.skip_line();
        let span = Span::new(start.file, start.start, self.last_span().end.max(start.end));
        let text = self.text_of(span).trim_end_matches(';').trim().to_owned();
        Item::Unread(Unread {
            text,
            span,
            diagnostics,
        })
    }

    fn named_specification(&mut self, kind: SpecificationKind) -> Read<Item> {
        let mut name = None;
        if self.eat_keyword(Keyword::Name) {
            name = Some(self.expect_name()?);
            self.expect_symbol(":=")?;
        }
        self.specification_body(kind, name).map(Item::Specification)
    }

    fn specification_body(
        &mut self,
        kind: SpecificationKind,
        name: Option<Name>,
    ) -> Read<Specification> {
        let formula = self.expression()?;
        let mut context = None;
        if self.eat_keyword(Keyword::InContext) {
            context = Some(self.postfix_expression()?);
        }
        let span = formula.span;
        Ok(Specification {
            kind,
            name,
            formula,
            context,
            span,
        })
    }

    /// A formula alone.
    pub(super) fn single_specification(
        mut self,
        kind: SpecificationKind,
    ) -> Result<Specification, Vec<Diagnostic>> {
        let result = self.specification_body(kind, None);
        self.eat_symbol(";");
        if result.is_ok() && !self.at_end() {
            let _ = self.fail_expected::<()>("the end of the formula");
        }
        match result {
            Ok(specification) if self.diagnostics.is_empty() => Ok(specification),
            _ => Err(self.diagnostics),
        }
    }

    fn define(&mut self) -> Read<Item> {
        let target = self.postfix_expression()?;
        self.expect_symbol(":=")?;
        let value = self.expression()?;
        self.expect_symbol(";")?;
        Ok(Item::Define { target, value })
    }

    fn assign(&mut self) -> Read<Item> {
        let kind = match self.peek().kind {
            TokenKind::Keyword(Keyword::SmallInit) => AssignKind::Init,
            TokenKind::Keyword(Keyword::Next) => AssignKind::Next,
            _ => AssignKind::Current,
        };
        let target = if kind == AssignKind::Current {
            self.postfix_expression()?
        } else {
            self.advance();
            self.expect_symbol("(")?;
            let target = self.postfix_expression()?;
            self.expect_symbol(")")?;
            target
        };
        self.expect_symbol(":=")?;
        let value = self.expression()?;
        self.expect_symbol(";")?;
        Ok(Item::Assign {
            kind,
            target,
            value,
        })
    }

    fn variable(&mut self, kind: VariableKind) -> Read<Item> {
        let name = self.expect_name()?;
        self.expect_symbol(":")?;
        let ty = self.ty()?;
        self.expect_symbol(";")?;
        Ok(Item::Variable { kind, name, ty })
    }

    fn ty(&mut self) -> Read<Type> {
        self.nested(|parser| {
            let start = parser.peek().span;
            let kind = parser.type_kind()?;
            let span = start.to(parser.last_span());
            Ok(Type { kind, span })
        })
    }

    fn type_kind(&mut self) -> Read<TypeKind> {
        let token = self.peek();
        match token.kind {
            TokenKind::Keyword(Keyword::Boolean) => {
                self.advance();
                Ok(TypeKind::Boolean)
            }
            TokenKind::Keyword(Keyword::Array) => self.array_type(),
            TokenKind::Keyword(Keyword::Process) => {
                self.advance();
                self.instance_type(true)
            }
            TokenKind::Keyword(Keyword::Signed | Keyword::Unsigned | Keyword::WordType) => {
                let signed = self.eat_keyword(Keyword::Signed);
                self.eat_keyword(Keyword::Unsigned);
                self.expect_keyword(Keyword::WordType)?;
                self.expect_symbol("[")?;
                let width = self.expression()?;
                self.expect_symbol("]")?;
                Ok(TypeKind::Word { signed, width })
            }
            TokenKind::Keyword(Keyword::Integer | Keyword::Real) => {
                let message = format!("`{}` variables are infinite", self.text_of(token.span));
                self.fail("infinite-type", message, token.span)
            }
            TokenKind::Symbol("{") => {
                self.advance();
                Ok(TypeKind::Enumeration(self.expressions("}")?))
            }
            TokenKind::Identifier
                if matches!(self.peek_at(1).kind, TokenKind::Symbol("(" | ";")) =>
            {
                self.instance_type(false)
            }
            _ => {
                let low = self.bound()?;
                self.expect_symbol("..")?;
                let high = self.bound()?;
                Ok(TypeKind::Range(low, high))
            }
        }
    }

    fn array_type(&mut self) -> Read<TypeKind> {
        self.advance();
        let low = self.bound()?;
        self.expect_symbol("..")?;
        let high = self.bound()?;
        self.expect_keyword(Keyword::Of)?;
        let element = Box::new(self.ty()?);
        Ok(TypeKind::Array { low, high, element })
    }

    fn instance_type(&mut self, process: bool) -> Read<TypeKind> {
        let module = self.expect_name()?;
        let arguments = if self.eat_symbol("(") {
            self.expressions(")")?
        } else {
            Vec::new()
        };
        Ok(TypeKind::Instance {
            process,
            module,
            arguments,
        })
    }

    /// Expressions separated by commas, up to the closing bracket.
    pub(super) fn expressions(&mut self, close: &str) -> Read<Vec<Expression>> {
        let mut expressions = Vec::new();
        if self.eat_symbol(close) {
            return Ok(expressions);
        }
        loop {
            expressions.push(self.expression()?);
            if !self.eat_symbol(",") {
                break;
            }
        }
        self.expect_symbol(close)?;
        Ok(expressions)
    }
}
