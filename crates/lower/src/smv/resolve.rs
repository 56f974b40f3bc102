//! What paths such as `a.b[2].c` stand for.

use super::instance::{Member, join};
use super::{Broken, Lower, Lowering};
use merkhet_finite::{ExpressionId, SymbolId, Value, VariableId};
use merkhet_smv::tree::{Expression, ExpressionKind};
use merkhet_syntax::{Diagnostic, Span, nearest_name};

/// A definition that lists the elements of an array, as that array.
fn listed<'t>(member: Member<'t>) -> Member<'t> {
    match member {
        Member::Definition(scope, value) => match &value.kind {
            ExpressionKind::Array(elements) => {
                let elements = elements.iter();
                let elements = elements.map(|one| listed(Member::Definition(scope, one)));
                Member::Array(0, elements.collect())
            }
            _ => Member::Definition(scope, value),
        },
        other => other,
    }
}

/// What a path leads to.
pub(super) enum Place<'t> {
    Member(Member<'t>),
    Symbol(SymbolId),
    /// `running` of the process with this number.
    Running(usize),
    /// Something that is no path: an expression, to be read in an instance.
    Expression(usize, &'t Expression),
}

impl<'t> Lowering<'t> {
    pub(super) fn resolve(&mut self, scope: usize, path: &'t Expression) -> Lower<Place<'t>> {
        self.nested(path.span, |this| match &path.kind {
            ExpressionKind::Name(name) => match this.lookup(scope, name)? {
                Some(place) => Ok(place),
                None => this.unknown(scope, name, path.span),
            },
            ExpressionKind::SelfInstance => Ok(Place::Member(Member::Instance(scope))),
            ExpressionKind::Member(base, name) => {
                let instance = this.resolve_instance(scope, base)?;
                match this.lookup_member(instance, &name.text)? {
                    Some(place) => Ok(place),
                    None => this.unknown(instance, &name.text, name.span),
                }
            }
            ExpressionKind::Index(base, index) => this.resolve_index(scope, path, base, index),
            _ => Ok(Place::Expression(scope, path)),
        })
    }

    fn resolve_index(
        &mut self,
        scope: usize,
        path: &'t Expression,
        base: &'t Expression,
        index: &'t Expression,
    ) -> Lower<Place<'t>> {
        let Place::Member(Member::Array(low, elements)) = self.resolve(scope, base)? else {
            return self.fail("not-an-array", "only arrays have elements", base.span);
        };
        let id = self.expression(scope, index)?;
        let Some(Value::Integer(position)) = self.system.expressions.constant_of(id) else {
            return Ok(Place::Expression(scope, path)); // chosen by the state: see `element`
        };
        let offset = usize::try_from(position.saturating_sub(low)).ok();
        match offset.and_then(|offset| elements.get(offset)) {
            Some(member) => Ok(Place::Member(member.clone())),
            None => {
                let message = format!("index {position} is outside the array");
                self.fail("bad-index", message, index.span)
            }
        }
    }

    pub(super) fn resolve_instance(&mut self, scope: usize, path: &'t Expression) -> Lower<usize> {
        match self.resolve(scope, path)? {
            Place::Member(Member::Instance(instance)) => Ok(instance),
            _ => self.fail(
                "not-an-instance",
                "only module instances have members",
                path.span,
            ),
        }
    }

    pub(super) fn resolve_variable(
        &mut self,
        scope: usize,
        path: &'t Expression,
    ) -> Lower<VariableId> {
        match self.resolve(scope, path)? {
            Place::Member(Member::Variable(id)) => Ok(id),
            _ => self.fail(
                "not-a-variable",
                "only variables can be assigned",
                path.span,
            ),
        }
    }

    fn lookup(&mut self, scope: usize, name: &'t str) -> Lower<Option<Place<'t>>> {
        if let Some(place) = self.lookup_member(scope, name)? {
            return Ok(Some(place));
        }
        Ok(self.symbols.get(name).copied().map(Place::Symbol))
    }

    fn lookup_member(&mut self, instance: usize, name: &'t str) -> Lower<Option<Place<'t>>> {
        let target = &self.instances[instance];
        if let Some(&(scope, argument)) = target.arguments.get(name) {
            return self.resolve(scope, argument).map(Some);
        }
        if let Some(member) = target.members.get(name) {
            return Ok(Some(Place::Member(listed(member.clone()))));
        }
        Ok((name == "running").then_some(Place::Running(target.process)))
    }

    fn unknown<T>(&mut self, scope: usize, name: &str, span: Span) -> Lower<T> {
        let instance = &self.instances[scope];
        let mut names: Vec<&str> = Vec::new();
        names.extend(instance.members.keys());
        names.extend(instance.arguments.keys());
        names.extend(self.symbols.keys());
        names.sort_unstable(); // hash maps have no order of their own
        let message = format!("unknown name `{}`", join(&instance.path, name));
        let diagnostic = Diagnostic::error("unknown-name", message, span)
            .with_suggestion(nearest_name(name, names));
        self.report(diagnostic);
        Err(Broken)
    }

    /// The value that a path leads to.
    pub(super) fn path(&mut self, scope: usize, path: &'t Expression) -> Lower<ExpressionId> {
        match self.resolve(scope, path)? {
            Place::Member(member) => self.member_value(member, path.span),
            Place::Symbol(symbol) => Ok(self.system.expressions.constant(Value::Symbol(symbol))),
            Place::Running(process) => Ok(self.running(process)),
            Place::Expression(scope, expression) => match &expression.kind {
                ExpressionKind::Index(base, index) => self.element(scope, base, index),
                _ => self.expression(scope, expression),
            },
        }
    }

    fn member_value(&mut self, member: Member<'t>, span: Span) -> Lower<ExpressionId> {
        match member {
            Member::Variable(id) => Ok(self.variable(id, false)),
            Member::Definition(scope, value) => self.definition(scope, value),
            Member::Instance(_) => self.fail("no-value", "a module instance has no value", span),
            Member::Array(..) => self.fail("no-value", "a whole array has no value here", span),
        }
    }

    pub(super) fn variable(&mut self, id: VariableId, next: bool) -> ExpressionId {
        let variable = &self.system.variables[id.index()];
        self.system.expressions.variable(id, variable, next)
    }

    /// `running`: the selector chose this process. Without processes, `main` always runs.
    fn running(&mut self, process: usize) -> ExpressionId {
        let Some(selector) = self.selector else {
            return self.system.expressions.boolean(true);
        };
        let chosen = self.system.variable(selector).domain.value(process as u64);
        let left = self.variable(selector, false);
        match chosen {
            Some(value) => {
                let right = self.system.expressions.constant(value);
                self.system.expressions.equal(left, right)
            }
            None => self.system.expressions.boolean(false),
        }
    }

    fn definition(&mut self, scope: usize, value: &'t Expression) -> Lower<ExpressionId> {
        let key = (scope, std::ptr::from_ref(value));
        match self.definitions.get(&key) {
            Some(Some(id)) => return Ok(*id),
            Some(None) => {
                return self.fail(
                    "endless-definition",
                    "the definition needs itself",
                    value.span,
                );
            }
            None => {}
        }
        self.definitions.insert(key, None);
        let result = self.nested(value.span, |this| this.expression(scope, value));
        match result {
            Ok(id) => self.definitions.insert(key, Some(id)),
            Err(_) => self.definitions.remove(&key),
        };
        result
    }

    /// An element whose index depends on the state: a case over all indices.
    fn element(
        &mut self,
        scope: usize,
        base: &'t Expression,
        index: &'t Expression,
    ) -> Lower<ExpressionId> {
        let Place::Member(Member::Array(low, elements)) = self.resolve(scope, base)? else {
            return self.fail("not-an-array", "only arrays have elements", base.span);
        };
        let position = self.expression(scope, index)?;
        let mut branches = Vec::new();
        for (offset, member) in elements.into_iter().enumerate() {
            let value = self.member_value(member, base.span)?;
            let number = Value::Integer(low + offset as i64);
            let number = self.system.expressions.constant(number);
            branches.push((self.system.expressions.equal(position, number), value));
        }
        match branches.is_empty() {
            false => {
                let (conditions, values) = branches.into_iter().unzip();
                self.cases(conditions, values, base.span)
            }
            true => self.fail("bad-index", "the array is empty", base.span),
        }
    }
}
