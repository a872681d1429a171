//! The state of the transformation of one kernel into one program, and the walk's frame.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_invariants::ranges::Ranges;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{self, ArrayOrigin, Block, Kernel, Space, Type, Unsupported, Value};
use lockstep_ir::sequential::{
    Array, Copies, Expression, Expressions, Loop, ObligationData, ObligationKind, Pair, Program, Role, Site, Sort,
    Statement, Unknown, Variable, VerifiedProgram,
};
use lockstep_ir::source::{Location, Place};
use lockstep_options::checks::Check;
use lockstep_options::launch::Launch;
use lockstep_options::techniques::Technique;

use super::annotations::{BarrierInvariant, Taken};
use super::facts::{Facts, PairFacts, RacesChecked};
use super::instrument::digits::Plan;
use super::instrument::sites::Sites;
use super::loops::OpenLoop;
use super::memory::arrays::Arrays;
use super::predicate::Edge;
use super::stated_contents::{Stated, assume_contents};
use super::synchronise::copies;
use super::synchronise::named::Ended;
use super::synchronise::signals;
use super::synchronise::tickets::Tickets;
use super::threads::Threads;
use super::{LockstepOptions, NotLowered, axioms, threads_exist};
use crate::analysis::counters::Counter;

/// A pointer: the tag of its array (a 16-bit number, [`NULL`] for null) and the byte offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerExpression {
    pub tag: Expression,
    pub offset: Expression,
}

/// The tag of the null pointer.
pub const NULL: u64 = 0xFFFF;
/// The tag of a pointer to memory outside the kernel's arrays. Nothing is accessed through it
/// ([`super::facts`]), but it may be compared.
pub const ELSEWHERE: u64 = 0xFFFD;
pub const TAG_WIDTH: u32 = 16;

/// The representation of a kernel value in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowered {
    Scalar(Expression),
    Pointer(PointerExpression),
}

/// Ghosts for threads that have left certain blocks for good.
pub struct Exited {
    /// Whether each thread has left them.
    pub variables: [Variable; 2],
    /// The blocks from which one of those blocks can still be reached.
    pub ahead: BTreeSet<Block>,
}

/// The state of the walk.
pub struct Lowering<'a> {
    pub kernel: &'a Kernel,
    pub facts: &'a Facts,
    pub of_pair: &'a PairFacts,
    pub options: &'a LockstepOptions,
    pub pair: Pair,
    pub threads: Threads,
    /// The ranges of the inputs.
    pub ranges: Ranges,
    /// The lines on which signed arithmetic is assumed not to overflow.
    pub overflow_places: BTreeSet<Place>,
    /// The alignment in bytes that accesses need of an array's start, beyond that of its cells.
    pub alignments: BTreeMap<kernel::Array, u32>,
    /// The assumption about the first thread for the operation that defines a value.
    pub promised: BTreeMap<Value, Expression>,
    pub program: Program,
    pub arrays: Arrays,
    pub sites: Sites,
    pub values: SecondaryMap<Value, Option<Copies<Lowered>>>,
    pub predicates: SecondaryMap<Block, Option<Copies<Expression>>>,
    pub edges: SecondaryMap<Block, Vec<Edge>>,
    /// The statements under construction, the innermost loop's last.
    pub statements: Vec<Vec<Statement>>,
    /// The loops the walk is in, outermost first.
    pub open_loops: Vec<OpenLoop>,
    /// For each loop of the kernel, the loop of the program.
    pub loops: Vec<Loop>,
    /// The innermost loop that changes a variable; `None` if no loop does.
    pub homes: SecondaryMap<Variable, Option<Loop>>,
    /// Whether each thread has passed its last barrier, where that counts as arriving.
    pub exited: Option<Exited>,
    /// Whether each thread has returned, where operations on warps need it.
    pub returned: Option<[Variable; 2]>,
    /// The numbers of the thread's operations on barriers, where the walk is.
    pub rounds_here: Option<Vec<Value>>,
    /// The state of threads at their end, where barriers need it.
    pub ended: Option<Ended>,
    /// The state of synchronisation through memory, where it orders accesses.
    pub signalling: Option<Box<signals::State>>,
    /// The barrier invariants stated since the last barrier.
    pub barrier_invariants: Vec<BarrierInvariant>,
    /// The numbers drawn from counters.
    pub tickets: Tickets,
    /// The source's questions about numbers that atomics have returned.
    pub taken: Vec<Taken>,
    /// The facts about contents that the source states.
    pub contents_facts: Vec<Stated>,
    /// The form in which the kernel is lowered, and the watched digits of the split arrays.
    pub form: Form<'a>,
    pub digits: BTreeMap<Array, Vec<Variable>>,
    /// Whether a digit needed a value that was not known there; then there is no such program.
    pub digits_unknown: bool,
    pub location: Option<Location>,
}

