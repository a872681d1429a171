//! Panics are faults of Lockstep: they are caught, told in one line, and the other kernels go on.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// The last panic of this thread, with its place.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on a panic prints nothing by itself; [`guarded`] hands it on.
pub fn keep_panics_quiet() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |location| format!(" ({location})"));
        let message = format!("{}{place}", text(info.payload()));
        LAST.with(|last| *last.borrow_mut() = Some(message));
    }));
}

/// Runs `work`; the message of its panic if it panics.
///
/// What `work` changes must not be used after a panic: callers hand in shared references and get the result back.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        // A panic on another thread that was carried over here has its place only there.
        LAST.with(|last| last.borrow_mut().take()).unwrap_or_else(|| text(&*payload))
    })
}

/// Panics in debug builds if `LOCKSTEP_FAULT` names this kernel: how the tests see what a fault does to the others.
pub fn on_purpose(kernel: &str) {
    if cfg!(debug_assertions) && std::env::var("LOCKSTEP_FAULT").is_ok_and(|name| name == kernel) {
        panic!("a fault on purpose");
    }
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
