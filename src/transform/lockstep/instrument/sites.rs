//! The access sites of a kernel and their ghost variables. They are declared before the walk
//! because a check in a loop looks at hits of sites that come later in the body.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{self, Instruction, InstructionData, Language, Operation, Scope, Value};
use lockstep_ir::sequential::{
    self, AccessKind, Copies, Expression, Pair, Recorded, Role, Site, SiteData, Sort, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::accesses::{byte_width, for_each_access};
use crate::lockstep::Lowering;
use crate::lockstep::synchronise::named::RoundsAtHit;

/// The most cells of a written value that is tracked.
const MAX_TRACKED_CELLS: u64 = 16;

/// The state of a site during the walk, beyond [`SiteData`].
#[derive(Clone, Debug)]
pub struct SiteState {
    pub kernel_array: kernel::Array,
    /// Cells per access; `None` if not constant.
    pub cells: Option<u64>,
    /// Whether the access changes memory (an atomic load does not).
    pub writes: bool,
    /// The scope, for atomics.
    pub atomic: Option<Scope>,
    /// The bytes of a volatile store that is a relaxed atomic one ([`Lowering::strong_bytes`]).
    pub strong: Option<u64>,
    /// The event of the copy that the hit belongs to, for asynchronous copies.
    pub event: Option<Variable>,
    /// Whether the thread of the hit has waited for it, for asynchronous copies of a thread.
    pub waited: Option<Variable>,
    /// The numbers of the rounds of barriers, where there are any.
    pub rounds: Vec<RoundsAtHit>,
    /// The position of the watched cell among the access's cells, for atomics of several cells.
    pub place: Option<Variable>,
    /// Thread 1's values of variables that change in loops around the site, filled in by the walk.
    pub recorded: Vec<Recorded>,
    /// The conditions over original variables that held at the hit, filled in by the walk.
    pub conditions: Vec<Expression>,
    /// Whether the site's access became the hit where it was logged. Writes that repeat the access
    /// depend on it.
    pub logged: Option<Expression>,
    pub offset: Option<Copies<Expression>>,
    pub active: Option<Copies<Expression>>,
}

/// All sites of the kernel.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// The sites by instruction, array and position among the instruction's accesses.
    pub by_access: BTreeMap<(Instruction, kernel::Array, usize), Site>,
    pub states: SecondaryMap<Site, Option<SiteState>>,
    /// The sites of each array that accesses are compared with, without the sites that share
    /// another site's hit.
    pub compared: BTreeMap<sequential::Array, BTreeSet<Site>>,
    /// Whether there are so many sites that they share hits where they can ([`super::races`]).
    pub share_hits: bool,
    /// The sites logged since hits last changed in any other way, by the condition under which they
    /// are hit.
    pub logged_alike: FxHashMap<Expression, Vec<Site>>,
    /// The values written by sites that share hits, by the site that owns the hit; `None` where
    /// they write several values.
    pub values_written: FxHashMap<Site, Option<Expression>>,
    /// The assertions about accesses outside loops since hits last changed in any other way.
    pub asserted: FxHashSet<Expression>,
    /// The pairs of sites that were compared.
    pub races: usize,
}

/// The most pairs of sites of one array without shared hits.
const FEW_PAIRS: usize = 20_000;

impl Sites {
    /// Whether a site shares the hit of another one.
    pub fn follows(&self, site: Site, array: sequential::Array) -> bool {
        self.share_hits && self.compared.get(&array).is_none_or(|compared| !compared.contains(&site))
    }

    /// Ends the stretch in which hits are shared, because hits may have changed.
    pub fn end_stretch(&mut self) {
        self.logged_alike.clear();
        self.asserted.clear();
    }
}

impl SiteState {
    /// Whether barriers order the access before later ones: an asynchronous copy of the group goes
    /// on beside them, and one of a thread until the thread has waited for it.
    pub fn is_ordered_by_barriers(&self) -> bool {
        self.event.is_none() || self.waited.is_some()
    }

    /// Whether every access that conflicts with one of the two sites conflicts with the other.
    fn conflicts_like(&self, other: &Self) -> bool {
        let fixed = |state: &Self| state.event.is_none() && state.place.is_none();
        fixed(self)
            && fixed(other)
            && (self.kernel_array, self.cells, self.writes, self.atomic, self.strong)
                == (other.kernel_array, other.cells, other.writes, other.atomic, other.strong)
    }
}

