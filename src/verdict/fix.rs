//! Changes of the source under which a defective kernel is verified.

use serde::{Deserialize, Serialize};

/// Changes of the source. The kernel with all of them is verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// Lines to put into the source, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub insertions: Vec<Insertion>,
    /// Words to replace, in the order of the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replacements: Vec<Replacement>,
}

/// A word to replace in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Replacement {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the word's first letter, from 1.
    pub column: u32,
    /// The word.
    pub old: String,
    /// The word in its place.
    pub new: String,
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
