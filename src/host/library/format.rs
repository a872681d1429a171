//! The formats of `printf`.

use super::Host;
use crate::Stopped;
use crate::memory::Memory;
use crate::numbers::{byte, count, int};

/// The most bytes that a format makes.
const MOST_BYTES: usize = 1 << 24;

/// The largest width and precision.
const MOST_DIGITS: usize = 4096;

/// A conversion in a format: `%-8.3f`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Conversion {
    is_left: bool,
    has_sign: bool,
    has_blank: bool,
    is_alternate: bool,
    has_zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// The size of an integer in bits.
    bits: u32,
    letter: u8,
}

/// A format that is being read, and the arguments that it has not taken yet.
struct Reader<'a> {
    text: std::iter::Peekable<std::slice::Iter<'a, u8>>,
    arguments: std::slice::Iter<'a, u64>,
}

/// The bytes that a format at an address makes of arguments.
pub fn format(host: &mut Host<'_>, address: u64, arguments: &[u64]) -> Result<Vec<u8>, Stopped> {
    let text = host.text(address)?;
    let memory = &mut host.memory;
    let mut reader = Reader { text: text.iter().peekable(), arguments: arguments.iter() };
    let mut made = Vec::new();
    while let Some(&byte) = reader.text.next() {
        if byte == b'%' {
            let conversion = reader.conversion().ok_or_else(not_known)?;
            reader.convert(conversion, memory, &mut made)?;
        } else {
            made.push(byte);
        }
        if made.len() > MOST_BYTES {
            return Err(Stopped::limit("the program prints a very long text"));
        }
    }
    memory.touch(count(made.len()));
    Ok(made)
}

fn not_known() -> Stopped {
    Stopped::not_known("prints by a format that is not known")
}

impl Reader<'_> {
    /// The conversion behind `%`.
    fn conversion(&mut self) -> Option<Conversion> {
        let mut read = Conversion { bits: 32, ..Conversion::default() };
        while let Some(flag) = self.text.next_if(|flag| b"-+ #0'".contains(flag)) {
            match flag {
                b'-' => read.is_left = true,
                b'+' => read.has_sign = true,
                b' ' => read.has_blank = true,
                b'#' => read.is_alternate = true,
                b'0' => read.has_zeros = true,
                // Groups of digits, which the language of C does not have.
                _ => {}
            }
        }
        let width = self.number()?;
        read.is_left |= width < 0;
        read.width = usize::try_from(width.unsigned_abs()).ok()?;
        if self.text.next_if(|&&byte| byte == b'.').is_some() {
            read.precision = usize::try_from(self.number()?).ok();
        }
        read.bits = self.bits();
        read.letter = *self.text.next()?;
        (read.width.max(read.precision.unwrap_or(0)) <= MOST_DIGITS).then_some(read)
    }

    /// A number in the format, or one of the arguments.
    fn number(&mut self) -> Option<i32> {
        if self.text.next_if(|&&byte| byte == b'*').is_some() {
            return Some(int(self.argument()));
        }
        let mut number = 0i32;
        while let Some(digit) = self.text.next_if(|byte| byte.is_ascii_digit()) {
            number = number.checked_mul(10)?.checked_add(i32::from(digit - b'0'))?;
        }
        Some(number)
    }

    /// The size of an integer.
    fn bits(&mut self) -> u32 {
        let mut bits = 32;
        while let Some(letter) = self.text.next_if(|letter| b"hlLjztq".contains(letter)) {
            bits = match letter {
                b'h' => bits / 2,
                _ => 64,
            };
        }
        bits.max(8)
    }

    fn argument(&mut self) -> u64 {
        self.arguments.next().copied().unwrap_or(0)
    }

    /// Adds the text of a conversion.
    fn convert(&mut self, read: Conversion, memory: &mut Memory, made: &mut Vec<u8>) -> Result<(), Stopped> {
        let (prefix, body) = match read.letter {
            b'%' => {
                made.push(b'%');
                return Ok(());
            }
            b'd' | b'i' => read.signed(self.argument()),
            b'u' | b'o' | b'x' | b'X' => read.unsigned(self.argument()),
            b'p' => match self.argument() {
                0 => (String::new(), "(nil)".into()),
                address => ("0x".into(), format!("{address:x}")),
            },
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => read.float(f64::from_bits(self.argument())),
            b'c' => {
                read.pad(b"", &[byte(self.argument())], false, made);
                return Ok(());
            }
            b's' if read.bits == 32 => {
                let most = read.precision.map_or(u64::MAX, count);
                let text: &[u8] = match self.argument() {
                    0 => b"(null)",
                    address => memory.text(address, most)?,
                };
                read.pad(b"", text, false, made);
                return Ok(());
            }
            _ => return Err(not_known()),
        };
        let has_digits = body.bytes().next().is_some_and(|byte| byte.is_ascii_hexdigit());
        let is_integer = b"diuoxXp".contains(&read.letter);
        let zeros = read.has_zeros && !read.is_left && has_digits && !(is_integer && read.precision.is_some());
        read.pad(prefix.as_bytes(), body.as_bytes(), zeros, made);
        Ok(())
    }
}

