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
use merkhet_finite::{ExpressionId, SymbolId, System, VariableId};
use merkhet_smv::tree::{Expression, Program, Specification};
use merkhet_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// How deep expressions may nest through definitions and parameters.
const MAX_DEPTH: u32 = 10_000;

/// Enough stack for [`MAX_DEPTH`] levels of plain recursion.
const STACK_BYTES: usize = 256 << 20;

/// After this many messages a broken model is given up.
const MAX_DIAGNOSTICS: usize = 100;

/// Lowers a model. `queries` replace the specifications of the text if they are given.
///
/// The system is `Some` if no diagnostic is an error.
pub fn lower_smv(
    program: &Program,
    queries: Option<&[Specification]>,
) -> (Option<System>, Vec<Diagnostic>) {
    // Definitions may refer to definitions thousands deep: run where the stack suffices.
    std::thread::scope(|scope| {
        let work = move || Lowering::new(program).run(queries);
        let thread = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => {
                let message = format!("no thread for lowering: {error}");
                (
                    None,
                    vec![Diagnostic::error("no-thread", message, nowhere())],
                )
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

    fn run(mut self, queries: Option<&'t [Specification]>) -> (Option<System>, Vec<Diagnostic>) {
        self.collect_symbols();
        if self.instantiate_main().is_ok() {
            self.declare_selector();
            self.place_definitions();
            self.constraints();
            self.specifications(queries);
        }
        let broken = self.diagnostics.iter().any(Diagnostic::is_error);
        ((!broken).then_some(self.system), self.diagnostics)
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
