//! A worker as a process: its start, its limits, and its end.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork, getppid, setpgid};
use serde::Serialize;

use super::{Channel, End, Limits, signals};

/// The status of a worker whose closure panicked.
const PANICKED: i32 = 101;

/// The time that joined threads may take to disappear.
const LAST_THREADS: Duration = Duration::from_millis(500);

/// The process group of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// One of its own, with every process that it starts.
    New,
    /// Its parent's.
    OfParent,
}

/// The destination of a worker's standard output and error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// The destination of its parent.
    Inherited,
    /// Nowhere; the last lines are kept for its parent to read if it ends badly.
    Kept,
}

/// A process that does one piece of work.
#[derive(Debug)]
pub struct Worker {
    pid: Pid,
    group: Group,
    pub(super) channel: Channel,
    /// The received part of an incomplete message.
    pub(super) received: Vec<u8>,
    pub(super) limits: Limits,
    complaints: Option<File>,
    end: Option<End>,
}

impl Worker {
    /// Starts a process that does `work` and ends.
    ///
    /// # Errors
    ///
    /// No process can be started, or this process has other threads.
    pub fn start(group: Group, standard: Standard, limits: Limits, work: impl FnOnce(Channel)) -> io::Result<Self> {
        let [here, there] = Channel::pair()?;
        let complaints = match standard {
            Standard::Inherited => None,
            Standard::Kept => Some(tempfile::tempfile()?),
        };
        let parent = nix::unistd::getpid();
        be_single_threaded()?;
        // SAFETY: this process has one thread, so nothing in the copy waits for a thread that it
        // does not have.
        match unsafe { fork() }? {
            ForkResult::Parent { child } => {
                drop(there);
                if group == Group::New {
                    // The child does the same, whichever comes first. It may have ended already.
                    let _ = setpgid(child, child);
                }
                Ok(Self { pid: child, group, channel: here, received: Vec::new(), limits, complaints, end: None })
            }
            ForkResult::Child => {
                drop(here);
                let done = panic::catch_unwind(AssertUnwindSafe(|| {
                    settle(group, parent, complaints)?;
                    work(there);
                    Ok::<(), io::Error>(())
                }));
                let status = match done {
                    Ok(Ok(())) => 0,
                    Ok(Err(_)) => 1,
                    Err(_) => PANICKED,
                };
                // SAFETY: ends the process without the exit handlers that its parent has
                // registered.
                unsafe { libc::_exit(status) }
            }
        }
    }

    /// Gives it other limits from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sends it a message.
    ///
    /// # Errors
    ///
    /// It is gone, or does not listen.
    pub fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        self.channel.send(message)
    }

    /// The memory that it has in use, if the system tells.
    pub fn resident_bytes(&self) -> Option<u64> {
        resident_bytes(self.pid)
    }

    /// Its process number.
    pub fn id(&self) -> i32 {
        self.pid.as_raw()
    }

    /// The end of its connection that can be waited for.
    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.channel.reader.as_fd()
    }

    /// The last few lines of its standard output and error.
    pub fn complaints(&mut self) -> String {
        const MOST: u64 = 4096;
        let Some(file) = &mut self.complaints else { return String::new() };
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let mut bytes = Vec::new();
        if file.seek(io::SeekFrom::Start(length.saturating_sub(MOST))).is_err()
            || file.take(MOST).read_to_end(&mut bytes).is_err()
        {
            return String::new();
        }
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// The limit that it has exceeded.
    pub(super) fn excess(&self, now: Instant) -> Option<End> {
        if self.limits.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(End::OutOfTime);
        }
        let most = self.limits.memory_bytes?;
        (resident_bytes(self.pid)? > most).then_some(End::OutOfMemory(most))
    }

    /// Ends it, with its group if it leads one. Messages sent before can still be received.
    pub(super) fn kill(&mut self, because: End) {
        if self.end.is_some() {
            return;
        }
        self.send_kill();
        self.reap();
        self.end = Some(because);
    }

    /// Its end, once its connection is closed.
    pub(super) fn ended(&mut self) -> End {
        if self.end.is_none() {
            let end = self.reap();
            self.end = Some(end);
            // The processes that it has started end with it.
            if self.group == Group::New {
                let _ = killpg(self.pid, Signal::SIGKILL);
            }
        }
        self.end.clone().unwrap_or(End::Done)
    }

    fn send_kill(&self) {
        // It may have ended by itself in the meantime.
        let _ = match self.group {
            Group::New => killpg(self.pid, Signal::SIGKILL),
            Group::OfParent => kill(self.pid, Signal::SIGKILL),
        };
    }

    fn reap(&self) -> End {
        loop {
            match waitpid(self.pid, None::<WaitPidFlag>) {
                Ok(WaitStatus::Exited(_, 0)) => return End::Done,
                Ok(WaitStatus::Exited(_, status)) => return End::Exited(status),
                Ok(WaitStatus::Signaled(_, signal, _)) => return End::Killed(signal as i32),
                Ok(_) | Err(nix::errno::Errno::EINTR) => {}
                Err(_) => return End::Exited(1),
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill(End::Killed(Signal::SIGKILL as i32));
    }
}

/// The first steps of a new worker.
fn settle(group: Group, parent: Pid, complaints: Option<File>) -> io::Result<()> {
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
    if getppid() != parent {
        // The parent ended before the signal was set up.
        return Err(io::Error::other("the parent is gone"));
    }
    if group == Group::New {
        setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
    }
    signals::forget();
    if let Some(file) = complaints {
        let file = OwnedFd::from(file);
        nix::unistd::dup2_stdout(&file)?;
        nix::unistd::dup2_stderr(&file)?;
    }
    Ok(())
}

/// Waits until joined threads are gone.
pub(super) fn be_single_threaded() -> io::Result<()> {
    let begun = Instant::now();
    loop {
        if fs::read_dir("/proc/self/task")?.count() == 1 {
            return Ok(());
        }
        if begun.elapsed() > LAST_THREADS {
            return Err(io::Error::other("a process with several threads cannot start a worker"));
        }
        std::thread::sleep(Duration::from_micros(50));
    }
}

/// The memory that a process has in use.
fn resident_bytes(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: asks for a constant of the system.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages.saturating_mul(u64::try_from(page).unwrap_or(4096)))
}
