//! What a search needs of the network between processes. Who implements it knows nothing of states.

use std::fmt;
use std::time::Duration;

/// A process that cannot be reached any more: nothing is known from now on, and no verdict can be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// Which process.
    pub process: usize,
    /// What happened.
    pub why: String,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}: {}", self.process, self.why)
    }
}

/// How far one process has come.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Share {
    /// States expanded.
    pub explored: u64,
    /// States stored that no later one covers.
    pub stored: u64,
    /// States that wait.
    pub waiting: u64,
    /// Successors computed.
    pub generated: u64,
    /// The memory of store and open list, in bytes.
    pub memory: u64,
    /// The largest depth of an expanded state.
    pub depth: u32,
    /// The smallest estimate so far.
    pub best_estimate: Option<u32>,
    /// States sent to other processes.
    pub sent: u64,
    /// Their bytes.
    pub sent_bytes: u64,
    /// States received from other processes.
    pub received: u64,
    /// Processor time of the whole process, in microseconds.
    pub processor: u64,
}

/// The way between the processes of a search: what it sends arrives once, and in order between any two of them.
///
/// There are two sorts of messages. *Packets* belong to the search: while there may be any, or a process that may send some, the
/// search is not over. *Words* are about it: they go beside, also after its end.
pub trait Exchange {
    /// The number of this process; 0 is the one that reports.
    fn number(&self) -> usize;

    /// The number of processes.
    fn processes(&self) -> usize;

    /// Begins a search, in which this process is at work. All processes begin the same searches in the same order.
    fn begin(&mut self);

    /// Sends a packet. The process has to be at work.
    fn send(&mut self, to: usize, packet: Vec<u8>);

    /// The next packet. Whoever takes one is at work.
    fn receive(&mut self) -> Option<Vec<u8>>;

    /// Sends a word, at any time.
    fn tell(&mut self, to: usize, word: Vec<u8>);

    /// The next word, and who sent it.
    fn told(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Takes a word back that is for the next search: [`Exchange::told`] hands it out again when that has begun.
    fn put_back(&mut self, from: usize, word: Vec<u8>);

    /// Moves what is to be sent and what has come; waits for something to come, but not longer than this.
    fn turn(&mut self, wait: Duration) -> Result<(), Lost>;

    /// This process has nothing to do until a packet comes.
    fn idle(&mut self);

    /// Whether no process is at work and no packet is on its way.
    fn is_over(&self) -> bool;

    /// Sends nothing more that belongs before a pause. Packets that others send behind it wait until it ends here.
    fn pause(&mut self);

    /// Whether there is a pause, because it was asked for here or because packets from behind it have come.
    fn pauses(&self) -> bool;

    /// Whether all packets from before the pause have been received everywhere.
    fn is_still(&self) -> bool;

    /// Ends the pause here.
    fn resume(&mut self);

    /// The processor time of this process.
    fn processor(&self) -> Duration;

    /// Told how far all processes are, now and then; by process.
    fn observe(&mut self, shares: &[Share]);
}
