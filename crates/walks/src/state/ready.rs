//! Which edges the data permit: kept in lists, and mended.

use merkhet_network::LocationKind;
use merkhet_network::code::{Fault, FaultKind};

use crate::model::{Span, SyncCode, span};
use crate::state::{ABSENT, FAILING, State};
use crate::time::{Moment, NEVER};

impl State<'_> {
    /// A process is at a location that it was not at: its edges come into the lists. Deadlines are settled later.
    pub(super) fn arrive(&mut self, process: u32) -> Result<(), Fault> {
        let model = self.model;
        let (_, location) = model.location(process, &self.machine.memory);
        self.touched += u64::from(location.kept.1 - location.kept.0);
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
            self.refresh(*edge)?;
        }
        for switch in location.switches.0..location.switches.1 {
            self.settle_switch(switch)?;
        }
        Ok(())
    }

    /// Puts an edge into its list or takes it out, as the data say. One whose condition cannot be evaluated is not taken, but
    /// others are: the run is one all the same, except where it counts what else could be done.
    fn settle_edge(&mut self, edge: u32) -> Result<(), Fault> {
        let model = self.model;
        let place = self.place[edge as usize];
        match self.permits(model.edges[edge as usize].data) {
            Ok(true) if place >= FAILING => {
                self.recover(edge);
                self.insert(edge);
            }
            Ok(false) if place != ABSENT => self.remove(edge),
            Ok(_) => {}
            Err(fault) if !model.has_urgent_channels && !model.has_priorities => {
                if place < FAILING {
                    self.remove(edge);
                }
                if place != FAILING {
                    self.place[edge as usize] = FAILING;
                    self.failing += 1;
                }
                self.fault.get_or_insert(fault);
            }
            Err(fault) => return Err(fault),
        }
        Ok(())
    }

    /// Forgets that a condition could not be evaluated.
    fn recover(&mut self, edge: u32) {
        if self.place[edge as usize] == FAILING {
            self.place[edge as usize] = ABSENT;
            self.failing -= 1;
        }
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
        for switch in location.switches.0..location.switches.1 {
            self.choose_cases(switch, (0, 0));
            self.recover_switch(switch);
        }
    }

    /// Asks anew whether the data permit an edge whose source its process is at. The condition of a receiver waits until
    /// there is somebody to receive from.
    #[inline]
    pub(super) fn refresh(&mut self, edge: u32) -> Result<(), Fault> {
        self.touched += 1;
        if let SyncCode::Receive(channel) = self.model.edges[edge as usize].sync
            && self.senders[channel as usize].is_empty()
            && self.model.edges[edge as usize].data.is_some()
        {
            if self.place[edge as usize] != ABSENT {
                self.remove(edge);
            }
            if !self.is_stale[edge as usize] {
                self.is_stale[edge as usize] = true;
                self.stale[channel as usize].push(edge);
            }
            return Ok(());
        }
        self.settle_edge(edge)
    }

    /// Asks the receivers that have waited on channels that somebody sends on now.
    pub(super) fn wake(&mut self) -> Result<(), Fault> {
        while let Some(channel) = self.work.woken.pop() {
            if !self.senders[channel as usize].is_empty() {
                self.wake_channel(channel)?;
            }
        }
        Ok(())
    }

    fn wake_channel(&mut self, channel: u32) -> Result<(), Fault> {
        while let Some(edge) = self.stale[channel as usize].pop() {
            self.is_stale[edge as usize] = false;
            let code = &self.model.edges[edge as usize];
            if self.machine.memory[code.process as usize] == code.source {
                self.settle_edge(edge)?;
            }
        }
        Ok(())
    }

    /// Evaluates the expression of a switch and puts the edges that ask for its value into their lists.
    pub(super) fn settle_switch(&mut self, switch: u32) -> Result<(), Fault> {
        let model = self.model;
        let code = &model.switches[switch as usize];
        let value = self.machine.evaluate(&model.program, code.value);
        self.effort += self.machine.used;
        let value = match value {
            Ok(value) => value,
            Err(fault) if model.has_urgent_channels || model.has_priorities => return Err(fault),
            Err(fault) => {
                self.choose_cases(switch, (0, 0));
                if !self.switch_fails[switch as usize] {
                    self.switch_fails[switch as usize] = true;
                    self.failing += 1;
                }
                self.fault.get_or_insert(fault);
                return Ok(());
            }
        };
        self.recover_switch(switch);
        let cases = span(&model.cases, code.cases);
        let first = cases.partition_point(|case| case.0 < value);
        let count = cases[first..].iter().take_while(|case| case.0 == value);
        let start = code.cases.0 + first as u32;
        self.choose_cases(switch, (start, start + count.count() as u32));
        Ok(())
    }

    fn choose_cases(&mut self, switch: u32, chosen: Span) {
        let model = self.model;
        let before = std::mem::replace(&mut self.chosen[switch as usize], chosen);
        if before == chosen {
            return;
        }
        for (_, edge) in span(&model.cases, before) {
            self.remove(*edge);
        }
        for (_, edge) in span(&model.cases, chosen) {
            self.insert(*edge);
        }
    }

    fn recover_switch(&mut self, switch: u32) {
        if std::mem::take(&mut self.switch_fails[switch as usize]) {
            self.failing -= 1;
        }
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
            if !self.stale[channel as usize].is_empty() {
                self.work.woken.push(channel);
            }
        }
    }

    fn remove(&mut self, edge: u32) {
        let place = self.place[edge as usize];
        if place == FAILING {
            return self.recover(edge);
        }
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
