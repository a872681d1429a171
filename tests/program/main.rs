//! Tests the `lockstep` command: its options, reports, files, processes and exit statuses.

mod allocations;
mod allow;
mod annotations;
mod cache;
mod cli;
#[path = "../harness/command.rs"]
mod command;
mod config;
mod deadline;
mod determinism;
mod explain;
mod generated;
mod hostile;
mod html;
mod inspect;
mod launches;
mod left_out;
mod many;
mod opencl_hosts;
mod options;
mod own_program;
mod own_program_native;
mod own_program_opencl;
mod parallel;
mod reasons;
mod recorded;
mod reports;
mod run;
mod sarif;
mod several_files;
mod sought;
mod suite;
mod texts;
mod watch;
mod witness;
mod workers;
