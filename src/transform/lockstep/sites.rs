//! The access sites of a kernel and their ghost variables, declared before the walk: a check in a loop
//! looks at hits of sites that come later in the body.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{self, Instruction, InstructionData, Language, Operation, Scope, Value};
use lockstep_ir::sequential::{
    self, AccessKind, Copies, Expression, Pair, Recorded, Role, Site, SiteData, Sort, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowering;
use crate::analysis::accesses::{byte_width, for_each_access};

/// How many cells a written value may have for its value to be tracked.
const MAX_TRACKED_CELLS: u64 = 16;

/// What the walk knows of a site beyond [`SiteData`].
#[derive(Clone, Debug)]
pub(super) struct SiteState {
    pub kernel_array: kernel::Array,
    /// Cells per access; `None` if not constant.
    pub cells: Option<u64>,
    /// Whether memory changes (an atomic load does not).
    pub writes: bool,
    /// The scope, for atomics.
    pub atomic: Option<Scope>,
    /// The bytes of a volatile store that is a relaxed atomic one ([`Lowering::strong_bytes`]).
    pub strong: Option<u64>,
    /// The event of the copy that the hit belongs to, for asynchronous copies.
    pub event: Option<Variable>,
    /// Which of the access's cells was the watched one, for atomics of several cells.
    pub place: Option<Variable>,
    /// Thread 1's values of variables that change in loops around the site, filled in by the walk.
    pub recorded: Vec<Recorded>,
    /// What held at the hit over original variables, filled in by the walk.
    pub conditions: Vec<Expression>,
    /// Whether the site's access has become the hit, where it was logged: what writes that repeat it go by.
    pub logged: Option<Expression>,
    pub offset: Option<Copies<Expression>>,
    pub active: Option<Copies<Expression>>,
}

/// All sites.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    /// By instruction, array and position among the instruction's accesses.
    pub by_access: BTreeMap<(Instruction, kernel::Array, usize), Site>,
    pub states: SecondaryMap<Site, Option<SiteState>>,
    /// The sites of each array that accesses are compared with: all but those whose hit is that of another site.
    pub compared: BTreeMap<sequential::Array, BTreeSet<Site>>,
    /// Whether there are so many that sites share hits where they can ([`super::races`]).
    pub share_hits: bool,
    /// The sites that were logged since hits were last changed by anything else, by when they are hit.
    pub logged_alike: FxHashMap<Expression, Vec<Site>>,
    /// What sites that share hits write, by the one whose hit it is; nothing where they write several values.
    pub values_written: FxHashMap<Site, Option<Expression>>,
    /// What was asserted of accesses outside of loops since hits were last changed by anything else.
    pub asserted: FxHashSet<Expression>,
    /// The pairs of sites that were compared.
    pub races: usize,
}

/// With more pairs of sites of one array than these, sites share hits.
const FEW_PAIRS: usize = 20_000;

impl Sites {
    /// Whether the hit of a site is that of another one.
    pub fn follows(&self, site: Site, array: sequential::Array) -> bool {
        self.share_hits && self.compared.get(&array).is_none_or(|compared| !compared.contains(&site))
    }

    /// Hits may have changed.
    pub fn end_stretch(&mut self) {
        self.logged_alike.clear();
        self.asserted.clear();
    }
}

impl SiteState {
    /// Whether accesses conflict with an access of this site where they do with one of the other.
    fn conflicts_like(&self, other: &Self) -> bool {
        let fixed = |state: &Self| state.event.is_none() && state.place.is_none();
        fixed(self)
            && fixed(other)
            && (self.kernel_array, self.cells, self.writes, self.atomic, self.strong)
                == (other.kernel_array, other.cells, other.writes, other.atomic, other.strong)
    }
}

