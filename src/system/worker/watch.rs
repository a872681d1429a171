//! Waits for messages of workers while their limits are watched.

use std::io::{self, PipeReader, Read as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use serde::de::DeserializeOwned;

use super::{Channel, End, Worker, signals};

/// The interval at which the memory of workers is checked.
const EVERY: Duration = Duration::from_millis(50);

/// An event.
#[derive(Debug)]
pub enum News<T> {
    /// The worker of this index sent a message.
    Message(usize, T),
    /// The worker of this index has ended, and all its messages were received.
    Ended(usize, End),
    /// The parent of this process sent a message.
    FromParent(T),
    /// The parent closed the connection.
    ParentGone,
    /// This process was asked to stop.
    Interrupted(i32),
    /// Nothing happened in the given time.
    Nothing,
}

/// A worker's connection to its parent, for a worker that also listens to workers of its own.
#[derive(Debug)]
pub struct Mailbox {
    channel: Channel,
    received: Vec<u8>,
}

impl Mailbox {
    /// Makes messages of the parent news from now on.
    pub fn new(channel: Channel) -> Self {
        Self { channel, received: Vec::new() }
    }

    /// The connection, to send messages.
    pub fn channel(&mut self) -> &mut Channel {
        &mut self.channel
    }
}

/// Waits for the next event, at most for this time. `None` stands for a worker that has ended
/// before.
///
/// A message that is not a `T` ends the worker that sent it, because its state is corrupt.
pub fn next_news<T: DeserializeOwned>(
    workers: &mut [Option<Worker>],
    mut parent: Option<&mut Mailbox>,
    at_most: Duration,
) -> News<T> {
    let until = Instant::now() + at_most;
    loop {
        if let Some(signal) = signals::received() {
            return News::Interrupted(signal);
        }
        if let Some(mailbox) = parent.as_deref_mut()
            && let Some(message) = take_message(&mut mailbox.received)
        {
            return serde_json::from_slice(&message).map_or(News::ParentGone, News::FromParent);
        }
        for (index, slot) in workers.iter_mut().enumerate() {
            if let Some(worker) = slot
                && let Some(message) = take_message(&mut worker.received)
            {
                match serde_json::from_slice(&message) {
                    Ok(message) => return News::Message(index, message),
                    Err(_) => worker.kill(End::Exited(1)),
                }
            }
        }
        let now = Instant::now();
        for worker in workers.iter_mut().flatten() {
            if let Some(excess) = worker.excess(now) {
                worker.kill(excess);
            }
        }
        let next = workers.iter().flatten().filter_map(|worker| worker.limits.deadline).min();
        let watched = workers.iter().flatten().any(|worker| worker.limits.memory_bytes.is_some());
        let mut wake = until.min(next.unwrap_or(until));
        if watched {
            wake = wake.min(now + EVERY);
        }
        let ready = wait(workers, parent.as_deref(), wake.saturating_duration_since(now));
        if ready.parent
            && let Some(mailbox) = parent.as_deref_mut()
            && receive(&mailbox.channel.reader, &mut mailbox.received) == Received::Closed
        {
            return News::ParentGone;
        }
        for index in ready.workers {
            let Some(worker) = &mut workers[index] else { continue };
            if receive(&worker.channel.reader, &mut worker.received) == Received::Closed
                && !has_message(&worker.received)
            {
                let end = worker.ended();
                return News::Ended(index, end);
            }
        }
        if Instant::now() >= until {
            return News::Nothing;
        }
    }
}

#[derive(Default)]
struct Ready {
    workers: Vec<usize>,
    parent: bool,
}

/// Waits until a process has sent something.
fn wait(workers: &[Option<Worker>], parent: Option<&Mailbox>, at_most: Duration) -> Ready {
    let present: Vec<(usize, BorrowedFd<'_>)> = workers
        .iter()
        .enumerate()
        .filter_map(|(index, worker)| worker.as_ref().map(|worker| (index, worker.as_fd())))
        .collect();
    let mut all: Vec<PollFd<'_>> = present.iter().map(|(_, fd)| PollFd::new(*fd, PollFlags::POLLIN)).collect();
    if let Some(mailbox) = parent {
        all.push(PollFd::new(mailbox.channel.reader.as_fd(), PollFlags::POLLIN));
    }
    if let Some(signals) = signals::wake() {
        all.push(PollFd::new(signals, PollFlags::POLLIN));
    }
    // The time is rounded up, so as not to wake early and find nothing.
    let milliseconds = u16::try_from(at_most.as_micros().div_ceil(1000)).unwrap_or(u16::MAX);
    match poll(&mut all, PollTimeout::from(milliseconds)) {
        Ok(_) => {}
        Err(Errno::EINTR) => return Ready::default(),
        // Waiting failed: polling every worker is correct, but busier.
        Err(_) => std::thread::sleep(at_most.min(EVERY)),
    }
    let is_ready = |fd: &PollFd<'_>| fd.any().unwrap_or(true);
    Ready {
        workers: present.iter().zip(&all).filter(|(_, fd)| is_ready(fd)).map(|((index, _), _)| *index).collect(),
        parent: parent.is_some() && all.get(present.len()).is_some_and(is_ready),
    }
}

#[derive(PartialEq, Eq)]
enum Received {
    Open,
    Closed,
}

/// Takes some of the available data, or the end of the stream: the rest is there the next time.
fn receive(mut stream: &PipeReader, received: &mut Vec<u8>) -> Received {
    let mut buffer = [0; 1 << 14];
    loop {
        return match stream.read(&mut buffer) {
            Ok(0) => Received::Closed,
            Ok(count) => {
                received.extend_from_slice(&buffer[..count]);
                Received::Open
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => Received::Closed,
        };
    }
}

/// The length of the first message, if it is complete.
fn message_length(received: &[u8]) -> Option<usize> {
    let length: [u8; 4] = received.get(..4)?.try_into().ok()?;
    let length = usize::try_from(u32::from_le_bytes(length)).ok()?;
    (received.len() - 4 >= length).then_some(length)
}

fn has_message(received: &[u8]) -> bool {
    message_length(received).is_some()
}

fn take_message(received: &mut Vec<u8>) -> Option<Vec<u8>> {
    let length = message_length(received)?;
    let message = received[4..4 + length].to_vec();
    received.drain(..4 + length);
    Some(message)
}
