//! Executes the steps of one thread until it has to wait for others.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, AtomicOp, BarrierKind, BinaryOp, Needs, Operation, Space, ThreadQuery, Type};
use lockstep_ir::word;
use num_bigint::BigUint;

use super::arithmetic::{self, Arithmetic, Undefined};
use super::code::{AtomicStep, Call, Code, Copy, Marked, Part, Position, Register, Step, Wide};
use super::contents::Stated;
use super::events::{Event, Tally, Wrong};
use super::launch::Clock;
use super::memory::{self, Addresses, Region};
use super::races::{self, Detector, GroupWatch, ThreadClock};
use super::schedule::{Turn, Turns};
use super::{Grid, floats};

/// One thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its registers.
    pub registers: Box<[u64]>,
    /// Its private memory.
    pub private: Box<[u8]>,
    /// The next step.
    pub at: Position,
    /// Its index in the group, per dimension.
    pub local_id: [u32; 3],
    /// Its number in the group: the first dimension changes fastest.
    pub number: u32,
    /// The number of choices made so far that a library's documentation leaves open.
    pub choices: u32,
    /// Its knowledge of the accesses of others.
    pub clock: ThreadClock,
}

/// Why a thread stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It has arrived at the barrier at this position.
    Barrier(BarrierKind, Position),
    /// It has arrived at an exchange in its warp, with this number.
    Exchange(u32, Position),
    /// It waits at a named barrier.
    Named(Position),
    /// It has arrived at a named barrier.
    ///
    /// It continues once the arrival is recorded, unless it has to wait.
    Arrives(u32, Position),
    /// It has come to an operation on a phase object, with this number, and continues once that is
    /// done, unless it has to wait.
    Phase(u32, Position),
    /// It waits for a phase.
    Awaits(Position),
    /// It has arrived at an exchange in its group.
    GroupExchange(Position),
    /// It has arrived at the start of its group's copy, with this number.
    AsyncCopy(u32, Position),
    /// It has arrived at a wait for its group's copies.
    AsyncWait(u32, Position),
    /// It has arrived at the start of a copy of its own, and continues once it has started.
    OwnCopy(u32, Position),
    /// It has arrived at a wait for its own copies, and continues at once: they have been made.
    OwnWait(u32),
    /// It has finished the kernel.
    Finished,
    /// It is stuck.
    Broken(Position),
    /// It has reached its step limit, or its turn has ended.
    OutOfSteps,
}

/// An array in the local memory of a group; empty if the array is in other memory.
#[derive(Clone, Debug, Default)]
pub struct Local {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether each byte has been written.
    pub written: Vec<bool>,
}

impl Local {
    /// An array of this size, of which no byte has been written.
    pub fn new(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes], written: vec![false; bytes] }
    }
}

/// The rule for values that are not modelled.
///
/// These are a clock's values, and the results of functions without a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MadeUp {
    /// Zeros for a clock; for a function, arbitrary values that are equal for equal operands.
    #[default]
    Usual,
    /// This value in every word.
    All(u64),
    /// Numbers below 16, from a seed.
    Small(u64),
    /// Arbitrary numbers, from a seed.
    Random(u64),
}

/// The state that a thread can access.
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct Reach<'a> {
    /// The kernel.
    pub code: &'a Code,
    /// The launch.
    pub grid: &'a Grid,
    /// The group's index.
    pub group: [u32; 3],
    /// The memory of the launch; empty for arrays in other memory.
    pub regions: &'a mut [Region],
    /// The local memory of the group; empty for arrays in other memory.
    pub local: &'a mut [Local],
    /// The addresses of arrays.
    pub addresses: Addresses,
    /// The errors so far.
    pub events: &'a mut Vec<Event>,
    /// The remaining steps.
    pub steps: u64,
    /// The launch's clock.
    pub clock: &'a mut Clock,
    /// The number of remaining steps at which the turn ends.
    pub turn_ends: u64,
    /// The turns of threads, if they are recorded.
    pub turns: Option<&'a mut Turns>,
    /// The group's number.
    pub group_number: u64,
    /// Whether the threads of a warp execute in lockstep.
    pub warps_in_lock_step: bool,
    /// Whether a lane that queries the active lanes is told that it is alone.
    pub lanes_apart: bool,
    /// Whether a thread continues past failed assumptions and unsupported operations.
    pub goes_on: bool,
    /// The rule for made-up values.
    pub made_up: MadeUp,
    /// Whether returned threads count as having arrived at a barrier.
    pub returned_arrive: bool,
    /// Whether an error is reported for each thread separately.
    pub each_thread: bool,
    /// The race detector, if races are detected.
    pub watch: Option<Watch<'a>>,
    /// Whether a write would have changed shared memory, in a mode in which it must stay unchanged.
    pub changes: Option<bool>,
    /// The counters of atomic changes, if they are counted.
    pub tally: Option<&'a mut Tally>,
    /// The facts about contents that were stated.
    pub stated: &'a mut Stated,
}

/// The maximum number of reported errors.
pub const MOST_EVENTS: usize = 10_000;

/// The state of race detection.
pub struct Watch<'a> {
    /// The detector of the launch.
    pub detector: &'a mut Detector,
    /// The records of the group.
    pub group: &'a mut GroupWatch,
}

/// A byte offset as an index; memory is smaller than the limit of a run.
pub(super) fn within(byte: u64) -> usize {
    usize::try_from(byte).expect("memory fits")
}

pub(super) fn at(register: Register) -> usize {
    register as usize
}

