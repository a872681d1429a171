//! The host's computations of a launch's values, as [`Relation`]s.
//!
//! They are read from the host's code after a marker ([`super::launches`]), where constants have
//! been propagated and functions inlined. Two numbers that are one value there are equal, and a
//! number computed from others equals that computation.

use std::collections::BTreeSet;

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use inkwell::llvm_sys::core as c;
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

/// The most bytes in a unit of memory.
const LARGEST_UNIT: u64 = 1 << 32;

/// The facts about the numbers of a launch.
#[derive(Default)]
pub struct NumberFacts {
    /// Relations between sizes, arguments and the host's own numbers.
    pub relations: Vec<Relation>,
    /// Ranges of them, where they are less than their types'.
    pub ranges: Vec<(Term, HostRange)>,
    /// The host's own numbers that the relations mention.
    pub host: Vec<HostNumber>,
    /// The sizes of the memory behind pointers: bytes in a unit and number of units.
    pub sizes: Vec<Option<(u64, Term)>>,
    /// Whether sizes are among these facts, and the host may well pass all numbers of which they
    /// hold.
    pub are_all: bool,
}

impl HostRanges {
    /// The facts about the sizes of a launch (groups, then threads, each in three dimensions) and
    /// its arguments at its marker: the host's computations, and the conditions under which it
    /// comes to the marker.
    ///
    /// They may mention numbers of the host that the kernel does not get: `rows < limit`, and
    /// `columns is limit * 16`. Relations that no such number connects to another one say nothing.
    ///
    /// `allocated` are sizes of memory in bytes, of 64 bits. Those that no number connects with the
    /// launch are `None` in the result.
    pub fn facts(
        &self,
        marker: LValue,
        sizes: &[LValue],
        arguments: &[LValue],
        allocated: &[Option<LValue>],
    ) -> NumberFacts {
        let known = numbers(sizes, arguments);
        let mut reader = Reader { known: &known, own: Vec::new(), steps: MOST_STEPS };
        let mut relations = reader.computations();
        let mut followed: Vec<LValue> = Vec::new();
        let mut few = 0;
        for condition in self.conditions(block_of(marker)) {
            match reader.condition(condition) {
                Said::Range => followed.push(condition.0),
                Said::Relation(relation) if few < MOST_CONDITIONS => {
                    followed.push(condition.0);
                    relations.push(relation);
                    few += 1;
                }
                Said::Relation(_) | Said::Nothing => {}
            }
        }
        let mut memory: Vec<Option<(u64, Term)>> = allocated.iter().map(|size| reader.units((*size)?)).collect();
        let own = std::mem::take(&mut reader.own);
        let kept = connected(&mut relations, &mut memory);
        let renumber = |index: &mut usize| *index = kept.iter().position(|host| host == index).unwrap_or(*index);
        for relation in &mut relations {
            relation.for_each_host(&mut |index| renumber(index));
        }
        for (_, count) in memory.iter_mut().flatten() {
            count.for_each_host(&mut |index| renumber(index));
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
        let numbers: Vec<LValue> = known.iter().map(|(value, _)| *value).chain(own.iter().copied()).collect();
        let are_all = memory.iter().any(Option::is_some)
            && numbers.iter().all(|value| self.is_free(*value, marker))
            && !self.loses_conditions(marker, &numbers, &followed);
        NumberFacts { ranges, host: named(&own), relations, sizes: memory, are_all }
    }
}

/// Removes the relations and sizes that say nothing of sizes and arguments of the launch, as no
/// number of the host connects them to another one. The result is the numbers of the host in the
/// others.
fn connected(relations: &mut Vec<Relation>, sizes: &mut [Option<(u64, Term)>]) -> Vec<usize> {
    let hosts_of = |term: &Term| {
        let mut hosts = BTreeSet::new();
        term.clone().for_each_host(&mut |index| _ = hosts.insert(*index));
        hosts
    };
    // For each, the host's numbers in it, and whether it is about the launch.
    let of_relation = |one: &Relation| (&hosts_of(&one.left) | &hosts_of(&one.right), one.names_launch());
    let of_size = |one: &Option<(u64, Term)>| one.as_ref().map(|(_, count)| (hosts_of(count), count.names_launch()));
    let about = |relations: &[Relation], sizes: &[Option<(u64, Term)>]| -> Vec<(BTreeSet<usize>, bool)> {
        relations.iter().map(of_relation).chain(sizes.iter().filter_map(of_size)).collect()
    };
    // A number that occurs once can be anything that its relation needs.
    loop {
        let all = about(relations, sizes);
        let is_alone = |host: &usize| all.iter().filter(|(hosts, _)| hosts.contains(host)).count() < 2;
        let says_something = |hosts: &BTreeSet<usize>| !hosts.iter().any(is_alone);
        relations.retain(|one| says_something(&of_relation(one).0));
        for size in sizes.iter_mut() {
            size.take_if(|(_, count)| !says_something(&hosts_of(count)));
        }
        if about(relations, sizes).len() == all.len() {
            break;
        }
    }
    // The numbers that relations reach from those of the launch.
    let mut reached: BTreeSet<usize> = BTreeSet::new();
    loop {
        let before = reached.len();
        for (hosts, names_launch) in about(relations, sizes) {
            if names_launch || !hosts.is_disjoint(&reached) {
                reached.extend(hosts);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    relations.retain(|one| {
        let (hosts, names_launch) = of_relation(one);
        names_launch || !hosts.is_disjoint(&reached)
    });
    for size in sizes.iter_mut() {
        // A constant needs no connection.
        size.take_if(|(_, count)| !hosts_of(count).is_subset(&reached));
    }
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

/// The part of a condition that is known.
enum Said {
    /// The range of a number has it.
    Range,
    /// It is a relation.
    Relation(Relation),
    /// Perhaps nothing, or a part of it.
    Nothing,
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
    fn condition(&mut self, condition: Condition) -> Said {
        let Some((predicate, [a, b])) = comparison(condition) else { return Said::Nothing };
        let is_plain = |value: LValue| self.known.iter().any(|(known, _)| *known == value) || self.own.contains(&value);
        let is_range = |a: LValue, b: LValue| (is_plain(a) || is_of_one(a, &is_plain)) && b.small_constant().is_some();
        if is_range(a, b) || is_range(b, a) {
            // Ranges follow few of the functions that count bits.
            let is_called = |side: LValue| {
                matches!(side.kind(), ValueKind::LLVMInstructionValueKind) && matches!(side.opcode(), Opcode::LLVMCall)
            };
            let counts_bits = [a, b].into_iter().any(|side| !is_plain(side) && is_called(side));
            return if counts_bits { Said::Nothing } else { Said::Range };
        }
        self.steps = MOST_STEPS;
        self.relation(predicate, [a, b]).map_or(Said::Nothing, Said::Relation)
    }

    fn relation(&mut self, predicate: Predicate, [a, b]: [LValue; 2]) -> Option<Relation> {
        integer_width(a)?;
        let (a, b) = (self.term(a)?, self.term(b)?);
        let (op, exchanged) = compare_op(predicate);
        let (left, right) = if exchanged { (b, a) } else { (a, b) };
        Some(Relation { op, left, right })
    }

    /// The size of memory, as a number of units of so many bytes.
    ///
    /// The constant factors make the unit, so that elements can be counted. A product of the two
    /// that wraps is less than what this says; the report lists that it does not.
    fn units(&mut self, size: LValue) -> Option<(u64, Term)> {
        if integer_width(size)? != 64 {
            return None;
        }
        self.steps = MOST_STEPS;
        let mut unit = 1;
        let mut factors = Vec::new();
        self.add_factors(size, None, &mut unit, &mut factors)?;
        let product = |a, b| Term::Binary(BinaryOp::Multiply, Box::new([a, b]));
        let count = factors.into_iter().reduce(product);
        Some((unit, count.unwrap_or_else(|| Term::Constant(Bits::one(64)))))
    }

    /// Adds the factors of a number, and multiplies the unit by those that are constant. The number
    /// has 64 bits, or is extended to as many.
    fn add_factors(
        &mut self,
        value: LValue,
        by: Option<ConvertOp>,
        unit: &mut u64,
        factors: &mut Vec<Term>,
    ) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        if let Some(constant) = value.small_constant() {
            let width = integer_width(value)?;
            let is_negative = by == Some(ConvertOp::SignExtend) && constant >> (width - 1) != 0;
            *unit = unit.checked_mul(constant).filter(|unit| *unit <= LARGEST_UNIT && !is_negative && constant > 0)?;
            return Some(());
        }
        let is_known = self.known.iter().any(|(known, _)| *known == value);
        let is_computed = matches!(value.kind(), ValueKind::LLVMInstructionValueKind) && !is_known;
        let opcode = if is_computed { value.opcode() } else { Opcode::LLVMUnreachable };
        let operands = value.operands();
        match (opcode, by) {
            (Opcode::LLVMMul, by) if is_exact(value, by) => {
                self.add_factors(operands[0], by, unit, factors)?;
                self.add_factors(operands[1], by, unit, factors)?;
            }
            (Opcode::LLVMShl, by) if is_exact(value, by) && operands[1].small_constant().is_some_and(|by| by < 32) => {
                *unit = unit.checked_mul(1 << operands[1].small_constant()?).filter(|unit| *unit <= LARGEST_UNIT)?;
                self.add_factors(operands[0], by, unit, factors)?;
            }
            (Opcode::LLVMZExt | Opcode::LLVMSExt, None) => {
                integer_width(operands[0])?;
                self.add_factors(operands[0], Some(extension(value)), unit, factors)?;
            }
            (_, None) => factors.push(self.wide_term(value)?),
            (_, Some(by)) => factors.push(self.extended(value, by)?),
        }
        Some(())
    }

    /// A term of 64 bits, in which arithmetic that does not overflow is that of numbers as wide.
    fn wide_term(&mut self, value: LValue) -> Option<Term> {
        let is_instruction = matches!(value.kind(), ValueKind::LLVMInstructionValueKind);
        let is_known = self.known.iter().any(|(known, _)| *known == value);
        if !is_instruction || is_known {
            return self.term(value);
        }
        let operands = value.operands();
        match value.opcode() {
            Opcode::LLVMMul | Opcode::LLVMAdd | Opcode::LLVMSub => {
                self.steps = self.steps.checked_sub(1)?;
                let op = binary_op(value.opcode())?;
                Some(Term::Binary(op, Box::new([self.wide_term(operands[0])?, self.wide_term(operands[1])?])))
            }
            Opcode::LLVMZExt | Opcode::LLVMSExt => self.extended(operands[0], extension(value)),
            _ => self.term(value),
        }
    }

    /// A number extended to 64 bits. The operands of a sum or product that does not overflow are
    /// extended instead: if it did, the host's program would be undefined.
    fn extended(&mut self, value: LValue, by: ConvertOp) -> Option<Term> {
        self.steps = self.steps.checked_sub(1)?;
        let is_computed = matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
            && matches!(value.opcode(), Opcode::LLVMMul | Opcode::LLVMAdd | Opcode::LLVMSub)
            && !self.known.iter().any(|(known, _)| *known == value);
        if is_computed && is_exact(value, Some(by)) {
            let operands = value.operands();
            let op = binary_op(value.opcode())?;
            return Some(Term::Binary(
                op,
                Box::new([self.extended(operands[0], by)?, self.extended(operands[1], by)?]),
            ));
        }
        match self.term(value)? {
            Term::Constant(bits) if by == ConvertOp::SignExtend => Some(Term::Constant(bits.sign_extend(64))),
            Term::Constant(bits) => Some(Term::Constant(bits.zero_extend(64))),
            term => Some(Term::Convert(by, 64, Box::new(term))),
        }
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

/// Whether the extension of a sum, product or shift is that of its extended operands: it does not
/// overflow, or is not extended.
fn is_exact(value: LValue, by: Option<ConvertOp>) -> bool {
    // SAFETY: it is an instruction that may have the flags.
    unsafe {
        match by {
            None => true,
            Some(ConvertOp::SignExtend) => c::LLVMGetNSW(value.0) != 0,
            Some(_) => c::LLVMGetNUW(value.0) != 0,
        }
    }
}

/// How an instruction extends a number. One that is not negative may be extended either way.
fn extension(value: LValue) -> ConvertOp {
    // SAFETY: it is an extension, of which only one has the flag.
    let is_zero_extension = unsafe { matches!(value.opcode(), Opcode::LLVMZExt) && c::LLVMGetNNeg(value.0) == 0 };
    if is_zero_extension { ConvertOp::ZeroExtend } else { ConvertOp::SignExtend }
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
