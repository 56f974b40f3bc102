//! Which edges the data permit: kept in lists, and mended.

use merkhet_network::LocationKind;
use merkhet_network::code::{Fault, FaultKind};

use crate::model::{SyncCode, span};
use crate::state::{ABSENT, State};
use crate::time::{Moment, NEVER};

impl State<'_> {
    /// A process is at a location that it was not at: its edges come into the lists. Deadlines are settled later.
    pub(super) fn arrive(&mut self, process: u32) -> Result<(), Fault> {
        let model = self.model;
        let (_, location) = model.location(process, &self.machine.memory);
        if location.kind != LocationKind::Normal {
            self.frozen += 1;
            if location.kind == LocationKind::Committed {
                self.committed_at[process as usize] = self.committed.len() as u32;
                self.committed.push(process);
            }
        }
        for rate in location.rates.0..location.rates.1 {
            self.settle_rate(rate)?;
        }
        for edge in span(&model.lists, location.kept) {
            if self.permits(model.edges[*edge as usize].data)? {
                self.insert(*edge);
            }
        }
        Ok(())
    }

    /// A process has left a location.
    pub(super) fn leave(&mut self, process: u32, from: i32) {
        let model = self.model;
        let index = model.first_location[process as usize] + from as u32;
        let location = &model.locations[index as usize];
        if location.kind != LocationKind::Normal {
            self.frozen -= 1;
            let place = self.committed_at[process as usize];
            if place != ABSENT {
                self.committed.swap_remove(place as usize);
                if let Some(moved) = self.committed.get(place as usize) {
                    self.committed_at[*moved as usize] = place;
                }
                self.committed_at[process as usize] = ABSENT;
            }
        }
        for rate in location.rates.0..location.rates.1 {
            self.set_stopping(rate, false);
        }
        for edge in span(&model.lists, location.kept) {
            if self.place[*edge as usize] != ABSENT {
                self.remove(*edge);
            }
        }
    }

    /// Asks anew whether the data permit an edge whose source its process is at.
    pub(super) fn refresh(&mut self, edge: u32) -> Result<(), Fault> {
        let code = &self.model.edges[edge as usize];
        let kept = match code.sync {
            SyncCode::Internal | SyncCode::Send(_) => true,
            SyncCode::Receive(channel) => !self.model.channels[channel as usize].broadcast,
            SyncCode::Event(_) => false,
        };
        if !kept {
            return Ok(());
        }
        let permitted = self.permits(code.data)?;
        match (permitted, self.place[edge as usize] != ABSENT) {
            (true, false) => self.insert(edge),
            (false, true) => self.remove(edge),
            _ => {}
        }
        Ok(())
    }

    fn insert(&mut self, edge: u32) {
        let (list, channel) = match self.model.edges[edge as usize].sync {
            SyncCode::Send(channel) => (&mut self.senders[channel as usize], Some(channel)),
            SyncCode::Receive(channel) => (&mut self.receivers[channel as usize], Some(channel)),
            _ => (&mut self.internal, None),
        };
        self.place[edge as usize] = list.len() as u32;
        list.push(edge);
        if let Some(channel) = channel {
            self.weigh(channel);
        }
    }

    fn remove(&mut self, edge: u32) {
        let place = self.place[edge as usize];
        let (list, channel) = match self.model.edges[edge as usize].sync {
            SyncCode::Send(channel) => (&mut self.senders[channel as usize], Some(channel)),
            SyncCode::Receive(channel) => (&mut self.receivers[channel as usize], Some(channel)),
            _ => (&mut self.internal, None),
        };
        list.swap_remove(place as usize);
        if let Some(moved) = list.get(place as usize) {
            self.place[*moved as usize] = place;
        }
        self.place[edge as usize] = ABSENT;
        if let Some(channel) = channel {
            self.weigh(channel);
        }
    }

    /// The number of synchronisations over a channel has changed.
    fn weigh(&mut self, channel: u32) {
        let index = channel as usize;
        let code = &self.model.channels[index];
        let senders = self.senders[index].len() as u64;
        let weight = match code.broadcast {
            true => senders,
            false => senders * self.receivers[index].len() as u64,
        };
        self.weights.set(index, weight);
        if code.urgent {
            let place = self.urgent_at[index];
            if weight > 0 && place == ABSENT {
                self.urgent_at[index] = self.urgent.len() as u32;
                self.urgent.push(channel);
            } else if weight == 0 && place != ABSENT {
                self.urgent.swap_remove(place as usize);
                if let Some(moved) = self.urgent.get(place as usize) {
                    self.urgent_at[*moved as usize] = place;
                }
                self.urgent_at[index] = ABSENT;
            }
        }
    }

    /// Asks whether a rate makes its clock stand still.
    pub(super) fn settle_rate(&mut self, rate: u32) -> Result<(), Fault> {
        let code = self.model.rates[rate as usize];
        let value = self.machine.evaluate(&self.model.program, code.value)?;
        if !(0..=1).contains(&value) {
            let (low, high) = (0, 1);
            return Err(Fault {
                kind: FaultKind::OutOfRange { value, low, high },
                site: code.site,
            });
        }
        self.set_stopping(rate, value == 0);
        Ok(())
    }

    fn set_stopping(&mut self, rate: u32, stopping: bool) {
        let known = &mut self.stopping[rate as usize];
        if *known == stopping {
            return;
        }
        *known = stopping;
        let row = self.model.rates[rate as usize].row;
        let stops = &mut self.stops[row as usize];
        let base = &mut self.base[row as usize];
        match stopping {
            true => *stops += 1,
            false => *stops -= 1,
        }
        // From the moment of its reset to its value, and back: the same difference to the present moment.
        if *stops == u32::from(stopping) {
            *base = self.now - *base;
            self.work.turned.push(row);
        }
    }

    /// The last moment that a process's invariant permits.
    pub(super) fn settle_deadline(&mut self, process: u32) -> Result<(), Fault> {
        let (_, location) = self.model.location(process, &self.machine.memory);
        let deadline: Moment = match location.clocks.0 == location.clocks.1 {
            true => NEVER,
            false => self.atoms(location.clocks)?.high,
        };
        self.deadlines.set(process as usize, deadline);
        Ok(())
    }
}
