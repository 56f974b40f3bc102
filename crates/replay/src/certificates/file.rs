//! The file format of certificates: binary, versioned, with a checksum at the end.
//!
//! `MERKHET-CERT` `\n`, then everything in variable-length integers (seven bits a byte, low first; signed ones
//! zig-zag): version, fingerprint (8 bytes), query text (length, UTF-8), numbers of processes, cells and clocks, the
//! bounds (each after a byte 1; ended by 0), the entries (each after a byte 1; ended by 0: locations, cells, bounds
//! index + 1 or 0, zones, each after a byte 1 and ended by 0), and eight bytes of checksum over all that precedes. In
//! version 2 a byte follows the cells of an entry: 1 and the largest values of the cells, or 0. In version 3 the ranked
//! zones follow the entries, in the same form. In version 4 there follow the ends of each measure (after a byte 1; ended by 0:
//! for the smallest and the largest value 0, or 1 or 2 for one that is reached or not, and the value) and the runs (each after
//! a byte 1; ended by 0: scale, steps, each after a byte 1 and ended by 0: delay, number of edges, process and edge of each;
//! and the last delay).
//! Version 5 is what is written: behind its number stands a zlib stream (RFC 1950) of all that follows the magic word in
//! one of the others. Zones repeat their bounds, so that little is left of them; and a stranger's program reads it with
//! the library that every language has.
//!
//! A file that was cut off or damaged does not read. Nothing is allocated ahead of the bytes that fill it: memory is
//! bounded by a multiple of the file's length, small but for zlib, which may unfold a byte to a thousand.

use std::fmt;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use merkhet_network::{EdgeId, Ending, ProcessId, Step, Trace, Transition};

use crate::certificates::certificate::{Certificate, ClockBounds, End, Ends, Entry};
use crate::certificates::fingerprint::Fnv;

/// How every certificate begins.
pub const MAGIC: &[u8; 13] = b"MERKHET-CERT\n";
const PLAIN: u64 = 1;
/// With boxes.
const BOXES: u64 = 2;
/// With ranked zones.
const RANKED: u64 = 3;
/// With the ends of ranges.
const VALUES: u64 = 4;
/// One of the others, compressed.
const COMPRESSED: u64 = 5;
/// More clocks, processes or cells than this are not read.
const MAX_COUNT: u64 = 1 << 20;

/// Why a certificate cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The file cannot be read.
    Io(io::Error),
    /// It is no certificate.
    NotACertificate,
    /// It was written in a version of the format that is not known here.
    Version(u64),
    /// It ends too early.
    Truncated,
    /// It contradicts itself.
    Malformed(&'static str),
    /// Its checksum is wrong.
    Checksum,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => write!(out, "cannot read the certificate: {error}"),
            ReadError::NotACertificate => out.write_str("not a certificate file"),
            ReadError::Version(version) => {
                write!(out, "certificate format version {version} is not supported")
            }
            ReadError::Truncated => out.write_str("the certificate file is cut off"),
            ReadError::Malformed(what) => write!(out, "malformed certificate file: {what}"),
            ReadError::Checksum => out.write_str("damaged certificate file: wrong checksum"),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ReadError::Truncated,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                ReadError::Malformed("what is compressed is damaged")
            }
            _ => ReadError::Io(error),
        }
    }
}

/// Writes a certificate, compressed. The writer should be buffered.
pub fn write(certificate: &Certificate, mut out: impl Write) -> io::Result<()> {
    out.write_all(MAGIC)?;
    out.write_all(&[COMPRESSED as u8])?;
    // Numbers are written byte by byte.
    let packed = BufWriter::new(ZlibEncoder::new(out, Compression::fast()));
    let packed = write_plain(certificate, packed, &[])?;
    let packed = packed
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    packed.finish()?.flush()
}

