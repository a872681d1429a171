//! Lockstep proves GPU kernels free of data races and barrier divergence, or shows a run in which they
//! are not.
//!
//! The folders are the pipeline: [`frontend`] imports a source file as kernels, [`analysis`] computes facts about
//! them, [`lockstep`] turns one into the sequential program of two threads, [`prove`] decides it with the
//! help of [`solver`], and [`report`] tells the user. [`command`] is the command line over all of it,
//! [`suite`] runs folders of kernels with expected verdicts. [`axioms`] reads what holds of functions of which the kernels know nothing. [`techniques`] says what of it can be switched off,
//! [`deadline`] when all work on a kernel ends,
//! [`cache`] remembers what was proved before, [`sandbox`] keeps Clang and those who judge kernels from all else.

pub mod command;
pub mod judge;
pub mod pipeline;
mod program;
pub mod suite;
pub mod version;
pub mod witness;

pub use program::main;

pub use lockstep_findings as findings;
pub use lockstep_frontend as frontend;
pub use lockstep_interpreter as interpreter;
pub use lockstep_options::{checks, deadline, launch, techniques};
pub use lockstep_prove as prove;
pub use lockstep_replay as replay;
pub use lockstep_report as report;
pub use lockstep_solver as solver;
use lockstep_system::{bounded, printable};
pub use lockstep_system::{cache, sandbox, worker};
pub use lockstep_transform::{analysis, axioms, lockstep};
pub use lockstep_verdict as verdict;
