//! Detects the data races of a run on the fly, based on BARRACUDA.
//!
//! Reference: Eizenberg, Peng, Pigli, Mansky, Devietti: "BARRACUDA: binary-level analysis of
//! runtime races in CUDA programs", PLDI 2017.
//!
//! Two accesses race if they touch the same byte, at least one of them writes, and neither happens
//! before the other. Two atomic accesses whose scopes include the other thread do not race. The
//! happens-before order follows from the program order of each thread, from barriers, and from
//! synchronisation through memory ([`sync`]). In CUDA, a single atomic access also precedes what
//! follows its observation ([`observed`]). The order does not depend on the order in which the
//! interpreter runs the accesses. So a race is found in whichever order its accesses occur, as long
//! as the run has both.
//!
//! Three things differ from the paper:
//!
//! * Threads of a warp are independent of each other, as they are on hardware since 2017 and in
//!   other languages. Only a barrier of the warp orders their accesses.
//! * A cell keeps the earlier accesses with which a later one must be compared. It drops those that
//!   are covered by another access that conflicts with everything with which they conflict. The
//!   paper keeps the last write and its kind, so an atomic operation hides an earlier plain write
//!   of the same thread from the atomic operations of others.
//! * **Few of many.** Of many concurrent reads (or atomic operations of one kind), two are kept:
//!   the two that are farthest from each other in the tree of launch, groups, warps and threads. If
//!   only barriers of groups and of the launch order threads, nothing is lost. *Argument.* Let w be
//!   a later access that conflicts with all of them, and let it happen after both of the kept ones,
//!   a and b. Then there are barriers, each of some subtree, through which w learned of a and of b.
//!   Both subtrees contain w, so one of them contains the other. This one contains a, b, and every
//!   access that is no farther from a than b is, which includes every dropped c. The barrier of
//!   that subtree came after a (say), and c's thread took part in it. If c came after that barrier,
//!   a would happen before c; but then a was covered by c. So c came before the barrier, and w
//!   happens after c. If threads synchronise through memory, or lanes of a warp meet (possibly a
//!   subset), up to four are kept, those of different groups first. Suppose that one had to be
//!   dropped, and a later access happens after a kept one only by such synchronisation. Then a race
//!   may be missed there, and this is reported.

mod cells;
mod clock;
mod copies;
mod diary;
mod fences;
mod named;
mod observed;
mod shadow;
mod stale;
mod sync;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use lockstep_ir::kernel::{Array, AtomicOp, BarrierKind, Ordering, PHASE_OBJECT_BYTES, PhaseOp, Scope, SpaceSet};
use smallvec::SmallVec;

use self::clock::{BySpace, Clock, GroupClock, Layout, Stamp, Unit, Who};
pub use self::clock::{ThreadClock, Time};
pub use self::copies::Copying;
pub use self::diary::{Barrier, Diary, LockChange, Pass, Touch};
use self::fences::Pasts;
pub use self::named::{Arrived, Gathered, pass_named};
use self::observed::{Histories, Written};
use self::shadow::{Shadow, Stamps};
pub use self::stale::{Older, Views};
use self::sync::{Level, Means, Place, Released, Sequence};
use super::code::{Code, Position, Step};
use super::{Grid, Pixel, Races, Thread};

/// The index of local memory in values for each memory.
const LOCAL: usize = 0;
/// The index of global memory.
const GLOBAL: usize = 1;
/// The index of images; synchronisation through memory does not order images, only barriers do.
const IMAGES: usize = 2;
/// The indices of all memories.
const SPACES: BySpace<usize> = [LOCAL, GLOBAL, IMAGES];

/// The maximum number of reported races.
pub const MOST_TOLD: usize = 10_000;

/// The single memory whose slot holds all knowledge if memories are not ordered separately.
const ONE_SHELF: SpaceSet = SpaceSet { local: true, ..SpaceSet::NONE };

/// The number of accesses of one kind that are kept: if only barriers order threads, and otherwise.
const KEPT: [usize; 2] = [2, 4];

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A read.
    Read,
    /// A write.
    Write,
    /// An atomic operation, which may both read and write.
    Atomic,
    /// A read by an asynchronous copy.
    AsyncRead,
    /// A write by an asynchronous copy.
    AsyncWrite,
}

impl Access {
    /// Its name in the name of a race.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Atomic => "atomic",
            Self::AsyncRead => "async-read",
            Self::AsyncWrite => "async-write",
        }
    }
}

/// A race between an earlier access and the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The array.
    pub array: Array,
    /// The first byte that both access.
    pub offset: u64,
    /// The kind of the later access.
    pub later: Access,
    /// The kind of the earlier access.
    pub earlier: Access,
    /// The step of the earlier access.
    pub at: Position,
    /// The number of the group of the thread that made it.
    pub group: u64,
    /// The thread's number in the group; for a copy, that of any thread of its group.
    pub thread: u32,
    /// The pixel, if the array is an image.
    pub pixel: Option<Pixel>,
    /// The number of the thread that made the later access, likewise.
    pub later_thread: u32,
}

/// The properties of an access that determine its conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    writes: bool,
    /// The scope and the number of bytes of an atomic access.
    strong: Option<(Level, u8)>,
}

impl Kind {
    fn is_plain_write(self) -> bool {
        self.writes && self.strong.is_none()
    }

    /// Whether accesses of these kinds by these threads conflict.
    fn conflicts(self, other: Self, a: Who, b: Who, layout: Layout) -> bool {
        let both_strong = match (self.strong, other.strong) {
            (Some((level, width)), Some((other_level, other_width))) => {
                width == other_width && level.holds(a, b, layout) && other_level.holds(a, b, layout)
            }
            _ => false,
        };
        (self.writes || other.writes) && !both_strong
    }

