//! What has to be done when a process is gone, however it ended.

use std::io::{self, PipeWriter, Read as _};
use std::os::fd::OwnedFd;

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid, fork};

use super::process::be_single_threaded;
use super::signals;

/// A process that waits until its parent and all workers that come of it are gone, and then does its work: also where they were
/// killed and could do nothing themselves. It has no terminal, so that keys do not end it. Dropping it ends it without its work.
#[derive(Debug)]
pub struct Cleaner {
    pid: Pid,
    /// Open for as long as somebody is there.
    _line: PipeWriter,
}

impl Cleaner {
    /// Starts it.
    ///
    /// # Errors
    /// No process can be started, or this process has other threads.
    pub fn start(work: impl FnOnce()) -> io::Result<Self> {
        let (mut gone, line) = io::pipe()?;
        be_single_threaded()?;
        // SAFETY: this process has one thread, so nothing in the copy waits for a thread that it does not have.
        match unsafe { fork() }? {
            ForkResult::Parent { child } => Ok(Self { pid: child, _line: line }),
            ForkResult::Child => {
                drop(line);
                signals::ignore();
                // Without these the work is done all the same.
                let _ = nix::unistd::setsid();
                let _ = leave_streams();
                // Nothing is ever written: this is the end of the last writer.
                let _ = gone.read_to_end(&mut Vec::new());
                work();
                // SAFETY: ends the process without what its parent has registered for its own end.
                unsafe { libc::_exit(0) }
            }
        }
    }
}

/// Whoever waits for the end of what the parent prints does not wait for this process.
fn leave_streams() -> io::Result<()> {
    let nowhere = OwnedFd::from(std::fs::File::options().read(true).write(true).open("/dev/null")?);
    nix::unistd::dup2_stdin(&nowhere)?;
    nix::unistd::dup2_stdout(&nowhere)?;
    nix::unistd::dup2_stderr(&nowhere)?;
    Ok(())
}

impl Drop for Cleaner {
    fn drop(&mut self) {
        // It may have been ended by somebody else.
        let _ = kill(self.pid, Signal::SIGKILL);
        let _ = waitpid(self.pid, None);
    }
}
