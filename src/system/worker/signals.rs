//! Requests to stop: SIGINT, SIGTERM and SIGHUP are recorded, and code that waits for workers
//! learns of them.

use std::io::Read as _;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal};

/// The signals that ask a process to stop.
const ASKED: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

struct Noted {
    /// The number of the last one, 0 if there was none.
    number: Arc<AtomicUsize>,
    wake: UnixStream,
}

static NOTED: OnceLock<Noted> = OnceLock::new();

/// Whether signals have their default action in this process.
static HAS_DEFAULT_ACTIONS: AtomicBool = AtomicBool::new(false);

/// Makes writes beyond the limit on file sizes fail with a reportable error, instead of ending the
/// process.
pub fn report_file_limit() {
    // SAFETY: the handler is not a function of this program.
    let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
}

/// Makes these signals end nothing by themselves from now on: [`received`] reports them.
///
/// A signal that was ignored when the process started (`nohup`) stays ignored.
///
/// # Errors
///
/// The system refuses.
pub fn note() -> std::io::Result<()> {
    // A process that has given these signals back their default actions keeps them.
    if NOTED.get().is_some() || HAS_DEFAULT_ACTIONS.load(Ordering::Relaxed) {
        return Ok(());
    }
    let number = Arc::new(AtomicUsize::new(0));
    let (wake, sender) = UnixStream::pair()?;
    wake.set_nonblocking(true)?;
    for asked in heeded() {
        let raw = asked as i32;
        signal_hook::flag::register_usize(raw, Arc::clone(&number), usize::try_from(raw).unwrap_or_default())?;
        signal_hook::low_level::pipe::register(raw, sender.try_clone()?)?;
    }
    // No other thread can have been faster: the process has a single thread.
    let _ = NOTED.set(Noted { number, wake });
    Ok(())
}

/// The signal that asked this process to stop.
pub fn received() -> Option<i32> {
    let noted = here()?;
    let number = i32::try_from(noted.number.load(Ordering::SeqCst)).ok()?;
    if number != 0 {
        // The same signal wakes no waiter again.
        let _ = (&noted.wake).read(&mut [0; 16]);
    }
    (number != 0).then_some(number)
}

/// A descriptor that becomes readable once a signal has come.
pub(super) fn wake() -> Option<BorrowedFd<'static>> {
    here().map(|noted| noted.wake.as_fd())
}

fn here() -> Option<&'static Noted> {
    NOTED.get().filter(|_| !HAS_DEFAULT_ACTIONS.load(Ordering::Relaxed))
}

/// Restores the default action: these signals end this process from now on.
///
/// Workers call it. The supervisor calls it once it only has to print, because printing blocks
/// until the output is read.
pub fn forget() {
    HAS_DEFAULT_ACTIONS.store(true, Ordering::Relaxed);
    handle(SigHandler::SigDfl);
}

/// Ignores these signals from now on.
pub(super) fn ignore() {
    HAS_DEFAULT_ACTIONS.store(true, Ordering::Relaxed);
    handle(SigHandler::SigIgn);
}

/// The signals that were not ignored when this was first called.
fn heeded() -> impl Iterator<Item = Signal> {
    static HEEDED: OnceLock<[bool; 3]> = OnceLock::new();
    let heeded = HEEDED.get_or_init(|| ASKED.map(|asked| !is_ignored(asked)));
    ASKED.into_iter().zip(heeded).filter(|(_, heeded)| **heeded).map(|(asked, _)| asked)
}

fn is_ignored(asked: Signal) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: queries the action and changes nothing. It is written to memory with room for one,
    // which is valid in any state.
    let action = unsafe {
        if libc::sigaction(asked as i32, std::ptr::null(), action.as_mut_ptr()) != 0 {
            return false;
        }
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

fn handle(handler: SigHandler) {
    for asked in heeded() {
        // SAFETY: neither handler is a function of this program.
        let _ = unsafe { signal(asked, handler) };
    }
}

/// Blocks these signals during `work`, which must be short, such as writing a file. They act after
/// it.
pub fn held_back<T>(work: impl FnOnce() -> T) -> T {
    let mut all = SigSet::empty();
    for asked in ASKED {
        all.add(asked);
    }
    let before = all.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let done = work();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    done
}
