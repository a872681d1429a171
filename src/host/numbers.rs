//! Numbers of C in slots of 64 bits.

/// The lower half of a slot.
#[expect(clippy::cast_possible_truncation, reason = "the upper half is left out on purpose")]
#[inline]
pub fn low(value: u64) -> u32 {
    value as u32
}

/// The lowest byte of a slot.
pub fn byte(value: u64) -> u8 {
    value.to_le_bytes()[0]
}

/// An `int` in a slot.
pub fn int(value: u64) -> i32 {
    low(value).cast_signed()
}

/// The slot of an `int`.
pub fn of_int(value: i32) -> u64 {
    value.cast_unsigned().into()
}

/// The slot of a truth value.
pub fn of_bool(value: bool) -> u64 {
    value.into()
}

/// The slot of an ordering, as functions like `strcmp` return it.
pub fn of_ordering(ordering: std::cmp::Ordering) -> u64 {
    of_int(ordering as i32)
}

/// A `float` in a slot.
#[inline]
pub fn float(value: u64) -> f32 {
    f32::from_bits(low(value))
}

/// The slot of a `float`.
#[inline]
pub fn of_float(value: f32) -> u64 {
    value.to_bits().into()
}

/// A number of bytes or elements as an index; no object has as many bytes as the largest.
#[inline]
pub fn index(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// A number of elements as a number of the program.
#[inline]
pub fn count(value: usize) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}
