//! The semantics of warp functions: the lanes that must take part, the accesses that a warp barrier
//! orders, and the results of exchanges.
//!
//! Threads of a warp run independently (CUDA C++ Programming Guide, "Independent Thread
//! Scheduling"). A call with a mask waits for the lanes that it names. So each of these
//! **obligations** is asserted:
//!
//! * a lane is in its own mask;
//! * a lane that another lane names arrives, in lock-step at the same call and with the same mask,
//!   unless it has returned;
//! * the lane that a shuffle reads from takes part: it is named, it exists, and it has not
//!   returned.
//!
//! **A thread has returned** when it has executed a `return` before. A thread that merely bypasses
//! the call has not returned, even if nothing comes after the call. It has not yet returned when
//! the others make the call (Programming Guide: "all non-exited threads named in mask").
//!
//! **Ordering.** A warp barrier orders memory among the lanes of its mask, and nothing else does.
//! The hits of thread 1 are forgotten if both threads are at the barrier, in one warp, and name
//! each other. Exchanges, votes and similar operations order nothing. A warp barrier makes other
//! lanes' writes visible. So every thread at the barrier has its own copies of arrays renewed, with
//! the same contents for two threads that meet. Loads after it are no longer clean
//! ([`crate::analysis::intervals`]): an array may no longer hold its contents at the last barrier
//! of the *group*.
//!
//! **Values.** An exchange returns an unknown value, but the relations between the two threads'
//! results are exact. A lane that reads from the other thread gets the other's value. Lanes of one
//! warp that read from the same third lane get the same value. A ballot has the right bits in both
//! threads' places, and is the same for all lanes that take part. Each relation is a consequence of
//! the exchange, for threads that take part. Nothing is assumed about other threads: their values
//! are undefined, or they are not there.

use lockstep_ir::kernel::{BarrierKind, Block, GroupOp, Operation, Type, Value, WarpOp};
use lockstep_ir::sequential::{
    BinaryOp, Claim, CompareOp, Copies, Expression, Loop, ObligationKind, Pair, Sort, UnaryOp, Unknown,
};
use lockstep_options::checks::Check;

use crate::analysis::intervals::orders;
use crate::lockstep::instrument::sites::SiteState;
use crate::lockstep::memory::arrays::Contents;
use crate::lockstep::synchronise::Fences;
use crate::lockstep::{Lowered, Lowering, Unsupported, sort};

/// The width of lanes and distances.
const WIDTH: u32 = 32;

/// Two threads at a call of a warp function.
struct Call {
    active: [Expression; 2],
    /// Each thread's lane.
    lane: [Expression; 2],
    /// The lanes each thread names; `None` stands for the lanes that are there.
    mask: Option<[Expression; 2]>,
    /// Whether the two threads are in one warp.
    same_warp: Expression,
    /// Whether both threads are there, in one warp, and name each other.
    meet: Expression,
}

