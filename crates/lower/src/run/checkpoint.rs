//! Taking back what a failed or trial lowering added.

use crate::run::lowerer::Lowerer;

/// How much there was.
pub struct Mark {
    functions: usize,
    local_cells: u32,
    locals: usize,
    constant_cells: usize,
    state_cells: usize,
    meta_cells: usize,
    variables: usize,
    lattice_variables: usize,
    clocks: usize,
    channels: usize,
    processes: usize,
    materialised: usize,
    unrolled: u64,
    pure_calls: usize,
    odd_rates: usize,
}

impl Lowerer<'_> {
    /// Remembers how much there is.
    pub fn mark(&self) -> Mark {
        Mark {
            functions: self.network.functions.len(),
            local_cells: self.network.local_cells,
            locals: self.network.locals.len(),
            constant_cells: self.network.constant_cells.len(),
            state_cells: self.network.state_cells.len(),
            meta_cells: self.network.meta_cells.len(),
            variables: self.network.variables.len(),
            lattice_variables: self.network.lattice_variables.len(),
            clocks: self.network.clocks.len(),
            channels: self.network.channels.len(),
            processes: self.network.processes.len(),
            materialised: self.tables.materialised.len(),
            unrolled: self.tables.unrolled,
            pure_calls: self.must_be_pure.len(),
            odd_rates: self.odd_rates.len(),
        }
    }

    /// Removes what was added to the network since; source positions and scopes stay.
    pub fn rollback(&mut self, mark: Mark) {
        self.queue.clear();
        self.must_be_pure.truncate(mark.pure_calls);
        self.odd_rates.truncate(mark.odd_rates);
        let network = &mut self.network;
        network.functions.truncate(mark.functions);
        network.local_cells = mark.local_cells;
        network.locals.truncate(mark.locals);
        network.constant_cells.truncate(mark.constant_cells);
        network.state_cells.truncate(mark.state_cells);
        network.meta_cells.truncate(mark.meta_cells);
        network.variables.truncate(mark.variables);
        network.lattice_variables.truncate(mark.lattice_variables);
        network.clocks.truncate(mark.clocks);
        network.channels.truncate(mark.channels);
        network.processes.truncate(mark.processes);
        let tables = &mut self.tables;
        tables.variable_spans.truncate(mark.variables);
        tables.clock_spans.truncate(mark.clocks);
        tables.channel_spans.truncate(mark.channels);
        tables.processes.truncate(mark.processes);
        tables.unrolled = mark.unrolled;
        for key in tables.specialised_order.drain(mark.functions..) {
            if let Some(declared) = tables.functions.get_mut(key.0 as usize) {
                declared.specialisations -= 1;
            }
            tables.specialised.remove(&key);
        }
        for id in tables.materialised.drain(mark.materialised..) {
            if let Some(constant) = tables.constants.get_mut(id as usize) {
                constant.address = None;
            }
        }
    }
}
