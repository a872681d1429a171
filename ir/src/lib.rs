//! Lockstep's two intermediate representations.
//!
//! * [`kernel`]: the code that **one thread** executes. SSA over a control-flow graph, with memory
//!   split into arrays. Front ends produce it.
//! * [`host`]: the code of the host, which runs of whole programs execute.
//! * [`sequential`]: the program that **two arbitrary threads in lock-step** execute. A structured
//!   program of assignments, assumptions, assertions and loops. The prover consumes it.
//! * [`cfg`]: the graph analyses between the two: dominators, loops, the block order of the
//!   lock-step paper.
//! * [`assumption`]: the assumptions that a verdict rests on.
//!
//! This crate does not depend on LLVM, Z3 or the file system.

pub mod assumption;
pub mod bits;
pub mod cfg;
pub mod host;
pub mod kernel;
pub mod polynomial;
pub mod sequential;
pub mod source;
pub mod text;
pub mod word;
