//! Lattices written in Python: order and join are calls, and what goes wrong in them ends the search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use merkhet::lattice::{External, Native, NativeOrder};
use pyo3::prelude::*;

/// What went wrong in code of Python that a search called, and the searches to be ended then.
#[derive(Default)]
pub struct Trouble {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    raised: Option<PyErr>,
    running: Vec<Arc<AtomicBool>>,
}

impl Trouble {
    fn state(&self) -> MutexGuard<'_, State> {
        match self.state.lock() {
            Ok(state) => state,
            Err(poisoned) => poisoned.into_inner(),
        }
    }

    /// A search begins: it is cancelled if something is raised.
    pub fn begin(&self, cancel: &Arc<AtomicBool>) {
        self.state().running.push(Arc::clone(cancel));
    }

    /// The search has ended; what was raised meanwhile.
    pub fn end(&self, cancel: &Arc<AtomicBool>) -> Option<PyErr> {
        let mut state = self.state();
        state.running.retain(|other| !Arc::ptr_eq(other, cancel));
        state.raised.take()
    }

    /// Keeps the first exception and ends what runs.
    pub fn raise(&self, error: PyErr) {
        let mut state = self.state();
        state.raised.get_or_insert(error);
        for cancel in &state.running {
            cancel.store(true, Ordering::SeqCst);
        }
    }
}

/// An order whose `leq` and `join` are methods of a Python object, of lists of numbers.
struct Order {
    object: Py<PyAny>,
    trouble: Arc<Trouble>,
}

impl NativeOrder for Order {
    fn leq(&self, left: &[i32], right: &[i32]) -> bool {
        let asked = Python::attach(|py| -> PyResult<bool> {
            let answer = self.object.call_method1(py, "leq", (left, right))?;
            answer.bind(py).is_truthy()
        });
        asked.unwrap_or_else(|error| {
            self.trouble.raise(error);
            false
        })
    }

    fn join(&self, left: &mut [i32], right: &[i32]) {
        let asked = Python::attach(|py| -> PyResult<Vec<i32>> {
            let joined = self.object.call_method1(py, "join", (&*left, right))?;
            joined.extract(py)
        });
        match asked {
            Ok(joined) if joined.len() == left.len() => left.copy_from_slice(&joined),
            Ok(joined) => self
                .trouble
                .raise(pyo3::exceptions::PyValueError::new_err(format!(
                    "join gave {} cells, and elements have {}",
                    joined.len(),
                    left.len()
                ))),
            Err(error) => self.trouble.raise(error),
        }
    }
}

/// The lattices that a model may import: each a declaration, and what compares and joins where the declaration does not say.
pub fn externals(given: Vec<(String, Option<Py<PyAny>>)>, trouble: &Arc<Trouble>) -> Vec<External> {
    let order = |object| -> Native {
        let trouble = Arc::clone(trouble);
        Native(Arc::new(Order { object, trouble }))
    };
    (given.into_iter())
        .map(|(declaration, object)| External {
            declaration,
            order: object.map(order),
        })
        .collect()
}
