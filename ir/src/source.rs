//! The place of a part of a program in the user's source.

use cranelift_entity::entity_impl;
use serde::{Deserialize, Serialize};

/// A source file, by its index in the table of the program that mentions it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct File(u32);
entity_impl!(File, "file");

/// A place in the source with the calls it was inlined through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(u32);
entity_impl!(Location, "loc");

/// The data of a [`Location`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LocationData {
    /// The file.
    pub file: File,
    /// The line, from 1; 0 where the compiler recorded none.
    pub line: u32,
    /// The column, from 1; 0 where the compiler recorded none.
    pub column: u32,
    /// The call through which this place was inlined; following the chain gives the calls from the
    /// innermost outwards. `None` in the kernel's own body.
    pub inlined_at: Option<Location>,
    /// The source function that contains the place, empty if unknown.
    pub function: String,
}

/// A line of a source file, by the file's name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, as the compiler names it.
    pub file: String,
    /// The line, from 1; 0 where the compiler recorded none.
    pub line: u32,
}
