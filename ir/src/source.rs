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

/// A part of a source that is left out, because it is for the host and does not compile.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LeftOut {
    /// The kind of the part.
    pub part: LeftOutPart,
    /// The place of the declaration that it belongs to, or of the line that includes a header.
    pub place: Place,
    /// The name of the declaration or the header.
    pub name: String,
    /// The number of such parts.
    pub number: usize,
    /// The compiler's first message about it.
    pub error: String,
}

/// The kind of a part that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutPart {
    /// A header that was not found.
    Header,
    /// Statements of a function.
    Statements,
    /// The body of a function.
    Body,
    /// A whole declaration.
    Declaration,
}

/// A line of a source file, by the file's name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, as the compiler names it.
    pub file: String,
    /// The line, from 1; 0 where the compiler recorded none.
    pub line: u32,
}
