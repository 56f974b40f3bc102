//! Following a part of a run from a state that it was not made for.

use merkhet_network::code::Fault;

use super::{Purse, Shortener, TAKEN};
use crate::state::{Fired, State};
use crate::time::{Moment, Window};

/// What of the run is tried from the present state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rest {
    /// The transitions before the present state.
    pub from: usize,
    /// The transition to begin with.
    pub next: usize,
    /// How much earlier each is to be taken.
    pub earlier: Moment,
    /// Whether one that is not possible ends it; else it is left out, too.
    pub strict: bool,
}

impl Shortener<'_> {
    /// Follows the whole run; it ends where the goal holds first. `false` if that is nowhere.
    pub(super) fn reproduce(&mut self) -> bool {
        self.here.become_copy(&self.start);
        self.trial.become_copy(&self.start);
        let most = self.best.len();
        let whole = Rest {
            from: 0,
            next: 0,
            earlier: 0,
            strict: true,
        };
        let mut never = || false;
        let mut purse = Purse {
            left: u64::MAX,
            stop: &mut never,
        };
        if let Ok(Some(until)) = self.trial.reached() {
            self.best.clear();
            self.until = until;
            return true;
        }
        self.rest(whole, most, &|_| false, &mut purse)
    }

    /// Follows a part of the run; where that reaches the goal with fewer transitions it becomes the run.
    pub(super) fn attempt(
        &mut self,
        rest: Rest,
        leave_out: &dyn Fn(&[u32]) -> bool,
        purse: &mut Purse<'_>,
    ) -> bool {
        if !self.pay(purse, self.copying) {
            return false;
        }
        self.trial.become_copy(&self.here);
        self.rest(rest, self.best.len() - 1, leave_out, purse)
    }

    /// Follows a part of the run from `trial`, to at most this number of transitions in all.
    fn rest(
        &mut self,
        rest: Rest,
        most: usize,
        leave_out: &dyn Fn(&[u32]) -> bool,
        purse: &mut Purse<'_>,
    ) -> bool {
        self.tried.clear();
        for index in rest.next..self.best.len() {
            if rest.from + self.tried.len() >= most || !self.pay(purse, 1) {
                return false;
            }
            let (edges, at) = self.best.step(index);
            if leave_out(edges) {
                continue;
            }
            self.wanted.clear();
            self.wanted.extend_from_slice(edges);
            match self.take(at - rest.earlier) {
                Ok(true) if self.pay(purse, TAKEN) => {}
                Ok(true) => return false,
                Ok(false) if rest.strict => return false,
                Ok(false) => continue,
                Err(_) => return false,
            }
            match self.trial.reached() {
                Ok(Some(until)) => {
                    self.accept(rest.from, until);
                    return true;
                }
                Ok(None) => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// What was tried replaces the run from a transition on.
    pub(super) fn accept(&mut self, from: usize, until: Moment) {
        self.best.truncate(from);
        for index in 0..self.tried.len() {
            let (edges, at) = self.tried.step(index);
            self.best.push(edges, at);
        }
        self.until = until;
    }

    /// Takes the wanted transition in `trial`, as near as possible to a moment; says whether it is possible.
    fn take(&mut self, near: Moment) -> Result<bool, Fault> {
        let ahead = self.trial.ahead()?;
        let state = &mut self.trial;
        let (choices, edges) = (&mut self.choices, &mut self.edges);
        let Some(guards) = state.resolve_as(&self.wanted, ahead, near, choices, edges)? else {
            return Ok(false);
        };
        let Fired::Within(entry) = state.fire(edges)? else {
            return Ok(false);
        };
        let mut window = guards.and(entry);
        if self.model.has_priorities {
            state.take_back();
            window = undisturbed(state, edges, window, near)?;
            if let Fired::Never = state.fire(edges)? {
                return Ok(false);
            }
        }
        let ticks = window.ticks();
        if ticks.is_empty() {
            state.take_back();
            return Ok(false);
        }
        let at = ticks.nearest(near + (near & 1));
        state.take(edges, at)?;
        self.tried.push(edges, at);
        Ok(true)
    }

    /// Goes on by one transition of the run, which was possible when it was made.
    pub(super) fn advance(&mut self, index: usize) -> bool {
        let (edges, at) = self.best.step(index);
        let fired = self.here.fire(edges);
        matches!(fired, Ok(Fired::Within(_))) && self.here.take(edges, at).is_ok()
    }
}

/// The part of a window, without those in which something of higher priority is possible, that is nearest to a moment.
fn undisturbed(
    state: &mut State<'_>,
    edges: &[u32],
    window: Window,
    near: Moment,
) -> Result<Window, Fault> {
    if window.is_empty() {
        return Ok(window);
    }
    let mut parts = vec![window];
    state.yield_to_higher(state.priority(edges), window, &mut parts)?;
    let ticks = parts.into_iter().map(Window::ticks);
    let parts = ticks.filter(|ticks| !ticks.is_empty());
    let nearest = parts.min_by_key(|part| part.nearest(near).abs_diff(near));
    Ok(nearest.unwrap_or(Window::EMPTY))
}
