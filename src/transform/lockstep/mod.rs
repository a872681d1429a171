//! Transformation of a kernel into the sequential program of two threads: predicate, dualise,
//! instrument.
//!
//! One walk over the blocks in lock-step order takes the three steps of the papers (003 section 4,
//! 004 section 3):
//!
//! * [`predicate`] walks the blocks, gives each block and edge a predicate per thread, and turns
//!   block parameters into conditional expressions; [`loops`] turns the kernel's loops into loops
//!   of the program, whose values [`slots`] carry;
//! * [`dualise`] turns operations on values into expressions, one per thread or one for both;
//! * [`overflow`] assumes that signed arithmetic does not overflow, where that matters;
//! * [`access`] lowers memory operations: [`touch`] computes the cells they access, [`races`]
//!   instruments them (hits for thread 1, checks for thread 2), [`contents`] models the contents of
//!   memory, [`pointer_cells`] the pointers in private memory;
//! * [`digits`] splits indices into rows of symbolic width, in a second program;
//! * [`annotations`] lowers the source's statements about loops, both threads and accesses;
//!   [`recompute`] computes values again for annotations that hold in several places;
//! * [`axioms`] assumes the axioms about uninterpreted functions;
//! * [`claims`] asserts the conditions that concern one thread by itself;
//! * [`synchronise`] gives barriers and asynchronous copies their meaning;
//! * [`threads`] defines the two threads' ids and the launch's sizes.
//!
//! # Why this is sound
//!
//! *Values are not predicated.* The definition of an SSA value dominates each of its uses, and
//! values leave loops only through parameters of exit blocks. So whenever a thread is active at a
//! use, it was active at the definition in the same iterations of all loops. The copy of an
//! inactive thread may therefore hold any value. State that can be observed at other times
//! (parameters of loop headers and exits, hits, memory) changes only under the thread's predicate.
//!
//! *Predicates.* A block's predicate is the disjunction of its edges', or that of a block it
//! post-dominates in the same loop. The latter assumes that threads terminate, which every report
//! lists.
//!
//! *Uniform values* are single; see [`crate::analysis::uniformity`].

mod access;
mod annotations;
mod arrays;
mod axioms;
mod cached;
mod claims;
mod contents;
mod digits;
mod dualise;
mod facts;
mod loops;
mod names;
mod one_thread;
mod overflow;
mod pointer_cells;
mod predicate;
mod races;
mod recompute;
mod sites;
mod slots;
mod synchronise;
mod threads;
mod tickets;
mod touch;
mod warps;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use std::cell::LazyCell;

use cranelift_entity::SecondaryMap;
use lockstep_invariants::ranges::Ranges;
use lockstep_ir::assumption::{Assumed, Assumptions};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    self, ArrayOrigin, Block, Kernel, Language, Space, Type, Unsupported, Value, VerifiedKernel,
};
use lockstep_ir::sequential::{
    Copies, Expression, Expressions, Loop, ObligationData, ObligationKind, Pair, Program, Role, Site, Sort, Statement,
    Unknown, VerifiedProgram,
};
use lockstep_ir::source::{Location, Place};
use lockstep_options::checks::{Check, Checks};
use lockstep_options::deadline::Deadline;
use lockstep_options::launch::Launch;
use lockstep_options::techniques::{Technique, Techniques};

use crate::analysis::counters::Counter;
use crate::axioms::Axioms;
pub use claims::LARGEST;
use facts::{Facts, PairFacts, RacesChecked};
pub use one_thread::lower_one_thread;
pub use races::MOST_RACES;

