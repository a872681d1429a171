//! Worker processes: work that may hang, crash or exhaust memory happens in a fork of this process.
//!
//! A [`Worker`] is a process that runs one closure and talks to its parent in messages. The parent
//! watches its workers ([`next_news`]): it ends one that is past its deadline or above its memory
//! limit, and learns how each one ended. A crash of LLVM or Z3, a stack overflow or a lack of
//! memory therefore costs one worker and its current task, never the run.
//!
//! A fork copies everything that the closure refers to, so kernels need not be sent to the
//! processes that judge them. Only the calling thread exists in the copy, and a lock that another
//! thread held would stay locked for ever. So a process forks only while it has a single thread:
//! [`Worker::start`] checks that and refuses otherwise. Threads that were joined before are no
//! obstacle.
//!
//! A worker ends when its parent ends (`PR_SET_PDEATHSIG`). A worker that is a [`Group::New`] leads
//! a process group, which is ended as a whole: all programs that it has started end with it. A
//! [`Cleaner`] does the work that is required even if the parent itself is killed.

mod cleaner;
mod process;
pub mod signals;
mod watch;

use std::fmt;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use cleaner::Cleaner;
pub use process::{Group, Standard, Worker};
pub use watch::{Mailbox, News, next_news};

/// The resources that a worker may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The time at which it is ended.
    pub deadline: Option<Instant>,
    /// The resident bytes at which it is ended.
    pub memory_bytes: Option<u64>,
}

/// The end of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its work is done.
    Done,
    /// It exited with this status before its work was done.
    Exited(i32),
    /// This signal ended it: its own fault, or another process's decision.
    Killed(i32),
    /// It was ended at its deadline.
    OutOfTime,
    /// It was ended at its memory limit of this many bytes.
    OutOfMemory(u64),
}

impl fmt::Display for End {
    /// A clause about a worker: `was killed by signal 11 (SIGSEGV)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("ended without an answer"),
            Self::Exited(status) => write!(f, "exited with status {status}"),
            Self::Killed(signal) => match nix::sys::signal::Signal::try_from(*signal) {
                Ok(name) => write!(f, "was killed by signal {signal} ({name})"),
                Err(_) => write!(f, "was killed by signal {signal}"),
            },
            Self::OutOfTime => f.write_str("was ended at its deadline"),
            Self::OutOfMemory(bytes) => write!(f, "was ended at its memory limit of {} MiB", bytes >> 20),
        }
    }
}

/// One end of a connection between a worker and its parent.
///
/// It consists of two pipes, as there are no sockets in the sandbox.
#[derive(Debug)]
pub struct Channel {
    reader: PipeReader,
    writer: PipeWriter,
}

impl Channel {
    /// Both ends of a connection.
    fn pair() -> io::Result<[Self; 2]> {
        let [(here, there_out), (there, here_out)] = [io::pipe()?, io::pipe()?];
        Ok([Self { reader: here, writer: here_out }, Self { reader: there, writer: there_out }])
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// The other side is gone.
    pub fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        self.writer.write_all(&framed(message)?)
    }

    /// Waits for a message; `None` once the other side is gone.
    pub fn receive<T: DeserializeOwned>(&mut self) -> Option<T> {
        let mut length = [0; 4];
        self.reader.read_exact(&mut length).ok()?;
        let mut bytes = vec![0; usize::try_from(u32::from_le_bytes(length)).ok()?];
        self.reader.read_exact(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

/// A message preceded by its length.
fn framed(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let bytes = serde_json::to_vec(message).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    Ok([&length.to_le_bytes(), &bytes[..]].concat())
}
