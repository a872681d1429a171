//! The host's computations of a launch's values, as [`Relation`]s.
//!
//! They are read from the host's code after a marker ([`super::launches`]), where constants have
//! been propagated and functions inlined. Two numbers that are one value there are equal, and a
//! number computed from others equals that computation.

use std::collections::BTreeSet;

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp};
use lockstep_options::launch::ranges::HostRange;
use lockstep_options::launch::relations::{HostNumber, Relation, Term};

use super::host_ranges::{Condition, HostRanges, block_of, comparison};
use super::launches::name_of_called;
use super::raw::{LValue, Opcode, TypeKind, ValueKind};

/// The most operations that are followed.
const MOST_STEPS: usize = 24;

/// The maximum number of the host's conditions that become relations.
const MOST_CONDITIONS: usize = 8;

/// The maximum number of the host's own numbers in the relations of a launch.
const MOST_NUMBERS: usize = 6;

/// The facts about the numbers of a launch.
#[derive(Default)]
pub struct NumberFacts {
    /// Relations between sizes, arguments and the host's own numbers.
    pub relations: Vec<Relation>,
    /// Ranges of them, where they are less than their types'.
    pub ranges: Vec<(Term, HostRange)>,
    /// The host's own numbers that the relations mention.
    pub host: Vec<HostNumber>,
}

impl HostRanges {
    /// The facts about the sizes of a launch (groups, then threads, each in three dimensions) and
    /// its arguments at its marker: the host's computations, and the conditions under which it
    /// comes to the marker.
    ///
    /// They may mention numbers of the host that the kernel does not get: `rows < limit`, and
    /// `columns is limit * 16`. Relations that no such number connects to another one say nothing.
    pub fn facts(&self, marker: LValue, sizes: &[LValue], arguments: &[LValue]) -> NumberFacts {
        let known = numbers(sizes, arguments);
        let mut reader = Reader { known: &known, own: Vec::new(), steps: MOST_STEPS };
        let mut relations = reader.computations();
        let conditions = self.conditions(block_of(marker));
        relations
            .extend(conditions.into_iter().filter_map(|condition| reader.condition(condition)).take(MOST_CONDITIONS));
        let own = std::mem::take(&mut reader.own);
        let kept = connected(&mut relations);
        let position = |index: usize| kept.iter().position(|&host| host == index);
        for relation in &mut relations {
            relation.for_each_host(&mut |index| *index = position(*index).unwrap_or(*index));
        }
        let own: Vec<LValue> = kept.iter().map(|&index| own[index]).collect();
        // An equation says more.
        let is_computed =
            |number: &Term| relations.iter().any(|relation| relation.is_equation() && relation.left == *number);
        let of_launch = known.iter().filter(|(_, number)| !is_computed(number)).cloned();
        let of_host = own
            .iter()
            .enumerate()
            .map(|(index, &value)| (value, Term::Host { index, width: integer_width(value).unwrap_or(64) }));
        let range = |(value, number): (LValue, Term)| {
            let range = number.restrict(self.at(value, block_of(marker))?);
            range.says_something_of(&number).then_some((number, range))
        };
        let ranges = of_launch.chain(of_host).filter_map(range).collect();
        NumberFacts { ranges, host: named(&own), relations }
    }
}