impl Lowering<'_> {
    pub fn declare_sites(&mut self) {
        let structure = &self.facts.structure;
        for &block in &structure.order {
            let loops: Vec<sequential::Loop> =
                structure.loops_around(block).into_iter().map(|index| self.loops[index]).collect();
            for &instruction in &self.kernel.blocks[block].instructions {
                if self.facts.repeated.is_read(instruction) || self.facts.unchecked_reads.contains(&instruction) {
                    continue;
                }
                let first =
                    self.facts.repeated.write(instruction).filter(|_| self.form.shares_sites && !loops.is_empty());
                if let Some(first) = first {
                    self.share_sites(instruction, first);
                    continue;
                }
                let data = &self.kernel.instructions[instruction];
                let mut shapes = Vec::new();
                for_each_access(self.kernel, &data.operation, data.result, |shape| shapes.push(shape));
                for (position, shape) in shapes.into_iter().enumerate() {
                    for &array in &self.facts.points_to[shape.pointer].arrays {
                        let state = self.arrays.get(array);
                        let Some(checked) = state.checked else { continue };
                        let atomic = match &data.operation {
                            Operation::Atomic { scope, .. } => Some(*scope),
                            Operation::Load(_) | Operation::Store(..) if self.facts.strong.contains(&instruction) => {
                                Some(Scope::System)
                            }
                            // Every other access races with any access.
                            _ => None,
                        };
                        let asynchronous = matches!(data.operation, Operation::AsyncCopy { .. });
                        let kind = match (asynchronous, shape.atomic, shape.writes) {
                            (true, _, true) => AccessKind::AsyncWrite,
                            (true, _, false) => AccessKind::AsyncRead,
                            (false, true, _) => AccessKind::Atomic,
                            (false, false, true) => AccessKind::Write,
                            (false, false, false) => AccessKind::Read,
                        };
                        let cells = shape.bytes.map(|bytes| (bytes / state.cell_bytes).max(1));
                        self.location = data.location;
                        let site = self.declare_site(checked, kind, &loops);
                        self.program.sites[site].volatile = self.is_relaxed_volatile(&data.operation);
                        self.sites.by_access.insert((instruction, array, position), site);
                        let tracked = kind == AccessKind::Write
                            && !self.options.no_benign_tolerance
                            && matches!(data.operation, Operation::Store(..))
                            && cells.is_some_and(|cells| cells <= MAX_TRACKED_CELLS);
                        if tracked {
                            let width = u32::try_from(8 * state.cell_bytes).expect("cells are small");
                            let name = format!("written.{}${}", site.as_u32(), 1);
                            let written = self.e().add_variable(&name, Sort::Bits(width), Some(0), Role::Written(site));
                            self.program.sites[site].written = Some(written);
                        }
                        let event = asynchronous.then(|| {
                            let bits = self.kernel.pointer_bits;
                            let name = format!("event.{}$1", site.as_u32());
                            self.e().add_variable(&name, Sort::Bits(bits), Some(0), Role::Recorded(site))
                        });
                        let is_of_thread =
                            matches!(data.operation, Operation::AsyncCopy { group, .. } if group.is_of_threads());
                        let waited = is_of_thread.then(|| {
                            let name = format!("waited.{}$1", site.as_u32());
                            self.e().add_variable(&name, Sort::Boolean, Some(0), Role::Recorded(site))
                        });
                        let rounds = self.declare_rounds_at_hit(site);
                        let place = (atomic.is_some() && cells != Some(1)).then(|| {
                            let name = format!("place.{}$1", site.as_u32());
                            self.e().add_variable(&name, Sort::Bits(state.offset_bits), Some(0), Role::Recorded(site))
                        });
                        self.sites.states[site] = Some(SiteState {
                            kernel_array: array,
                            cells,
                            writes: shape.writes,
                            atomic,
                            strong: self.strong_bytes(&data.operation, shape.bytes),
                            event,
                            waited,
                            rounds,
                            place,
                            recorded: Vec::new(),
                            conditions: Vec::new(),
                            logged: None,
                            offset: None,
                            active: None,
                        });
                    }
                }
            }
        }
        self.location = None;
        let pairs = self.sites.compared.values().map(|sites| sites.len() * sites.len());
        self.sites.share_hits = pairs.sum::<usize>() > FEW_PAIRS && self.may_share_hits();
        let no = self.e().boolean(false);
        let hits: Vec<Variable> = self.program.sites.values().map(|site| site.hit).collect();
        let waited: Vec<Variable> = self.sites.states.values().flatten().filter_map(|state| state.waited).collect();
        for variable in hits.into_iter().chain(waited) {
            self.assign(variable, no);
        }
    }

    /// The bytes of a volatile store through which threads may communicate, in a kernel with fences
    /// that is not OpenCL C. The PTX ISA ("Memory consistency model") defines such a store as a
    /// relaxed operation. Two writes of the same value are tolerated if both are plain. Two such
    /// stores of equal width never race. A plain write races with such a store, whatever the value,
    /// as in runs (`strength` in `interpreter/races`).
    fn strong_bytes(&self, operation: &Operation, bytes: Option<u64>) -> Option<u64> {
        let is_store = matches!(operation, Operation::Store(..));
        let is_strong = is_store && self.is_relaxed_volatile(operation) && self.kernel.has_fences();
        if is_strong { bytes } else { None }
    }

    /// Whether this is a volatile access, in a language in which those are relaxed atomic ones.
    fn is_relaxed_volatile(&self, operation: &Operation) -> bool {
        let (Operation::Load(access) | Operation::Store(access, _)) = operation else { return false };
        access.volatile && self.kernel.language.has_relaxed_volatiles()
    }

    /// Whether writes of the same value by these two sites do not race.
    pub fn tolerates_equal_values(&self, one: Site, other: Site) -> bool {
        let strong = |site: Site| self.sites.states[site].as_ref().and_then(|state| state.strong);
        let is_tracked = |site: Site| self.program.sites[site].written.is_some();
        is_tracked(one) && is_tracked(other) && strong(one) == strong(other)
    }

    /// Whether only assertions about races look at hits.
    fn may_share_hits(&self) -> bool {
        if self.facts.signals.is_some() {
            return false;
        }
        let asks = |data: &InstructionData| matches!(data.operation, Operation::Annotation { .. });
        !self.options.warps_in_lock_step && !self.kernel.instructions.values().any(asks)
    }

    /// The earlier site whose hit this site shares, if its own access is hit when `hit_now` holds.
    pub fn leader(&self, site: Site, hit_now: Expression) -> Option<Site> {
        let (data, state) = (&self.program.sites[site], self.sites.states[site].as_ref()?);
        if !self.sites.share_hits || !data.loops.is_empty() || !self.stays(hit_now) {
            return None;
        }
        let is_alike = |&&other: &&Site| {
            let other_data = &self.program.sites[other];
            (other_data.array, other_data.kind) == (data.array, data.kind)
                && other_data.written.is_some() == data.written.is_some()
                && self.sites.states[other].as_ref().is_some_and(|other| other.conflicts_like(state))
        };
        self.sites.logged_alike.get(&hit_now)?.iter().find(is_alike).copied()
    }

    /// Whether an expression keeps its value as long as no loop is executed. Then it contains no
    /// variable that is assigned more than once outside loops.
    pub fn stays(&self, expression: Expression) -> bool {
        let e = &self.program.expressions;
        let mut stays = true;
        e.for_each_variable(expression, |variable| {
            stays &= match e.variables()[variable].role {
                Role::Input | Role::Watched => true,
                Role::Value => self.homes[variable].is_none(),
                _ => false,
            };
        });
        stays
    }

    /// Whether some write in a loop repeats another.
    pub fn could_share_sites(&self) -> bool {
        let mut writes = self.facts.repeated.writes();
        writes.any(|write| self.sites_at(write).any(|(_, site)| !self.program.sites[site].loops.is_empty()))
    }

    /// The sites of an instruction, with the array and the position of each access.
    fn sites_at(&self, of: Instruction) -> impl Iterator<Item = ((kernel::Array, usize), Site)> {
        let from = (of, kernel::Array::from_u32(0), 0);
        let all = self.sites.by_access.range(from..).take_while(move |((instruction, ..), _)| *instruction == of);
        all.map(|(&(_, array, position), &site)| ((array, position), site))
    }

    /// The sites whose addresses are the only effect of a value.
    pub fn decided_sites(&self, value: Value) -> Option<Vec<Site>> {
        let accesses = self.facts.addresses.only_of(value)?;
        let sites: BTreeSet<Site> =
            accesses.iter().flat_map(|&access| self.sites_at(access)).map(|(_, site)| site).collect();
        Some(sites.into_iter().collect())
    }

    /// Records a write at the sites of an earlier one.
    fn share_sites(&mut self, write: Instruction, first: Instruction) {
        let of_first: Vec<_> = self.sites_at(first).collect();
        let shared = of_first.into_iter().map(|((array, position), site)| ((write, array, position), site));
        self.sites.by_access.extend(shared);
    }

    fn declare_site(&mut self, array: sequential::Array, kind: AccessKind, loops: &[sequential::Loop]) -> Site {
        let site = self.program.sites.next_key();
        let name = format!("{}.{}.{}$1", word(kind), self.program.arrays[array].name, site.as_u32());
        let hit = self.e().add_variable(&name, Sort::Boolean, Some(0), Role::Hit(site));
        let nothing = self.e().boolean(false);
        let location = self.location;
        self.sites.compared.entry(array).or_default().insert(site);
        self.program.sites.push(SiteData {
            array,
            kind,
            volatile: false,
            location,
            loops: loops.to_vec(),
            hit,
            written: None,
            recorded: Vec::new(),
            facts: Vec::new(),
            offset: Copies::Uniform(nothing),
            active: Copies::Uniform(nothing),
        })
    }

    /// Completes the sites at the end of the walk with facts over recorded variables.
    pub fn fill_sites(&mut self) {
        for site in self.program.sites.keys() {
            let Some(state) = self.sites.states[site].clone() else { continue };
            let mut map = FxHashMap::default();
            for recorded in &state.recorded {
                let expression = self.e().variable(recorded.recorded);
                map.insert(recorded.original, expression);
            }
            let mut memo = FxHashMap::default();
            let mut facts = Vec::new();
            for &condition in &state.conditions {
                let fact = self.program.expressions.substitute(condition, &map, &mut memo);
                if self.program.expressions.as_boolean(fact) != Some(true) {
                    facts.push(fact);
                }
            }
            let data = &mut self.program.sites[site];
            data.recorded = state.recorded;
            data.facts = facts;
            if let Some(offset) = state.offset {
                data.offset = offset;
            }
            if let Some(active) = state.active {
                data.active = active;
            }
        }
    }

    /// Whether accesses by different threads to one cell race, where the first access is logged.
    pub fn sites_conflict(&self, a: Site, b: Site) -> Conflict {
        let (Some(x), Some(y)) = (&self.sites.states[a], &self.sites.states[b]) else { return Conflict::Never };
        if self.program.sites[a].array != self.program.sites[b].array || !(x.writes || y.writes) {
            return Conflict::Never;
        }
        // A thread does not race with itself, but it races with a copy that it started earlier.
        if self.is_one_thread() && x.event.is_none() {
            return Conflict::Never;
        }
        let (Some(one), Some(other)) = (x.atomic, y.atomic) else { return Conflict::Always };
        if x.cells != y.cells {
            return Conflict::Always;
        }
        match (self.scope_reach(one).min(self.scope_reach(other)), x.place) {
            (Reach::Itself, _) => Conflict::Always,
            (Reach::Other, None) => Conflict::Never,
            (reach, place) => Conflict::Unless { place, in_one_warp: reach == Reach::Warp },
        }
    }

    /// Whether the scope of one thread's operation includes the other thread.
    fn scope_reach(&self, scope: Scope) -> Reach {
        match (self.pair, scope) {
            (_, Scope::Device | Scope::System) => Reach::Other,
            (Pair::SameGroup | Pair::Alone | Pair::SameThread, Scope::Group | Scope::Cluster) => Reach::Other,
            // OpenCL leaves the size of sub-groups to the implementation.
            (Pair::SameGroup, Scope::Warp) if self.has_warps() => Reach::Warp,
            (Pair::DifferentGroups, Scope::Group | Scope::Cluster) | (_, Scope::Thread | Scope::Warp) => Reach::Itself,
        }
    }

    /// Whether the language defines which threads are in one warp.
    fn has_warps(&self) -> bool {
        matches!(self.kernel.language, Language::Cuda | Language::Hip | Language::Ptx)
    }
}

/// The other threads that the scope of an operation includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// No other thread.
    Itself,
    /// The other thread if it is in the same warp.
    Warp,
    /// The other thread.
    Other,
}

/// The conditions under which two accesses of different threads to one cell race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The accesses never race.
    Never,
    /// The accesses always race.
    Always,
    /// The accesses race unless both access the same cells. If `in_one_warp` is set, the threads
    /// must also be in one warp.
    Unless {
        /// The position of the watched cell, counted from the first cell of the logged access;
        /// `None` if it is the only cell of both.
        place: Option<Variable>,
        /// Whether the threads must also be in one warp.
        in_one_warp: bool,
    },
}

fn word(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read | AccessKind::AsyncRead => "read",
        AccessKind::Write | AccessKind::AsyncWrite => "wrote",
        AccessKind::Atomic => "atomic",
    }
}

/// The width of a value in bits as it is stored.
pub fn stored_bits(kernel: &kernel::Kernel, ty: kernel::Type) -> u32 {
    u32::try_from(8 * byte_width(kernel, ty)).expect("values are small")
}
