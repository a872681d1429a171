//! The numbers that are computed from addresses.
//!
//! A sum of a pointer and a number points into the pointer's array, as long as the number is a
//! distance that the program computes from indices and sizes. If it is computed from the address of
//! another array, the sum may be an address there: `a + (b - a)`. So such a sum stays a number, and
//! an access at it may go anywhere.
//!
//! Bits below a power of two of at most [`MOST_LOW_BITS`], which align an address, count as a
//! distance. So does a number that is read from memory.

use std::collections::HashSet;

use cranelift_entity::EntityRef;
use lockstep_ir::kernel::{BinaryOp, Definition, Kernel, Operation, Type, Value};

/// The largest number of bits that align an address.
const MOST_LOW_BITS: u32 = 12;

/// Whether each value is computed from an address.
#[derive(Debug, Default)]
pub struct Taint {
    /// The answers for the first values of the kernel.
    known: Vec<bool>,
    /// The parameters of blocks that get such values.
    parameters: HashSet<Value>,
    /// Whether numbers are followed at all. In inline assembly they are not: there is no record of
    /// the code before it, and the source's own rules hold for distances.
    pub follows: bool,
}

impl Taint {
    /// Records that a parameter of a block gets a number that is computed from an address.
    pub fn mark(&mut self, parameter: Value) {
        self.parameters.insert(parameter);
        if let Some(known) = self.known.get_mut(parameter.index()) {
            *known = true;
        }
    }

    /// Whether a number is computed from an address. Never so for a pointer.
    pub fn of(&mut self, kernel: &Kernel, value: Value) -> bool {
        if !self.follows {
            return false;
        }
        // A value's operands come before it, so one pass in order suffices.
        while self.known.len() <= value.index() {
            let next = Value::new(self.known.len());
            let tainted = match kernel.values[next].definition {
                Definition::Parameter(..) => self.parameters.contains(&next),
                Definition::Result(instruction) => {
                    self.comes_from_address(kernel, next, &kernel.instructions[instruction].operation)
                }
            };
            self.known.push(tainted);
        }
        self.known[value.index()]
    }

    fn comes_from_address(&self, kernel: &Kernel, result: Value, operation: &Operation) -> bool {
        match operation {
            Operation::PointerToInteger(_) => true,
            Operation::PointerDifference(a, b) => root(kernel, *a) != root(kernel, *b),
            // Reads give data; comparisons have one bit.
            Operation::Load(_) | Operation::Atomic { .. } | Operation::Compare(..) | Operation::PointerEqual(..) => {
                false
            }
            _ if matches!(kernel.ty(result), Type::Bool | Type::Pointer(_)) => false,
            Operation::Binary(BinaryOp::And, _, _, mask) if is_low(kernel, *mask) => false,
            _ => {
                let mut tainted = false;
                operation.for_each_operand(|operand| tainted |= self.known.get(operand.index()) == Some(&true));
                tainted
            }
        }
    }
}

/// Whether a mask keeps low bits only.
fn is_low(kernel: &Kernel, mask: Value) -> bool {
    kernel.constant(mask).and_then(lockstep_ir::bits::Bits::to_u64).is_some_and(|mask| mask >> MOST_LOW_BITS == 0)
}

/// The value that a pointer is a distance away from. Two pointers with equal roots point into one
/// array.
fn root(kernel: &Kernel, mut pointer: Value) -> Result<lockstep_ir::kernel::Array, Value> {
    loop {
        match kernel.operation(pointer) {
            Some(Operation::ArrayBase(array)) => return Ok(*array),
            Some(Operation::PointerAdd { pointer: from, .. } | Operation::SpaceCast(from)) => pointer = *from,
            _ => return Err(pointer),
        }
    }
}
