//! How the processes of a search find each other.
//!
//! Each listens at its own address and connects to those before it in the list. Before anything else they tell each other who they
//! are and what they are about; what is not about the same model, with the same options, by the same program, takes no part.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::hosts::Hosts;
use crate::stream::{Health, Watched};

/// What all processes have to have in common, as digests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// The program.
    pub program: u64,
    /// The model and the queries.
    pub model: u64,
    /// The options.
    pub options: u64,
}

impl Plan {
    /// The first thing in which another process differs, in a sentence about it.
    fn difference(self, other: Plan) -> Option<&'static str> {
        let Plan {
            program,
            model,
            options,
        } = self;
        if program != other.program {
            Some("is another version of this program; use the same file everywhere")
        } else if model != other.model {
            Some("has another model or other queries")
        } else if options != other.options {
            Some("was started with other options")
        } else {
            None
        }
    }
}

const MAGIC: &[u8; 16] = b"merkhet cluster1";
const LENGTH: usize = 16 + 5 * 8;

/// The time for another process to say who it is, once it is connected.
const GREETING: Duration = Duration::from_secs(10);
const AGAIN: Duration = Duration::from_millis(50);

/// What a process says first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Greeting {
    number: u64,
    count: u64,
    plan: Plan,
}

impl Greeting {
    fn bytes(self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..16].copy_from_slice(MAGIC);
        let Plan {
            program,
            model,
            options,
        } = self.plan;
        let numbers = [self.number, self.count, program, model, options];
        for (place, number) in bytes[16..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn of(bytes: &[u8; LENGTH]) -> Option<Greeting> {
        let numbers = bytes.strip_prefix(MAGIC)?;
        let number = |index: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&numbers[index * 8..][..8]);
            u64::from_le_bytes(word)
        };
        Some(Greeting {
            number: number(0),
            count: number(1),
            plan: Plan {
                program: number(2),
                model: number(3),
                options: number(4),
            },
        })
    }
}

/// Connections to all others, by process; none to itself.
pub(crate) type Connections = Vec<Option<Watched>>;

/// A process on its way to be connected.
struct Meeting<'a> {
    hosts: &'a Hosts,
    own: Greeting,
    end: Instant,
    wait: Duration,
    cancelled: &'a dyn Fn() -> bool,
    found: Vec<Option<TcpStream>>,
}

/// Connects a process with all others, which have this long to come.
pub(crate) fn connect(
    hosts: &Hosts,
    number: usize,
    plan: Plan,
    wait: Duration,
    cancelled: &dyn Fn() -> bool,
    health: &Arc<Health>,
) -> Result<Connections, String> {
    let count = hosts.0.len();
    let mut meeting = Meeting {
        hosts,
        own: Greeting {
            number: number as u64,
            count: count as u64,
            plan,
        },
        end: Instant::now() + wait,
        wait,
        cancelled,
        found: (0..count).map(|_| None).collect(),
    };
    let listener = match number + 1 < count {
        true => Some(meeting.listen(number)?),
        false => None,
    };
    loop {
        meeting.call(number)?;
        if let Some(listener) = &listener {
            meeting.answer(listener, number)?;
        }
        let missing = |(other, found): (usize, &Option<TcpStream>)| {
            (other != number && found.is_none()).then_some(other)
        };
        let Some(missing) = meeting.found.iter().enumerate().find_map(missing) else {
            break;
        };
        meeting.go_on(missing)?;
        std::thread::sleep(AGAIN);
    }
    let watched = (meeting.found.into_iter().enumerate()).map(|(process, stream)| {
        let watch = |stream| Watched::new(stream, process, &hosts.0[process], health);
        stream.map(watch).transpose()
    });
    let watched: io::Result<_> = watched.collect();
    watched.map_err(|error| format!("cannot set up a connection: {error}"))
}