impl Conversion {
    /// Adds a prefix and a text with as many blanks or zeros as the width asks for.
    fn pad(&self, prefix: &[u8], body: &[u8], with_zeros: bool, made: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(prefix.len() + body.len());
        let fill = |byte: u8, is_here: bool| std::iter::repeat_n(byte, if is_here { missing } else { 0 });
        made.extend(fill(b' ', !self.is_left && !with_zeros));
        made.extend(prefix);
        made.extend(fill(b'0', with_zeros));
        made.extend(body);
        made.extend(fill(b' ', self.is_left));
    }

    fn sign(&self, is_negative: bool) -> String {
        let sign = match (is_negative, self.has_sign, self.has_blank) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        };
        sign.into()
    }

    /// Digits with at least as many as the precision.
    fn digits(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(precision) => format!("{}{digits}", "0".repeat(precision.saturating_sub(digits.len()))),
            None => digits,
        }
    }

    fn signed(&self, argument: u64) -> (String, String) {
        let unused = 64 - self.bits;
        let number = (argument << unused).cast_signed() >> unused;
        (self.sign(number < 0), self.digits(number.unsigned_abs().to_string()))
    }

    fn unsigned(&self, argument: u64) -> (String, String) {
        let number = argument & u64::MAX >> (64 - self.bits);
        let (prefix, digits) = match self.letter {
            b'o' => ("", format!("{}{number:o}", if self.is_alternate && number != 0 { "0" } else { "" })),
            b'x' => ("0x", format!("{number:x}")),
            b'X' => ("0X", format!("{number:X}")),
            _ => ("", number.to_string()),
        };
        let prefix = if self.is_alternate && number != 0 { prefix } else { "" };
        (prefix.into(), self.digits(digits))
    }

    /// The sign of a float, and its text without that.
    fn float(&self, number: f64) -> (String, String) {
        let magnitude = number.abs();
        let precision = self.precision.unwrap_or(6);
        let text = match self.letter.to_ascii_lowercase() {
            _ if number.is_nan() => "nan".into(),
            _ if number.is_infinite() => "inf".into(),
            b'f' => self.with_point(format!("{magnitude:.precision$}")),
            b'e' => self.scientific(magnitude, precision),
            _ => self.shortest(magnitude, precision.max(1)),
        };
        let text = if self.letter.is_ascii_uppercase() { text.to_uppercase() } else { text };
        (self.sign(number.is_sign_negative()), text)
    }

    /// The alternate form has a point even without digits behind it.
    fn with_point(&self, digits: String) -> String {
        if self.is_alternate && !digits.contains('.') { digits + "." } else { digits }
    }

    fn scientific(&self, magnitude: f64, precision: usize) -> String {
        let (digits, exponent) = scientific(magnitude, precision);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", self.with_point(digits), exponent.abs())
    }

    /// The text with this number of digits, in the form that is shorter.
    fn shortest(&self, magnitude: f64, digits: usize) -> String {
        let (mantissa, exponent) = scientific(magnitude, digits - 1);
        let without_zeros = |text: String| {
            if self.is_alternate || !text.contains('.') {
                return text;
            }
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        let all = i32::try_from(digits).unwrap_or(i32::MAX);
        if (-4..all).contains(&exponent) {
            let precision = usize::try_from(all - 1 - exponent).unwrap_or(0);
            return self.with_point(without_zeros(format!("{magnitude:.precision$}")));
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", self.with_point(without_zeros(mantissa)), exponent.abs())
    }
}

/// The digits of a finite number, one of them before the point, and its exponent.
fn scientific(magnitude: f64, precision: usize) -> (String, i32) {
    let text = format!("{magnitude:.precision$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}