    /// Whether accesses of these kinds conflict if they are by any threads of this level.
    fn may_conflict(self, other: Self, level: Level) -> bool {
        let are_strong = match (self.strong, other.strong) {
            (Some((own, width)), Some((others, other_width))) => width == other_width && own.min(others) >= level,
            _ => false,
        };
        (self.writes || other.writes) && !are_strong
    }

    /// Whether everything that conflicts with the other access also conflicts with this one.
    ///
    /// This access is by `a`, and the other one by `b`.
    fn covers(self, other: Self, a: Who, b: Who, (finest, layout): (Level, Layout)) -> bool {
        // The scope of another atomic operation may include one thread and not the other, unless
        // they are always together.
        let as_strong = self.strong.is_none() || (self.strong == other.strong && finest.holds(a, b, layout));
        (self.writes || !other.writes) && as_strong
    }
}

/// An access to shared memory.
#[derive(Clone, Copy, Debug)]
pub struct Accessed {
    /// The step.
    pub at: Position,
    /// Whether it is a write.
    pub writes: bool,
    /// The array.
    pub array: Array,
    /// Whether the array is in local memory.
    pub local: bool,
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub bytes: u64,
}

/// An operation through which threads synchronise.
#[derive(Clone, Copy, Debug)]
pub struct Through {
    /// Its memory ordering.
    pub ordering: Ordering,
    /// Whether it reads.
    pub reads: bool,
    /// Whether it writes.
    pub writes: bool,
}

/// A pair of racing sites, and the place for which each such pair is reported.
pub type Pair = (u64, u64, u64);

/// The records of a running group.
#[derive(Clone, Debug, Default)]
pub struct GroupWatch {
    clock: GroupClock,
    /// The shadow of each of the kernel's arrays; empty for those outside local memory.
    shadows: Vec<Shadow>,
    /// The numbers of its copies.
    copies: copies::Numbers,
}

/// The operations that order threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Only barriers, each of all threads of a group or of the launch.
    Tree,
    /// Also barriers at which lanes of a warp meet: all of them, or some.
    Lanes,
    /// Also synchronisation through memory.
    Memory,
}

/// The origin of a thread's knowledge of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Knows {
    Not,
    /// The access is its own, or known from a barrier of the group or the launch.
    ///
    /// Such a barrier orders everything before it.
    Tree,
    /// The access is known through memory or a barrier of lanes.
    ///
    /// These need not order any other accesses.
    Learned,
}

/// The rules of the language that this kernel makes use of.
#[derive(Clone, Copy, Debug)]
struct Uses {
    /// Sequentially consistent fences order the accesses before and after them.
    total_fences: bool,
    /// An acquiring operation may complete an earlier strong read of its place.
    completes_reads: bool,
}

/// The race detector.
#[derive(Clone, Debug)]
pub struct Detector {
    layout: Layout,
    /// For each step, its atomicity.
    strong: Vec<Option<(Level, u8)>>,
    /// For each step, its atomicity as far as races are concerned, in which volatile data has none;
    /// `None` if the kernel has no such data.
    without_data: Option<Vec<Option<(Level, u8)>>>,
    /// For each step, whether a race tells it as an atomic operation. Volatile accesses are told as
    /// reads and writes, as in the source, whatever they order.
    told_as_atomic: Vec<bool>,
    /// For each step, whether it only writes.
    only_writes: Vec<bool>,
    /// For each step, whether it is a plain load or store beside a fence.
    beside_fence: Vec<bool>,
    /// For each array, whether it is an image.
    images: Vec<bool>,
    /// The operations that order threads in this kernel.
    order: Order,
    /// The lowest level of any operation.
    finest: Level,
    /// Whether local and global memory are ordered separately.
    by_space: bool,
    /// The races to detect.
    races: Races,
    /// The time that represents all threads of the launch.
    everywhere: Time,
    /// The shadow of each of the kernel's arrays; empty for those in local and private memory.
    shadows: Vec<Shadow>,
    uses: Uses,
    /// The knowledge before the last strong write of each place, if it matters.
    pasts: Pasts,
    /// For each array, whether a strong write precedes what follows a strong read that observes it.
    observes: Vec<bool>,
    /// The strong writes of each place that may be observed.
    histories: Histories,
    /// The number of chains that have begun.
    chains_begun: u64,
    /// The knowledge that has been released at each place.
    released: BTreeMap<Place, Sequence>,
    /// The number of sequences that have begun.
    sequences: u64,
    /// The pairs of sites of the reported races, in this order.
    told: IndexSet<Pair>,
    /// The steps at which a race may have been missed.
    pub unsure: BTreeSet<Position>,
    /// Whether the times overflowed; nothing is detected any more.
    pub exhausted: bool,
    /// The largest size of local memory's shadows, in bytes.
    local_bytes: u64,
    /// The diary of two threads, if requested.
    pub diary: Option<Diary>,
    /// For each place, the knowledge of the fences before its strong reads and writes.
    passed: BTreeMap<Place, Released>,
    /// The knowledge of all sequentially consistent fences, where these are ordered as they are
    /// executed.
    total: Released,
    /// The values that reads may see, if they may be older ones.
    pub views: Option<Views>,
}

fn is_total_fence(step: &Step) -> bool {
    matches!(step, Step::Fence { ordering, .. } if fences::is_total(*ordering))
}

