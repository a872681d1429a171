//! Options that several stages share: the sizes of the launch, the checks, the techniques of the proof, the time limit.

pub mod checks;
pub mod deadline;
pub mod launch;
pub mod techniques;
