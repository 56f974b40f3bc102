//! The dataflows: packets in a loop, words from all to all.
//!
//! **Packets** go from the operator of one process to that of another, which may send further ones. Timely's progress tracking
//! says what may still come: who may send holds a *capability*, and a packet that is on its way counts as well. Where nothing may
//! come any more, the search is over: that is Naiad's frontier, and the only proof of termination that there is.
//!
//! Times are numbers that grow by one with each hop. Their upper bits are the *phase*: a process that pauses raises its capability
//! to the next phase, so that the frontier reaches that phase when all pause or have nothing to do, and all packets from
//! before have arrived. Then what all processes have is consistent, and can be written down. Packets from behind the pause, of
//! processes that were faster, wait.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::packet::{Packet, ToProcess};

/// The bits of a time that count hops: a million of them a second for nine years.
const HOPS: u32 = 48;

fn start_of(phase: u64) -> u64 {
    phase << HOPS
}

fn phase_of(time: u64) -> u64 {
    time >> HOPS
}

/// The end of the loop in this process.
pub struct Loop {
    inside: Rc<RefCell<Inside>>,
    activator: Activator,
}

struct Inside {
    /// What permits to send; nothing while there is nothing to do.
    held: Option<Capability<u64>>,
    outbox: Vec<Packet>,
    inbox: VecDeque<Packet>,
    /// Packets from behind the pause.
    later: Vec<(u64, Packet)>,
    phase: u64,
    pausing: bool,
    /// The capability is to be given back as soon as everything is sent.
    idle: bool,
    /// The earliest time of what may still come.
    frontier: Option<u64>,
}

impl Inside {
    /// The phase in which is sent.
    fn next_phase(&self) -> u64 {
        self.phase + u64::from(self.pausing)
    }

    fn take_in(&mut self, time: u64, packet: Packet) {
        if phase_of(time) > self.phase {
            // Others have gone on: everything from before has arrived, here as well.
            self.pausing = true;
            self.later.push((time, packet));
        } else {
            self.inbox.push_back(packet);
        }
    }
}

impl Loop {
    /// Builds the loop, with a capability in every process.
    pub fn build(worker: &mut Worker) -> Loop {
        let inside = Rc::new(RefCell::new(Inside {
            held: None,
            outbox: Vec::new(),
            inbox: VecDeque::new(),
            later: Vec::new(),
            phase: 0,
            pausing: false,
            idle: false,
            frontier: Some(0),
        }));
        let shared = Rc::clone(&inside);
        let address = worker.dataflow::<u64, _, _>(|scope| {
            let (back, packets) = scope.feedback::<Packet>(1);
            let mut builder = OperatorBuilder::new("Owner".to_owned(), scope);
            let mut input = builder.new_input(packets, DistributorPact(|_| ToProcess));
            let (mut output, sent) = builder.new_output();
            let address = builder.operator_info().address;
            builder.build(move |mut capabilities| {
                shared.borrow_mut().held = capabilities.pop();
                move |frontiers| {
                    let inside = &mut *shared.borrow_mut();
                    input.for_each(|capability, packet| {
                        let time = *capability.time();
                        inside.take_in(time, std::mem::take(packet));
                        if inside.held.is_none() {
                            let at = time.max(start_of(inside.next_phase()));
                            inside.held = Some(capability.delayed(&at, 0));
                        }
                    });
                    if let Some(held) = &inside.held {
                        let mut session = output.activate();
                        for mut packet in inside.outbox.drain(..) {
                            session.give(held, &mut packet);
                        }
                    }
                    let start = start_of(inside.next_phase());
                    if let Some(held) = &mut inside.held
                        && *held.time() < start
                    {
                        held.downgrade(&start);
                    }
                    if inside.idle && inside.inbox.is_empty() && inside.later.is_empty() {
                        inside.held = None;
                    }
                    inside.frontier = frontiers[0].frontier().first().copied();
                }
            });
            sent.connect_loop(back);
            address
        });
        Loop {
            activator: worker.activator_for(address),
            inside,
        }
    }

