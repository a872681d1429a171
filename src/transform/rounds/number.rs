//! Values that hold how many operations each thread has executed on each ring.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::cfg;
use lockstep_ir::kernel::transform::{Carried, Place, carry, prune};
use lockstep_ir::kernel::{
    Array, BinaryOp, Block, Builder, CompareOp, ConvertOp, Instruction, Kernel, Operation, Space, Terminator, Type,
    Value,
};

use super::operation::{Synchronisation, initialisations, operations};
use super::{Barriers, Ring, RingIndex, Rounds};
use crate::analysis::accesses::for_each_access;
use crate::analysis::pointers::{PointsTo, points_to};

/// The width of the numbers of barriers in their rings.
pub const TURN_WIDTH: u32 = 32;

/// The bits of a token.
const TOKEN_BITS: u32 = 64;

/// The bits of a token that are the number of its round, which is far from wrapping.
const ROUND_BITS: u32 = 52;

/// The most rings that tokens tell apart.
pub const MOST_RINGS: usize = 1 << (TOKEN_BITS - ROUND_BITS);

/// The token of the first round of a ring. No token of another ring's objects is the same.
pub fn first_token(ring: RingIndex) -> u64 {
    u64::try_from(ring).unwrap_or(u64::MAX) << ROUND_BITS
}

/// The positions of a ring's numbers among those that [`Operation::Counted`] lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The operations that the thread has executed.
    pub executed: usize,
    /// The rounds that are known to be complete. The same, where all wait. For phase objects the
    /// waits that the thread has executed.
    pub complete: usize,
    /// The distance of the next operation's barrier from the ring's first; `None` if it is 0.
    pub turn: Option<usize>,
    /// More about phase objects.
    pub phases: Option<PhaseNumbers>,
}

/// More numbers of a ring of phase objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseNumbers {
    /// The objects that the thread has initialised.
    pub made: usize,
    /// The distance of the object from the first that the thread waits for next; `None` if it is 0.
    pub turn: Option<usize>,
    /// The parity of the phase that it waits for next.
    pub parity: usize,
}

impl Rounds {
    /// The positions of each ring's numbers.
    pub fn numbers(&self) -> Vec<Numbers> {
        let mut next = 0;
        let mut position = || {
            next += 1;
            next - 1
        };
        // A thread is of one warp, so it needs one number for all of these.
        let mut of_warps = BTreeMap::new();
        let of_ring = |ring: &Ring| {
            if let Barriers::Warp { orders, .. } = ring.barriers {
                let executed = *of_warps.entry(orders).or_insert_with(&mut position);
                return Numbers { executed, complete: executed, turn: None, phases: None };
            }
            let executed = position();
            let complete = if ring.all_wait { executed } else { position() };
            let turn = (ring.size > 1).then(&mut position);
            let phases = ring.objects.map(|_| PhaseNumbers {
                made: position(),
                parity: position(),
                turn: (ring.size > 1).then(&mut position),
            });
            Numbers { executed, complete, turn, phases }
        };
        self.rings.iter().map(of_ring).collect()
    }

    /// The numbers that each thread carries along, in the order of [`Self::numbers`].
    fn carried(&self, kernel: &Kernel) -> Vec<Carried> {
        let bits = kernel.pointer_bits;
        let mut carried = Vec::new();
        for (ring, number) in self.rings.iter().zip(self.numbers()) {
            if number.executed < carried.len() {
                continue;
            }
            let name = match ring.barriers {
                Barriers::Group => "group".to_owned(),
                Barriers::Warp { orders: true, .. } => "warp".to_owned(),
                Barriers::Warp { orders: false, .. } => "exchange".to_owned(),
                Barriers::Numbers { first } if ring.size == 1 => format!("barrier{first}"),
                Barriers::Numbers { first } => format!("barriers{first}to{}", first + ring.size - 1),
                Barriers::Objects { array, first, .. } => format!("{}.{first}", kernel.arrays[array].name),
            };
            let mut add = |what: &str, width: u32, initial: u64| {
                carried.push(Carried { name: format!("{name}.{what}"), initial: Bits::new(width, initial) });
            };
            add("executed", bits, 0);
            if number.complete != number.executed {
                add(if ring.objects.is_some() { "awaited" } else { "complete" }, bits, 0);
            }
            if number.turn.is_some() {
                add("turn", TURN_WIDTH, ring.start);
            }
            if let Some(objects) = ring.objects {
                add("made", bits, 0);
                // The first wait is for round `-before`.
                add("parity", TURN_WIDTH, u64::from(objects.before > 0));
                if ring.size > 1 {
                    add("awaits", TURN_WIDTH, (ring.size - objects.before % ring.size) % ring.size);
                }
            }
        }
        carried
    }