/// What follows the magic word, uncompressed. Earlier versions wrote it as it is, and counted the magic word, which stands
/// `before` it, in the checksum.
pub(crate) fn write_plain<W: Write>(
    certificate: &Certificate,
    out: W,
    before: &[u8],
) -> io::Result<W> {
    let mut out = Sink {
        out,
        sum: Fnv::new(),
    };
    out.sum.bytes(before);
    let boxes = certificate.entries.iter().any(|entry| entry.tops.is_some());
    let ranked = !certificate.ranked.is_empty();
    let values = !certificate.ends.is_empty();
    out.unsigned(match (boxes, ranked, values) {
        (true, ..) => BOXES,
        (false, true, _) => RANKED,
        (false, false, true) => VALUES,
        (false, false, false) => PLAIN,
    })?;
    out.bytes(&certificate.fingerprint.to_le_bytes())?;
    out.unsigned(certificate.query.len() as u64)?;
    out.bytes(certificate.query.as_bytes())?;
    out.unsigned(certificate.processes.into())?;
    out.unsigned(certificate.cells.into())?;
    out.unsigned(certificate.clocks.into())?;
    for bounds in &certificate.bounds {
        out.bytes(&[1])?;
        out.row(&bounds.lower, certificate.clocks as usize)?;
        out.row(&bounds.upper, certificate.clocks as usize)?;
    }
    out.bytes(&[0])?;
    out.entries(certificate, &certificate.entries, boxes)?;
    if ranked {
        out.entries(certificate, &certificate.ranked, false)?;
    } else if values && !boxes {
        out.ends(&certificate.ends)?;
        out.runs(&certificate.runs)?;
    }
    let sum = out.sum.value();
    out.out.write_all(&sum.to_le_bytes())?;
    Ok(out.out)
}

fn check_len(found: usize, expected: usize) -> io::Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("certificate with a row of {found} numbers in place of {expected}"),
    ))
}

struct Sink<W> {
    out: W,
    sum: Fnv,
}

impl<W: Write> Sink<W> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.bytes(bytes);
        self.out.write_all(bytes)
    }

    fn unsigned(&mut self, mut value: u64) -> io::Result<()> {
        let mut buffer = [0u8; 10];
        let mut length = 0;
        loop {
            let low = (value & 0x7f) as u8;
            value >>= 7;
            buffer[length] = low | if value == 0 { 0 } else { 0x80 };
            length += 1;
            if value == 0 {
                return self.bytes(&buffer[..length]);
            }
        }
    }

    fn entries(
        &mut self,
        certificate: &Certificate,
        entries: &[Entry],
        boxes: bool,
    ) -> io::Result<()> {
        for entry in entries {
            self.bytes(&[1])?;
            check_len(entry.locations.len(), certificate.processes as usize)?;
            for &location in &entry.locations {
                self.unsigned(location.into())?;
            }
            self.row(&entry.cells, certificate.cells as usize)?;
            if boxes {
                self.bytes(&[entry.tops.is_some().into()])?;
                if let Some(tops) = &entry.tops {
                    self.row(tops, certificate.cells as usize)?;
                }
            }
            self.unsigned(entry.bounds.map_or(0, |index| u64::from(index) + 1))?;
            for zone in &entry.zones {
                self.bytes(&[1])?;
                self.row(zone, certificate.zone_len())?;
            }
            self.bytes(&[0])?;
        }
        self.bytes(&[0])
    }

    fn ends(&mut self, ends: &[Ends]) -> io::Result<()> {
        for ends in ends {
            self.bytes(&[1])?;
            for end in [ends.low, ends.high] {
                match end {
                    None => self.bytes(&[0])?,
                    Some(End::Reached(value)) => {
                        self.bytes(&[1])?;
                        self.signed(value)?;
                    }
                    Some(End::NotReached(value)) => {
                        self.bytes(&[2])?;
                        self.signed(value)?;
                    }
                }
            }
        }
        self.bytes(&[0])
    }

    fn runs(&mut self, runs: &[Trace]) -> io::Result<()> {
        for run in runs {
            self.bytes(&[1])?;
            self.signed(run.scale)?;
            for step in &run.steps {
                self.bytes(&[1])?;
                self.signed(step.delay)?;
                self.unsigned(step.transition.edges.len() as u64)?;
                for (process, edge) in &step.transition.edges {
                    self.unsigned(process.index() as u64)?;
                    self.unsigned(edge.index() as u64)?;
                }
            }
            self.bytes(&[0])?;
            self.signed(run.last_delay)?;
        }
        self.bytes(&[0])
    }

    /// A number of at most 62 bits.
    fn signed(&mut self, value: i64) -> io::Result<()> {
        let code = ((value << 1) ^ (value >> 63)) as u64;
        match code >> 63 {
            0 => self.unsigned(code),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "certificate with a number that is too large",
            )),
        }
    }

    fn row(&mut self, row: &[i32], expected: usize) -> io::Result<()> {
        check_len(row.len(), expected)?;
        for &value in row {
            // Bounds of zones cluster around 0 and infinity: infinity gets the shortest code.
            let code = match value {
                i32::MAX => 0,
                _ => {
                    let value = i64::from(value);
                    (((value << 1) ^ (value >> 63)) as u64) + 1
                }
            };
            self.unsigned(code)?;
        }
        Ok(())
    }
}

