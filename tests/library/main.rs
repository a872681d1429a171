//! Tests of the library: imports, proofs, random kernels, and the rules of the repository.

mod builtins;
#[path = "../harness/command.rs"]
mod command;
mod frontend;
mod library_table;
mod litmus;
mod math;
mod mutants;
mod random;
mod recheck;
#[path = "../harness/sample.rs"]
mod sample;
mod tidy;
