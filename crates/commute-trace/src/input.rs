//! Where the bytes of a trace come from: a file or a pipe, perhaps compressed.
//!
//! Files are read, not mapped: a file that shrinks while it is read is then an
//! error to report and not a signal that ends the program.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ctr;
use crate::error::{ErrorKind, TraceError};

/// How the file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compression {
    /// Not at all (frames of binary traces are compressed on their own).
    None,
    /// gzip
    Gzip,
    /// Zstandard
    Zstd,
}

/// How events are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Text, one event a line.
    Std,
    /// Binary frames.
    Ctr,
}

/// The decompressed bytes of a trace, with what is needed to say what went wrong.
pub(crate) struct Input {
    reader: Box<dyn Read + Send>,
    pub(crate) compression: Compression,
    pub(crate) format: Format,
    /// Bytes taken from the underlying file.
    taken: Arc<AtomicU64>,
    /// The length of the file when it was opened.
    expected: Option<u64>,
}

/// Counts what passes, and retries what was interrupted.
struct Counted<R> {
    inner: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.inner.read(buffer) {
                Ok(n) => {
                    self.taken.fetch_add(n as u64, Ordering::Relaxed);
                    return Ok(n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Enough to recognise every format.
const MAGIC: usize = 8;

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Input, TraceError> {
        let cannot = |error: io::Error| TraceError::io(&error, "cannot open the trace");
        let file = File::open(path).map_err(cannot)?;
        let metadata = file.metadata().map_err(cannot)?;
        let expected = metadata.is_file().then_some(metadata.len());
        Input::recognise(file, expected)
    }

    pub(crate) fn from_reader(reader: impl Read + Send + 'static) -> Result<Input, TraceError> {
        Input::recognise(reader, None)
    }

    fn recognise(
        reader: impl Read + Send + 'static,
        expected: Option<u64>,
    ) -> Result<Input, TraceError> {
        let taken = Arc::new(AtomicU64::new(0));
        let mut input = Input {
            reader: Box::new(io::empty()),
            compression: Compression::None,
            format: Format::Std,
            taken: taken.clone(),
            expected,
        };
        let failed = |input: &Input, error| input.explain(error);
        let counted = Counted {
            inner: reader,
            taken,
        };
        let (magic, raw) = peek(counted).map_err(|error| failed(&input, error))?;
        match compression(&magic) {
            Compression::None => {
                input.format = format(&magic);
                input.reader = Box::new(raw);
                return Ok(input);
            }
            Compression::Gzip => {
                input.compression = Compression::Gzip;
                let buffered = BufReader::with_capacity(1 << 16, raw);
                input.reader = Box::new(flate2::bufread::MultiGzDecoder::new(buffered));
            }
            Compression::Zstd => {
                input.compression = Compression::Zstd;
                let buffered = BufReader::with_capacity(1 << 16, raw);
                let decoder = zstd::stream::read::Decoder::with_buffer(buffered)
                    .map_err(|error| failed(&input, error))?;
                input.reader = Box::new(decoder);
            }
        }
        let compressed = std::mem::replace(&mut input.reader, Box::new(io::empty()));
        let (magic, inner) = peek(compressed).map_err(|error| failed(&input, error))?;
        if compression(&magic) != Compression::None {
            return Err(TraceError::at_byte(
                ErrorKind::Unsupported,
                0,
                "the trace is compressed twice",
            ));
        }
        input.format = format(&magic);
        input.reader = Box::new(inner);
        Ok(input)
    }

    /// Bytes taken from the file so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Reads some bytes; 0 is the end of the trace.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, TraceError> {
        let n = match self.reader.read(buffer) {
            Ok(n) => n,
            Err(error) => return Err(self.explain(error)),
        };
        if n == 0 && !buffer.is_empty() {
            self.check_length()?;
        }
        Ok(n)
    }

    /// Reads until `buffer` is full or the trace ends; how much was read.
    pub(crate) fn read_full(&mut self, buffer: &mut [u8]) -> Result<usize, TraceError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read(&mut buffer[filled..])? {
                0 => break,
                n => filled += n,
            }
        }
        Ok(filled)
    }

    fn check_length(&self) -> Result<(), TraceError> {
        match self.expected {
            Some(expected) if self.bytes_read() < expected => {
                let taken = self.bytes_read();
                let message = "the file shrank while it was read";
                Err(
                    TraceError::at_byte(ErrorKind::Truncated, taken, message).lost(format!(
                        "it had {expected} bytes and now ends after {taken}"
                    )),
                )
            }
            _ => Ok(()),
        }
    }

    /// Tells failures of the operating system from damage of the file.
    fn explain(&self, error: io::Error) -> TraceError {
        let taken = self.bytes_read();
        let name = match self.compression {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::None => {
                return TraceError::at_byte(
                    ErrorKind::Io,
                    taken,
                    format!("cannot read the trace: {error}"),
                );
            }
        };
        if error.raw_os_error().is_some() {
            let message = format!("cannot read the trace: {error}");
            return TraceError::at_byte(ErrorKind::Io, taken, message);
        }
        if error.kind() == io::ErrorKind::UnexpectedEof {
            let message = format!("the {name} file ends too early");
            return TraceError::at_byte(ErrorKind::Truncated, taken, message)
                .lost("what follows the last whole block could not be decompressed");
        }
        let message = format!("damaged {name} data at or before this byte: {error}");
        TraceError::at_byte(ErrorKind::Corrupt, taken, message)
    }
}

/// The first bytes of `reader`, and a reader that still starts with them.
fn peek<R: Read>(reader: R) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut first = PeekReader {
        start: Vec::with_capacity(MAGIC),
        given: 0,
        reader,
    };
    let mut magic = [0; MAGIC];
    while first.start.len() < MAGIC {
        let room = MAGIC - first.start.len();
        match first.reader.read(&mut magic[..room]) {
            Ok(0) => break,
            Ok(n) => first.start.extend_from_slice(&magic[..n]),
            Err(error) => return Err(error),
        }
    }
    Ok((first.start.clone(), first))
}

struct PeekReader<R> {
    start: Vec<u8>,
    given: usize,
    reader: R,
}

impl<R: Read> Read for PeekReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.start.len() {
            return self.reader.read(buffer);
        }
        let n = (&self.start[self.given..]).read(buffer)?;
        self.given += n;
        Ok(n)
    }
}

fn compression(magic: &[u8]) -> Compression {
    if magic.starts_with(&[0x1f, 0x8b]) {
        Compression::Gzip
    } else if magic.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Compression::Zstd
    } else {
        Compression::None
    }
}

fn format(magic: &[u8]) -> Format {
    // The start of a binary trace that was cut in its first bytes is no text.
    let cut = !magic.is_empty() && ctr::MAGIC.starts_with(magic);
    if cut || magic.starts_with(&ctr::MAGIC) {
        Format::Ctr
    } else {
        Format::Std
    }
}