/// Removes the relations that say nothing of sizes and arguments, as no number of the host connects
/// them to another relation. The result is the numbers of the host in the others.
fn connected(relations: &mut Vec<Relation>) -> Vec<usize> {
    let hosts_of = |relation: &Relation| {
        let mut hosts = BTreeSet::new();
        relation.clone().for_each_host(&mut |index| _ = hosts.insert(*index));
        hosts
    };
    // A number that occurs once can be anything that its relation needs.
    loop {
        let all: Vec<BTreeSet<usize>> = relations.iter().map(hosts_of).collect();
        let is_alone = |host: &usize| all.iter().filter(|hosts| hosts.contains(host)).count() < 2;
        let mut keep = all.iter().map(|hosts| !hosts.iter().any(is_alone));
        let before = relations.len();
        relations.retain(|_| keep.next().unwrap_or(true));
        if relations.len() == before {
            break;
        }
    }
    // The numbers that relations reach from those of the launch.
    let mut reached: BTreeSet<usize> = BTreeSet::new();
    loop {
        let before = reached.len();
        for relation in relations.iter() {
            let hosts = hosts_of(relation);
            if relation.names_launch() || !hosts.is_disjoint(&reached) {
                reached.extend(hosts);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    relations.retain(|relation| relation.names_launch() || !hosts_of(relation).is_disjoint(&reached));
    reached.into_iter().collect()
}

/// The host's numbers with their names: those of the variables, if LLVM has kept them.
fn named(values: &[LValue]) -> Vec<HostNumber> {
    let mut numbers: Vec<HostNumber> = Vec::new();
    for value in values {
        let name = value.name();
        let name = name
            .split('.')
            .next()
            .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        let mut name = format!("host.{}", name.unwrap_or("number"));
        if numbers.iter().any(|known| known.name == name) {
            name = format!("{name}.{}", numbers.len() + 1);
        }
        numbers.push(HostNumber { name, width: integer_width(*value).unwrap_or(64) });
    }
    numbers
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

struct Reader<'a> {
    known: &'a [(LValue, Term)],
    /// The host's own numbers, which the kernel does not get.
    own: Vec<LValue>,
    /// The operations that may yet be followed for the current number.
    steps: usize,
}

impl Reader<'_> {
    /// The equations that the host's computations of the known numbers are.
    fn computations(&mut self) -> Vec<Relation> {
        let mut relations = Vec::new();
        for (place, (value, number)) in self.known.iter().enumerate() {
            let same = self.known[..place].iter().find(|(other, _)| other == value);
            self.steps = MOST_STEPS;
            let computed = match same {
                Some((_, same)) => Some(same.clone()),
                None => self.computed(*value),
            };
            relations.extend(computed.map(|computed| Relation {
                op: CompareOp::Equal,
                left: number.clone(),
                right: computed,
            }));
        }
        relations
    }

    /// A condition of the host as a relation, unless it is about one number alone: ranges have
    /// those.
    fn condition(&mut self, condition: Condition) -> Option<Relation> {
        let (predicate, [a, b]) = comparison(condition)?;
        let is_plain = |value: LValue| self.known.iter().any(|(known, _)| *known == value) || self.own.contains(&value);
        let is_range = |a: LValue, b: LValue| (is_plain(a) || is_of_one(a, &is_plain)) && b.small_constant().is_some();
        if is_range(a, b) || is_range(b, a) {
            return None;
        }
        integer_width(a)?;
        self.steps = MOST_STEPS;
        let (a, b) = (self.term(a)?, self.term(b)?);
        let (op, exchanged) = compare_op(predicate);
        let (left, right) = if exchanged { (b, a) } else { (a, b) };
        Some(Relation { op, left, right })
    }

    fn term(&mut self, value: LValue) -> Option<Term> {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == value) {
            return Some(known.clone());
        }
        if let Some(constant) = value.small_constant() {
            return Some(Term::Constant(Bits::new(integer_width(value)?, constant)));
        }
        if let Some(computed) = self.computed(value) {
            return Some(computed);
        }
        // A constant that is not a number is unknown, and may differ between uses.
        let has_one_value =
            matches!(value.kind(), ValueKind::LLVMInstructionValueKind | ValueKind::LLVMArgumentValueKind);
        let width = integer_width(value).filter(|_| has_one_value)?;
        let index = self.own.iter().position(|&own| own == value);
        let index = index.or_else(|| {
            self.own.push(value);
            (self.own.len() <= MOST_NUMBERS).then(|| self.own.len() - 1)
        })?;
        (index < MOST_NUMBERS).then_some(Term::Host { index, width })
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
