//! Connections that break quietly.
//!
//! Timely's threads panic where a connection breaks, which takes a process down with a message about the program instead of the
//! network, and poisons what they share with the search. So they never see it: a connection that breaks is noted, the search is
//! told at its next turn, and the thread is put to sleep for good. The process has nothing left to do but to say so and end.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use merkhet::Lost;
use socket2::{SockRef, TcpKeepalive};
use timely::communication::allocator::zero_copy::stream::Stream;

/// A host that answers nothing is taken for lost after about this time, whether there is something to send or not.
const SILENCE: Duration = Duration::from_secs(8);
const PROBE: Duration = Duration::from_secs(1);

/// What all connections of a process share.
#[derive(Default)]
pub struct Health {
    lost: Mutex<Option<Lost>>,
    /// The end was agreed on: connections are closed in order.
    closing: AtomicBool,
    pub sent: AtomicU64,
    pub received: AtomicU64,
    /// Who is told.
    listener: Mutex<Option<Thread>>,
}

impl Health {
    pub fn lost(&self) -> Option<Lost> {
        self.lost
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
    }

    pub fn listen(&self, thread: Thread) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
    }

    fn lose(&self, process: usize, why: String) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get_or_insert(Lost { process, why });
        drop(lost);
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = &*listener {
            thread.unpark();
        }
    }
}

/// A connection to another process.
pub struct Watched {
    stream: TcpStream,
    process: usize,
    address: Arc<str>,
    health: Arc<Health>,
}

impl Watched {
    pub fn new(
        stream: TcpStream,
        process: usize,
        address: &str,
        health: &Arc<Health>,
    ) -> io::Result<Watched> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        let socket = SockRef::from(&stream);
        let keepalive = TcpKeepalive::new().with_time(PROBE * 2);
        #[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd"))]
        let keepalive = keepalive.with_interval(PROBE).with_retries(5);
        socket.set_tcp_keepalive(&keepalive)?;
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(Some(SILENCE))?;
        Ok(Watched {
            stream,
            process,
            address: address.into(),
            health: Arc::clone(health),
        })
    }

    /// The connection is broken: this thread ends here.
    fn break_off(&self, why: &str) -> ! {
        let why = format!("the connection to {} is lost ({why})", self.address);
        self.health.lose(self.process, why);
        loop {
            std::thread::park();
        }
    }

    fn is_closing(&self) -> bool {
        self.health.closing.load(Ordering::SeqCst)
    }
}

fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::TimedOut => "the host does not answer".to_owned(),
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            "it was broken off".to_owned()
        }
        _ => error.to_string(),
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buffer) {
            Ok(0) if !self.is_closing() => self.break_off("the process has ended"),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.break_off(&words(&error))
            }
            result => {
                let bytes = result.as_ref().map_or(0, |bytes| *bytes as u64);
                self.health.received.fetch_add(bytes, Ordering::Relaxed);
                result
            }
        }
    }
}

impl Write for Watched {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.break_off(&words(&error))
            }
            result => {
                let bytes = result.as_ref().map_or(0, |bytes| *bytes as u64);
                self.health.sent.fetch_add(bytes, Ordering::Relaxed);
                result
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Watched> {
        Ok(Watched {
            stream: self.stream.try_clone()?,
            process: self.process,
            address: Arc::clone(&self.address),
            health: Arc::clone(&self.health),
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Who is gone already has closed it too.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
