//! Barriers of the launch at which the last leader turns a flag:
//!
//! ```text
//! now = flag;                             // or what it has seen at the barrier before
//! fence;
//! if (count++ == groups - 1) {
//!     count = 0;  fence;  flag = another value;
//! } else {
//!     while (flag == now);
//! }
//! fence;
//! ```
//!
//! The flag may be a sense that is reversed or a generation that is counted. The counter may be
//! set back by an ordinary store, or wrap by itself (CUDA's `atomicInc`).
//!
//! # What is checked
//!
//! On each way through its code, a leader adds one to the counter once. Behind that, it is *the
//! last one*, or it *waits*.
//!
//! * The last one changes the flag once. Before that and behind its addition it acquires, sets the
//!   counter to zero (unless its addition has), and then releases (one fence may acquire and
//!   release). Whoever sets the counter back, or changes the flag, has drawn G - 1 from the
//!   counter (obligation 5 of [`super`]), where G is the number of groups. An addition that wraps
//!   does so at G - 1 (the same).
//! * Who waits reads the flag last, and acquires by or behind that. The value differs from *the
//!   one before*, which is that of the flag when this thread left the barrier before, by what it
//!   has read or written there (the same obligation). Or it is what the thread has read in this
//!   code before its release and its addition.
//!
//! All places have a thread of each group in common that comes there, and by obligation 4 no other
//! one does. So a group has the same leader each time.
//!
//! # Why this is sound
//!
//! Let a *round* be the e-th time that the leaders come to such a place. *Claim.* In round e, the
//! leaders make their additions in a chain that begins with a zero. The last one of the chain sets
//! the counter back and changes the flag, and nobody else does. Each leader leaves the round with
//! the flag's value of that change, and its release comes before the end of each other leader's
//! code in causality order.
//!
//! *Proof.* By induction on e. Consider the changes of round e - 1 (or what the cells hold at
//! first: zero, as listed; the flag may hold anything where each leader reads it before it
//! counts).
//!
//! 1. *Additions.* Each leader left round e - 1 as the last one, or when it had read the change of
//!    the flag and acquired, so the counter's reset precedes its e-th addition in program order or
//!    in causality order. So the e-th additions follow the reset in coherence order, and read from
//!    it or from each other: a chain by Atomicity, for they are read-modify-writes. No leader
//!    makes its (e+1)-th addition before it has left round e, that is (by 3) behind the reset of
//!    round e. So the chain has at most G additions up to the reset, which return 0, 1, ..., and
//!    only the G-th returns G - 1.
//! 2. *The last one.* So only the leader of the G-th addition resets the counter and changes the
//!    flag, and it has observed all other additions. Each is part of a release pattern, and it has
//!    acquired, so each leader's release precedes its change of the flag, which it has released.
//! 3. *Who waits* reads some value of the flag. It knows the change of round e - 1: it has read or
//!    made it. By coherence, it does not read an earlier one. Changes of round e + 1 and later
//!    ones come behind its own (e+1)-th addition in causality order (by 2), so it does not read
//!    them before (Causality). The value differs from that of round e - 1. So it reads the change
//!    of round e, and has acquired from the last one, and so (by 2) from all leaders.
//! 4. *A read before the addition* returns the value of round e - 1: by coherence no earlier one,
//!    and the change of round e comes behind the leader's release in causality order (by 2), which
//!    follows the read.
//!
//! *Ordinary stores.* The counter is only added to and set back: nobody else reads it. An ordinary
//! store that sets it back precedes the additions of the next round (1). It follows those of its
//! own round, which its thread has observed: an access precedes in causality order what follows
//! its observation and a step in base causality order. This is PTX's rule. C11 orders an addition
//! with the store only if the addition itself releases, so there the counter is set back by an
//! atomic operation. So it is no data race, and the transformed kernel has atomic operations in
//! its place and in that of volatile accesses.
//!
//! *With fences of all threads* ([`super`]) each step holds as well where the last one executes a
//! sequentially consistent fence, which comes behind the others' fences in their order, and before
//! those of who waits.
//!
//! *Numbers.* G is less than 2^w, where w is the width of the counter: it is known, or all
//! launches have fewer threads. The flag may wrap.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::transform::Carried;
use lockstep_ir::kernel::{
    Array, AssertKind, AtomicOp, BinaryOp, Block, Builder, CompareOp, Instruction, Kernel, Operation, Ordering, Scope,
    Value,
};
use lockstep_options::launch::Launch;
use num_bigint::BigUint;

