//! Buffers, and commands that read, write, copy and fill them.
//!
//! A buffer has memory of the device, and its handle is another number: a program has no address of
//! that memory. A buffer with memory of the host for its contents (`CL_MEM_USE_HOST_PTR`) has its
//! own, too, as a device may cache them, and both are equal where the buffer is mapped.

use super::events::{command, enqueue};
use super::maps::Mapping;
use super::{Thing, What, answer, check, check_all, create, created, devices, error, not_answered, not_created};
use super::{object, object_mut, release};
use crate::Stopped;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::memory::{Kind, Side};
use crate::numbers::{count, low, of_int};

/// A buffer, or a part of one.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The address of its first byte on the device.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
    flags: u64,
    /// The buffer that it is a part of.
    parent: Option<u64>,
    /// The memory of the host for its contents, or null.
    pub host_pointer: u64,
    /// The parts that are mapped.
    pub maps: Vec<Mapping>,
}

/// The flags of a buffer.
const USE_HOST: u64 = 1 << 3;
const ALLOCATE_HOST: u64 = 1 << 4;
const COPY_HOST: u64 = 1 << 5;
/// The flags from this one on are those of shared virtual memory.
const SHARED: u64 = 1 << 10;

/// The way to create a part of a buffer.
const REGION: u32 = 0x1220;

/// The largest pattern of a command that fills a buffer.
const LARGEST_PATTERN: u64 = 128;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "clCreateBuffer" => |host, arguments| {
            let [context, flags, bytes, from, status] = [0, 1, 2, 3, 4].map(|argument| arguments.word(argument));
            create_buffer(host, context, (flags, bytes, from), status)
        },
        "clCreateBufferWithProperties" => |host, arguments| {
            let [context, list, flags, bytes, from, status] =
                [0, 1, 2, 3, 4, 5].map(|argument| arguments.word(argument));
            if list != 0 && host.memory.read_number(list, 8)? != 0 {
                return Err(Stopped::not_known("creates a buffer with properties").into());
            }
            create_buffer(host, context, (flags, bytes, from), status)
        },
        "clCreateSubBuffer" => create_part,
        "clGetMemObjectInfo" => info,
        "clEnqueueReadBuffer" => |host, arguments| {
            let [offset, bytes, to] = [3, 4, 5].map(|argument| arguments.word(argument));
            enqueue(host, arguments, 6, command::READ, |host| {
                let Some(from) = part(host, arguments.word(1), offset, bytes)?.filter(|_| to != 0) else {
                    return Ok(of_int(error::INVALID_VALUE));
                };
                to_host(host, to, from, bytes)?;
                Ok(0)
            })
        },
        "clEnqueueWriteBuffer" => |host, arguments| {
            let [offset, bytes, from] = [3, 4, 5].map(|argument| arguments.word(argument));
            enqueue(host, arguments, 6, command::WRITE, |host| {
                let Some(to) = part(host, arguments.word(1), offset, bytes)?.filter(|_| from != 0) else {
                    return Ok(of_int(error::INVALID_VALUE));
                };
                from_host(host, to, from, bytes)?;
                Ok(0)
            })
        },
        "clEnqueueCopyBuffer" => |host, arguments| {
            enqueue(host, arguments, 6, command::COPY, |host| {
                let [from, to, from_offset, to_offset, bytes] =
                    [1, 2, 3, 4, 5].map(|argument| arguments.word(argument));
                copy(host, (to, to_offset), (from, from_offset), bytes)
            })
        },
        "clEnqueueFillBuffer" => |host, arguments| {
            enqueue(host, arguments, 6, command::FILL, |host| {
                let [buffer, pattern, length, offset, bytes] = [1, 2, 3, 4, 5].map(|argument| arguments.word(argument));
                fill(host, (pattern, length), (buffer, offset, bytes))
            })
        },
        "clEnqueueMigrateMemObjects" => |host, arguments| {
            enqueue(host, arguments, 4, command::MIGRATE, |host| {
                check_all(host, low(arguments.word(1)).into(), arguments.word(2), What::Buffer)?;
                Ok(0)
            })
        },
        _ => return None,
    }))
}

/// The buffer of a handle.
pub fn buffer<'h>(host: &'h Host<'_>, handle: u64) -> Result<&'h Buffer, Stopped> {
    match &object(host, handle, What::Buffer)?.thing {
        Thing::Buffer(buffer) => Ok(buffer),
        _ => Err(super::wrong(handle, What::Buffer)),
    }
}

pub fn buffer_mut<'h>(host: &'h mut Host<'_>, handle: u64) -> Result<&'h mut Buffer, Stopped> {
    match &mut object_mut(host, handle, What::Buffer)?.thing {
        Thing::Buffer(buffer) => Ok(buffer),
        _ => Err(super::wrong(handle, What::Buffer)),
    }
}

fn create_buffer(host: &mut Host<'_>, context: u64, (flags, bytes, from): (u64, u64, u64), status: u64) -> Answer {
    check(host, context, What::Context)?;
    if flags >= SHARED {
        return Err(Stopped::not_known(format!("creates a buffer with flags {flags:#x}, which are not known")).into());
    }
    if bytes == 0 || bytes > devices::LARGEST_BUFFER {
        return not_created(host, error::INVALID_BUFFER_SIZE, status);
    }
    if flags & USE_HOST != 0 && flags & (ALLOCATE_HOST | COPY_HOST) != 0 {
        return not_created(host, error::INVALID_VALUE, status);
    }
    if (flags & (USE_HOST | COPY_HOST) != 0) != (from != 0) {
        return not_created(host, error::INVALID_HOST_PTR, status);
    }
    let address = host.memory.allocate(Kind::Device, bytes)?;
    if from != 0 {
        from_host(host, address, from, bytes)?;
    }
    let host_pointer = if flags & USE_HOST != 0 { from } else { 0 };
    let buffer = Buffer { address, bytes, flags, parent: None, host_pointer, maps: Vec::new() };
    created(host, Thing::Buffer(buffer), status)
}

