//! Edges and effects that no way to the goal needs are left out.
//!
//! Backwards from the goal: a value or location is relevant if the goal or a relevant edge may need it; an edge is
//! relevant if it brings something relevant or is a partner of a relevant edge; an effect is kept if it does. The layers of
//! what is relevant stay as they are, and an abstract solution holds nothing else: h^L and h^U do not change, but they
//! are found sooner, and read less of a state.

use crate::atg::assemble::Raw;
use crate::atg::merge::Draft;
use crate::atg::model::{
    Action, Condition, DENSE, Dimension, Effect, Lists, Partner, Span, opposite,
};

/// What is relevant, and has not been followed yet.
enum Found {
    Atom(u32),
    /// Some value of a cell.
    Cell(u32),
    /// A relevant edge needs a partner at this end, or at this post.
    End(u32),
    Post(u32),
}

/// What was found relevant so far.
struct Relevance<'r> {
    raw: &'r Raw<'r>,
    /// By atom.
    atoms: Vec<bool>,
    /// By cell: whether some value is.
    cells: Vec<bool>,
    /// By end and by post: whether a relevant edge needs a partner there.
    ends: Vec<bool>,
    posts: Vec<bool>,
    queue: Vec<Found>,
}

/// Which edges may become relevant with what.
struct Bringers {
    atoms: Lists,
    cells: Lists,
    ends: Lists,
    posts: Lists,
}

/// The edges and effects that matter.
pub(in crate::atg) fn relevant(raw: &Raw<'_>, mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut relevance = Relevance {
        raw,
        atoms: vec![false; raw.atoms],
        cells: vec![false; raw.cells.len()],
        ends: vec![false; 2 * raw.channels],
        posts: vec![false; raw.vectors.free.len()],
        queue: Vec::new(),
    };
    for goal in &raw.goals {
        for condition in &raw.needed[goal.0 as usize..goal.1 as usize] {
            relevance.need_condition(*condition);
        }
    }
    let bringers = Bringers::new(raw, &drafts);
    let mut kept = vec![false; drafts.len()];
    while let Some(found) = relevance.queue.pop() {
        for draft in bringers.of(&found) {
            // One that is kept already may have an effect that has become relevant.
            let (draft, kept) = (&drafts[*draft as usize], &mut kept[*draft as usize]);
            if *kept || relevance.needs_edge(draft) {
                *kept = true;
                relevance.need_edge(draft);
            }
        }
    }
    let mut keep = kept.into_iter();
    drafts.retain(|_| keep.next() == Some(true));
    for draft in &mut drafts {
        draft.effects.retain(|effect| relevance.needs(effect));
    }
    drafts
}

impl Bringers {
    fn new(raw: &Raw<'_>, drafts: &[Draft]) -> Bringers {
        let (mut atoms, mut cells) = (Vec::new(), Vec::new());
        let (mut ends, mut posts) = (Vec::new(), Vec::new());
        for (draft, number) in drafts.iter().zip(0u32..) {
            if draft.source != draft.target {
                atoms.push((draft.target, number));
            }
            match draft.partner {
                Partner::None => {}
                Partner::End(end) | Partner::Offer(end) => ends.push((end, number)),
                Partner::Post(post) => posts.push((post, number)),
            }
            for effect in &draft.effects {
                match raw.value_set(effect) {
                    Some(atom) => atoms.extend(atom.map(|atom| (atom, number))),
                    None => cells.push((effect.cell, number)),
                }
            }
        }
        Bringers {
            atoms: Lists::of(raw.atoms, &atoms),
            cells: Lists::of(raw.cells.len(), &cells),
            ends: Lists::of(2 * raw.channels, &ends),
            posts: Lists::of(raw.vectors.free.len(), &posts),
        }
    }

    fn of(&self, found: &Found) -> &[u32] {
        match *found {
            Found::Atom(atom) => self.atoms.get(atom),
            Found::Cell(cell) => self.cells.get(cell),
            Found::End(end) => self.ends.get(end),
            Found::Post(post) => self.posts.get(post),
        }
    }
}

impl Raw<'_> {
    /// The atom that an effect brings, where that is one value of a dense cell; `Some(None)` if it is out of range.
    fn value_set(&self, effect: &Effect) -> Option<Option<u32>> {
        let cell = &self.cells[effect.cell as usize];
        match effect.action {
            Action::Set(value) if cell.wide == DENSE => Some(
                (cell.low..=cell.high)
                    .contains(&value)
                    .then(|| (cell.atoms as i32 + value - cell.low) as u32),
            ),
            _ => None,
        }
    }
}

