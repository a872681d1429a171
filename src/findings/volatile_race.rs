//! `LS0118`, a **race of volatile accesses**.
//!
//! Two threads access the same bytes by volatile accesses, at least one of them writes, and nothing
//! orders the two accesses. `volatile` makes the compiler perform each access. It gives no order
//! between threads. The thread that reads may see the old value or the new one, and data that was
//! written before need not be visible with it.
//!
//! C++ calls this a data race. In PTX it is none, because volatile accesses are relaxed atomic ones
//! there, but these give no order either. A signal that a thread waits for is not reported in a
//! kernel with fences.
//!
//! For a signal, use an atomic operation, with a fence before the write and one behind the read, or
//! `cuda::atomic_ref` with release and acquire. For data, order the accesses by a barrier, or by
//! such a signal.

use super::race;

/// The stable code.
pub const CODE: &str = "LS0118";
/// The name of the kind.
pub const KIND: &str = race::KIND;
