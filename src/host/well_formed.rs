//! Checks that a program is one that can be executed at all.
//!
//! The functions, slots and widths that its steps name must exist. A front end always makes such a
//! program, so this guards against errors of ours. The machine relies on it.

use lockstep_ir::host::{Call, Callee, Conversion, Function, HostProgram, IntegerOperation, Slot, Step};

use crate::Stopped;
use crate::numbers::index;

/// Checks the whole program.
pub fn check(program: &HostProgram) -> Result<(), Stopped> {
    let exists = |function: &u32| index(u64::from(*function)) < program.functions.len();
    if !program.before_main.iter().chain([&program.main]).all(exists) {
        return Err(Stopped::not_known("a function is called that is not in the program"));
    }
    for function in &program.functions {
        let checked = Checked { program, function };
        if !checked.has_slots() || !function.steps.iter().all(|step| checked.step(step)) {
            return Err(Stopped::not_known(format!("the steps of `{}` contradict each other", function.name)));
        }
    }
    Ok(())
}

struct Checked<'a> {
    program: &'a HostProgram,
    function: &'a Function,
}

fn is_width(width: u8) -> bool {
    (1..=64).contains(&width)
}

fn is_size(bytes: u8) -> bool {
    (1..=8).contains(&bytes)
}

impl Checked<'_> {
    fn has_slots(&self) -> bool {
        let constants = u64::try_from(self.function.constants.len()).unwrap_or(u64::MAX);
        let is_declared = self.function.steps.is_empty();
        is_declared || u64::from(self.function.parameters).saturating_add(constants) <= self.function.slots.into()
    }

    fn slots<const N: usize>(&self, slots: [Slot; N]) -> bool {
        slots.iter().all(|&slot| slot < self.function.slots)
    }

    fn target(&self, target: u32) -> bool {
        index(target.into()) < self.function.steps.len()
    }

    fn step(&self, step: &Step) -> bool {
        match *step {
            Step::Move { to, from } => self.slots([to, from]),
            Step::Integer { operation: _, width, to, a, b } => is_width(width) && self.slots([to, a, b]),
            Step::Overflow { operation, is_signed: _, width, to, a, b } => {
                use IntegerOperation::{Add, Mul, Sub};
                let behind = to.saturating_add(1);
                matches!(operation, Add | Sub | Mul) && is_width(width) && self.slots([to, behind, a, b])
            }
            Step::Float { operation: _, is_double: _, to, a, b } => self.slots([to, a, b]),
            Step::FusedMultiplyAdd { is_double: _, to, operands: [a, b, c] } => self.slots([to, a, b, c]),
            Step::Math { function: _, is_double: _, to, a } => self.slots([to, a]),
            Step::Compare { comparison: _, width, to, a, b } => is_width(width) && self.slots([to, a, b]),
            Step::CompareFloats { relations: _, is_double: _, to, a, b } => self.slots([to, a, b]),
            Step::Convert { conversion, to, a } => has_widths(conversion) && self.slots([to, a]),
            Step::Select { to, condition, a, b } => self.slots([to, condition, a, b]),
            Step::Address { to, base, index, scale: _ } => self.slots([to, base, index]),
            Step::Load { to, address, offset: _, bytes } => is_size(bytes) && self.slots([to, address]),
            Step::Store { value, address, offset: _, bytes } => is_size(bytes) && self.slots([value, address]),
            Step::Reserve { to, bytes: _, count } => self.slots([to, count]),
            Step::Copy { to, from, bytes } => self.slots([to, from, bytes]),
            Step::Fill { to, value, bytes } => self.slots([to, value, bytes]),
            Step::Jump(target) => self.target(target),
            Step::Branch { condition, then, otherwise } => {
                self.slots([condition]) && self.target(then) && self.target(otherwise)
            }
            Step::Switch { value, ref cases, otherwise } => {
                self.slots([value]) && self.target(otherwise) && cases.iter().all(|&(_, target)| self.target(target))
            }
            Step::Call(ref call) => self.call(call),
            Step::Return(ref values) => values.iter().all(|&value| self.slots([value])),
            Step::Stop(_) => true,
        }
    }

    fn call(&self, call: &Call) -> bool {
        let callee = match call.callee {
            Callee::Known(function) => index(function.into()) < self.program.functions.len(),
            Callee::Pointer(slot) => self.slots([slot]),
        };
        let results = u64::from(call.result) + u64::from(call.results) <= self.function.slots.into();
        callee && (results || call.results == 0) && call.arguments.iter().all(|&argument| self.slots([argument]))
    }
}

fn has_widths(conversion: Conversion) -> bool {
    match conversion {
        Conversion::SignExtend(from, to) => is_width(from) && is_width(to),
        Conversion::Truncate(width)
        | Conversion::SignedToFloat(width, _)
        | Conversion::FloatToSigned(_, width)
        | Conversion::FloatToUnsigned(_, width)
        | Conversion::LeadingZeros(width)
        | Conversion::TrailingZeros(width)
        | Conversion::SwapBytes(width)
        | Conversion::Absolute(width) => is_width(width),
        Conversion::UnsignedToFloat(_)
        | Conversion::Widen
        | Conversion::Narrow
        | Conversion::FromHalf(_)
        | Conversion::ToHalf(_)
        | Conversion::CountOnes => true,
    }
}
