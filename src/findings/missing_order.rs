//! `LS0122`, a **race for want of release and acquire**.
//!
//! One thread writes data and then a signal, and another thread reads the signal and then the data.
//! Both operations on the signal are relaxed, and no fence stands beside them. So neither does the
//! signal come after the data, nor do the reads of the data come after the signal.
//!
//! The report names the operations. It is a data race (`LS0101`) of which runs have shown this: if
//! the write is a release and the read an acquire, the two accesses are ordered under each schedule
//! that was tried.
//!
//! Put a fence before the write and one behind the read, or give them release and acquire order.

use super::race;

/// The stable code.
pub const CODE: &str = "LS0122";
/// The name of the kind.
pub const KIND: &str = race::KIND;
