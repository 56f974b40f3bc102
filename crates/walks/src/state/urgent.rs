//! Urgent channels: time passes until the first moment at which a synchronisation over one is possible.

use merkhet_network::code::Fault;

use crate::state::State;
use crate::time::{Moment, NEVER, Window};

impl State<'_> {
    /// The last moment that urgent channels permit. What the invariants of the targets say does not count.
    pub(super) fn urgent_limit(&mut self) -> Result<Moment, Fault> {
        let mut limit = NEVER;
        for index in 0..self.urgent.len() {
            let channel = self.urgent[index] as usize;
            let broadcast = self.model.channels[channel].broadcast;
            for sender in 0..self.senders[channel].len() {
                let sender = self.senders[channel][sender];
                let window = self.guard(sender)?;
                if broadcast {
                    limit = limit.min(self.hurry(window));
                } else if !window.is_empty() {
                    limit = limit.min(self.binary_limit(channel, sender, window)?);
                }
                if limit <= self.now {
                    return Ok(self.now);
                }
            }
        }
        Ok(limit)
    }

    fn binary_limit(
        &mut self,
        channel: usize,
        sender: u32,
        window: Window,
    ) -> Result<Moment, Fault> {
        let mut limit = NEVER;
        let process = self.model.edges[sender as usize].process;
        for receiver in 0..self.receivers[channel].len() {
            let receiver = self.receivers[channel][receiver];
            if self.model.edges[receiver as usize].process != process {
                let both = window.and(self.guard(receiver)?);
                limit = limit.min(self.hurry(both));
                if limit <= self.now {
                    break;
                }
            }
        }
        Ok(limit)
    }

    /// How long time may pass where something urgent is possible within a window. A window that begins strictly after a tick
    /// cannot be entered: at each of its moments it has been possible before.
    fn hurry(&self, window: Window) -> Moment {
        if window.is_empty() || window.high < self.now {
            return NEVER;
        }
        (window.low & !1).max(self.now)
    }
}
