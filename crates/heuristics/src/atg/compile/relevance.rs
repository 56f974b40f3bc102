//! Edges and effects that no way to the goal needs are left out.
//!
//! Backwards from the goal: a value or location is relevant if the goal or a relevant edge may need it; an edge is
//! relevant if it brings something relevant or is a partner of a relevant edge; an effect is kept if it does. The layers of
//! what is relevant stay as they are, and an abstract solution holds nothing else: h^L and h^U do not change, but they
//! are found sooner, and read less of a state.

use crate::atg::assemble::Raw;
use crate::atg::merge::Draft;
use crate::atg::model::{Action, Condition, DENSE, Dimension, Effect, Partner, Span, opposite};

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
    /// Whether something was added.
    grown: bool,
}

/// The edges and effects that matter.
pub(in crate::atg) fn relevant(raw: &Raw<'_>, mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut relevance = Relevance {
        raw,
        atoms: vec![false; raw.atoms],
        cells: vec![false; raw.cells.len()],
        ends: vec![false; 2 * raw.channels],
        posts: vec![false; raw.vectors.free.len()],
        grown: true,
    };
    for goal in &raw.goals {
        for condition in &raw.needed[goal.0 as usize..goal.1 as usize] {
            relevance.need_condition(*condition);
        }
    }
    let mut kept = vec![false; drafts.len()];
    while std::mem::take(&mut relevance.grown) {
        for (draft, kept) in drafts.iter().zip(&mut kept) {
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
        let cell = &self.raw.cells[effect.cell as usize];
        match effect.action {
            Action::Set(value) if cell.wide == DENSE => {
                (cell.low..=cell.high).contains(&value)
                    && self.atoms[(cell.atoms as i32 + value - cell.low) as usize]
            }
            _ => self.cells[effect.cell as usize],
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
                let needed = &mut self.ends[opposite(end) as usize];
                self.grown |= !*needed;
                *needed = true;
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
                let needed = &mut self.posts[*other as usize];
                self.grown |= !*needed;
                *needed = true;
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
        self.grown |= !self.cells[cell as usize];
        self.cells[cell as usize] = true;
    }

    fn need_atom(&mut self, atom: u32) {
        self.grown |= !self.atoms[atom as usize];
        self.atoms[atom as usize] = true;
    }
}
