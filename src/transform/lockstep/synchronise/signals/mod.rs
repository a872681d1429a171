//! Synchronisation through memory: what the plan of [`crate::signals`] makes of the two threads'
//! operations. The argument is there.
//!
//! Ghosts follow both sides of an order.
//!
//! * **Thread 1's hits.** For each site, [`Passage`] follows how far the access has been made
//!   known: behind the thread's own releasing fence, behind a barrier of the group and then the
//!   leader's fence. `told` says for each write w to a place whether w releases the access. A new
//!   hit begins anew.
//! * **What a thread has acquired.** For each read r of a place, [`Knowledge`] follows whether the
//!   thread, or the leader of its group, has executed it, and has acquired since. In a loop this is
//!   about the last execution, whose cell and value are kept ([`Execution`]): each begins anew.
//!
//! Thread 1's hit x and thread 2's access y do not race if some w that releases x and some r that
//! thread 2 has acquired before y are of the same cell, with values by which r reads from w or from
//! behind it ([`Lowering::ordered_by_signals`]).
//!
//! In a loop a write may be executed many times. Then its first execution that releases the hit
//! counts, with its cell and value ([`Told`]), also where the walk has not come to the write yet.
//! The last number that a thread has stored is followed, too ([`progress`]).
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

mod events;
mod leaders;
mod order;
mod progress;
mod rules;

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Array, Block, Instruction, Space};
use lockstep_ir::sequential::{Copies, Expression, Loop, Pair, Role, Site, Sort, Statement, Variable};
use rustc_hash::FxHashMap;

use self::progress::Last;
use crate::lockstep::Lowering;
use crate::lockstep::instrument::sites::Conflict;
use crate::lockstep::loops::OpenLoop;
use crate::signals::leaders::Standing;
use crate::signals::{Change, Kind, Place, Signals, Strong};

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

/// The progress of a hit of a site.
#[derive(Clone, Debug)]
struct Stage {
    passage: Passage,
    /// Whether each write releases the access.
    told: BTreeMap<Instruction, Told>,
    /// Whether the thread had acquired by each read when it made the access.
    known: BTreeMap<Instruction, Known>,
    /// The lock of each array under which the thread made the access.
    locks: BTreeMap<Array, Under>,
}

/// Whether a write releases a hit, by each way, and the first execution that does, if there may be
/// several.
#[derive(Clone, Copy, Debug)]
struct Told {
    ways: Ways<Variable>,
    first: Option<Ways<Execution>>,
}

/// A lock under which an access was made.
#[derive(Clone, Copy, Debug)]
struct Under {
    /// Whether there was one, which the thread or its leader had acquired.
    held: Variable,
    cell: Variable,
    /// Whether it was the leader's alone.
    of_leader: Variable,
}

/// A race that is none if thread 2 goes on to release its access.
#[derive(Clone, Debug)]
struct Late {
    race: Variable,
    passage: Passage,
    /// Whether thread 1 had acquired by each read before its access.
    known: BTreeMap<Instruction, Known>,
    logged: Site,
    checked: Site,
}

/// The knowledge of a thread by a read of a place.
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
    /// The last execution, if there may be several: the thread's own or its leader's. One pair of
    /// cell and value is enough for both, because each execution clears all that was known.
    seen: Option<Execution>,
}

impl Knowledge {
    /// All that a thread may know by a read.
    fn flags(&self) -> [Variable; 9] {
        [
            self.own,
            self.acquired,
            self.total,
            self.led,
            self.led_acquired,
            self.led_total,
            self.led_met,
            self.acquired_met,
            self.total_met,
        ]
    }
}

/// An execution of an operation in a loop.
#[derive(Clone, Copy, Debug)]
struct Execution {
    cell: Variable,
    value: Variable,
}

/// A read in a loop, as a thread executes it in an iteration.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// Whether the thread executes it, or its leader.
    executes: Expression,
    cell: Expression,
}

/// Whether a thread had acquired by a read at some time, by each way, and the execution of the read
/// by which it had, if there may be several.
#[derive(Clone, Copy, Debug)]
struct Known {
    ways: Ways<Variable>,
    seen: Option<Execution>,
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
    /// The hold of its leader; none where no leader takes a lock.
    led: Option<Led>,
}