impl Lowering<'_> {
    pub(super) fn declare_sites(&mut self) {
        let structure = &self.facts.structure;
        for &block in &structure.order {
            let loops: Vec<sequential::Loop> =
                structure.loops_around(block).into_iter().map(|index| self.loops[index]).collect();
            for &instruction in &self.kernel.blocks[block].instructions {
                if self.facts.repeated.is_read(instruction) || self.facts.unchecked_reads.contains(&instruction) {
                    continue;
                }
                let first =
                    self.facts.repeated.write(instruction).filter(|_| self.way.shares_sites && !loops.is_empty());
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
                            // Every other access races with any.
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
        for hit in hits {
            self.assign(hit, no);
        }
    }

    /// The bytes of a volatile store of a kernel with fences that is not OpenCL C, through which threads may tell each other something: the
    /// PTX ISA ("Memory consistency model") has it as a relaxed operation. Two writes of the same value are tolerated if both are
    /// plain, or if both are such and equally wide (then they race in no case); a plain write races with one, whatever the value,
    /// as runs say too (`strength` in `interpreter/races`).
    fn strong_bytes(&self, operation: &Operation, bytes: Option<u64>) -> Option<u64> {
        let Operation::Store(access, _) = operation else { return None };
        let is_strong = access.volatile && self.kernel.language.has_relaxed_volatiles() && self.has_fences();
        if is_strong { bytes } else { None }
    }

    fn has_fences(&self) -> bool {
        self.kernel.instructions.values().any(|data| matches!(data.operation, Operation::Fence { .. }))
    }

    /// Whether writes of the same value by these two sites are no race.
    pub(super) fn tolerates_equal_values(&self, one: Site, other: Site) -> bool {
        let strong = |site: Site| self.sites.states[site].as_ref().and_then(|state| state.strong);
        let is_tracked = |site: Site| self.program.sites[site].written.is_some();
        is_tracked(one) && is_tracked(other) && strong(one) == strong(other)
    }

    /// Whether nothing but assertions about races looks at hits.
    fn may_share_hits(&self) -> bool {
        let asks = |data: &InstructionData| matches!(data.operation, Operation::Annotation { .. });
        !self.options.warps_in_lock_step && !self.kernel.instructions.values().any(asks)
    }

    /// The earlier site whose hit is this one's, which is hit if `hit_now` holds.
    pub(super) fn leader(&self, site: Site, hit_now: Expression) -> Option<Site> {
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

    /// Whether an expression has the same value as long as no loop is executed: nothing that is assigned more than once outside
    /// of loops occurs in it.
    pub(super) fn stays(&self, expression: Expression) -> bool {
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
    pub(super) fn could_share_sites(&self) -> bool {
        let mut writes = self.facts.repeated.writes();
        writes.any(|write| self.sites_at(write).any(|(_, site)| !self.program.sites[site].loops.is_empty()))
    }

    /// The sites of an instruction, by what is accessed.
    fn sites_at(&self, of: Instruction) -> impl Iterator<Item = ((kernel::Array, usize), Site)> {
        let from = (of, kernel::Array::from_u32(0), 0);
        let all = self.sites.by_access.range(from..).take_while(move |((instruction, ..), _)| *instruction == of);
        all.map(|(&(_, array, position), &site)| ((array, position), site))
    }

    /// The sites of the accesses whose places are all that a value decides.
    pub(super) fn decided_sites(&self, value: Value) -> Option<Vec<Site>> {
        let accesses = self.facts.addresses.only_of(value)?;
        let sites: BTreeSet<Site> =
            accesses.iter().flat_map(|&access| self.sites_at(access)).map(|(_, site)| site).collect();
        Some(sites.into_iter().collect())
    }

    /// Lets a write be recorded at the sites of an earlier one.
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

    /// Completes the sites when the walk is done: facts over recorded variables.
    pub(super) fn fill_sites(&mut self) {
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

    /// Whether two accesses of different threads to one cell are a race, the first of them logged.
    pub(super) fn sites_conflict(&self, a: Site, b: Site) -> Conflict {
        let (Some(x), Some(y)) = (&self.sites.states[a], &self.sites.states[b]) else { return Conflict::Never };
        if self.program.sites[a].array != self.program.sites[b].array || !(x.writes || y.writes) {
            return Conflict::Never;
        }
        // A thread does not race with itself, but it does with a copy that it started before.
        if self.pair == Pair::Alone && x.event.is_none() {
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
            (Pair::SameGroup | Pair::Alone, Scope::Group | Scope::Cluster) => Reach::Other,
            // How large sub-groups are OpenCL leaves to the implementation.
            (Pair::SameGroup, Scope::Warp) if self.has_warps() => Reach::Warp,
            (Pair::DifferentGroups, Scope::Group | Scope::Cluster) | (_, Scope::Thread | Scope::Warp) => Reach::Itself,
        }
    }

    /// Whether the language says which threads are in one warp.
    fn has_warps(&self) -> bool {
        matches!(self.kernel.language, Language::Cuda | Language::Hip | Language::Ptx)
    }
}

/// Which other thread of a pair the scope of an operation includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// None.
    Itself,
    /// One of the same warp.
    Warp,
    /// The other one.
    Other,
}

/// Whether two accesses of different threads to one cell are a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// They are none.
    Never,
    /// They are one.
    Always,
    /// They are one unless both access the same cells, and the threads are in one warp where that is asked.
    Unless {
        /// Where the watched cell is, counted from the first of the logged access; `None`: it is the only one of both.
        place: Option<Variable>,
        /// Whether the threads must be in one warp.
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
pub(super) fn stored_bits(kernel: &kernel::Kernel, ty: kernel::Type) -> u32 {
    u32::try_from(8 * byte_width(kernel, ty)).expect("values are small")
}
