//! Cleaning up after a process, however it ended.

use std::io::{self, PipeWriter, Read as _};
use std::os::fd::OwnedFd;

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid, fork};

use super::process::be_single_threaded;
use super::signals;

/// A process that waits until its parent and all of the parent's workers are gone, and then does
/// its work.
///
/// It runs even if they were killed. It has a session of its own, so that neither Ctrl-C nor a
/// signal to the parent's process group ends it. Dropping a `Cleaner` ends it before it does its
/// work.
#[derive(Debug)]
pub struct Cleaner {
    pid: Pid,
    /// The write end of a pipe, held open by this process and inherited by every worker: the
    /// cleaner wakes when the last copy is closed.
    _line: PipeWriter,
}

impl Cleaner {
    /// Starts the cleaner.
    ///
    /// # Errors
    ///
    /// No process can be started, or this process has other threads.
    pub fn start(work: impl FnOnce()) -> io::Result<Self> {
        let (mut gone, line) = io::pipe()?;
        be_single_threaded()?;
        // SAFETY: this process has one thread, so nothing in the copy waits for a thread that it
        // does not have.
        match unsafe { fork() }? {
            ForkResult::Parent { child } => Ok(Self { pid: child, _line: line }),
            ForkResult::Child => {
                drop(line);
                signals::ignore();
                // The cleaner does its work even if these fail.
                let _ = nix::unistd::setsid();
                let _ = leave_streams();
                // Nothing is ever written, so this returns once the last writer has closed the
                // pipe.
                let _ = gone.read_to_end(&mut Vec::new());
                work();
                // SAFETY: ends the process without the exit handlers that its parent has
                // registered.
                unsafe { libc::_exit(0) }
            }
        }
    }
}

/// Closes the inherited streams, so that no reader of the parent's output waits for this process.
fn leave_streams() -> io::Result<()> {
    let nowhere = OwnedFd::from(std::fs::File::options().read(true).write(true).open("/dev/null")?);
    nix::unistd::dup2_stdin(&nowhere)?;
    nix::unistd::dup2_stdout(&nowhere)?;
    nix::unistd::dup2_stderr(&nowhere)?;
    Ok(())
}

impl Drop for Cleaner {
    fn drop(&mut self) {
        // An error means that the cleaner has ended already.
        let _ = kill(self.pid, Signal::SIGKILL);
        let _ = waitpid(self.pid, None);
    }
}
