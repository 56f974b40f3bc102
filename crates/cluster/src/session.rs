//! One process among others, for as many searches as it takes.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use merkhet::{Exchange, Lost, ProcessShare};
use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::bytes_slab::BytesRefill;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{Allocator, Hooks};
use timely::worker::Worker;

use crate::connect::{Plan, connect};
use crate::flow::{Loop, Words};
use crate::hosts::Hosts;
use crate::packet::Packet;
use crate::stream::Health;

/// The time for the others to close their connections too.
const FAREWELL: Duration = Duration::from_secs(5);

/// Told how far all processes are, by number.
type Observe<'o> = Box<dyn FnMut(&[ProcessShare]) + 'o>;

/// A process that is connected with the others.
pub struct Session<'o> {
    worker: Worker,
    number: usize,
    count: usize,
    packets: Option<Loop>,
    words: Words,
    early: VecDeque<(usize, Vec<u8>)>,
    health: Arc<Health>,
    /// Timely's threads.
    threads: Option<Box<dyn Any + Send>>,
    observe: Observe<'o>,
}

impl<'o> Session<'o> {
    /// Connects a process with all others of a list, which have this long to come. What is wrong comes as a sentence.
    pub fn connect(
        hosts: &Hosts,
        number: usize,
        plan: Plan,
        wait: Duration,
        cancelled: &dyn Fn() -> bool,
        observe: impl FnMut(&[ProcessShare]) + 'o,
    ) -> Result<Session<'o>, String> {
        let health = Arc::new(Health::default());
        let connections = connect(hosts, number, plan, wait, cancelled, &health)?;
        let hooks = Hooks::default();
        let within = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, threads) =
            initialize_networking_from_sockets(within, connections, number, 1, hooks)
                .map_err(|error| format!("cannot start the threads of the network: {error}"))?;
        let builder = builders.into_iter().next();
        let builder = builder.ok_or("the network has no place for this process")?;
        let allocator = Allocator::Tcp(builder.build());
        let mut session = Session::of(allocator, health, Box::new(observe));
        session.threads = Some(Box::new(threads));
        Ok(session)
    }

    fn of(allocator: Allocator, health: Arc<Health>, observe: Observe<'o>) -> Session<'o> {
        let (number, count) = (allocator.index(), allocator.peers());
        health.listen(std::thread::current());
        let mut worker = Worker::new(WorkerConfig::default(), allocator, None);
        let words = Words::build(&mut worker);
        Session {
            worker,
            number,
            count,
            packets: None,
            words,
            early: VecDeque::new(),
            health,
            threads: None,
            observe,
        }
    }

    /// Bytes that went over the network from here, and that came.
    pub fn traffic(&self) -> (u64, u64) {
        use std::sync::atomic::Ordering::Relaxed;
        let Health { sent, received, .. } = &*self.health;
        (sent.load(Relaxed), received.load(Relaxed))
    }

    /// Ends in order: waits until the others have heard everything, but not for ever. Where a process was lost, nothing is
    /// waited for.
    pub fn finish(mut self) {
        if self.health.lost().is_some() {
            return;
        }
        self.health.close();
        self.words.close();
        // A process that has left without a farewell makes timely panic, in its threads and in its steps. What was to be said
        // is said by now, so that this is a way to end like others, and nobody is told.
        if self.threads.is_some() {
            std::panic::set_hook(Box::new(|_| {}));
        }
        let parted = catch_unwind(AssertUnwindSafe(|| self.part()));
        if !parted.unwrap_or(false) {
            std::mem::forget(self);
            return;
        }
        let threads = self.threads.take();
        drop(self);
        let (sender, ended) = mpsc::channel::<()>();
        std::thread::spawn(move || {
            drop(threads);
            drop(sender);
        });
        let _ = ended.recv_timeout(FAREWELL);
    }

    /// Steps until all have parted; false where somebody did not in time.
    fn part(&mut self) -> bool {
        let end = Instant::now() + FAREWELL;
        while self.worker.step_or_park(Some(Duration::from_millis(5))) {
            if Instant::now() >= end || self.health.lost().is_some() {
                return false;
            }
        }
        true
    }

    fn step(&mut self) {
        if let Some(packets) = &self.packets {
            packets.activate();
        }
        self.worker.step();
    }

    fn has_news(&self) -> bool {
        self.words.has_news() || self.packets.as_ref().is_some_and(Loop::has_news)
    }
}

