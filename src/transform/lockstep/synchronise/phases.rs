//! Phase objects (`mbarrier`), as [`crate::rounds`] plans their proof.
//!
//! An operation asserts what the plan needs of an arbitrary thread, and has no effect on hits, as
//! one on a barrier with a number ([`super::named`]). The objects are inside of arrays to which
//! there is no other access, at multiples of their size. So nothing else changes them, and they
//! race with nothing: the rules order the one initialisation before all uses. The last of the
//! numbers that precede an operation is the object's offset.

use lockstep_ir::kernel::{Array, Block, Instruction, Operation, PhaseOp, SpaceSet, Value};
use lockstep_ir::sequential::{BarrierRule, CompareOp, Expression, ObligationKind, Pair, Variable};

use super::Fences;
use super::named::Here;
use crate::lockstep::{Lowering, Unsupported};
use crate::rounds::number::{PhaseNumbers, first_token};
use crate::rounds::{Barriers, Maker, Objects, RingIndex, Synchronisation};

impl Lowering<'_> {
    /// An operation on a phase object.
    pub fn phase(&mut self, block: Block, instruction: Instruction, op: PhaseOp) -> Result<(), Unsupported> {
        if matches!(op, PhaseOp::Test | PhaseOp::TestParity | PhaseOp::ArriveOnCopy) {
            return self.unsupported("operation on an mbarrier that is no arrival and no wait");
        }
        let fences = Fences { spaces: SpaceSet::ALL, flags: None };
        if self.options.one_thread {
            self.see_what_others_wrote(block, fences);
        }
        self.next_epoch();
        if self.planned().is_some() {
            self.state_phase_rules(block, instruction);
        }
        self.sites.end_stretch();
        if matches!(op, PhaseOp::Wait | PhaseOp::WaitParity) && self.pair != Pair::Alone {
            self.renew_own_copies(block, fences);
        }
        Ok(())
    }

    fn state_phase_rules(&mut self, block: Block, instruction: Instruction) {
        let Operation::Phase { object, ref operands, .. } = self.kernel.instructions[instruction].operation else {
            return;
        };
        let active = self.active(block, 0);
        let offset = self.offset_of_object(0);
        let Some(synchronisation) = Synchronisation::of(&self.kernel.instructions[instruction].operation) else {
            let count = operands[0];
            return self.state_initialisation((active, instruction), object, offset, count);
        };
        let operation = self.plan().operations[&instruction];
        let rings: Vec<RingIndex> = self.plan().rounds.sites[operation].keys().copied().collect();
        let mut any = Vec::new();
        for ring in rings {
            let on_ring = self.is_object_of(ring, offset);
            any.push(on_ring);
            let condition = self.e().and([active, on_ring]);
            let here = Here { operation, condition, ring };
            self.state_participants(&here);
            self.state_initialised(&here);
            match synchronisation {
                Synchronisation::Arrive { count, .. } => self.state_arrival(&here, offset, count),
                Synchronisation::Await { operand, by_parity, .. } => {
                    self.state_wait(&here, offset, (operand, by_parity));
                }
                Synchronisation::Barrier { .. } | Synchronisation::Warp { .. } => {}
            }
        }
        let any = self.e().or(any);
        let good = self.e().implies(active, any);
        self.assert(good, ObligationKind::NamedBarrier(BarrierRule::Number));
    }

    /// The offset of the phase object that the next operation accesses.
    fn offset_of_object(&self, thread: usize) -> Expression {
        let numbers = self.rounds_here.as_ref().expect("the offset comes before the operation");
        self.scalar(*numbers.last().expect("the offset is the last number"), thread)
    }

    fn number(&mut self, number: u64) -> Expression {
        self.program.expressions.number(self.kernel.pointer_bits, number)
    }

    /// Whether the phase object at an offset of the ring's array is one of the ring.
    fn is_object_of(&mut self, ring: RingIndex, offset: Expression) -> Expression {
        let data = &self.plan().rounds.rings[ring];
        let Barriers::Objects { first, stride, .. } = data.barriers else { return self.e().boolean(false) };
        let bytes = data.size.saturating_mul(stride);
        let (first, bytes) = (self.number(first), self.number(bytes));
        let distance = self.e().subtract(offset, first);
        self.e().compare(CompareOp::UnsignedLess, distance, bytes)
    }

    /// The rings of phase objects, with what is known of them.
    fn rings_of_objects(&self) -> Vec<(RingIndex, Objects, PhaseNumbers, Array)> {
        let planned = self.plan();
        let rings = planned.rounds.rings.iter().zip(&planned.numbers).enumerate();
        rings
            .filter_map(|(ring, (data, numbers))| {
                let Barriers::Objects { array, .. } = data.barriers else { return None };
                Some((ring, data.objects?, numbers.phases?, array))
            })
            .collect()
    }

    /// The operations that a thread has executed on the barrier of the whole group, all of which
    /// are complete.
    fn group_rounds(&self, thread: usize) -> Option<Expression> {
        let ring = self.plan().rounds.rings.iter().position(|ring| ring.barriers == Barriers::Group)?;
        Some(self.executed(ring, thread))
    }

    /// States that the object of ring number `turn` is the one at this offset.
    fn state_object(&mut self, here: &Here, offset: Expression, turn: Option<usize>) {
        let turn = turn.map(|turn| {
            let turn = self.counted(turn, 0);
            self.resized(turn)
        });
        self.state_object_at(here, offset, turn);
    }

    /// States that the object at this offset has this position in the ring, 0 if there is none.
    fn state_object_at(&mut self, here: &Here, offset: Expression, position: Option<Expression>) {
        let planned = self.plan();
        let Barriers::Objects { first, stride, .. } = planned.rounds.rings[here.ring].barriers else { return };
        if planned.rounds.disordered.contains(&here.ring) {
            let never = self.e().boolean(false);
            return self.require(here, never, BarrierRule::Number);
        }
        let mut place = self.number(first);
        if let Some(position) = position {
            let stride = self.number(stride);
            let distance = self.e().multiply(position, stride);
            place = self.e().add(place, distance);
        }
        let good = self.e().equal(offset, place);
        self.require(here, good, BarrierRule::Number);
    }

    fn resized(&mut self, value: Expression) -> Expression {
        let bits = self.kernel.pointer_bits;
        match self.e().width(value) {
            width if width < bits => self.e().zero_extend(bits, value),
            width if width > bits => self.e().extract(bits - 1, 0, value),
            _ => value,
        }
    }

    // --- Initialisation --------------------------------------------------------------------------

    /// States that the ring's one thread initialises its objects in turn, for as many arrivals as
    /// there are, before the first barrier of the whole group.
    ///
    /// The object is of a ring whose number is counted here. An initialisation that small launches
    /// do not come to is never executed.
    fn state_initialisation(
        &mut self,
        (active, instruction): (Expression, Instruction),
        object: Value,
        offset: Expression,
        count: Value,
    ) {
        let of_object = self.facts.points_to[object].arrays.clone();
        let planned = self.plan();
        let counted = planned.rounds.initialised[planned.initialisations[&instruction]].clone();
        let mut any = Vec::new();
        for (ring, objects, numbers, array) in self.rings_of_objects() {
            if !of_object.contains(&array) || !counted.contains(&ring) {
                continue;
            }
            let on_ring = self.is_object_of(ring, offset);
            any.push(on_ring);
            let condition = self.e().and([active, on_ring]);
            // The operation is none of the plan's, which no rule that is stated here looks at.
            let here = Here { operation: usize::MAX, condition, ring };
            self.state_maker(&here, offset, objects.maker, numbers.made);
            let arrivals = self.plan().rounds.rings[ring].count;
            self.state_object_count(&here, Some(count), arrivals);
            let none = self.number(0);
            let is_early = match self.group_rounds(0) {
                Some(rounds) => self.e().equal(rounds, none),
                None => self.e().boolean(false),
            };
            self.require(&here, is_early, BarrierRule::Initialised);
        }
        let good = self.e().or(any);
        let good = self.e().implies(active, good);
        self.assert(good, ObligationKind::NamedBarrier(BarrierRule::Initialised));
    }

    /// Whether thread 1 initialises objects of a ring.
    fn makes(&mut self, ring: RingIndex, maker: Maker) -> Expression {
        let range = match maker {
            Maker::One(thread) => thread..thread + 1,
            Maker::Each(first) => first..first + self.plan().rounds.rings[ring].size,
        };
        self.threads.in_ranges(&mut self.program.expressions, 0, vec![range])
    }

    /// States that the thread is one that initialises objects of the ring, and that the object at
    /// this offset is its next one.
    fn state_maker(&mut self, here: &Here, offset: Expression, maker: Maker, made: usize) {
        let makes = self.makes(here.ring, maker);
        self.require(here, makes, BarrierRule::Initialised);
        let Maker::Each(first) = maker else { return self.state_object(here, offset, Some(made)) };
        let made = self.counted(made, 0);
        let none = self.number(0);
        let is_first = self.e().equal(made, none);
        self.require(here, is_first, BarrierRule::Initialised);
        let thread = self.threads.linear(&mut self.program.expressions, 0);
        let thread = self.resized(thread);
        let first = self.number(first);
        let position = self.e().subtract(thread, first);
        self.state_object_at(here, offset, Some(position));
    }

    /// States at the first barrier of the whole group that the objects are initialised.
    pub fn state_all_initialised(&mut self, active: Expression) {
        for (ring, objects, numbers, _) in self.rings_of_objects() {
            let Some(rounds) = self.group_rounds(0) else { return };
            let none = self.number(0);
            let is_first = self.e().equal(rounds, none);
            let makes = self.makes(ring, objects.maker);
            let condition = self.e().and([active, is_first, makes]);
            let here = Here { operation: usize::MAX, condition, ring };
            let made = self.counted(numbers.made, 0);
            let size = self.plan().rounds.rings[ring].size;
            let all = self.number(if matches!(objects.maker, Maker::One(_)) { size } else { 1 });
            let good = self.e().equal(made, all);
            self.require(&here, good, BarrierRule::Initialised);
        }
    }

    /// States that a barrier of the whole group lies between here and the initialisation.
    fn state_initialised(&mut self, here: &Here) {
        let good = match self.group_rounds(0) {
            Some(rounds) => {
                let none = self.number(0);
                let is_first = self.e().equal(rounds, none);
                self.e().not(is_first)
            }
            None => self.e().boolean(false),
        };
        self.require(here, good, BarrierRule::Initialised);
    }

    /// States that a count, 1 if none is given, is the expected one.
    fn state_object_count(&mut self, here: &Here, count: Option<Value>, expected: u64) {
        let good = if self.plan().rounds.miscounted.contains(&here.ring) {
            self.e().boolean(false)
        } else if let Some(count) = count {
            let count = self.scalar(count, 0);
            let width = self.e().width(count);
            let expected = self.e().number(width, expected);
            self.e().equal(count, expected)
        } else {
            self.e().boolean(expected == 1)
        };
        self.require(here, good, BarrierRule::Count);
    }

    // --- Arrivals and waits ----------------------------------------------------------------------

    fn state_arrival(&mut self, here: &Here, offset: Expression, count: Option<Value>) {
        let planned = self.plan();
        self.state_object(here, offset, planned.numbers[here.ring].turn);
        let weight = planned.rounds.rings[here.ring].objects.map_or(0, |objects| objects.weight);
        self.state_object_count(here, count, weight);
        self.state_recycling(here);
        self.state_order(here);
        if let Some(rounds) = planned.rounds.rings[here.ring].objects.and_then(|objects| objects.rounds) {
            let executed = self.executed(here.ring, 0);
            let rounds = self.number(rounds);
            let good = self.e().compare(CompareOp::UnsignedLess, executed, rounds);
            self.require(here, good, BarrierRule::Order);
        }
    }

    fn state_wait(&mut self, here: &Here, offset: Expression, (operand, by_parity): (Value, bool)) {
        let planned = self.plan();
        let Some(numbers) = planned.numbers[here.ring].phases else { return };
        self.state_object(here, offset, numbers.turn);
        let operand = self.scalar(operand, 0);
        let good = if by_parity {
            let parity = self.counted(numbers.parity, 0);
            // Only 0 and 1 are parities.
            let [operand, parity] = [operand, parity].map(|value| self.resized(value));
            self.e().equal(operand, parity)
        } else {
            let width = self.e().width(operand);
            let bits = self.kernel.pointer_bits;
            let awaited = self.awaited(here.ring, 0);
            let awaited = if width > bits { self.e().zero_extend(width, awaited) } else { awaited };
            let first = self.e().number(width, first_token(here.ring));
            let token = self.e().add(first, awaited);
            self.e().equal(operand, token)
        };
        self.require(here, good, BarrierRule::Number);
        self.state_parity(here);
        let waits = self.waits_at_all(here.ring, 0);
        if !planned.rounds.waited.contains(&(here.operation, here.ring)) {
            let good = self.e().not(waits);
            return self.require(here, good, BarrierRule::Order);
        }
        let condition = self.e().and([here.condition, waits]);
        self.state_progress(&Here { condition, ..*here });
    }

    /// States that no phase is complete that the thread would take for the one before the phase
    /// that it waits for: a phase of the same parity that is later by two.
    ///
    /// There is none behind the last round. Else suppose that it is complete. Then so are rounds of
    /// each ring with a `K`; but one of them needs the thread's next arrival.
    fn state_parity(&mut self, here: &Here) {
        let planned = self.plan();
        let rings = &planned.rounds.rings;
        let (size, before) = (rings[here.ring].size, rings[here.ring].objects.map_or(0, |objects| objects.before));
        let waits = self.counted(planned.numbers[here.ring].complete, 0);
        let mut good = Vec::new();
        for ring in 0..rings.len() {
            let Some(known) = planned.rounds.known[ring][here.ring] else { continue };
            let [size, before] = [size, before].map(|number| i64::try_from(number).unwrap_or(i64::from(u16::MAX)));
            // The round that is later by two phases has the number `waits - before + size`. If it
            // is complete, so are `waits - before + size + 1 + known` rounds of the other ring.
            let executed = self.executed(ring, 0);
            let lacks = self.at_least(waits, executed, before - size - known);
            let member = self.takes_part(ring, 0);
            good.push(self.e().and([member, lacks]));
        }
        if let Some(last) = rings[here.ring].objects.and_then(|objects| objects.rounds) {
            // waits - before + size >= last
            let [size, least] = [size, last.saturating_add(before)].map(|number| self.number(number));
            let later = self.e().add(waits, size);
            good.push(self.e().compare(CompareOp::UnsignedLessEqual, least, later));
        }
        let good = self.e().or(good);
        self.require(here, good, BarrierRule::Parity);
    }

    /// The number of the round that a thread waits for next; less than 0, as a bit-vector, for the
    /// phases before the first.
    pub fn awaited(&mut self, ring: RingIndex, thread: usize) -> Expression {
        let [waits, before] = self.waits_and_before(ring, thread);
        self.e().subtract(waits, before)
    }

    /// Whether the round that a thread waits for next is one.
    fn waits_at_all(&mut self, ring: RingIndex, thread: usize) -> Expression {
        let [waits, before] = self.waits_and_before(ring, thread);
        self.e().compare(CompareOp::UnsignedLessEqual, before, waits)
    }

    /// The waits that a thread has executed, and how many of the first are for phases before the
    /// first.
    fn waits_and_before(&mut self, ring: RingIndex, thread: usize) -> [Expression; 2] {
        let planned = self.plan();
        let before = planned.rounds.rings[ring].objects.map_or(0, |objects| objects.before);
        [self.counted(planned.numbers[ring].complete, thread), self.number(before)]
    }

    /// Asserts that each thread that takes part in a ring of phase objects has arrived in all
    /// rounds that others have waited for.
    pub fn check_phases(&mut self, condition: Expression, [executed, complete]: [Variable; 2], ring: RingIndex) {
        let member = self.takes_part(ring, 0);
        let [executed, complete] = [executed, complete].map(|variable| self.e().variable(variable));
        let enough = self.e().compare(CompareOp::UnsignedLessEqual, complete, executed);
        let condition = self.e().and([condition, member]);
        let good = self.e().implies(condition, enough);
        self.assert(good, ObligationKind::NamedBarrier(BarrierRule::EquallyOften));
    }
}
