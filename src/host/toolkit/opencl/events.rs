//! Commands in queues, and their events, which are complete at once.

use super::{Thing, What, answer, check, check_all, create, devices, error, not_answered, object};
use crate::Stopped;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::numbers::{low, of_int};

/// The nanoseconds of a command.
const STEP: u64 = 1000;

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    queue: u64,
    /// The type of its command.
    command: u32,
    /// The time at which its command was enqueued, if its queue keeps times.
    time: Option<u64>,
}

/// The types of commands.
pub mod command {
    pub const KERNEL: u32 = 0x11F0;
    pub const TASK: u32 = 0x11F1;
    pub const READ: u32 = 0x11F3;
    pub const WRITE: u32 = 0x11F4;
    pub const COPY: u32 = 0x11F5;
    pub const MAP: u32 = 0x11FB;
    pub const UNMAP: u32 = 0x11FD;
    pub const MARKER: u32 = 0x11FE;
    pub const BARRIER: u32 = 0x1205;
    pub const MIGRATE: u32 = 0x1206;
    pub const FILL: u32 = 0x1207;
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "clWaitForEvents" => |host, arguments| wait(host, arguments, 0),
        "clEnqueueWaitForEvents" => |host, arguments| {
            check(host, arguments.word(0), What::Queue)?;
            wait(host, arguments, 1)
        },
        "clEnqueueMarkerWithWaitList" => |host, arguments| enqueue(host, arguments, 1, command::MARKER, |_| Ok(0)),
        "clEnqueueBarrierWithWaitList" => |host, arguments| enqueue(host, arguments, 1, command::BARRIER, |_| Ok(0)),
        "clEnqueueMarker" => |host, arguments| {
            check(host, arguments.word(0), What::Queue)?;
            complete(host, arguments.word(0), command::MARKER, arguments.word(1))?;
            Ok(0)
        },
        "clGetEventInfo" => info,
        "clGetEventProfilingInfo" => profiling_info,
        _ => return None,
    }))
}

/// Enqueues a command in the queue that is the first argument, and does its work.
///
/// The number of the events that it waits for, these events and its own one are the arguments from
/// one on. A command that fails has no event.
pub fn enqueue(
    host: &mut Host<'_>,
    arguments: Arguments<'_>,
    first: usize,
    command: u32,
    work: impl FnOnce(&mut Host<'_>) -> Answer,
) -> Answer {
    if let Some(error) = checked(host, arguments, first)? {
        return Ok(of_int(error));
    }
    match work(host)? {
        0 => {}
        error => return Ok(error),
    }
    complete(host, arguments.word(0), command, arguments.word(first + 2))?;
    Ok(0)
}

/// The error in the queue and the list of events of a command, if there is one.
pub fn checked(host: &mut Host<'_>, arguments: Arguments<'_>, first: usize) -> Result<Option<i32>, Stopped> {
    check(host, arguments.word(0), What::Queue)?;
    let (number, list) = (low(arguments.word(first)), arguments.word(first + 1));
    if (number == 0) != (list == 0) {
        return Ok(Some(error::INVALID_EVENT_WAIT_LIST));
    }
    check_all(host, number.into(), list, What::Event)?;
    Ok(None)
}

/// Writes the event of a command that is complete, unless it is not wanted.
pub fn complete(host: &mut Host<'_>, queue: u64, command: u32, event: u64) -> Result<(), Stopped> {
    host.toolkit.opencl.time += STEP;
    if event == 0 {
        return Ok(());
    }
    let keeps_times = devices::properties(host, queue)? & devices::PROFILING != 0;
    let time = keeps_times.then_some(host.toolkit.opencl.time);
    let handle = create(host, Thing::Event(Event { queue, command, time }))?;
    host.memory.write_number(event, handle, 8)
}

fn wait(host: &mut Host<'_>, arguments: Arguments<'_>, first: usize) -> Answer {
    let (number, list) = (low(arguments.word(first)), arguments.word(first + 1));
    if number == 0 || list == 0 {
        return Ok(of_int(error::INVALID_VALUE));
    }
    check_all(host, number.into(), list, What::Event)?;
    Ok(0)
}

/// An event, and the number of references to it.
fn event(host: &Host<'_>, handle: u64) -> Result<(Event, u64), Stopped> {
    let object = object(host, handle, What::Event)?;
    match object.thing {
        Thing::Event(event) => Ok((event, object.references)),
        _ => Err(super::wrong(handle, What::Event)),
    }
}

fn info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (event, references) = event(host, arguments.word(0))?;
    let answered = match low(arguments.word(1)) {
        0x11D0 => event.queue.to_le_bytes().to_vec(),
        0x11D1 => event.command.to_le_bytes().to_vec(),
        0x11D2 => low(references).to_le_bytes().to_vec(),
        // The status of one that is complete.
        0x11D3 => 0u32.to_le_bytes().to_vec(),
        query => return Err(not_answered("clGetEventInfo", query).into()),
    };
    answer(host, arguments, 2, &answered)
}

/// The times at which a command is enqueued, submitted, started and done.
fn profiling_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (event, _) = event(host, arguments.word(0))?;
    let Some(time) = event.time else { return Ok(of_int(error::PROFILING_INFO_NOT_AVAILABLE)) };
    let later = match low(arguments.word(1)) {
        0x1280..=0x1282 => 0,
        0x1283 | 0x1284 => STEP,
        query => return Err(not_answered("clGetEventProfilingInfo", query).into()),
    };
    answer(host, arguments, 2, &(time + later).to_le_bytes())
}
