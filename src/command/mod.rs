//! The command line: its options, and the commands that are no verification.
//!
//! [`arguments`] defines Lockstep's options, and [`compatibility`] translates GPUVerify's.
//! [`crate::program`] parses a command line and calls what it asks for; [`exit`] numbers the
//! outcome.

pub mod arguments;
pub mod compatibility;
pub mod config;
mod dot;
pub mod exit;
pub mod flag_line;
pub mod generated;
pub mod inputs;
pub mod inspect;
pub mod output;
pub mod piped;
pub mod recorded;
pub mod run;
pub mod scratch;
mod settings;
pub mod worker;
