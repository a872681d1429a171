//! The members of `std::string` that libstdc++ has in its library.
//!
//! A string begins with the address of its characters and their number. Up to 15 characters are in
//! the string itself, behind those two. Otherwise their place has the capacity.

use super::allocation::{allocated, freed};
use super::strings::byte_set;
use super::{Answer, Arguments, Host, MOST_COPIED, Routine};
use crate::Stopped;

use crate::memory::Side;
use crate::numbers::{byte, count, index, of_ordering};

/// The offsets of a string's parts.
const LENGTH: u64 = 8;
const LOCAL: u64 = 16;

/// The capacity of the part of a string for its own characters.
const LOCAL_CAPACITY: u64 = 15;

/// The largest length, beyond which an exception is thrown.
const MOST: u64 = (1 << 62) - 1;

/// The result where nothing is found.
const NOT_FOUND: u64 = u64::MAX;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    const CLASS: &str = "St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
    let member = name.strip_prefix("_ZN").map(|name| name.strip_prefix('K').unwrap_or(name))?;
    let member = member.strip_prefix(CLASS)?;
    changing(member).or_else(|| reading(member)).map(Routine::Plain)
}

type Member = fn(&mut Host<'_>, Arguments<'_>) -> Answer;

fn changing(member: &str) -> Option<Member> {
    Some(match member {
        "9_M_createERmm" => create_member,
        "9_M_mutateEmmPKcm" => |host, a| {
            let from = a.word(3);
            let part = if from == 0 { vec![0; index(checked(a.word(4))?)] } else { host.bytes(from, a.word(4))? };
            Text::at(host, a.word(0))?.splice(host, a.word(1), a.word(2), &part, true)
        },
        "9_M_appendEPKcm" | "6appendEPKcm" => |host, a| {
            let part = host.bytes(a.word(1), a.word(2))?;
            let text = Text::at(host, a.word(0))?;
            text.splice(host, text.length, 0, &part, false)
        },
        "6appendEPKc" | "pLEPKc" => |host, a| {
            let part = host.text(a.word(1))?;
            let text = Text::at(host, a.word(0))?;
            text.splice(host, text.length, 0, &part, false)
        },
        "9_M_assignERKS4_" => |host, a| {
            let from = Text::at(host, a.word(1))?;
            let part = host.bytes(from.characters, from.length)?;
            let text = Text::at(host, a.word(0))?;
            text.splice(host, 0, text.length, &part, false)
        },
        "10_M_replaceEmmPKcm" => |host, a| {
            let part = host.bytes(a.word(3), a.word(4))?;
            Text::at(host, a.word(0))?.splice(host, a.word(1), a.word(2), &part, false)
        },
        "14_M_replace_auxEmmmc" => |host, a| {
            let part = repeated(a.word(3), a.word(4))?;
            Text::at(host, a.word(0))?.splice(host, a.word(1), a.word(2), &part, false)
        },
        "8_M_eraseEmm" => |host, a| Text::at(host, a.word(0))?.splice(host, a.word(1), a.word(2), &[], false),
        "12_M_constructEmc" => construct,
        "6resizeEmc" => |host, a| resize(host, a.word(0), a.word(1), a.word(2)),
        "6resizeEm" => |host, a| resize(host, a.word(0), a.word(1), 0),
        "7reserveEm" => reserve,
        "10_M_disposeEv" => |host, a| Text::at(host, a.word(0))?.dispose(host),
        _ => return None,
    })
}

