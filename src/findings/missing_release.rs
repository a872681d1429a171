//! `LS0120`, a **race for want of a release**.
//!
//! One thread writes data and then a signal, and another thread reads the signal and then the data.
//! Nothing makes the data visible before the signal: the write of the signal releases nothing.
//!
//! The report names the write of the signal. It is a data race (`LS0101`) of which runs have shown
//! this: if that write is a release, the two accesses are ordered under each schedule that was
//! tried.
//!
//! Put `__threadfence()` or `atomic_work_item_fence` before the write, or give it release order
//! (`memory_order_release`, `st.release`).

use super::race;

/// The stable code.
pub const CODE: &str = "LS0120";
/// The name of the kind.
pub const KIND: &str = race::KIND;