/// Reads a certificate. The reader should be buffered.
pub fn read(input: impl Read) -> Result<Certificate, ReadError> {
    CertificateReader::open(input)?.whole()
}

/// A certificate that is read bit by bit.
pub struct CertificateReader<R: Read> {
    version: u64,
    /// All but the states.
    head: Certificate,
    input: Source<Input<R>>,
    /// Whether all states were read.
    ended: bool,
}

impl<R: Read> CertificateReader<R> {
    /// Reads what precedes the states.
    pub fn open(mut input: R) -> Result<CertificateReader<R>, ReadError> {
        let mut magic = [0u8; MAGIC.len()];
        input
            .read_exact(&mut magic)
            .map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => ReadError::NotACertificate,
                _ => error.into(),
            })?;
        if &magic != MAGIC {
            return Err(ReadError::NotACertificate);
        }
        let mut input = Source {
            input: Input::Plain(input),
            sum: Fnv::new(),
        };
        let mut version = input.unsigned()?;
        if version == COMPRESSED {
            let Input::Plain(packed) = input.input else {
                return Err(ReadError::Malformed("compressed twice"));
            };
            let packed = ZlibDecoder::new(BufReader::new(packed));
            input = Source {
                input: Input::Packed(BufReader::new(packed)),
                sum: Fnv::new(),
            };
            version = input.unsigned()?;
        } else {
            // In the first versions the magic word counts in the checksum.
            input.sum = Fnv::new();
            input.sum.bytes(MAGIC);
            input.sum.bytes(&[version as u8]);
        }
        if ![PLAIN, BOXES, RANKED, VALUES].contains(&version) {
            return Err(ReadError::Version(version));
        }
        let mut head = Certificate {
            fingerprint: u64::from_le_bytes(input.array()?),
            query: input.text()?,
            processes: input.count()?,
            cells: input.count()?,
            clocks: input.count()?,
            bounds: Vec::new(),
            entries: Vec::new(),
            ranked: Vec::new(),
            ends: Vec::new(),
            runs: Vec::new(),
        };
        let clocks = head.clocks as usize;
        while input.more()? {
            head.bounds.push(ClockBounds {
                lower: input.row(clocks)?,
                upper: input.row(clocks)?,
            });
        }
        Ok(CertificateReader {
            version,
            head,
            input,
            ended: false,
        })
    }

    /// The certificate without its states.
    pub fn head(&self) -> &Certificate {
        &self.head
    }

    /// Whether its states are boxes.
    pub(crate) fn has_boxes(&self) -> bool {
        self.version == BOXES
    }

    /// The next state, if there is one more.
    pub(crate) fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        if self.ended || !self.input.more()? {
            self.ended = true;
            return Ok(None);
        }
        let boxes = self.has_boxes();
        self.input.entry(&self.head, boxes).map(Some)
    }

    /// The certificate with all states that were not read yet, and what follows them to the end of the file.
    pub(crate) fn whole(mut self) -> Result<Certificate, ReadError> {
        while let Some(entry) = self.next_entry()? {
            self.head.entries.push(entry);
        }
        let CertificateReader {
            version,
            head: mut certificate,
            mut input,
            ..
        } = self;
        while version == RANKED && input.more()? {
            let entry = input.entry(&certificate, false)?;
            certificate.ranked.push(entry);
        }
        if version == VALUES {
            while input.more()? {
                certificate.ends.push(Ends {
                    low: input.end()?,
                    high: input.end()?,
                });
            }
            while input.more()? {
                certificate.runs.push(input.run()?);
            }
        }
        let sum = input.sum.value();
        if u64::from_le_bytes(input.array()?) != sum {
            return Err(ReadError::Checksum);
        }
        match input.input.ends()? {
            true => Ok(certificate),
            false => Err(ReadError::Malformed("something follows the end")),
        }
    }
}