fn reading(member: &str) -> Option<Member> {
    Some(match member {
        "7compareEPKc" => |host, a| {
            let other = host.text(a.word(1))?;
            Ok(of_ordering(contents(host, a.word(0))?.cmp(&other)))
        },
        "7compareERKS4_" => |host, a| {
            let other = contents(host, a.word(1))?;
            Ok(of_ordering(contents(host, a.word(0))?.cmp(&other)))
        },
        "4findEcm" => |host, a| {
            find(host, a, |text, start, sought| {
                Some(start + text.get(start..)?.iter().position(|&byte| byte == sought)?)
            })
        },
        "5rfindEcm" => |host, a| {
            find(host, a, |text, last, sought| {
                let end = last.saturating_add(1).min(text.len());
                text[..end].iter().rposition(|&byte| byte == sought)
            })
        },
        "4findEPKcmm" => find_text,
        "13find_first_ofEPKcmm" => |host, a| find_set(host, a, true, true),
        "17find_first_not_ofEPKcmm" => |host, a| find_set(host, a, true, false),
        "12find_last_ofEPKcmm" => |host, a| find_set(host, a, false, true),
        "16find_last_not_ofEPKcmm" => |host, a| find_set(host, a, false, false),
        _ => return None,
    })
}

/// A length that does not throw.
fn checked(length: u64) -> Result<u64, Stopped> {
    if length > MOST {
        return Err(Stopped::thrown());
    }
    if index(length) > MOST_COPIED {
        return Err(Stopped::limit(format!("the program has a string of {length} bytes")));
    }
    Ok(length)
}

fn repeated(length: u64, character: u64) -> Result<Vec<u8>, Stopped> {
    Ok(vec![byte(character); index(checked(length)?)])
}

fn contents(host: &mut Host<'_>, string: u64) -> Result<Vec<u8>, Stopped> {
    let text = Text::at(host, string)?;
    host.bytes(text.characters, text.length)
}

/// A string of the program.
#[derive(Clone, Copy)]
struct Text {
    string: u64,
    characters: u64,
    length: u64,
}

impl Text {
    fn at(host: &Host<'_>, string: u64) -> Result<Self, Stopped> {
        let characters = host.memory.read_number(string, 8)?;
        let length = host.memory.read_number(string.wrapping_add(LENGTH), 8)?;
        Ok(Self { string, characters, length })
    }

    fn is_local(self) -> bool {
        self.characters == self.string.wrapping_add(LOCAL)
    }

    fn capacity(self, host: &Host<'_>) -> Result<u64, Stopped> {
        if self.is_local() { Ok(LOCAL_CAPACITY) } else { host.memory.read_number(self.string.wrapping_add(LOCAL), 8) }
    }

    /// Frees the characters.
    fn dispose(self, host: &mut Host<'_>) -> Answer {
        if self.is_local() { Ok(0) } else { freed(host, self.characters) }
    }

    /// Sets the number of characters, and the zero behind them.
    fn set_length(self, host: &mut Host<'_>, characters: u64, length: u64) -> Result<(), Stopped> {
        host.memory.write_number(self.string.wrapping_add(LENGTH), length, 8)?;
        host.memory.write_number(characters.wrapping_add(length), 0, 1)
    }

    /// Puts characters in the place of others, and gives the address of the string.
    ///
    /// Memory is new if it must be, or if the caller asks for that, who then sets the length.
    fn splice(self, host: &mut Host<'_>, start: u64, removed: u64, part: &[u8], is_new: bool) -> Answer {
        let removed = removed.min(self.length.saturating_sub(start));
        let rest = self.length.checked_sub(start + removed).ok_or_else(Stopped::thrown)?;
        let length = checked(start.saturating_add(count(part.len())).saturating_add(rest))?;
        let (old_rest, new_rest) = (start + removed, start + count(part.len()));
        let capacity = self.capacity(host)?;
        let mut characters = self.characters;
        if is_new || length > capacity {
            let new_capacity = grown(length, capacity)?;
            characters = allocated(host, new_capacity + 1)?;
            host.memory.copy(characters, self.characters, start, Side::Host)?;
            self.copy_rest(host, characters.wrapping_add(new_rest), old_rest, rest)?;
            self.dispose(host)?;
            host.memory.write_number(self.string, characters, 8)?;
            host.memory.write_number(self.string.wrapping_add(LOCAL), new_capacity, 8)?;
        } else {
            self.copy_rest(host, characters.wrapping_add(new_rest), old_rest, rest)?;
        }
        if !part.is_empty() {
            host.memory.write(characters.wrapping_add(start), part)?;
        }
        if !is_new {
            self.set_length(host, characters, length)?;
        }
        Ok(self.string)
    }

