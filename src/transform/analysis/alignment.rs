//! Divisors of bit-vectors and pointer offsets.
//!
//! Each value has the greatest power of two that the analysis can show to divide it. Constants,
//! products, shifts, sums and extensions propagate it. Block parameters have the least of their
//! arguments' divisors, from the top down to the greatest fixed point. Wrapping does no harm,
//! because a power of two divides `2^width`. The cells in which an array's offsets are counted rest
//! on this analysis, not on the alignment that the source promises. A misaligned access is found
//! where it occurs.

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{BinaryOp, Block, ConvertOp, Kernel, Operation, UnaryOp, Value};

/// The largest power of two that the analysis tracks.
const TOP: u64 = 1 << 32;

/// A power of two that divides each value (a pointer's offset in its array).
pub type Divisors = SecondaryMap<Value, u64>;

/// Computes the divisors of all values in these blocks.
pub fn divisors(kernel: &Kernel, order: &[Block]) -> Divisors {
    with_given(kernel, order, 1)
}

/// Computes the divisors under the assumption that arguments and loaded values are multiples of any
/// power of two. A value that is not a multiple even then has thread ids or constants as the cause.
pub fn divisors_of_ids(kernel: &Kernel, order: &[Block]) -> Divisors {
    with_given(kernel, order, TOP)
}

/// Computes the divisors, given this divisor of arguments and loaded values.
fn with_given(kernel: &Kernel, order: &[Block], given: u64) -> Divisors {
    let mut known = Divisors::with_default(TOP);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order {
            for &instruction in &kernel.blocks[block].instructions {
                let data = &kernel.instructions[instruction];
                if let Some(result) = data.result {
                    let new = match data.operation {
                        Operation::Parameter(_) | Operation::Load(_) => given,
                        _ => of_operation(&data.operation, &known),
                    };
                    changed |= lower(&mut known, result, new);
                }
            }
            for target in kernel.blocks[block].terminator.targets() {
                for (&parameter, &argument) in kernel.blocks[target.block].parameters.iter().zip(&target.arguments) {
                    let new = known[argument];
                    changed |= lower(&mut known, parameter, new);
                }
            }
        }
    }
    known
}

fn lower(known: &mut Divisors, value: Value, new: u64) -> bool {
    let lower = new < known[value];
    if lower {
        known[value] = new;
    }
    lower
}

fn of_operation(operation: &Operation, known: &Divisors) -> u64 {
    match operation {
        Operation::Constant(bits) => bits.unsigned().trailing_zeros().map_or(TOP, |zeros| {
            1u64.checked_shl(u32::try_from(zeros).unwrap_or(32)).map_or(TOP, |power| power.min(TOP))
        }),
        Operation::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Or | BinaryOp::Xor, _, a, b) => {
            known[*a].min(known[*b])
        }
        Operation::Binary(BinaryOp::And, _, a, b) => known[*a].max(known[*b]),
        Operation::Binary(BinaryOp::Multiply, _, a, b) => known[*a].saturating_mul(known[*b]).min(TOP),
        Operation::Binary(BinaryOp::ShiftLeft, _, a, _) => known[*a],
        Operation::Convert(ConvertOp::ZeroExtend | ConvertOp::SignExtend | ConvertOp::Truncate, a) => known[*a],
        Operation::Select(_, a, b) => known[*a].min(known[*b]),
        Operation::PointerAdd { pointer, offset, .. } => known[*pointer].min(known[*offset]),
        Operation::SpaceCast(pointer) => known[*pointer],
        Operation::ArrayBase(_) | Operation::Null => TOP,
        Operation::Unary(UnaryOp::Negate, a) => known[*a],
        Operation::Extract { low: 0, value, .. } => known[*value],
        // One divides everything. An operation that is not listed above, including a new one, may
        // yield any number.
        _ => 1,
    }
}
