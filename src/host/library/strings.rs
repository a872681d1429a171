//! Functions of `<string.h>` and `<ctype.h>`.

use std::cmp::Ordering;

use super::{Answer, Arguments, Host, Routine, copied};
use crate::Stopped;
use crate::memory::Side;
use crate::numbers::{byte, count, of_bool, of_int, of_ordering};

/// The most comparisons of bytes in a search for a string.
const MOST_COMPARISONS: u64 = 1 << 32;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    bytes(name).or_else(|| copies(name)).or_else(|| searches(name)).or_else(|| characters(name))
}

fn bytes(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "memcpy" | "memmove" => |host, arguments| {
            host.memory.copy(arguments.word(0), arguments.word(1), arguments.word(2), Side::Host)?;
            Ok(arguments.word(0))
        },
        "mempcpy" => |host, arguments| {
            host.memory.copy(arguments.word(0), arguments.word(1), arguments.word(2), Side::Host)?;
            Ok(arguments.word(0).wrapping_add(arguments.word(2)))
        },
        "memset" => |host, arguments| {
            host.memory.fill(arguments.word(0), byte(arguments.word(1)), arguments.word(2), Side::Host)?;
            Ok(arguments.word(0))
        },
        "bzero" => |host, arguments| {
            host.memory.fill(arguments.word(0), 0, arguments.word(1), Side::Host)?;
            Ok(0)
        },
        "memcmp" | "bcmp" => memcmp,
        "memchr" => memchr,
        "strlen" => |host, arguments| Ok(count(host.memory.text(arguments.word(0), u64::MAX)?.len())),
        "strnlen" => |host, arguments| Ok(count(host.memory.text(arguments.word(0), arguments.word(1))?.len())),
        "strcmp" | "strcoll" => |host, arguments| compare(host, arguments, u64::MAX, |byte| byte),
        "strncmp" => |host, arguments| compare(host, arguments, arguments.word(2), |byte| byte),
        "strcasecmp" => |host, arguments| compare(host, arguments, u64::MAX, |byte| byte.to_ascii_lowercase()),
        "strncasecmp" => {
            |host, arguments| compare(host, arguments, arguments.word(2), |byte| byte.to_ascii_lowercase())
        }
        _ => return None,
    }))
}

fn copies(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "strcpy" => |host, arguments| {
            let text = host.text(arguments.word(1))?;
            write_text(host, arguments.word(0), text)?;
            Ok(arguments.word(0))
        },
        "stpcpy" => |host, arguments| {
            let text = host.text(arguments.word(1))?;
            let end = arguments.word(0).wrapping_add(count(text.len()));
            write_text(host, arguments.word(0), text)?;
            Ok(end)
        },
        "strncpy" => strncpy,
        "strcat" => |host, arguments| {
            let text = host.text(arguments.word(1))?;
            append(host, arguments.word(0), text)
        },
        "strncat" => |host, arguments| {
            let text = copied(host.memory.text(arguments.word(1), arguments.word(2))?)?;
            append(host, arguments.word(0), text)
        },
        "strdup" | "__strdup" => |host, arguments| {
            let text = host.text(arguments.word(0))?;
            duplicate(host, text)
        },
        "strndup" => |host, arguments| {
            let text = copied(host.memory.text(arguments.word(0), arguments.word(1))?)?;
            duplicate(host, text)
        },
        "strtok" => strtok,
        "strtok_r" | "__strtok_r" => strtok_r,
        _ => return None,
    }))
}

fn searches(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "strchr" => |host, arguments| strchr(host, arguments, |text, byte| text.iter().position(|&one| one == byte)),
        "strrchr" => |host, arguments| strchr(host, arguments, |text, byte| text.iter().rposition(|&one| one == byte)),
        "strstr" => strstr,
        "strspn" => |host, arguments| Ok(span(host, arguments, false)?.1),
        "strcspn" => |host, arguments| Ok(span(host, arguments, true)?.1),
        "strpbrk" => |host, arguments| {
            let (length, before) = span(host, arguments, true)?;
            Ok(if before == length { 0 } else { arguments.word(0).wrapping_add(before) })
        },
        _ => return None,
    }))
}

fn characters(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "toupper" => |_, arguments| Ok(mapped(arguments, |byte| byte.to_ascii_uppercase())),
        "tolower" => |_, arguments| Ok(mapped(arguments, |byte| byte.to_ascii_lowercase())),
        "isalpha" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_alphabetic())),
        "isdigit" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_digit())),
        "isalnum" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_alphanumeric())),
        "isxdigit" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_hexdigit())),
        "isupper" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_uppercase())),
        "islower" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_lowercase())),
        "ispunct" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_punctuation())),
        "iscntrl" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_control())),
        "isgraph" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_graphic())),
        "isprint" => |_, arguments| Ok(holds(arguments, |byte| byte.is_ascii_graphic() || byte == b' ')),
        "isblank" => |_, arguments| Ok(holds(arguments, |byte| matches!(byte, b' ' | b'\t'))),
        "isspace" => |_, arguments| Ok(holds(arguments, is_space)),
        _ => return None,
    }))
}

/// Whether a byte is one that separates words.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn mapped(arguments: Arguments<'_>, map: fn(u8) -> u8) -> u64 {
    u8::try_from(arguments.int(0)).map_or_else(|_| of_int(arguments.int(0)), |byte| map(byte).into())
}

fn holds(arguments: Arguments<'_>, holds: fn(u8) -> bool) -> u64 {
    of_bool(u8::try_from(arguments.int(0)).is_ok_and(holds))
}

