//! SMV trees to finite systems: modules are instantiated, names resolved, types checked,
//! assignments and processes turned into constraints and events.

mod assign;
mod circular;
mod expression;
mod formula;
mod instance;
mod operator;
mod resolve;
#[cfg(test)]
mod tests;
mod types;

use instance::Instance;
use merkhet_finite::{ExpressionId, Place, SymbolId, System, VariableId};
use merkhet_smv::tree::{Expression, Program, Specification};
use merkhet_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// How deep expressions may nest through definitions and parameters.
const MAX_DEPTH: u32 = 10_000;

/// Enough stack for [`MAX_DEPTH`] levels of plain recursion.
const STACK_BYTES: usize = 256 << 20;

/// After this many messages a broken model is given up.
const MAX_DIAGNOSTICS: usize = 100;

/// A model with its specifications, as far as they could be lowered.
pub struct LoweredSmv {
    /// The system, unless the model itself has an error; it holds the specifications.
    pub system: Option<System>,
    /// The specifications of the text, in its order.
    pub queries: Vec<SmvQuery>,
    /// Messages about the model; those about single specifications are with these.
    pub diagnostics: Vec<Diagnostic>,
}

/// A specification with what is known about it.
pub struct SmvQuery {
    /// Its number among [`System::specifications`]; `None` where it cannot be checked.
    pub specification: Option<usize>,
    /// The formula's text.
    pub text: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// Why it cannot be checked.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers a model with its specifications. A specification with an error is left out; the others can still be checked.
pub fn lower_smv(program: &Program) -> LoweredSmv {
    let lowered = with_stack(|| {
        let mut lowering = Lowering::new(program);
        if lowering.instances().is_ok() {
            lowering.constraints();
        }
        let diagnostics = std::mem::take(&mut lowering.diagnostics);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return LoweredSmv {
                system: None,
                queries: Vec::new(),
                diagnostics,
            };
        }
        let queries = lowering.specifications();
        LoweredSmv {
            system: Some(lowering.system),
            queries,
            diagnostics,
        }
    });
    lowered.unwrap_or_else(|diagnostic| LoweredSmv {
        system: None,
        queries: Vec::new(),
        diagnostics: vec![diagnostic],
    })
}

/// Lowers a further specification, to be read in `main`, and adds it to the system that was made from this program. The
/// constraints of the model are not lowered again.
pub fn lower_smv_query(
    program: &Program,
    system: &mut System,
    specification: &Specification,
) -> SmvQuery {
    let lowered = with_stack(|| {
        let mut lowering = Lowering::new(program);
        // It went well when the system was made. Numbers of variables and symbols depend on the program alone; those of
        // expressions do not.
        let instances = lowering.instances();
        lowering.definitions.clear();
        lowering.diagnostics.clear();
        std::mem::swap(&mut lowering.system, system);
        let query = match instances {
            Ok(()) => lowering.query(0, specification),
            Err(Broken) => SmvQuery::broken(specification, Vec::new()),
        };
        std::mem::swap(&mut lowering.system, system);
        query
    });
    lowered.unwrap_or_else(|diagnostic| SmvQuery::broken(specification, vec![diagnostic]))
}

impl SmvQuery {
    fn broken(specification: &Specification, diagnostics: Vec<Diagnostic>) -> SmvQuery {
        SmvQuery {
            specification: None,
            text: formula::text(&specification.formula),
            name: specification.name.as_ref().map(|name| name.text.clone()),
            span: specification.span,
            diagnostics,
        }
    }
}

/// Definitions may refer to definitions thousands deep: run where the stack suffices.
fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => {
                let message = format!("no thread for lowering: {error}");
                Err(Diagnostic::error("no-thread", message, nowhere()))
            }
        }
    })
}

fn nowhere() -> Span {
    Span::new(merkhet_syntax::FileId::MODEL, 0, 0)
}

/// A part could not be lowered; the reason has been reported.
struct Broken;

type Lower<T> = Result<T, Broken>;

/// The state of lowering one program.
struct Lowering<'t> {
    program: &'t Program,
    system: System,
    symbols: FxHashMap<&'t str, SymbolId>,
    instances: Vec<Instance<'t>>,
    /// Instances that are processes, by number; the first is `main`.
    processes: Vec<usize>,
    /// The input that selects the running process, if there is more than one.
    selector: Option<VariableId>,
    /// Definitions that have been lowered (or are being lowered: `None`).
    definitions: FxHashMap<(usize, *const Expression), Option<ExpressionId>>,
    depth: u32,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Lowering<'t> {
    fn new(program: &'t Program) -> Lowering<'t> {
        Lowering {
            program,
            system: System::default(),
            symbols: FxHashMap::default(),
            instances: Vec::new(),
            processes: Vec::new(),
            selector: None,
            definitions: FxHashMap::default(),
            depth: 0,
            diagnostics: Vec::new(),
        }
    }

    /// The tree of instances with everything that has a name.
    fn instances(&mut self) -> Lower<()> {
        self.collect_symbols();
        self.instantiate_main()?;
        self.declare_selector();
        self.place_definitions();
        Ok(())
    }

    fn place(&self, span: Span) -> Place {
        Place {
            line: self.program.line_of(span),
            start: span.start,
            end: span.end,
        }
    }

    fn fail<T>(&mut self, code: &'static str, message: impl Into<String>, span: Span) -> Lower<T> {
        self.report(Diagnostic::error(code, message, span));
        Err(Broken)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // The same line of a module is lowered once for each instance: say it once.
        if self.diagnostics.len() < MAX_DIAGNOSTICS && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Runs `lower` one level deeper, unless the nesting is too deep.
    fn nested<T>(&mut self, span: Span, lower: impl FnOnce(&mut Self) -> Lower<T>) -> Lower<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail("nested-too-deep", "definitions are nested too deeply", span);
        }
        self.depth += 1;
        let result = lower(self);
        self.depth -= 1;
        result
    }
}
