//! Emits a query about a sequential program's expressions as SMT-LIB 2.

use super::{Expression, Expressions};

/// A script that asks whether `assertions` can hold together.
pub fn emit_smtlib(_expressions: &Expressions, _assertions: &[Expression]) -> String {
    String::new()
}
