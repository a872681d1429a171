//! Z3, and programs that give a second opinion ([`second`]). This is the only folder that names the
//! `z3` crate.
//!
//! The rest of the program handles [`Expression`](lockstep_ir::sequential::Expression)s: a
//! [`Session`] translates them, a [`Solver`] holds some as facts, and a [`Model`] evaluates others.

mod applications;
mod integers;
mod second;
mod translate;
mod version;
mod watchdog;
mod z3;

pub use z3::{
    Checked, Effort, Model, Products, QUICK_EFFORT, STACK_BYTES, Session, Solver, crash, effort_of, in_fresh_context,
    major_version, on_large_stack, warm_up,
};

pub use second::{Answer, SecondSolver};
pub use version::{version, version_in_full};
