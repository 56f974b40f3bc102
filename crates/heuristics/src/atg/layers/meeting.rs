//! Edges that need partners: who is ready, and who waits for whom.
//!
//! A pair needs edges of two processes at the two ends of a channel. An n-ary synchronisation needs an edge at each
//! strong post of its vector; weak posts take part where they can, so that they wait for the strong ones only.

use crate::atg::layers::NO_EDGE;
use crate::atg::model::{Model, NO_VECTOR, Partner, opposite};

/// The ready edges of a channel's end: the first, and the first of another process.
#[derive(Clone, Copy, Debug)]
struct Ready {
    first: u32,
    other: u32,
}

impl Ready {
    const NONE: Ready = Ready {
        first: NO_EDGE,
        other: NO_EDGE,
    };
}

/// Who is ready and who waits.
pub(in crate::atg) struct Meeting {
    ends: Vec<Ready>,
    /// By end, then by post: the first edge that waits there; by edge, the next one.
    waits: Vec<u32>,
    next: Vec<u32>,
    /// By edge at an end that fires: the edge that it synchronises with.
    partner: Vec<u32>,
    /// By post: its first ready edge, and a vector whose strong posts are all ready.
    first: Vec<u32>,
    open: Vec<u32>,
    /// By vector: the strong posts without a ready edge.
    missing: Vec<u16>,
}

impl Meeting {
    pub fn new(model: &Model) -> Meeting {
        let (edges, posts) = (model.edges.len(), model.vectors.free.len());
        Meeting {
            ends: vec![Ready::NONE; model.ends],
            waits: vec![NO_EDGE; model.ends + posts],
            next: vec![NO_EDGE; edges],
            partner: vec![NO_EDGE; edges],
            first: vec![NO_EDGE; posts],
            open: model.vectors.free.clone(),
            missing: model.vectors.needs.clone(),
        }
    }

    /// Nobody is ready.
    pub fn reset(&mut self, model: &Model) {
        self.ends.fill(Ready::NONE);
        self.waits.fill(NO_EDGE);
        self.first.fill(NO_EDGE);
        self.open.copy_from_slice(&model.vectors.free);
        self.missing.copy_from_slice(&model.vectors.needs);
    }

    /// An edge is ready but for its partners; whoever can fire now is put on the list.
    pub fn arrive(&mut self, model: &Model, edge: u32, partner: Partner, fire: &mut Vec<u32>) {
        match partner {
            Partner::None => fire.push(edge),
            Partner::Offer(end) => {
                self.stand(model, end, edge, fire);
                self.partner[edge as usize] = NO_EDGE;
                fire.push(edge);
            }
            Partner::End(end) => {
                self.stand(model, end, edge, fire);
                let process = model.edges[edge as usize].process;
                let ready = self.ends[opposite(end) as usize];
                let found = [ready.first, ready.other]
                    .into_iter()
                    .find(|other| *other != NO_EDGE && differs(model, *other, process));
                match found {
                    Some(other) => {
                        self.partner[edge as usize] = other;
                        fire.push(edge);
                    }
                    None => self.wait(end as usize, edge),
                }
            }
            Partner::Post(post) => self.arrive_at_post(model, post, edge, fire),
        }
    }

    /// Notes an edge as ready at its end, and lets those that wait at the opposite end go with it.
    fn stand(&mut self, model: &Model, end: u32, edge: u32, fire: &mut Vec<u32>) {
        let process = model.edges[edge as usize].process;
        let ready = &mut self.ends[end as usize];
        if ready.first == NO_EDGE {
            ready.first = edge;
        } else if ready.other == NO_EDGE && differs(model, ready.first, process) {
            ready.other = edge;
        } else {
            return; // whoever can go with this edge has gone with an earlier one
        }
        let place = opposite(end) as usize;
        let mut at = std::mem::replace(&mut self.waits[place], NO_EDGE);
        while at != NO_EDGE {
            let next = self.next[at as usize];
            if differs(model, at, process) {
                self.partner[at as usize] = edge;
                fire.push(at);
            } else {
                self.wait(place, at);
            }
            at = next;
        }
    }

    fn wait(&mut self, place: usize, edge: u32) {
        self.next[edge as usize] = self.waits[place];
        self.waits[place] = edge;
    }

    fn arrive_at_post(&mut self, model: &Model, post: u32, edge: u32, fire: &mut Vec<u32>) {
        if self.first[post as usize] == NO_EDGE {
            self.first[post as usize] = edge;
            for &vector in model.vectors.strong_of.get(post) {
                self.missing[vector as usize] -= 1;
                if self.missing[vector as usize] == 0 {
                    self.open(model, vector, fire);
                }
            }
        }
        match self.open[post as usize] {
            NO_VECTOR => self.wait(self.ends.len() + post as usize, edge),
            _ => fire.push(edge),
        }
    }

    /// All strong posts of a vector are ready: whoever waits at its posts goes.
    fn open(&mut self, model: &Model, vector: u32, fire: &mut Vec<u32>) {
        for &post in model.vectors.all.get(vector) {
            if self.open[post as usize] != NO_VECTOR {
                continue;
            }
            self.open[post as usize] = vector;
            let place = self.ends.len() + post as usize;
            let mut at = std::mem::replace(&mut self.waits[place], NO_EDGE);
            while at != NO_EDGE {
                fire.push(at);
                at = self.next[at as usize];
            }
        }
    }

    /// The edges that a fired edge needs beside it.
    pub fn partners(&self, model: &Model, edge: u32, partners: &mut Vec<u32>) {
        match model.edges[edge as usize].partner {
            Partner::None | Partner::Offer(_) => {}
            Partner::End(_) => partners.push(self.partner[edge as usize]),
            Partner::Post(post) => {
                let strong = model.vectors.strong.get(self.open[post as usize]).iter();
                let others = strong.filter(|other| **other != post);
                partners.extend(others.map(|other| self.first[*other as usize]));
            }
        }
    }
}

fn differs(model: &Model, edge: u32, process: u32) -> bool {
    model.edges[edge as usize].process != process
}