fn usize_of(number: u32) -> usize {
    number as usize
}

impl Detector {
    /// The detector for a launch; `None` if it has too many threads to distinguish their accesses.
    pub fn new(code: &Code, grid: &Grid, races: Races, in_lock_step: bool) -> Option<Self> {
        let sites = 2 * u64::try_from(code.steps.len()).expect("positions are 32 bits") + 2;
        let layout = Layout::new(grid, copies::numbers(code, grid)?, sites)?;
        let has_fences =
            code.steps.iter().any(|step| matches!(step, Step::Fence { .. })) || !code.volatile_orders.is_empty();
        let strong: Vec<_> = code.steps.iter().map(|step| strength(code, step, has_fences)).collect();
        let racing: Vec<_> =
            (0..).zip(&strong).map(|(at, strong)| strong.filter(|_| !code.is_volatile_data(at))).collect();
        let scopes = code.steps.iter().filter_map(|step| match step {
            Step::Fence { scope, .. } => Level::of(*scope),
            _ => None,
        });
        let finest = scopes.chain(strong.iter().flatten().map(|(level, _)| *level)).min().unwrap_or(Level::Launch);
        let learns = code.steps.iter().any(|step| match step {
            Step::Fence { .. } => true,
            Step::Atomic(number) => code.atomics[usize_of(*number)].ordering != Ordering::Relaxed,
            _ => false,
        });
        let learns = learns || !code.volatile_orders.is_empty();
        // The barrier is of a warp, or of some warps of a group.
        let is_of_lanes = |step: &Step| {
            matches!(step, Step::Barrier { kind: BarrierKind::Warp { .. }, .. } | Step::Named(_) | Step::Phase(_))
        };
        let may_observe = code.steps.iter().zip(&strong).any(|(step, strong)| strong.is_some() && !only_writes(step));
        let all = (0..).zip(&code.steps).map(|(at, _)| at);
        let of_open_scope = all.filter(|&at| grid.groups() > 1 && code.is_of_open_scope(at)).collect();
        let observes = code.observed_precede.iter().map(|precede| *precede && may_observe).collect();
        Some(Self {
            layout,
            without_data: (strong != racing).then_some(racing),
            strong,
            told_as_atomic: code.steps.iter().map(|step| is_told_as_atomic(code, step)).collect(),
            only_writes: code.steps.iter().map(only_writes).collect(),
            beside_fence: beside_fences(code),
            images: code.arrays.iter().map(|array| array.is_image).collect(),
            order: match (learns, in_lock_step || code.steps.iter().any(is_of_lanes)) {
                (true, _) => Order::Memory,
                (false, true) => Order::Lanes,
                (false, false) => Order::Tree,
            },
            finest,
            by_space: code.orders_by_space,
            races,
            everywhere: 0,
            shadows: vec![Shadow::default(); code.arrays.len()],
            uses: Uses {
                total_fences: code.fences_synchronise && code.steps.iter().any(is_total_fence),
                completes_reads: !code.orders_by_space && completes_reads(code),
            },
            pasts: Pasts::new(),
            observes,
            histories: Histories::new(),
            chains_begun: 0,
            released: BTreeMap::new(),
            sequences: 0,
            told: IndexSet::new(),
            unsure: of_open_scope,
            exhausted: false,
            local_bytes: 0,
            diary: None,
            passed: BTreeMap::new(),
            total: Released::default(),
            views: None,
        })
    }

    /// The records of a group that starts; the memory of an ended group's records may be reused.
    pub fn start(&mut self, group: u64, ended: Option<GroupWatch>) -> GroupWatch {
        let mut shadows = ended.map_or_else(|| vec![Shadow::default(); self.shadows.len()], |ended| ended.shadows);
        shadows.iter_mut().for_each(Shadow::clear);
        GroupWatch { clock: GroupClock { group, ..GroupClock::default() }, shadows, copies: copies::Numbers::default() }
    }

    /// Measures the records of a group that has ended.
    pub fn end(&mut self, watch: &GroupWatch) {
        self.local_bytes = self.local_bytes.max(watch.shadows.iter().map(Shadow::bytes).sum());
        // Nothing accesses its local memory any more.
        let first = |group| (Some(group), Array::from_u32(0), 0);
        let own = first(watch.clock.group)..first(watch.clock.group + 1);
        let places = self.released.range(own.clone()).map(|(place, _)| *place);
        let places = places.chain(self.pasts.range(own.clone()).map(|(place, _)| *place));
        let places: Vec<Place> = places.chain(self.histories.range(own).map(|(place, _)| *place)).collect();
        for place in &places {
            self.released.remove(place);
            self.pasts.remove(place);
            self.histories.remove(place);
        }
    }

    /// The initial clock of a thread.
    pub fn thread(&self) -> ThreadClock {
        ThreadClock::new(self.everywhere + 1)
    }

