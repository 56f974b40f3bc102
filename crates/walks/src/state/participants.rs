//! Who takes part: from a candidate to the edges of one transition.

use merkhet_network::code::Fault;

use crate::model::SyncCode;
use crate::random::Random;
use crate::state::candidates::{Candidate, Kind};
use crate::state::{Fired, State};
use crate::time::{Moment, Window};

/// The edges of which a transition takes one each, in the order of their updates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    edges: Vec<u32>,
    /// Where each group ends.
    ends: Vec<usize>,
    /// Some receiver of a broadcast has a clock guard, so that it depends on the moment who takes part.
    timed: bool,
}

impl Choices {
    fn clear(&mut self) {
        self.edges.clear();
        self.ends.clear();
        self.timed = false;
    }

    fn end_group(&mut self) {
        if self.ends.last().copied().unwrap_or(0) < self.edges.len() {
            self.ends.push(self.edges.len());
        }
    }

    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        (starts.zip(&self.ends)).map(|(start, end)| &self.edges[start..*end])
    }

    /// The number of combinations, if it is at most so large.
    fn combinations(&self, most: usize) -> Option<usize> {
        let mut all = 1usize;
        for group in self.groups() {
            all = all.saturating_mul(group.len());
        }
        (all <= most).then_some(all)
    }

    /// The combination with a number.
    fn combination(&self, mut number: usize, edges: &mut Vec<u32>) {
        edges.clear();
        for group in self.groups() {
            edges.push(group[number % group.len()]);
            number /= group.len();
        }
    }
}

