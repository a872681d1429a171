//! Barriers of some of the group's threads, as [`crate::rounds`] plans their proof.
//!
//! An operation on such a barrier asserts what the plan needs of an arbitrary thread. It has no
//! effect on hits: two accesses are compared although a barrier may lie between them, and do not
//! race if a round orders them ([`Lowering::ordered`]). A hit records the numbers of the rounds
//! that thread 1 had executed, and of those known to be complete, at the time of its access. A copy
//! that the thread has started ends later, with the wait for it: the number of executed rounds is
//! that at the wait, and before the wait nothing comes after the copy.
//!
//! A barrier of the whole group forgets hits as always, and is one of the rings besides, so that it
//! takes part in chains and circles.
//!
//! **Values.** Behind such a barrier a thread may see what others have written since the last
//! barrier of the group. So its own copies of arrays are renewed, and later loads are not clean
//! ([`crate::analysis::intervals`]), as behind a barrier of a warp.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{Block, Instruction, Kernel, Operation, Terminator, Value};
use lockstep_ir::sequential::{
    BarrierRule, CompareOp, Copies, Expression, Loop, ObligationKind, Pair, Role, Site, Sort, Unknown, Variable,
};

use crate::analysis::intervals::orders;
use crate::lockstep::memory::arrays::Contents;
use crate::lockstep::synchronise::Fences;
use crate::lockstep::{Lowering, Unsupported};
use crate::rounds::number::{Numbers, TURN_WIDTH};
use crate::rounds::units::Units;
use crate::rounds::{self, Barriers, Ring, RingIndex, Rounds, Synchronisation};

/// The plan for a kernel's barriers, with what the walk looks up.
pub struct Planned {
    pub rounds: Rounds,
    /// The positions of the rings' numbers in [`lockstep_ir::kernel::Operation::Counted`].
    pub numbers: Vec<Numbers>,
    /// The position of each operation in the plan.
    pub operations: BTreeMap<Instruction, usize>,
    /// The position of each initialisation of a phase object in the plan.
    pub initialisations: BTreeMap<Instruction, usize>,
}

impl Planned {
    /// The plan for a kernel that has its numbers.
    pub fn new(rounds: Rounds, kernel: &Kernel) -> Result<Self, Unsupported> {
        let operations: BTreeMap<Instruction, usize> =
            rounds::operations(kernel, rounds.warp_size).into_keys().zip(0..).collect();
        let initialisations = rounds::initialisations(kernel);
        if operations.len() != rounds.sites.len() || initialisations.len() != rounds.initialised.len() {
            let construct = "named barrier or mbarrier in code that is copied".to_owned();
            return Err(Unsupported { construct, location: kernel.location });
        }
        Ok(Self { numbers: rounds.numbers(), operations, initialisations, rounds })
    }
}

/// The state of threads at their end.
pub struct Ended {
    /// Whether each thread has come to its end, or has ended the launch.
    has: [Variable; 2],
    /// Whether it has returned: a thread that ends the launch lets nobody wait for it.
    returned: [Variable; 2],
    /// The operations that it has executed by then, for each ring.
    executed: Vec<[Variable; 2]>,
    /// The rounds that it knows to be complete, for each ring.
    complete: Vec<[Variable; 2]>,
}

/// The numbers that a hit records for a ring.
#[derive(Clone, Copy, Debug)]
pub struct RoundsAtHit {
    pub executed: Variable,
    pub complete: Variable,
}

/// A thread at an operation.
pub struct Here {
    /// The operation.
    pub operation: usize,
    /// Whether it executes the operation on the ring.
    pub condition: Expression,
    pub ring: RingIndex,
}

impl<'a> Lowering<'a> {
    /// The plan, where it matters to the program.
    pub fn planned(&self) -> Option<&Planned> {
        self.facts.planned.as_ref().filter(|_| self.pair == Pair::SameGroup && !self.options.one_thread)
    }