/// The properties to check, and the abstraction of shared memory.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent switches of the command line")]
pub struct LockstepOptions {
    /// Writes of the same value to one cell are races too (`--no-benign-tolerance`).
    pub no_benign_tolerance: bool,
    /// Every load of written memory returns anything (`--adversarial-abstraction`).
    pub adversarial: bool,
    /// No races are checked (`--only-divergence`).
    pub only_divergence: bool,
    /// Accesses are logged for the source's statements about them, but no races are checked
    /// (`--only-log`).
    pub only_log: bool,
    /// The names of the arrays on which races are checked (`--check-arrays`); all if not given.
    pub check_arrays: Option<BTreeSet<String>>,
    /// Assertions are proved for thread 1 and not assumed of thread 2 (`--asymmetric-asserts`).
    pub asymmetric_asserts: bool,
    /// Reads by barrier invariants are not checked for races (`--no-barrier-access-checks`).
    pub no_barrier_access_checks: bool,
    /// Races between groups are not checked (`--only-intra-group`): the contents of global memory
    /// are unknown.
    pub only_intra_group: bool,
    /// Threads that have returned count as having arrived at barriers (`--exited-threads arrive`).
    pub exited_threads_arrive: bool,
    /// The number of threads in a warp (`--warp-size`), a power of two. The language's if not
    /// given.
    pub warp_size: Option<u32>,
    /// The threads of a warp execute each instruction together (`--warp-sync`).
    pub warps_in_lock_step: bool,
    /// The checks besides races and divergence.
    pub checks: Checks,
    /// Values of scalar parameters (`--kernel-args`), by position among the scalar parameters and
    /// of their widths; `None` leaves one open.
    pub arguments: Vec<Option<Bits>>,
    /// Axioms about uninterpreted functions (`--boogie-file`).
    pub axioms: Arc<[Axioms]>,
    /// Whether to lower the execution of a single thread, for reading ([`lower_one_thread`]).
    pub one_thread: bool,
    /// The techniques in use (`--without`).
    pub techniques: Techniques,
    /// The time at which all work on the kernel ends.
    pub deadline: Deadline,
}

impl LockstepOptions {
    /// The number of threads in a warp.
    pub fn warp_size_for(&self, language: Language) -> u32 {
        self.warp_size.unwrap_or(if language == Language::Hip { 64 } else { 32 })
    }

    /// Whether accesses to this array are logged if there is reason to.
    fn logs(&self, array: &kernel::ArrayData) -> bool {
        let chosen = self.check_arrays.as_ref().is_none_or(|chosen| chosen.contains(&array.name));
        chosen && !self.only_divergence && matches!(array.space, Space::Global | Space::Local)
    }

    /// Whether races on this array are checked, except for the kinds that are left out.
    fn checks_races_on(&self, array: &kernel::ArrayData) -> bool {
        self.logs(array) && !self.only_log
    }
}

/// The reason why a kernel has no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotLowered {
    /// The kernel has a construct that is not modelled.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The deadline passed.
    #[error("the time was up while the kernel was lowered")]
    OutOfTime,
    /// The kernel has too many pairs of accesses.
    #[error(
        "too large: more than {MOST_RACES} pairs of accesses to one array would have to be compared \
         (between barriers, and in one program)"
    )]
    TooLarge,
}

/// A pointer: the tag of its array (a 16-bit number, [`NULL`] for null) and the byte offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PointerExpression {
    tag: Expression,
    offset: Expression,
}

/// The tag of the null pointer.
const NULL: u64 = 0xFFFF;
/// The tag of a pointer to memory outside the kernel's arrays. Nothing is accessed through it
/// ([`refuse_accesses_elsewhere`]), but it may be compared.
const ELSEWHERE: u64 = 0xFFFD;
const TAG_WIDTH: u32 = 16;

/// The representation of a kernel value in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lowered {
    Scalar(Expression),
    Pointer(PointerExpression),
}

/// Ghosts for threads that have left certain blocks for good.
struct Exited {
    /// Whether each thread has left them.
    variables: [lockstep_ir::sequential::Variable; 2],
    /// The blocks from which one of those blocks can still be reached.
    ahead: BTreeSet<Block>,
}