/// The mask of a number of this width.
#[inline]
fn mask(width: u8) -> u64 {
    word::mask(width.into())
}

/// A number of this width in two's complement.
#[inline]
pub fn signed(width: u8, value: u64) -> i64 {
    word::sign_extended(value, width.into())
}

/// A number of 32 bits in two's complement.
#[expect(clippy::cast_possible_truncation, reason = "the bits above are zeros")]
fn int(value: u64) -> i32 {
    (value as u32).cast_signed()
}

/// An operation on `i32` as one on registers.
fn of_ints(compute: impl Fn(i32, i32) -> (i32, bool)) -> impl Fn(u64, u64) -> (u64, bool) {
    move |a, b| {
        let (result, overflows) = compute(int(a), int(b));
        (result.cast_unsigned().into(), overflows)
    }
}

/// The bits of a number in two's complement.
#[expect(clippy::cast_sign_loss, reason = "the same bits read as unsigned")]
fn bits_of(value: i64) -> u64 {
    value as u64
}

impl Thread {
    /// A thread in its initial state.
    pub fn new(code: &Code, start: &[u64], local_id: [u32; 3], number: u32, clock: ThreadClock) -> Self {
        let private = vec![0; within(code.private_bytes)].into_boxed_slice();
        Self { registers: start.into(), private, at: 0, local_id, number, choices: 0, clock }
    }

    /// The value of a register.
    pub fn get(&self, register: Register) -> u64 {
        self.registers[at(register)]
    }

    /// Sets a register.
    pub fn set(&mut self, register: Register, value: u64) {
        self.registers[at(register)] = value;
    }

    fn wide(&self, register: Register, width: u32) -> Bits {
        let words = at(register)..at(register + width.div_ceil(64));
        let digits = self.registers[words].iter().flat_map(|word| word.to_le_bytes());
        Bits::new(width, BigUint::from_bytes_le(&digits.collect::<Vec<u8>>()))
    }

    fn set_wide(&mut self, register: Register, value: &Bits) {
        let words = at(register)..at(register + value.width().div_ceil(64));
        let digits = value.unsigned().iter_u64_digits().chain(std::iter::repeat(0));
        self.registers[words].iter_mut().zip(digits).for_each(|(to, from)| *to = from);
    }
}

