//! Dualise: operations on values become expressions, one per thread, or one for both if uniform.

use lockstep_invariants::ranges::about_inputs;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::computation;
use lockstep_ir::kernel::{
    self, ArrayOrigin, AssumeKind, Block, CompareOp, ConvertOp, FloatOp, Instruction, NoWrap, Operation, ThreadQuery,
    Type, UnaryOp, Value,
};
use lockstep_ir::sequential::{self, Copies, Expression, Ground, Precondition, Role, Sort, Unknown};

use super::synchronise::Fences;
use super::{ELSEWHERE, Lowered, Lowering, NULL, PointerExpression, TAG_WIDTH, Unsupported, sort};
use crate::analysis::pointers::{anything, compare_alike, same_address_for_all};

impl Lowering<'_> {
    /// Lowers one instruction.
    pub fn instruction(&mut self, block: Block, instruction: Instruction) -> Result<(), Unsupported> {
        let data = self.kernel.instructions[instruction].clone();
        match &data.operation {
            Operation::Load(_)
            | Operation::Store(..)
            | Operation::Atomic { .. }
            | Operation::MemoryCopy { .. }
            | Operation::MemorySet { .. }
            | Operation::ImageRead { .. }
            | Operation::ImageWrite { .. } => self.memory(block, instruction, &data.operation, data.result),
            Operation::Barrier { kind, spaces, flags } => {
                self.barrier((block, instruction), *kind, Fences { spaces: *spaces, flags: *flags })
            }
            // By itself, a fence orders a thread's own accesses and prevents no race.
            Operation::Fence { ordering, scope, spaces } => {
                self.signal_fence(block, *ordering, *scope, *spaces);
                Ok(())
            }
            Operation::AsyncCopy { .. } => self.asynchronous_copy(block, instruction, &data.operation, data.result),
            Operation::AsyncWait(wait) => self.asynchronous_wait(block, wait),
            Operation::Assume(condition, kind) => {
                self.user_assumption(block, *condition, *kind);
                if *kind == AssumeKind::Semantics {
                    self.assume_of_leaders(block, *condition);
                }
                Ok(())
            }
            Operation::Assert(condition, kind) => self.user_assertion(block, *condition, *kind),
            Operation::WarpExchange { op, mask, operands } => {
                self.state_rules_of_warp(block, instruction);
                match data.result {
                    Some(result) => self.warp_exchange(block, *op, *mask, operands, result),
                    None => Ok(()),
                }
            }
            Operation::GroupExchange { op, predicate } => {
                if let Some(result) = data.result {
                    self.group_exchange(*op, *predicate, result);
                }
                Ok(())
            }
            Operation::Phase { op, .. } => self.phase(block, instruction, *op),
            Operation::Counted(numbers) => {
                self.rounds_here = Some(numbers.clone());
                Ok(())
            }
            Operation::Annotation { name, operands } => self.annotation(block, name, operands, data.result),
            computation!() => {
                let Some(result) = data.result else { return Ok(()) };
                let value = self.value(&data.operation, result)?;
                self.values[result] = Some(value);
                self.name_result(&data.operation, result);
                if let &Operation::Binary(op, NoWrap { signed: true, .. }, a, b) = &data.operation {
                    self.assume_no_overflow(block, op, [a, b], result);
                } else {
                    self.assume_no_wrapping_stride(block, result);
                }
                Ok(())
            }
        }
    }

    pub fn value(&mut self, operation: &Operation, result: Value) -> Result<Copies<Lowered>, Unsupported> {
        if let Operation::ThreadQuery(query) = operation {
            return self.thread_query(*query);
        }
        let uniform = self.of_pair.uniformity.value(result);
        let ty = self.kernel.ty(result);
        Ok(self.copies(uniform, |this, thread| this.value_of(operation, result, ty, thread, uniform)))
    }

    pub fn thread_query(&mut self, query: ThreadQuery) -> Result<Copies<Lowered>, Unsupported> {
        let bits = self.kernel.pointer_bits;
        match self.threads.query(&mut self.program.expressions, query, bits) {
            Some(value) => Ok(value.map(Lowered::Scalar)),
            None => self.unsupported(format!("thread query {query:?}")),
        }
    }

    /// A value for one thread.
    fn value_of(&mut self, operation: &Operation, result: Value, ty: Type, thread: usize, uniform: bool) -> Lowered {
        let copy = (!uniform).then_some(thread);
        match operation {
            Operation::Undefined
            | Operation::Anything
            | Operation::Choice(_)
            | Operation::Cached { .. }
            | Operation::IntegerToPointer(_) => {
                return self.arbitrary_value(ty, &self.name_of(result, "undefined"), copy, Unknown::Undefined);
            }
            Operation::ArrayBase(array) => {
                let bits = self.kernel.pointer_bits;
                return Lowered::Pointer(PointerExpression {
                    tag: self.e().number(TAG_WIDTH, u64::from(array.as_u32())),
                    offset: self.e().number(bits, 0),
                });
            }
            Operation::Null => {
                let bits = self.kernel.pointer_bits;
                return Lowered::Pointer(PointerExpression {
                    tag: self.e().number(TAG_WIDTH, NULL),
                    offset: self.e().number(bits, 0),
                });
            }
            Operation::PointerAdd { pointer, offset, .. } => {
                let base = self.pointer(*pointer, thread);
                let distance = self.scalar(*offset, thread);
                return Lowered::Pointer(PointerExpression { offset: self.e().add(base.offset, distance), ..base });
            }
            Operation::SpaceCast(pointer) => return Lowered::Pointer(self.pointer(*pointer, thread)),
            Operation::Select(condition, a, b) => {
                let condition = self.scalar(*condition, thread);
                let (a, b) = (*self.lowered(*a).of(thread), *self.lowered(*b).of(thread));
                return self.choose(condition, a, b);
            }
            _ => {}
        }
        Lowered::Scalar(self.scalar_of(operation, ty, thread))
    }

    fn scalar_of(&mut self, operation: &Operation, ty: Type, thread: usize) -> Expression {
        match operation {
            Operation::Constant(bits) if ty == Type::Bool => {
                let value = !bits.is_zero();
                self.e().boolean(value)
            }
            Operation::Constant(bits) => self.e().bits(bits.clone()),
            Operation::Parameter(index) => self.parameter(*index, ty),
            Operation::Unary(op, a) => {
                let a = self.scalar(*a, thread);
                match (op, ty) {
                    (UnaryOp::Not, Type::Bool) => self.e().not(a),
                    (UnaryOp::Not, _) => self.e().unary(sequential::UnaryOp::Not, a),
                    (UnaryOp::Negate, _) => self.e().negate(a),
                }
            }
            Operation::Binary(op, _, a, b) => {
                let (a, b) = (self.scalar(*a, thread), self.scalar(*b, thread));
                self.binary(*op, ty, a, b)
            }
            Operation::Compare(op, a, b) => {
                let (a, b) = (self.scalar(*a, thread), self.scalar(*b, thread));
                let e = self.e();
                match op {
                    CompareOp::Equal => e.equal(a, b),
                    CompareOp::NotEqual => {
                        let equal = e.equal(a, b);
                        e.not(equal)
                    }
                    CompareOp::UnsignedLess => e.compare(sequential::CompareOp::UnsignedLess, a, b),
                    CompareOp::UnsignedLessEqual => e.compare(sequential::CompareOp::UnsignedLessEqual, a, b),
                    CompareOp::SignedLess => e.compare(sequential::CompareOp::SignedLess, a, b),
                    CompareOp::SignedLessEqual => e.compare(sequential::CompareOp::SignedLessEqual, a, b),
                }
            }
            Operation::Convert(op, a) => {
                let from = self.kernel.ty(*a);
                let a = self.scalar(*a, thread);
                self.convert(*op, from, ty, a)
            }
            Operation::Extract { high, low, value } => {
                let value = self.scalar(*value, thread);
                self.e().extract(*high, *low, value)
            }
            Operation::Concat(a, b) => {
                let (a, b) = (self.scalar(*a, thread), self.scalar(*b, thread));
                self.e().concat(a, b)
            }
            Operation::Float(op, operands) => {
                let name = float_name(*op);
                self.apply(name, operands, ty, thread)
            }
            Operation::Uninterpreted(name, operands) => self.apply(name, operands, ty, thread),
            Operation::Contents(fact) => {
                let bounds = fact.bounds.map(|bounds| bounds.map(|bound| self.scalar(bound, thread)));
                self.contents_fact(fact, bounds)
            }
            Operation::PointerToInteger(pointer) => self.address(*pointer, thread, ty),
            Operation::PointerEqual(a, b) => self.pointers_equal(*a, *b, thread),
            Operation::PointerDifference(a, b) => {
                let (first, second) = (self.pointer(*a, thread), self.pointer(*b, thread));
                if first.tag == second.tag {
                    return self.e().subtract(first.offset, second.offset);
                }
                let (a, b) = (self.address(*a, thread, ty), self.address(*b, thread, ty));
                self.e().subtract(a, b)
            }
            // An internal error, whatever the kernel: better than an invented value.
            other => panic!("{other:?} is no scalar operation"),
        }
    }

    fn binary(&mut self, op: kernel::BinaryOp, ty: Type, a: Expression, b: Expression) -> Expression {
        use kernel::BinaryOp as K;
        if ty == Type::Bool {
            let e = self.e();
            return match op {
                K::And | K::Multiply => e.and([a, b]),
                K::Or => e.or([a, b]),
                K::Xor | K::Add | K::Subtract => {
                    let equal = e.equal(a, b);
                    e.not(equal)
                }
                K::UnsignedDivide
                | K::SignedDivide
                | K::UnsignedRemainder
                | K::SignedRemainder
                | K::ShiftLeft
                | K::LogicalShiftRight
                | K::ArithmeticShiftRight => panic!("{op:?} on Booleans"),
            };
        }
        if op == K::Multiply
            && let Some(product) = self.threads.known_product(&mut self.program.expressions, a, b)
        {
            return product;
        }
        match sequential::BinaryOp::of(op) {
            Some(op) => self.e().binary(op, a, b),
            None if op == K::Add => self.e().add(a, b),
            None => self.e().subtract(a, b),
        }
    }

    pub fn convert(&mut self, op: ConvertOp, from: Type, to: Type, a: Expression) -> Expression {
        let width = to.width().unwrap_or(self.kernel.pointer_bits);
        let e = self.e();
        let a = if from == Type::Bool && to != Type::Bool {
            let (one, zero) = (e.number(1, 1), e.number(1, 0));
            e.if_then_else(a, one, zero)
        } else {
            a
        };
        match (op, to) {
            (ConvertOp::Truncate | ConvertOp::Bitcast, Type::Bool) if from != Type::Bool => {
                let bit = e.extract(0, 0, a);
                let one = e.number(1, 1);
                e.equal(bit, one)
            }
            (ConvertOp::Truncate, _) => e.extract(width - 1, 0, a),
            (ConvertOp::ZeroExtend, _) => e.zero_extend(width, a),
            (ConvertOp::SignExtend, _) => e.sign_extend(width, a),
            (ConvertOp::Bitcast, _) => a,
        }
    }

    pub fn parameter(&mut self, index: u32, ty: Type) -> Expression {
        let name = self.kernel.parameters[index as usize].name.clone();
        let is_host = (index as usize).checked_sub(self.kernel.passed().len());
        let is_host = is_host.is_some_and(|position| self.kernel.not_passed[position] == kernel::NotPassed::Host);
        let observables = &self.program.observables;
        let observed = if is_host { &observables.host } else { &observables.parameters };
        if let Some((_, known)) = observed.iter().find(|(known, _)| *known == name) {
            return *known;
        }
        let scalars = self.kernel.parameters[..index as usize]
            .iter()
            .filter(|parameter| matches!(parameter.kind, kernel::ParameterKind::Scalar(_)))
            .count();
        let value = match self.options.arguments.get(scalars).cloned().flatten() {
            Some(given) if ty != Type::Bool && ty.width() == Some(given.width()) => self.e().bits(given),
            _ => {
                let variable = self.e().add_variable(&name, sort(ty), None, Role::Input);
                self.e().variable(variable)
            }
        };
        let observables = &mut self.program.observables;
        let observed = if is_host { &mut observables.host } else { &mut observables.parameters };
        observed.push((name, value));
        value
    }

    fn apply(&mut self, name: &str, operands: &[Value], ty: Type, thread: usize) -> Expression {
        let mut sorts = Vec::new();
        let mut arguments = Vec::new();
        for &operand in operands {
            let argument = match *self.lowered(operand).of(thread) {
                Lowered::Scalar(expression) => expression,
                Lowered::Pointer(_) => {
                    let bits = self.kernel.pointer_bits;
                    self.address(operand, thread, Type::Bits(bits))
                }
            };
            sorts.push(self.program.expressions.sort(argument));
            arguments.push(argument);
        }
        let function = self.e().add_function(name, sorts, sort(ty));
        self.e().apply(function, arguments)
    }

    /// A pointer's address: a function of the array and the offset, and of the thread if the array
    /// may be the thread's own.
    pub fn address(&mut self, of: Value, thread: usize, ty: Type) -> Expression {
        let pointer = self.pointer(of, thread);
        let bits = self.kernel.pointer_bits;
        let result = sort(ty);
        let shared = same_address_for_all(self.kernel, &self.facts.points_to, of, self.pair);
        let name = if shared { "address".to_owned() } else { format!("address${}", thread + 1) };
        let function = self.e().add_function(&name, vec![Sort::Bits(TAG_WIDTH), Sort::Bits(bits)], result);
        self.e().apply(function, vec![pointer.tag, pointer.offset])
    }

    /// Whether two pointers are equal. Pointers into one array are equal if they point to the same
    /// place. Whether a place in one array is where another array begins or ends is unknown, but
    /// the same for all threads for which the arrays are the same.
    fn pointers_equal(&mut self, left: Value, right: Value, thread: usize) -> Expression {
        let shared = compare_alike(self.kernel, &self.facts.points_to, [left, right], self.pair);
        let (a, b) = (self.pointer(left, thread), self.pointer(right, thread));
        let null = self.e().number(TAG_WIDTH, NULL);
        if a.tag == null || b.tag == null {
            return if a.tag == null { self.is_null(right, b) } else { self.is_null(left, a) };
        }
        let (tag, offset) = (Sort::Bits(TAG_WIDTH), Sort::Bits(self.kernel.pointer_bits));
        let e = self.e();
        let same_array = e.equal(a.tag, b.tag);
        let same_offset = e.equal(a.offset, b.offset);
        let same_place = e.and([same_array, same_offset]);
        if e.as_boolean(same_array) == Some(true) {
            return same_place;
        }
        let name = if shared { "same_address".to_owned() } else { format!("same_address${}", thread + 1) };
        let function = e.add_function(&name, vec![tag, offset, tag, offset], Sort::Boolean);
        let meet = e.apply(function, vec![a.tag, a.offset, b.tag, b.offset]);
        let apart = e.not(same_array);
        let meet = e.and([apart, meet]);
        e.or([same_place, meet])
    }

    /// Whether a pointer is null. Whether an array lies at the null pointer (a buffer argument may)
    /// is unknown, but the same for all threads. A pointer computed from a null pointer is taken to
    /// be null itself.
    fn is_null(&mut self, of: Value, pointer: PointerExpression) -> Expression {
        let e = self.e();
        let function = e.add_function("is_null", vec![Sort::Bits(TAG_WIDTH)], Sort::Boolean);
        let maybe = e.apply(function, vec![pointer.tag]);
        let null = e.number(TAG_WIDTH, NULL);
        let surely = e.equal(pointer.tag, null);
        let given = |array: &kernel::Array| self.kernel.arrays[*array].origin == ArrayOrigin::Parameter;
        if self.facts.points_to[of].arrays.iter().any(given) {
            self.list_here(Assumed::ComparedParameterNotNull);
        }
        let e = &self.program.expressions;
        if !e.as_bits(pointer.offset).is_some_and(Bits::is_zero) {
            self.list_here(Assumed::ComparedNotFromNull);
        }
        self.e().or([surely, maybe])
    }

    pub fn name_of(&self, value: Value, fallback: &str) -> String {
        let name = self.kernel.values[value].name.clone().unwrap_or_else(|| fallback.to_owned());
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '_' }).collect()
    }

    /// An arbitrary value of a type.
    pub fn arbitrary_value(&mut self, ty: Type, name: &str, thread: Option<usize>, unknown: Unknown) -> Lowered {
        let Type::Pointer(_) = ty else {
            return Lowered::Scalar(self.unknown(name, sort(ty), thread, unknown));
        };
        let bits = self.kernel.pointer_bits;
        let tag = self.unknown(&format!("{name}.array"), Sort::Bits(TAG_WIDTH), thread, unknown.clone());
        let offset = self.unknown(&format!("{name}.offset"), Sort::Bits(bits), thread, unknown);
        self.assume_of_space(tag, ty);
        Lowered::Pointer(PointerExpression { tag, offset })
    }

    /// Assumes that an otherwise unknown pointer of this type has a valid tag for its space.
    pub fn assume_of_space(&mut self, tag: Expression, ty: Type) {
        let targets = anything(self.kernel, ty);
        let mut possible = Vec::new();
        let elsewhere = targets.elsewhere.then_some(ELSEWHERE);
        for number in targets.arrays.iter().map(|array| u64::from(array.as_u32())).chain([NULL]).chain(elsewhere) {
            let number = self.e().number(TAG_WIDTH, number);
            let equal = self.e().equal(tag, number);
            possible.push(equal);
        }
        let condition = self.e().or(possible);
        self.assume(condition, "a pointer points into an array of its address space, or is null");
    }

    fn user_assumption(&mut self, block: Block, condition: Value, kind: AssumeKind) {
        for &thread in self.assumed_of(condition) {
            let active = self.active(block, thread);
            let condition = self.scalar(condition, thread);
            let holds = self.e().implies(active, condition);
            let e = &self.program.expressions;
            match kind {
                AssumeKind::Precondition | AssumeKind::Given | AssumeKind::Launch if about_inputs(e, holds) => {
                    self.ranges.learn(e, holds);
                    let ground = match kind {
                        AssumeKind::Given => Ground::Given,
                        AssumeKind::Launch => Ground::Host,
                        _ => Ground::Source,
                    };
                    let precondition = Precondition { condition: holds, ground };
                    if !self.program.preconditions.contains(&precondition) {
                        self.program.preconditions.push(precondition);
                    }
                }
                AssumeKind::User | AssumeKind::Precondition | AssumeKind::Given | AssumeKind::Launch => {
                    self.assume(holds, "the source assumes it");
                }
                AssumeKind::Semantics => self.assume(holds, "the operation's result is in its range"),
            }
        }
        if !matches!(kind, AssumeKind::Semantics | AssumeKind::Given | AssumeKind::Launch) {
            let place = self.kernel.place(self.location);
            self.list(Assumed::Source { place, calls: Vec::new() });
        }
    }
}