    /// The pairs of sites of all reported races, in this order.
    pub fn told(&self) -> impl Iterator<Item = Pair> + '_ {
        self.told.iter().copied()
    }

    /// Whether these detectors use cells of the same size for their common pages.
    ///
    /// The detectors are of parts of one launch.
    pub fn are_alike(all: &[&Self]) -> bool {
        let arrays = all.first().map_or(0, |first| first.shadows.len());
        (0..arrays).all(|array| Shadow::are_alike(&Self::shadows_of(all, array)))
    }

    /// The size in bytes that a single detector would have in place of these.
    ///
    /// The detectors are of parts of one launch.
    ///
    /// Lists are an exception: these may have more of them.
    pub fn bytes_of_all(all: &[&Self]) -> u64 {
        let arrays = all.first().map_or(0, |first| first.shadows.len());
        let global: u64 = (0..arrays).map(|array| Shadow::bytes_of_all(&Self::shadows_of(all, array))).sum();
        global + all.iter().map(|detector| detector.local_bytes).max().unwrap_or(0)
    }

    /// The number of places outside groups with released knowledge in these detectors.
    ///
    /// The detectors are of parts of one launch.
    pub fn places_of_all(all: &[&Self]) -> u64 {
        let places = all.iter().flat_map(|detector| detector.released.keys());
        u64::try_from(places.filter(|(group, ..)| group.is_none()).count()).expect("memory fits")
    }

    fn shadows_of<'a>(all: &[&'a Self], array: usize) -> Vec<&'a Shadow> {
        all.iter().map(|detector| &detector.shadows[array]).collect()
    }

    // --- Accesses
    // -----------------------------------------------------------------------------------

    /// Compares an access with earlier ones.
    ///
    /// `same` returns whether a write leaves these bytes unchanged. Races are passed to `found`,
    /// one for each pair of places.
    pub fn access(
        &mut self,
        watch: &mut GroupWatch,
        by: (&ThreadClock, u32),
        accessed: Accessed,
        same: impl Fn(u64, u64) -> bool,
        found: impl FnMut(Race),
    ) {
        if self.exhausted {
            return;
        }
        let group = watch.clock.group;
        if self.is_watched(Who { group, number: by.1 }) {
            self.compare_all(watch, by, accessed, same, found);
        }
        if accessed.writes {
            self.end_pasts(group, accessed);
            self.end_chains(group, accessed);
        }
    }

    /// Compares an access with the earlier ones of all cells that it touches.
    fn compare_all(
        &mut self,
        watch: &mut GroupWatch,
        (thread, number): (&ThreadClock, u32),
        accessed: Accessed,
        same: impl Fn(u64, u64) -> bool,
        mut found: impl FnMut(Race),
    ) {
        if let Some(diary) = &mut self.diary {
            let who = Who { group: watch.clock.group, number };
            diary.touch(who, thread.own, accessed.at, accessed.array, (accessed.offset, accessed.bytes));
        }
        let array = usize_of(accessed.array.as_u32());
        let mut shadow =
            std::mem::take(if accessed.local { &mut watch.shadows[array] } else { &mut self.shadows[array] });
        let me = Who { group: watch.clock.group, number };
        let site = Self::site(accessed);
        let place = Self::place(me, accessed);
        let now = Now {
            me,
            place,
            stamp: self.layout.stamp(me, thread.own, site),
            kind: self.kind(site),
            space: match accessed.local {
                true => LOCAL,
                false if self.images[array] => IMAGES,
                false => GLOBAL,
            },
        };
        let (records, mut kept) = (!self.histories.is_empty(), Stamps::new());
        shadow.update(accessed.offset, accessed.bytes, |at, size, stamps| {
            let now = Now { place: (place.0, place.1, at), ..now };
            for earlier in self.compare(&watch.clock, thread, now, stamps, || same(at, size)) {
                let (a, b) = earlier_first(self.layout.site(earlier), site);
                // If only two threads are watched, every place is reported, as far as anyone would
                // look.
                let place = if self.races.between.is_some() { at } else { 0 };
                if self.told.len() < MOST_TOLD && self.told.insert((a, b, place)) {
                    self.note_race(me, earlier);
                    found(self.race(me, accessed, earlier, at));
                }
            }
            if records {
                kept.extend(stamps.iter().copied());
            }
        });
        if records {
            self.prune_links(place, accessed.bytes, &kept);
        }
        *(if accessed.local { &mut watch.shadows[array] } else { &mut self.shadows[array] }) = shadow;
    }

    /// The site of an access.
    fn site(accessed: Accessed) -> u64 {
        2 * u64::from(accessed.at) + 2 + u64::from(accessed.writes)
    }

    /// The memory of a place through which threads synchronise.
    fn space(accessed: Accessed) -> usize {
        if accessed.local { LOCAL } else { GLOBAL }
    }

    /// A thread's strong access, or one beside a fence.
    fn by(&self, who: Who, accessed: Accessed) -> Written {
        let level = self.strong[usize_of(accessed.at)].map_or(Level::Launch, |(level, _)| level);
        Written { level, who, bytes: accessed.bytes }
    }

    /// The place of an access by a thread.
    fn place(me: Who, accessed: Accessed) -> Place {
        (accessed.local.then_some(me.group), accessed.array, accessed.offset)
    }

    fn note_race(&mut self, later: Who, earlier: Stamp) {
        let layout = self.layout;
        if let Some(diary) = &mut self.diary {
            diary.race(later, layout.who(earlier), layout.time(earlier), position(layout.site(earlier)));
        }
    }

    /// Records that a thread of a group writes a number to a cell that has held another one; `None`
    /// if it writes more than one word. `through` is the operation, if it is a strong one.
    pub fn note_write(
        &mut self,
        watch: &GroupWatch,
        number: u32,
        accessed: Accessed,
        numbers: Option<(u64, u64)>,
        through: Option<Through>,
    ) {
        let who = Who { group: watch.clock.group, number };
        if let (Some(diary), Some(numbers)) = (&mut self.diary, numbers) {
            diary.write(who, accessed.at, Self::place(who, accessed), numbers);
        }
        if self.views.is_some() {
            self.note_message(who, accessed, numbers, through);
        }
    }

    /// Records that the event with this number is reported.
    pub fn note_event(&mut self, number: usize) {
        if let Some(diary) = &mut self.diary {
            diary.event(number);
        }
    }

    /// Records that threads of a group pass a barrier of their warp or of the group.
    pub fn note_barrier<'a>(
        &mut self,
        barrier: Barrier,
        watch: &GroupWatch,
        threads: impl Iterator<Item = &'a Thread> + Clone,
    ) {
        let group = watch.clock.group;
        if let Some(diary) = &mut self.diary {
            diary.meet();
            threads.clone().for_each(|thread| diary.pass(barrier, group, thread));
        }
        if let Some(views) = &mut self.views {
            views.meet(threads.map(|thread| Who { group, number: thread.number }));
        }
    }

    fn race(&self, later: Who, accessed: Accessed, earlier: Stamp, at: u64) -> Race {
        let (site, who) = (self.layout.site(earlier), self.layout.who(earlier));
        let is_atomic = |position: Position| self.told_as_atomic[usize_of(position)];
        let access = |who: Who, position: Position, writes: bool| match (
            self.layout.is_copy(who),
            is_atomic(position),
            writes,
        ) {
            (true, _, false) => Access::AsyncRead,
            (true, _, true) => Access::AsyncWrite,
            (false, true, _) => Access::Atomic,
            (false, false, true) => Access::Write,
            (false, false, false) => Access::Read,
        };
        Race {
            array: accessed.array,
            offset: at,
            later: access(later, accessed.at, accessed.writes),
            // A write that is kept as a read is still a write.
            earlier: access(who, position(site), self.kind(site).writes || self.only_writes[usize_of(position(site))]),
            at: position(site),
            group: who.group,
            thread: self.told_for(who, later),
            pixel: None,
            later_thread: self.told_for(later, who),
        }
    }

    fn racing(&self, at: Position) -> Option<(Level, u8)> {
        self.without_data.as_ref().unwrap_or(&self.strong)[usize_of(at)]
    }

    fn kind(&self, site: u64) -> Kind {
        Kind { writes: site % 2 == 1, strong: self.racing(position(site)) }
    }

    // --- Barriers
    // -----------------------------------------------------------------------------------

    /// Applies a barrier of the group at which all threads have arrived.
    pub fn group_barrier(&mut self, watch: &mut GroupWatch, threads: &mut [Thread], spaces: SpaceSet) {
        let spaces = self.of_kernel(spaces);
        let latest = threads.iter().map(|thread| thread.clock.own).max().unwrap_or(0);
        if self.without_data.is_some() {
            self.hear(watch, threads);
        }
        for space in ordered(spaces) {
            watch.clock.known[space] = latest;
            for thread in threads.iter_mut() {
                if let Some(more) = &mut thread.clock.more {
                    let learned = std::mem::take(&mut more.learned[space]);
                    watch.clock.learned[space].join(&learned);
                }
            }
            if space == LOCAL {
                // The barrier orders all that they were of.
                watch.clock.learned[space].forget_chains();
            }
        }
        self.pass(threads.iter_mut(), latest);
    }

    /// Lets a group know what its threads have read in released places.
    fn hear(&self, watch: &mut GroupWatch, threads: &[Thread]) {
        for thread in threads {
            let Some(more) = &thread.clock.more else { continue };
            let me = Who { group: watch.clock.group, number: thread.number };
            for at in [LOCAL, GLOBAL] {
                for (_, clocks) in more.seen[at].learned(Level::Launch, me, self.layout) {
                    sync::join(&mut watch.clock.heard, clocks);
                }
            }
        }
    }

    /// Applies a barrier of the warp for the threads that have arrived: all lanes, or some.
    pub fn warp_barrier(&mut self, threads: &mut [Thread], lanes: &[usize], spaces: SpaceSet) {
        let spaces = self.of_kernel(spaces);
        let Some(&first) = lanes.first() else { return };
        let size = usize_of(self.layout.warp_size);
        let start = first / size * size;
        let latest = lanes.iter().map(|&lane| threads[lane].clock.own).max().unwrap_or(0);
        for space in ordered(spaces) {
            let known = |lane: usize| {
                let by_others = lanes.iter().map(|&other| threads[other].clock.of_lane(space, lane - start)).max();
                if lanes.contains(&lane) { latest } else { by_others.unwrap_or(0) }
            };
            let end = (start + size).min(threads.len());
            let times: Vec<Time> = (start..end).map(known).collect();
            let mut learned = Clock::default();
            let more_of = |lane: &usize| threads[*lane].clock.more.as_ref();
            lanes.iter().filter_map(more_of).for_each(|more| learned.join(&more.learned[space]));
            let of_all = times.iter().copied().min().unwrap_or(0);
            let differs = times.iter().any(|time| *time != of_all);
            for &lane in lanes {
                let clock = &mut threads[lane].clock;
                clock.warp[space] = of_all;
                if differs || clock.more.is_some() || !learned.is_empty() {
                    clock.more().lanes[space] = if differs { times.clone() } else { Vec::new() };
                    clock.more().learned[space] = learned.clone();
                }
            }
        }
        let mut index = 0..;
        let taking_part = threads.iter_mut().filter(|_| index.next().is_some_and(|index| lanes.contains(&index)));
        self.pass(taking_part, latest);
    }

    /// Applies a barrier of the launch to the threads of all groups, given one after the other.
    pub fn launch_barrier<'a>(&mut self, groups: impl Iterator<Item = (&'a mut GroupWatch, &'a mut [Thread])>) {
        let mut groups: Vec<_> = groups.collect();
        if let Some(diary) = &mut self.diary {
            diary.meet();
            for (watch, threads) in &groups {
                threads.iter().for_each(|thread| diary.pass(Barrier::Launch, watch.clock.group, thread));
            }
        }
        if let Some(views) = &mut self.views {
            let all = groups.iter().flat_map(|(watch, threads)| {
                let group = watch.clock.group;
                threads.iter().map(move |thread| Who { group, number: thread.number })
            });
            views.meet(all);
        }
        let all = |groups: &[(&mut GroupWatch, &mut [Thread])]| {
            groups.iter().flat_map(|(_, threads)| threads.iter().map(|thread| thread.clock.own)).max()
        };
        let latest = all(&groups).unwrap_or(0);
        self.everywhere = latest;
        // Each thread learns all knowledge about copies, since no time represents copies.
        let copies = SPACES.map(|space| {
            let of_threads = groups.iter().flat_map(|(_, threads)| threads.iter());
            let learned = of_threads.filter_map(|thread| Some(&thread.clock.more.as_ref()?.learned[space]));
            self.copies_known(groups.iter().map(|(watch, _)| &watch.clock.learned[space]).chain(learned))
        });
        for (watch, threads) in &mut groups {
            // The knowledge of any thread is now the knowledge of all.
            watch.clock.learned.clone_from(&copies);
            for thread in threads.iter_mut() {
                if let Some(more) = &mut thread.clock.more {
                    more.learned = BySpace::default();
                }
            }
            self.pass(threads.iter_mut(), latest);
        }
    }

    /// The relevant memories: most kernels have no images.
    fn of_kernel(&self, spaces: SpaceSet) -> SpaceSet {
        SpaceSet { image: spaces.image && self.images.contains(&true), ..spaces }
    }

    fn pass<'a>(&mut self, threads: impl Iterator<Item = &'a mut Thread>, latest: Time) {
        for thread in threads {
            thread.clock.own = latest + 1;
        }
        self.exhausted |= latest + 1 >= self.layout.last_time();
    }

    // --- Through memory
    // -----------------------------------------------------------------------------

    /// Applies a fence of a thread.
    pub fn fence(
        &mut self,
        watch: &GroupWatch,
        (thread, number): (&mut ThreadClock, u32),
        (ordering, scope, spaces): (Ordering, Scope, SpaceSet),
    ) {
        let Some(level) = Level::of(scope) else { return };
        let me = Who { group: watch.clock.group, number };
        if let Some(views) = &mut self.views {
            views.fence(me, ordering);
        }
        let of_both = !self.by_space || (spaces.local && spaces.global);
        let kept: SmallIndices = ordered(if self.by_space { spaces } else { ONE_SHELF }).collect();
        let is_total = self.uses.total_fences && fences::is_total(ordering);
        if is_total {
            self.learn_of_fences(&watch.clock, thread, (me, level));
        }
        if ordering.acquires()
            && let Some(more) = &mut thread.more
        {
            let seen = std::mem::take(&mut more.seen);
            for &at in &kept {
                self.learn(thread, &seen[at], (me, level), (at, ordering, of_both));
            }
            thread.more().seen = seen;
        }
        if ordering.releases() {
            let mut known = self.known_to(&watch.clock, thread, me);
            if is_total {
                self.note_fence(thread, (me, level), &mut known);
            }
            let (finest, layout) = (self.finest, self.layout);
            let is_total = self.by_space && ordering == Ordering::SequentiallyConsistent;
            let all_means = [(of_both, Means::Both), (is_total, Means::Total), (!of_both && !is_total, Means::One)];
            for &at in &kept {
                for (_, means) in all_means.iter().filter(|(is, _)| *is) {
                    // Knowledge published at an earlier fence is known at this one too, but for
                    // other memory and to other threads.
                    thread.more().fenced[at].add((level, *means), me, finest, layout, &let_known(&known, at, *means));
                }
            }
            self.advance(thread);
        }
    }

    /// Adds the knowledge released through places of the memory `at` to a thread.
    ///
    /// The thread acquires it with an operation of this ordering, or with a fence, which may be
    /// `of_both` memories.
    fn learn(
        &self,
        thread: &mut ThreadClock,
        released: &Released,
        (me, level): (Who, Level),
        (at, ordering, of_both): (usize, Ordering, bool),
    ) {
        for (means, clocks) in released.learned(level, me, self.layout) {
            let of_all = match means {
                Means::One => false,
                Means::Both => of_both,
                Means::Total => ordering == Ordering::SequentiallyConsistent,
            };
            for space in [LOCAL, GLOBAL].into_iter().filter(|space| *space == at || of_all) {
                thread.more().learned[space].join(&clocks[space]);
            }
        }
    }

    /// Applies a thread's read or write of a place with an atomic operation, or beside a fence.
    ///
    /// It comes after the access itself. So a plain access that only this operation's own acquire
    /// orders before it still races with it: in another run, the operation reads an older value.
    pub fn through_memory(
        &mut self,
        watch: &GroupWatch,
        (thread, number): (&mut ThreadClock, u32),
        accessed: Accessed,
        through: Through,
    ) {
        if self.exhausted {
            return;
        }
        let me = Who { group: watch.clock.group, number };
        let place = Self::place(me, accessed);
        let by = self.by(me, accessed);
        if through.writes && self.is_chained(accessed) {
            self.extend_chain(thread, (place, by), (accessed, through));
        }
        if self.order != Order::Memory {
            return;
        }
        let (level, at) = (by.level, if self.by_space && !accessed.local { GLOBAL } else { LOCAL });
        if self.uses.total_fences && self.is_atomic(accessed.at) {
            self.follow_past(&watch.clock, thread, (place, by), through);
        }
        if through.reads {
            self.acquire(thread, (place, at), (me, level), through.ordering);
        }
        if !through.writes {
            return;
        }
        let mut adds = Released::default();
        let mut headed = self.headed(thread, place);
        if let Some(more) = &thread.more {
            adds.add_all(&more.fenced[at], level);
        }
        if through.ordering.releases() {
            let means = match (self.by_space, through.ordering) {
                (false, _) => Means::Both,
                (true, Ordering::SequentiallyConsistent) => Means::Total,
                (true, _) => Means::One,
            };
            let clocks = let_known(&self.known_to(&watch.clock, thread, me), at, means);
            adds.add((level, means), me, self.finest, self.layout, &clocks);
            headed.add((level, means), me, self.finest, self.layout, &clocks);
            self.advance(thread);
        }
        // In OpenCL, a read-modify-write only passes on the knowledge that is there. In PTX, it may
        // end a release pattern, and a narrower store may have kept that knowledge from others.
        if !through.reads || !self.by_space {
            adds.add_all(&headed, level);
        }
        if !through.reads {
            // A store that is not a read-modify-write passes on only the knowledge that the thread
            // itself has released.
            self.released.remove(&place);
        }
        if adds.is_empty() {
            return;
        }
        self.sequences += 1;
        let begun = Sequence { number: self.sequences, released: Released::default() };
        let sequence = self.released.entry(place).or_insert(begun);
        sequence.released.add_all(&adds, Level::Launch);
        if !headed.is_empty() {
            thread.more().headed.insert(place, Sequence { number: sequence.number, released: headed });
        }
    }

    /// Acquires what an operation of this ordering and level reads at a place, or records it for a
    /// later acquire.
    ///
    /// `at` is the memory of the place.
    fn acquire(
        &self,
        thread: &mut ThreadClock,
        (place, at): (Place, usize),
        (me, level): (Who, Level),
        ordering: Ordering,
    ) {
        let released = self.released.get(&place).map(|sequence| &sequence.released);
        if ordering.acquires() {
            let before = thread.more.as_ref().and_then(|more| more.read.get(&place).cloned());
            for released in released.into_iter().chain(&before) {
                self.learn(thread, released, (me, level), (at, ordering, !self.by_space));
            }
        } else if let Some(released) = released {
            let more = thread.more();
            more.seen[at].add_seen(released, level, me, self.layout);
            if self.uses.completes_reads {
                more.read.entry(place).or_default().add_seen(released, level, me, self.layout);
            }
        }
    }

    /// The knowledge that a thread's releasing operations on a place release again with its next
    /// write there.
    ///
    /// If others have changed the place since without reading what they replaced, OpenCL's release
    /// sequence has ended. PTX's release pattern goes on.
    fn headed(&self, thread: &ThreadClock, place: Place) -> Released {
        let current = self.released.get(&place).map(|sequence| sequence.number);
        let headed = thread.more.as_ref().and_then(|more| more.headed.get(&place));
        let headed = headed.filter(|headed| !self.by_space || Some(headed.number) == current);
        headed.map(|headed| headed.released.clone()).unwrap_or_default()
    }

    /// Whether a plain access at this position is beside a fence, and treated as synchronisation.
    pub fn is_beside_fence(&self, at: Position) -> bool {
        self.beside_fence[usize_of(at)]
    }

    /// Whether the access at this position is atomic.
    pub fn is_atomic(&self, at: Position) -> bool {
        self.strong[usize_of(at)].is_some()
    }

    /// The complete knowledge of a thread, including itself.
    fn known_to(&self, group: &GroupClock, thread: &ThreadClock, me: Who) -> BySpace<Clock> {
        SPACES.map(|space| {
            if space == IMAGES && !self.images.contains(&true) {
                return Clock::default();
            }
            let mut clock = group.learned[space].clone();
            if let Some(more) = &thread.more {
                clock.join(&more.learned[space]);
            }
            clock.learn(Unit::Launch, self.everywhere);
            clock.learn(Unit::Group(me.group), group.known[space]);
            self.own_units(thread, me, space).into_iter().for_each(|(unit, time)| clock.learn(unit, time));
            clock
        })
    }

    /// The knowledge of a thread about itself and its warp.
    fn own_units(&self, thread: &ThreadClock, me: Who, space: usize) -> Vec<(Unit, Time)> {
        let warp = u64::from(self.layout.warp(me)) * u64::from(self.layout.warp_size);
        let first = u32::try_from(warp).expect("a thread of the group");
        let lanes = thread.more.as_ref().map_or(&[][..], |more| &more.lanes[space]);
        let lanes = (first..).zip(lanes).map(|(number, &time)| (Unit::Thread(Who { group: me.group, number }), time));
        let of_warp = (Unit::Warp(me.group, self.layout.warp(me)), thread.warp[space]);
        lanes.chain([of_warp, (Unit::Thread(me), thread.own)]).collect()
    }

    /// Advances a thread's time after a release.
    ///
    /// Threads that learn of its past steps do not learn of its later ones.
    fn advance(&mut self, thread: &mut ThreadClock) {
        thread.own += 1;
        self.exhausted |= thread.own >= self.layout.last_time();
    }
}

