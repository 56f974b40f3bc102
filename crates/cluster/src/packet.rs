//! What travels: bytes for one process.

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// Bytes from one process to another; by default nothing.
#[derive(Default)]
pub struct Packet {
    pub from: usize,
    pub to: usize,
    content: Content,
}

/// The bytes: those of the sender, or a part of what was received.
#[derive(Default)]
enum Content {
    #[default]
    None,
    Own(Vec<u8>),
    Shared(Bytes, usize),
}

impl Packet {
    pub fn new(from: usize, to: usize, bytes: Vec<u8>) -> Packet {
        let content = Content::Own(bytes);
        Packet { from, to, content }
    }

    pub fn into_bytes(self) -> Vec<u8> {
        match self.content {
            Content::None => Vec::new(),
            Content::Own(bytes) => bytes,
            Content::Shared(bytes, length) => bytes[..length].to_vec(),
        }
    }

    fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::None => &[],
            Content::Own(bytes) => bytes,
            Content::Shared(bytes, length) => &bytes[..*length],
        }
    }
}

impl Accountable for Packet {
    fn record_count(&self) -> i64 {
        i64::from(!matches!(self.content, Content::None))
    }
}

/// Sender and length, in front of the bytes.
const HEAD: usize = 16;

impl ContainerBytes for Packet {
    fn from_bytes(mut bytes: Bytes) -> Packet {
        let head = bytes.extract_to(HEAD);
        let number = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&head[at..at + 8]);
            u64::from_le_bytes(word) as usize
        };
        let (from, length) = (number(0), number(8).min(bytes.len()));
        Packet {
            from,
            to: 0,
            content: Content::Shared(bytes, length),
        }
    }

    fn length_in_bytes(&self) -> usize {
        // Messages are to end at multiples of eight.
        HEAD + self.bytes().len().next_multiple_of(8)
    }

    fn into_bytes<W: std::io::Write>(&self, writer: &mut W) {
        let bytes = self.bytes();
        let head = [self.from as u64, bytes.len() as u64].map(u64::to_le_bytes);
        let rest = bytes.len().next_multiple_of(8) - bytes.len();
        // Room was made for it.
        let _ = writer.write_all(head.as_flattened());
        let _ = writer.write_all(bytes);
        let _ = writer.write_all(&[0; 8][..rest]);
    }
}

/// Sends each packet to its process.
pub struct ToProcess;

impl Distributor<Packet> for ToProcess {
    fn partition<T: Clone, P: Push<Message<T, Packet>>>(
        &mut self,
        packet: &mut Packet,
        time: &T,
        pushers: &mut [P],
    ) {
        let to = packet.to;
        Message::push_at(packet, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Packet>>>(&mut self, _: &T, pushers: &mut [P]) {
        pushers.iter_mut().for_each(Push::done);
    }
}
