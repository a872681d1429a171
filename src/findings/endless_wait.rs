//! `LS0123`, an **endless wait**.
//!
//! A thread waits in a loop for what another thread should write, and none does: the launch never
//! ends. Nobody writes the value that is waited for, the counter of a barrier is not set back for
//! the next round, a lock is not given back on each way, or two threads wait for each other.
//!
//! A run shows it. From some point on, each thread that has not ended goes round in a loop or waits
//! at a barrier, and none of them writes anything any more. Signals are zero at first in these
//! runs. It is reported only if threads have stored to what is waited for, if the wait depends on
//! nothing else that the host passes, and if each of the launches that were tried has such a wait.
//!
//! See to it that each loop that waits gets its value in each launch, in each round, and on each
//! way through the code that should write it.

/// The stable code.
pub const CODE: &str = "LS0123";
/// The name of the kind.
pub const KIND: &str = "endless-wait";
