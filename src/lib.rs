//! Lockstep proves GPU kernels free of data races and barrier divergence, or shows a run in which they
//! are not.
//!
//! The folders are the pipeline: [`frontend`] imports a source file as kernels, [`analysis`] computes facts about
//! them, [`lockstep`] turns one into the sequential program of two threads, [`prove`] decides it with the
//! help of [`solver`], and [`report`] tells the user. [`command`] is the command line over all of it,
//! [`suite`] runs folders of kernels with expected verdicts. [`axioms`] reads what holds of functions of which the kernels know nothing. [`techniques`] says what of it can be switched off,
//! [`deadline`] when all work on a kernel ends,
//! [`cache`] remembers what was proved before, [`sandbox`] keeps Clang and those who judge kernels from all else.

pub mod analysis;
pub mod axioms;
mod bounded;
pub mod cache;
pub mod checks;
pub mod command;
pub mod deadline;
pub mod frontend;
pub mod interpreter;
pub mod launch;
pub mod lockstep;
mod polynomial;
mod printable;
pub mod prove;
pub mod replay;
pub mod report;
pub mod sandbox;
pub mod solver;
pub mod suite;
pub mod techniques;
pub mod verdict;
pub mod version;
pub mod witness;
pub mod worker;
