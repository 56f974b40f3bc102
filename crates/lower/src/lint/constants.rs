//! Guards that are constant.

use super::facts::Facts;
use merkhet_syntax::Diagnostic;
use merkhet_syntax::tree::ExprKind;

/// Guards that are always true or always false in every copy of their edge.
pub fn constant_guard(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let known = &facts.lowered.tables.constant_guards;
    for template in &facts.model.templates {
        for label in template.edges.iter().filter_map(|edge| edge.guard.as_ref()) {
            // `true` or `0` is what the author wants.
            let literal = matches!(label.value.kind, ExprKind::Bool(_) | ExprKind::Int(_));
            if let Some(Some(value)) = known.get(&label.span)
                && !literal
            {
                let message = format!("this guard is always {value}");
                out.push(Diagnostic::warning(
                    "constant-guard",
                    message,
                    label.value.span,
                ));
            }
        }
    }
}
