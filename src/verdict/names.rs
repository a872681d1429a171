//! Names that exist once in the program, read back from a message of a worker.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer};

/// A name that the program has. It is an alias, because serde takes every reference that it sees
/// for a part of the text that it reads.
pub type Name = &'static str;

/// The names that have been read. There are few: the codes, kinds and scopes of findings.
static READ: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Reads a name that lives as long as the program.
pub fn known_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    String::deserialize(deserializer).map(lasting)
}

/// Reads such a name, if there is one.
pub fn known_name_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'static str>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(lasting))
}

fn lasting(name: String) -> &'static str {
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = read.get(name.as_str()) {
        return known;
    }
    let name: &'static str = Box::leak(name.into_boxed_str());
    read.insert(name);
    name
}