impl State<'_> {
    /// Collects who may take part; `false` if somebody who must cannot.
    fn choices(&mut self, kind: Kind, choices: &mut Choices) -> Result<bool, Fault> {
        choices.clear();
        match kind {
            Kind::Internal(edge) => choices.edges.push(edge),
            Kind::Binary(sender, receiver) => {
                choices.edges.push(sender);
                choices.end_group();
                choices.edges.push(receiver);
            }
            Kind::Broadcast(sender) => {
                choices.edges.push(sender);
                choices.end_group();
                self.listeners(sender, choices)?;
            }
            Kind::Vector(vector) => return self.participants(vector, choices),
        }
        choices.end_group();
        Ok(true)
    }

    fn listeners(&mut self, sender: u32, choices: &mut Choices) -> Result<(), Fault> {
        let model = self.model;
        let code = &model.edges[sender as usize];
        let SyncCode::Send(channel) = code.sync else {
            return Ok(());
        };
        for process in &model.channels[channel as usize].listeners {
            if *process == code.process {
                continue;
            }
            let (_, location) = model.location(*process, &self.machine.memory);
            for edge in model.labelled(location.listens, channel) {
                let code = &model.edges[*edge as usize];
                if self.permits(code.data)? {
                    choices.timed |= code.clocks.0 < code.clocks.1;
                    choices.edges.push(*edge);
                }
            }
            choices.end_group();
        }
        Ok(())
    }

    fn participants(&mut self, vector: u32, choices: &mut Choices) -> Result<bool, Fault> {
        let model = self.model;
        for participant in &model.vectors[vector as usize] {
            let (_, location) = model.location(participant.process, &self.machine.memory);
            let offered = model.labelled(location.events, participant.event);
            if offered.is_empty() && participant.weak {
                continue;
            }
            let before = choices.edges.len();
            for edge in offered {
                if self.permits(model.edges[*edge as usize].data)? {
                    choices.edges.push(*edge);
                }
            }
            if choices.edges.len() == before {
                return Ok(false);
            }
            choices.end_group();
        }
        Ok(!choices.edges.is_empty())
    }

    /// Settles at random who takes part in a candidate, and when at most it is possible; `None` if it is not.
    pub fn resolve(
        &mut self,
        candidate: Candidate,
        random: &mut Random,
        choices: &mut Choices,
        edges: &mut Vec<u32>,
    ) -> Result<Option<Window>, Fault> {
        edges.clear();
        let mut window = candidate.window;
        match candidate.kind {
            Kind::Internal(edge) => edges.push(edge),
            Kind::Binary(sender, receiver) => edges.extend([sender, receiver]),
            kind => {
                if !self.choices(kind, choices)? {
                    return Ok(None);
                }
                if choices.timed {
                    return self.resolve_timed(window, random, choices, edges);
                }
                for group in choices.groups() {
                    let edge = match group {
                        [edge] => *edge,
                        several => several[random.index(several.len())],
                    };
                    edges.push(edge);
                }
                if let Kind::Vector(_) = kind {
                    for edge in edges.iter() {
                        window = window.and(self.guard(*edge)?);
                    }
                }
            }
        }
        let possible = !window.is_empty() && self.obeys_commitment(edges);
        Ok(possible.then_some(window))
    }

    /// Where receivers have clock guards: stretches of time in each of which it is the same ones that can receive.
    fn stretches(&mut self, window: Window, choices: &Choices) -> Result<Vec<Window>, Fault> {
        let mut cuts = vec![window.low, window.high + 1];
        for edge in &choices.edges {
            let guard = self.guard(*edge)?.and(window);
            if !guard.is_empty() {
                cuts.extend([guard.low, guard.high + 1]);
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        let stretches = cuts.windows(2).map(|pair| Window {
            low: pair[0],
            high: pair[1] - 1,
        });
        Ok(stretches.collect())
    }

    /// Who can take part in such a stretch.
    fn able(&mut self, stretch: Window, choices: &Choices) -> Result<Choices, Fault> {
        let mut able = Choices::default();
        for group in choices.groups() {
            for edge in group {
                if self.guard(*edge)?.contains(stretch.low) {
                    able.edges.push(*edge);
                }
            }
            able.end_group();
        }
        Ok(able)
    }

    fn resolve_timed(
        &mut self,
        window: Window,
        random: &mut Random,
        choices: &Choices,
        edges: &mut Vec<u32>,
    ) -> Result<Option<Window>, Fault> {
        let mut stretches = self.stretches(window, choices)?;
        stretches.retain(|stretch| !stretch.ticks().is_empty());
        if stretches.is_empty() {
            return Ok(None);
        }
        let stretch = stretches[random.index(stretches.len())];
        for group in self.able(stretch, choices)?.groups() {
            edges.push(group[random.index(group.len())]);
        }
        Ok(self.obeys_commitment(edges).then_some(stretch))
    }

    /// Settles who takes part in a transition that is led by the first of the wanted edges: the wanted ones where they can,
    /// others where somebody must listen or take part whom the state has at another place than the run had. Where it
    /// depends on the moment who listens, it is about the moment nearest to the given one. `None` if the transition is not
    /// possible.
    pub fn resolve_as(
        &mut self,
        wanted: &[u32],
        ahead: Window,
        near: Moment,
        choices: &mut Choices,
        edges: &mut Vec<u32>,
    ) -> Result<Option<Window>, Fault> {
        edges.clear();
        let Some((kind, mut window)) = self.led_by(wanted, ahead)? else {
            return Ok(None);
        };
        if let Kind::Internal(_) | Kind::Binary(..) = kind {
            edges.extend_from_slice(wanted);
            return Ok(self.obeys_commitment(edges).then_some(window));
        }
        if !self.choices(kind, choices)? {
            return Ok(None);
        }
        if choices.timed {
            let stretches = self.stretches(window, choices)?;
            let place = |stretch: &Window| stretch.ticks().nearest(near).abs_diff(near);
            let stretches = stretches
                .into_iter()
                .filter(|part| !part.ticks().is_empty());
            let Some(stretch) = stretches.min_by_key(place) else {
                return Ok(None);
            };
            window = stretch;
            *choices = self.able(stretch, choices)?;
        }
        for group in choices.groups() {
            let known = group.iter().find(|edge| wanted.contains(edge));
            edges.push(*known.unwrap_or(&group[0]));
        }
        if let Kind::Vector(_) = kind {
            for edge in edges.iter() {
                window = window.and(self.guard(*edge)?);
            }
        }
        let possible = !window.is_empty() && self.obeys_commitment(edges);
        Ok(possible.then_some(window))
    }

    /// The kind of a transition, and when its guards permit it; of a broadcast's those of the sender only.
    fn led_by(&mut self, wanted: &[u32], ahead: Window) -> Result<Option<(Kind, Window)>, Fault> {
        let model = self.model;
        let Some(first) = wanted.first() else {
            return Ok(None);
        };
        let kind = match model.edges[*first as usize].sync {
            SyncCode::Internal => Kind::Internal(*first),
            SyncCode::Send(channel) if model.channels[channel as usize].broadcast => {
                Kind::Broadcast(*first)
            }
            SyncCode::Send(_) if wanted.len() == 2 => Kind::Binary(*first, wanted[1]),
            SyncCode::Event(_) => {
                let vector =
                    (0..model.vectors.len()).find(|vector| self.is_vector(*vector, wanted));
                return Ok(vector.map(|vector| (Kind::Vector(vector as u32), ahead)));
            }
            SyncCode::Send(_) | SyncCode::Receive(_) => return Ok(None),
        };
        let must = match kind {
            Kind::Broadcast(_) => &wanted[..1],
            _ => wanted,
        };
        let mut window = ahead;
        for edge in must {
            let code = &model.edges[*edge as usize];
            if self.machine.memory[code.process as usize] != code.source
                || !self.permits(code.data)?
            {
                return Ok(None);
            }
            window = window.and(self.guard(*edge)?);
        }
        Ok((!window.is_empty()).then_some((kind, window)))
    }

    /// Whether edges are of one of the vectors: those who need not take part may be missing.
    fn is_vector(&self, vector: usize, edges: &[u32]) -> bool {
        let mut edges = edges.iter().peekable();
        for participant in &self.model.vectors[vector] {
            let taken = edges.next_if(|edge| {
                let code = &self.model.edges[**edge as usize];
                code.process == participant.process
                    && code.sync == SyncCode::Event(participant.event)
            });
            if taken.is_none() && !participant.weak {
                return false;
            }
        }
        edges.next().is_none()
    }

    /// When a candidate is possible with a priority above the given one, whoever takes part: windows, in no order. `false`
    /// if that is not known.
    pub fn possible(
        &mut self,
        candidate: Candidate,
        above: (i32, i32),
        choices: &mut Choices,
        edges: &mut Vec<u32>,
        found: &mut Vec<Window>,
    ) -> Result<bool, Fault> {
        if !self.choices(candidate.kind, choices)? {
            return Ok(true);
        }
        if !choices.timed {
            return self.possible_within(candidate.window, above, choices, edges, found);
        }
        for stretch in self.stretches(candidate.window, choices)? {
            let able = self.able(stretch, choices)?;
            if !self.possible_within(stretch, above, &able, edges, found)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn possible_within(
        &mut self,
        within: Window,
        above: (i32, i32),
        choices: &Choices,
        edges: &mut Vec<u32>,
        found: &mut Vec<Window>,
    ) -> Result<bool, Fault> {
        const MOST: usize = 1 << 10;
        let Some(combinations) = choices.combinations(MOST) else {
            return Ok(false);
        };
        for number in 0..combinations {
            choices.combination(number, edges);
            if !self.obeys_commitment(edges) || self.priority(edges) <= above {
                continue;
            }
            let mut window = within;
            for edge in edges.iter() {
                window = window.and(self.guard(*edge)?);
            }
            if window.is_empty() {
                continue;
            }
            if let Fired::Within(entry) = self.fire(edges)? {
                self.take_back();
                let window = window.and(entry);
                if !window.is_empty() {
                    found.push(window);
                }
            }
        }
        Ok(true)
    }

    /// The priority of a candidate's transitions is at most this.
    pub fn highest_priority(
        &mut self,
        kind: Kind,
        choices: &mut Choices,
    ) -> Result<(i32, i32), Fault> {
        if !self.choices(kind, choices)? || choices.edges.is_empty() {
            return Ok((i32::MIN, i32::MIN));
        }
        let edges = std::mem::take(&mut choices.edges);
        let priority = self.priority(&edges);
        choices.edges = edges;
        Ok(priority)
    }
}
