//! `LS0119`, a **race for a scope that is too narrow**.
//!
//! Two threads signal each other by an atomic operation or a fence whose scope does not include the
//! other thread: the scope of a block between two blocks, say. Such an operation orders nothing
//! between them, and two atomic operations then race themselves.
//!
//! The report names the operations, and the two threads with their groups. It is a data race
//! (`LS0101`) of which runs have shown this: with the scope of the device at these operations, the
//! two accesses were ordered under each schedule that was tried.
//!
//! Use `__threadfence()` in place of `__threadfence_block()`, `atomicAdd` in place of
//! `atomicAdd_block`, `cuda::thread_scope_device`, or `memory_scope_device`.

use super::race;

/// The stable code.
pub const CODE: &str = "LS0119";
/// The name of the kind.
pub const KIND: &str = race::KIND;