impl Drop for Session<'_> {
    /// The threads of a network that broke sleep for good, and so would whoever waits for them. Only [`Session::finish`] does.
    fn drop(&mut self) {
        std::mem::forget(self.threads.take());
    }
}

impl Exchange for Session<'_> {
    fn number(&self) -> usize {
        self.number
    }

    fn processes(&self) -> usize {
        self.count
    }

    fn begin(&mut self) {
        self.packets = Some(Loop::build(&mut self.worker));
        self.step();
    }

    fn send(&mut self, to: usize, packet: Vec<u8>) {
        if let Some(packets) = &self.packets {
            packets.send(Packet::new(self.number, to, packet));
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        Some(self.packets.as_ref()?.receive()?.into_bytes())
    }

    fn tell(&mut self, to: usize, word: Vec<u8>) {
        self.words.say(Packet::new(self.number, to, word));
    }

    fn told(&mut self) -> Option<(usize, Vec<u8>)> {
        if let Some(early) = self.early.pop_front() {
            return Some(early);
        }
        let packet = self.words.hear()?;
        Some((packet.from, packet.into_bytes()))
    }

    fn put_back(&mut self, from: usize, word: Vec<u8>) {
        self.early.push_back((from, word));
    }

    fn turn(&mut self, wait: Duration) -> Result<(), Lost> {
        self.step();
        if !wait.is_zero() && !self.has_news() {
            self.worker.step_or_park(Some(wait));
            self.step();
        }
        match self.health.lost() {
            Some(lost) => Err(lost),
            None => Ok(()),
        }
    }

    fn idle(&mut self) {
        if let Some(packets) = &self.packets {
            packets.idle();
        }
    }

    fn is_over(&self) -> bool {
        self.packets.as_ref().is_none_or(Loop::is_over)
    }

    fn pause(&mut self) {
        if let Some(packets) = &self.packets {
            packets.pause();
        }
    }

    fn pauses(&self) -> bool {
        self.packets.as_ref().is_some_and(Loop::pauses)
    }

    fn is_still(&self) -> bool {
        self.packets.as_ref().is_some_and(Loop::is_still)
    }

    fn resume(&mut self) {
        if let Some(packets) = &self.packets {
            packets.resume();
        }
    }

    fn processor(&self) -> Duration {
        processor()
    }

    fn observe(&mut self, shares: &[ProcessShare]) {
        (self.observe)(shares);
    }
}

/// The processor time of this process.
#[cfg(unix)]
fn processor() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
fn processor() -> Duration {
    Duration::ZERO
}

/// As many processes as asked for, as threads of this one that send each other bytes: for tests. Each does `work`.
pub fn threads<T: Send>(count: usize, work: impl Fn(&mut Session<'_>) -> T + Sync) -> Vec<T> {
    let refill = BytesRefill {
        logic: Arc::new(|size| Box::new(vec![0; size])),
        limit: None,
    };
    let builders = ProcessBuilder::new_bytes_vector(count, refill, None);
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (builders.into_iter())
            .map(|builder| {
                scope.spawn(move || {
                    let allocator = Allocator::Process(builder.build());
                    let observe = Box::new(|_: &[ProcessShare]| {});
                    let mut session = Session::of(allocator, Arc::default(), observe);
                    let result = work(&mut session);
                    session.finish();
                    result
                })
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, T>| {
            (thread.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    })
}
