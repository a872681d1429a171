//! Runs the host's side of a program: `main`, and the code before it.
//!
//! The program is data from an unknown source, so nothing that it does may harm this process.
//! [`memory`] holds its objects, and each access is checked. [`machine`] executes the steps, with
//! frames of its own in place of those of Rust. [`arithmetic`] computes. [`well_formed`] checks the
//! program once, so that no step names a slot that does not exist. [`library`] has the functions of
//! C and C++ that a program calls and that are not part of it, and [`toolkit`] the runtime API of
//! CUDA and that of OpenCL. A launch is passed to a [`Device`], which runs the kernel on the memory
//! of the program.
//!
//! A run is deterministic: clocks count calls, and the program gets no input but its options. Its
//! output is not kept. A function that is not known ends the run with a reason, as does each
//! access outside of an object.

mod arithmetic;
mod library;
mod machine;
pub mod memory;
mod numbers;
#[cfg(test)]
mod tests;
mod toolkit;
mod well_formed;

use lockstep_ir::host::HostProgram;
use lockstep_options::deadline::Deadline;

use machine::Machine;
use memory::Memory;

/// The part of a run that executes kernels.
pub trait Device {
    /// Runs a kernel to its end, and updates the memory.
    ///
    /// An error ends the run of the host.
    fn launch(&mut self, launch: &Launch, memory: &mut Memory) -> Result<(), Stopped>;

    /// The group size with which a kernel is declared, if it is.
    fn required_group_size(&self, _symbol: &str) -> Option<[u32; 3]> {
        None
    }
}

/// A launch of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The symbol of the kernel.
    pub symbol: String,
    /// The index of its place in [`HostProgram::places`].
    ///
    /// It is the place of `<<<...>>>` if there is one, and else of the call of the function that
    /// launches.
    pub place: Option<u32>,
    /// The number of dimensions, if the program gives it.
    pub dimensions: Option<u32>,
    /// The number of blocks.
    pub num_groups: [u32; 3],
    /// The number of threads per block.
    pub local_size: [u32; 3],
    /// The first global id.
    pub global_offset: [u32; 3],
    /// The size of the dynamic shared memory in bytes.
    pub shared_bytes: u64,
    /// The arguments.
    pub arguments: LaunchArguments,
}

/// The arguments of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchArguments {
    /// The address of an array of pointers to them, in memory of the host.
    Pointers(u64),
    /// Each as it was set before, if it was.
    Set(Vec<Option<SetArgument>>),
}

/// An argument that was set before a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetArgument {
    /// It has these bytes.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
        /// The address of a buffer's memory, if the bytes are the handle of one.
        buffer: Option<u64>,
    },
    /// It is local memory of this size, or a null pointer of this size.
    Memory(u64),
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most steps. Work on many bytes counts as several steps.
    pub steps: u64,
    /// The moment by which the run has to end.
    pub deadline: Deadline,
    /// The most bytes of all objects; never more than [`memory::MOST_BYTES`].
    pub bytes: u64,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The cause.
    pub cause: Cause,
    /// The number of executed steps.
    pub steps: u64,
    /// The index of the function in which the run stopped.
    pub function: Option<u32>,
    /// The index of the place of the innermost call that was under way when the run stopped.
    pub place: Option<u32>,
}

/// The cause of the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// `main` has returned this number.
    Returned(i32),
    /// The program has ended itself with this number.
    Exit(i32),
    /// The run could not go on.
    Stopped(Stopped),
}

/// A run that could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The kind of reason.
    pub kind: StopKind,
    /// The reason in words, which say what the program does.
    pub reason: String,
}

/// The kind of reason for which a run stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopKind {
    /// The program does something that is not executed here.
    NotKnown,
    /// The program does something wrong on the host.
    Fault,
    /// The run has used all steps, its memory or its time.
    Limit,
    /// The program throws an exception.
    Thrown,
}

impl Stopped {
    /// Something that is not executed here.
    pub fn not_known(reason: impl Into<String>) -> Self {
        Self { kind: StopKind::NotKnown, reason: reason.into() }
    }

    /// An error of the program.
    pub fn fault(reason: impl Into<String>) -> Self {
        Self { kind: StopKind::Fault, reason: reason.into() }
    }

    /// A limit that has been reached.
    pub fn limit(reason: impl Into<String>) -> Self {
        Self { kind: StopKind::Limit, reason: reason.into() }
    }

    /// An exception that the program throws.
    pub fn thrown() -> Self {
        Self { kind: StopKind::Thrown, reason: "the program throws an exception".into() }
    }
}

/// Runs a program with these options on its command line.
pub fn run(program: &HostProgram, options: &[String], device: &mut dyn Device, limits: Limits) -> Ended {
    match Machine::new(program, device, limits) {
        Ok(machine) => machine.run(options),
        Err(stopped) => Ended { cause: Cause::Stopped(stopped), steps: 0, function: None, place: None },
    }
}