/// The state of the walk.
struct Lowering<'a> {
    kernel: &'a Kernel,
    facts: &'a Facts,
    of_pair: &'a PairFacts,
    options: &'a LockstepOptions,
    pair: Pair,
    threads: threads::Threads,
    /// The ranges of the inputs.
    ranges: Ranges,
    /// The lines on which signed arithmetic is assumed not to overflow.
    overflow_places: BTreeSet<Place>,
    /// The alignment in bytes that accesses need of an array's start, beyond that of its cells.
    alignments: BTreeMap<kernel::Array, u32>,
    /// The assumption about the first thread for the operation that defines a value.
    promised: BTreeMap<Value, Expression>,
    program: Program,
    arrays: arrays::Arrays,
    sites: sites::Sites,
    values: SecondaryMap<Value, Option<Copies<Lowered>>>,
    predicates: SecondaryMap<Block, Option<Copies<Expression>>>,
    edges: SecondaryMap<Block, Vec<predicate::Edge>>,
    /// The statements under construction, the innermost loop's last.
    statements: Vec<Vec<Statement>>,
    /// The loops the walk is in, outermost first.
    open_loops: Vec<loops::OpenLoop>,
    /// For each loop of the kernel, the loop of the program.
    loops: Vec<Loop>,
    /// The innermost loop that changes a variable; `None` if no loop does.
    homes: SecondaryMap<lockstep_ir::sequential::Variable, Option<Loop>>,
    /// Whether each thread has passed its last barrier, where that counts as arriving.
    exited: Option<Exited>,
    /// Whether each thread has returned, where operations on warps need it.
    returned: Option<[lockstep_ir::sequential::Variable; 2]>,
    /// The barrier invariants stated since the last barrier.
    barrier_invariants: Vec<annotations::BarrierInvariant>,
    /// The numbers drawn from counters.
    tickets: tickets::Tickets,
    /// The source's questions about numbers that atomics have returned.
    taken: Vec<annotations::Taken>,
    /// The way in which the kernel is lowered, and the watched digits of the split arrays.
    way: Way<'a>,
    digits: BTreeMap<lockstep_ir::sequential::Array, Vec<lockstep_ir::sequential::Variable>>,
    /// Whether a digit needed a value that was not known there; then there is no such program.
    digits_unknown: bool,
    location: Option<Location>,
}

/// The program of one pair of threads; `None` if there is nothing to check for that pair.
///
/// For a proof of a kernel the programs of all three kinds of pairs are needed (see [`claims`]).
pub fn lower(
    kernel: &VerifiedKernel,
    launch: &Launch,
    pair: Pair,
    options: &LockstepOptions,
) -> Result<Option<VerifiedProgram>, NotLowered> {
    if !threads_exist(launch, pair, options) {
        return Ok(None);
    }
    let facts = Facts::of(kernel, launch, options)?;
    Ok(lower_with(&facts, launch, pair, options, Way::default())?.map(|(program, _)| program))
}

/// Whether a launch has such a pair of threads.
fn threads_exist(launch: &Launch, pair: Pair, options: &LockstepOptions) -> bool {
    options.one_thread || threads::possible(launch, pair)
}

/// The programs to prove for one pair of threads.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The program without shared sites or digits.
    pub program: VerifiedProgram,
    /// The program in which writes that repeat each other share a site. It is easier to prove, and
    /// its proof is a proof of `program`. `None` if there are no such writes.
    pub shared: Option<VerifiedProgram>,
    /// The program with the indices of symbolic rows split into digits. If it can be proved at all,
    /// it is easier to prove, and its proof is a proof of the others.
    pub with_digits: Option<VerifiedProgram>,
}

impl Programs {
    /// The program whose proof is tried first.
    pub fn into_first(self) -> VerifiedProgram {
        self.with_digits.or(self.shared).unwrap_or(self.program)
    }
}

/// A way to lower a program.
#[derive(Clone, Copy, Debug, Default)]
struct Way<'a> {
    /// The plan for splitting indices, if they are split.
    plan: Option<&'a digits::Plan>,
    /// Whether writes that repeat each other share a site.
    shares_sites: bool,
    /// Whether there is a program even if it asserts nothing.
    keeps_empty: bool,
}

/// The other ways in which it pays to lower a program.
struct Next {
    plan: Option<digits::Plan>,
    shares_sites: bool,
}

/// The program of one pair of threads, as [`lower`] makes it, with variants that are easier to
/// prove. A proof of a variant is a proof of the program. One variant has shared sites where writes
/// repeat each other ([`races`]); the other has digits where there are indices to split
/// ([`digits`]).
pub fn lower_for_proof(
    kernel: &VerifiedKernel,
    launch: &Launch,
    pair: Pair,
    options: &LockstepOptions,
) -> Result<Option<Programs>, NotLowered> {
    let [programs] = lower_pairs(kernel, launch, [Some(pair)], options);
    programs
}

