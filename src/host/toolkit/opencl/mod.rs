//! The API of OpenCL 1.2, and what hosts use of 2.0.
//!
//! There is one platform with one device. Each object of the API is known by a **handle**: the
//! address of an object without bytes, so no other number is one. A handle that is wrong or was
//! released ends the run; other errors are returned as on a device. Every command is done at once,
//! so all events are complete. The text of a program is not compiled: its kernels are those that
//! were read, which [`programs`] compares as far as it can. Images, samplers, pipes, shared virtual
//! memory and commands on rectangles are not known.

mod buffers;
mod devices;
mod events;
mod launches;
mod maps;
mod programs;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use crate::Stopped;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::memory::{Kind, Origin};
use crate::numbers::{count, of_int};
use buffers::Buffer;
use events::Event;
use programs::{KernelObject, Program};

/// The errors of the API.
mod error {
    pub const DEVICE_NOT_FOUND: i32 = -1;
    pub const OUT_OF_RESOURCES: i32 = -5;
    pub const PROFILING_INFO_NOT_AVAILABLE: i32 = -7;
    pub const MEM_COPY_OVERLAP: i32 = -8;
    pub const MISALIGNED_SUB_BUFFER_OFFSET: i32 = -13;
    pub const INVALID_VALUE: i32 = -30;
    pub const INVALID_DEVICE_TYPE: i32 = -31;
    pub const INVALID_HOST_PTR: i32 = -37;
    pub const INVALID_PROGRAM_EXECUTABLE: i32 = -45;
    pub const INVALID_ARG_INDEX: i32 = -49;
    pub const INVALID_ARG_SIZE: i32 = -51;
    pub const INVALID_WORK_DIMENSION: i32 = -53;
    pub const INVALID_WORK_GROUP_SIZE: i32 = -54;
    pub const INVALID_WORK_ITEM_SIZE: i32 = -55;
    pub const INVALID_EVENT_WAIT_LIST: i32 = -57;
    pub const INVALID_BUFFER_SIZE: i32 = -61;
    pub const INVALID_GLOBAL_WORK_SIZE: i32 = -63;
}

/// The most objects at a time.
const MOST_OBJECTS: usize = 1 << 20;

/// The state of the API.
#[derive(Clone, Debug, Default)]
pub struct State {
    objects: FxHashMap<u64, Object>,
    /// The platform and its device, once the program has asked for them.
    root: Option<Root>,
    /// The bytes of arguments that are set.
    argument_bytes: u64,
    /// The time of the last command, in nanoseconds.
    time: u64,
}

/// The handles of the platform and the device.
#[derive(Clone, Copy, Debug)]
struct Root {
    platform: u64,
    device: u64,
}

/// An object of the API.
#[derive(Clone, Debug)]
struct Object {
    references: u64,
    thing: Thing,
}

#[derive(Clone, Debug)]
enum Thing {
    Platform,
    Device,
    Context,
    Queue { properties: u64 },
    Program(Program),
    Kernel(KernelObject),
    Buffer(Buffer),
    Event(Event),
}

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Platform,
    Device,
    Context,
    Queue,
    Program,
    Kernel,
    Buffer,
    Event,
}

impl Thing {
    fn what(&self) -> What {
        match self {
            Self::Platform => What::Platform,
            Self::Device => What::Device,
            Self::Context => What::Context,
            Self::Queue { .. } => What::Queue,
            Self::Program(_) => What::Program,
            Self::Kernel(_) => What::Kernel,
            Self::Buffer(_) => What::Buffer,
            Self::Event(_) => What::Event,
        }
    }
}

impl What {
    fn noun(self) -> &'static str {
        match self {
            Self::Platform => "platform",
            Self::Device => "device",
            Self::Context => "context",
            Self::Queue => "command queue",
            Self::Program => "program",
            Self::Kernel => "kernel",
            Self::Buffer => "buffer",
            Self::Event => "event",
        }
    }
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    let tables = [
        devices::routine,
        programs::routine,
        launches::routine,
        buffers::routine,
        maps::routine,
        events::routine,
        references,
        without_effect,
    ];
    name.starts_with("cl").then(|| tables.iter().find_map(|table| table(name))).flatten()
}

/// The functions that count references.
fn references(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "clRetainContext" => |host, arguments| retain(host, arguments.word(0), What::Context),
        "clRetainCommandQueue" => |host, arguments| retain(host, arguments.word(0), What::Queue),
        "clRetainMemObject" => |host, arguments| retain(host, arguments.word(0), What::Buffer),
        "clRetainProgram" => |host, arguments| retain(host, arguments.word(0), What::Program),
        "clRetainKernel" => |host, arguments| retain(host, arguments.word(0), What::Kernel),
        "clRetainEvent" => |host, arguments| retain(host, arguments.word(0), What::Event),
        "clReleaseContext" => |host, arguments| release(host, arguments.word(0), What::Context),
        "clReleaseCommandQueue" => |host, arguments| release(host, arguments.word(0), What::Queue),
        "clReleaseMemObject" => |host, arguments| release(host, arguments.word(0), What::Buffer),
        "clReleaseProgram" => |host, arguments| release(host, arguments.word(0), What::Program),
        "clReleaseKernel" => |host, arguments| release(host, arguments.word(0), What::Kernel),
        "clReleaseEvent" => |host, arguments| release(host, arguments.word(0), What::Event),
        // The device is the only one, and no part of another.
        "clRetainDevice" | "clReleaseDevice" => |host, arguments| {
            check(host, arguments.word(0), What::Device)?;
            Ok(0)
        },
        _ => return None,
    }))
}

