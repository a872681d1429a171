//! Changes of the source under which a defective kernel is verified.

use serde::{Deserialize, Serialize};

/// Lines to put into the source. The kernel with all of them is verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// The lines, in the order of the source.
    pub insertions: Vec<Insertion>,
}

/// A line to put into the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Insertion {
    /// The file.
    pub file: String,
    /// The line before which it belongs, from 1.
    pub line: u32,
    /// The white space before it.
    pub indentation: String,
    /// The statement.
    pub statement: String,
}