    pub fn send(&self, packet: Packet) {
        self.inside.borrow_mut().outbox.push(packet);
    }

    /// The next packet; whoever takes one is at work.
    pub fn receive(&self) -> Option<Packet> {
        let mut inside = self.inside.borrow_mut();
        let packet = inside.inbox.pop_front()?;
        inside.idle = false;
        Some(packet)
    }

    /// Has the operator run at the next step.
    pub fn activate(&self) {
        self.activator.activate();
    }

    pub fn idle(&self) {
        self.inside.borrow_mut().idle = true;
        self.activator.activate();
    }

    /// Whether something has come, or is over.
    pub fn has_news(&self) -> bool {
        let inside = self.inside.borrow();
        !inside.inbox.is_empty() || inside.frontier.is_none()
    }

    pub fn is_over(&self) -> bool {
        let inside = self.inside.borrow();
        inside.frontier.is_none() && inside.inbox.is_empty() && inside.later.is_empty()
    }

    pub fn pause(&self) {
        self.inside.borrow_mut().pausing = true;
        self.activator.activate();
    }

    pub fn pauses(&self) -> bool {
        self.inside.borrow().pausing
    }

    pub fn is_still(&self) -> bool {
        let inside = self.inside.borrow();
        let next = start_of(inside.phase + 1);
        inside.pausing
            && inside.inbox.is_empty()
            && inside.outbox.is_empty()
            && inside.frontier.is_none_or(|frontier| frontier >= next)
    }

    pub fn resume(&self) {
        let inside = &mut *self.inside.borrow_mut();
        inside.phase += 1;
        inside.pausing = false;
        for (time, packet) in std::mem::take(&mut inside.later) {
            inside.take_in(time, packet);
        }
    }
}

/// Words, from every process to every other.
pub struct Words {
    inside: Rc<RefCell<Spoken>>,
    activator: Activator,
}

#[derive(Default)]
struct Spoken {
    held: Option<Capability<u64>>,
    outbox: Vec<Packet>,
    inbox: VecDeque<Packet>,
}

impl Words {
    pub fn build(worker: &mut Worker) -> Words {
        let inside = Rc::new(RefCell::new(Spoken::default()));
        let (sender, receiver) = (Rc::clone(&inside), Rc::clone(&inside));
        let address = worker.dataflow::<u64, _, _>(|scope| {
            let mut source = OperatorBuilder::new("Say".to_owned(), scope);
            let (mut output, words) = source.new_output();
            let address = source.operator_info().address;
            source.build(move |mut capabilities| {
                sender.borrow_mut().held = capabilities.pop();
                move |_| {
                    let spoken = &mut *sender.borrow_mut();
                    if let Some(held) = &spoken.held {
                        let mut session = output.activate();
                        for mut packet in spoken.outbox.drain(..) {
                            session.give(held, &mut packet);
                        }
                    }
                }
            });
            let mut sink = OperatorBuilder::new("Hear".to_owned(), scope);
            let mut input = sink.new_input(words, DistributorPact(|_| ToProcess));
            sink.build(move |_| {
                move |_| {
                    let mut spoken = receiver.borrow_mut();
                    input.for_each(|_, packet| spoken.inbox.push_back(std::mem::take(packet)));
                }
            });
            address
        });
        Words {
            activator: worker.activator_for(address),
            inside,
        }
    }

    pub fn say(&self, packet: Packet) {
        self.inside.borrow_mut().outbox.push(packet);
        self.activator.activate();
    }

    pub fn hear(&self) -> Option<Packet> {
        self.inside.borrow_mut().inbox.pop_front()
    }

    pub fn has_news(&self) -> bool {
        !self.inside.borrow().inbox.is_empty()
    }

    /// Nothing more is said from here.
    pub fn close(&self) {
        self.inside.borrow_mut().held = None;
        self.activator.activate();
    }
}
