//! `LS0121`, a **race for want of an acquire**.
//!
//! One thread writes data and releases it with a signal, and another thread reads the signal and
//! then the data. Nothing keeps the second thread from reading the data too early: its read of the
//! signal does not acquire.
//!
//! The report names the read of the signal. It is a data race (`LS0101`) of which runs have shown
//! this: if that read is an acquire, the two accesses are ordered under each schedule that was
//! tried.
//!
//! Put `__threadfence()` or `atomic_work_item_fence` behind the read, or give it acquire order
//! (`memory_order_acquire`, `ld.acquire`).

use super::race;

/// The stable code.
pub const CODE: &str = "LS0121";
/// The name of the kind.
pub const KIND: &str = race::KIND;
