//! `getopt`: options on the command line of the program.
//!
//! POSIX, "getopt"; the words that are no options are not moved behind the others, as they would be
//! in glibc, so a program with such a word before an option ends its run.

use super::{Answer, Arguments, Host, Routine};
use crate::Stopped;
use crate::memory::{Memory, ObjectId};
use crate::numbers::{count, of_int};

/// The variables of the function, with their first contents and their sizes.
const VARIABLES: [(&str, u64, u8); 4] = [("optind", 1, 4), ("optarg", 0, 8), ("optopt", 0, 4), ("opterr", 1, 4)];

/// The state between two calls.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// The word that is next, if the program does not mention `optind`.
    index: u64,
    /// The letter of the word that is next.
    letter: u64,
}

impl Default for State {
    fn default() -> Self {
        Self { index: 1, letter: 0 }
    }
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "getopt" => |host, arguments| next(host, arguments, false),
        "getopt_long" | "getopt_long_only" => |host, arguments| next(host, arguments, true),
        _ => return None,
    }))
}

/// Defines the variables, if the program mentions them.
pub fn define(memory: &mut Memory) {
    for (name, value, bytes) in VARIABLES {
        if let Some(variable) = memory.variable(name) {
            memory.define(variable, &value.to_le_bytes()[..usize::from(bytes)]);
        }
    }
}

fn variable(host: &Host<'_>, name: &str) -> Option<ObjectId> {
    host.memory.variable(name)
}

/// Sets one of the variables.
fn set(host: &mut Host<'_>, name: &str, value: u64) -> Result<(), Stopped> {
    let bytes = VARIABLES.iter().find(|(known, ..)| *known == name).map_or(8, |(.., bytes)| *bytes);
    match variable(host, name) {
        Some(variable) => host.memory.write_number(host.memory.address_of(variable), value, bytes),
        None => Ok(()),
    }
}

/// The next option, or -1.
fn next(host: &mut Host<'_>, arguments: Arguments<'_>, has_long_ones: bool) -> Answer {
    let none = of_int(-1);
    let index = match variable(host, "optind") {
        Some(variable) => host.memory.read_number(host.memory.address_of(variable), 4)?,
        None => host.options.index,
    };
    let (words, known) = (arguments.word(0) & 0xFFFF_FFFF, host.text(arguments.word(2))?);
    if index >= words {
        return Ok(none);
    }
    let address = host.memory.read_number(arguments.word(1).wrapping_add(8 * index), 8)?;
    let word = host.text(address)?;
    let rest = match word.as_slice() {
        [b'-', b'-'] => {
            end_word(host, index)?;
            return Ok(none);
        }
        [b'-', b'-', ..] if has_long_ones => return Err(Stopped::not_known("is given a long option").into()),
        [b'-', rest @ ..] if !rest.is_empty() => rest,
        _ if index + 1 < words => return Err(Stopped::not_known("is given a word before an option").into()),
        _ => return Ok(none),
    };
    let at = usize::try_from(host.options.letter).unwrap_or(0);
    let Some(&letter) = rest.get(at) else { return Ok(none) };
    let is_last = at + 1 == rest.len();
    let place = known.iter().position(|one| *one == letter && letter != b':');
    let takes_value = place.is_some_and(|place| known.get(place + 1) == Some(&b':'));
    let is_optional = place.is_some_and(|place| known.get(place + 2) == Some(&b':'));
    set(host, "optopt", letter.into())?;
    if takes_value {
        // The value is the rest of the word, or the next word.
        let of_rest = address.wrapping_add(count(at) + 2);
        let (value, next) = match (is_last, is_optional) {
            (false, _) => (of_rest, index + 1),
            (true, true) => (0, index + 1),
            (true, false) if index + 1 < words => {
                (host.memory.read_number(arguments.word(1).wrapping_add(8 * (index + 1)), 8)?, index + 2)
            }
            (true, false) => {
                end_word(host, index)?;
                return Ok(if known.first() == Some(&b':') { b':'.into() } else { b'?'.into() });
            }
        };
        set(host, "optarg", value)?;
        end_word(host, next - 1)?;
    } else if is_last {
        end_word(host, index)?;
    } else {
        host.options.letter += 1;
    }
    Ok(if place.is_some() { letter.into() } else { b'?'.into() })
}

/// Goes on behind a word.
fn end_word(host: &mut Host<'_>, index: u64) -> Result<(), Stopped> {
    host.options.letter = 0;
    host.options.index = index + 1;
    set(host, "optind", index + 1)
}
