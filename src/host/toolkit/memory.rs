//! Allocations of the runtime API, and what it tells of them.

use super::error;
use crate::Stopped;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::memory::{Kind, ObjectId, Origin};

/// The bytes to which the rows of an allocation with a pitch are rounded up.
const PITCH: u64 = 512;

/// The bytes of the device that are reported as free, and all.
const FREE: u64 = 1 << 30;
pub const TOTAL: u64 = 40 << 30;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "cudaMalloc" | "cudaMallocAsync" | "cudaMallocFromPoolAsync" => {
            |host, arguments| allocate(host, arguments, Kind::Device, Origin::Toolkit)
        }
        "cudaMallocManaged" => |host, arguments| allocate(host, arguments, Kind::Managed, Origin::Toolkit),
        "cudaMallocHost" | "cudaHostAlloc" => {
            |host, arguments| allocate(host, arguments, Kind::Managed, Origin::Pinned)
        }
        "cudaMallocPitch" => malloc_pitch,
        "cudaMalloc3D" => malloc_3d,
        "cudaFree" | "cudaFreeAsync" | "cudaFreeHost" => free,
        "cudaHostRegister" => |host, arguments| register(host, arguments, Kind::Host, Kind::Managed),
        "cudaHostUnregister" => |host, arguments| register(host, arguments, Kind::Managed, Kind::Host),
        "cudaHostGetDevicePointer" => device_pointer,
        "cudaMemGetInfo" => |host, arguments| {
            host.memory.write_number(arguments.word(0), FREE, 8)?;
            host.memory.write_number(arguments.word(1), TOTAL, 8)?;
            Ok(0)
        },
        "cudaPointerGetAttributes" => attributes,
        _ => return None,
    }))
}

/// Allocates memory, and writes its address behind the first argument. No bytes are null.
fn allocate(host: &mut Host<'_>, arguments: Arguments<'_>, kind: Kind, origin: Origin) -> Answer {
    let bytes = arguments.word(1);
    let address = if bytes == 0 { 0 } else { host.memory.allocate_for(kind, origin, bytes)? };
    host.memory.write_number(arguments.word(0), address, 8)?;
    Ok(0)
}

fn malloc_pitch(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [width, height] = [2, 3].map(|argument| arguments.word(argument));
    let pitch = width.saturating_add(PITCH - 1) / PITCH * PITCH;
    let address = host.memory.allocate(Kind::Device, pitch.saturating_mul(height))?;
    host.memory.write_number(arguments.word(0), address, 8)?;
    host.memory.write_number(arguments.word(1), pitch, 8)?;
    Ok(0)
}

/// A `cudaExtent` follows as an address, and a `cudaPitchedPtr` is written.
fn malloc_3d(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [width, height, depth] = super::copies::words(host, arguments.word(1))?;
    let pitch = width.saturating_add(PITCH - 1) / PITCH * PITCH;
    let bytes = pitch.saturating_mul(height).saturating_mul(depth);
    let address = host.memory.allocate(Kind::Device, bytes)?;
    for (number, word) in (0..).zip([address, pitch, width, height]) {
        host.memory.write_number(arguments.word(0).wrapping_add(8 * number), word, 8)?;
    }
    Ok(0)
}

fn free(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let address = arguments.word(0);
    if address == 0 {
        return Ok(0);
    }
    match host.memory.allocation_at(address) {
        Some((object, Origin::Toolkit | Origin::Pinned)) => host.memory.release(object),
        Some(_) => return Err(Stopped::fault("the program frees memory of the host by the toolkit").into()),
        None => return Err(host.memory.refused_free(address).into()),
    }
    Ok(0)
}

/// Changes the kind of the object at an address, if it has this one, and is not the toolkit's.
#[expect(clippy::unnecessary_wraps, reason = "the other routines may fail")]
fn register(host: &mut Host<'_>, arguments: Arguments<'_>, from: Kind, to: Kind) -> Answer {
    match host.memory.object_at(arguments.word(0)) {
        Some((object, _)) if host.memory.kind(object) == from && !is_of_toolkit(host, object) => {
            host.memory.set_kind(object, to);
        }
        _ => return Ok(super::fail(host, error::INVALID_VALUE)),
    }
    Ok(0)
}

fn is_of_toolkit(host: &Host<'_>, object: ObjectId) -> bool {
    matches!(host.memory.origin(object), Origin::Toolkit | Origin::Pinned)
}

fn device_pointer(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let address = arguments.word(1);
    let found = host.memory.object_at(address);
    if found.is_none_or(|(object, _)| host.memory.kind(object) != Kind::Managed) {
        return Ok(super::fail(host, error::INVALID_VALUE));
    }
    host.memory.write_number(arguments.word(0), address, 8)?;
    Ok(0)
}

/// Writes a `cudaPointerAttributes`.
fn attributes(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (to, address) = (arguments.word(0), arguments.word(1));
    let found =
        host.memory.object_at(address).map(|(object, _)| (host.memory.kind(object), host.memory.origin(object)));
    // The type, and whether the device and the host may use the address.
    let (ty, on_device, on_host) = match found {
        Some((Kind::Managed, Origin::Toolkit)) => (3, true, true),
        Some((Kind::Managed, _)) => (1, true, true),
        Some((Kind::Device, _)) => (2, true, false),
        _ => (0, false, true),
    };
    host.memory.write_number(to, ty, 8)?;
    host.memory.write_number(to.wrapping_add(8), if on_device { address } else { 0 }, 8)?;
    host.memory.write_number(to.wrapping_add(16), if on_host { address } else { 0 }, 8)?;
    Ok(0)
}