impl Reach<'_> {
    /// Records an error.
    pub fn wrong(&mut self, thread: &Thread, what: Wrong, at: Position) {
        // One event per place is reported, or one per place and thread.
        let event = Event { what, at, group: self.group, thread: thread.local_id };
        // Counting requires all errors, however many places there are.
        if let Some(tally) = &mut self.tally {
            if tally.is_new(&event) {
                self.events.push(event);
            }
            return;
        }
        // Arithmetic may overflow in every thread all the time, as in hash functions.
        let each_thread =
            self.each_thread && !matches!(what, Wrong::Undefined(_) | Wrong::AnyValue(_) | Wrong::NotModelled);
        let same_thread = |other: &Event| !each_thread || (event.group, event.thread) == (other.group, other.thread);
        let same = |other: &Event| event.is_like(other) && same_thread(other);
        if self.events.len() < MOST_EVENTS && !self.events.iter().any(same) {
            self.events.push(event);
            if let Some(watch) = &mut self.watch {
                watch.detector.note_event(self.events.len() - 1);
            }
        }
    }

    /// Records a thread's turn, given the remaining steps before it.
    pub fn note_turn(&mut self, thread: &Thread, before: u64) {
        if let Some(turns) = &mut self.turns {
            turns.add(Turn { group: self.group_number, thread: thread.number, steps: before - self.steps });
        }
    }

    /// Executes a thread until it stops.
    pub fn execute(&mut self, thread: &mut Thread) -> Stop {
        let code = self.code;
        loop {
            let here = thread.at;
            if self.steps <= self.turn_ends {
                return Stop::OutOfSteps;
            }
            self.steps -= 1;
            thread.at += 1;
            match code.steps[at(here)] {
                Step::Copy { to, a } => thread.set(to, thread.get(a)),
                Step::Add { width, to, a, b } => {
                    thread.set(to, thread.get(a).wrapping_add(thread.get(b)) & mask(width));
                }
                Step::Subtract { width, to, a, b } => {
                    thread.set(to, thread.get(a).wrapping_sub(thread.get(b)) & mask(width));
                }
                Step::Multiply { width, to, a, b } => {
                    thread.set(to, thread.get(a).wrapping_mul(thread.get(b)) & mask(width));
                }
                Step::AddSigned { width, to, a, b } => {
                    let add = |a: u64, b: u64| {
                        let sum = a.wrapping_add(b) & mask(width);
                        (sum, arithmetic::sum_overflows(width, a, b, sum))
                    };
                    self.signed_step(thread, (BinaryOp::Add, width), [to, a, b], add, here);
                }
                Step::SubtractSigned { width, to, a, b } => {
                    let subtract = |a: u64, b: u64| {
                        let difference = a.wrapping_sub(b) & mask(width);
                        (difference, arithmetic::difference_overflows(width, a, b, difference))
                    };
                    self.signed_step(thread, (BinaryOp::Subtract, width), [to, a, b], subtract, here);
                }
                Step::MultiplySigned { width, to, a, b } => {
                    let multiply = |a: u64, b: u64| {
                        let product = a.wrapping_mul(b) & mask(width);
                        (product, arithmetic::product_overflows(width, a, b, product))
                    };
                    self.signed_step(thread, (BinaryOp::Multiply, width), [to, a, b], multiply, here);
                }
                Step::AddInt { to, a, b } => {
                    self.signed_step(thread, (BinaryOp::Add, 32), [to, a, b], of_ints(i32::overflowing_add), here);
                }
                Step::SubtractInt { to, a, b } => {
                    self.signed_step(thread, (BinaryOp::Subtract, 32), [to, a, b], of_ints(i32::overflowing_sub), here);
                }
                Step::MultiplyInt { to, a, b } => {
                    self.signed_step(thread, (BinaryOp::Multiply, 32), [to, a, b], of_ints(i32::overflowing_mul), here);
                }
                Step::Marked(number) => self.marked(thread, code.marked[at(number)], here),
                Step::UnsignedDivide { width, to, a, b } => {
                    thread.set(to, thread.get(a).checked_div(thread.get(b)).unwrap_or(mask(width)));
                }
                Step::SignedDivide { width, to, a, b } => {
                    let (x, y) = (signed(width, thread.get(a)), signed(width, thread.get(b)));
                    let quotient = match y {
                        0 => {
                            if x < 0 {
                                1
                            } else {
                                -1
                            }
                        }
                        _ => x.wrapping_div(y),
                    };
                    thread.set(to, bits_of(quotient) & mask(width));
                }
                Step::UnsignedRemainder { to, a, b, .. } => {
                    thread.set(to, thread.get(a).checked_rem(thread.get(b)).unwrap_or(thread.get(a)));
                }
                Step::SignedRemainder { width, to, a, b } => {
                    let (x, y) = (signed(width, thread.get(a)), signed(width, thread.get(b)));
                    let remainder = if y == 0 { x } else { x.wrapping_rem(y) };
                    thread.set(to, bits_of(remainder) & mask(width));
                }
                Step::ShiftLeft { width, to, a, b } => {
                    let distance = thread.get(b);
                    let shifted = if distance < width.into() { thread.get(a) << distance } else { 0 };
                    thread.set(to, shifted & mask(width));
                }
                Step::LogicalShiftRight { width, to, a, b } => {
                    let distance = thread.get(b);
                    thread.set(to, if distance < width.into() { thread.get(a) >> distance } else { 0 });
                }
                Step::ArithmeticShiftRight { width, to, a, b } => {
                    let distance = thread.get(b).min(u64::from(width) - 1);
                    thread.set(to, bits_of(signed(width, thread.get(a)) >> distance) & mask(width));
                }
                Step::And { to, a, b } => thread.set(to, thread.get(a) & thread.get(b)),
                Step::Or { to, a, b } => thread.set(to, thread.get(a) | thread.get(b)),
                Step::Xor { to, a, b } => thread.set(to, thread.get(a) ^ thread.get(b)),
                Step::Not { width, to, a } => thread.set(to, !thread.get(a) & mask(width)),
                Step::Negate { width, to, a } => thread.set(to, thread.get(a).wrapping_neg() & mask(width)),
                Step::Equal { to, a, b } => thread.set(to, u64::from(thread.get(a) == thread.get(b))),
                Step::NotEqual { to, a, b } => thread.set(to, u64::from(thread.get(a) != thread.get(b))),
                Step::UnsignedLess { to, a, b } => thread.set(to, u64::from(thread.get(a) < thread.get(b))),
                Step::UnsignedLessEqual { to, a, b } => thread.set(to, u64::from(thread.get(a) <= thread.get(b))),
                Step::SignedLess { width, to, a, b } => {
                    let less = signed(width, thread.get(a)) < signed(width, thread.get(b));
                    thread.set(to, u64::from(less));
                }
                Step::SignedLessEqual { width, to, a, b } => {
                    let less = signed(width, thread.get(a)) <= signed(width, thread.get(b));
                    thread.set(to, u64::from(less));
                }
                Step::Select { to, condition, a, b } => {
                    thread.set(to, thread.get(if thread.get(condition) == 0 { b } else { a }));
                }
                Step::SignExtend { width, to_width, to, a } => {
                    thread.set(to, bits_of(signed(width, thread.get(a))) & mask(to_width));
                }
                Step::Truncate { width, to, a } => thread.set(to, thread.get(a) & mask(width)),
                Step::Extract { width, low, to, a } => thread.set(to, (thread.get(a) >> low) & mask(width)),
                Step::Concat { low, to, a, b } => thread.set(to, (thread.get(a) << low) | thread.get(b)),
                Step::Float { op, ty, to, a, b } => {
                    thread.set(to, floats::operate(op, ty, thread.get(a), thread.get(b)));
                }
                Step::FusedMultiplyAdd { ty, to, a, b, c } => {
                    let [a, b, c] = [a, b, c].map(|register| thread.get(register));
                    thread.set(to, floats::fused_multiply_add(ty, a, b, c));
                }
                Step::FloatToFloat { from, ty, to, a } => thread.set(to, floats::convert(from, ty, thread.get(a))),
                Step::IntegerToFloat { signed: is_signed, width, ty, to, a } => {
                    let value = thread.get(a);
                    let negative = is_signed.then(|| signed(width, value));
                    thread.set(to, floats::from_integer(ty, negative, value));
                }
                Step::FloatToInteger { signed, width, ty, to, a } => {
                    thread.set(to, floats::to_integer(ty, thread.get(a), signed, width.into()));
                }
                Step::Wide(number) => self.wide(thread, &code.wide[at(number)], here),
                Step::Call(number) => self.call(thread, &code.calls[at(number)], number, here),
                Step::Contents { number, to } => {
                    let bounds = code.contents[at(number)].bounds.unwrap_or([to; 2]);
                    let bounds = bounds.map(|bound| thread.get(bound).cast_signed());
                    let is_within = code.contents[at(number)].bounds.is_some();
                    self.stated.insert((at(number), if is_within { bounds } else { [0; 2] }, here));
                    thread.set(to, 1);
                }
                Step::Query { query, width, to } => {
                    let answer = self.query(thread, query) & mask(width);
                    thread.set(to, answer);
                }
                Step::Undefined { to, words } => (to..to + words).for_each(|register| thread.set(register, 0)),
                Step::Anything { to, words, bits } => {
                    self.wrong(thread, Wrong::NotModelled, here);
                    (to..to + words).for_each(|register| thread.set(register, 0));
                    if self.made_up != MadeUp::Usual {
                        self.make_up(thread, (to, bits), self.steps);
                    }
                }
                Step::Choice { to } => {
                    thread.set(to, thread.choices.into());
                    thread.choices = thread.choices.wrapping_add(1);
                }
                Step::PointerAdd { to, a, b } => {
                    let (array, offset) = (thread.get(a), thread.get(a + 1).wrapping_add(thread.get(b)));
                    thread.set(to, array);
                    thread.set(to + 1, offset & mask(self.offset_width()));
                }
                Step::PointerEqual { to, a, b } => {
                    let equal = self.address(thread, a) == self.address(thread, b);
                    thread.set(to, u64::from(equal));
                }
                Step::PointerDifference { to, a, b } => {
                    let difference = self.address(thread, a).wrapping_sub(self.address(thread, b));
                    thread.set(to, difference & mask(self.offset_width()));
                }
                Step::PointerToInteger { to, a } => thread.set(to, self.address(thread, a)),
                Step::IntegerToPointer { to, a } => self.set_pointer(thread, to, thread.get(a)),
                Step::Load { bits, to, pointer, alignment, needs, .. } => {
                    self.load(thread, bits, to, pointer, (alignment, needs), here);
                }
                Step::LoadPointer { to, pointer, alignment, .. } => {
                    let bits = u16::from(self.offset_width());
                    self.load(thread, bits, to, pointer, (alignment, Needs::Everything), here);
                    self.set_pointer(thread, to, thread.get(to));
                }
                Step::Store { bits, value, pointer, alignment, .. } => {
                    self.store(thread, bits, value, pointer, alignment, here);
                }
                Step::StorePointer { value, pointer, alignment, .. } => {
                    let address = self.address(thread, value);
                    let bytes = code.pointer_bytes.into();
                    if let Some(place) = self.place(thread, pointer, bytes, alignment, true, here) {
                        self.watch_write(thread, place, &address.to_le_bytes()[..within(bytes)], here);
                        self.write(thread, place, bytes, address);
                    }
                }
                Step::Atomic(number) => self.atomic(thread, &code.atomics[at(number)], here),
                Step::MemoryCopy(number) => self.copy(thread, code.copies[at(number)], here),
                Step::MemorySet { pointer, value, bytes } => self.fill(thread, pointer, value, bytes, here),
                Step::Fence { ordering, scope, spaces } => {
                    if let Some(watch) = &mut self.watch {
                        let by = (&mut thread.clock, thread.number);
                        watch.detector.fence(watch.group, by, (ordering, scope, spaces));
                    }
                }
                Step::Barrier { kind, mask, .. } => {
                    if let BarrierKind::Warp { mask: Some(_) } = kind {
                        self.look_at_mask(thread, mask, here);
                    }
                    return Stop::Barrier(kind, here);
                }
                Step::Image(number) => self.access_image(thread, &code.images[at(number)], here),
                Step::Named(number) => return self.named(thread, number, here),
                Step::Phase(number) => return Stop::Phase(number, here),
                Step::Exchange(number) => {
                    if let Some(mask) = code.exchanges[at(number)].mask {
                        self.look_at_mask(thread, mask, here);
                    }
                    return Stop::Exchange(number, here);
                }
                Step::GroupExchange { .. } => return Stop::GroupExchange(here),
                Step::AsyncCopy(number) => return Stop::AsyncCopy(number, here),
                Step::AsyncWait(number) => return Stop::AsyncWait(number, here),
                Step::OwnCopy(number) => return Stop::OwnCopy(number, here),
                Step::OwnWait(number) => return Stop::OwnWait(number),
                Step::Assume { condition } => {
                    if thread.get(condition) == 0 {
                        self.wrong(thread, Wrong::Assumption, here);
                        if !self.goes_on {
                            return Stop::Broken(here);
                        }
                    }
                }
                Step::Assert { condition } => {
                    if thread.get(condition) == 0 {
                        self.wrong(thread, Wrong::Assertion, here);
                    }
                }
                Step::Jump { to } => thread.at = to,
                Step::Branch { condition, then, otherwise } => {
                    thread.at = if thread.get(condition) == 0 { otherwise } else { then };
                }
                Step::Switch(number) => {
                    let switch = &code.switches[at(number)];
                    let value = thread.get(switch.value);
                    let case = switch.cases.iter().find(|(case, _)| *case == value);
                    thread.at = case.map_or(switch.default, |(_, position)| *position);
                }
                Step::Return => {
                    thread.at = here;
                    return Stop::Finished;
                }
                Step::Trap => {
                    self.wrong(thread, Wrong::Trap, here);
                    return Stop::Broken(here);
                }
                Step::Unreachable => {
                    self.wrong(thread, Wrong::Unreachable, here);
                    return Stop::Broken(here);
                }
                Step::Refuse(number) => {
                    self.wrong(thread, Wrong::Refused(number), here);
                    if !self.goes_on || matches!(self.code.part(here), Part::End(_)) {
                        return Stop::Broken(here);
                    }
                }
            }
        }
    }

    // --- Arithmetic
    // ---------------------------------------------------------------------------------

    #[cold]
    #[inline(never)]
    fn overflow(&mut self, thread: &Thread, op: BinaryOp, width: u8, operands: [u64; 2], here: Position) {
        let (why, width) = (Undefined::SignedOverflow, width.into());
        self.tell_undefined(thread, Arithmetic { why, op, width, operands: Some(operands) }, here);
    }

    /// Computes a signed operation and reports its overflow, which is undefined.
    #[inline]
    fn signed_step(
        &mut self,
        thread: &mut Thread,
        (op, width): (BinaryOp, u8),
        [to, a, b]: [Register; 3],
        compute: impl Fn(u64, u64) -> (u64, bool),
        here: Position,
    ) {
        let operands = [thread.get(a), thread.get(b)];
        let (result, overflows) = compute(operands[0], operands[1]);
        if overflows {
            self.overflow(thread, op, width, operands, here);
        }
        thread.set(to, result);
    }

    fn marked(&mut self, thread: &mut Thread, marked: Marked, here: Position) {
        let Marked { op, marks, width, to, a, b } = marked;
        let (a, b) = (thread.get(a), thread.get(b));
        if let Some(why) = arithmetic::undefined(op, marks, width, a, b) {
            self.tell_undefined(thread, Arithmetic { why, op, width: width.into(), operands: Some([a, b]) }, here);
        }
        thread.set(to, arithmetic::binary(op, width, a, b));
    }

    fn tell_undefined(&mut self, thread: &Thread, what: Arithmetic, here: Position) {
        let is_open = what.op.is_division() && self.code.quotients_are_open;
        self.wrong(thread, if is_open { Wrong::AnyValue(what) } else { Wrong::Undefined(what) }, here);
    }

    fn wide(&mut self, thread: &mut Thread, wide: &Wide, here: Position) {
        let operands: Vec<Bits> = wide.operands.iter().map(|&(register, width)| thread.wide(register, width)).collect();
        if let (Operation::Binary(op, marks, ..), [a, b]) = (&wide.operation, operands.as_slice())
            && let Some(why) = arithmetic::undefined_of_wide(*op, *marks, a, b)
        {
            self.tell_undefined(thread, Arithmetic { why, op: *op, width: wide.width, operands: None }, here);
        }
        let result = wide.operation.fold(&operands, wide.width).expect("compiled from an operation on numbers");
        thread.set_wide(wide.to, &result);
    }

    /// Executes a named barrier; barrier 0 for all threads is the group's barrier.
    fn named(&self, thread: &Thread, number: u32, here: Position) -> Stop {
        let barrier = self.code.named[at(number)];
        let is_for_all = barrier.count.is_none_or(|count| thread.get(count) == self.grid.group_threads());
        if barrier.waits && is_for_all && thread.get(barrier.id) == 0 {
            return Stop::Barrier(BarrierKind::Group, here);
        }
        Stop::Arrives(number, here)
    }

    /// Checks that a lane is included in its mask.
    fn look_at_mask(&mut self, thread: &Thread, mask: Register, here: Position) {
        let lane = thread.number % self.grid.warp_size;
        if thread.get(mask) >> lane & 1 == 0 {
            self.wrong(thread, Wrong::NotInMask, here);
        }
    }

    fn query(&self, thread: &Thread, query: ThreadQuery) -> u64 {
        let grid = self.grid;
        let dimension = usize::from;
        let global = |d: u8| {
            let d = dimension(d);
            u64::from(self.group[d]) * u64::from(grid.local_size[d])
                + u64::from(thread.local_id[d])
                + u64::from(grid.global_offset[d])
        };
        match query {
            ThreadQuery::LocalId(d) => thread.local_id[dimension(d)].into(),
            ThreadQuery::GroupId(d) => self.group[dimension(d)].into(),
            ThreadQuery::GlobalId(d) => global(d),
            ThreadQuery::LocalSize(d) => grid.local_size[dimension(d)].into(),
            ThreadQuery::NumGroups(d) => grid.num_groups[dimension(d)].into(),
            ThreadQuery::GlobalSize(d) => {
                u64::from(grid.local_size[dimension(d)]) * u64::from(grid.num_groups[dimension(d)])
            }
            ThreadQuery::GlobalOffset(d) => grid.global_offset[dimension(d)].into(),
            ThreadQuery::Dimensions => grid.dimensions.into(),
            ThreadQuery::LaneId => u64::from(thread.number % grid.warp_size),
            ThreadQuery::WarpSize => grid.warp_size.into(),
        }
    }

    fn call(&mut self, thread: &mut Thread, call: &Call, number: u32, here: Position) {
        let float = |(register, ty): &(Register, Type)| match ty {
            Type::Float(float) => Some(floats::number(*float, thread.get(*register))),
            Type::Bool | Type::Bits(_) | Type::Pointer(_) => None,
        };
        let operands: Option<Vec<f64>> = call.operands.iter().map(float).collect();
        let result = operands.and_then(|operands| floats::function(&call.name, &operands));
        if let (Some(result), Type::Float(ty)) = (result, call.ty) {
            return thread.set(call.to, floats::pattern(ty, result));
        }
        if let ([(register, Type::Float(from))], Type::Bits(width @ 1..=64)) = (call.operands.as_slice(), call.ty)
            && let Some(result) = floats::conversion(&call.name, *from, thread.get(*register), width)
        {
            return thread.set(call.to, result);
        }
        if let ([(register, Type::Bits(_))], Type::Bits(width @ 1..=64)) = (call.operands.as_slice(), call.ty) {
            let (array, _) = self.addresses.pointer(thread.get(*register), self.code.arrays.len());
            let image = Code::array(array).and_then(|array| self.image_of(array));
            if let Some(answer) = image.and_then(|image| super::images::ask(&call.name, image)) {
                return thread.set(call.to, answer & mask(u8::try_from(width).expect("at most 64")));
            }
        }
        // The value is made up, and equal for equal operands.
        self.wrong(thread, Wrong::Unknown(number), here);
        let width = call.ty.width().unwrap_or(64);
        let named = call.name.bytes().fold(0, |sum, byte| memory::scrambled(sum ^ u64::from(byte)));
        let mut state = named;
        for (register, ty) in &call.operands {
            for word in 0..ty.width().unwrap_or(128).div_ceil(64) {
                state = memory::scrambled(state ^ thread.get(register + word));
            }
        }
        self.make_up(thread, (call.to, width), state);
    }

    /// Sets registers to a made-up number of this width, generated from a state.
    fn make_up(&self, thread: &mut Thread, (to, width): (Register, u32), mut state: u64) {
        for word in 0..width.div_ceil(64) {
            state = memory::scrambled(state);
            let left = u8::try_from((width - 64 * word).min(64)).expect("at most 64");
            let value = match self.made_up {
                MadeUp::Usual => state,
                MadeUp::All(number) => number,
                MadeUp::Small(seed) => memory::scrambled(seed ^ state) & 15,
                MadeUp::Random(seed) => memory::scrambled(seed ^ state),
            };
            thread.set(to + word, value & mask(left));
        }
    }

    // --- Pointers
    // -----------------------------------------------------------------------------------

    fn offset_width(&self) -> u8 {
        self.code.pointer_bytes * 8
    }

    fn address(&self, thread: &Thread, pointer: Register) -> u64 {
        self.addresses.address(thread.get(pointer), thread.get(pointer + 1))
    }

    fn set_pointer(&self, thread: &mut Thread, to: Register, address: u64) {
        let (array, offset) = self.addresses.pointer(address, self.code.arrays.len());
        thread.set(to, array);
        thread.set(to + 1, offset & mask(self.offset_width()));
    }

    // --- Memory
    // -------------------------------------------------------------------------------------

    /// The array and the first byte of an access, if it is in bounds.
    fn place(
        &mut self,
        thread: &Thread,
        pointer: Register,
        bytes: u64,
        alignment: u8,
        writes: bool,
        here: Position,
    ) -> Option<(Array, u64)> {
        let target = (Code::array(thread.get(pointer)), thread.get(pointer + 1));
        self.place_at(thread, target, bytes, alignment, writes, here)
    }

    /// Does the same for an array and a byte in it.
    pub(super) fn place_at(
        &mut self,
        thread: &Thread,
        (array, offset): (Option<Array>, u64),
        bytes: u64,
        alignment: u8,
        writes: bool,
        here: Position,
    ) -> Option<(Array, u64)> {
        if let (Some(tally), Some(array)) = (&mut self.tally, array) {
            tally.touch(array, signed(self.code.pointer_bytes * 8, offset), bytes, writes);
        }
        let size = array.map_or(0, |array| self.size(array));
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= size);
        let Some(array) = array.filter(|_| inside) else {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            let offset = signed(self.offset_width(), offset);
            self.wrong(thread, Wrong::OutOfBounds { array, offset, bytes, writes }, here);
            return None;
        };
        if offset % u64::from(alignment) != 0 {
            let alignment = alignment.into();
            self.wrong(thread, Wrong::Misaligned { array, offset: signed(64, offset), alignment }, here);
        }
        if writes && self.code.arrays[at(array.as_u32())].space == Space::Constant {
            self.wrong(thread, Wrong::ConstantWritten(array), here);
            return None;
        }
        Some((array, offset))
    }

    fn size(&self, array: Array) -> u64 {
        let index = at(array.as_u32());
        let place = self.code.arrays[index];
        match place.space {
            Space::Private => place.bytes,
            Space::Local => u64::try_from(self.local[index].bytes.len()).expect("memory fits"),
            Space::Global | Space::Constant | Space::Generic => self.regions[index].size,
        }
    }

    fn read(&mut self, thread: &Thread, (array, offset): (Array, u64), bytes: u64) -> u64 {
        let index = at(array.as_u32());
        let place = self.code.arrays[index];
        let count = usize::try_from(bytes).expect("at most 8");
        let start = || usize::try_from(offset).expect("inside");
        match place.space {
            Space::Private => {
                let start = start() + within(place.private);
                memory::number(&thread.private[start..start + count])
            }
            Space::Local => memory::number(&self.local[index].bytes[start()..start() + count]),
            Space::Global | Space::Constant | Space::Generic => self.regions[index].load(offset, count),
        }
    }

    pub(super) fn write(&mut self, thread: &mut Thread, (array, offset): (Array, u64), bytes: u64, value: u64) {
        let index = at(array.as_u32());
        let place = self.code.arrays[index];
        let count = usize::try_from(bytes).expect("at most 8");
        let start = || usize::try_from(offset).expect("inside");
        if self.changes.is_some() && place.space != Space::Private {
            return self.compare_with_memory(thread, (array, offset), bytes, value);
        }
        if let Some(tally) = &mut self.tally {
            let group = (place.space == Space::Local).then_some(self.group_number);
            tally.set(group, array, offset);
        }
        match place.space {
            Space::Private => {
                let start = start() + within(place.private);
                memory::write(&mut thread.private[start..start + count], value);
            }
            Space::Local => {
                let (local, cells) = (&mut self.local[index], start()..start() + count);
                memory::write(&mut local.bytes[cells.clone()], value);
                local.written[cells].fill(true);
            }
            Space::Global | Space::Constant | Space::Generic => self.regions[index].store(offset, count, value),
        }
    }

    /// Records whether a write would change memory that must stay unchanged.
    fn compare_with_memory(&mut self, thread: &Thread, place: (Array, u64), bytes: u64, value: u64) {
        let low = u64::MAX >> (64 - 8 * bytes);
        let is_same = self.read(thread, place, bytes) == value & low;
        self.changes = self.changes.map(|changes| changes || !is_same);
    }

    fn load(
        &mut self,
        thread: &mut Thread,
        bits: u16,
        to: Register,
        pointer: Register,
        (alignment, needs): (u8, Needs),
        here: Position,
    ) {
        let bytes = u64::from(bits.div_ceil(8));
        let place = self.place(thread, pointer, bytes, alignment, false, here);
        let ordering = self.code.volatile_order(here);
        let is_strong = bytes <= 8 && self.code.is_volatile(here);
        let strong = place.filter(|_| is_strong);
        let older = strong.and_then(|place| self.older(thread, (place, bytes), ordering, true, here));
        if let Some(place) = place {
            self.watch_read(thread, place, bytes, here);
            self.check_written(thread, place, bytes, needs, here);
        }
        self.load_from(thread, bits, to, place);
        if let Some(older) = older {
            thread.set(to, older.value & mask(u8::try_from(bits.min(64)).expect("at most 64")));
            self.end_older(older);
        }
    }

    /// Reads from a place, or gives zeros if there is none.
    pub(super) fn load_from(&mut self, thread: &mut Thread, bits: u16, to: Register, place: Option<(Array, u64)>) {
        let bytes = u64::from(bits.div_ceil(8));
        for word in 0..u32::from(bits.div_ceil(64)) {
            let before = u64::from(word) * 8;
            let count = (bytes - before).min(8);
            let left = u8::try_from((u32::from(bits) - 64 * word).min(64)).expect("at most 64");
            let value = place.map_or(0, |(array, offset)| self.read(thread, (array, offset + before), count));
            thread.set(to + word, value & mask(left));
        }
    }

    /// Checks that local memory has been written before it is read, as far as the load requires it.
    fn check_written(
        &mut self,
        thread: &Thread,
        (array, offset): (Array, u64),
        bytes: u64,
        needs: Needs,
        here: Position,
    ) {
        if self.code.arrays[at(array.as_u32())].space == Space::Local {
            let written = &self.local[at(array.as_u32())].written[within(offset)..within(offset + bytes)];
            let enough = match needs {
                Needs::Everything => written.iter().all(|written| *written),
                Needs::Something => written.contains(&true),
                Needs::Nothing => true,
            };
            if !enough {
                self.wrong(thread, Wrong::Unwritten { array, offset }, here);
            }
        }
    }

    fn store(
        &mut self,
        thread: &mut Thread,
        bits: u16,
        value: Register,
        pointer: Register,
        alignment: u8,
        here: Position,
    ) {
        let bytes = u64::from(bits.div_ceil(8));
        if let Some(place) = self.place(thread, pointer, bytes, alignment, true, here) {
            self.store_at(thread, bits, value, place, here);
        }
    }

    /// Writes to a place.
    pub(super) fn store_at(
        &mut self,
        thread: &mut Thread,
        bits: u16,
        value: Register,
        (array, offset): (Array, u64),
        here: Position,
    ) {
        let bytes = u64::from(bits.div_ceil(8));
        if self.watch.is_some() {
            let words = value..value + u32::from(bits.div_ceil(64));
            let written: Vec<u8> = words.flat_map(|register| thread.get(register).to_le_bytes()).collect();
            self.watch_write(thread, (array, offset), &written[..within(bytes)], here);
        }
        for word in 0..u32::from(bits.div_ceil(64)) {
            let before = u64::from(word) * 8;
            let value = thread.get(value + word);
            self.write(thread, (array, offset + before), (bytes - before).min(8), value);
        }
    }

    fn copy(&mut self, thread: &mut Thread, copy: Copy, here: Position) {
        let bytes = thread.get(copy.bytes);
        if bytes == 0 {
            return;
        }
        let from = self.place(thread, copy.from, bytes, 1, false, here);
        let to = self.place(thread, copy.to, bytes, 1, true, here);
        let (Some((from, source)), Some((to, target))) = (from, to) else { return };
        if !self.pays_for(thread, bytes, here) {
            return;
        }
        if self.watch.is_some() {
            let written: Vec<u8> = (source..source + bytes).map(|byte| self.byte(thread, (from, byte))).collect();
            self.watch_read(thread, (from, source), bytes, here);
            self.watch_write(thread, (to, target), &written, here);
        }
        // If the two overlap, bytes must be read before they are overwritten.
        let backwards = from == to && target > source;
        for byte in 0..bytes {
            let byte = if backwards { bytes - 1 - byte } else { byte };
            let value = self.read(thread, (from, source + byte), 1);
            self.write(thread, (to, target + byte), 1, value);
        }
    }

    /// Charges steps for a number of bytes, eight per step; returns whether there were enough.
    ///
    /// If not, the thread stays where it is.
    fn pays_for(&mut self, thread: &mut Thread, bytes: u64, here: Position) -> bool {
        let left = self.steps.checked_sub(bytes / 8);
        if left.is_none() {
            thread.at = here;
        }
        self.steps = left.unwrap_or(0);
        left.is_some()
    }

    fn fill(&mut self, thread: &mut Thread, pointer: Register, value: Register, bytes: Register, here: Position) {
        let (bytes, value) = (thread.get(bytes), thread.get(value));
        if bytes == 0 {
            return;
        }
        let Some((array, offset)) = self.place(thread, pointer, bytes, 1, true, here) else { return };
        if !self.pays_for(thread, bytes, here) {
            return;
        }
        if self.watch.is_some() {
            let byte = value.to_le_bytes()[0];
            self.watch_write(thread, (array, offset), &vec![byte; within(bytes)], here);
        }
        for byte in 0..bytes {
            self.write(thread, (array, offset + byte), 1, value);
        }
    }

    pub(super) fn byte(&mut self, thread: &Thread, place: (Array, u64)) -> u8 {
        self.read(thread, place, 1).to_le_bytes()[0]
    }

    fn atomic(&mut self, thread: &mut Thread, atomic: &AtomicStep, here: Position) {
        let bytes = u64::from(atomic.bits.div_ceil(8));
        let writes = atomic.op != AtomicOp::Load;
        let alignment = u8::try_from(bytes).expect("at most 8");
        let Some(place) = self.place(thread, atomic.pointer, bytes, alignment, writes, here) else {
            return atomic.to.into_iter().for_each(|to| thread.set(to, 0));
        };
        // The result of an exchange may be unused.
        if !matches!(atomic.op, AtomicOp::Store | AtomicOp::Exchange) {
            self.check_written(thread, place, bytes, Needs::Everything, here);
        }
        let is_load = atomic.op == AtomicOp::Load;
        let reads = races::reads(atomic.op);
        let older = reads.then(|| self.older(thread, (place, bytes), atomic.ordering, is_load, here)).flatten();
        let old = older.as_ref().map_or_else(|| self.read(thread, place, bytes), |older| older.value);
        let operands: Vec<u64> = atomic.operands.iter().map(|&operand| thread.get(operand)).collect();
        let new = updated(atomic, old, &operands);
        self.watch_atomic(thread, place, atomic, (old, new), here);
        if let Some(older) = older {
            self.end_older(older);
        }
        if let Some(new) = new {
            let tally = self.tally.take();
            self.write(thread, place, bytes, new);
            self.tally = tally;
        }
        if let Some(tally) = self.tally.as_mut().filter(|_| writes) {
            let is_local = self.code.arrays[at(place.0.as_u32())].space == Space::Local;
            tally.draw(is_local.then_some(self.group_number), place.0, place.1);
        }
        if let Some(to) = atomic.to {
            thread.set(to, old);
        }
    }
}