/// The form in which a program is lowered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Form<'a> {
    /// The plan for splitting indices into digits, if they are split.
    pub digits: Option<&'a Plan>,
    /// Whether writes that repeat each other share a site.
    pub shares_sites: bool,
}

/// A lowered program, and the other forms in which it pays to lower the kernel.
pub struct LoweredProgram {
    pub program: VerifiedProgram,
    /// The plan by which indices can be split, if they are not.
    pub digits: Option<Plan>,
    /// Whether some writes could share a site.
    pub could_share_sites: bool,
}

/// Lowers a kernel for one pair of threads; `None` if the pair needs no check, or if the kernel has
/// no program of this form.
pub fn lower_as(
    facts: &Facts,
    launch: &Launch,
    pair: Pair,
    options: &LockstepOptions,
    form: Form<'_>,
) -> Result<Option<LoweredProgram>, NotLowered> {
    let kernel = &facts.kernel;
    if !threads_exist(launch, pair, options) || pair == Pair::DifferentGroups && !facts.concerns_groups {
        return Ok(None);
    }
    let has_whole_warps = has_whole_warps(facts, launch, options);
    if pair == Pair::SameThread && !copies::are_of_threads(kernel) {
        return Ok(None);
    }
    // A thread of a whole warp is not alone in its group.
    if has_whole_warps && pair == Pair::Alone {
        return Ok(None);
    }
    let checked = RacesChecked { kernel, options };
    let of_launch = match pair {
        Pair::Alone if !options.one_thread => &launch.of_single_threads(),
        Pair::SameGroup | Pair::DifferentGroups | Pair::Alone | Pair::SameThread => launch,
    };
    let mut program = empty_program(kernel, pair);
    let threads = Threads::new(&mut program, of_launch, options.warp_size_for(kernel.language));
    if has_whole_warps {
        threads.require_whole_warps(&mut program);
    }
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
        arrays: Arrays::new(&mut program, kernel, &facts.used, &facts.asked_about, &of_pair.intervals, pair, options),
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
        sites: Sites::default(),
        values: SecondaryMap::new(),
        predicates: SecondaryMap::new(),
        edges: SecondaryMap::new(),
        statements: vec![Vec::new()],
        open_loops: Vec::new(),
        loops: Vec::new(),
        homes: SecondaryMap::new(),
        exited: None,
        returned: None,
        rounds_here: None,
        ended: None,
        signalling: None,
        barrier_invariants: Vec::new(),
        tickets: Tickets::default(),
        taken: Vec::new(),
        contents_facts: Vec::new(),
        form,
        digits: BTreeMap::new(),
        digits_unknown: false,
        location: None,
    };
    lowering.tickets.counters.clone_from(&facts.counters);
    // Each group has local counters of its own. Where both threads of the program are one, they
    // draw the same number.
    let shared = |array| match pair {
        Pair::SameGroup => true,
        Pair::DifferentGroups => kernel.arrays[array].space == Space::Global,
        Pair::Alone | Pair::SameThread => false,
    };
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
    let takes_apart = form.digits.is_none() && wanted(Technique::Digits) && !options.checks.has(Check::Overflow);
    let digits = if takes_apart { lowering.plan_digits() } else { None };
    let could_share_sites =
        wanted(Technique::SharedSites) && facts.asked_about.is_empty() && lowering.could_share_sites();
    let stated = std::mem::take(&mut lowering.contents_facts);
    let mut program = lowering.finish();
    assume_contents(&mut program, &stated);
    axioms::assume_axioms(&mut program, &options.axioms);
    match lockstep_ir::sequential::verify(program) {
        Ok(program) => Ok(Some(LoweredProgram { program, digits, could_share_sites })),
        Err(problems) => {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            panic!("the lock-step transformation made an ill-formed program: {}", all.join("; "))
        }
    }
}

/// Whether the launch is assumed to have whole warps: a group of open size may be one that nobody
/// launches, in which operations name lanes that do not exist.
fn has_whole_warps(facts: &Facts, launch: &Launch, options: &LockstepOptions) -> bool {
    let warp = u64::from(options.warp_size_for(facts.kernel.language));
    let is_open = launch.local_size.iter().any(|extent| extent.known().is_none());
    // The sizes that are known must leave room for whole warps.
    let known: u64 = launch.local_size.iter().filter_map(|extent| extent.known()).map(u64::from).product();
    let fits = known.saturating_mul(warp) <= u64::from(launch.max_group_size) || known.is_multiple_of(warp);
    facts.names_all_lanes && warp > 1 && is_open && fits && !options.partial_warps && !options.one_thread
}

