//! Numbers in strings.

use super::strings::is_space;
use super::{Answer, Arguments, Host, Routine};
use crate::Stopped;
use crate::numbers::{count, low, of_float};

/// The most bytes that are read for a number.
const MOST_BYTES: u64 = 4096;

/// The number of the error of a result that does not fit.
const ERANGE: u64 = 34;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "atoi" => |host, arguments| Ok(low(signed(host, arguments.word(0), 0, 10)?).into()),
        "atol" | "atoll" => |host, arguments| signed(host, arguments.word(0), 0, 10),
        "strtol" | "strtoll" | "__isoc23_strtol" | "__isoc23_strtoll" | "strtoimax" => {
            |host, arguments| signed(host, arguments.word(0), arguments.word(1), arguments.int(2))
        }
        "strtoul" | "strtoull" | "__isoc23_strtoul" | "__isoc23_strtoull" | "strtoumax" => unsigned,
        "atof" => |host, arguments| Ok(double(host, arguments.word(0), 0)?.to_bits()),
        "strtod" | "strtold" => |host, arguments| Ok(double(host, arguments.word(0), arguments.word(1))?.to_bits()),
        "strtof" => strtof,
        _ => return None,
    }))
}

/// The beginning of the string at an address.
fn beginning(host: &mut Host<'_>, address: u64) -> Result<Vec<u8>, Stopped> {
    let text = host.memory.text(address, MOST_BYTES)?;
    let is_of_number = |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
    if count(text.len()) == MOST_BYTES && text.iter().skip_while(|&&byte| is_space(byte)).all(is_of_number) {
        return Err(Stopped::not_known("reads a number from a very long string"));
    }
    Ok(text.to_vec())
}

/// An integer at the beginning of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Integer {
    is_negative: bool,
    /// Its magnitude, if that fits.
    magnitude: Option<u64>,
    /// The number of bytes up to its end; none if there is no integer.
    end: usize,
}

/// The integer at the beginning of a text, to a base from 2 to 36, or to the one that it shows.
fn integer(text: &[u8], base: i32) -> Integer {
    let nothing = Integer { magnitude: Some(0), ..Integer::default() };
    let mut at = text.iter().take_while(|&&byte| is_space(byte)).count();
    let is_negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let digit = |at: usize, base: u32| char::from(*text.get(at)?).to_digit(base);
    let is_hexadecimal = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && matches!(base, 0 | 16)
        && digit(at + 2, 16).is_some();
    let base = match u32::try_from(base) {
        Ok(0) if is_hexadecimal => 16,
        Ok(0) if text.get(at) == Some(&b'0') => 8,
        Ok(0) => 10,
        Ok(base @ 2..=36) => base,
        _ => return nothing,
    };
    at += if is_hexadecimal { 2 } else { 0 };
    let first = at;
    let mut magnitude = Some(0u64);
    while let Some(digit) = digit(at, base) {
        magnitude = magnitude.and_then(|m| m.checked_mul(base.into())?.checked_add(digit.into()));
        at += 1;
    }
    if at == first { nothing } else { Integer { is_negative, magnitude, end: at } }
}

/// Writes the address behind a number.
fn write_end(host: &mut Host<'_>, pointer: u64, text: u64, end: usize) -> Result<(), Stopped> {
    host.write_out(pointer, text.wrapping_add(count(end)), 8)
}

fn signed(host: &mut Host<'_>, address: u64, end: u64, base: i32) -> Answer {
    let text = beginning(host, address)?;
    let Integer { is_negative, magnitude, end: length } = integer(&text, base);
    write_end(host, end, address, length)?;
    let exact = magnitude.map(|magnitude| if is_negative { -i128::from(magnitude) } else { i128::from(magnitude) });
    if let Some(number) = exact.and_then(|exact| i64::try_from(exact).ok()) {
        return Ok(number.cast_unsigned());
    }
    host.set_errno(ERANGE)?;
    Ok(if is_negative { i64::MIN } else { i64::MAX }.cast_unsigned())
}

