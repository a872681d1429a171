//! Buffers mapped into memory of the host.
//!
//! A part that is mapped is a copy, in memory of its own or in that which the program has given the
//! buffer. If it was mapped for writing, the copy goes back where it is unmapped.

use super::buffers::{buffer, buffer_mut, from_host, to_host};
use super::events::{checked, command, complete, enqueue};
use super::{error, not_created};
use crate::Stopped;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::memory::{Kind, Origin};
use crate::numbers::of_int;

/// A part of a buffer that is mapped.
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
    /// The address of the copy.
    pub address: u64,
    /// The first byte of the part, and its size.
    offset: u64,
    bytes: u64,
    /// Whether the host may change the copy.
    pub is_written: bool,
    /// Whether the copy has memory of its own.
    pub is_own: bool,
}

/// The most parts of a buffer that are mapped.
const MOST_MAPS: usize = 1024;

/// The purposes of a mapping.
const READ: u64 = 1 << 0;
const WRITE: u64 = 1 << 1;
const WRITE_ALL: u64 = 1 << 2;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "clEnqueueMapBuffer" => map,
        "clEnqueueUnmapMemObject" => |host, arguments| {
            let (buffer, address) = (arguments.word(1), arguments.word(2));
            enqueue(host, arguments, 3, command::UNMAP, |host| unmap(host, buffer, address))
        },
        _ => return None,
    }))
}

fn map(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [queue, handle, _, purpose, offset, bytes] = [0, 1, 2, 3, 4, 5].map(|argument| arguments.word(argument));
    let status = arguments.word(9);
    if let Some(error) = checked(host, arguments, 6)? {
        return not_created(host, error, status);
    }
    let mapped = buffer(host, handle)?;
    let Some(from) = mapped.part(offset, bytes) else { return not_created(host, error::INVALID_VALUE, status) };
    if mapped.maps.len() >= MOST_MAPS {
        return Err(Stopped::limit(format!("the program maps more than {MOST_MAPS} parts of a buffer")).into());
    }
    let is_written = purpose & (WRITE | WRITE_ALL) != 0;
    let meets = |other: &Mapping| offset < other.offset + other.bytes && other.offset < offset + bytes;
    if mapped.maps.iter().any(|other| meets(other) && (is_written || other.is_written)) {
        return Err(Stopped::not_known("maps a part of a buffer for writing that is mapped").into());
    }
    let is_own = mapped.host_pointer == 0;
    let address = match mapped.host_pointer {
        0 => host.memory.allocate_for(Kind::Host, Origin::Runtime, bytes)?,
        pointer => pointer.wrapping_add(offset),
    };
    if purpose & (READ | WRITE) != 0 || purpose & WRITE_ALL == 0 {
        to_host(host, address, from, bytes)?;
    }
    buffer_mut(host, handle)?.maps.push(Mapping { address, offset, bytes, is_written, is_own });
    complete(host, queue, command::MAP, arguments.word(8))?;
    host.write_out(status, 0, 4)?;
    Ok(address)
}

fn unmap(host: &mut Host<'_>, handle: u64, address: u64) -> Answer {
    let mapped = buffer_mut(host, handle)?;
    let found = mapped.maps.iter().position(|mapping| mapping.address == address);
    let Some(found) = found else { return Ok(of_int(error::INVALID_VALUE)) };
    let mapping = mapped.maps.swap_remove(found);
    let to = mapped.address.wrapping_add(mapping.offset);
    if mapping.is_written {
        from_host(host, to, mapping.address, mapping.bytes)?;
    }
    if mapping.is_own {
        host.memory.release_local(mapping.address);
    }
    Ok(0)
}