/// The functions that do nothing that a run sees, and succeed.
fn without_effect(name: &str) -> Option<Routine> {
    Some(match name {
        "clFinish" | "clFlush" | "clEnqueueBarrier" => Routine::Plain(|host, arguments| {
            check(host, arguments.word(0), What::Queue)?;
            Ok(0)
        }),
        // There are no extensions.
        "clUnloadCompiler"
        | "clUnloadPlatformCompiler"
        | "clGetExtensionFunctionAddress"
        | "clGetExtensionFunctionAddressForPlatform" => Routine::Constant(0),
        _ => return None,
    })
}

/// The handle of a new object.
fn create(host: &mut Host<'_>, thing: Thing) -> Result<u64, Stopped> {
    if host.toolkit.opencl.objects.len() >= MOST_OBJECTS {
        return Err(Stopped::limit(format!("the program has more than {MOST_OBJECTS} objects of OpenCL")));
    }
    let handle = host.memory.allocate_for(Kind::Host, Origin::Runtime, 0)?;
    host.toolkit.opencl.objects.insert(handle, Object { references: 1, thing });
    Ok(handle)
}

/// Returns the handle of a new object, and writes that the call has succeeded.
fn created(host: &mut Host<'_>, thing: Thing, status: u64) -> Answer {
    let handle = create(host, thing)?;
    host.write_out(status, 0, 4)?;
    Ok(handle)
}

/// Returns no object, and writes the error.
fn not_created(host: &mut Host<'_>, error: i32, status: u64) -> Answer {
    host.write_out(status, of_int(error), 4)?;
    Ok(0)
}

/// The object of a handle, which must be of this kind.
fn object<'h>(host: &'h Host<'_>, handle: u64, what: What) -> Result<&'h Object, Stopped> {
    let found = host.toolkit.opencl.objects.get(&handle).filter(|object| object.thing.what() == what);
    found.ok_or_else(|| wrong(handle, what))
}

fn object_mut<'h>(host: &'h mut Host<'_>, handle: u64, what: What) -> Result<&'h mut Object, Stopped> {
    let found = host.toolkit.opencl.objects.get_mut(&handle).filter(|object| object.thing.what() == what);
    found.ok_or_else(|| wrong(handle, what))
}

fn wrong(handle: u64, what: What) -> Stopped {
    let noun = what.noun();
    Stopped::fault(match handle {
        0 => format!("the program passes null in place of a {noun}"),
        _ => format!("the program passes {handle:#x} in place of a {noun}: it is none, or was released"),
    })
}

/// Stops unless a handle is that of an object of this kind.
fn check(host: &Host<'_>, handle: u64, what: What) -> Result<(), Stopped> {
    object(host, handle, what).map(|_| ())
}

/// Stops unless the handles at an address are those of objects of this kind.
fn check_all(host: &mut Host<'_>, number: u64, address: u64, what: What) -> Result<(), Stopped> {
    host.memory.touch(number.saturating_mul(64));
    for at in 0..number {
        check(host, host.memory.read_number(address.wrapping_add(at.wrapping_mul(8)), 8)?, what)?;
    }
    Ok(())
}

fn retain(host: &mut Host<'_>, handle: u64, what: What) -> Answer {
    object_mut(host, handle, what)?.references += 1;
    Ok(0)
}

/// Gives a reference back. The last one frees the object.
fn release(host: &mut Host<'_>, handle: u64, what: What) -> Answer {
    let object = object_mut(host, handle, what)?;
    object.references -= 1;
    if object.references > 0 {
        return Ok(0);
    }
    let Some(object) = host.toolkit.opencl.objects.remove(&handle) else { return Ok(0) };
    host.memory.release_local(handle);
    match object.thing {
        Thing::Buffer(buffer) => buffers::free(host, &buffer),
        Thing::Kernel(kernel) => {
            host.toolkit.opencl.argument_bytes -= kernel.argument_bytes();
            Ok(0)
        }
        _ => Ok(0),
    }
}

/// Answers a query, whose last arguments from one on are the size of the room for the answer, its
/// address, and where the size of the answer goes.
fn answer(host: &mut Host<'_>, arguments: Arguments<'_>, first: usize, bytes: &[u8]) -> Answer {
    let [room, to, size] = [0, 1, 2].map(|number| arguments.word(first + number));
    if to != 0 {
        if room < count(bytes.len()) {
            return Ok(of_int(error::INVALID_VALUE));
        }
        if !bytes.is_empty() {
            host.memory.write(to, bytes)?;
        }
    }
    host.write_out(size, count(bytes.len()), 8)?;
    Ok(0)
}

/// A query that has no answer here.
fn not_answered(function: &str, query: u32) -> Stopped {
    Stopped::not_known(format!("calls `{function}` with query {query:#x}, which is not known"))
}

/// A text with the zero that ends it.
fn text(text: &str) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}
