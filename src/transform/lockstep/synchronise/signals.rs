//! Synchronisation through memory: what the plan of [`crate::signals`] makes of the two threads'
//! operations. The argument is there.
//!
//! Ghosts follow both sides of an order.
//!
//! * **Thread 1's hits.** For each site, [`Passage`] follows how far the access has been made known:
//!   behind the thread's own releasing fence, behind a barrier of the group and then the leader's
//!   fence. `told` says for each write w to a place whether w releases the access. A new hit begins
//!   anew.
//! * **What a thread has acquired.** For each read r of a place, [`Read`] follows whether the thread,
//!   or the leader of its group, has executed it, and has acquired since.
//!
//! Thread 1's hit x and thread 2's access y do not race if some w that releases x and some r that
//! thread 2 has acquired before y are of the same cell, with values by which r reads from w or from
//! behind it ([`Lowering::ordered_by_signals`]).
//!
//! **Accesses that come later in the walk.** Lock-step walks through the kernel's blocks in one
//! order, whatever the order in time. Where thread 2's access x is compared with thread 1's hit y,
//! thread 2 may still go on to release x to who has acquired before y. Then the assertion waits: a
//! ghost remembers the race ([`Late`]) until thread 2 executes such a write, and at the end of the
//! program no ghost may remember one. Nothing is lost, because threads come to the end.
//!
//! **Values.** Behind an acquisition a thread may see what others have written since the last
//! barrier. So its own copies of arrays are renewed, and later loads are not clean
//! ([`crate::analysis::intervals`]), as behind a named barrier.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Array, Block, Instruction, Ordering, Scope, Space, SpaceSet, ThreadQuery, Value};
use lockstep_ir::sequential::{
    CompareOp, Expression, Loop, ObligationKind, Pair, Role, SignalRule, Site, Sort, Statement, Variable,
};
use num_bigint::BigUint;

use crate::analysis::intervals::orders;
use crate::lockstep::Lowering;
use crate::lockstep::memory::touch::Touch;
use crate::lockstep::synchronise::Fences;
use crate::signals::leaders::Standing;
use crate::signals::{self, Change, Kind, Place, Signals, Strong};

/// The width in which additions to counters are counted: enough for the sum of several products of
/// three sizes.
const COUNT_WIDTH: u32 = 128;

/// How far an access of a thread has been made known.
#[derive(Clone, Copy, Debug)]
struct Passage {
    /// Behind a releasing fence of the thread.
    own: Variable,
    /// Behind a barrier of the group.
    met: Variable,
    /// Behind a releasing fence of the leader, behind such a barrier.
    led: Variable,
    /// Behind a sequentially consistent fence of the thread.
    total: Variable,
    /// Behind a barrier of the group behind that, or behind such a fence of the leader behind a
    /// barrier.
    total_met: Variable,
}

/// Whether an order holds by releases and acquisitions, and whether it does by sequentially
/// consistent fences.
type Ways<T> = [T; 2];

/// What follows a hit of a site.
#[derive(Clone, Debug)]
struct Stage {
    passage: Passage,
    /// Whether each write releases the access.
    told: BTreeMap<Instruction, Ways<Variable>>,
    /// What the thread had acquired by each read when it made the access.
    known: BTreeMap<Instruction, Ways<Variable>>,
    /// Whether the thread held a lock of the array, which it had acquired, and which one.
    locks: BTreeMap<Array, (Variable, Variable)>,
}

/// A race that is none if thread 2 goes on to release its access.
#[derive(Clone, Debug)]
struct Late {
    race: Variable,
    passage: Passage,
    /// What thread 1 had acquired before its access.
    known: BTreeMap<Instruction, Ways<Variable>>,
    logged: Site,
    checked: Site,
}

/// What a thread knows by a read of a place.
#[derive(Clone, Copy, Debug)]
struct Knowledge {
    /// Whether it has executed the read.
    own: Variable,
    /// Whether its leader has.
    led: Variable,
    /// Whether its leader has, and a barrier of the group has followed.
    led_met: Variable,
    /// Whether it has acquired.
    acquired: Variable,
    /// Whether its leader has acquired.
    led_acquired: Variable,
    /// The same for sequentially consistent fences.
    total: Variable,
    led_total: Variable,
    /// Whether its leader had acquired before a barrier of the group.
    acquired_met: Variable,
    total_met: Variable,
}

/// An operation on a place as the two threads execute it.
#[derive(Clone, Copy, Debug)]
struct Executed {
    array: Array,
    cell: [Expression; 2],
    /// The value that is stored, or the number that is drawn or read; none where nobody asks for
    /// the number.
    value: [Option<Expression>; 2],
}

/// The hold of a thread on the locks of an array.
#[derive(Clone, Copy, Debug)]
struct Hold {
    holds: Variable,
    /// Whether it has acquired since it took the lock.
    acquired: Variable,
    /// Whether it has executed a releasing fence since then.
    released: Variable,
    cell: Variable,
}

/// The state of signals in the walk.
pub struct State {
    stages: BTreeMap<Site, Stage>,
    lates: Vec<Late>,
    /// Whether the leader of each thread's group comes to each block.
    leads: SecondaryMap<Block, Option<[Expression; 2]>>,
    knowledge: BTreeMap<Instruction, [Knowledge; 2]>,
    reads: BTreeMap<Instruction, Executed>,
    writes: BTreeMap<Instruction, Executed>,
    holds: BTreeMap<Array, [Hold; 2]>,
    /// The cells at which thread 1 tries to take locks.
    taken: Vec<(Array, Expression)>,
    /// The values by which the threads' additions count, with whether each thread, or its leader,
    /// has made the addition.
    draws: Vec<(Executed, [Expression; 2])>,
}

