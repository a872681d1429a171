//! Barriers of the launch whose leaders wait on the counter: `count += 1; while (count < goal);`.
//!
//! The cell is changed by additions of one constant s > 0 alone. Obligation 5 of [`super`]: let E
//! be the number of times that the thread has passed one of these places, this one included, and G
//! the number of groups. Then what the last read has returned is at least E G s (if it is the
//! addition, what it has written). The cell is zero at first and does not wrap (listed).
//!
//! *Claim.* When a leader goes on behind its E-th wait, the leaders of all groups have made their
//! E-th addition, and each of these precedes the read in observation order. *Proof.* The additions
//! are read-modify-writes, so they form a chain in which the value grows by s. Let r = v s be what
//! the read returns: it reads from the v-th addition of the chain, and v >= E G. Suppose that some
//! group h has made fewer than E of the first v additions. Then some other group j has made at
//! least E + 1 of them, since there are G groups. The leader of j had gone on behind its E-th wait
//! before its (E+1)-th addition. By coherence, that wait's read reads from an earlier addition
//! than the (E+1)-th one, so from the v'-th with v' < v, and h has made fewer than E of the first
//! v' additions, too. So there is an infinite descent.
//!
//! *No wrap.* At most 2^(w-3) / s additions are made (listed), where w is the width of the cell.
//! All groups come to the first barrier or none, so G is at most that. A thread comes to its E-th
//! place only if the (E-1) G additions before are made. So E G s <= 2^(w-2): products are exact,
//! and comparisons with a sign are right as well. The transformed kernel assumes E G s < 2^(w-1).

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::transform::Carried;
use lockstep_ir::kernel::{
    Array, AssertKind, AssumeKind, BinaryOp, Block, Builder, CompareOp, Instruction, Kernel, Operation, Value,
};
use lockstep_options::launch::Launch;
use num_bigint::BigUint;

use super::{Cell, Code, Fence, Form, Listed, Strong, Way, groups, known_groups, ways};
use crate::signals::{Change, MOST_STEP};

/// The counter of some barriers.
pub struct Counter {
    cell: Cell,
    step: u64,
    width: u32,
    codes: Vec<(Code, BTreeSet<Block>)>,
}

impl Counter {
    /// The counter in a cell, if all places are of this form.
    pub fn of(kernel: &Kernel, launch: &Launch, cell: Cell, codes: Vec<Code>) -> Option<Self> {
        let strong = || codes.iter().flat_map(|code| code.operations.values()).map(|(_, strong)| strong);
        let step = strong().find_map(|strong| match &strong.change {
            Change::Count(step, None) => step.to_u64().filter(|step| (1..=MOST_STEP).contains(step)),
            _ => None,
        })?;
        let is_fit = |strong: &Strong| match &strong.change {
            Change::Keep => true,
            Change::Count(by, None) => by.to_u64() == Some(step),
            _ => false,
        };
        if !strong().all(is_fit) {
            return None;
        }
        let mut by_patterns = true;
        let mut by_fences = true;
        let mut with_exits = Vec::new();
        for code in codes {
            let (ends, exits) = ways(kernel, &code, Counting::default())?;
            for end in ends {
                let [patterns, fences] = end.orders(code.fenced)?;
                by_patterns &= patterns;
                by_fences &= fences;
            }
            with_exits.push((code, exits));
        }
        let counter = Self { cell, step, width: cell.width()?, codes: with_exits };
        // A launch of more groups refutes the assumption about the number of additions.
        let is_possible = known_groups(launch).is_none_or(|groups| groups <= counter.most_additions());
        ((by_patterns || by_fences) && is_possible).then_some(counter)
    }

    /// The most additions that are assumed.
    fn most_additions(&self) -> BigUint {
        (BigUint::from(1u32) << (self.width - 3)) / self.step
    }

    /// The value of the counter when all groups have counted for this number of barriers.
    fn goal(&self, code: &mut Builder<'_>, launch: &Launch, passed: Value) -> Value {
        let step = code.number(self.width, self.step);
        let added = if self.step > 1 { code.binary(BinaryOp::Multiply, passed, step) } else { passed };
        if known_groups(launch).is_some_and(|groups| groups == BigUint::from(1u32)) {
            return added;
        }
        let groups = groups(code, launch, self.width);
        code.binary(BinaryOp::Multiply, added, groups)
    }
}