use super::{Cell, Code, Fence, Form, Listed, Strong, Way, groups, known_groups, ways};
use crate::signals::Change;

/// The counter and the flag of some barriers.
pub struct Generations {
    count: Cell,
    flag: Cell,
    /// The widths of the two.
    widths: [u32; 2],
    /// The reads of the flag that return the value before, on each way.
    early: BTreeSet<Instruction>,
    /// Whether each way has such a read, so that nothing need be known of the flag at first.
    reads_before: bool,
    codes: Vec<(Code, BTreeSet<Block>)>,
}

impl Generations {
    /// The barriers of a counter and a flag, if all places are of this form.
    pub fn of(kernel: &Kernel, launch: &Launch, count: Cell, flag: Cell, codes: Vec<Code>) -> Option<Self> {
        let widths = [count.width()?, flag.width()?];
        let possible = BigUint::from(1u32) << widths[0];
        let most = known_groups(launch).unwrap_or_else(|| BigUint::from(launch.max_launch_threads));
        let common = codes.iter().map(|code| code.leaders.clone()).reduce(|a, b| &a & &b)?;
        // C11 does not order what an addition without a release has done with an ordinary store.
        let mut operations = codes.iter().flat_map(|code| code.operations.values());
        let is_ordered = kernel.language.has_fence_order() || !operations.any(|(_, strong)| strong.is_plain);
        if most >= possible || common.is_empty() || !is_ordered {
            return None;
        }
        let mut with_exits = Vec::new();
        let mut all: Vec<([bool; 2], Turning)> = Vec::new();
        for code in codes {
            let (ends, exits) = ways(kernel, &code, Turning::new(kernel, count))?;
            all.extend(ends.into_iter().map(|end| (code.fenced, end)));
            with_exits.push((code, exits));
        }
        let orders: Vec<[bool; 2]> = all.iter().map(|(fenced, end)| end.orders(*fenced)).collect::<Option<_>>()?;
        let turns = all.iter().any(|(_, end)| end.turned.is_some());
        if !turns || ![0, 1].into_iter().any(|manner| orders.iter().all(|orders| orders[manner])) {
            return None;
        }
        let late: BTreeSet<Instruction> = all.iter().flat_map(|(_, end)| &end.late).copied().collect();
        let early = all.iter().flat_map(|(_, end)| &end.early).copied().filter(|at| !late.contains(at)).collect();
        let reads_before = all.iter().all(|(_, end)| !end.early.is_disjoint(&early));
        Some(Self { count, flag, widths, early, reads_before, codes: with_exits })
    }

    fn strong(&self, at: Instruction) -> Option<&(Cell, Strong)> {
        self.codes.iter().find_map(|(code, _)| code.operations.get(&at))
    }

    /// Asserts that a number is one less than that of the groups.
    fn is_last(&self, code: &mut Builder<'_>, launch: &Launch, number: Value) {
        let groups = groups(code, launch, self.widths[0]);
        let one = code.number(self.widths[0], 1);
        let last = code.binary(BinaryOp::Subtract, groups, one);
        let holds = code.compare(CompareOp::Equal, number, last);
        code.append_effect(Operation::Assert(holds, AssertKind::Awaited));
    }
}

// The numbers that a thread carries, by place.
/// The value of the flag that it knows from the barrier before.
const BEFORE: usize = 0;
/// The last value that it has read or written at this one.
const SEEN: usize = 1;
/// Whether it has changed the flag at this one.
const TURNED: usize = 2;
/// The number that it has drawn from the counter.
const DRAWN: usize = 3;

impl Form for Generations {
    fn codes(&self) -> &[(Code, BTreeSet<Block>)] {
        &self.codes
    }

    fn listed(&self) -> Vec<(Array, Listed)> {
        let unset = |unset: bool| Listed { unset, additions: None };
        vec![(self.count.array, unset(true)), (self.flag.array, unset(!self.reads_before))]
    }