impl Relevance<'_> {
    fn needs_edge(&self, draft: &Draft) -> bool {
        let moves = draft.source != draft.target && self.atoms[draft.target as usize];
        let partner = match draft.partner {
            Partner::None => false,
            Partner::End(end) | Partner::Offer(end) => self.ends[end as usize],
            Partner::Post(post) => self.posts[post as usize],
        };
        moves || partner || draft.effects.iter().any(|effect| self.needs(effect))
    }

    fn needs(&self, effect: &Effect) -> bool {
        match self.raw.value_set(effect) {
            Some(atom) => atom.is_some_and(|atom| self.atoms[atom as usize]),
            None => self.cells[effect.cell as usize],
        }
    }

    fn need_edge(&mut self, draft: &Draft) {
        self.need_atom(draft.source);
        for (cell, mask) in &draft.masks {
            self.need_mask(*cell, *mask);
        }
        for condition in &draft.others {
            self.need_condition(*condition);
        }
        match draft.partner {
            Partner::None | Partner::Offer(_) => {}
            Partner::End(end) => {
                let end = opposite(end);
                if !std::mem::replace(&mut self.ends[end as usize], true) {
                    self.queue.push(Found::End(end));
                }
            }
            Partner::Post(post) => self.need_post(post),
        }
        for effect in &draft.effects {
            if self.needs(effect) {
                self.need_reads(effect);
            }
        }
    }

    /// All strong posts of the vectors that the post belongs to.
    fn need_post(&mut self, post: u32) {
        let vectors = &self.raw.vectors;
        for vector in 0..vectors.needs.len() as u32 {
            if !vectors.all.get(vector).contains(&post) {
                continue;
            }
            for other in vectors.strong.get(vector) {
                if !std::mem::replace(&mut self.posts[*other as usize], true) {
                    self.queue.push(Found::Post(*other));
                }
            }
        }
    }

    fn need_reads(&mut self, effect: &Effect) {
        match &effect.action {
            Action::Copy { from, .. } => self.need_cell(*from),
            Action::Increase | Action::Decrease => self.need_cell(effect.cell),
            Action::Code { dimensions, .. } => self.need_dimensions(*dimensions),
            Action::Set(_) | Action::Any => {}
        }
    }

    fn need_condition(&mut self, condition: u32) {
        let raw = self.raw;
        match &raw.conditions[condition as usize] {
            Condition::Mask { cell, mask } => self.need_mask(*cell, *mask),
            Condition::Compare { cell, .. } => self.need_cell(*cell),
            Condition::Facts(facts) => facts.iter().for_each(|fact| self.need_atom(*fact)),
            Condition::Pair { left, right, .. } => {
                self.need_cell(*left);
                self.need_cell(*right);
            }
            Condition::Code { dimensions, .. } => self.need_dimensions(*dimensions),
        }
    }

    fn need_dimensions(&mut self, dimensions: Span) {
        let raw = self.raw;
        for dimension in &raw.dimensions[dimensions.0 as usize..dimensions.1 as usize] {
            match *dimension {
                Dimension::Cell(cell) => self.need_cell(cell),
                Dimension::Process(process) => {
                    let range = &raw.first_fact[process as usize..process as usize + 2];
                    (range[0]..range[1]).for_each(|fact| self.need_atom(fact));
                }
            }
        }
    }

    fn need_mask(&mut self, cell: u32, mask: u64) {
        self.some_value(cell);
        let first = self.raw.cells[cell as usize].atoms;
        for bit in (0..u64::BITS).filter(|bit| mask & (1 << bit) != 0) {
            self.need_atom(first + bit);
        }
    }

    /// Every value of a cell.
    fn need_cell(&mut self, cell: u32) {
        self.some_value(cell);
        let model = &self.raw.cells[cell as usize];
        if model.wide == DENSE {
            let size = (model.high - model.low) as u32 + 1;
            (model.atoms..model.atoms + size).for_each(|atom| self.need_atom(atom));
        }
    }

    fn some_value(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.cells[cell as usize], true) {
            self.queue.push(Found::Cell(cell));
        }
    }

    fn need_atom(&mut self, atom: u32) {
        if !std::mem::replace(&mut self.atoms[atom as usize], true) {
            self.queue.push(Found::Atom(atom));
        }
    }
}