    /// The kernel with the numbers, and with [`Operation::Counted`] where they are needed: before
    /// the first access of each block, at the heads of loops, and behind operations on barriers.
    pub fn number(&self, kernel: Kernel) -> Kernel {
        // The numbering of instructions stays from here on.
        let kernel = prune(kernel);
        let numbers = self.numbers();
        let operations: BTreeMap<Instruction, usize> =
            operations(&kernel, self.warp_size).into_keys().zip(0..).collect();
        let made = initialisations(&kernel);
        let carried = self.carried(&kernel);
        let arrays = arrays_of_objects(&kernel).expect("the plan is for objects that are each in one array");
        let analysed = cfg::analyse(&kernel);
        let headers: BTreeSet<Block> =
            kernel.blocks.keys().filter(|&block| analysed.loops.with_header(block).is_some()).collect();
        let mut counted = None;
        let mut tokens = BTreeMap::new();
        let mut kernel = carry(kernel, &carried, |kernel, block, place, current| match place {
            Place::Begin => {
                if headers.contains(&block) {
                    kernel.append_effect(block, Operation::Counted(current.to_vec()), None);
                    counted = Some(block);
                }
            }
            Place::At(instruction) => {
                let uses = !kernel.instructions[instruction].operation.is_computation();
                if uses && counted.replace(block) != Some(block) {
                    kernel.append_effect(block, Operation::Counted(current.to_vec()), None);
                }
                let data = kernel.instructions[instruction].clone();
                let mut appender = Builder { kernel, block, location: data.location };
                let array = arrays.get(&instruction);
                let offset = array.and_then(|&array| offset_of_object(&mut appender, &data.operation, array));
                if let Some(offset) = offset {
                    let with_offset = current.iter().copied().chain([offset]).collect();
                    appender.kernel.append_effect(block, Operation::Counted(with_offset), None);
                }
                appender.kernel.blocks[block].instructions.push(instruction);
                if let (Some(offset), Some(&position)) = (offset, made.get(&instruction)) {
                    self.count_made(&mut appender, position, &numbers, offset, current);
                }
                if let Some(&operation) = operations.get(&instruction) {
                    if let (Synchronisation::Arrive { .. }, Some(token)) = (self.operations[operation], data.result) {
                        tokens.insert(token, self.token(&mut appender, operation, &numbers, offset, current));
                    }
                    // The rings of warps share a number.
                    let is_of_warps = matches!(self.operations[operation], Synchronisation::Warp { .. });
                    let all = self.sites[operation].keys().take(if is_of_warps { 1 } else { usize::MAX });
                    for &ring in all {
                        self.count(&mut appender, (operation, ring), numbers[ring], offset, current);
                    }
                }
                if operations.contains_key(&instruction) || offset.is_some() {
                    kernel.append_effect(block, Operation::Counted(current.to_vec()), None);
                }
            }
            Place::End => {
                if matches!(kernel.blocks[block].terminator, Terminator::Return | Terminator::Trap) {
                    kernel.append_effect(block, Operation::Counted(current.to_vec()), None);
                }
            }
        });
        let replace = |value: &mut Value| *value = tokens.get(value).copied().unwrap_or(*value);
        kernel.instructions.values_mut().for_each(|data| data.operation.for_each_operand_mut(replace));
        kernel.blocks.values_mut().for_each(|data| data.terminator.for_each_operand_mut(replace));
        kernel
    }

    /// The token of an arrival: the number of its round, and in the upper bits that of its ring.
    fn token(
        &self,
        appender: &mut Builder<'_>,
        operation: usize,
        numbers: &[Numbers],
        offset: Option<Value>,
        current: &[Value],
    ) -> Value {
        let mut token = appender.number(TOKEN_BITS, 0);
        for &ring in self.sites[operation].keys() {
            let executed = token_of(appender, current[numbers[ring].executed], ring);
            token = match offset {
                Some(offset) if self.sites[operation].len() > 1 => {
                    let is_here = is_among(appender, offset, &self.rings[ring]);
                    appender.select(is_here, executed, token)
                }
                _ => executed,
            };
        }
        token
    }

    /// Counts an operation on a ring. `offset` is that of its phase object.
    fn count(
        &self,
        appender: &mut Builder<'_>,
        (operation, ring): (usize, RingIndex),
        number: Numbers,
        offset: Option<Value>,
        current: &mut [Value],
    ) {
        let (data, rings) = (&self.rings[ring], &self.sites[operation]);
        let synchronisation = self.operations[operation];
        // An operation that is on this ring for some threads only tells by its barrier.
        let number_or_offset = match synchronisation {
            Synchronisation::Barrier { number, .. } => number,
            Synchronisation::Arrive { .. } | Synchronisation::Await { .. } => offset,
            Synchronisation::Warp { .. } => None,
        };
        let is_here = number_or_offset.filter(|_| rings.len() > 1).map(|at| is_among(appender, at, data));
        let mut next = Vec::new();
        if synchronisation.arrives() {
            let executed = one_more(appender, current[number.executed]);
            next.extend(number.turn.map(|turn| (turn, next_turn(appender, current[turn], data.size))));
            if synchronisation.waits() && number.complete != number.executed {
                next.push((number.complete, executed));
            }
            next.push((number.executed, executed));
        } else if let Some(phases) = number.phases {
            next.push((number.complete, one_more(appender, current[number.complete])));
            let turn = phases.turn.map(|turn| current[turn]);
            next.push((phases.parity, next_parity(appender, current[phases.parity], turn, data.size)));
            next.extend(phases.turn.map(|turn| (turn, next_turn(appender, current[turn], data.size))));
        }
        for (position, value) in next {
            current[position] = match is_here {
                Some(is_here) => appender.select(is_here, value, current[position]),
                None => value,
            };
        }
    }