fn memcmp(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let bytes = arguments.word(2);
    if bytes == 0 {
        return Ok(0);
    }
    let (a, b) = (host.memory.read(arguments.word(0), bytes)?, host.memory.read(arguments.word(1), bytes)?);
    let ordering = a.cmp(b);
    host.memory.touch(bytes);
    Ok(of_ordering(ordering))
}

/// It reads up to the byte, so the memory may end behind that.
fn memchr(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (address, sought, bytes) = (arguments.word(0), byte(arguments.word(1)), arguments.word(2));
    let rest = host.memory.object_at(address).map_or(0, |(object, offset)| host.memory.size(object) - offset);
    let found = host.memory.read(address, rest.min(bytes))?.iter().position(|&byte| byte == sought);
    host.memory.touch(rest.min(bytes));
    match found {
        Some(found) => Ok(address.wrapping_add(count(found))),
        None if bytes > rest => Err(host.memory.refusal(address, bytes, Side::Host, "reads").into()),
        None => Ok(0),
    }
}

fn compare(host: &mut Host<'_>, arguments: Arguments<'_>, most: u64, map: fn(u8) -> u8) -> Answer {
    let a = copied(host.memory.text(arguments.word(0), most)?)?;
    let b = host.memory.text(arguments.word(1), most)?;
    let ordering: Ordering = a.into_iter().map(map).cmp(b.iter().map(|&byte| map(byte)));
    Ok(of_ordering(ordering))
}

fn write_text(host: &mut Host<'_>, to: u64, mut text: Vec<u8>) -> Result<(), Stopped> {
    text.push(0);
    host.memory.write(to, &text)
}

fn strncpy(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (to, bytes) = (arguments.word(0), arguments.word(2));
    let text = copied(host.memory.text(arguments.word(1), bytes)?)?;
    // The rest is filled with zeros.
    host.memory.fill(to, 0, bytes, Side::Host)?;
    if !text.is_empty() {
        host.memory.write(to, &text)?;
    }
    Ok(to)
}

fn append(host: &mut Host<'_>, to: u64, text: Vec<u8>) -> Answer {
    let length = count(host.memory.text(to, u64::MAX)?.len());
    write_text(host, to.wrapping_add(length), text)?;
    Ok(to)
}

fn duplicate(host: &mut Host<'_>, text: Vec<u8>) -> Answer {
    let address = super::allocation::allocated(host, count(text.len()) + 1)?;
    write_text(host, address, text)?;
    Ok(address)
}

fn strchr(host: &mut Host<'_>, arguments: Arguments<'_>, find: fn(&[u8], u8) -> Option<usize>) -> Answer {
    let (address, sought) = (arguments.word(0), byte(arguments.word(1)));
    let text = host.memory.text(address, u64::MAX)?;
    let found = if sought == 0 { Some(text.len()) } else { find(text, sought) };
    Ok(found.map_or(0, |found| address.wrapping_add(count(found))))
}

fn strstr(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let sought = host.text(arguments.word(1))?;
    let text = host.memory.text(arguments.word(0), u64::MAX)?;
    let comparisons = count(text.len()).saturating_mul(count(sought.len()));
    if comparisons > MOST_COMPARISONS {
        return Err(Stopped::limit("the program searches a very long string").into());
    }
    let found = if sought.is_empty() { Some(0) } else { text.windows(sought.len()).position(|part| part == sought) };
    host.memory.touch(comparisons);
    Ok(found.map_or(0, |found| arguments.word(0).wrapping_add(count(found))))
}

/// The length of a string, and that of its beginning without or with bytes of another one alone.
fn span(host: &mut Host<'_>, arguments: Arguments<'_>, is_without: bool) -> Result<(u64, u64), Stopped> {
    let set = byte_set(&host.text(arguments.word(1))?);
    let text = host.memory.text(arguments.word(0), u64::MAX)?;
    let ends = |&byte: &u8| set[usize::from(byte)] == is_without;
    Ok((count(text.len()), count(text.iter().position(ends).unwrap_or(text.len()))))
}

/// Which bytes are in a text.
pub fn byte_set(text: &[u8]) -> [bool; 256] {
    let mut set = [false; 256];
    for &byte in text {
        set[usize::from(byte)] = true;
    }
    set
}

fn strtok(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let from = if arguments.word(0) == 0 { host.split } else { arguments.word(0) };
    let (token, rest) = next_token(host, from, arguments.word(1))?;
    host.split = rest;
    Ok(token)
}

fn strtok_r(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let kept = arguments.word(2);
    let from = if arguments.word(0) == 0 { host.memory.read_number(kept, 8)? } else { arguments.word(0) };
    let (token, rest) = next_token(host, from, arguments.word(1))?;
    host.memory.write_number(kept, rest, 8)?;
    Ok(token)
}

/// The next part of a string between separators, and the address of its rest.
fn next_token(host: &mut Host<'_>, from: u64, separators: u64) -> Result<(u64, u64), Stopped> {
    if from == 0 {
        return Ok((0, 0));
    }
    let set = byte_set(&host.text(separators)?);
    let is_separator = |&byte: &u8| set[usize::from(byte)];
    let text = host.memory.text(from, u64::MAX)?;
    let Some(start) = text.iter().position(|byte| !is_separator(byte)) else {
        return Ok((0, from.wrapping_add(count(text.len()))));
    };
    let (length, end) = (count(text.len()), text[start..].iter().position(is_separator));
    let token = from.wrapping_add(count(start));
    let Some(end) = end else { return Ok((token, from.wrapping_add(length))) };
    let end = token.wrapping_add(count(end));
    host.memory.write_number(end, 0, 1)?;
    Ok((token, end.wrapping_add(1)))
}