/// Lowers several pairs of threads like [`lower_for_proof`], with `None` for a pair that is not
/// asked for. The facts about the kernel are computed once.
pub fn lower_pairs<const PAIRS: usize>(
    kernel: &VerifiedKernel,
    launch: &Launch,
    pairs: [Option<Pair>; PAIRS],
    options: &LockstepOptions,
) -> [Result<Option<Programs>, NotLowered>; PAIRS] {
    let facts = LazyCell::new(|| Facts::of(kernel, launch, options));
    pairs.map(|pair| match pair.filter(|&pair| threads_exist(launch, pair, options)) {
        None => Ok(None),
        Some(pair) => lower_ways(facts.as_ref().map_err(Clone::clone)?, launch, pair, options),
    })
}

/// The programs of one pair of threads.
fn lower_ways(
    facts: &Facts,
    launch: &Launch,
    pair: Pair,
    options: &LockstepOptions,
) -> Result<Option<Programs>, NotLowered> {
    let lower = |way| lower_with(facts, launch, pair, options, way);
    let Some((program, Next { plan, shares_sites })) = lower(Way::default())? else { return Ok(None) };
    let for_proof = |plan| -> Result<_, NotLowered> {
        Ok(lower(Way { plan, shares_sites, ..Way::default() })?.map(|(program, _)| program))
    };
    // The variants are easier to prove, but the result does not depend on them.
    let unless_late = |lowered: Result<Option<VerifiedProgram>, NotLowered>| match lowered {
        Err(NotLowered::OutOfTime | NotLowered::TooLarge) => Ok(None),
        other => other,
    };
    let shared = if shares_sites { unless_late(for_proof(None))? } else { None };
    let with_digits = if plan.is_some() { unless_late(for_proof(plan.as_ref()))? } else { None };
    Ok(Some(Programs { program, shared, with_digits }))
}

/// The assumptions about a thread that is alone in its group, even where nothing is to be proved
/// for it. One example is that its accesses stay inside arrays of unknown size.
///
/// The error says why they are not known. A report without them would not list everything that its
/// verdict rests on.
pub fn assumptions_alone(
    kernel: &VerifiedKernel,
    launch: &Launch,
    options: &LockstepOptions,
) -> Result<Assumptions, NotLowered> {
    let way = Way { keeps_empty: true, ..Way::default() };
    let facts = Facts::of(kernel, launch, options)?;
    let lowered = lower_with(&facts, launch, Pair::Alone, options, way)?;
    Ok(lowered.map_or_else(Assumptions::default, |(program, _)| program.assumptions.clone()))
}

