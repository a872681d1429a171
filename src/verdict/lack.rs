//! Properties of synchronising operations whose lack leaves two accesses unordered.

use serde::{Deserialize, Serialize};

/// An operation, and a property that it lacks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lack {
    /// The file of the operation.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// The property.
    pub order: Order,
}

/// A property of an atomic operation, a fence or a volatile access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// A scope that includes the other thread.
    Scope,
    /// A release.
    Release,
    /// An acquire.
    Acquire,
}
