//! Taking back what a failed or trial lowering added.

use crate::lowerer::Lowerer;

/// How much there was.
pub struct Mark {
    functions: usize,
    local_cells: u32,
    locals: usize,
    constant_cells: usize,
    variables: usize,
    unrolled: u64,
    pure_calls: usize,
}

impl Lowerer<'_> {
    /// Remembers how much there is.
    pub fn mark(&self) -> Mark {
        Mark {
            functions: self.network.functions.len(),
            local_cells: self.network.local_cells,
            locals: self.network.locals.len(),
            constant_cells: self.network.constant_cells.len(),
            variables: self.network.variables.len(),
            unrolled: self.tables.unrolled,
            pure_calls: self.must_be_pure.len(),
        }
    }

    /// Removes functions, temporary cells and materialised constants added since; source positions stay.
    pub fn rollback(&mut self, mark: Mark) {
        self.queue.clear();
        self.must_be_pure.truncate(mark.pure_calls);
        self.network.functions.truncate(mark.functions);
        self.network.local_cells = mark.local_cells;
        self.network.locals.truncate(mark.locals);
        self.network.constant_cells.truncate(mark.constant_cells);
        self.network.variables.truncate(mark.variables);
        self.tables.variable_spans.truncate(mark.variables);
        self.tables.unrolled = mark.unrolled;
        self.tables
            .specialised
            .retain(|_, function| function.index() < mark.functions);
        for constant in &mut self.tables.constants {
            if constant
                .address
                .is_some_and(|at| at as usize >= mark.constant_cells)
            {
                constant.address = None;
            }
        }
    }
}