impl Meeting<'_> {
    fn listen(&self, number: usize) -> Result<TcpListener, String> {
        let address = &self.hosts.0[number];
        // The name may be that of this host as others see it.
        let port = address.rsplit_once(':').map_or("", |(_, port)| port);
        let bound = TcpListener::bind(address.as_str()).or_else(|error| match error.kind() {
            ErrorKind::AddrNotAvailable => TcpListener::bind(format!("0.0.0.0:{port}")),
            _ => Err(error),
        });
        let listener = bound.map_err(|error| format!("cannot listen at {address}: {error}"))?;
        let set = listener.set_nonblocking(true);
        set.map_err(|error| format!("cannot listen at {address}: {error}"))?;
        Ok(listener)
    }

    /// Whether there is still time.
    fn go_on(&self, missing: usize) -> Result<(), String> {
        if (self.cancelled)() {
            return Err("interrupted while the processes were connecting".into());
        }
        if Instant::now() < self.end {
            return Ok(());
        }
        Err(format!(
            "process {missing} at {} has not come within {} s; --wait gives it longer",
            self.hosts.0[missing],
            self.wait.as_secs()
        ))
    }

    /// Connects to the processes before this one.
    fn call(&mut self, number: usize) -> Result<(), String> {
        for other in 0..number {
            if self.found[other].is_some() {
                continue;
            }
            let address = &self.hosts.0[other];
            let addresses = match address.to_socket_addrs() {
                Ok(addresses) => addresses,
                // A name may become known only when its host is up.
                Err(error) if Instant::now() >= self.end => {
                    return Err(format!("cannot find {address}: {error}"));
                }
                Err(_) => continue,
            };
            for address in addresses {
                let Ok(mut stream) = TcpStream::connect_timeout(&address, Duration::from_secs(2))
                else {
                    continue;
                };
                if stream.write_all(&self.own.bytes()).is_err() {
                    continue;
                }
                match greeting(&mut stream) {
                    Some(theirs) => {
                        self.compare(theirs, Some(other))?;
                        self.found[other] = Some(stream);
                        break;
                    }
                    // It has gone, or is something else.
                    None => continue,
                }
            }
        }
        Ok(())
    }

    /// Takes the connections of the processes behind this one.
    fn answer(&mut self, listener: &TcpListener, number: usize) -> Result<(), String> {
        loop {
            let mut stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(format!("cannot take a connection: {error}")),
            };
            // Whoever says nothing sensible is not one of us.
            let _ = stream.set_nonblocking(false);
            let Some(theirs) = greeting(&mut stream) else {
                continue;
            };
            let _ = stream.write_all(&self.own.bytes());
            self.compare(theirs, None)?;
            let other = theirs.number as usize;
            let place = self.found.get_mut(other).filter(|_| other > number);
            match place {
                Some(place @ None) => *place = Some(stream),
                _ => return Err(format!("two processes say that they are number {other}")),
            }
        }
    }

    fn compare(&self, theirs: Greeting, expected: Option<usize>) -> Result<(), String> {
        let other = theirs.number;
        let is = |why: String| Err(format!("process {other} {why}"));
        if theirs.count != self.own.count {
            return is(format!(
                "has a list of {} hosts, and this one of {}",
                theirs.count, self.own.count
            ));
        }
        if let Some(expected) = expected.filter(|expected| *expected as u64 != other) {
            return is(format!("answers at the address of process {expected}"));
        }
        match self.own.plan.difference(theirs.plan) {
            Some(difference) => is(difference.to_owned()),
            None => Ok(()),
        }
    }
}

/// What the other side says first; nothing if that is not what a process says.
fn greeting(stream: &mut TcpStream) -> Option<Greeting> {
    stream.set_read_timeout(Some(GREETING)).ok()?;
    let mut bytes = [0; LENGTH];
    stream.read_exact(&mut bytes).ok()?;
    Greeting::of(&bytes)
}

#[cfg(test)]
mod tests {
    use super::{Greeting, Plan};

    #[test]
    fn greetings_come_back_and_others_are_not_understood() {
        let greeting = Greeting {
            number: 3,
            count: 7,
            plan: Plan {
                program: 1,
                model: u64::MAX,
                options: 5,
            },
        };
        let mut bytes = greeting.bytes();
        assert_eq!(Greeting::of(&bytes), Some(greeting));
        bytes[0] = b'G';
        assert_eq!(Greeting::of(&bytes), None);
    }

    #[test]
    fn what_differs_is_said() {
        let plan = Plan::default();
        let other = |program, model, options| Plan {
            program,
            model,
            options,
        };
        let word =
            |plan: Option<&str>| plan.map(|text| text.split(' ').next_back().map(str::to_owned));
        assert_eq!(word(plan.difference(plan)), None);
        for (other, last) in [
            (other(1, 1, 1), "everywhere"),
            (other(0, 1, 1), "queries"),
            (other(0, 0, 1), "options"),
        ] {
            assert_eq!(word(plan.difference(other)), Some(Some(last.to_owned())));
        }
    }
}
