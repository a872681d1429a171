//! The standard streams.
//!
//! Their output is not kept. A stream of C is an object without contents. A stream of C++ is read
//! by code of the standard library that is part of the program, such as that of `std::setw`. So it
//! has the layout of libstdc++, with a table that shows where its base is, and a facet that widens
//! characters.

use lockstep_ir::host::OFFSET_BITS;

use super::{Arguments, Host, Routine};
use crate::Stopped;
use crate::memory::Memory;

/// The standard streams of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Streams {
    /// The objects behind `stdout` and `stderr`.
    c: [u64; 2],
    /// `std::cout`, `std::cerr` and `std::clog`.
    cxx: [u64; 3],
}

/// The variables for the streams of C++, with the offsets of their bases.
const OUTPUTS: [&str; 3] = ["_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"];
const INPUT: &str = "_ZSt3cin";

/// The layout of `std::ios`: a stream's base.
mod base {
    pub const SIZE: usize = 264;
    pub const PRECISION: usize = 8;
    pub const FLAGS: usize = 24;
    pub const CTYPE: usize = 240;
    /// Decimal integers, and blanks skipped.
    pub const INITIAL_FLAGS: u32 = 0x1002;
}

/// The layout of `std::ctype<char>`: a facet.
mod facet {
    pub const SIZE: usize = 576;
    pub const IS_FILLED: usize = 56;
    pub const WIDENED: usize = 57;
}

impl Streams {
    /// Defines the variables of the streams.
    pub fn new(memory: &mut Memory) -> Result<Self, Stopped> {
        let mut streams = Self::default();
        for (number, name) in ["stdout", "stderr", "stdin"].into_iter().enumerate() {
            let Some(variable) = memory.variable(name) else { continue };
            let stream = memory.allocate_text(&[0])?;
            memory.define(variable, &stream.to_le_bytes());
            if let Some(kept) = streams.c.get_mut(number) {
                *kept = stream;
            }
        }
        let names = OUTPUTS.into_iter().zip([8; 3]).chain([(INPUT, 16)]);
        for (number, (name, offset)) in names.enumerate() {
            let Some(variable) = memory.variable(name) else { continue };
            let contents = stream(memory, offset)?;
            memory.define(variable, &contents);
            if let Some(kept) = streams.cxx.get_mut(number) {
                *kept = memory.address_of(variable);
            }
        }
        Ok(streams)
    }

    /// Whether an address is that of a stream of C for output.
    pub fn is_c_output(&self, address: u64) -> bool {
        address != 0 && self.c.contains(&address)
    }

    /// Whether an address lies in a stream of C++ for output.
    fn is_cxx_output(&self, address: u64) -> bool {
        self.cxx.iter().any(|&stream| stream != 0 && stream >> OFFSET_BITS == address >> OFFSET_BITS)
    }
}

/// The contents of a stream of C++ whose base is at an offset.
fn stream(memory: &mut Memory, offset: usize) -> Result<Vec<u8>, Stopped> {
    let mut table = [0; 32];
    table[..8].copy_from_slice(&offset.to_le_bytes());
    let table = memory.allocate_text(&table)?;
    let mut widening = vec![0; facet::SIZE];
    widening[facet::IS_FILLED] = 1;
    (0..=u8::MAX).zip(&mut widening[facet::WIDENED..]).for_each(|(byte, wide)| *wide = byte);
    let widening = memory.allocate_text(&widening)?;
    let mut contents = vec![0; offset + base::SIZE];
    // The offset of the base stands 24 bytes before the functions.
    contents[..8].copy_from_slice(&(table + 24).to_le_bytes());
    let mut set = |at: usize, bytes: &[u8]| contents[offset + at..][..bytes.len()].copy_from_slice(bytes);
    set(base::PRECISION, &6u64.to_le_bytes());
    set(base::FLAGS, &base::INITIAL_FLAGS.to_le_bytes());
    set(base::CTYPE, &widening.to_le_bytes());
    Ok(contents)
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    const OF_STREAMS: [&str; 6] = ["_ZNSo", "_ZStls", "_ZSt16__ostream_insert", "_ZSt4endl", "_ZSt4ends", "_ZSt5flush"];
    match name {
        "_ZNSt8ios_base4InitC1Ev" | "_ZNSt8ios_base4InitD1Ev" => Some(Routine::Constant(0)),
        "_ZNSt8ios_base15sync_with_stdioEb" => Some(Routine::Constant(1)),
        "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate" => Some(Routine::Plain(written)),
        // The position in an output is not known.
        "_ZNSo5tellpEv" => None,
        _ if OF_STREAMS.iter().any(|prefix| name.starts_with(prefix)) => Some(Routine::Plain(written)),
        _ => None,
    }
}

/// A function that writes to the stream that is its first argument, and returns that.
fn written(host: &mut Host<'_>, arguments: Arguments<'_>) -> super::Answer {
    let stream = arguments.word(0);
    if host.streams.is_cxx_output(stream) {
        return Ok(stream);
    }
    Err(Stopped::not_known("writes to a stream that is not a standard one").into())
}