impl Form for Counter {
    fn codes(&self) -> &[(Code, BTreeSet<Block>)] {
        &self.codes
    }

    fn listed(&self) -> Vec<(Array, Listed)> {
        vec![(self.cell.array, Listed { unset: true, additions: Some(self.most_additions()) })]
    }

    /// How often the thread has passed such a barrier, and what it has seen of the counter.
    fn carried(&self, kernel: &Kernel) -> Vec<Carried> {
        let name = &kernel.arrays[self.cell.array].name;
        let named = |what: &str| Carried { name: format!("{name}.{what}"), initial: Bits::zero(self.width) };
        vec![named("barriers"), named("seen")]
    }

    fn meet(&self, mut code: Builder<'_>, launch: &Launch, numbers: &mut [Value]) {
        let one = code.number(self.width, 1);
        let passed = code.binary(BinaryOp::Add, numbers[0], one);
        // The counter does not wrap.
        let goal = self.goal(&mut code, launch, passed);
        let limit = code.bits(Bits::new(self.width, BigUint::from(1u32) << (self.width - 1)));
        let is_small = code.compare(CompareOp::UnsignedLess, goal, limit);
        code.append_effect(Operation::Assume(is_small, AssumeKind::Semantics));
        numbers[0] = passed;
    }

    fn enter(&self, _: Builder<'_>, _: &mut [Value]) {}

    fn operate(&self, mut code: Builder<'_>, _: &Launch, at: Instruction, numbers: &mut [Value]) {
        code.kernel.blocks[code.block].instructions.push(at);
        let strong = self.codes.iter().find_map(|(code, _)| code.operations.get(&at)).map(|(_, strong)| strong);
        let Some((strong, result)) = strong.and_then(|strong| Some((strong, strong.result?))) else { return };
        numbers[1] = result;
        if strong.writes() {
            let step = code.number(self.width, self.step);
            numbers[1] = code.binary(BinaryOp::Add, result, step);
        }
    }

    /// The last value that a leader has seen includes the additions of all groups.
    fn leave(&self, mut code: Builder<'_>, launch: &Launch, numbers: &mut [Value]) {
        let goal = self.goal(&mut code, launch, numbers[0]);
        let holds = code.compare(CompareOp::UnsignedLessEqual, goal, numbers[1]);
        code.append_effect(Operation::Assert(holds, AssertKind::Awaited));
    }
}

/// The operations so far of a leader that waits on the counter.
#[derive(Clone, Debug, Default)]
struct Counting {
    /// Whether it has executed a releasing fence, and a sequentially consistent one.
    fenced: [bool; 2],
    /// Whether its addition is part of a release pattern, and whether a sequentially consistent
    /// fence precedes it; `None` before the addition.
    released: Option<[bool; 2]>,
    /// Whether it has acquired by its last operation on the counter, and whether a sequentially
    /// consistent fence follows that.
    acquired: [bool; 2],
    /// Whether the last operation returns what it has read.
    is_read: bool,
}

impl Counting {
    /// Whether a way orders what all groups do before and behind it by patterns, and whether by
    /// sequentially consistent fences; `None` if it has not counted.
    fn orders(&self, of_all: [bool; 2]) -> Option<[bool; 2]> {
        let [released, fenced] = self.released?;
        let by_patterns = released && self.acquired[0];
        let by_fences = (fenced || of_all[0]) && (self.acquired[1] || of_all[1]);
        self.is_read.then_some([by_patterns, by_fences])
    }
}

impl Way for Counting {
    fn operate(&mut self, _: Instruction, _: Cell, strong: &Strong) -> Option<()> {
        if strong.writes() {
            // One addition in each place.
            let [fenced, total] = self.fenced;
            self.released = self.released.is_none().then_some([fenced || strong.releases, total]);
            self.released?;
        }
        self.acquired = [strong.acquires, false];
        self.is_read = strong.result.is_some();
        Some(())
    }

    fn fence(&mut self, fence: Fence) {
        self.fenced = [self.fenced[0] || fence.releases, self.fenced[1] || fence.is_total];
        self.acquired = [self.acquired[0] || fence.acquires, self.acquired[1] || fence.is_total];
    }
}