    /// Counts an initialisation of a phase object.
    fn count_made(
        &self,
        appender: &mut Builder<'_>,
        initialisation: usize,
        numbers: &[Numbers],
        offset: Value,
        current: &mut [Value],
    ) {
        let Some(rings) = self.initialised.get(initialisation) else { return };
        for &ring in rings {
            let Some(phases) = numbers[ring].phases else { continue };
            let more = one_more(appender, current[phases.made]);
            current[phases.made] = if rings.len() > 1 {
                let is_here = is_among(appender, offset, &self.rings[ring]);
                appender.select(is_here, more, current[phases.made])
            } else {
                more
            };
        }
    }
}

/// The arrays of the phase objects, by operation.
///
/// The error is an operation whose object may be in several arrays, in memory that is not shared by
/// the threads of a group alone, or in an array to which there may be other accesses: these could
/// destroy it.
pub fn arrays_of_objects(kernel: &Kernel) -> Result<BTreeMap<Instruction, Array>, Instruction> {
    let targets = points_to(kernel);
    let accessed = accessed(kernel, &targets);
    let mut found = BTreeMap::new();
    for (instruction, data) in &kernel.instructions {
        let Operation::Phase { object, .. } = &data.operation else { continue };
        let of_object = &targets[*object];
        let array = of_object.arrays.first().copied().filter(|_| of_object.arrays.len() == 1);
        let is_its_own = |array: &Array| kernel.arrays[*array].space == Space::Local && !accessed.contains(array);
        match array.filter(is_its_own) {
            Some(array) if !of_object.unknown && !of_object.elsewhere => found.insert(instruction, array),
            _ => return Err(instruction),
        };
    }
    Ok(found)
}

/// The arrays to which there may be accesses.
fn accessed(kernel: &Kernel, targets: &PointsTo) -> BTreeSet<Array> {
    let mut found = BTreeSet::new();
    for data in kernel.instructions.values() {
        for_each_access(kernel, &data.operation, data.result, |access| {
            let of_access = &targets[access.pointer];
            found.extend(&of_access.arrays);
            if of_access.unknown || of_access.elsewhere {
                found.extend(kernel.arrays.keys());
            }
        });
    }
    found
}

fn like(code: &mut Builder<'_>, value: Value, number: u64) -> Value {
    let width = code.kernel.ty(value).width().unwrap_or(TURN_WIDTH);
    code.number(width, number)
}

fn one_more(code: &mut Builder<'_>, value: Value) -> Value {
    let one = like(code, value, 1);
    code.binary(BinaryOp::Add, value, one)
}

/// The token of a round, computed here: the value of a number that is carried is known only
/// behind the walk.
fn token_of(code: &mut Builder<'_>, round: Value, ring: RingIndex) -> Value {
    let round = code.convert(ConvertOp::ZeroExtend, round, Type::Bits(TOKEN_BITS));
    let first = code.number(TOKEN_BITS, first_token(ring));
    code.binary(BinaryOp::Add, round, first)
}

/// The number after `turn` of numbers below `size` that are taken in turn.
fn next_turn(code: &mut Builder<'_>, turn: Value, size: u64) -> Value {
    let last = like(code, turn, size - 1);
    let is_last = code.compare(CompareOp::Equal, turn, last);
    let (more, zero) = (one_more(code, turn), like(code, turn, 0));
    code.select(is_last, zero, more)
}

/// The parity after that of `turn`, which flips behind the last.
fn next_parity(code: &mut Builder<'_>, parity: Value, turn: Option<Value>, size: u64) -> Value {
    let one = like(code, parity, 1);
    let flipped = code.binary(BinaryOp::Xor, parity, one);
    let Some(turn) = turn else { return flipped };
    let last = like(code, turn, size - 1);
    let is_last = code.compare(CompareOp::Equal, turn, last);
    code.select(is_last, flipped, parity)
}

/// Whether the barrier with this number, or at this offset, is one of the ring.
fn is_among(code: &mut Builder<'_>, at: Value, ring: &Ring) -> Value {
    let (first, size) = match ring.barriers {
        Barriers::Group | Barriers::Warp { .. } => (0, 0),
        Barriers::Numbers { first } => (first, ring.size),
        Barriers::Objects { first, stride, .. } => (first, ring.size * stride),
    };
    let (first, size) = (like(code, at, first), like(code, at, size));
    let distance = code.binary(BinaryOp::Subtract, at, first);
    code.compare(CompareOp::UnsignedLess, distance, size)
}

/// The offset of the operation's phase object.
fn offset_of_object(code: &mut Builder<'_>, operation: &Operation, array: Array) -> Option<Value> {
    let Operation::Phase { object, .. } = operation else { return None };
    let base = code.append(Operation::ArrayBase(array), Type::Pointer(code.kernel.arrays[array].space));
    Some(code.append(Operation::PointerDifference(*object, base), code.kernel.offset_type()))
}
