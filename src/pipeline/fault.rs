//! Panics are faults of Lockstep: they are caught and reported in one line, and the other kernels
//! continue.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::solver;

/// The panics that have not been handed on: the message of each, and the message with its place. A
/// panic is carried from its thread to the one that waits for it, but its place is not.
static PANICS: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Keeps panics from printing anything by themselves; [`guarded`] hands them on.
pub fn keep_panics_quiet() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |location| format!(" ({location})"));
        let said = text(info.payload());
        let message = format!("{said}{place}");
        panics().push((said, message));
    }));
}

/// Runs `work`; returns the message of its panic if it panics.
///
/// State that `work` changes must not be used after a panic: callers pass in shared references and
/// get the result back.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let said = text(&*payload);
        let mut panics = panics();
        let place = panics.iter().position(|(other, _)| *other == said);
        place.map_or(said, |place| panics.remove(place).1)
    })
}

fn panics() -> MutexGuard<'static, Vec<(String, String)>> {
    PANICS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// In debug builds, produces the fault that `LOCKSTEP_FAULT` describes if it names this kernel.
/// Tests use it to see the effect of a fault on other kernels. `NAME` panics, `crash:NAME` ends the
/// process, `z3:NAME` makes Z3 crash, `hang:NAME` never ends, `memory:NAME` allocates memory
/// without end, `stack:NAME` overflows the stack.
pub fn on_purpose(kernel: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let Ok(asked) = std::env::var("LOCKSTEP_FAULT") else { return };
    match asked.split_once(':') {
        None => assert!(asked != kernel, "a fault on purpose"),
        Some(("crash", name)) if name == kernel => std::process::abort(),
        // SAFETY: this process is a worker that the test means to crash.
        Some(("z3", name)) if name == kernel => unsafe { solver::crash() },
        Some(("hang", name)) if name == kernel => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        Some(("memory", name)) if name == kernel => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(vec![1; 16 << 20]);
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        Some(("stack", name)) if name == kernel => {
            assert!(deep(0) > 0);
        }
        Some(_) => {}
    }
}

fn deep(depth: u64) -> u64 {
    let frame = std::hint::black_box([depth; 128]);
    // The number is never that large, but the compiler does not know.
    if std::hint::black_box(depth) == u64::MAX { depth } else { deep(depth + 1) + frame[127] }
}

fn text(payload: &(dyn Any + Send)) -> String {
    let known = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    known.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_message() {
        assert_eq!(guarded(|| 7), Ok(7));
        let message = guarded(|| -> u32 { panic!("lost {}", "count") }).unwrap_err();
        assert!(message.contains("lost count"), "{message}");
    }
}