    fn copy_rest(self, host: &mut Host<'_>, to: u64, from: u64, bytes: u64) -> Result<(), Stopped> {
        host.memory.copy(to, self.characters.wrapping_add(from), bytes, Side::Host)
    }
}

/// The capacity for a length: at least twice the old one.
fn grown(length: u64, old: u64) -> Result<u64, Stopped> {
    let length = checked(length)?;
    Ok(if length > old { length.max(old.saturating_mul(2).min(MOST)) } else { length })
}

/// New memory for a capacity that it may raise.
fn create_member(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let wanted = arguments.word(1);
    let capacity = grown(host.memory.read_number(wanted, 8)?, arguments.word(2))?;
    host.memory.write_number(wanted, capacity, 8)?;
    allocated(host, capacity + 1)
}

/// Makes a new string of one character many times. Its characters are in itself.
fn construct(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let part = repeated(arguments.word(1), arguments.word(2))?;
    let text = Text { length: 0, ..Text::at(host, arguments.word(0))? };
    text.splice(host, 0, 0, &part, false)?;
    Ok(0)
}

fn resize(host: &mut Host<'_>, string: u64, length: u64, character: u64) -> Answer {
    let text = Text::at(host, string)?;
    if length <= text.length {
        text.set_length(host, text.characters, length)?;
        return Ok(0);
    }
    let part = repeated(length - text.length, character)?;
    text.splice(host, text.length, 0, &part, false)
}

fn reserve(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let text = Text::at(host, arguments.word(0))?;
    let old = text.capacity(host)?;
    if arguments.word(1) > old {
        let capacity = grown(arguments.word(1), old)?;
        let characters = allocated(host, capacity + 1)?;
        host.memory.copy(characters, text.characters, text.length.saturating_add(1), Side::Host)?;
        text.dispose(host)?;
        host.memory.write_number(text.string, characters, 8)?;
        host.memory.write_number(text.string.wrapping_add(LOCAL), capacity, 8)?;
    }
    Ok(0)
}

fn position(found: Option<usize>) -> u64 {
    found.map_or(NOT_FOUND, count)
}

fn find(host: &mut Host<'_>, arguments: Arguments<'_>, search: fn(&[u8], usize, u8) -> Option<usize>) -> Answer {
    let text = contents(host, arguments.word(0))?;
    Ok(position(search(&text, index(arguments.word(2)), byte(arguments.word(1)))))
}

fn find_text(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (text, start) = (contents(host, arguments.word(0))?, index(arguments.word(2)));
    let sought = host.bytes(arguments.word(1), arguments.word(3))?;
    if count(text.len()).saturating_mul(count(sought.len())) > 1 << 32 {
        return Err(Stopped::limit("the program searches a very long string").into());
    }
    let rest = text.get(start..);
    let found = match rest {
        Some(_) if sought.is_empty() => Some(0),
        Some(rest) => rest.windows(sought.len()).position(|part| part == sought),
        None => None,
    };
    host.memory.touch(count(text.len()).saturating_mul(count(sought.len())));
    Ok(position(found.map(|found| start + found)))
}

/// The first or the last character that is one of a set, or is not.
fn find_set(host: &mut Host<'_>, arguments: Arguments<'_>, is_first: bool, is_in: bool) -> Answer {
    let (text, start) = (contents(host, arguments.word(0))?, index(arguments.word(2)));
    let set = byte_set(&host.bytes(arguments.word(1), arguments.word(3))?);
    let fits = |byte: &u8| set[usize::from(*byte)] == is_in;
    let found = if is_first {
        text.get(start..).and_then(|rest| rest.iter().position(fits)).map(|found| start + found)
    } else {
        text[..start.saturating_add(1).min(text.len())].iter().rposition(fits)
    };
    Ok(position(found))
}
