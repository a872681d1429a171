//! Sentences under which the import lists what it takes for granted of arithmetic, before their lines: a run that breaks one is
//! compared with the list by these.

/// Divisors are not 0.
pub const DIVISION: &str = "no division by zero";
/// Divisors are not 0, and quotients of signed numbers fit. It begins as [`DIVISION`] does, by which both are found.
pub const SIGNED_DIVISION: &str = "no division by zero, and none of the least number by -1";
/// Distances of shifts are below the width.
pub const DISTANCE: &str = "no shift by the width or more";
/// Operands of `mul24`.
pub const OPERANDS_OF_MUL24: &str = "the operands of mul24 have 24 bits";
/// Factors of `mad24`.
pub const FACTORS_OF_MAD24: &str = "the factors of mad24 have 24 bits";