impl Lowering<'_> {
    /// A barrier of a warp.
    pub fn warp_barrier(&mut self, block: Block, mask: Option<Value>, fences: Fences) {
        let call = self.call_of_warp(block, mask);
        self.check_participation(&call);
        self.sites.end_stretch();
        let all: Vec<_> = self.program.sites.keys().collect();
        for site in all {
            let Some(state) = &self.sites.states[site] else { continue };
            if !state.is_ordered_by_barriers()
                || !orders(self.kernel, state.kernel_array, fences.spaces)
                || self.sites.follows(site, self.program.sites[site].array)
            {
                continue;
            }
            self.forget_if(site, call.meet);
        }
        self.renew_after_warp(&call, fences);
    }

    /// With `--warp-sync`, threads of a warp that are both here have both completed the preceding
    /// instructions, which are therefore ordered before the next ones. If they are not both here,
    /// nothing follows: one of them may be on the other path of a branch.
    pub fn forget_in_lock_step(&mut self, active: [Expression; 2]) {
        if !self.options.warps_in_lock_step || self.pair != Pair::SameGroup {
            return;
        }
        let same_warp = self.threads.same_warp(&mut self.program.expressions);
        let together = self.e().and([same_warp, active[0], active[1]]);
        let all: Vec<_> = self.program.sites.keys().collect();
        for site in all {
            if self.sites.states[site].as_ref().is_some_and(SiteState::is_ordered_by_barriers) {
                self.forget_if(site, together);
            }
        }
    }

    /// Suggests invariants for the head of a loop in which threads of a warp wait for each other.
    /// The threads execute the loop together, and hits are forgotten where they synchronise.
    pub fn suggest_of_warps(&mut self, index: usize, loop_: Loop) {
        let structure = &self.facts.structure;
        let inside = structure.order.iter().filter(|&&block| structure.contains(index, structure.loop_of[block]));
        let inside = inside.flat_map(|&block| &self.kernel.blocks[block].instructions);
        let inside: Vec<&Operation> =
            inside.map(|&instruction| &self.kernel.instructions[instruction].operation).collect();
        let synchronises =
            |operation: &&Operation| matches!(operation, Operation::Barrier { kind: BarrierKind::Warp { .. }, .. });
        let exchanges = |operation: &&Operation| matches!(operation, Operation::WarpExchange { mask: Some(_), .. });
        let forgets = self.options.warps_in_lock_step || inside.iter().any(synchronises);
        // Warps come to named barriers as a whole.
        let is_named = |operation: &&Operation| {
            let kinds = |kind: &BarrierKind| matches!(kind, BarrierKind::Named { .. } | BarrierKind::Arrive { .. });
            matches!(operation, Operation::Barrier { kind, .. } if kinds(kind))
        };
        let waits = forgets || inside.iter().any(|operation| exchanges(operation) || is_named(operation));
        if self.pair != Pair::SameGroup || !waits {
            return;
        }
        let same_warp = self.threads.same_warp(&mut self.program.expressions);
        let active = self.program.loops[loop_].active;
        let active = [0, 1].map(|thread| self.e().variable(*active.of(thread)));
        let together = self.e().equal(active[0], active[1]);
        let condition = self.e().implies(same_warp, together);
        self.suggest_condition(loop_, condition);
        if !forgets {
            return;
        }
        let all: Vec<_> = self.program.sites.keys().collect();
        for site in all {
            let hit = self.program.sites[site].hit;
            let hit = self.e().variable(hit);
            let none = self.e().not(hit);
            let condition = self.e().implies(same_warp, none);
            self.suggest_condition(loop_, condition);
        }
    }

    /// Lets each thread at the barrier see the writes of others.
    fn renew_after_warp(&mut self, call: &Call, fences: Fences) {
        if self.pair == Pair::Alone {
            return;
        }
        let arrays: Vec<_> = self.arrays.iter().collect();
        for (array, state) in arrays {
            let Contents::Shared { own: Some(own), .. } = state.contents else { continue };
            if !orders(self.kernel, array, fences.spaces) {
                continue;
            }
            let name = self.kernel.arrays[array].name.clone();
            let sort = self.program.expressions.variables()[own[0]].sort;
            let fresh = [0, 1].map(|thread| {
                let unknown = Unknown::Contents(name.clone());
                self.unknown(&format!("{name}.renewed"), sort, Some(thread), unknown)
            });
            let second = self.e().if_then_else(call.meet, fresh[0], fresh[1]);
            for (thread, renewed) in [fresh[0], second].into_iter().enumerate() {
                self.assign_if(call.active[thread], own[thread], renewed);
            }
        }
    }

    /// An exchange among the lanes of a warp.
    pub fn warp_exchange(
        &mut self,
        block: Block,
        op: WarpOp,
        mask: Option<Value>,
        operands: &[Value],
        result: Value,
    ) -> Result<(), Unsupported> {
        let ty = self.kernel.ty(result);
        if matches!(ty, Type::Pointer(_)) {
            return self.unsupported("warp exchange of a pointer");
        }
        let call = self.call_of_warp(block, mask);
        self.check_participation(&call);
        let values = match op {
            WarpOp::Shuffle | WarpOp::ShuffleUp | WarpOp::ShuffleDown | WarpOp::ShuffleXor => {
                self.shuffle(&call, op, operands, ty)
            }
            WarpOp::VoteAll | WarpOp::VoteAny | WarpOp::VoteEqual => self.vote(&call, op, operands[0]),
            WarpOp::Ballot => self.ballot(&call, operands[0], ty),
            WarpOp::MatchAny => self.match_any(&call, operands[0], ty),
            WarpOp::MatchAll => self.match_all(&call, operands[0], ty),
            WarpOp::ActiveMask => self.active_mask(&call, ty),
            WarpOp::ReduceAdd
            | WarpOp::ReduceSignedMin
            | WarpOp::ReduceSignedMax
            | WarpOp::ReduceUnsignedMin
            | WarpOp::ReduceUnsignedMax
            | WarpOp::ReduceAnd
            | WarpOp::ReduceOr
            | WarpOp::ReduceXor => self.one_for_all(&call, "reduced", sort(ty)),
        };
        let values = values.map(Lowered::Scalar);
        // Both threads of such a program are one, which gets one value.
        let values = if self.pair == Pair::SameThread { Copies::Uniform(values[0]) } else { Copies::Each(values) };
        self.values[result] = Some(values);
        Ok(())
    }

    /// A vote among the threads of a group. All of them are there, as the preceding barrier
    /// ensures.
    pub fn group_exchange(&mut self, op: GroupOp, predicate: Value, result: Value) {
        let ty = self.kernel.ty(result);
        let shared = self.pair != Pair::DifferentGroups;
        let values = self.copies(shared, |this, thread| {
            let unknown = Unknown::Unmodelled("what the threads of the group say together".into());
            let other = this.unknown("group", sort(ty), (!shared).then_some(thread), unknown);
            let known: Vec<Expression> = match (shared, thread) {
                (true, _) => vec![this.scalar(predicate, 0), this.scalar(predicate, 1)],
                (false, thread) => vec![this.scalar(predicate, thread)],
            };
            this.said_by_group(op, other, &known)
        });
        self.values[result] = Some(values.map(Lowered::Scalar));
    }

    /// The result of a group vote, given the operands of some threads; `others` is free.
    fn said_by_group(&mut self, op: GroupOp, others: Expression, known: &[Expression]) -> Expression {
        match op {
            GroupOp::All => self.e().and(known.iter().copied().chain([others])),
            GroupOp::Any => self.e().or(known.iter().copied().chain([others])),
            GroupOp::Count => {
                let width = self.e().width(others);
                let zero = self.e().number(width, 0);
                let none = self.e().equal(others, zero);
                let any = self.e().or(known.iter().copied());
                let wrong = self.e().and([none, any]);
                let right = self.e().not(wrong);
                self.assume(right, "a thread counts itself");
                let most = self.threads.group_threads(&mut self.program.expressions, width);
                let within = self.e().compare(CompareOp::UnsignedLessEqual, others, most);
                self.assume(within, "no more threads are counted than the group has");
                others
            }
        }
    }

    fn call_of_warp(&mut self, block: Block, mask: Option<Value>) -> Call {
        let active = [self.active(block, 0), self.active(block, 1)];
        let lane = [0, 1].map(|thread| self.threads.lane(&mut self.program.expressions, thread));
        let mask = mask.map(|mask| [self.scalar(mask, 0), self.scalar(mask, 1)]);
        let same_warp = match self.pair {
            Pair::SameGroup => self.threads.same_warp(&mut self.program.expressions),
            Pair::DifferentGroups | Pair::Alone | Pair::SameThread => self.e().boolean(false),
        };
        let mut together = vec![active[0], active[1], same_warp];
        if let Some(mask) = mask {
            together.extend([self.names(mask[0], lane[1]), self.names(mask[1], lane[0])]);
        }
        let meet = self.e().and(together);
        Call { active, lane, mask, same_warp, meet }
    }

    /// Whether a mask names a lane.
    fn names(&mut self, mask: Expression, lane: Expression) -> Expression {
        let width = self.e().width(mask);
        let lane = if width > WIDTH { self.e().zero_extend(width, lane) } else { lane };
        let shifted = self.e().binary(BinaryOp::LogicalShiftRight, mask, lane);
        let bit = self.e().extract(0, 0, shifted);
        let set = self.e().number(1, 1);
        let all = self.e().as_bits(mask).is_some_and(|bits| bits.not().is_zero());
        if all { self.true_() } else { self.e().equal(bit, set) }
    }

    /// Asserts that the lanes that must take part do.
    fn check_participation(&mut self, call: &Call) {
        let Some(mask) = call.mask else { return };
        let holds = [0, 1].map(|thread| {
            let named = self.names(mask[thread], call.lane[thread]);
            self.e().implies(call.active[thread], named)
        });
        self.claim_if(Check::LaneMask, Claim::LaneInMask, holds);
        if self.pair != Pair::SameGroup {
            return;
        }
        let named = self.names(mask[0], call.lane[1]);
        let returned = self.has_returned(1);
        let gone = self.e().not(returned);
        let waits = self.e().and([call.active[0], call.same_warp, named, gone]);
        let same = self.e().equal(mask[0], mask[1]);
        let arrives = self.e().and([call.active[1], same]);
        let good = self.e().implies(waits, arrives);
        self.assert(good, ObligationKind::WarpDivergence { active: Copies::Each(call.active) });
    }

    /// Whether a thread has executed a `return`.
    fn has_returned(&mut self, thread: usize) -> Expression {
        match self.returned {
            Some(variables) => self.e().variable(variables[thread]),
            None => self.e().boolean(false),
        }
    }

    // --- Exchanges -------------------------------------------------------------------------------

    /// The lane each thread reads from, and whether it exists. If not, the thread gets its own
    /// value.
    fn source(&mut self, call: &Call, op: WarpOp, operands: &[Value], thread: usize) -> (Expression, Expression) {
        let lane = call.lane[thread];
        let size = self.threads.warp_size();
        let width = match operands.get(2) {
            Some(&width) => self.word(width, thread),
            None => self.e().number(WIDTH, u64::from(size)),
        };
        let by = self.word(operands[1], thread);
        let one = self.e().number(WIDTH, 1);
        let low_bits = self.e().subtract(width, one);
        let in_segment = self.e().binary(BinaryOp::And, lane, low_bits);
        let base = self.e().subtract(lane, in_segment);
        match op {
            WarpOp::ShuffleUp => {
                let source = self.e().subtract(lane, by);
                (source, self.e().compare(CompareOp::UnsignedLessEqual, by, in_segment))
            }
            WarpOp::ShuffleDown => {
                let source = self.e().add(lane, by);
                let room = self.e().subtract(width, in_segment);
                (source, self.e().compare(CompareOp::UnsignedLess, by, room))
            }
            WarpOp::ShuffleXor => {
                // Bits beyond the warp's lanes lead out of the segment, as in HIP. For CUDA, the
                // number has only its low bits here.
                let source = self.e().binary(BinaryOp::Xor, lane, by);
                let end = self.e().add(base, width);
                (source, self.e().compare(CompareOp::UnsignedLess, source, end))
            }
            _ => {
                let inside = self.e().binary(BinaryOp::And, by, low_bits);
                let yes = self.true_();
                (self.e().add(base, inside), yes)
            }
        }
    }

    /// An operand as a number of 32 bits.
    fn word(&mut self, value: Value, thread: usize) -> Expression {
        let value = self.scalar(value, thread);
        match self.e().width(value) {
            width if width < WIDTH => self.e().zero_extend(WIDTH, value),
            width if width > WIDTH => self.e().extract(WIDTH - 1, 0, value),
            _ => value,
        }
    }

    fn shuffle(&mut self, call: &Call, op: WarpOp, operands: &[Value], ty: Type) -> [Expression; 2] {
        let source = [0, 1].map(|thread| self.source(call, op, operands, thread));
        self.check_sources(call, source);
        let own = [0, 1].map(|thread| self.scalar(operands[0], thread));
        let shared = self.unknown_of_warp("shuffled", sort(ty), 0);
        let apart = self.unknown_of_warp("shuffled", sort(ty), 1);
        let same_source = self.e().equal(source[0].0, source[1].0);
        let same_source = self.e().and([call.meet, same_source]);
        let others = [shared, self.e().if_then_else(same_source, shared, apart)];
        [(0, 1), (1, 0)].map(|(thread, other)| {
            let from_other = self.e().equal(source[thread].0, call.lane[other]);
            let from_other = self.e().and([call.meet, from_other]);
            let value = self.e().if_then_else(from_other, own[other], others[thread]);
            let itself = self.e().equal(source[thread].0, call.lane[thread]);
            let reads = self.e().not(itself);
            let reads = self.e().and([source[thread].1, reads]);
            self.e().if_then_else(reads, value, own[thread])
        })
    }

    /// Asserts that the lanes that are read from take part. Without a mask, the lanes that are
    /// there do.
    fn check_sources(&mut self, call: &Call, source: [(Expression, Expression); 2]) {
        if !self.options.checks.has(Check::ShuffleSource) {
            return;
        }
        let reads = [0, 1].map(|thread| self.e().and([call.active[thread], source[thread].1]));
        let holds = [0, 1].map(|thread| {
            let exists = self.threads.lane_exists(&mut self.program.expressions, thread, source[thread].0);
            let named = call.mask.map(|mask| self.names(mask[thread], source[thread].0));
            let good = self.e().and(named.into_iter().chain([exists]));
            self.e().implies(reads[thread], good)
        });
        self.claim(holds, |thread| ObligationKind::Claim { claim: Claim::ActiveSource, thread });
        if self.pair == Pair::SameGroup {
            let from_other = self.e().equal(source[0].0, call.lane[1]);
            let reads_from_other = self.e().and([reads[0], call.same_warp, from_other]);
            let good = self.e().implies(reads_from_other, call.active[1]);
            self.assert(good, ObligationKind::Claim { claim: Claim::ActiveSource, thread: Some(0) });
        }
    }

    fn unknown_of_warp(&mut self, name: &str, sort: Sort, thread: usize) -> Expression {
        let unknown = Unknown::Unmodelled("what other lanes of the warp give".into());
        self.unknown(name, sort, Some(thread), unknown)
    }

    /// An unknown with the same value for lanes that take part together.
    fn one_for_all(&mut self, call: &Call, name: &str, sort: Sort) -> [Expression; 2] {
        let first = self.unknown_of_warp(name, sort, 0);
        let apart = self.unknown_of_warp(name, sort, 1);
        let second = self.e().if_then_else(call.meet, first, apart);
        [first, second]
    }

    fn vote(&mut self, call: &Call, op: WarpOp, predicate: Value) -> [Expression; 2] {
        let says = [0, 1].map(|thread| self.scalar(predicate, thread));
        let others = self.one_for_all(call, "vote", Sort::Boolean);
        [(0, 1), (1, 0)].map(|(thread, other)| match op {
            WarpOp::VoteAny => {
                let theirs = self.e().and([call.meet, says[other]]);
                self.e().or([others[thread], says[thread], theirs])
            }
            WarpOp::VoteEqual => {
                let same = self.e().equal(says[0], says[1]);
                let theirs = self.e().implies(call.meet, same);
                self.e().and([others[thread], theirs])
            }
            _ => {
                let theirs = self.e().implies(call.meet, says[other]);
                self.e().and([others[thread], says[thread], theirs])
            }
        })
    }

    /// A word with these bits in the places of the two threads' lanes, within the mask. The other
    /// thread's bit is included if it is known. All remaining bits come from the free word.
    fn with_bits(
        &mut self,
        call: &Call,
        known: Expression,
        words: [Expression; 2],
        own: [Expression; 2],
        other: [Expression; 2],
    ) -> [Expression; 2] {
        let width = self.e().width(words[0]);
        let place = call.lane.map(|lane| {
            let one = self.e().number(width, 1);
            let lane = if width > WIDTH { self.e().zero_extend(width, lane) } else { lane };
            self.e().binary(BinaryOp::ShiftLeft, one, lane)
        });
        let nothing = self.e().number(width, 0);
        [(0, 1), (1, 0)].map(|(thread, another)| {
            let theirs = self.e().if_then_else(known, place[another], nothing);
            let both = self.e().binary(BinaryOp::Or, place[thread], theirs);
            let free = self.e().unary(UnaryOp::Not, both);
            let free = self.e().binary(BinaryOp::And, words[thread], free);
            let mine = self.e().if_then_else(own[thread], place[thread], nothing);
            let theirs = self.e().if_then_else(other[thread], theirs, nothing);
            let set = self.e().binary(BinaryOp::Or, mine, theirs);
            let word = self.e().binary(BinaryOp::Or, free, set);
            match call.mask {
                Some(mask) if self.e().width(mask[thread]) == width => {
                    self.e().binary(BinaryOp::And, word, mask[thread])
                }
                _ => word,
            }
        })
    }

    fn ballot(&mut self, call: &Call, predicate: Value, ty: Type) -> [Expression; 2] {
        let says = [0, 1].map(|thread| self.scalar(predicate, thread));
        let words = self.one_for_all(call, "ballot", sort(ty));
        self.with_bits(call, call.meet, words, says, [says[1], says[0]])
    }

    /// The lanes with the same value: one word for all of them.
    fn match_any(&mut self, call: &Call, value: Value, ty: Type) -> [Expression; 2] {
        let values = [0, 1].map(|thread| self.scalar(value, thread));
        let same = self.e().equal(values[0], values[1]);
        let yes = self.true_();
        let first = self.unknown_of_warp("matching", sort(ty), 0);
        let apart = self.unknown_of_warp("matching", sort(ty), 1);
        let one_word = self.e().and([call.meet, same]);
        let second = self.e().if_then_else(one_word, first, apart);
        self.with_bits(call, call.meet, [first, second], [yes, yes], [same, same])
    }

    /// All lanes of the mask, or no lane.
    fn match_all(&mut self, call: &Call, value: Value, ty: Type) -> [Expression; 2] {
        let values = [0, 1].map(|thread| self.scalar(value, thread));
        let same = self.e().equal(values[0], values[1]);
        let others = self.one_for_all(call, "matching", Sort::Boolean);
        let Sort::Bits(width) = sort(ty) else { return self.one_for_all(call, "matching", sort(ty)) };
        let nothing = self.e().number(width, 0);
        let all = match call.mask {
            Some(mask) if self.e().width(mask[0]) == width => mask,
            _ => self.one_for_all(call, "lanes", Sort::Bits(width)),
        };
        [0, 1].map(|thread| {
            let together = self.e().implies(call.meet, same);
            let matches = self.e().and([others[thread], together]);
            self.e().if_then_else(matches, all[thread], nothing)
        })
    }

    /// The lanes that happen to be there together: this lane, and others that get the same result.
    /// Two threads that are both there need not be together.
    fn active_mask(&mut self, call: &Call, ty: Type) -> [Expression; 2] {
        let first = self.unknown_of_warp("active_mask", sort(ty), 0);
        let apart = self.unknown_of_warp("active_mask", sort(ty), 1);
        let chance = self.unknown_of_warp("together", Sort::Boolean, 0);
        let together = self.e().and([chance, call.meet]);
        let second = self.e().if_then_else(together, first, apart);
        let yes = self.true_();
        self.with_bits(call, call.same_warp, [first, second], [yes, yes], [together, together])
    }
}
