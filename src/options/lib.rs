//! Options that several stages share: launch sizes, checks, techniques of the proof, the time
//! limit.

pub mod checks;
pub mod deadline;
pub mod launch;
pub mod techniques;