/// The value that an atomic operation writes; `None` if it writes nothing.
fn updated(atomic: &AtomicStep, old: u64, operands: &[u64]) -> Option<u64> {
    use lockstep_ir::kernel::FloatOp;
    let width = atomic.bits;
    let operand = operands.first().copied();
    let value = operand.unwrap_or(0);
    let float = |op: FloatOp| match atomic.ty {
        Type::Float(ty) => floats::operate(op, ty, old, value),
        Type::Bool | Type::Bits(_) | Type::Pointer(_) => old,
    };
    let number = |pattern: u64| match atomic.ty {
        Type::Float(ty) => floats::number(ty, pattern),
        Type::Bool | Type::Bits(_) | Type::Pointer(_) => 0.0,
    };
    let new = match atomic.op {
        AtomicOp::Load => return None,
        AtomicOp::Store | AtomicOp::Exchange => value,
        AtomicOp::CompareExchange => {
            let desired = operands.get(1).copied().unwrap_or(0);
            return (old == value).then_some(desired);
        }
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::Subtract => old.wrapping_sub(value),
        AtomicOp::Increment => match operand {
            Some(bound) => {
                if old >= bound {
                    0
                } else {
                    old + 1
                }
            }
            None => old.wrapping_add(1),
        },
        AtomicOp::Decrement => match operand {
            Some(bound) => {
                if old == 0 || old > bound {
                    bound
                } else {
                    old - 1
                }
            }
            None => old.wrapping_sub(1),
        },
        AtomicOp::SignedMin => {
            if signed(width, old) <= signed(width, value) {
                old
            } else {
                value
            }
        }
        AtomicOp::SignedMax => {
            if signed(width, old) >= signed(width, value) {
                old
            } else {
                value
            }
        }
        AtomicOp::UnsignedMin => old.min(value),
        AtomicOp::UnsignedMax => old.max(value),
        AtomicOp::And => old & value,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::FloatAdd => float(FloatOp::Add),
        AtomicOp::FloatSubtract => float(FloatOp::Subtract),
        // If one operand is NaN, the result is the other one.
        AtomicOp::FloatMin => {
            if number(value) < number(old) || number(old).is_nan() {
                value
            } else {
                old
            }
        }
        AtomicOp::FloatMax => {
            if number(value) > number(old) || number(old).is_nan() {
                value
            } else {
                old
            }
        }
    };
    Some(new & mask(width))
}
