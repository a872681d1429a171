//! Requests to stop: SIGINT, SIGTERM and SIGHUP are noted, and whoever waits for workers learns of them.

use std::io::Read as _;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use nix::sys::signal::{SigHandler, Signal, signal};

/// Those that ask a process to stop.
const ASKED: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

struct Noted {
    /// The last one, 0 if there was none.
    number: Arc<AtomicUsize>,
    wake: UnixStream,
}

static NOTED: OnceLock<Noted> = OnceLock::new();

/// Whether this process is a worker, which signals end as they end any process.
static IS_WORKER: AtomicBool = AtomicBool::new(false);

/// From now on these signals end nothing by themselves: [`received`] tells them.
///
/// # Errors
/// The system refuses.
pub fn note() -> std::io::Result<()> {
    let number = Arc::new(AtomicUsize::new(0));
    let (wake, sender) = UnixStream::pair()?;
    wake.set_nonblocking(true)?;
    for asked in ASKED {
        let raw = asked as i32;
        signal_hook::flag::register_usize(raw, Arc::clone(&number), usize::try_from(raw).unwrap_or_default())?;
        signal_hook::low_level::pipe::register(raw, sender.try_clone()?)?;
    }
    // Whoever says so twice means the same.
    let _ = NOTED.set(Noted { number, wake });
    Ok(())
}

/// The signal that asked this process to stop.
pub fn received() -> Option<i32> {
    let noted = here()?;
    let number = i32::try_from(noted.number.load(Ordering::SeqCst)).ok()?;
    if number != 0 {
        // Nobody is woken by it again.
        let _ = (&noted.wake).read(&mut [0; 16]);
    }
    (number != 0).then_some(number)
}

/// What can be read from once a signal has come.
pub(super) fn wake() -> Option<BorrowedFd<'static>> {
    here().map(|noted| noted.wake.as_fd())
}

fn here() -> Option<&'static Noted> {
    NOTED.get().filter(|_| !IS_WORKER.load(Ordering::Relaxed))
}

/// A worker is ended by these signals: it does not answer for its parent.
pub(super) fn forget() {
    IS_WORKER.store(true, Ordering::Relaxed);
    for asked in ASKED {
        // SAFETY: sets what the process started with; no handler of ours is involved.
        let _ = unsafe { signal(asked, SigHandler::SigDfl) };
    }
}