fn empty_program(kernel: &Kernel, pair: Pair) -> Program {
    let (files, locations) = (kernel.files.clone(), kernel.locations.clone());
    Program { files, locations, ..Program::empty(&kernel.name, pair) }
}

impl Lowering<'_> {
    /// Whether both threads of the program are the same.
    pub fn is_one_thread(&self) -> bool {
        matches!(self.pair, Pair::Alone | Pair::SameThread)
    }

    /// Lists an assumption about the whole kernel.
    pub fn list(&mut self, what: Assumed) {
        self.program.assumptions.add(what.everywhere());
    }

    /// Lists an assumption made by the current line.
    pub fn list_here(&mut self, what: Assumed) {
        let here = self.kernel.place(self.location);
        self.program.assumptions.add(what.at([here]));
    }

    pub fn list_assumptions(&mut self) {
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
    pub fn e(&mut self) -> &mut Expressions {
        &mut self.program.expressions
    }

    pub fn emit(&mut self, statement: Statement) {
        self.statements.last_mut().expect("the walk has a statement list").push(statement);
    }

    pub fn assign(&mut self, variable: Variable, value: Expression) {
        let location = self.location;
        self.emit(Statement::Assign { variable, value, location });
    }

    pub fn assume(&mut self, condition: Expression, reason: &str) {
        self.assume_about(condition, reason, None);
    }

    /// Assumes a condition that matters only to the accesses of these sites, or to everything if
    /// there is no list.
    pub fn assume_about(&mut self, condition: Expression, reason: &str, about: Option<Vec<Site>>) {
        if self.e().as_boolean(condition) != Some(true) {
            let location = self.location;
            self.emit(Statement::Assume { condition, reason: reason.into(), about, location });
        }
    }

    /// Asserts a condition; a condition that is always true is no obligation.
    pub fn assert(&mut self, condition: Expression, kind: ObligationKind) {
        if self.e().as_boolean(condition) == Some(true) {
            return;
        }
        let location = self.location;
        let obligation = self.program.obligations.push(ObligationData { kind, location });
        self.emit(Statement::Assert { condition, obligation, location });
    }

    /// Declares a new unknown that is assigned here.
    pub fn unknown(&mut self, name: &str, sort: Sort, thread: Option<usize>, unknown: Unknown) -> Expression {
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

    pub fn true_(&mut self) -> Expression {
        self.e().boolean(true)
    }

    /// Whether thread `thread` executes the block.
    pub fn active(&self, block: Block, thread: usize) -> Expression {
        *self.predicates[block].as_ref().expect("predecessors come first in the block order").of(thread)
    }

    pub fn lowered(&self, value: Value) -> &Copies<Lowered> {
        self.values[value].as_ref().expect("definitions come before uses in the block order")
    }

    /// A scalar's expression for a thread.
    pub fn scalar(&self, value: Value, thread: usize) -> Expression {
        match self.lowered(value).of(thread) {
            Lowered::Scalar(expression) => *expression,
            Lowered::Pointer(_) => panic!("{value} is a pointer"),
        }
    }

    /// A pointer's expression for a thread.
    pub fn pointer(&self, value: Value, thread: usize) -> PointerExpression {
        match self.lowered(value).of(thread) {
            Lowered::Pointer(pointer) => *pointer,
            Lowered::Scalar(_) => panic!("{value} is no pointer"),
        }
    }

    /// One copy if `uniform`, otherwise one per thread.
    pub fn copies<T: PartialEq>(&mut self, uniform: bool, mut make: impl FnMut(&mut Self, usize) -> T) -> Copies<T> {
        let first = make(self, 0);
        if uniform {
            return Copies::Uniform(first);
        }
        let second = make(self, 1);
        Copies::Each([first, second])
    }

    pub fn finish(mut self) -> Program {
        self.fill_sites();
        self.list_overflow();
        self.list_alignments();
        self.program.body = self.statements.pop().expect("the outermost statements");
        self.program
    }

    pub fn unsupported<T>(&self, construct: impl Into<String>) -> Result<T, Unsupported> {
        Err(Unsupported { construct: construct.into(), location: self.location })
    }
}

/// The sort of a scalar type.
pub fn sort(ty: Type) -> Sort {
    match ty {
        Type::Bool => Sort::Boolean,
        Type::Bits(width) => Sort::Bits(width),
        Type::Float(float) => Sort::Bits(float.width()),
        Type::Pointer(_) => panic!("a pointer has no sort of its own"),
    }
}