    fn carried(&self, kernel: &Kernel) -> Vec<Carried> {
        let name = &kernel.arrays[self.flag.array].name;
        let named = |what: &str, width: u32| Carried { name: format!("{name}.{what}"), initial: Bits::zero(width) };
        let [count, flag] = self.widths;
        vec![named("before", flag), named("seen", flag), named("turned", flag), named("drawn", count)]
    }

    fn meet(&self, _: Builder<'_>, _: &Launch, _: &mut [Value]) {}

    fn enter(&self, mut code: Builder<'_>, numbers: &mut [Value]) {
        numbers[TURNED] = code.number(self.widths[1], 0);
    }

    fn operate(&self, mut code: Builder<'_>, launch: &Launch, at: Instruction, numbers: &mut [Value]) {
        let (cell, strong) = self.strong(at).cloned().expect("it is an operation of some place");
        if cell == self.count && matches!(strong.change, Change::Store(_) | Change::Exchange(_)) {
            self.is_last(&mut code, launch, numbers[DRAWN]);
        }
        if cell == self.flag && strong.writes() {
            self.is_last(&mut code, launch, numbers[DRAWN]);
            numbers[SEEN] = match &strong.change {
                Change::Store(value) | Change::Exchange(value) => *value,
                Change::Count(step, _) => {
                    let step = code.bits(step.clone());
                    code.binary(BinaryOp::Add, numbers[BEFORE], step)
                }
                Change::Keep | Change::Swap(..) | Change::Other => panic!("no way has such a change of the flag"),
            };
            numbers[TURNED] = code.number(self.widths[1], 1);
        }
        atomically(code.kernel, at);
        code.kernel.blocks[code.block].instructions.push(at);
        match (strong.result, &strong.change) {
            (Some(result), Change::Keep) if cell == self.flag => {
                numbers[SEEN] = result;
                if self.early.contains(&at) {
                    numbers[BEFORE] = result;
                }
            }
            (Some(result), Change::Count(_, limit)) if cell == self.count => {
                numbers[DRAWN] = result;
                if let Some(limit) = limit {
                    self.is_last(&mut code, launch, *limit);
                }
            }
            _ => {}
        }
    }

    /// Who has waited has read another value than the one before.
    fn leave(&self, mut code: Builder<'_>, _: &Launch, numbers: &mut [Value]) {
        let differs = code.compare(CompareOp::NotEqual, numbers[SEEN], numbers[BEFORE]);
        let zero = code.number(self.widths[1], 0);
        let is_last = code.compare(CompareOp::NotEqual, numbers[TURNED], zero);
        let always = code.boolean(true);
        let holds = code.select(is_last, always, differs);
        code.append_effect(Operation::Assert(holds, AssertKind::Awaited));
        numbers[BEFORE] = numbers[SEEN];
    }
}

/// Makes an ordinary or volatile access an atomic one.
fn atomically(kernel: &mut Kernel, at: Instruction) {
    let (access, op, operands) = match &kernel.instructions[at].operation {
        Operation::Load(access) => (access.clone(), AtomicOp::Load, Vec::new()),
        Operation::Store(access, value) => (access.clone(), AtomicOp::Store, vec![*value]),
        _ => return,
    };
    let (ordering, scope) = (Ordering::Relaxed, Scope::Device);
    kernel.instructions[at].operation = Operation::Atomic { access, op, operands, ordering, failing: None, scope };
}

/// The operations so far of a leader that is the last one or waits on the flag.
#[derive(Clone, Debug)]
struct Turning {
    count: Cell,
    /// The values that are zero.
    zeros: BTreeSet<Value>,
    /// Whether it has executed a releasing fence, and a sequentially consistent one.
    fenced: [bool; 2],
    /// Whether its addition is part of a release pattern, and whether a sequentially consistent
    /// fence precedes it; `None` before the addition.
    released: Option<[bool; 2]>,
    /// Whether it has acquired by or behind its addition. A read of the flag that acquires does so
    /// from the flag alone.
    has_seen: bool,
    /// Whether it has acquired by or behind its last read of the flag, and whether a sequentially
    /// consistent fence follows that.
    acquired: [bool; 2],
    /// Whether the counter is zero since its addition.
    is_reset: bool,
    /// Whether it has released after it had acquired and reset the counter, and whether a
    /// sequentially consistent fence follows both.
    handed: [bool; 2],
    /// `handed` at its change of the flag.
    turned: Option<[bool; 2]>,
    /// Whether it has read the flag behind its addition.
    is_read: bool,
    /// The reads of the flag before the addition that no release has followed yet.
    pending: BTreeSet<Instruction>,
    /// The reads of the flag before the addition and a release.
    early: BTreeSet<Instruction>,
    /// The other reads of the flag.
    late: BTreeSet<Instruction>,
}

impl Turning {
    fn new(kernel: &Kernel, count: Cell) -> Self {
        let is_zero = |value: &Value| kernel.constant(*value).is_some_and(Bits::is_zero);
        Self {
            count,
            zeros: kernel.values.keys().filter(is_zero).collect(),
            fenced: [false; 2],
            released: None,
            has_seen: false,
            acquired: [false; 2],
            is_reset: false,
            handed: [false; 2],
            turned: None,
            is_read: false,
            pending: BTreeSet::new(),
            early: BTreeSet::new(),
            late: BTreeSet::new(),
        }
    }