    /// The plan of a kernel that has one.
    pub fn plan(&self) -> &'a Planned {
        self.facts.planned.as_ref().expect("there is a plan")
    }

    /// Declares what is noted of threads at their end.
    pub fn start_rounds(&mut self) {
        let Some(rings) = self.planned().map(|planned| planned.rounds.rings.len()) else { return };
        let has = self.ghosts("ended", Sort::Boolean);
        let no = self.e().boolean(false);
        let is_trap = |terminator: &Terminator| matches!(terminator, Terminator::Trap);
        let traps = self.kernel.blocks.values().any(|block| is_trap(&block.terminator));
        let returned = if traps { self.ghosts("returned", Sort::Boolean) } else { has };
        for variable in has.into_iter().chain(returned.into_iter().filter(|_| traps)) {
            self.assign(variable, no);
        }
        let bits = Sort::Bits(self.kernel.pointer_bits);
        let executed = (0..rings).map(|ring| self.ghosts(&format!("ended.{ring}"), bits)).collect();
        let complete = (0..rings).map(|ring| self.ghosts(&format!("ended.{ring}.complete"), bits)).collect();
        self.ended = Some(Ended { has, returned, executed, complete });
    }

    fn ghosts(&mut self, name: &str, sort: Sort) -> [Variable; 2] {
        [0, 1]
            .map(|thread| self.e().add_variable(&format!("{name}${}", thread + 1), sort, Some(thread), Role::Predicate))
    }

    /// Notes that threads come to their end, or end the launch.
    pub fn end_rounds(&mut self, block: Block) {
        let Some(ended) = self.ended.as_ref() else { return };
        let (has, returned) = (ended.has, ended.returned);
        let (executed, complete) = (ended.executed.clone(), ended.complete.clone());
        let returns = matches!(self.kernel.blocks[block].terminator, Terminator::Return);
        for thread in 0..2 {
            let active = self.active(block, thread);
            let yes = self.true_();
            self.assign_if(active, has[thread], yes);
            if returns && returned != has {
                self.assign_if(active, returned[thread], yes);
            }
            for (ring, variables) in executed.iter().enumerate() {
                let number = self.executed(ring, thread);
                self.assign_if(active, variables[thread], number);
                if self.plan().rounds.rings[ring].objects.is_some() {
                    let number = self.complete(ring, thread);
                    self.assign_if(active, complete[ring][thread], number);
                }
            }
        }
    }

    /// Asserts that all that take part in a ring execute equally many operations on it, and those
    /// that end the launch at most as many.
    pub fn check_rounds(&mut self) {
        let Some(ended) = self.ended.take() else { return };
        let both: Vec<Expression> =
            [ended.returned[0], ended.has[1]].into_iter().map(|variable| self.e().variable(variable)).collect();
        let returned = self.e().variable(ended.returned[1]);
        for (ring, variables) in ended.executed.iter().enumerate() {
            let Some(planned) = self.planned() else { return };
            match planned.rounds.rings[ring].barriers {
                Barriers::Group | Barriers::Warp { .. } => continue,
                Barriers::Numbers { .. } => {}
                Barriers::Objects { .. } => {
                    let both = self.e().and(both.iter().copied());
                    self.check_phases(both, [variables[0], ended.complete[ring][1]], ring);
                    continue;
                }
            }
            let members = [0, 1].map(|thread| self.takes_part(ring, thread));
            let numbers = (*variables).map(|variable| self.e().variable(variable));
            let equal = self.e().equal(numbers[0], numbers[1]);
            let less = self.e().compare(CompareOp::UnsignedLess, numbers[1], numbers[0]);
            let traps = self.e().not(returned);
            let before = self.e().and([traps, less]);
            let equal = self.e().or([equal, before]);
            let condition = self.e().and(both.iter().copied().chain(members));
            let good = self.e().implies(condition, equal);
            self.assert(good, ObligationKind::NamedBarrier(BarrierRule::EquallyOften));
        }
    }

    /// A barrier of some threads, or an arrival at one.
    pub fn named_barrier(
        &mut self,
        (block, instruction): (Block, Instruction),
        fences: Fences,
    ) -> Result<(), Unsupported> {
        if fences.flags.is_some() || !fences.spaces.is_all() {
            return self.unsupported("named barrier that does not order all memory");
        }
        self.state_rules(block, instruction);
        self.sites.end_stretch();
        let operation = Synchronisation::of(&self.kernel.instructions[instruction].operation);
        if operation.is_some_and(Synchronisation::waits) && self.pair != Pair::Alone {
            self.renew_own_copies(block, fences);
        }
        Ok(())
    }

    /// Asserts what the plan needs at an operation on a barrier.
    pub fn state_rules(&mut self, block: Block, instruction: Instruction) {
        let Some(planned) = self.planned() else { return };
        let synchronisation = Synchronisation::of(&self.kernel.instructions[instruction].operation);
        let Some(Synchronisation::Barrier { number: id, count, waits }) = synchronisation else { return };
        let operation = planned.operations[&instruction];
        let rings: Vec<RingIndex> = planned.rounds.sites[operation].keys().copied().collect();
        let active = [self.active(block, 0), self.active(block, 1)];
        if id.is_none() {
            self.state_all_initialised(active[0]);
        }
        let mut any = Vec::new();
        for ring in rings {
            let on_ring = self.is_on_ring(ring, id);
            any.push(on_ring);
            let condition = self.e().and([active[0], on_ring]);
            let here = Here { operation, condition, ring };
            if let Some(id) = id {
                self.state_number(&here, id);
                self.state_count(&here, count);
                self.state_participants(&here);
                self.state_recycling(&here);
                if !waits {
                    self.state_awaited(&here);
                }
            }
            self.state_order(&here);
            if waits {
                self.state_progress(&here);
            }
        }
        let any = self.e().or(any);
        let good = self.e().implies(active[0], any);
        self.assert(good, ObligationKind::NamedBarrier(BarrierRule::Number));
        if let Some(id) = id {
            let ids = [0, 1].map(|thread| self.scalar(id, thread));
            let same = self.e().equal(ids[0], ids[1]);
            let together = self.e().and([active[1], same]);
            let same_warp = self.threads.same_warp(&mut self.program.expressions);
            let condition = self.e().and([active[0], same_warp]);
            let good = self.e().implies(condition, together);
            self.assert(good, ObligationKind::NamedBarrier(BarrierRule::Participants));
        }
    }

    /// Asserts what the plan needs at a barrier or an exchange of a whole warp.
    pub fn state_rules_of_warp(&mut self, block: Block, instruction: Instruction) {
        let Some(planned) = self.planned() else { return };
        let Some(&operation) = planned.operations.get(&instruction) else { return };
        let rings: Vec<RingIndex> = planned.rounds.sites[operation].keys().copied().collect();
        let active = self.active(block, 0);
        let mut any = Vec::new();
        for ring in rings {
            let on_ring = self.takes_part(ring, 0);
            any.push(on_ring);
            let condition = self.e().and([active, on_ring]);
            let here = Here { operation, condition, ring };
            self.state_order(&here);
            self.state_progress(&here);
        }
        let any = self.e().or(any);
        let good = self.e().implies(active, any);
        self.assert(good, ObligationKind::NamedBarrier(BarrierRule::Participants));
    }

    /// States that the thread is one of those that execute the operation in small launches.
    pub fn state_participants(&mut self, here: &Here) {
        let units = &self.plan().rounds.sites[here.operation][&here.ring];
        let takes_part = self.threads.in_units(&mut self.program.expressions, 0, units);
        self.require(here, takes_part, BarrierRule::Participants);
    }

    pub fn require(&mut self, here: &Here, good: Expression, rule: BarrierRule) {
        let good = self.e().implies(here.condition, good);
        self.assert(good, ObligationKind::NamedBarrier(rule));
    }

    /// Whether thread 1's barrier belongs to a ring.
    fn is_on_ring(&mut self, ring: RingIndex, id: Option<Value>) -> Expression {
        let data = &self.plan().rounds.rings[ring];
        let size = data.size;
        let (Some(id), Barriers::Numbers { first }) = (id, data.barriers) else { return self.true_() };
        let id = self.scalar(id, 0);
        let width = self.e().width(id);
        let [first, size] = [first, size].map(|number| self.program.expressions.number(width, number));
        let distance = self.e().subtract(id, first);
        self.e().compare(CompareOp::UnsignedLess, distance, size)
    }

    fn state_number(&mut self, here: &Here, id: Value) {
        let planned = self.plan();
        if planned.rounds.disordered.contains(&here.ring) {
            let never = self.e().boolean(false);
            self.require(here, never, BarrierRule::Number);
            return;
        }
        let Some(turn) = planned.numbers[here.ring].turn else { return };
        let Barriers::Numbers { first } = planned.rounds.rings[here.ring].barriers else { return };
        let turn = self.counted(turn, 0);
        let id = self.scalar(id, 0);
        let width = self.e().width(id);
        let turn =
            if width > TURN_WIDTH { self.e().zero_extend(width, turn) } else { self.e().extract(width - 1, 0, turn) };
        let first = self.e().number(width, first);
        let next = self.e().add(first, turn);
        let good = self.e().equal(id, next);
        self.require(here, good, BarrierRule::Number);
    }

    fn state_count(&mut self, here: &Here, count: Option<Value>) {
        let planned = self.plan();
        let threads = planned.rounds.rings[here.ring].count;
        if planned.rounds.miscounted.contains(&here.ring) {
            let never = self.e().boolean(false);
            self.require(here, never, BarrierRule::Count);
            return;
        }
        let good = if let Some(count) = count {
            let count = self.scalar(count, 0);
            let width = self.e().width(count);
            let threads = self.e().number(width, threads);
            self.e().equal(count, threads)
        } else {
            let is_all = threads == self.plan().rounds.group_threads;
            self.e().boolean(is_all)
        };
        self.require(here, good, BarrierRule::Count);
    }

    /// States that the round before on the same barrier is complete.
    pub fn state_recycling(&mut self, here: &Here) {
        let planned = self.plan();
        let size = planned.rounds.rings[here.ring].size;
        if planned.rounds.rings[here.ring].all_wait {
            return;
        }
        let executed = self.executed(here.ring, 0);
        let bits = self.kernel.pointer_bits;
        let size_number = self.e().number(bits, size);
        let is_first = self.e().compare(CompareOp::UnsignedLess, executed, size_number);
        let mut good = vec![is_first];
        for by in 0..self.plan().rounds.rings.len() {
            let complete = self.complete(by, 0);
            good.extend(self.is_complete(executed, here.ring, by, complete, i64::try_from(size).unwrap_or(0)));
        }
        let good = self.e().or(good);
        self.require(here, good, BarrierRule::Recycled);
    }

    /// States that a warp that arrives is none of those that wait each time, and there are some.
    fn state_awaited(&mut self, here: &Here) {
        let planned = self.plan();
        let waiting = &planned.rounds.rings[here.ring].waiting;
        let good = if waiting.is_empty() {
            self.program.expressions.boolean(false)
        } else {
            let waits = self.threads.in_units(&mut self.program.expressions, 0, waiting);
            self.program.expressions.not(waits)
        };
        self.require(here, good, BarrierRule::Awaited);
    }

    pub fn state_order(&mut self, here: &Here) {
        let planned = self.plan();
        let all: Vec<_> = planned.rounds.behind.iter().filter(|behind| behind.ring == here.ring).cloned().collect();
        for behind in all {
            let (executed, complete) = (self.executed(here.ring, 0), self.complete(behind.after, 0));
            let good = self.at_least(complete, executed, behind.by);
            let of_role = self.threads.in_units(&mut self.program.expressions, 0, &behind.units);
            let good = self.e().implies(of_role, good);
            self.require(here, good, BarrierRule::Order);
        }
    }

    pub fn state_progress(&mut self, here: &Here) {
        let planned = self.plan();
        let rounds = &planned.rounds;
        let is_here = |at: usize, ring: RingIndex| (at, ring) == (here.operation, here.ring);
        let circle = rounds.circle.contains(&here.operation);
        let lags: Vec<_> = rounds.lags.iter().filter(|lag| is_here(lag.at, lag.ring)).copied().collect();
        let least: Vec<_> = rounds.least.iter().filter(|least| is_here(least.at, least.ring)).copied().collect();
        let most: Vec<_> = rounds.at_most.iter().filter(|most| is_here(most.at, most.ring)).copied().collect();
        if circle {
            let never = self.e().boolean(false);
            self.require(here, never, BarrierRule::Progress);
            return;
        }
        let number = if self.plan().rounds.rings[here.ring].objects.is_some() {
            self.awaited(here.ring, 0)
        } else {
            self.executed(here.ring, 0)
        };
        let zero = self.program.expressions.number(self.kernel.pointer_bits, 0);
        for lag in lags {
            let other = self.executed(lag.other, 0);
            let good = self.at_least(other, number, lag.by);
            let good = self.if_it_takes_part(lag.other, good);
            self.require(here, good, BarrierRule::Order);
        }
        for least in least {
            let other = self.executed(least.other, 0);
            let good = self.at_least(other, zero, least.count);
            let good = self.if_it_takes_part(least.other, good);
            self.require(here, good, BarrierRule::Order);
        }
        for most in most {
            let Some(most) = u64::try_from(most.count).ok() else { continue };
            let most = self.program.expressions.number(self.kernel.pointer_bits, most);
            let good = self.e().compare(CompareOp::UnsignedLessEqual, number, most);
            self.require(here, good, BarrierRule::Order);
        }
    }

    /// Suggests for the head of a loop that threads that always wait know all their rounds to be
    /// complete, and those that never wait none.
    pub fn suggest_of_rounds(&mut self, header: Block, loop_: Loop) {
        let Some(planned) = self.planned() else { return };
        let counted = self.kernel.blocks[header].instructions.iter().find_map(|&instruction| {
            match &self.kernel.instructions[instruction].operation {
                Operation::Counted(numbers) => Some(numbers.clone()),
                _ => None,
            }
        });
        let Some(counted) = counted else { return };
        let rings: Vec<(Numbers, Ring)> =
            planned.numbers.iter().copied().zip(planned.rounds.rings.iter().cloned()).collect();
        let is_suggested =
            |(numbers, ring): &(Numbers, Ring)| numbers.complete != numbers.executed && ring.objects.is_none();
        for (numbers, ring) in rings.into_iter().filter(is_suggested) {
            for thread in 0..2 {
                let [executed, complete] =
                    [numbers.executed, numbers.complete].map(|number| self.scalar(counted[number], thread));
                let none = self.program.expressions.number(self.kernel.pointer_bits, 0);
                let active = *self.program.loops[loop_].active.of(thread);
                let active = self.e().variable(active);
                for (warps, number) in [(&ring.waiting, executed), (&ring.arriving, none)] {
                    let of_warps = self.threads.in_units(&mut self.program.expressions, thread, warps);
                    let equal = self.e().equal(complete, number);
                    let holds = self.e().implies(of_warps, equal);
                    self.suggest_condition(loop_, holds);
                    let holds = self.e().implies(active, holds);
                    self.suggest_condition(loop_, holds);
                }
            }
        }
    }

    // --- Order -----------------------------------------------------------------------------------

    /// Declares the numbers that a hit records.
    pub fn declare_rounds_at_hit(&mut self, site: Site) -> Vec<RoundsAtHit> {
        let Some(rings) = self.planned().map(|planned| planned.rounds.rings.len()) else { return Vec::new() };
        let bits = Sort::Bits(self.kernel.pointer_bits);
        let mut declare = |what: &str, ring: RingIndex| {
            let name = format!("{what}.{ring}.{}$1", site.as_u32());
            self.e().add_variable(&name, bits, Some(0), Role::Recorded(site))
        };
        (0..rings)
            .map(|ring| RoundsAtHit { executed: declare("executed", ring), complete: declare("complete", ring) })
            .collect()
    }

    /// The numbers that a hit records now: variables, and their values.
    pub fn rounds_now(&mut self, site: Site) -> Vec<(Variable, Expression)> {
        let Some(state) = &self.sites.states[site] else { return Vec::new() };
        let at_hit = state.rounds.clone();
        let of_ring = |(ring, at_hit): (RingIndex, RoundsAtHit)| {
            [(at_hit.executed, self.executed(ring, 0)), (at_hit.complete, self.complete(ring, 0))]
        };
        at_hit.into_iter().enumerate().flat_map(of_ring).collect()
    }

    /// Lets a copy end now, under a condition.
    pub fn end_copy_in_rounds(&mut self, site: Site, ends: Expression) {
        let Some(state) = &self.sites.states[site] else { return };
        let executed: Vec<(RingIndex, Variable)> =
            state.rounds.iter().enumerate().map(|(ring, at_hit)| (ring, at_hit.executed)).collect();
        for (ring, variable) in executed {
            let now = self.executed(ring, 0);
            self.assign_if(ends, variable, now);
        }
    }

    /// Whether a round orders thread 1's hit of a site and what thread 2 does now; `None` if none
    /// does.
    pub fn ordered(&mut self, hit: Site, is_copy: bool) -> Option<Expression> {
        self.planned()?;
        let state = self.sites.states[hit].as_ref()?;
        let (at_hit, waited) = (state.rounds.clone(), state.waited);
        let mut ordered = Vec::new();
        for a in 0..at_hit.len() {
            let members = [self.takes_part(a, 0), self.takes_part(a, 1)];
            for (b, of_b) in at_hit.iter().enumerate() {
                // The hit, thread 1's next operation on a, ..., thread 2's last wait in b.
                let executed = self.e().variable(at_hit[a].executed);
                let complete = self.complete(b, 1);
                if let Some(before) = self.is_complete(executed, a, b, complete, 0) {
                    let mut all = vec![members[0], before];
                    if let Some(waited) = waited {
                        all.push(self.e().variable(waited));
                    }
                    ordered.push(self.e().and(all));
                }
                // The other way round. A copy that thread 2 starts now ends later.
                if is_copy {
                    continue;
                }
                let executed = self.executed(a, 1);
                let complete = self.e().variable(of_b.complete);
                if let Some(before) = self.is_complete(executed, a, b, complete, 0) {
                    ordered.push(self.e().and([members[1], before]));
                }
            }
        }
        Some(self.e().or(ordered))
    }

    /// Whether round `number` of ring `a` is complete for a thread that knows `complete` rounds of
    /// ring `b` to be; or the round `earlier` rounds before it.
    fn is_complete(
        &mut self,
        number: Expression,
        a: RingIndex,
        b: RingIndex,
        complete: Expression,
        earlier: i64,
    ) -> Option<Expression> {
        let known = self.plan().rounds.known[a][b]?;
        // number - earlier < complete + known.
        let before = self.at_least(complete, number, 1 - known - earlier);
        let zero = self.program.expressions.number(self.kernel.pointer_bits, 0);
        let none = self.e().equal(complete, zero);
        let some = self.e().not(none);
        Some(self.e().and([some, before]))
    }

    /// `number >= other + by`, as integers that are far from wrapping.
    pub fn at_least(&mut self, number: Expression, other: Expression, by: i64) -> Expression {
        let distance = self.program.expressions.number(self.kernel.pointer_bits, by.unsigned_abs());
        let (mut number, mut other) = (number, other);
        if by < 0 {
            number = self.e().add(number, distance);
        } else {
            other = self.e().add(other, distance);
        }
        self.e().compare(CompareOp::UnsignedLessEqual, other, number)
    }

    /// Whether a thread takes part in a ring.
    pub fn takes_part(&mut self, ring: RingIndex, thread: usize) -> Expression {
        let members: &Units = &self.plan().rounds.rings[ring].members;
        self.threads.in_units(&mut self.program.expressions, thread, members)
    }

    /// The condition, if thread 1 takes part in a ring.
    fn if_it_takes_part(&mut self, ring: RingIndex, good: Expression) -> Expression {
        let rounds = &self.plan().rounds;
        if rounds.roles.iter().all(|role| role.is_subset(&rounds.rings[ring].members)) {
            return good;
        }
        let takes_part = self.takes_part(ring, 0);
        self.e().implies(takes_part, good)
    }

    /// The operations that a thread has executed on a ring, if it takes part.
    pub fn executed(&self, ring: RingIndex, thread: usize) -> Expression {
        self.counted(self.plan().numbers[ring].executed, thread)
    }

    /// The rounds of a ring that a thread knows to be complete.
    fn complete(&mut self, ring: RingIndex, thread: usize) -> Expression {
        let waits = self.counted(self.plan().numbers[ring].complete, thread);
        if self.plan().rounds.rings[ring].warp().is_some() {
            // The number is that of the thread's own warp.
            let own = self.takes_part(ring, thread);
            let none = self.program.expressions.number(self.kernel.pointer_bits, 0);
            return self.e().if_then_else(own, waits, none);
        }
        let Some(objects) = self.plan().rounds.rings[ring].objects.filter(|objects| objects.before > 0) else {
            return waits;
        };
        // The first waits were for rounds that are complete from the start.
        let [before, none] =
            [objects.before, 0].map(|number| self.program.expressions.number(self.kernel.pointer_bits, number));
        let early = self.e().compare(CompareOp::UnsignedLessEqual, waits, before);
        let rounds = self.e().subtract(waits, before);
        self.e().if_then_else(early, none, rounds)
    }

    pub fn counted(&self, position: usize, thread: usize) -> Expression {
        // Without them, a hit would keep those of an earlier access.
        let numbers = self.rounds_here.as_ref().expect("each block that synchronises or accesses memory has them");
        self.scalar(numbers[position], thread)
    }

    // --- Values ----------------------------------------------------------------------------------

    /// Lets each thread at the barrier see the writes of others.
    pub fn renew_own_copies(&mut self, block: Block, fences: Fences) {
        let arrays: Vec<_> = self.arrays.iter().collect();
        for (array, state) in arrays {
            let Contents::Shared { own: Some(own), .. } = state.contents else { continue };
            if !orders(self.kernel, array, fences.spaces) {
                continue;
            }
            let name = self.kernel.arrays[array].name.clone();
            let sort = self.program.expressions.variables()[own[0]].sort;
            // Where both threads are one, so is what they see.
            let copies: Copies<Expression> = self.copies(self.pair == Pair::SameThread, |this, thread| {
                let unknown = Unknown::Contents(name.clone());
                this.unknown(&format!("{name}.renewed"), sort, Some(thread), unknown)
            });
            for (thread, variable) in own.into_iter().enumerate() {
                let active = self.active(block, thread);
                self.assign_if(active, variable, *copies.of(thread));
            }
        }
    }
}