fn lower_with(
    facts: &Facts,
    launch: &Launch,
    pair: Pair,
    options: &LockstepOptions,
    way: Way<'_>,
) -> Result<Option<(VerifiedProgram, Next)>, NotLowered> {
    let kernel = &facts.kernel;
    if !threads_exist(launch, pair, options) || pair == Pair::DifferentGroups && !facts.concerns_groups {
        return Ok(None);
    }
    let checked = RacesChecked { kernel, options };
    let of_launch = match pair {
        Pair::Alone if !options.one_thread => &launch.of_single_threads(),
        Pair::SameGroup | Pair::DifferentGroups | Pair::Alone => launch,
    };
    let mut program = empty_program(kernel, pair);
    let threads = threads::Threads::new(&mut program, of_launch, options.warp_size_for(kernel.language));
    let mut ranges = Ranges::default();
    let conditions: Vec<Expression> = program.preconditions.iter().map(|precondition| precondition.condition).collect();
    ranges.learn_all(&program.expressions, &conditions);
    threads.bound_ids(&mut program.expressions, &mut ranges);
    let of_pair = PairFacts::of(facts, pair, checked, |query| {
        let e = &mut program.expressions;
        let value = threads.query(e, query, kernel.pointer_bits)?;
        ranges.word(e, *value.of(0))
    });
    let mut lowering = Lowering {
        arrays: arrays::Arrays::new(
            &mut program,
            kernel,
            &facts.used,
            &facts.asked_about,
            &of_pair.intervals,
            pair,
            options,
        ),
        kernel,
        facts,
        of_pair: &of_pair,
        options,
        pair,
        threads,
        ranges,
        overflow_places: BTreeSet::new(),
        alignments: BTreeMap::new(),
        promised: BTreeMap::new(),
        program,
        sites: sites::Sites::default(),
        values: SecondaryMap::new(),
        predicates: SecondaryMap::new(),
        edges: SecondaryMap::new(),
        statements: vec![Vec::new()],
        open_loops: Vec::new(),
        loops: Vec::new(),
        homes: SecondaryMap::new(),
        exited: None,
        returned: None,
        barrier_invariants: Vec::new(),
        tickets: tickets::Tickets::default(),
        taken: Vec::new(),
        way,
        digits: BTreeMap::new(),
        digits_unknown: false,
        location: None,
    };
    lowering.tickets.counters.clone_from(&facts.counters);
    // Each group has local counters of its own.
    let shared = |array| pair == Pair::SameGroup || kernel.arrays[array].space == Space::Global;
    // A thread that sets a counter must race with those that draw from it. Where no thread sets it,
    // other groups may draw unchecked.
    let drawn_only = |array, is_set: bool| options.only_intra_group && !is_set && checked.in_groups(array);
    let counts = |array, counter: &Counter| checked.has(array) || drawn_only(array, counter.is_set);
    lowering.tickets.counters.retain(|&array, counter| shared(array) && counts(array, counter));
    lowering.limit_tickets(launch);
    lowering.list_assumptions();
    lowering.declare_digits();
    lowering.walk()?;
    lowering.define_digits();
    if lowering.digits_unknown {
        return Ok(None);
    }
    let wanted = |technique| options.techniques.has(technique) && !options.one_thread;
    // Values computed from an index are not available once the index is split.
    let takes_apart = way.plan.is_none() && wanted(Technique::Digits) && !options.checks.has(Check::Overflow);
    let next = Next {
        plan: if takes_apart { lowering.plan_digits() } else { None },
        shares_sites: wanted(Technique::SharedSites) && facts.asked_about.is_empty() && lowering.could_share_sites(),
    };
    let mut program = lowering.finish();
    axioms::assume_axioms(&mut program, &options.axioms);
    if program.obligations.is_empty() && pair == Pair::Alone && !options.one_thread && !way.keeps_empty {
        return Ok(None);
    }
    match lockstep_ir::sequential::verify(program) {
        Ok(program) => Ok(Some((program, next))),
        Err(problems) => {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            panic!("the lock-step transformation made an ill-formed program: {}", all.join("; "))
        }
    }
}

fn empty_program(kernel: &Kernel, pair: Pair) -> Program {
    let (files, locations) = (kernel.files.clone(), kernel.locations.clone());
    Program { files, locations, ..Program::empty(&kernel.name, pair) }
}