/// The access that is being made.
#[derive(Clone, Copy)]
struct Now {
    me: Who,
    /// The place of the access; in a cell, its first byte there.
    place: Place,
    stamp: Stamp,
    kind: Kind,
    space: usize,
}

/// The part of a thread's knowledge that a release publishes.
///
/// The release is through a place of this memory, by these means.
fn let_known(known: &BySpace<Clock>, at: usize, means: Means) -> BySpace<Clock> {
    let mut clocks = known.clone();
    clocks[IMAGES] = Clock::default();
    if means == Means::One {
        clocks[if at == LOCAL { GLOBAL } else { LOCAL }] = Clock::default();
    }
    clocks
}

/// Indices of stamps in a cell.
type SmallIndices = SmallVec<[usize; 5]>;

fn earlier_first(a: u64, b: u64) -> (u64, u64) {
    (a.min(b), a.max(b))
}

fn position(site: u64) -> Position {
    Position::try_from(site / 2 - 1).expect("positions are 32 bits")
}

/// The memories that a barrier or a fence orders.
fn ordered(spaces: SpaceSet) -> impl Iterator<Item = usize> {
    let all = [(spaces.local, LOCAL), (spaces.global, GLOBAL), (spaces.image, IMAGES)];
    all.into_iter().filter(|(is, _)| *is).map(|(_, space)| space)
}

