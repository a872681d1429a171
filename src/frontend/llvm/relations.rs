//! The host's computations of a launch's values, as [`Relation`]s.
//!
//! They are read from the host's code after a marker ([`super::launches`]), where constants have
//! been propagated and functions inlined. Two numbers that are one value there are equal, and a
//! number computed from others equals that computation.

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use inkwell::llvm_sys::core as c;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp};
use lockstep_options::launch::relations::{Relation, Term};

use super::launches::name_of_called;
use super::raw::{LValue, Opcode, TypeKind, ValueKind};

/// The most operations that are followed.
const MOST_STEPS: usize = 24;

/// The relations between the sizes of a launch (groups, then threads, each in three dimensions) and
/// the arguments.
pub fn relations(sizes: &[LValue], arguments: &[LValue]) -> Vec<Relation> {
    let mut known: Vec<(LValue, Term)> = Vec::new();
    for (index, &argument) in arguments.iter().enumerate() {
        if let Some(width) = integer_width(argument) {
            known.push((argument, Term::Argument { index, width }));
        }
    }
    for (index, &size) in (0_u8..).zip(sizes) {
        known.push((size, if index < 3 { Term::Groups(index) } else { Term::Threads(index - 3) }));
    }
    // A constant that is not a number is unknown, and may differ between uses.
    known.retain(|(value, _)| {
        matches!(value.kind(), ValueKind::LLVMInstructionValueKind | ValueKind::LLVMArgumentValueKind)
    });
    let mut relations = Vec::new();
    for (place, (value, number)) in known.iter().enumerate() {
        let same = known[..place].iter().find(|(other, _)| other == value);
        let computed = match same {
            Some((_, same)) => Some(same.clone()),
            None => Reader { known: &known, steps: MOST_STEPS }.computed(*value),
        };
        relations.extend(computed.map(|computed| Relation { number: number.clone(), computed }));
    }
    relations
}

struct Reader<'a> {
    known: &'a [(LValue, Term)],
    steps: usize,
}

impl Reader<'_> {
    fn term(&mut self, value: LValue) -> Option<Term> {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == value) {
            return Some(known.clone());
        }
        if let Some(constant) = value.small_constant() {
            return Some(Term::Constant(Bits::new(integer_width(value)?, constant)));
        }
        self.computed(value)
    }

    /// The term that an instruction computes from known values.
    fn computed(&mut self, value: LValue) -> Option<Term> {
        self.steps = self.steps.checked_sub(1)?;
        let width = integer_width(value)?;
        if !matches!(value.kind(), ValueKind::LLVMInstructionValueKind) {
            return None;
        }
        let operands = value.operands();
        let convert = |op, reader: &mut Self| {
            integer_width(operands[0])?;
            Some(Term::Convert(op, width, Box::new(reader.term(operands[0])?)))
        };
        match value.opcode() {
            Opcode::LLVMTrunc => convert(ConvertOp::Truncate, self),
            Opcode::LLVMZExt => convert(ConvertOp::ZeroExtend, self),
            Opcode::LLVMSExt => convert(ConvertOp::SignExtend, self),
            Opcode::LLVMSelect => {
                let (condition, then, otherwise) = (operands[0], operands[1], operands[2]);
                let (op, [a, b]) = comparison(condition)?;
                let four = [self.term(a)?, self.term(b)?, self.term(then)?, self.term(otherwise)?];
                Some(Term::Choice(op, Box::new(four)))
            }
            Opcode::LLVMCall => {
                let name = name_of_called(value)?;
                let (op, exchanged) = match name.strip_prefix("llvm.")?.split('.').next()? {
                    "umin" => (CompareOp::UnsignedLess, false),
                    "umax" => (CompareOp::UnsignedLess, true),
                    "smin" => (CompareOp::SignedLess, false),
                    "smax" => (CompareOp::SignedLess, true),
                    _ => return None,
                };
                let &[a, b] = value.call_arguments().as_slice() else { return None };
                let (a, b) = (self.term(a)?, self.term(b)?);
                let (then, otherwise) = if exchanged { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) };
                Some(Term::Choice(op, Box::new([a, b, then, otherwise])))
            }
            opcode => {
                let op = binary_op(opcode)?;
                let second = operands[1].small_constant();
                let fits = match op {
                    BinaryOp::UnsignedDivide
                    | BinaryOp::SignedDivide
                    | BinaryOp::UnsignedRemainder
                    | BinaryOp::SignedRemainder => second.is_some_and(|second| second != 0),
                    BinaryOp::ShiftLeft | BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight => {
                        second.is_some_and(|second| second < u64::from(width))
                    }
                    _ => true,
                };
                if !fits {
                    return None;
                }
                Some(Term::Binary(op, Box::new([self.term(operands[0])?, self.term(operands[1])?])))
            }
        }
    }
}

/// The width of an integer of at most 64 bits that is not a truth value.
fn integer_width(value: LValue) -> Option<u32> {
    let is_integer = matches!(value.ty().kind(), TypeKind::LLVMIntegerTypeKind);
    is_integer.then(|| value.ty().integer_width()).filter(|width| (2..=64).contains(width))
}

/// The operation on integers of an opcode.
fn binary_op(opcode: Opcode) -> Option<BinaryOp> {
    Some(match opcode {
        Opcode::LLVMAdd => BinaryOp::Add,
        Opcode::LLVMSub => BinaryOp::Subtract,
        Opcode::LLVMMul => BinaryOp::Multiply,
        Opcode::LLVMUDiv => BinaryOp::UnsignedDivide,
        Opcode::LLVMSDiv => BinaryOp::SignedDivide,
        Opcode::LLVMURem => BinaryOp::UnsignedRemainder,
        Opcode::LLVMSRem => BinaryOp::SignedRemainder,
        Opcode::LLVMShl => BinaryOp::ShiftLeft,
        Opcode::LLVMLShr => BinaryOp::LogicalShiftRight,
        Opcode::LLVMAShr => BinaryOp::ArithmeticShiftRight,
        Opcode::LLVMAnd => BinaryOp::And,
        Opcode::LLVMOr => BinaryOp::Or,
        Opcode::LLVMXor => BinaryOp::Xor,
        _ => return None,
    })
}

/// A comparison of integers.
fn comparison(condition: LValue) -> Option<(CompareOp, [LValue; 2])> {
    let is_comparison = matches!(condition.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(condition.opcode(), Opcode::LLVMICmp);
    if !is_comparison {
        return None;
    }
    let &[a, b] = condition.operands().as_slice() else { return None };
    // SAFETY: it is a comparison of integers.
    Some(match unsafe { c::LLVMGetICmpPredicate(condition.0) } {
        Predicate::LLVMIntEQ => (CompareOp::Equal, [a, b]),
        Predicate::LLVMIntNE => (CompareOp::NotEqual, [a, b]),
        Predicate::LLVMIntULT => (CompareOp::UnsignedLess, [a, b]),
        Predicate::LLVMIntULE => (CompareOp::UnsignedLessEqual, [a, b]),
        Predicate::LLVMIntUGT => (CompareOp::UnsignedLess, [b, a]),
        Predicate::LLVMIntUGE => (CompareOp::UnsignedLessEqual, [b, a]),
        Predicate::LLVMIntSLT => (CompareOp::SignedLess, [a, b]),
        Predicate::LLVMIntSLE => (CompareOp::SignedLessEqual, [a, b]),
        Predicate::LLVMIntSGT => (CompareOp::SignedLess, [b, a]),
        Predicate::LLVMIntSGE => (CompareOp::SignedLessEqual, [b, a]),
    })
}
