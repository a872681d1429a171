//! The functions of C and C++ that a program calls and that are not part of it.
//!
//! Each is found once by its name in the module ([`routine`]). A function that is not here, such as
//! one that calls the program back, ends the run by its name.

mod allocation;
mod containers;
mod cxx;
mod cxx_strings;
mod files;
mod format;
mod mathematics;
mod options;
mod output;
mod parsing;
mod random;
mod streams;
mod strings;
#[cfg(test)]
pub mod tests;
mod time;
mod tree;

use lockstep_ir::host::HostProgram;

use crate::machine::Halt;
use crate::memory::Memory;
use crate::numbers::{float, int, of_float};
use crate::{Device, Stopped, toolkit};
use random::Random;
use streams::Streams;
use time::Clock;

/// Everything that routines work on.
pub struct Host<'a> {
    /// The memory.
    pub memory: Memory,
    /// The program.
    pub program: &'a HostProgram,
    /// The part of the run that executes kernels.
    pub device: &'a mut dyn Device,
    /// The place of the call.
    pub place: Option<u32>,
    /// The state of the runtime API.
    pub toolkit: toolkit::State,
    random: Random,
    streams: Streams,
    clock: Clock,
    options: options::State,
    files: files::State,
    /// The address of `errno`.
    errno: u64,
    /// The rest of the string that `strtok` splits.
    split: u64,
}

impl<'a> Host<'a> {
    /// The state before the first step.
    pub fn new(program: &'a HostProgram, device: &'a mut dyn Device, bytes: u64) -> Result<Self, Stopped> {
        let mut memory = Memory::new(program, bytes)?;
        let streams = Streams::new(&mut memory)?;
        options::define(&mut memory);
        if let Some(variable) = memory.variable("__libc_single_threaded") {
            memory.define(variable, &[1]);
        }
        let errno = memory.allocate_text(&[0; 4])?;
        let (random, clock, toolkit) = (Random::default(), Clock::default(), toolkit::State::default());
        let (options, files) = (options::State::default(), files::State::default());
        Ok(Self {
            memory,
            program,
            device,
            place: None,
            toolkit,
            random,
            streams,
            clock,
            options,
            files,
            errno,
            split: 0,
        })
    }

    /// A copy of the string at an address.
    pub fn text(&mut self, address: u64) -> Result<Vec<u8>, Stopped> {
        copied(self.memory.text(address, u64::MAX)?)
    }

    /// A copy of bytes at an address.
    pub fn bytes(&mut self, address: u64, length: u64) -> Result<Vec<u8>, Stopped> {
        if length == 0 {
            return Ok(Vec::new());
        }
        self.memory.touch(length);
        copied(self.memory.read(address, length)?)
    }

    /// Writes a number behind a pointer, unless it is null.
    pub fn write_out(&mut self, pointer: u64, value: u64, bytes: u8) -> Result<(), Stopped> {
        if pointer == 0 { Ok(()) } else { self.memory.write_number(pointer, value, bytes) }
    }

    fn set_errno(&mut self, number: u64) -> Result<(), Stopped> {
        self.memory.write_number(self.errno, number, 4)
    }
}

/// The most bytes that are copied out of the memory of the program at once.
const MOST_COPIED: usize = 1 << 28;

fn copied(bytes: &[u8]) -> Result<Vec<u8>, Stopped> {
    if bytes.len() > MOST_COPIED {
        return Err(Stopped::limit(format!("the program has a string of {} bytes", bytes.len())));
    }
    Ok(bytes.to_vec())
}

/// The arguments of a call. One that is missing is zero.
#[derive(Clone, Copy)]
pub struct Arguments<'a>(&'a [u64]);

impl<'a> Arguments<'a> {
    /// The slot of an argument.
    pub fn word(self, argument: usize) -> u64 {
        self.0.get(argument).copied().unwrap_or(0)
    }

    /// An argument of type `int`.
    pub fn int(self, argument: usize) -> i32 {
        int(self.word(argument))
    }

    /// An argument of type `double`.
    fn double(self, argument: usize) -> f64 {
        f64::from_bits(self.word(argument))
    }

    /// An argument of type `float`.
    fn float(self, argument: usize) -> f32 {
        float(self.word(argument))
    }

    /// The arguments from one on.
    fn from(self, argument: usize) -> &'a [u64] {
        self.0.get(argument..).unwrap_or_default()
    }
}

/// The result of a routine, or the reason why the run ends in it.
pub type Answer = Result<u64, Halt>;

/// A routine of Rust in place of a function without steps.
#[derive(Clone, Copy)]
pub enum Routine {
    /// It has one result, or none.
    Plain(fn(&mut Host<'_>, Arguments<'_>) -> Answer),
    /// It has two results.
    Pair(fn(&mut Host<'_>, Arguments<'_>) -> Result<[u64; 2], Halt>),
    /// It does nothing, and returns this.
    Constant(u64),
    /// It is a function of a `double`.
    Double(fn(f64) -> f64),
    /// It is a function of a `float`.
    Float(fn(f32) -> f32),
    /// It is a function of two `double`s.
    Doubles(fn(f64, f64) -> f64),
    /// It is a function of two `float`s.
    Floats(fn(f32, f32) -> f32),
}

impl Routine {
    /// Calls the routine.
    pub fn call(self, host: &mut Host<'_>, arguments: &[u64]) -> Result<[u64; 2], Halt> {
        let arguments = Arguments(arguments);
        let result = match self {
            Self::Plain(function) => function(host, arguments)?,
            Self::Pair(function) => return function(host, arguments),
            Self::Constant(result) => result,
            Self::Double(function) => function(arguments.double(0)).to_bits(),
            Self::Float(function) => of_float(function(arguments.float(0))),
            Self::Doubles(function) => function(arguments.double(0), arguments.double(1)).to_bits(),
            Self::Floats(function) => of_float(function(arguments.float(0), arguments.float(1))),
        };
        Ok([result, 0])
    }
}

/// The routine for a function, by its name in the module.
pub fn routine(name: &str) -> Option<Routine> {
    let tables = [
        allocation::routine,
        strings::routine,
        parsing::routine,
        mathematics::routine,
        random::routine,
        time::routine,
        output::routine,
        streams::routine,
        files::routine,
        options::routine,
        cxx::routine,
        cxx_strings::routine,
        containers::routine,
        toolkit::routine,
    ];
    tables.iter().find_map(|table| table(name))
}