/// The hold of a group's leader on the locks of an array.
#[derive(Clone, Copy, Debug)]
struct Led {
    /// Whether the leader holds a lock, and has acquired since it took it.
    holds: Variable,
    acquired: Variable,
    /// Whether a barrier of the group has followed, so that the group excludes other groups.
    met: Variable,
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
    /// The reads in loops.
    rounds: BTreeMap<Instruction, [Round; 2]>,
    /// The writes, as they are executed where the walk comes to them.
    writes: BTreeMap<Instruction, Executed>,
    /// The last execution of each write that tells how far a thread has come.
    lasts: BTreeMap<Instruction, [Last; 2]>,
    /// The numbers that these writes store.
    stored: BTreeMap<Instruction, [Expression; 2]>,
    holds: BTreeMap<Array, [Hold; 2]>,
    /// The cells at which thread 1 tries to take locks.
    taken: Vec<(Array, Expression)>,
    /// The numbers of the threads' own with which they wait for their turns, with the blocks.
    turns: Vec<(Block, Executed)>,
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

    /// The place that an operation is on, if both threads synchronise through it.
    fn place_of(&self, strong: &Strong) -> Option<&'a Place> {
        let place = self.signals()?.places.get(&strong.array)?;
        self.is_shared(strong.array, place).then_some(place)
    }

    /// Whether both threads synchronise through a place.
    fn is_shared(&self, array: Array, place: &Place) -> bool {
        let is_one = self.kernel.arrays[array].space == Space::Global || self.pair == Pair::SameGroup;
        is_one && self.includes_both(place.is_wide)
    }

    /// The operations on places of this kind that are no locks, and their places.
    fn usable(&self, picks: impl Fn(&Strong) -> bool) -> Vec<(Instruction, &'a Strong)> {
        let Some(signals) = self.signals() else { return Vec::new() };
        let mut all: Vec<(Instruction, &Strong)> =
            signals.operations.iter().map(|(&at, strong)| (at, strong)).collect();
        all.retain(|(_, strong)| picks(strong) && self.place_of(strong).is_some_and(|place| !place.kind.excludes()));
        all
    }

    fn writes_of_signals(&self) -> Vec<(Instruction, &'a Strong)> {
        self.usable(|strong| match strong.change {
            Change::Keep => false,
            // Setting a counter tells nothing.
            Change::Store(_) | Change::Exchange(_) => {
                self.place_of(strong).is_some_and(|place| matches!(place.kind, Kind::Flag | Kind::Progress))
            }
            Change::Count(..) | Change::Swap(..) | Change::Other => true,
        })
    }

    /// The number of ways in which orders may hold. The fences of a thread that signals also
    /// release and acquire.
    fn ways(&self) -> usize {
        1 + usize::from(self.signals().is_some_and(|signals| signals.by_others_fences))
    }

    /// A write, if its thread may store to the cell more than once.
    fn goes_on(&self, strong: &'a Strong) -> Option<&'a Strong> {
        self.place_of(strong).filter(|place| place.kind == Kind::Progress).map(|_| strong)
    }

    /// An operation, if it is in a loop.
    fn repeated(&self, at: Instruction, strong: &'a Strong) -> Option<&'a Strong> {
        let block = self.kernel.instruction_blocks()[at]?;
        self.facts.structure.loop_of[block].is_some().then_some(strong)
    }

    // --- Declarations ----------------------------------------------------------------------------

    fn ghost(&mut self, name: &str, thread: Option<usize>, sort: Sort) -> Variable {
        let name = match thread {
            Some(thread) => format!("{name}${}", thread + 1),
            None => name.to_owned(),
        };
        let variable = self.e().add_variable(&name, sort, thread, Role::Ghost);
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

    /// The ghosts of an execution of an operation.
    fn execution(&mut self, name: &str, thread: Option<usize>, strong: &Strong) -> Execution {
        let cell = Sort::Bits(self.kernel.pointer_bits);
        Execution {
            cell: self.ghost(&format!("{name}.cell"), thread, cell),
            value: self.ghost(&format!("{name}.value"), thread, Sort::Bits(strong.width())),
        }
    }

    /// The ghosts of what a thread knew by a read; `repeated` is one in a loop.
    fn known(&mut self, name: &str, thread: Option<usize>, repeated: Option<&Strong>) -> Known {
        Known {
            ways: [self.flag(name, thread), self.flag(&format!("{name}.total"), thread)],
            seen: repeated.map(|read| self.execution(name, thread, read)),
        }
    }

    /// The ghosts of whether a write has released a hit.
    fn told(&mut self, name: &str, repeated: Option<&Strong>) -> Told {
        let names = [name.to_owned(), format!("{name}.total")];
        Told {
            ways: names.each_ref().map(|name| self.flag(name, Some(0))),
            first: repeated.map(|write| names.each_ref().map(|name| self.execution(name, Some(0), write))),
        }
    }

    /// Declares the ghosts.
    pub fn start_signals(&mut self) {
        let Some(signals) = self.signals() else { return };
        if signals.waits {
            self.list(Assumed::Termination);
        }
        let (writes, reads) = (self.writes_of_signals(), self.usable(Strong::reads));
        let locks: Vec<Array> = self.locks().into_iter().map(|(array, _)| array).collect();
        let mut stages = BTreeMap::new();
        let has_places = !signals.places.is_empty();
        let sites: Vec<Site> = self.program.sites.keys().filter(|&site| has_places && self.may_race(site)).collect();
        for site in sites {
            let Some(state) = &self.sites.states[site] else { continue };
            let array = state.kernel_array;
            let name = format!("at.{}", site.as_u32());
            let passage = self.passage(&name, Some(0));
            let mut told = BTreeMap::new();
            for (at, strong) in self.reaching(&writes, array) {
                let name = format!("{name}.told.{}", at.as_u32());
                let repeated = self.goes_on(strong);
                told.insert(at, self.told(&name, repeated));
            }
            let mut known = BTreeMap::new();
            for (at, strong) in self.reaching(&reads, array) {
                let name = format!("{name}.known.{}", at.as_u32());
                let repeated = self.repeated(at, strong);
                known.insert(at, self.known(&name, Some(0), repeated));
            }
            let mut held = BTreeMap::new();
            // The lock itself is not accessed under its own protection.
            let is_under = |&lock: &Array| lock != array && self.reaches(lock, array);
            let of_site: Vec<Array> = locks.iter().copied().filter(is_under).collect();
            for lock in of_site {
                let bits = Sort::Bits(self.kernel.pointer_bits);
                let name = format!("{name}.lock.{}", lock.as_u32());
                let under = Under {
                    held: self.flag(&name, Some(0)),
                    cell: self.ghost(&format!("{name}.cell"), Some(0), bits),
                    of_leader: self.flag(&format!("{name}.led"), Some(0)),
                };
                held.insert(lock, under);
            }
            stages.insert(site, Stage { passage, told, known, locks: held });
        }
        let mut knowledge = BTreeMap::new();
        let mut executed = BTreeMap::new();
        for (at, strong) in reads {
            let repeated = self.repeated(at, strong);
            let both = [0, 1].map(|thread| {
                let seen = repeated.map(|read| self.execution(&format!("read.{}", at.as_u32()), Some(thread), read));
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
                    seen,
                }
            });
            if let [Some(one), Some(two)] = both.map(|knowledge| knowledge.seen) {
                executed.insert(at, self.executions(strong.array, [one, two]));
            }
            knowledge.insert(at, both);
        }
        let mut lasts = BTreeMap::new();
        for &(at, strong) in &writes {
            if self.goes_on(strong).is_some() {
                lasts.insert(at, [0, 1].map(|thread| self.last(at, strong, thread)));
            }
        }
        let mut holds = BTreeMap::new();
        for lock in locks {
            let both = [0, 1].map(|thread| Hold {
                holds: self.flag(&format!("lock.{}", lock.as_u32()), Some(thread)),
                acquired: self.flag(&format!("lock.{}.acquired", lock.as_u32()), Some(thread)),
                released: self.flag(&format!("lock.{}.released", lock.as_u32()), Some(thread)),
                led: self.is_led(lock).then(|| Led {
                    holds: self.flag(&format!("lock.{}.led", lock.as_u32()), Some(thread)),
                    acquired: self.flag(&format!("lock.{}.led.acquired", lock.as_u32()), Some(thread)),
                    met: self.flag(&format!("lock.{}.led.met", lock.as_u32()), Some(thread)),
                    cell: self.ghost(
                        &format!("lock.{}.led.cell", lock.as_u32()),
                        Some(thread),
                        Sort::Bits(self.kernel.pointer_bits),
                    ),
                }),
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
            reads: executed,
            rounds: BTreeMap::new(),
            writes: BTreeMap::new(),
            lasts,
            stored: BTreeMap::new(),
            holds,
            taken: Vec::new(),
            turns: Vec::new(),
            draws: Vec::new(),
        }));
    }

    /// Whether an access by the other thread conflicts with one at a site.
    fn may_race(&self, site: Site) -> bool {
        let others = self.sites.compared.get(&self.program.sites[site].array);
        others.into_iter().flatten().any(|&other| self.sites_conflict(site, other) != Conflict::Never)
    }

    /// The operations by way of which there is an order for accesses to an array.
    fn reaching(&self, operations: &[(Instruction, &'a Strong)], array: Array) -> Vec<(Instruction, &'a Strong)> {
        operations.iter().filter(|(_, strong)| self.reaches(strong.array, array)).copied().collect()
    }

    /// The executions of an operation that the two threads' ghosts tell.
    fn executions(&mut self, array: Array, both: [Execution; 2]) -> Executed {
        let cell = both.map(|one| self.program.expressions.variable(one.cell));
        let value = both.map(|one| Some(self.program.expressions.variable(one.value)));
        Executed { array, cell, value }
    }

    /// Whether an order by way of a place is one for accesses to an array.
    fn reaches(&self, place: Array, array: Array) -> bool {
        let (place, data) = (&self.kernel.arrays[place], &self.kernel.arrays[array]);
        let is_image = matches!(data.origin, kernel::ArrayOrigin::Image { .. });
        !is_image && (self.kernel.language != kernel::Language::OpenCl || place.space == data.space)
    }

    /// Whether leaders may take locks of an array for their groups.
    fn is_led(&self, lock: Array) -> bool {
        let Some(signals) = self.signals().filter(|_| self.pair == Pair::DifferentGroups) else { return false };
        let blocks = self.kernel.instruction_blocks();
        let mut of_lock = signals.operations.iter().filter(|(_, strong)| strong.array == lock);
        of_lock.any(|(at, _)| blocks[*at].is_some_and(|block| signals.leaders.standing(block) == Standing::Led))
    }

    fn locks(&self) -> Vec<(Array, &'a Place)> {
        let Some(signals) = self.signals() else { return Vec::new() };
        let mut all: Vec<(Array, &Place)> = signals.places.iter().map(|(&array, place)| (array, place)).collect();
        all.retain(|(array, place)| place.kind.excludes() && self.is_shared(*array, place));
        all
    }

    /// Suggests what holds at the head of a loop.
    pub fn suggest_of_signals(&mut self, loop_: Loop) {
        let Some(state) = &self.signalling else { return };
        let of_hold = |hold: &Hold| {
            let led = hold.led.map(|led| [led.holds, led.met]);
            [hold.holds, hold.acquired].into_iter().chain(led.into_iter().flatten())
        };
        let holds: Vec<Variable> = state.holds.values().flatten().flat_map(of_hold).collect();
        let holds_of_first: BTreeMap<Array, Hold> = state.holds.iter().map(|(&array, both)| (array, both[0])).collect();
        let hits: Vec<(Site, Stage)> = state.stages.iter().map(|(&site, stage)| (site, stage.clone())).collect();
        for variable in holds {
            let holds = self.e().variable(variable);
            let free = self.e().not(holds);
            self.suggest_condition(loop_, free);
        }
        for (site, Stage { passage, locks, .. }) in hits.into_iter().filter(|(_, stage)| !stage.locks.is_empty()) {
            let hit = self.program.sites[site].hit;
            let [hit, released] = [hit, passage.own].map(|variable| self.e().variable(variable));
            for (lock, Under { held, cell, of_leader }) in locks {
                let Some(now) = holds_of_first.get(&lock) else { continue };
                if now.led.is_some() {
                    let led = self.e().variable(of_leader);
                    let own = self.e().not(led);
                    let is_own = self.e().implies(hit, own);
                    self.suggest_condition(loop_, is_own);
                }
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

    /// Suggests what holds of the threads that have left a loop at this edge: what they know by the
    /// last execution of each read before it.
    pub fn suggest_of_leaving(&mut self, loops: &[Loop], left: Copies<Variable>) {
        let Some(state) = &self.signalling else { return };
        let reads: Vec<(Instruction, [Expression; 2])> =
            state.rounds.iter().map(|(&at, both)| (at, both.map(|round| round.cell))).collect();
        for (read, cells) in reads {
            for (thread, now) in cells.into_iter().enumerate() {
                let Some(known) = self.signalling.as_ref().map(|state| state.knowledge[&read][thread]) else { return };
                let Some(seen) = known.seen else { continue };
                let mut likely: Vec<Expression> =
                    known.flags().into_iter().map(|flag| self.program.expressions.variable(flag)).collect();
                let [cell, value] = [seen.cell, seen.value].map(|variable| self.e().variable(variable));
                likely.push(self.e().equal(cell, now));
                for number in self.stored_at(read) {
                    let number = self.e().bits(number);
                    likely.push(self.e().equal(value, number));
                }
                let left = self.e().variable(*left.of(thread));
                for condition in likely {
                    let condition = self.e().implies(left, condition);
                    for &loop_ in loops {
                        self.suggest_condition(loop_, condition);
                    }
                }
            }
        }
    }

    /// Suggests what holds at the head of a loop of the reads in the iteration before.
    pub fn suggest_of_last_round(&mut self, open: &OpenLoop) {
        let Some(state) = &self.signalling else { return };
        let reads: Vec<(Instruction, [Round; 2])> = state.rounds.iter().map(|(&at, &both)| (at, both)).collect();
        let loop_ = open.loop_;
        self.suggest_of_last_stored(open);
        for (read, rounds) in reads {
            if !self.is_inside(read, open) {
                continue;
            }
            for (thread, Round { executes, cell }) in rounds.into_iter().enumerate() {
                let Some(seen) = self.last_seen(read, thread) else { continue };
                let before = self.last_round(loop_, thread);
                let conditions = self.decided_by(read, thread);
                let mut likely = self.ways_known(read, thread).to_vec();
                likely.truncate(self.ways());
                let [last_cell, value] = [seen.cell, seen.value].map(|variable| self.e().variable(variable));
                likely.push(self.e().equal(last_cell, cell));
                for (returned, condition) in conditions {
                    let mut then = before.clone();
                    then.insert(returned, value);
                    let holds = self.e().substitute(condition, &then, &mut FxHashMap::default());
                    let fails = self.e().not(holds);
                    likely.extend([holds, fails]);
                }
                let mut executed = self.e().conjuncts(executes);
                executed.retain(|&condition| self.stays_in(condition, loop_));
                let counter = self.program.loops[loop_].counter;
                let [active, counter] = [*open.active.of(thread), counter].map(|variable| self.e().variable(variable));
                let e = &mut self.program.expressions;
                let zero = e.number(e.width(counter), 0);
                let is_first = e.equal(counter, zero);
                executed.extend([active, e.not(is_first)]);
                let executed = e.and(executed);
                for condition in likely {
                    let condition = self.e().implies(executed, condition);
                    self.suggest_condition(loop_, condition);
                }
            }
        }
    }

    fn is_inside(&self, at: Instruction, open: &OpenLoop) -> bool {
        let structure = &self.facts.structure;
        let block = self.kernel.instruction_blocks()[at];
        block.is_some_and(|block| structure.contains(open.index, structure.loop_of[block]))
    }

    /// The numbers of the iteration before that a thread carries through a loop, in terms of those
    /// of this one.
    fn last_round(&mut self, loop_: Loop, thread: usize) -> FxHashMap<Variable, Expression> {
        let carried = self.program.loops[loop_].carried.clone();
        let mut before = FxHashMap::default();
        for one in carried {
            let (variable, next) = (*one.variable.of(thread), *one.next.of(thread));
            let e = &mut self.program.expressions;
            if !matches!(e.sort(next), Sort::Bits(_)) {
                continue;
            }
            let now = e.variable(variable);
            let step = e.subtract(next, now);
            if e.as_bits(step).is_some() {
                before.insert(variable, e.subtract(now, step));
            }
        }
        before
    }

    /// Whether a condition mentions nothing that changes in a loop.
    fn stays_in(&self, condition: Expression, loop_: Loop) -> bool {
        let mut stays = true;
        self.program.expressions.for_each_variable(condition, |variable| {
            let home = self.homes[variable];
            stays &= !home.is_some_and(|home| self.lies_in(home, loop_));
        });
        stays
    }

    /// The constants that are stored at the place of a read.
    fn stored_at(&self, read: Instruction) -> BTreeSet<Bits> {
        let Some(signals) = self.signals() else { return BTreeSet::new() };
        let Some(strong) = signals.operations.get(&read) else { return BTreeSet::new() };
        let changes = signals.operations.values().filter(|other| other.array == strong.array);
        let stored = changes.filter_map(|other| match other.change {
            Change::Store(value) | Change::Exchange(value) => self.kernel.constant(value).cloned(),
            Change::Keep | Change::Count(..) | Change::Swap(..) | Change::Other => None,
        });
        stored.filter(|value| !value.is_zero()).collect()
    }
}