impl<'a> Lowering<'a> {
    /// The plan, where it matters to the program.
    fn signals(&self) -> Option<&'a Signals> {
        let matters = matches!(self.pair, Pair::SameGroup | Pair::DifferentGroups);
        self.facts.signals.as_ref().filter(|_| matters && !self.options.one_thread)
    }

    /// Whether operations of this scope include both threads.
    fn includes_both(&self, is_wide: bool) -> bool {
        is_wide || self.pair == Pair::SameGroup
    }

    fn is_wide(scope: Scope) -> Option<bool> {
        match scope {
            Scope::Thread | Scope::Warp => None,
            Scope::Group | Scope::Cluster => Some(false),
            Scope::Device | Scope::System => Some(true),
        }
    }

    /// The place that an operation is on, if both threads synchronise through it.
    fn place_of(&self, strong: &Strong) -> Option<&'a Place> {
        let place = self.signals()?.places.get(&strong.array)?;
        let is_shared = self.kernel.arrays[strong.array].space == Space::Global || self.pair == Pair::SameGroup;
        (is_shared && self.includes_both(place.is_wide)).then_some(place)
    }

    /// The operations on places of this kind that are no locks, and their places.
    fn usable(&self, picks: impl Fn(&Strong) -> bool) -> Vec<(Instruction, &'a Strong)> {
        let Some(signals) = self.signals() else { return Vec::new() };
        let mut all: Vec<(Instruction, &Strong)> =
            signals.operations.iter().map(|(&at, strong)| (at, strong)).collect();
        all.retain(|(_, strong)| {
            picks(strong) && self.place_of(strong).is_some_and(|place| !matches!(place.kind, Kind::Lock { .. }))
        });
        all
    }

    fn writes_of_signals(&self) -> Vec<(Instruction, &'a Strong)> {
        self.usable(|strong| match strong.change {
            Change::Keep => false,
            // Setting a counter tells nothing.
            Change::Store(_) | Change::Exchange(_) => {
                self.place_of(strong).is_some_and(|place| place.kind == Kind::Flag)
            }
            Change::Count(..) | Change::Swap(..) | Change::Other => true,
        })
    }

    fn reads_of_signals(&self) -> Vec<(Instruction, &'a Strong)> {
        let structure = &self.facts.structure;
        let blocks = self.kernel.instruction_blocks();
        self.usable(|strong| strong.reads())
            .into_iter()
            .filter(|(at, _)| blocks[*at].is_some_and(|block| structure.loop_of[block].is_none()))
            .collect()
    }

    // --- Declarations ----------------------------------------------------------------------------

    fn ghost(&mut self, name: &str, thread: Option<usize>, sort: Sort) -> Variable {
        let name = match thread {
            Some(thread) => format!("{name}${}", thread + 1),
            None => name.to_owned(),
        };
        let variable = self.e().add_variable(&name, sort, thread, Role::Predicate);
        let value = match sort {
            Sort::Boolean => self.e().boolean(false),
            Sort::Bits(width) => self.e().number(width, 0),
            Sort::Map { .. } => panic!("ghosts are no maps"),
        };
        // The first statements come before all loops.
        let initial = Statement::Assign { variable, value, location: None };
        self.statements[0].insert(0, initial);
        variable
    }

    fn flag(&mut self, name: &str, thread: Option<usize>) -> Variable {
        self.ghost(name, thread, Sort::Boolean)
    }

    fn passage(&mut self, name: &str, thread: Option<usize>) -> Passage {
        Passage {
            own: self.flag(&format!("{name}.released"), thread),
            met: self.flag(&format!("{name}.met"), thread),
            led: self.flag(&format!("{name}.led"), thread),
            total: self.flag(&format!("{name}.total"), thread),
            total_met: self.flag(&format!("{name}.total.met"), thread),
        }
    }

    /// Declares the ghosts.
    pub fn start_signals(&mut self) {
        let Some(signals) = self.signals() else { return };
        if signals.waits {
            self.list(Assumed::Termination);
        }
        let (writes, reads) = (self.writes_of_signals(), self.reads_of_signals());
        let locks: Vec<Array> = self.locks().into_iter().map(|(array, _)| array).collect();
        let mut stages = BTreeMap::new();
        let sites: Vec<Site> = self.program.sites.keys().collect();
        for site in sites {
            let Some(state) = &self.sites.states[site] else { continue };
            let array = state.kernel_array;
            let name = format!("at.{}", site.as_u32());
            let passage = self.passage(&name, Some(0));
            let mut told = BTreeMap::new();
            for at in self.reaching(&writes, array) {
                let name = format!("{name}.told.{}", at.as_u32());
                told.insert(at, [self.flag(&name, Some(0)), self.flag(&format!("{name}.total"), Some(0))]);
            }
            let mut known = BTreeMap::new();
            for at in self.reaching(&reads, array) {
                let name = format!("{name}.known.{}", at.as_u32());
                known.insert(at, [self.flag(&name, Some(0)), self.flag(&format!("{name}.total"), Some(0))]);
            }
            let mut held = BTreeMap::new();
            // The lock itself is not accessed under its own protection.
            let is_under = |&lock: &Array| lock != array && self.reaches(lock, array);
            let of_site: Vec<Array> = locks.iter().copied().filter(is_under).collect();
            for lock in of_site {
                let bits = Sort::Bits(self.kernel.pointer_bits);
                let name = format!("{name}.lock.{}", lock.as_u32());
                held.insert(lock, (self.flag(&name, Some(0)), self.ghost(&format!("{name}.cell"), Some(0), bits)));
            }
            stages.insert(site, Stage { passage, told, known, locks: held });
        }
        let mut knowledge = BTreeMap::new();
        for (at, _) in reads {
            let both = [0, 1].map(|thread| {
                let mut flag = |name: &str| self.flag(&format!("read.{}.{name}", at.as_u32()), Some(thread));
                Knowledge {
                    own: flag("own"),
                    led: flag("led"),
                    led_met: flag("led.met"),
                    acquired: flag("acquired"),
                    led_acquired: flag("led.acquired"),
                    total: flag("total"),
                    led_total: flag("led.total"),
                    acquired_met: flag("acquired.met"),
                    total_met: flag("total.met"),
                }
            });
            knowledge.insert(at, both);
        }
        let mut holds = BTreeMap::new();
        for lock in locks {
            let both = [0, 1].map(|thread| Hold {
                holds: self.flag(&format!("lock.{}", lock.as_u32()), Some(thread)),
                acquired: self.flag(&format!("lock.{}.acquired", lock.as_u32()), Some(thread)),
                released: self.flag(&format!("lock.{}.released", lock.as_u32()), Some(thread)),
                cell: self.ghost(
                    &format!("lock.{}.cell", lock.as_u32()),
                    Some(thread),
                    Sort::Bits(self.kernel.pointer_bits),
                ),
            });
            holds.insert(lock, both);
        }
        self.signalling = Some(Box::new(State {
            stages,
            lates: Vec::new(),
            leads: SecondaryMap::new(),
            knowledge,
            reads: BTreeMap::new(),
            writes: BTreeMap::new(),
            holds,
            taken: Vec::new(),
            draws: Vec::new(),
        }));
    }

    /// The operations by way of which there is an order for accesses to an array.
    fn reaching(&self, operations: &[(Instruction, &Strong)], array: Array) -> Vec<Instruction> {
        operations.iter().filter(|(_, strong)| self.reaches(strong.array, array)).map(|(at, _)| *at).collect()
    }

    /// Whether an order by way of a place is one for accesses to an array.
    fn reaches(&self, place: Array, array: Array) -> bool {
        let (place, data) = (&self.kernel.arrays[place], &self.kernel.arrays[array]);
        let is_image = matches!(data.origin, kernel::ArrayOrigin::Image { .. });
        !is_image && (self.kernel.language != kernel::Language::OpenCl || place.space == data.space)
    }

    fn locks(&self) -> Vec<(Array, &'a Place)> {
        let Some(signals) = self.signals() else { return Vec::new() };
        let mut all: Vec<(Array, &Place)> = signals.places.iter().map(|(&array, place)| (array, place)).collect();
        all.retain(|(array, place)| {
            let is_shared = self.kernel.arrays[*array].space == Space::Global || self.pair == Pair::SameGroup;
            matches!(place.kind, Kind::Lock { .. }) && is_shared && self.includes_both(place.is_wide)
        });
        all
    }

    /// Suggests what holds at the head of a loop.
    pub fn suggest_of_signals(&mut self, loop_: Loop) {
        let Some(state) = &self.signalling else { return };
        let holds: Vec<Variable> =
            state.holds.values().flatten().flat_map(|hold| [hold.holds, hold.acquired]).collect();
        let holds_of_first: BTreeMap<Array, Hold> = state.holds.iter().map(|(&array, both)| (array, both[0])).collect();
        let hits: Vec<(Site, Passage, Vec<(Array, (Variable, Variable))>)> = state
            .stages
            .iter()
            .map(|(&site, stage)| {
                (site, stage.passage, stage.locks.iter().map(|(&lock, &both)| (lock, both)).collect())
            })
            .collect();
        for variable in holds {
            let holds = self.e().variable(variable);
            let free = self.e().not(holds);
            self.suggest_condition(loop_, free);
        }
        for (site, passage, locks) in hits.into_iter().filter(|(.., locks)| !locks.is_empty()) {
            let hit = self.program.sites[site].hit;
            let [hit, released] = [hit, passage.own].map(|variable| self.e().variable(variable));
            for (lock, (held, cell)) in locks {
                let Some(now) = holds_of_first.get(&lock) else { continue };
                let [held, cell, now] = [held, cell, now.cell].map(|variable| self.e().variable(variable));
                let is_held = self.e().implies(hit, held);
                self.suggest_condition(loop_, is_held);
                let both = self.e().and([hit, held]);
                let is_released = self.e().implies(both, released);
                self.suggest_condition(loop_, is_released);
                let same = self.e().equal(cell, now);
                let is_same = self.e().implies(both, same);
                self.suggest_condition(loop_, is_same);
            }
        }
    }

    // --- Leaders ---------------------------------------------------------------------------------

    /// Whether the leader of each thread's group comes to a block.
    pub fn note_leaders(&mut self, block: Block) {
        let Some(signals) = self.signals() else { return };
        let standing = signals.leaders.standing(block);
        if standing == Standing::Led && self.pair == Pair::SameGroup {
            let both = [0, 1].map(|thread| self.active(block, thread));
            let both = self.e().and(both);
            let good = self.e().not(both);
            self.assert(good, ObligationKind::Signal(SignalRule::Elected));
        }
        if self.pair != Pair::DifferentGroups {
            return;
        }
        let leads = match standing {
            Standing::Together => Some([0, 1].map(|thread| self.active(block, thread))),
            Standing::Others => Some([self.e().boolean(false); 2]),
            Standing::Unknown => None,
            Standing::Led => self.led(signals, block),
        };
        if let Some(state) = &mut self.signalling {
            state.leads[block] = leads;
        }
    }

    fn led(&mut self, signals: &Signals, block: Block) -> Option<[Expression; 2]> {
        let known = |this: &Self, block: Block| this.signalling.as_ref().and_then(|state| state.leads[block]);
        if let Some(dominator) = self.facts.structure.shortcut[block] {
            return known(self, dominator);
        }
        let mut ways = [Vec::new(), Vec::new()];
        for &from in &self.facts.structure.predecessors[block] {
            let before = known(self, from)?;
            let targets: Vec<Block> =
                self.kernel.blocks[from].terminator.targets().map(|target| target.block).collect();
            for (position, _) in targets.iter().enumerate().filter(|(_, target)| **target == block) {
                // Where the condition is the group's, each thread's copy of it is the leader's.
                let is_chosen = signals.leaders.standing(from) != signals.leaders.along(self.kernel, from, position);
                for thread in 0..2 {
                    let condition = if is_chosen { self.true_() } else { self.edge_condition(from, position, thread) };
                    ways[thread].push(self.program.expressions.and([before[thread], condition]));
                }
            }
        }
        Some(ways.map(|ways| self.e().or(ways)))
    }

    /// Whether the leader of a thread's group executes a block; `None` if that is not known, or if
    /// the block is executed by others, too, and `alone` is asked for.
    fn leads(&self, block: Block, thread: usize, alone: bool) -> Option<Expression> {
        let standing = self.signals()?.leaders.standing(block);
        if alone && standing != Standing::Led {
            return None;
        }
        Some(self.signalling.as_ref()?.leads[block]?[thread])
    }

    /// Assumes of leaders what holds for each thread that comes to a block.
    pub fn assume_of_leaders(&mut self, block: Block, condition: Value) {
        if !self.signals().is_some_and(|signals| signals.leaders.is_of_group(condition)) {
            return;
        }
        for thread in 0..2 {
            let Some(leads) = self.leads(block, thread, true) else { continue };
            let condition = self.scalar(condition, thread);
            let holds = self.e().implies(leads, condition);
            self.assume(holds, "the leader waits until this holds");
        }
    }

    /// The value that a load returns to each thread if the leader has stored it for the group.
    pub fn broadcast(&mut self, instruction: Instruction) -> Option<[(Expression, Expression); 2]> {
        if self.pair != Pair::DifferentGroups {
            return None;
        }
        let broadcast = *self.signals()?.leaders.broadcasts.get(&instruction)?;
        let both = [0, 1].map(|thread| {
            let led = self.leads(broadcast.block, thread, true)?;
            Some((led, self.scalar(broadcast.value, thread)))
        });
        let [Some(first), Some(second)] = both else { return None };
        Some([first, second])
    }

    // --- Events ----------------------------------------------------------------------------------

    fn raise(&mut self, variable: Variable, condition: Expression) {
        let before = self.e().variable(variable);
        let after = self.e().or([before, condition]);
        if after != before {
            self.assign(variable, after);
        }
    }

    /// The passages of the accesses that an order of these memories is about, with the thread.
    fn passages(&self, spaces: SpaceSet) -> Vec<(Passage, usize)> {
        let Some(state) = &self.signalling else { return Vec::new() };
        let covered = |site: Site| {
            let state = self.sites.states[site].as_ref();
            state.is_some_and(|state| orders(self.kernel, state.kernel_array, spaces))
        };
        let stages = state.stages.iter().filter(|(site, _)| covered(**site)).map(|(_, stage)| (stage.passage, 0));
        let lates = state.lates.iter().filter(|late| covered(late.checked)).map(|late| (late.passage, 1));
        stages.chain(lates).collect()
    }

    /// The knowledge by reads of places in these memories.
    fn knowledge(&self, spaces: SpaceSet) -> Vec<(Instruction, [Knowledge; 2])> {
        let (Some(state), Some(signals)) = (&self.signalling, self.signals()) else { return Vec::new() };
        let covered =
            |at: &Instruction| signals.operations.get(at).is_some_and(|one| orders(self.kernel, one.array, spaces));
        state.knowledge.iter().filter(|(at, _)| covered(at)).map(|(&at, both)| (at, *both)).collect()
    }

    /// A fence.
    pub fn signal_fence(&mut self, block: Block, ordering: Ordering, scope: Scope, spaces: SpaceSet) {
        if self.signalling.is_none() {
            return;
        }
        if signals::acquires(ordering) {
            self.renew_own_copies(block, Fences { spaces: SpaceSet::ALL, flags: None });
        }
        if !Self::is_wide(scope).is_some_and(|is_wide| self.includes_both(is_wide)) {
            return;
        }
        let is_total = ordering == Ordering::SequentiallyConsistent && signals::has_fence_order(self.kernel.language);
        if signals::releases(ordering) {
            for (passage, thread) in self.passages(spaces) {
                let active = self.active(block, thread);
                self.raise(passage.own, active);
                if is_total {
                    self.raise(passage.total, active);
                }
                if let Some(leads) = self.leads(block, thread, false) {
                    let met = self.e().variable(passage.met);
                    let behind = self.e().and([leads, met]);
                    self.raise(passage.led, behind);
                    if is_total {
                        self.raise(passage.total_met, behind);
                    }
                }
            }
        }
        self.fence_under_locks(block, ordering, spaces);
        if !signals::acquires(ordering) {
            return;
        }
        for (_, both) in self.knowledge(spaces) {
            for (thread, knowledge) in both.into_iter().enumerate() {
                let active = self.active(block, thread);
                let [own, led, led_met] =
                    [knowledge.own, knowledge.led, knowledge.led_met].map(|variable| self.e().variable(variable));
                let own = self.e().and([active, own]);
                self.raise(knowledge.acquired, own);
                if is_total {
                    let behind = self.e().and([active, led_met]);
                    let behind = self.e().or([own, behind]);
                    self.raise(knowledge.total, behind);
                }
                if let Some(leads) = self.leads(block, thread, false) {
                    let led = self.e().and([leads, led]);
                    self.raise(knowledge.led_acquired, led);
                    if is_total {
                        self.raise(knowledge.led_total, led);
                    }
                }
            }
        }
    }

    /// A fence of threads that hold locks.
    fn fence_under_locks(&mut self, block: Block, ordering: Ordering, spaces: SpaceSet) {
        for (array, both) in self.holds() {
            if !orders(self.kernel, array, spaces) {
                continue;
            }
            for (thread, hold) in both.into_iter().enumerate() {
                let active = self.active(block, thread);
                let holds = self.e().variable(hold.holds);
                let behind = self.e().and([active, holds]);
                if signals::acquires(ordering) {
                    self.raise(hold.acquired, behind);
                }
                if signals::releases(ordering) {
                    // A release hands on what the thread has acquired before.
                    let acquired = self.e().variable(hold.acquired);
                    let behind = self.e().and([behind, acquired]);
                    self.raise(hold.released, behind);
                }
            }
        }
    }

    fn holds(&self) -> Vec<(Array, [Hold; 2])> {
        let state = self.signalling.as_ref();
        state.map(|state| state.holds.iter().map(|(&array, &both)| (array, both)).collect()).unwrap_or_default()
    }

    /// A barrier of the group.
    pub fn signal_barrier(&mut self, block: Block, fences: Fences) {
        // Threads of one group need no leader: the barrier orders their accesses.
        if self.signalling.is_none() || fences.flags.is_some() || self.pair != Pair::DifferentGroups {
            return;
        }
        for (passage, thread) in self.passages(fences.spaces) {
            let active = self.active(block, thread);
            self.raise(passage.met, active);
            let total = self.e().variable(passage.total);
            let behind = self.e().and([active, total]);
            self.raise(passage.total_met, behind);
        }
        for (_, both) in self.knowledge(fences.spaces) {
            for (thread, knowledge) in both.into_iter().enumerate() {
                let active = self.active(block, thread);
                for (from, to) in [
                    (knowledge.led, knowledge.led_met),
                    (knowledge.led_acquired, knowledge.acquired_met),
                    (knowledge.led_total, knowledge.total_met),
                ] {
                    let from = self.e().variable(from);
                    let behind = self.e().and([active, from]);
                    self.raise(to, behind);
                }
            }
        }
    }

    /// An operation that may be on a place, after its own accesses have been logged and checked.
    pub fn signal_operation(&mut self, block: Block, instruction: Instruction, touch: &Touch) {
        let Some(signals) = self.signals() else { return };
        let Some(strong) = signals.operations.get(&instruction) else { return };
        if strong.acquires {
            self.renew_own_copies(block, Fences { spaces: SpaceSet::ALL, flags: None });
        }
        let Some(place) = self.place_of(strong) else { return };
        match &place.kind {
            Kind::Lock { .. } => self.change_lock(block, strong, place, touch),
            Kind::Flag | Kind::Counter { .. } => {
                self.assume_unset(strong.array);
                // The read part of an addition comes before its write part.
                self.read_place((block, instruction), strong, touch);
                self.write_place((block, instruction), strong, place, touch);
            }
        }
    }

    fn assume_unset(&mut self, array: Array) {
        // Memory of a group has no contents at first: nobody could signal.
        let array = self.kernel.arrays[array].name.clone();
        self.list(Assumed::SignalsUnset { array });
    }

    fn read_place(&mut self, (block, instruction): (Block, Instruction), strong: &Strong, touch: &Touch) {
        let Some(state) = &self.signalling else { return };
        let Some(&both) = state.knowledge.get(&instruction) else { return };
        let Some(result) = strong.result else { return };
        let value = [0, 1].map(|thread| Some(self.scalar(result, thread)));
        let executed = Executed { array: strong.array, cell: touch.offset, value };
        if let Some(state) = &mut self.signalling {
            state.reads.insert(instruction, executed);
        }
        self.assume_stored(strong.array, result);
        for (thread, knowledge) in both.into_iter().enumerate() {
            let active = self.active(block, thread);
            self.raise(knowledge.own, active);
            if strong.acquires {
                self.raise(knowledge.acquired, active);
            }
            if let Some(leads) = self.leads(block, thread, true).filter(|_| self.is_cell_of_group(strong)) {
                self.raise(knowledge.led, leads);
                if strong.acquires {
                    self.raise(knowledge.led_acquired, leads);
                }
            }
        }
    }

    /// Assumes that a flag has one of the values that are stored there, if all of them are constants.
    fn assume_stored(&mut self, array: Array, result: Value) {
        let Some(signals) = self.signals() else { return };
        if signals.places.get(&array).is_none_or(|place| place.kind != Kind::Flag) {
            return;
        }
        let changes = signals.operations.values().filter(|one| one.array == array);
        let stored: Option<Vec<Bits>> = changes
            .filter_map(|one| match one.change {
                Change::Store(value) | Change::Exchange(value) => Some(self.kernel.constant(value).cloned()),
                Change::Keep | Change::Count(..) | Change::Swap(..) | Change::Other => None,
            })
            .collect();
        let Some(stored) = stored else { return };
        for thread in 0..2 {
            let seen = self.scalar(result, thread);
            let e = self.e();
            let values = std::iter::once(Bits::zero(e.width(seen))).chain(stored.iter().cloned());
            let values: Vec<Expression> = values.map(|value| self.program.expressions.bits(value)).collect();
            let is_one =
                values.into_iter().map(|value| self.program.expressions.equal(seen, value)).collect::<Vec<_>>();
            let is_one = self.e().or(is_one);
            self.assume(is_one, "a flag has a value that was stored there, or zero");
        }
    }

    /// Whether each thread's copy of the cell that an operation accesses is its leader's.
    fn is_cell_of_group(&self, strong: &Strong) -> bool {
        self.signals().is_some_and(|signals| signals.leaders.is_of_group(strong.pointer))
    }

    fn write_place(
        &mut self,
        (block, instruction): (Block, Instruction),
        strong: &Strong,
        place: &Place,
        touch: &Touch,
    ) {
        let of_group = |value| self.signals().is_some_and(|signals| signals.leaders.is_of_group(value));
        let (executed, is_of_group) = match (&strong.change, &place.kind) {
            (Change::Keep, _) => return,
            (Change::Store(value) | Change::Exchange(value), Kind::Flag) => {
                let is_of_group = of_group(*value) && self.is_cell_of_group(strong);
                let value = [0, 1].map(|thread| Some(self.scalar(*value, thread)));
                (Executed { array: strong.array, cell: touch.offset, value }, is_of_group)
            }
            (Change::Store(_) | Change::Exchange(_), _) => return self.check_reset(block, strong, place, touch),
            (_, _) => {
                let result = strong.result;
                let value = [0, 1].map(|thread| result.map(|result| self.scalar(result, thread)));
                (Executed { array: strong.array, cell: touch.offset, value }, self.is_cell_of_group(strong))
            }
        };
        let leads = [0, 1].map(|thread| self.leads(block, thread, true).filter(|_| is_of_group));
        if let Kind::Counter { step } = place.kind {
            self.bound_counter(block, strong, &executed, leads, step);
        }
        if let Some(state) = &mut self.signalling {
            state.writes.insert(instruction, executed);
        }
        if place.kind == Kind::Flag {
            self.check_unique(block, instruction);
        }
        self.tell((block, instruction), strong, leads);
        self.settle((block, instruction), strong, leads);
    }

    /// Whether a write releases an access of a thread, by each way.
    fn released_by(
        &mut self,
        passage: Passage,
        strong: &Strong,
        active: Expression,
        leads: Option<Expression>,
    ) -> Ways<Expression> {
        let [own, met, led, total, total_met] =
            [passage.own, passage.met, passage.led, passage.total, passage.total_met]
                .map(|variable| self.program.expressions.variable(variable));
        let e = self.e();
        let yes = e.boolean(strong.releases);
        let by_itself = e.or([own, yes]);
        let mut strict = vec![e.and([active, by_itself])];
        let mut total = vec![e.and([active, total])];
        if let Some(leads) = leads {
            let released = e.and([met, yes]);
            let released = e.or([led, released]);
            strict.push(e.and([leads, released]));
            total.push(e.and([leads, total_met]));
        }
        [e.or(strict), e.or(total)]
    }

    /// Notes which of thread 1's accesses a write releases.
    fn tell(&mut self, (block, at): (Block, Instruction), strong: &Strong, leads: [Option<Expression>; 2]) {
        let Some(state) = &self.signalling else { return };
        let stages: Vec<(Passage, Ways<Variable>)> =
            state.stages.values().filter_map(|stage| Some((stage.passage, *stage.told.get(&at)?))).collect();
        let active = self.active(block, 0);
        for (passage, told) in stages {
            let ways = self.released_by(passage, strong, active, leads[0]);
            for (variable, way) in told.into_iter().zip(ways) {
                self.raise(variable, way);
            }
        }
    }

    /// Settles the races that waited for a write of thread 2.
    fn settle(&mut self, (block, at): (Block, Instruction), strong: &Strong, leads: [Option<Expression>; 2]) {
        let Some(state) = &self.signalling else { return };
        let lates = state.lates.clone();
        let Some(&wrote) = state.writes.get(&at) else { return };
        let active = self.active(block, 1);
        for late in lates {
            let released = self.released_by(late.passage, strong, active, leads[1]);
            let mut ways = Vec::new();
            for (read, known) in &late.known {
                let read = self.signalling.as_ref().and_then(|state| state.reads.get(read)).copied();
                let Some(read) = read.filter(|read| read.array == wrote.array) else { continue };
                let Some(seen) = self.has_seen((&wrote, 1), (&read, 0)) else { continue };
                for (way, known) in released.into_iter().zip(known) {
                    let known = self.e().variable(*known);
                    ways.push(self.program.expressions.and([way, known, seen]));
                }
            }
            let settled = self.e().or(ways);
            let before = self.e().variable(late.race);
            let still = self.e().not(settled);
            let after = self.e().and([before, still]);
            if after != before {
                self.assign(late.race, after);
            }
        }
    }

    /// Whether a read has read from a write, or from behind it, by their values.
    fn has_seen(
        &mut self,
        (wrote, writer): (&Executed, usize),
        (read, reader): (&Executed, usize),
    ) -> Option<Expression> {
        let place = self.signals()?.places.get(&wrote.array)?;
        let seen = read.value[reader]?;
        let e = &mut self.program.expressions;
        let mut all = vec![e.equal(wrote.cell[writer], read.cell[reader])];
        match place.kind {
            Kind::Flag => {
                let stored = wrote.value[writer]?;
                let zero = e.number(e.width(seen), 0);
                let unset = e.equal(seen, zero);
                all.push(e.not(unset));
                all.push(e.equal(stored, seen));
            }
            Kind::Counter { .. } => {
                let drawn = wrote.value[writer]?;
                all.push(e.compare(CompareOp::UnsignedLess, drawn, seen));
            }
            Kind::Lock { .. } => return None,
        }
        Some(e.and(all))
    }

    // --- Rules -----------------------------------------------------------------------------------

    /// States that no two stores write the same value to a flag.
    fn check_unique(&mut self, block: Block, at: Instruction) {
        let Some(state) = &self.signalling else { return };
        let writes: Vec<(Instruction, Executed)> = state.writes.iter().map(|(&at, one)| (at, *one)).collect();
        let Some(&now) = state.writes.get(&at) else { return };
        let blocks = self.kernel.instruction_blocks();
        let mut clashes = Vec::new();
        for (other, before) in writes {
            let Some(place) = blocks[other].filter(|_| before.array == now.array) else { continue };
            // Two threads, in either order, and one thread at two places.
            let pairs: &[(usize, usize)] = if other == at { &[(0, 1)] } else { &[(0, 1), (1, 0), (0, 0)] };
            for &(first, second) in pairs {
                let both = [self.active(place, first), self.active(block, second)];
                let (Some(stored), Some(stores)) = (before.value[first], now.value[second]) else { continue };
                let e = &mut self.program.expressions;
                let zero = e.number(e.width(stores), 0);
                let none = e.equal(stores, zero);
                let some = e.not(none);
                let same = [e.equal(before.cell[first], now.cell[second]), e.equal(stored, stores), some];
                clashes.push(e.and(both.into_iter().chain(same)));
            }
        }
        let clash = self.e().or(clashes);
        let good = self.e().not(clash);
        self.assert(good, ObligationKind::Signal(SignalRule::Unique));
    }

    /// The number of additions that are made to a cell, at most.
    fn additions(&mut self, array: Array) -> Expression {
        let Some(signals) = self.signals() else { return self.e().number(COUNT_WIDTH, 0) };
        let blocks = self.kernel.instruction_blocks();
        let mut total = self.e().number(COUNT_WIDTH, 0);
        let counts = signals.operations.iter().filter(|(_, one)| one.array == array);
        for (at, _) in counts.filter(|(_, one)| matches!(one.change, Change::Count(..))) {
            let is_led = blocks[*at].is_some_and(|block| signals.leaders.standing(block) == Standing::Led);
            let is_global = self.kernel.arrays[array].space == Space::Global;
            let mut product = self.e().number(COUNT_WIDTH, 1);
            for dimension in 0..3 {
                let query = match (is_led, is_global) {
                    (true, true) => ThreadQuery::NumGroups(dimension),
                    (false, true) => ThreadQuery::GlobalSize(dimension),
                    (true, false) => continue,
                    (false, false) => ThreadQuery::LocalSize(dimension),
                };
                let Some(size) = self.threads.query(&mut self.program.expressions, query, COUNT_WIDTH) else {
                    continue;
                };
                product = self.program.expressions.multiply(product, *size.of(0));
            }
            total = self.e().add(total, product);
        }
        total
    }

    /// Assumes what is known of the numbers with which additions count.
    fn bound_counter(
        &mut self,
        block: Block,
        strong: &Strong,
        executed: &Executed,
        leads: [Option<Expression>; 2],
        step: u64,
    ) {
        let Change::Count(bits, limit) = &strong.change else { return };
        let width = bits.width();
        let additions = self.additions(strong.array);
        // As long as the counter does not wrap.
        let most = (BigUint::from(1_u32) << width) / BigUint::from(step);
        if width < COUNT_WIDTH {
            let most = self.e().bits(Bits::new(COUNT_WIDTH, most.clone()));
            let few = self.e().compare(CompareOp::UnsignedLessEqual, additions, most);
            self.assume(few, "a counter does not wrap");
        }
        let counter = self.kernel.arrays[strong.array].name.clone();
        self.list(Assumed::FewDraws { counter, each_interval: false, most });
        let counts = [0, 1].map(|thread| {
            let active = self.active(block, thread);
            let ways: Vec<Expression> = std::iter::once(active).chain(leads[thread]).collect();
            self.e().or(ways)
        });
        let limits = limit.map(|limit| [0, 1].map(|thread| self.scalar(limit, thread)));
        for thread in 0..2 {
            let Some(drawn) = executed.value[thread] else { continue };
            let e = &mut self.program.expressions;
            let drawn = e.zero_extend(COUNT_WIDTH, drawn);
            let step = e.number(COUNT_WIDTH, step);
            let after = e.add(drawn, step);
            let all = e.multiply(additions, step);
            let within = e.compare(CompareOp::UnsignedLessEqual, after, all);
            let mut condition = vec![counts[thread]];
            if let Some(limits) = limits {
                let limit = e.zero_extend(COUNT_WIDTH, limits[thread]);
                let next = e.add(limit, step);
                condition.push(e.compare(CompareOp::UnsignedLessEqual, additions, next));
            }
            let condition = e.and(condition);
            let bounded = e.implies(condition, within);
            self.assume(bounded, "a counter that begins at zero counts the additions");
        }
        if let Some(state) = &mut self.signalling {
            state.draws.push((*executed, counts));
        }
        let draws = self.signalling.as_ref().map(|state| state.draws.clone()).unwrap_or_default();
        for (other, counted) in draws.into_iter().filter(|(other, _)| other.array == strong.array) {
            for (first, second) in [(0, 1), (1, 0)] {
                let (Some(one), Some(two)) = (other.value[first], executed.value[second]) else { continue };
                let e = &mut self.program.expressions;
                let same = [
                    counted[first],
                    counts[second],
                    e.equal(other.cell[first], executed.cell[second]),
                    e.equal(one, two),
                ];
                let same = e.and(same);
                let distinct = e.not(same);
                self.assume(distinct, "no two additions return the same");
            }
        }
    }

    /// States that a thread sets a counter only when everybody has counted.
    fn check_reset(&mut self, block: Block, strong: &Strong, place: &Place, touch: &Touch) {
        let Kind::Counter { step } = place.kind else { return };
        let additions = self.additions(strong.array);
        let Some(state) = &self.signalling else { return };
        let reads: Vec<(Executed, Knowledge)> = state
            .reads
            .iter()
            .filter(|(_, read)| read.array == strong.array)
            .filter_map(|(at, read)| Some((*read, state.knowledge.get(at)?[0])))
            .collect();
        let mut ways = Vec::new();
        for (read, knowledge) in reads {
            let Some(seen) = read.value[0] else { continue };
            let [own, led] = [knowledge.own, knowledge.led_met].map(|variable| self.e().variable(variable));
            let e = &mut self.program.expressions;
            let knows = e.or([own, led]);
            let seen = e.zero_extend(COUNT_WIDTH, seen);
            let step = e.number(COUNT_WIDTH, step);
            let after = e.add(seen, step);
            let all = e.multiply(additions, step);
            let is_last = e.equal(after, all);
            let same = e.equal(read.cell[0], touch.offset[0]);
            ways.push(e.and([knows, is_last, same]));
        }
        let knows = self.e().or(ways);
        let mut here = vec![self.active(block, 0)];
        if self.pair == Pair::SameGroup && self.kernel.arrays[strong.array].space == Space::Global {
            // It is a statement about one thread. A thread of several groups is one of a pair of
            // threads of different groups, where what its leader tells it is known.
            for dimension in 0..3 {
                let query = ThreadQuery::NumGroups(dimension);
                let Some(groups) = self.threads.query(&mut self.program.expressions, query, COUNT_WIDTH) else {
                    continue;
                };
                let one = self.e().number(COUNT_WIDTH, 1);
                here.push(self.program.expressions.equal(*groups.of(0), one));
            }
        }
        let here = self.e().and(here);
        let good = self.e().implies(here, knows);
        self.assert(good, ObligationKind::Signal(SignalRule::Reset));
    }

    /// An operation on a lock.
    fn change_lock(&mut self, block: Block, strong: &Strong, place: &Place, touch: &Touch) {
        let Kind::Lock { free } = &place.kind else { return };
        if strong.change == Change::Keep {
            return;
        }
        let Some(both) = self.signalling.as_ref().and_then(|state| state.holds.get(&strong.array)).copied() else {
            return;
        };
        let active = [0, 1].map(|thread| self.active(block, thread));
        let free_value = self.e().bits(free.clone());
        if signals::is_taking(self.kernel, strong, free) {
            let (Change::Swap(_, to) | Change::Exchange(to), Some(result)) = (&strong.change, strong.result) else {
                return;
            };
            let stored = self.scalar(*to, 0);
            let gives = self.e().equal(stored, free_value);
            let takes = self.e().not(gives);
            let good = self.e().implies(active[0], takes);
            self.assert(good, ObligationKind::Signal(SignalRule::Taken));
            if let Some(state) = &mut self.signalling {
                state.taken.push((strong.array, touch.offset[0]));
            }
            for (thread, hold) in both.into_iter().enumerate() {
                let seen = self.scalar(result, thread);
                let was_free = self.e().equal(seen, free_value);
                let taken = self.e().and([active[thread], was_free]);
                let acquires = self.e().boolean(strong.acquires);
                self.raise(hold.holds, taken);
                self.assign_if(taken, hold.acquired, acquires);
                let no = self.e().boolean(false);
                self.assign_if(taken, hold.released, no);
                self.assign_if(taken, hold.cell, touch.offset[thread]);
            }
            return;
        }
        let [holds, acquired, cell] =
            [both[0].holds, both[0].acquired, both[0].cell].map(|variable| self.e().variable(variable));
        let same = self.e().equal(cell, touch.offset[0]);
        let held = self.e().and([holds, acquired, same]);
        let good = self.e().implies(active[0], held);
        self.assert(good, ObligationKind::Signal(SignalRule::Held));
        if !strong.releases {
            let released = self.e().variable(both[0].released);
            let good = self.e().implies(active[0], released);
            self.assert(good, ObligationKind::Signal(SignalRule::Released));
            let state = self.signalling.as_ref();
            let under: Vec<(Site, Variable, Variable)> = state
                .into_iter()
                .flat_map(|state| &state.stages)
                .filter_map(|(&site, stage)| Some((site, stage.locks.get(&strong.array)?.0, stage.passage.own)))
                .collect();
            let mut open = Vec::new();
            for (site, held, released) in under {
                let hit = self.program.sites[site].hit;
                let [hit, held, released] = [hit, held, released].map(|variable| self.e().variable(variable));
                let pending = self.e().not(released);
                open.push(self.program.expressions.and([hit, held, pending]));
            }
            let open = self.e().or(open);
            let open = self.e().and([active[0], open]);
            let good = self.e().not(open);
            self.assert(good, ObligationKind::Signal(SignalRule::Released));
        }
        for (thread, hold) in both.into_iter().enumerate() {
            let keeps = self.e().not(active[thread]);
            for variable in [hold.holds, hold.acquired, hold.released] {
                let before = self.e().variable(variable);
                let after = self.e().and([before, keeps]);
                self.assign(variable, after);
            }
        }
    }

    // --- Races -----------------------------------------------------------------------------------

    /// Lets a new hit of a site begin anew.
    pub fn begin_passage(&mut self, site: Site, hit_now: Expression) {
        let Some(stage) = self.signalling.as_ref().and_then(|state| state.stages.get(&site)).cloned() else { return };
        let no = self.e().boolean(false);
        let Passage { own, met, led, total, total_met } = stage.passage;
        for variable in [own, met, led, total, total_met].into_iter().chain(stage.told.values().flatten().copied()) {
            self.assign_if(hit_now, variable, no);
        }
        for (read, variables) in &stage.known {
            let ways = self.ways_known(*read, 0);
            for (&variable, way) in variables.iter().zip(ways) {
                self.assign_if(hit_now, variable, way);
            }
        }
        for (lock, (held, cell)) in stage.locks {
            let Some(hold) = self.signalling.as_ref().and_then(|state| state.holds.get(&lock)).map(|both| both[0])
            else {
                continue;
            };
            let [holds, acquired, now] =
                [hold.holds, hold.acquired, hold.cell].map(|variable| self.e().variable(variable));
            let is_held = self.e().and([holds, acquired]);
            self.assign_if(hit_now, held, is_held);
            self.assign_if(hit_now, cell, now);
        }
    }

    /// The cells of locks that thread 1 may hold at a site, and what is likely to hold of them at a
    /// hit.
    pub fn locks_at(&mut self, site: Site) -> Vec<(Expression, Expression)> {
        let Some(state) = &self.signalling else { return Vec::new() };
        let Some(stage) = state.stages.get(&site) else { return Vec::new() };
        let taken: Vec<(Variable, Variable, Expression)> = state
            .taken
            .iter()
            .filter_map(|(lock, cell)| stage.locks.get(lock).map(|&(held, at)| (held, at, *cell)))
            .collect();
        let condition = |(held, at, cell): (Variable, Variable, Expression)| {
            let e = &mut self.program.expressions;
            let [held, at] = [held, at].map(|variable| e.variable(variable));
            let same = e.equal(at, cell);
            (cell, e.implies(held, same))
        };
        taken.into_iter().map(condition).collect()
    }

    /// Whether a thread has acquired by a read, by each way.
    fn ways_known(&mut self, read: Instruction, thread: usize) -> Ways<Expression> {
        let knowledge = self.signalling.as_ref().and_then(|state| state.knowledge.get(&read)).map(|both| both[thread]);
        let Some(knowledge) = knowledge else { return [self.e().boolean(false); 2] };
        let e = &mut self.program.expressions;
        let [acquired, acquired_met, total, total_met] =
            [knowledge.acquired, knowledge.acquired_met, knowledge.total, knowledge.total_met]
                .map(|variable| e.variable(variable));
        [e.or([acquired, acquired_met]), e.or([total, total_met])]
    }

    /// Whether signals order thread 1's hit of a site and what thread 2 does now at another.
    pub fn ordered_by_signals(&mut self, hit: Site, now: Site, touch: &Touch) -> Option<Expression> {
        let state = self.signalling.as_ref()?;
        let stage = state.stages.get(&hit)?.clone();
        let array = self.sites.states[now].as_ref()?.kernel_array;
        let (writes, reads) = (state.writes.clone(), state.reads.clone());
        let mut ordered = Vec::new();
        for (write, told) in &stage.told {
            let Some(wrote) = writes.get(write).filter(|wrote| self.reaches(wrote.array, array)) else { continue };
            for (at, read) in reads.iter().filter(|(_, read)| read.array == wrote.array) {
                let Some(seen) = self.has_seen((wrote, 0), (read, 1)) else { continue };
                let known = self.ways_known(*at, 1);
                for (told, known) in told.iter().zip(known) {
                    let told = self.e().variable(*told);
                    ordered.push(self.program.expressions.and([told, known, seen]));
                }
            }
        }
        for (lock, (held, cell)) in &stage.locks {
            let hold = self.signalling.as_ref().and_then(|state| state.holds.get(lock)).map(|both| both[1]);
            let Some(hold) = hold.filter(|_| self.reaches(*lock, array)) else { continue };
            let e = &mut self.program.expressions;
            let [held, cell, holds, acquired, now] =
                [*held, *cell, hold.holds, hold.acquired, hold.cell].map(|variable| e.variable(variable));
            let same = e.equal(cell, now);
            ordered.push(e.and([held, holds, acquired, same]));
        }
        ordered.extend(self.ordered_by_observation(hit, touch));
        Some(self.e().or(ordered))
    }

    /// Whether thread 1's write to a place, which is the hit itself, was observed by thread 2. In
    /// PTX, what precedes in observation order an operation that comes first in program order
    /// precedes in causality order.
    fn ordered_by_observation(&mut self, hit: Site, touch: &Touch) -> Vec<Expression> {
        let Some(state) = &self.signalling else { return Vec::new() };
        if !signals::has_fence_order(self.kernel.language) {
            return Vec::new();
        }
        let of_hit = self.sites.by_access.iter().find(|(_, site)| **site == hit).map(|((at, ..), _)| *at);
        let Some((at, &wrote)) = of_hit.and_then(|at| Some((at, state.writes.get(&at)?))) else { return Vec::new() };
        let (reads, knowledge) = (state.reads.clone(), state.knowledge.clone());
        let mut ordered = Vec::new();
        for (read, executed) in reads.iter().filter(|(_, read)| read.array == wrote.array) {
            // The operation itself is compared before it counts as executed.
            if *read == touch.instruction || (at == *read && touch.instruction == at) {
                continue;
            }
            let Some(seen) = self.has_seen((&wrote, 0), (executed, 1)) else { continue };
            let Some(both) = knowledge.get(read) else { continue };
            let e = &mut self.program.expressions;
            let [own, led] = [both[1].own, both[1].led_met].map(|variable| e.variable(variable));
            let knows = e.or([own, led]);
            ordered.push(e.and([knows, seen]));
        }
        ordered
    }

    /// The condition to assert where two accesses would race: the race must not be, unless thread 2
    /// may still release its access to thread 1. Then the race is noted.
    pub fn unless_late(&mut self, logged: Site, checked: Site, race: Expression) -> Expression {
        let now = self.e().not(race);
        let Some(state) = &self.signalling else { return now };
        let Some(stage) = state.stages.get(&logged) else { return now };
        let Some(array) = self.sites.states[checked].as_ref().map(|state| state.kernel_array) else { return now };
        let of_write = |at: &Instruction| self.signals().and_then(|signals| signals.operations.get(at));
        let ahead: Vec<Array> = stage
            .told
            .keys()
            .filter(|at| !state.writes.contains_key(at))
            .filter_map(|at| Some(of_write(at)?.array))
            .filter(|&place| self.reaches(place, array))
            .collect();
        let known: BTreeMap<Instruction, Ways<Variable>> = stage
            .known
            .iter()
            .filter(|(at, _)| state.reads.get(at).is_some_and(|read| ahead.contains(&read.array)))
            .map(|(&at, &ways)| (at, ways))
            .collect();
        if known.is_empty() || self.e().as_boolean(race) == Some(false) {
            return now;
        }
        let any: Vec<Expression> =
            known.values().flatten().map(|&way| self.program.expressions.variable(way)).collect();
        let any = self.e().or(any);
        let waits = self.e().and([race, any]);
        let number = self.signalling.as_ref().map_or(0, |state| state.lates.len());
        let name = format!("late.{number}");
        let late = Late {
            race: self.flag(&name, None),
            passage: self.passage(&name, None),
            known: known
                .keys()
                .map(|&at| {
                    let name = format!("{name}.known.{}", at.as_u32());
                    (at, [self.flag(&name, None), self.flag(&format!("{name}.total"), None)])
                })
                .collect(),
            logged,
            checked,
        };
        let no = self.e().boolean(false);
        // Another race may wait already, with what thread 1 had acquired before another access.
        let waited = self.e().variable(late.race);
        let alone = self.e().not(waited);
        let Passage { own, met, led, total, total_met } = late.passage;
        for variable in [own, met, led, total, total_met] {
            self.assign_if(waits, variable, no);
        }
        for (at, ways) in &late.known {
            for (&to, from) in ways.iter().zip(known[at]) {
                let [from, before] = [from, to].map(|variable| self.e().variable(variable));
                let before = self.e().or([alone, before]);
                let both = self.e().and([before, from]);
                self.assign_if(waits, to, both);
            }
        }
        self.raise(late.race, waits);
        let loops: Vec<Loop> = self.open_loops.iter().map(|open| open.loop_).collect();
        for loop_ in loops {
            let race = self.e().variable(late.race);
            let none = self.e().not(race);
            self.suggest_condition(loop_, none);
        }
        if let Some(state) = &mut self.signalling {
            state.lates.push(late);
        }
        let not_late = self.e().not(any);
        let race = self.e().and([race, not_late]);
        self.e().not(race)
    }

    /// Asserts at the end that no race waits any more.
    pub fn check_late(&mut self) {
        let Some(state) = &self.signalling else { return };
        for Late { race, logged, checked, .. } in state.lates.clone() {
            self.location = self.program.sites[checked].location;
            let race = self.e().variable(race);
            let good = self.e().not(race);
            self.assert(good, ObligationKind::Race { logged, checked });
        }
    }
}
