//! `LS0125`, a **race after an unlock by others**.
//!
//! Two threads access the same bytes in critical sections under the same lock. The second could
//! take the lock because a thread that does not hold it has given it back. This happens where a
//! lock is given back twice: by the second time, another thread may hold it. It also happens where
//! a thread gives it back without having taken it, or after an attempt that has failed.
//!
//! The report names the line at which the lock is given back, and the thread that does so. It is a
//! data race (`LS0101`) in a run.
//!
//! Give a lock back once, and only where it has been taken.

use super::race;

/// The stable code.
pub const CODE: &str = "LS0125";
/// The name of the kind.
pub const KIND: &str = race::KIND;
