//! Lockstep proves GPU kernels free of data races and barrier divergence, or shows a run that has
//! one.
//!
//! The crates are the pipeline: [`frontend`] imports a source file as kernels, [`analysis`]
//! computes facts about them, [`lockstep`] turns a kernel into the sequential program of two
//! threads, [`prove`] decides it with the help of [`solver`], [`findings`] and [`replay`] turn
//! counterexamples into confirmed findings, and [`report`] tells the user.
//!
//! This crate is the program over all of it: [`pipeline`] calls the stages for a kernel, [`judge`]
//! does so in worker processes, [`command`] is the command line, [`suite`] runs folders of kernels
//! with expected verdicts, and [`witness`] writes confirmed findings as folders that run again.

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
pub use lockstep_host as host;
pub use lockstep_interpreter as interpreter;
pub use lockstep_options::{checks, deadline, launch, techniques};
pub use lockstep_prove as prove;
pub use lockstep_replay as replay;
pub use lockstep_report as report;
pub use lockstep_solver as solver;
use lockstep_system::{bounded, printable};
pub use lockstep_system::{cache, sandbox, worker};
pub use lockstep_transform::{analysis, axioms, lockstep, signals};
pub use lockstep_verdict as verdict;