fn unsigned(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let text = beginning(host, arguments.word(0))?;
    let Integer { is_negative, magnitude, end } = integer(&text, arguments.int(2));
    write_end(host, arguments.word(1), arguments.word(0), end)?;
    if let Some(magnitude) = magnitude {
        return Ok(if is_negative { magnitude.wrapping_neg() } else { magnitude });
    }
    host.set_errno(ERANGE)?;
    Ok(u64::MAX)
}

/// The part of a text that is a decimal float: where it starts, and where it ends.
///
/// It also finds `inf` and `nan`. `None` if there is no float; hexadecimal ones are not read.
fn float(text: &[u8]) -> Result<Option<(usize, usize)>, Stopped> {
    let start = text.iter().take_while(|&&byte| is_space(byte)).count();
    let mut at = start + usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let begins =
        |word: &str| text.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    if let Some(word) = ["infinity", "inf", "nan"].into_iter().find(|word| begins(word)) {
        return Ok(Some((start, at + word.len())));
    }
    if begins("0x") {
        return Err(Stopped::not_known("reads a hexadecimal float from a string"));
    }
    let digits = |at: usize| text.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(at);
    at += whole;
    let has_point = text.get(at) == Some(&b'.');
    let fraction = if has_point { digits(at + 1) } else { 0 };
    if whole + fraction == 0 {
        return Ok(None);
    }
    at += fraction + usize::from(has_point);
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        let exponent = digits(at + 1 + sign);
        at += if exponent == 0 { 0 } else { 1 + sign + exponent };
    }
    Ok(Some((start, at)))
}

/// The float at the beginning of a string, as Rust reads it: to the nearest one.
fn parsed<F: std::str::FromStr>(host: &mut Host<'_>, address: u64, end: u64) -> Result<Option<F>, Stopped> {
    let text = beginning(host, address)?;
    let found = float(&text)?;
    write_end(host, end, address, found.map_or(0, |(_, end)| end))?;
    let part = found.and_then(|(start, end)| std::str::from_utf8(text.get(start..end)?).ok());
    Ok(part.and_then(|part| part.parse().ok()))
}

fn double(host: &mut Host<'_>, address: u64, end: u64) -> Result<f64, Stopped> {
    Ok(parsed::<f64>(host, address, end)?.unwrap_or(0.0))
}

fn strtof(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let number = parsed::<f32>(host, arguments.word(0), arguments.word(1))?;
    Ok(of_float(number.unwrap_or(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_end_where_their_digits_end() {
        let read = |text: &str, base: i32| {
            let Integer { is_negative, magnitude, end } = integer(text.as_bytes(), base);
            (is_negative, magnitude, end)
        };
        assert_eq!(read("  -12ab", 10), (true, Some(12), 5));
        assert_eq!(read("0x1Fg", 0), (false, Some(31), 4));
        assert_eq!(read("0x", 0), (false, Some(0), 1));
        assert_eq!(read("0778", 0), (false, Some(0o77), 3));
        assert_eq!(read("z", 36), (false, Some(35), 1));
        assert_eq!(read("-", 10), (false, Some(0), 0));
        assert_eq!(read("1", 1), (false, Some(0), 0));
        assert_eq!(read("18446744073709551616", 10), (false, None, 20));
    }

    #[test]
    fn floats_end_where_they_are_no_longer_floats() {
        let read =
            |text: &str| float(text.as_bytes()).map(|found| found.map(|(start, end)| text[start..end].to_owned()));
        let found = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(read(" 1.5e3x"), found("1.5e3"));
        assert_eq!(read("1e+"), found("1"));
        assert_eq!(read("-.5"), found("-.5"));
        assert_eq!(read("3."), found("3."));
        assert_eq!(read("-INFxyz"), found("-INF"));
        assert_eq!(read("."), Ok(None));
        assert_eq!(read("x"), Ok(None));
        assert!(read("0x1p3").is_err());
    }
}
