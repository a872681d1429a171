//! The launch that a program makes if nobody gives it options.
//!
//! `int n = argc > 1 ? atoi(argv[1]) : 1 << 20;` leaves `n` open, and says what it is by default.
//! Where a value is chosen among several, the default is the one that is computed from constants
//! alone. In a loop, it is the value of the first iteration. So the result is a launch that the
//! program very likely makes, and nothing more: no proof rests on it. It serves to show findings in
//! a launch that the program makes before those in others, and to refute preconditions.

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::BinaryOp;
use lockstep_options::launch::DefaultLaunch;

use super::host_ranges::{HostRanges, block_of, comparison};
use super::launches::name_of_called;
use super::raw::{LValue, Opcode, TypeKind, ValueKind};
use super::relations::binary_op;

/// The most operations that are followed from one value to the next.
const DEEPEST: usize = 48;

/// The most values that are looked at for one launch.
const MOST_STEPS: usize = 20_000;

impl HostRanges {
    /// The launch at a marker with these sizes and arguments, if nobody gives the program options;
    /// `array_bytes` are the sizes of what the arguments point to.
    ///
    /// There is none if a size is not known then, or if the program does not come to the marker.
    pub fn by_default(
        &self,
        marker: LValue,
        sizes: &[LValue],
        arguments: &[LValue],
        array_bytes: &[Option<LValue>],
    ) -> Option<DefaultLaunch> {
        let mut evaluator = Evaluator::default();
        for condition in self.conditions(block_of(marker)) {
            // The condition at the end of a loop does not hold of its first iteration.
            evaluator.met_loop = false;
            if let Some((predicate, [a, b])) = comparison(condition)
                && let (Some(a), Some(b)) = (evaluator.value(a), evaluator.value(b))
                && !evaluator.met_loop
                && !holds(predicate, &a, &b)
            {
                return None;
            }
        }
        let mut size = |size: &LValue| u32::try_from(evaluator.value(*size)?.to_u64()?).ok().filter(|&size| size > 0);
        let sizes: Vec<u32> = sizes.iter().map(&mut size).collect::<Option<_>>()?;
        let (groups, threads) = sizes.split_at_checked(3)?;
        let (num_groups, local_size) = (groups.try_into().ok()?, threads.try_into().ok()?);
        let mut number = |bytes: &Option<LValue>| evaluator.value((*bytes)?)?.to_u64();
        let array_bytes = array_bytes.iter().map(&mut number).collect();
        let arguments = arguments.iter().map(|argument| evaluator.value(*argument)).collect();
        Some(DefaultLaunch { num_groups, local_size, arguments, array_bytes, dimensions: None })
    }
}

/// The number that a value is if nobody gives the program options.
pub fn number_by_default(value: LValue) -> Option<u64> {
    Evaluator::default().value(value)?.to_u64()
}

struct Evaluator {
    /// The values that are being evaluated.
    pending: Vec<LValue>,
    /// Whether a value was computed from itself.
    met_loop: bool,
    left: usize,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self { pending: Vec::new(), met_loop: false, left: MOST_STEPS }
    }
}

impl Evaluator {
    fn value(&mut self, value: LValue) -> Option<Bits> {
        let width = width(value)?;
        if let Some(constant) = value.small_constant() {
            return Some(Bits::new(width, constant));
        }
        let is_instruction = matches!(value.kind(), ValueKind::LLVMInstructionValueKind);
        self.left = self.left.checked_sub(1)?;
        self.met_loop |= self.pending.contains(&value);
        if !is_instruction || self.pending.len() > DEEPEST || self.pending.contains(&value) {
            return None;
        }
        self.pending.push(value);
        let computed = self.computed(value, width);
        self.pending.pop();
        computed
    }

    fn computed(&mut self, value: LValue, width: u32) -> Option<Bits> {
        let operands = value.operands();
        match value.opcode() {
            Opcode::LLVMPHI => self.only(&operands),
            Opcode::LLVMSelect => {
                let condition = comparison((operands[0], true))
                    .and_then(|(predicate, [a, b])| Some(holds(predicate, &self.value(a)?, &self.value(b)?)));
                match condition {
                    Some(true) => self.value(operands[1]),
                    Some(false) => self.value(operands[2]),
                    None => self.only(&operands[1..]),
                }
            }
            Opcode::LLVMFreeze => self.value(operands[0]),
            Opcode::LLVMZExt => Some(self.value(operands[0])?.zero_extend(width)),
            Opcode::LLVMSExt => Some(self.value(operands[0])?.sign_extend(width)),
            Opcode::LLVMTrunc => Some(self.value(operands[0])?.extract(width - 1, 0)),
            Opcode::LLVMCall => self.called(value),
            opcode => {
                let op = binary_op(opcode)?;
                let (a, b) = (self.value(operands[0])?, self.value(operands[1])?);
                let divides = matches!(
                    op,
                    BinaryOp::UnsignedDivide
                        | BinaryOp::SignedDivide
                        | BinaryOp::UnsignedRemainder
                        | BinaryOp::SignedRemainder
                );
                (!divides || !b.is_zero()).then(|| op.fold(&a, &b))
            }
        }
    }

    /// The one value that some of these have, if the others have none.
    fn only(&mut self, choices: &[LValue]) -> Option<Bits> {
        let mut known: Vec<Bits> = choices.iter().filter_map(|&choice| self.value(choice)).collect();
        known.dedup();
        if known.len() == 1 { known.pop() } else { None }
    }

    fn called(&mut self, call: LValue) -> Option<Bits> {
        let name = name_of_called(call)?;
        let &[a, b] = call.call_arguments().as_slice() else { return None };
        let (a, b) = (self.value(a)?, self.value(b)?);
        let first = match name.strip_prefix("llvm.")?.split('.').next()? {
            "smin" => a.signed() <= b.signed(),
            "smax" => a.signed() >= b.signed(),
            "umin" => a.unsigned() <= b.unsigned(),
            "umax" => a.unsigned() >= b.unsigned(),
            _ => return None,
        };
        Some(if first { a } else { b })
    }
}

/// The width of an integer of at most 64 bits.
fn width(value: LValue) -> Option<u32> {
    let is_integer = matches!(value.ty().kind(), TypeKind::LLVMIntegerTypeKind);
    is_integer.then(|| value.ty().integer_width()).filter(|width| *width <= 64)
}

fn holds(predicate: Predicate, a: &Bits, b: &Bits) -> bool {
    match predicate {
        Predicate::LLVMIntEQ => a == b,
        Predicate::LLVMIntNE => a != b,
        Predicate::LLVMIntULT => a.unsigned() < b.unsigned(),
        Predicate::LLVMIntULE => a.unsigned() <= b.unsigned(),
        Predicate::LLVMIntUGT => a.unsigned() > b.unsigned(),
        Predicate::LLVMIntUGE => a.unsigned() >= b.unsigned(),
        Predicate::LLVMIntSLT => a.signed() < b.signed(),
        Predicate::LLVMIntSLE => a.signed() <= b.signed(),
        Predicate::LLVMIntSGT => a.signed() > b.signed(),
        Predicate::LLVMIntSGE => a.signed() >= b.signed(),
    }
}