impl Lowering<'_> {
    /// Lists an assumption about the whole kernel.
    fn list(&mut self, what: Assumed) {
        self.program.assumptions.add(what.everywhere());
    }

    /// Lists an assumption made by the current line.
    fn list_here(&mut self, what: Assumed) {
        let here = self.kernel.place(self.location);
        self.program.assumptions.add(what.at([here]));
    }

    fn list_assumptions(&mut self) {
        let pointers = self.kernel.arrays.values().filter(|data| data.origin == ArrayOrigin::Parameter).count();
        if pointers > 1 {
            self.list(Assumed::PointersApart);
        }
        let is_image = |data: &&kernel::ArrayData| matches!(data.origin, ArrayOrigin::Image { .. });
        let images = self.kernel.arrays.values().filter(is_image).count();
        if images > 1 {
            self.list(Assumed::ImagesApart);
        }
        if images > 0 && pointers > 0 {
            self.list(Assumed::PointersOutsideImages);
        }
        let variables = self.kernel.arrays.iter().filter(|(array, data)| {
            let of_file = data.origin == ArrayOrigin::Variable && matches!(data.space, Space::Global | Space::Constant);
            of_file && data.size != Some(0) && data.contents.is_none() && self.arrays.find(*array).is_some()
        });
        let names: Vec<String> = variables.map(|(_, data)| data.name.clone()).collect();
        if pointers > 0 && !names.is_empty() {
            self.list(Assumed::PointersOutsideVariables { names });
        }
        if self.options.warps_in_lock_step {
            self.list(Assumed::LockStepWarps { lanes: self.threads.warp_size() });
        }
        if !self.facts.structure.loops.is_empty() {
            self.list(Assumed::Termination);
        }
    }

    /// The expression arena.
    fn e(&mut self) -> &mut Expressions {
        &mut self.program.expressions
    }

    fn emit(&mut self, statement: Statement) {
        self.statements.last_mut().expect("the walk has a statement list").push(statement);
    }

    fn assign(&mut self, variable: lockstep_ir::sequential::Variable, value: Expression) {
        let location = self.location;
        self.emit(Statement::Assign { variable, value, location });
    }

    fn assume(&mut self, condition: Expression, reason: &str) {
        self.assume_about(condition, reason, None);
    }

    /// Assumes a condition that matters only to the accesses of these sites, or to everything if
    /// there is no list.
    fn assume_about(&mut self, condition: Expression, reason: &str, about: Option<Vec<Site>>) {
        if self.e().as_boolean(condition) != Some(true) {
            let location = self.location;
            self.emit(Statement::Assume { condition, reason: reason.into(), about, location });
        }
    }

    /// Asserts a condition; a condition that is always true is no obligation.
    fn assert(&mut self, condition: Expression, kind: ObligationKind) {
        if self.e().as_boolean(condition) == Some(true) {
            return;
        }
        let location = self.location;
        let obligation = self.program.obligations.push(ObligationData { kind, location });
        self.emit(Statement::Assert { condition, obligation, location });
    }

    /// Declares a new unknown that is assigned here.
    fn unknown(&mut self, name: &str, sort: Sort, thread: Option<usize>, unknown: Unknown) -> Expression {
        let role = if unknown == Unknown::Choice { Role::Choice } else { Role::Value };
        let name = match thread {
            Some(thread) => format!("{name}${}", thread + 1),
            None => name.to_owned(),
        };
        let variable = self.e().add_variable(&name, sort, thread, role);
        self.homes[variable] = self.open_loops.last().map(|open| open.loop_);
        let location = self.location;
        self.emit(Statement::Havoc { variable, unknown, location });
        self.e().variable(variable)
    }

    fn true_(&mut self) -> Expression {
        self.e().boolean(true)
    }

    /// Whether thread `thread` executes the block.
    fn active(&self, block: Block, thread: usize) -> Expression {
        *self.predicates[block].as_ref().expect("predecessors come first in the block order").of(thread)
    }

    fn lowered(&self, value: Value) -> &Copies<Lowered> {
        self.values[value].as_ref().expect("definitions come before uses in the block order")
    }

    /// A scalar's expression for a thread.
    fn scalar(&self, value: Value, thread: usize) -> Expression {
        match self.lowered(value).of(thread) {
            Lowered::Scalar(expression) => *expression,
            Lowered::Pointer(_) => panic!("{value} is a pointer"),
        }
    }

    /// A pointer's expression for a thread.
    fn pointer(&self, value: Value, thread: usize) -> PointerExpression {
        match self.lowered(value).of(thread) {
            Lowered::Pointer(pointer) => *pointer,
            Lowered::Scalar(_) => panic!("{value} is no pointer"),
        }
    }

    /// One copy if `uniform`, otherwise one per thread.
    fn copies<T: PartialEq>(&mut self, uniform: bool, mut make: impl FnMut(&mut Self, usize) -> T) -> Copies<T> {
        let first = make(self, 0);
        if uniform {
            return Copies::Uniform(first);
        }
        let second = make(self, 1);
        Copies::Each([first, second])
    }

    fn finish(mut self) -> Program {
        self.fill_sites();
        self.list_overflow();
        self.list_alignments();
        self.program.body = self.statements.pop().expect("the outermost statements");
        self.program
    }

    fn unsupported<T>(&self, construct: impl Into<String>) -> Result<T, Unsupported> {
        Err(Unsupported { construct: construct.into(), location: self.location })
    }
}

/// The sort of a scalar type.
fn sort(ty: Type) -> Sort {
    match ty {
        Type::Bool => Sort::Boolean,
        Type::Bits(width) => Sort::Bits(width),
        Type::Float(float) => Sort::Bits(float.width()),
        Type::Pointer(_) => panic!("a pointer has no sort of its own"),
    }
}