/// Whether a step writes to memory and reads nothing there.
fn only_writes(step: &Step) -> bool {
    matches!(step, Step::Store { .. } | Step::StorePointer { .. } | Step::MemorySet { .. })
}

/// Whether some operation acquires by its own read, and another one reads and does not.
fn completes_reads(code: &Code) -> bool {
    let orderings = code.steps.iter().filter_map(|step| match step {
        Step::Atomic(number) => {
            let atomic = &code.atomics[usize_of(*number)];
            reads(atomic.op).then_some(atomic.ordering)
        }
        Step::Load { strong: true, .. } | Step::LoadPointer { strong: true, .. } => Some(Ordering::Relaxed),
        _ => None,
    });
    let mut acquires =
        orderings.map(Ordering::acquires).chain(code.volatile_orders.values().map(|order| order.acquires()));
    acquires.clone().any(|acquires| acquires) && acquires.any(|acquires| !acquires)
}

/// Whether a step is an atomic operation, be it for its own thread only, or one on a phase.
fn is_told_as_atomic(code: &Code, step: &Step) -> bool {
    match step {
        Step::Atomic(_) => true,
        Step::Phase(number) => code.phase(*number).op != PhaseOp::Initialise,
        _ => false,
    }
}

/// The atomicity of a step.
///
/// A volatile access is atomic in the PTX model, and in old code it is how threads that pass fences
/// signal each other. In a kernel without fences, it synchronises nothing, and is treated as plain.
fn strength(code: &Code, step: &Step, has_fences: bool) -> Option<(Level, u8)> {
    match step {
        Step::Load { .. } | Step::LoadPointer { .. } | Step::Store { .. } | Step::StorePointer { .. }
            if !has_fences =>
        {
            None
        }
        Step::Atomic(number) => {
            let atomic = &code.atomics[usize_of(*number)];
            Level::of(atomic.scope).map(|level| (level, atomic.bits.div_ceil(8)))
        }
        Step::Phase(number) if code.phase(*number).op != PhaseOp::Initialise => {
            Some((Level::Group, u8::try_from(PHASE_OBJECT_BYTES).ok()?))
        }
        Step::Load { strong: true, bits, .. } | Step::Store { strong: true, bits, .. } => {
            Some((Level::Launch, u8::try_from(bits.div_ceil(8)).ok()?))
        }
        Step::LoadPointer { strong: true, .. } | Step::StorePointer { strong: true, .. } => {
            Some((Level::Launch, code.pointer_bytes))
        }
        _ => None,
    }
}

