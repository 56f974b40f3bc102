//! Queries over a lowered model.

use crate::data::types::Type;
use crate::data::value::{ClockTerm, Value};
use crate::naming::scope::{Env, Purpose};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use crate::run::tables::Tables;
use merkhet_network::{
    self as net, ClockId, Expr as NetExpr, Extremum, Formula, Measure, QueryKind,
};
use merkhet_syntax::Span;
use merkhet_syntax::tree::{self, Expr};

impl Lowerer<'_> {
    /// A query.
    pub fn query(&mut self, query: &tree::Query) -> Lower<net::Query> {
        use tree::QueryKind as Written;
        let kind = match &query.kind {
            Written::Possibly(p) => QueryKind::Possibly(self.state_formula(p)?),
            Written::Invariantly(p) => QueryKind::Invariantly(self.state_formula(p)?),
            Written::PotentiallyAlways(p) => QueryKind::PotentiallyAlways(self.state_formula(p)?),
            Written::Eventually(p) => QueryKind::Eventually(self.state_formula(p)?),
            Written::LeadsTo(p, q) => {
                let (p, q) = (self.state_formula(p), self.state_formula(q));
                QueryKind::LeadsTo(p?, q?)
            }
            Written::Supremum(measure) => self.bounds(Extremum::Supremum, measure)?,
            Written::Infimum(measure) => self.bounds(Extremum::Infimum, measure)?,
            Written::Bounds(measure) => self.bounds(Extremum::Both, measure)?,
            Written::Empty => {
                return self.error("empty-query", "this query has no formula", query.span);
            }
            Written::Unsupported { what } => return self.unsupported(what, query.span),
            // The reader has said what is wrong with it.
            Written::Broken => return Err(Reported),
        };
        self.drain();
        self.check_purity();
        if self.report.has_errors() {
            return Err(Reported);
        }
        Ok(net::Query {
            text: query.text.clone(),
            comment: query.comment.clone().unwrap_or_default(),
            kind,
            site: self.site(query.span),
        })
    }

    fn state_formula(&mut self, expr: &Expr) -> Lower<Formula> {
        let mut env = Env::new(Tables::SYSTEM, Purpose::Query);
        let value = self.expression(&mut env, expr)?;
        let form = self.as_form(value, expr.span)?;
        self.formula(form, expr.span)
    }

    fn bounds(&mut self, extremum: Extremum, measure: &tree::Measure) -> Lower<QueryKind> {
        let predicate = match &measure.predicate {
            Some(predicate) => self.state_formula(predicate)?,
            None => Formula::And(Vec::new()),
        };
        let mut measures = Vec::new();
        for expr in &measure.expressions {
            let text = self.sources.text(expr.span).unwrap_or_default();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            measures.push((self.measure(expr)?, text));
        }
        Ok(QueryKind::Bounds {
            extremum,
            predicate,
            measures,
        })
    }

    fn measure(&mut self, expr: &Expr) -> Lower<Measure> {
        let mut env = Env::new(Tables::SYSTEM, Purpose::Query);
        let term = match self.expression(&mut env, expr)? {
            Value::Object(object) if object.ty == Type::Clock => ClockTerm {
                plus: Some(object),
                minus: None,
                offset: NetExpr::Const(0),
            },
            Value::Clock(term) => term,
            other => return Ok(Measure::Data(self.as_data(other, expr.span)?.0)),
        };
        if term.offset.as_const() != Some(0) {
            return self.error(
                "clock",
                "a clock or the difference of two clocks is measured without adding to it",
                expr.span,
            );
        }
        let left = self.measured_clock(term.plus, expr.span)?;
        let right = self.measured_clock(term.minus, expr.span)?;
        Ok(Measure::Clock { left, right })
    }

    fn measured_clock(
        &mut self,
        clock: Option<crate::data::object::Object>,
        span: Span,
    ) -> Lower<Option<ClockId>> {
        match clock {
            Some(object) if !object.indices.is_empty() => self.error(
                "not-constant",
                "the index of a measured clock must be known",
                span,
            ),
            Some(object) if self.tables.hybrid.contains(&object.clock) => {
                self.unsupported("a clock with rates other than 0 and 1", span)
            }
            other => Ok(other.map(|object| ClockId(object.clock))),
        }
    }
}
