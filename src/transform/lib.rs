//! Transformation of a kernel into the sequential programs of two threads.
//!
//! [`analysis`] computes facts about kernels. [`lockstep`] turns a kernel into a sequential
//! program. [`rounds`] plans how named barriers are proved, [`signals`] how synchronisation through
//! memory is. [`axioms`] reads statements about functions that a kernel does not define.

pub mod analysis;
pub mod axioms;
pub mod lockstep;
pub mod rounds;
pub mod signals;
