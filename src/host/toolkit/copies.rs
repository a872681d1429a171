//! Copies between host and device, and variables of the device.

use super::error;
use crate::Stopped;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::machine::Halt;
use crate::memory::{Kind, MOST_BYTES, Origin, Side};
use crate::numbers::{byte, low};

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    plain(name).or_else(|| of_symbols(name))
}

fn plain(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "cudaMemcpy" | "cudaMemcpyAsync" => {
            |host, a| copy(host, Copy { to: a.word(0), from: a.word(1), bytes: a.word(2), direction: low(a.word(3)) })
        }
        "cudaMemcpyPeer" | "cudaMemcpyPeerAsync" => {
            |host, a| copy(host, Copy { to: a.word(0), from: a.word(2), bytes: a.word(4), direction: DEFAULT })
        }
        "cudaMemcpy2D" | "cudaMemcpy2DAsync" => |host, a| {
            let (to, from) =
                (Rows { address: a.word(0), pitch: a.word(1) }, Rows { address: a.word(2), pitch: a.word(3) });
            copy_rows(host, to, from, [a.word(4), a.word(5)], low(a.word(6)))
        },
        "cudaMemcpy3D" | "cudaMemcpy3DAsync" => copy_3d,
        "cudaMemset" | "cudaMemsetAsync" => |host, a| fill(host, a.word(0), a.word(1), a.word(2)),
        "cudaMemset2D" | "cudaMemset2DAsync" => |host, a| {
            let rows = Rows { address: a.word(0), pitch: a.word(1) };
            fill_rows(host, rows, a.word(2), [a.word(3), a.word(4)])
        },
        "cudaMemset3D" | "cudaMemset3DAsync" => fill_3d,
        _ => return None,
    }))
}

fn of_symbols(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "cudaMemcpyToSymbol" | "cudaMemcpyToSymbolAsync" => |host, a| {
            let to = symbol(host, a.word(0))?.wrapping_add(a.word(3));
            copy(host, Copy { to, from: a.word(1), bytes: a.word(2), direction: low(a.word(4)) })
        },
        "cudaMemcpyFromSymbol" | "cudaMemcpyFromSymbolAsync" => |host, a| {
            let from = symbol(host, a.word(1))?.wrapping_add(a.word(3));
            copy(host, Copy { to: a.word(0), from, bytes: a.word(2), direction: low(a.word(4)) })
        },
        "cudaGetSymbolAddress" => |host, a| {
            let address = symbol(host, a.word(1))?;
            host.memory.write_number(a.word(0), address, 8)?;
            Ok(0)
        },
        "cudaGetSymbolSize" => |host, a| {
            let address = symbol(host, a.word(1))?;
            let size = host.memory.object_at(address).map_or(0, |(object, _)| host.memory.size(object));
            host.memory.write_number(a.word(0), size, 8)?;
            Ok(0)
        },
        _ => return None,
    }))
}

/// The values of `cudaMemcpyKind`.
const HOST_TO_HOST: u32 = 0;
const HOST_TO_DEVICE: u32 = 1;
const DEVICE_TO_HOST: u32 = 2;
const DEVICE_TO_DEVICE: u32 = 3;
const DEFAULT: u32 = 4;

/// A copy of bytes.
#[derive(Clone, Copy)]
struct Copy {
    to: u64,
    from: u64,
    bytes: u64,
    /// A value of `cudaMemcpyKind`.
    direction: u32,
}

fn copy(host: &mut Host<'_>, asked: Copy) -> Answer {
    if asked.bytes == 0 {
        return Ok(0);
    }
    let (to, from) = match asked.direction {
        HOST_TO_HOST => (Some(Kind::Host), Some(Kind::Host)),
        HOST_TO_DEVICE => (Some(Kind::Device), Some(Kind::Host)),
        DEVICE_TO_HOST => (Some(Kind::Host), Some(Kind::Device)),
        DEVICE_TO_DEVICE => (Some(Kind::Device), Some(Kind::Device)),
        DEFAULT => (None, None),
        _ => return Ok(super::fail(host, error::INVALID_VALUE)),
    };
    check_side(host, asked.to, to, "to")?;
    check_side(host, asked.from, from, "from")?;
    host.memory.copy(asked.to, asked.from, asked.bytes, Side::Both)?;
    Ok(0)
}

/// Stops if memory is not on the side that the direction of a copy says.
fn check_side(host: &Host<'_>, address: u64, expected: Option<Kind>, preposition: &str) -> Result<(), Stopped> {
    let found = host.memory.object_at(address);
    let kind = found.map(|(object, _)| host.memory.kind(object));
    let is_variable = found.is_some_and(|(object, _)| matches!(host.memory.origin(object), Origin::Variable(_)));
    let side = |kind: Kind| if kind == Kind::Device { "the device" } else { "the host" };
    match (expected, kind) {
        // A variable of the device may as well be one of another file.
        (Some(Kind::Host), Some(Kind::Device)) if is_variable => {
            Err(Stopped::not_known("copies a variable that is one of the device or of another file"))
        }
        (Some(expected), Some(kind @ (Kind::Host | Kind::Device))) if expected != kind => {
            let (said, is) = (side(expected), side(kind));
            Err(Stopped::fault(format!("a copy {preposition} {said} is given the address of memory of {is}")))
        }
        _ => Ok(()),
    }
}

