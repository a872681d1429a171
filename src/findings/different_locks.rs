//! `LS0124`, a **race under different locks**.
//!
//! Two threads access the same bytes, each in a critical section, and the two sections are under
//! different locks: neither keeps the other out. The lock is chosen by something else than the
//! data, each group has one of its own, or one piece of code takes the wrong one.
//!
//! The report names the locks that each of the two threads holds, with the lines at which they were
//! taken. In a race between groups, these are the locks that the threads of its group hold. It is a
//! data race (`LS0101`) in a run, and in that run no lock is held for both accesses.
//!
//! Take the same lock for the same data: choose it by the index of the data.

use super::race;

/// The stable code.
pub const CODE: &str = "LS0124";
/// The name of the kind.
pub const KIND: &str = race::KIND;
