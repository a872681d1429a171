//! The host's computations of a launch's values, as [`Relation`]s.
//!
//! They are read from the host's code after a marker ([`super::launches`]), where constants have
//! been propagated and functions inlined. Two numbers that are one value there are equal, and a
//! number computed from others equals that computation.

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp};
use lockstep_options::launch::ranges::HostRange;
use lockstep_options::launch::relations::{Relation, Term};

use super::host_ranges::{Condition, HostRanges, block_of, comparison};
use super::launches::name_of_called;
use super::raw::{LValue, Opcode, TypeKind, ValueKind};

/// The most operations that are followed.
const MOST_STEPS: usize = 24;

/// The maximum number of the host's conditions that become relations.
const MOST_CONDITIONS: usize = 8;

impl HostRanges {
    /// The relations between the sizes of a launch (groups, then threads, each in three dimensions)
    /// and the arguments: the host's computations, and the conditions under which it comes to the
    /// marker of the launch.
    pub fn relations(&self, marker: LValue, sizes: &[LValue], arguments: &[LValue]) -> Vec<Relation> {
        let known = numbers(sizes, arguments);
        let mut relations = computations(&known);
        let conditions = self.conditions(block_of(marker));
        let conditions = conditions.into_iter().filter_map(|condition| related(&known, condition));
        relations.extend(conditions.take(MOST_CONDITIONS));
        relations
    }

    /// The ranges of the sizes and arguments at the marker of a launch, where they are less than
    /// their types'.
    pub fn ranges(&self, marker: LValue, sizes: &[LValue], arguments: &[LValue]) -> Vec<(Term, HostRange)> {
        let known = numbers(sizes, arguments);
        let computed = computations(&known);
        // An equation says more.
        let is_computed = |number: &Term| computed.iter().any(|relation| relation.left == *number);
        let known = known.iter().filter(|(_, number)| !is_computed(number)).cloned();
        let range = |(value, number): (LValue, Term)| {
            let range = number.restrict(self.at(value, block_of(marker))?);
            range.says_something_of(&number).then_some((number, range))
        };
        known.filter_map(range).collect()
    }
}

/// A condition of the host as a relation of sizes and arguments, unless it is about one of them
/// alone: ranges have those.
fn related(known: &[(LValue, Term)], condition: Condition) -> Option<Relation> {
    let (predicate, [a, b]) = comparison(condition)?;
    let is_plain = |value: LValue| known.iter().any(|(known, _)| *known == value);
    let is_range = |a: LValue, b: LValue| (is_plain(a) || is_of_one(a, &is_plain)) && b.small_constant().is_some();
    if is_range(a, b) || is_range(b, a) {
        return None;
    }
    integer_width(a)?;
    let mut reader = Reader { known, steps: MOST_STEPS };
    let (a, b) = (reader.term(a)?, reader.term(b)?);
    let (op, exchanged) = compare_op(predicate);
    let (left, right) = if exchanged { (b, a) } else { (a, b) };
    Some(Relation { op, left, right })
}

/// Whether a value is a sum, a remainder or a mask of one number: ranges follow these.
fn is_of_one(value: LValue, is_plain: &dyn Fn(LValue) -> bool) -> bool {
    let is_instruction = matches!(value.kind(), ValueKind::LLVMInstructionValueKind);
    let simple = [Opcode::LLVMAdd, Opcode::LLVMAnd, Opcode::LLVMURem, Opcode::LLVMSRem, Opcode::LLVMCall];
    if !is_instruction || !simple.contains(&value.opcode()) {
        return false;
    }
    let operands = value.operands();
    let is_function = |operand: LValue| matches!(operand.kind(), ValueKind::LLVMFunctionValueKind);
    operands.iter().any(|&operand| is_plain(operand))
        && operands.iter().all(|&operand| {
            is_plain(operand)
                || operand.small_constant().is_some()
                || is_function(operand)
                || matches!(value.opcode(), Opcode::LLVMAnd) && is_of_one(operand, is_plain)
        })
}

/// The integers among the sizes and arguments of a launch.
fn numbers(sizes: &[LValue], arguments: &[LValue]) -> Vec<(LValue, Term)> {
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
    known
}

/// The equations that the host's computations of these numbers are.
fn computations(known: &[(LValue, Term)]) -> Vec<Relation> {
    let mut relations = Vec::new();
    for (place, (value, number)) in known.iter().enumerate() {
        let same = known[..place].iter().find(|(other, _)| other == value);
        let computed = match same {
            Some((_, same)) => Some(same.clone()),
            None => Reader { known, steps: MOST_STEPS }.computed(*value),
        };
        relations.extend(computed.map(|computed| Relation {
            op: CompareOp::Equal,
            left: number.clone(),
            right: computed,
        }));
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
                let (op, [a, b]) = choice_condition(condition)?;
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
pub fn binary_op(opcode: Opcode) -> Option<BinaryOp> {
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
fn choice_condition(condition: LValue) -> Option<(CompareOp, [LValue; 2])> {
    let is_comparison = matches!(condition.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(condition.opcode(), Opcode::LLVMICmp);
    if !is_comparison {
        return None;
    }
    let (predicate, [a, b]) = comparison((condition, true))?;
    let (op, exchanged) = compare_op(predicate);
    Some((op, if exchanged { [b, a] } else { [a, b] }))
}

/// The operation of a predicate, and whether its operands are exchanged.
fn compare_op(predicate: Predicate) -> (CompareOp, bool) {
    match predicate {
        Predicate::LLVMIntEQ => (CompareOp::Equal, false),
        Predicate::LLVMIntNE => (CompareOp::NotEqual, false),
        Predicate::LLVMIntULT => (CompareOp::UnsignedLess, false),
        Predicate::LLVMIntULE => (CompareOp::UnsignedLessEqual, false),
        Predicate::LLVMIntUGT => (CompareOp::UnsignedLess, true),
        Predicate::LLVMIntUGE => (CompareOp::UnsignedLessEqual, true),
        Predicate::LLVMIntSLT => (CompareOp::SignedLess, false),
        Predicate::LLVMIntSLE => (CompareOp::SignedLessEqual, false),
        Predicate::LLVMIntSGT => (CompareOp::SignedLess, true),
        Predicate::LLVMIntSGE => (CompareOp::SignedLessEqual, true),
    }
}