fn create_part(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [parent, flags, kind, region, status] = [0, 1, 2, 3, 4].map(|argument| arguments.word(argument));
    let whole = buffer(host, parent)?.clone();
    if whole.parent.is_some() {
        return Err(Stopped::fault("the program creates a part of a part of a buffer").into());
    }
    if low(kind) != REGION || region == 0 {
        return not_created(host, error::INVALID_VALUE, status);
    }
    let [offset, bytes] = crate::toolkit::copies::words(host, region)?;
    if bytes == 0 {
        return not_created(host, error::INVALID_BUFFER_SIZE, status);
    }
    let Some(address) = whole.part(offset, bytes) else { return not_created(host, error::INVALID_VALUE, status) };
    if offset % devices::ALIGNMENT != 0 {
        return not_created(host, error::MISALIGNED_SUB_BUFFER_OFFSET, status);
    }
    let host_pointer = if whole.host_pointer == 0 { 0 } else { whole.host_pointer.wrapping_add(offset) };
    let buffer = Buffer { address, bytes, flags, parent: Some(parent), host_pointer, maps: Vec::new() };
    let handle = create(host, Thing::Buffer(buffer))?;
    object_mut(host, parent, What::Buffer)?.references += 1;
    host.write_out(status, 0, 4)?;
    Ok(handle)
}

/// Frees the memory of a buffer that was released, or gives the reference to its whole back.
pub fn free(host: &mut Host<'_>, buffer: &Buffer) -> Answer {
    for mapping in buffer.maps.iter().filter(|mapping| mapping.is_own) {
        host.memory.release_local(mapping.address);
    }
    if let Some(parent) = buffer.parent {
        return release(host, parent, What::Buffer);
    }
    host.memory.release_local(buffer.address);
    Ok(0)
}

impl Buffer {
    /// The address of a part, if it is inside and not empty.
    pub fn part(&self, offset: u64, bytes: u64) -> Option<u64> {
        let end = offset.checked_add(bytes)?;
        (bytes > 0 && end <= self.bytes).then(|| self.address.wrapping_add(offset))
    }
}

fn part(host: &Host<'_>, handle: u64, offset: u64, bytes: u64) -> Result<Option<u64>, Stopped> {
    Ok(buffer(host, handle)?.part(offset, bytes))
}

/// Copies bytes of the device to memory of the host.
pub fn to_host(host: &mut Host<'_>, to: u64, from: u64, bytes: u64) -> Result<(), Stopped> {
    if host.memory.read(to, bytes).is_err() {
        return Err(host.memory.refusal(to, bytes, Side::Host, "writes"));
    }
    host.memory.copy(to, from, bytes, Side::Both)
}

/// Copies bytes of memory of the host to the device.
pub fn from_host(host: &mut Host<'_>, to: u64, from: u64, bytes: u64) -> Result<(), Stopped> {
    host.memory.read(from, bytes)?;
    host.memory.copy(to, from, bytes, Side::Both)
}

fn copy(host: &mut Host<'_>, (to, to_offset): (u64, u64), (from, from_offset): (u64, u64), bytes: u64) -> Answer {
    let (to, from) = (part(host, to, to_offset, bytes)?, part(host, from, from_offset, bytes)?);
    let (Some(to), Some(from)) = (to, from) else { return Ok(of_int(error::INVALID_VALUE)) };
    if to.abs_diff(from) < bytes {
        return Ok(of_int(error::MEM_COPY_OVERLAP));
    }
    host.memory.copy(to, from, bytes, Side::Both)?;
    Ok(0)
}

fn fill(host: &mut Host<'_>, (pattern, length): (u64, u64), (buffer, offset, bytes): (u64, u64, u64)) -> Answer {
    let to = part(host, buffer, offset, bytes)?;
    let is_pattern = pattern != 0 && length.is_power_of_two() && length <= LARGEST_PATTERN;
    let Some(to) = to.filter(|_| is_pattern && offset % length == 0 && bytes % length == 0) else {
        return Ok(of_int(error::INVALID_VALUE));
    };
    from_host(host, to, pattern, length)?;
    let mut filled = length;
    while filled < bytes {
        let more = filled.min(bytes - filled);
        host.memory.copy(to.wrapping_add(filled), to, more, Side::Both)?;
        filled += more;
    }
    Ok(0)
}

fn info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let references = object(host, arguments.word(0), What::Buffer)?.references;
    let buffer = buffer(host, arguments.word(0))?;
    let answered = match low(arguments.word(1)) {
        0x1100 => 0x10F0u32.to_le_bytes().to_vec(),
        0x1101 => buffer.flags.to_le_bytes().to_vec(),
        0x1102 => buffer.bytes.to_le_bytes().to_vec(),
        0x1103 => buffer.host_pointer.to_le_bytes().to_vec(),
        0x1104 => low(count(buffer.maps.len())).to_le_bytes().to_vec(),
        0x1105 => low(references).to_le_bytes().to_vec(),
        0x1107 => buffer.parent.unwrap_or(0).to_le_bytes().to_vec(),
        query => return Err(not_answered("clGetMemObjectInfo", query).into()),
    };
    answer(host, arguments, 2, &answered)
}