/// The bytes of a certificate.
enum Input<R: Read> {
    Plain(R),
    Packed(BufReader<ZlibDecoder<BufReader<R>>>),
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::Plain(input) => input.read(buffer),
            Input::Packed(input) => input.read(buffer),
        }
    }
}

impl<R: Read> Input<R> {
    /// Whether nothing follows, neither in what is compressed nor behind it.
    fn ends(mut self) -> io::Result<bool> {
        let mut extra = [0u8; 1];
        if self.read(&mut extra)? != 0 {
            return Ok(false);
        }
        match self {
            Input::Plain(_) => Ok(true),
            Input::Packed(input) => {
                let mut behind = input.into_inner().into_inner();
                Ok(behind.fill_buf()?.is_empty())
            }
        }
    }
}

struct Source<R> {
    input: R,
    sum: Fnv,
}

impl<R: Read> Source<R> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let mut bytes = [0u8; N];
        self.input.read_exact(&mut bytes)?;
        self.sum.bytes(&bytes);
        Ok(bytes)
    }

    fn unsigned(&mut self) -> Result<u64, ReadError> {
        let mut value = 0u64;
        for shift in (0..63).step_by(7) {
            let [byte] = self.array()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(ReadError::Malformed("number too long"))
    }

    fn signed(&mut self) -> Result<i64, ReadError> {
        let code = self.unsigned()?;
        Ok((code >> 1) as i64 ^ -((code & 1) as i64))
    }

    fn end(&mut self) -> Result<Option<End>, ReadError> {
        Ok(match self.array()? {
            [0] => None,
            [1] => Some(End::Reached(self.signed()?)),
            [2] => Some(End::NotReached(self.signed()?)),
            _ => return Err(ReadError::Malformed("unknown end")),
        })
    }

    fn run(&mut self) -> Result<Trace, ReadError> {
        let scale = self.signed()?;
        let mut steps = Vec::new();
        while self.more()? {
            let delay = self.signed()?;
            let mut edges = Vec::new();
            for _ in 0..self.count()? {
                let (process, edge) = (self.count()?, self.count()?);
                edges.push((ProcessId(process), EdgeId(edge)));
            }
            steps.push(Step {
                delay,
                transition: Transition { edges },
            });
        }
        Ok(Trace {
            scale,
            steps,
            last_delay: self.signed()?,
            ending: Ending::State,
        })
    }

    fn count(&mut self) -> Result<u32, ReadError> {
        match self.unsigned()? {
            count if count <= MAX_COUNT => Ok(count as u32),
            _ => Err(ReadError::Malformed("number too large")),
        }
    }

    fn more(&mut self) -> Result<bool, ReadError> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(ReadError::Malformed("unknown record")),
        }
    }

    fn text(&mut self) -> Result<String, ReadError> {
        let length = self.unsigned()?;
        let mut bytes = Vec::new();
        for _ in 0..length {
            bytes.extend(self.array::<1>()?);
        }
        String::from_utf8(bytes).map_err(|_| ReadError::Malformed("text is not UTF-8"))
    }

    fn row(&mut self, length: usize) -> Result<Vec<i32>, ReadError> {
        let mut row = Vec::new();
        for _ in 0..length {
            row.push(match self.unsigned()? {
                0 => i32::MAX,
                code => {
                    let code = code - 1;
                    let value = (code >> 1) as i64 ^ -((code & 1) as i64);
                    i32::try_from(value).map_err(|_| ReadError::Malformed("number too large"))?
                }
            });
        }
        Ok(row)
    }

    fn entry(&mut self, certificate: &Certificate, boxes: bool) -> Result<Entry, ReadError> {
        let mut locations = Vec::new();
        for _ in 0..certificate.processes {
            locations.push(
                u32::try_from(self.unsigned()?)
                    .map_err(|_| ReadError::Malformed("number too large"))?,
            );
        }
        let cells = self.row(certificate.cells as usize)?;
        let tops = match boxes && self.more()? {
            true => Some(self.row(certificate.cells as usize)?),
            false => None,
        };
        let bounds = match self.unsigned()? {
            0 => None,
            index if index <= certificate.bounds.len() as u64 => Some((index - 1) as u32),
            _ => return Err(ReadError::Malformed("bounds that do not exist")),
        };
        let mut zones = Vec::new();
        while self.more()? {
            zones.push(self.row(certificate.zone_len())?);
        }
        Ok(Entry {
            locations,
            cells,
            tops,
            bounds,
            zones,
        })
    }
}
