//! Interrupts Z3 where it overruns its time. Z3 does not check the clock everywhere, for example
//! not while it prepares a query.
//!
//! One thread watches over all checks. It interrupts the context of a check that has not ended in
//! time, again and again, as a part of Z3 may not notice the first time.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use z3_sys::{Z3_context, Z3_interrupt};

/// The time by which a check may overrun its limit before it is interrupted.
const SLACK: Duration = Duration::from_millis(40);

/// The time between two interrupts of one check.
const AGAIN: Duration = Duration::from_millis(20);

/// A context in which a check runs.
struct Running(Z3_context);

// SAFETY: the pointer is only passed to `Z3_interrupt`, which may be called from any thread, and
// only while the check runs.
unsafe impl Send for Running {}

/// The running checks, by the time at which they are to end.
#[derive(Default)]
struct Checks {
    running: BTreeMap<(Instant, u64), Running>,
    next: u64,
    has_thread: bool,
}

static CHECKS: Mutex<Checks> = Mutex::new(Checks { running: BTreeMap::new(), next: 0, has_thread: false });
static CHANGED: Condvar = Condvar::new();

fn checks() -> MutexGuard<'static, Checks> {
    CHECKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A check that is watched until this value is dropped.
pub struct Watched((Instant, u64));

/// Watches over a check in this context, which must be over by the time the result is dropped.
pub fn watch(context: &z3::Context, time: Duration) -> Option<Watched> {
    let end = Instant::now().checked_add(time.checked_add(SLACK)?)?;
    let mut checks = checks();
    if !checks.has_thread {
        // Without a thread, Z3 mostly checks the clock by itself.
        checks.has_thread = thread::Builder::new().name("watchdog".into()).spawn(interrupt_late_ones).is_ok();
    }
    let key = (end, checks.next);
    checks.next += 1;
    checks.running.insert(key, Running(context.get_z3_context()));
    let is_first = checks.running.first_key_value().is_some_and(|(first, _)| *first == key);
    drop(checks);
    if is_first {
        CHANGED.notify_one();
    }
    Some(Watched(key))
}

impl Drop for Watched {
    fn drop(&mut self) {
        checks().running.remove(&self.0);
    }
}

fn interrupt_late_ones() {
    let mut checks = checks();
    loop {
        let now = Instant::now();
        for (_, Running(context)) in checks.running.iter().take_while(|((end, _), _)| *end <= now) {
            // SAFETY: the check has not been removed, so its context is alive, and the lock
            // prevents its removal.
            unsafe { Z3_interrupt(*context) };
        }
        let wait = match checks.running.first_key_value() {
            Some(((end, _), _)) if *end > now => *end - now,
            Some(_) => AGAIN,
            None => Duration::from_hours(1),
        };
        checks = CHANGED.wait_timeout(checks, wait).unwrap_or_else(PoisonError::into_inner).0;
    }
}