/// The plain stores after a releasing fence and the plain loads before an acquiring one.
///
/// The steps in between neither access memory nor are jump targets.
fn beside_fences(code: &Code) -> Vec<bool> {
    let mut beside = vec![false; code.steps.len()];
    let fence = |at: usize, orders: fn(Ordering) -> bool| matches!(code.steps[at], Step::Fence { ordering, .. } if orders(ordering));
    let is_quiet = |at: usize| {
        let step = code.steps[at];
        let goes_on = !matches!(
            step,
            Step::Barrier { .. }
                | Step::Exchange(_)
                | Step::GroupExchange { .. }
                | Step::Named(_)
                | Step::Phase(_)
                | Step::AsyncCopy(_)
                | Step::OwnCopy(_)
                | Step::AsyncWait(_)
                | Step::Fence { .. }
                | Step::Jump { .. }
                | Step::Branch { .. }
                | Step::Switch(_)
                | Step::Return
                | Step::Trap
                | Step::Unreachable
                | Step::Refuse(_)
        );
        goes_on && !step.accesses_memory()
    };
    for (at, step) in code.steps.iter().enumerate() {
        beside[at] = match step {
            Step::Store { .. } | Step::StorePointer { .. } => {
                (0..at).rev().find(|&other| !is_quiet(other)).is_some_and(|other| fence(other, Ordering::releases))
            }
            Step::Load { .. } | Step::LoadPointer { .. } => {
                let next = (at + 1..code.steps.len()).find(|&other| !is_quiet(other));
                next.is_some_and(|other| fence(other, Ordering::acquires))
            }
            _ => false,
        };
    }
    beside
}

/// Whether an atomic operation may write.
pub fn writes(op: AtomicOp) -> bool {
    op != AtomicOp::Load
}

/// Whether an atomic operation reads the value that it replaces.
pub fn reads(op: AtomicOp) -> bool {
    op != AtomicOp::Store
}