    /// Whether a way orders by patterns, and whether by sequentially consistent fences, given
    /// those of all threads; `None` if it has not counted, or neither turned the flag nor waited.
    fn orders(&self, of_all: [bool; 2]) -> Option<[bool; 2]> {
        let [released, fenced] = self.released?;
        let fenced = fenced || of_all[0];
        match self.turned {
            Some([handed, handed_by_fence]) => Some([released && handed, fenced && handed_by_fence]),
            None if self.is_read => Some([released && self.acquired[0], fenced && (self.acquired[1] || of_all[1])]),
            None => None,
        }
    }

    fn operate_on_count(&mut self, strong: &Strong) -> Option<()> {
        match &strong.change {
            Change::Count(step, limit) if step.is_one() && strong.result.is_some() && self.released.is_none() => {
                if strong.releases {
                    self.early.append(&mut self.pending);
                }
                self.late.append(&mut self.pending);
                let [fenced, total] = self.fenced;
                self.released = Some([fenced || strong.releases, total]);
                self.has_seen = strong.acquires;
                self.is_reset = limit.is_some();
            }
            // Behind its change of the flag, others count again.
            Change::Store(value) | Change::Exchange(value)
                if self.zeros.contains(value) && self.released.is_some() && self.turned.is_none() =>
            {
                self.is_reset = true;
                self.handed = [false; 2];
            }
            _ => return None,
        }
        Some(())
    }

    fn operate_on_flag(&mut self, at: Instruction, strong: &Strong) -> Option<()> {
        match &strong.change {
            Change::Keep if self.released.is_none() => _ = self.pending.insert(at),
            Change::Keep => {
                self.late.insert(at);
                if self.turned.is_none() {
                    self.acquired = [strong.acquires, false];
                    self.is_read = strong.result.is_some();
                }
            }
            Change::Store(_) | Change::Exchange(_) | Change::Count(_, None)
                if self.released.is_some() && self.turned.is_none() && self.is_reset && !strong.is_plain =>
            {
                let releases = strong.releases && self.has_seen;
                self.turned = Some([self.handed[0] || releases, self.handed[1]]);
            }
            _ => return None,
        }
        Some(())
    }
}

impl Way for Turning {
    fn operate(&mut self, at: Instruction, cell: Cell, strong: &Strong) -> Option<()> {
        if cell == self.count { self.operate_on_count(strong) } else { self.operate_on_flag(at, strong) }
    }

    fn fence(&mut self, fence: Fence) {
        if self.released.is_none() {
            self.fenced = [self.fenced[0] || fence.releases, self.fenced[1] || fence.is_total];
            if fence.releases {
                self.early.append(&mut self.pending);
            }
            return;
        }
        self.has_seen |= fence.acquires;
        self.acquired = [self.acquired[0] || fence.acquires, self.acquired[1] || fence.is_total];
        if self.is_reset && self.turned.is_none() {
            let hands = fence.releases && self.has_seen;
            self.handed = [self.handed[0] || hands, self.handed[1] || fence.is_total];
        }
    }
}