/// The most rows of a copy.
const MOST_ROWS: u64 = 1 << 24;

/// Stops if a copy has so many rows or bytes that it takes long.
fn check_rows(rows: u64, width: u64) -> Result<(), Stopped> {
    if rows > MOST_ROWS || rows.saturating_mul(width) > MOST_BYTES {
        return Err(Stopped::limit(format!("the program copies {rows} rows of {width} bytes at once")));
    }
    Ok(())
}

/// Rows of bytes in memory.
#[derive(Clone, Copy)]
struct Rows {
    address: u64,
    pitch: u64,
}

impl Rows {
    fn row(self, number: u64) -> u64 {
        self.address.wrapping_add(self.pitch.wrapping_mul(number))
    }
}

fn copy_rows(host: &mut Host<'_>, to: Rows, from: Rows, [width, height]: [u64; 2], direction: u32) -> Answer {
    if width == 0 {
        return Ok(0);
    }
    if width > to.pitch.min(from.pitch) {
        return Ok(super::fail(host, error::INVALID_PITCH));
    }
    check_rows(height, width)?;
    for row in 0..height {
        match copy(host, Copy { to: to.row(row), from: from.row(row), bytes: width, direction })? {
            0 => {}
            error => return Ok(error),
        }
    }
    Ok(0)
}

/// Copies by a `cudaMemcpy3DParms`.
fn copy_3d(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [from_array, fx, fy, fz, from, from_pitch, _, from_height, to_array, tx, ty, tz] =
        words(host, arguments.word(0))?;
    let [to, to_pitch, _, to_height, width, height, depth, direction] =
        words(host, arguments.word(0).wrapping_add(96))?;
    if from_array != 0 || to_array != 0 {
        return Err(Stopped::not_known("copies an array of the toolkit").into());
    }
    let start = |address: u64, pitch: u64, rows: u64, [x, y, z]: [u64; 3]| {
        address.wrapping_add(x).wrapping_add(pitch.wrapping_mul(rows.wrapping_mul(z).wrapping_add(y)))
    };
    if width == 0 || height == 0 {
        return Ok(0);
    }
    check_rows(height.saturating_mul(depth), width)?;
    for layer in 0..depth {
        let to = start(to, to_pitch, to_height, [tx, ty, tz.wrapping_add(layer)]);
        let from = start(from, from_pitch, from_height, [fx, fy, fz.wrapping_add(layer)]);
        let (to, from) = (Rows { address: to, pitch: to_pitch }, Rows { address: from, pitch: from_pitch });
        match copy_rows(host, to, from, [width, height], low(direction))? {
            0 => {}
            error => return Ok(error),
        }
    }
    Ok(0)
}

fn fill(host: &mut Host<'_>, address: u64, value: u64, bytes: u64) -> Answer {
    if bytes == 0 {
        return Ok(0);
    }
    let kind = host.memory.object_at(address).map(|(object, _)| host.memory.kind(object));
    if kind == Some(Kind::Host) {
        return Err(Stopped::fault("the toolkit is asked to set memory of the host").into());
    }
    host.memory.fill(address, byte(value), bytes, Side::Both)?;
    Ok(0)
}

fn fill_rows(host: &mut Host<'_>, rows: Rows, value: u64, [width, height]: [u64; 2]) -> Answer {
    if width == 0 {
        return Ok(0);
    }
    if width > rows.pitch {
        return Ok(super::fail(host, error::INVALID_PITCH));
    }
    check_rows(height, width)?;
    for row in 0..height {
        fill(host, rows.row(row), value, width)?;
    }
    Ok(0)
}

/// The `cudaPitchedPtr` and the `cudaExtent` follow as addresses.
fn fill_3d(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [address, pitch, _, rows] = words(host, arguments.word(0))?;
    let [width, height, depth] = words(host, arguments.word(2))?;
    if width == 0 || height == 0 {
        return Ok(0);
    }
    check_rows(height.saturating_mul(depth), width)?;
    for layer in 0..depth {
        let address = address.wrapping_add(pitch.wrapping_mul(rows).wrapping_mul(layer));
        match fill_rows(host, Rows { address, pitch }, arguments.word(1), [width, height])? {
            0 => {}
            error => return Ok(error),
        }
    }
    Ok(0)
}

/// The words of a struct at an address.
pub fn words<const N: usize>(host: &Host<'_>, address: u64) -> Result<[u64; N], Stopped> {
    let mut words = [0; N];
    for (number, word) in (0..).zip(&mut words) {
        *word = host.memory.read_number(address.wrapping_add(8 * number), 8)?;
    }
    Ok(words)
}

/// The address of the variable of the device that a symbol is.
///
/// A symbol is a reference to the shadow of the variable, or to a pointer to that.
fn symbol(host: &Host<'_>, address: u64) -> Result<u64, Halt> {
    let is_symbol = |address: u64| {
        let found = host.memory.object_at(address);
        found.is_some_and(|(object, _)| {
            host.memory.kind(object) == Kind::Device && matches!(host.memory.origin(object), Origin::Variable(_))
        })
    };
    if is_symbol(address) {
        return Ok(address);
    }
    let pointer = host.memory.read_number(address, 8)?;
    if is_symbol(pointer) {
        return Ok(pointer);
    }
    Err(Stopped::fault("the program passes a symbol that is no variable of the device").into())
}