fn float_name(op: FloatOp) -> &'static str {
    match op {
        FloatOp::Add => "float_add",
        FloatOp::Subtract => "float_subtract",
        FloatOp::Multiply => "float_multiply",
        FloatOp::Divide => "float_divide",
        FloatOp::Remainder => "float_remainder",
        FloatOp::FusedMultiplyAdd => "float_fma",
        FloatOp::MultiplyAdd => "float_multiply_add",
        FloatOp::SquareRoot => "float_sqrt",
        FloatOp::OrderedEqual => "float_ordered_equal",
        FloatOp::OrderedNotEqual => "float_ordered_not_equal",
        FloatOp::OrderedLess => "float_ordered_less",
        FloatOp::OrderedLessEqual => "float_ordered_less_equal",
        FloatOp::Ordered => "float_ordered",
        FloatOp::UnorderedEqual => "float_unordered_equal",
        FloatOp::UnorderedNotEqual => "float_unordered_not_equal",
        FloatOp::UnorderedLess => "float_unordered_less",
        FloatOp::UnorderedLessEqual => "float_unordered_less_equal",
        FloatOp::Unordered => "float_unordered",
        FloatOp::FromFloat => "float_from_float",
        FloatOp::FromSigned => "float_from_signed",
        FloatOp::FromUnsigned => "float_from_unsigned",
        FloatOp::ToSigned => "float_to_signed",
        FloatOp::ToUnsigned => "float_to_unsigned",
    }
}
