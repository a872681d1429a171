//! The sequential program: the lock-step execution of two arbitrary threads of a launch.
//!
//! # Meaning
//!
//! A [`Program`] is structured: a list of [`Statement`]s, among them loops, executed in order.
//! There is no other control flow: predication (the lock-step paper, section 4.1) has turned
//! branches into conditional expressions. A variable of a thread exists twice, as `x$1` and `x$2`.
//! A variable that is equal for both threads (uniform) exists once.
//!
//! The program is **correct** if no execution fails an [`Statement::Assert`], over all values of
//! its inputs that satisfy the preconditions and all choices of [`Statement::Havoc`]. Execution
//! stops silently at an [`Statement::Assume`] that does not hold. It also stops after a failed
//! assertion, so each assertion may assume the earlier ones.
//!
//! **Variables** are *inputs* (never assigned, constrained by preconditions alone) or assigned.
//! An assigned variable is arbitrary before its first assignment.
//!
//! **Loops** are `while (guard) { body }`. The guard is "one of the two threads is still active at
//! the loop head". A thread that is not active does nothing in the body, because every statement of
//! the body is predicated. Each loop has a **counter**, a ghost that starts at 0 and counts
//! completed iterations. Both threads share it, since they iterate in lock-step; it is 64 bits wide
//! and assumed not to wrap. Updating the counter and evaluating the guard are part of the loop
//! statement's meaning:
//!
//! ```text
//! counter := 0;
//! while (guard) invariants { body; counter := counter + 1; }
//! ```
//!
//! **Race instrumentation** (DESIGN 2.2). Each race-checked array has one *watched* cell, an input.
//! Each access site has a Boolean **hit**: "thread 1 executed this access on the watched cell, and
//! nothing has ordered it before later accesses". Thread 1 logs, thread 2 checks. With the hit, the
//! site's *recorded* variables keep the values that the loop counters and other changing variables
//! had at that moment.

mod boogie;
mod evaluate;
mod expression;
mod one_thread;
mod parse;
mod print;
mod smtlib;
#[cfg(any(test, feature = "testing"))]
#[cfg_attr(not(test), allow(dead_code, reason = "other crates only want random programs"))]
mod testing;
mod verify;

use std::collections::BTreeSet;

use cranelift_entity::{PrimaryMap, entity_impl};
use serde::{Deserialize, Serialize};

pub use boogie::emit_boogie;
pub use evaluate::{Evaluator, Value, evaluate};
pub use expression::{
    BinaryOp, CompareOp, Expression, Expressions, Function, FunctionData, Node, Role, Sort, UnaryOp, Variable,
    VariableData,
};
pub use parse::parse;
pub use print::{PrintOptions, print, print_expression};
pub use smtlib::{emit_smtlib, emit_smtlib_with_origins};
#[cfg(any(test, feature = "testing"))]
pub use testing::random_program;
pub use verify::{VerifiedProgram, verify};

use crate::assumption::Assumptions;
use crate::kernel::ElementLayout;
use crate::source::{File, Location, LocationData};

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loop(u32);
entity_impl!(Loop, "loop");

/// A race-checked array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Array(u32);
entity_impl!(Array, "arr");

/// An access site: an instruction that accesses a race-checked array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(u32);
entity_impl!(Site, "site");

/// An obligation: the subject of an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Obligation(u32);
entity_impl!(Obligation, "ob");

/// Data of a thread: one copy for both threads if uniform, else one copy for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Copies<T> {
    /// Equal for both threads.
    Uniform(T),
    /// Thread 1's and thread 2's.
    Each([T; 2]),
}

impl<T> Copies<T> {
    /// The copy of thread `thread`, 0 for the first.
    pub fn of(&self, thread: usize) -> &T {
        match self {
            Self::Uniform(one) => one,
            Self::Each(both) => &both[thread],
        }
    }

    /// Whether both threads share one copy.
    pub fn is_uniform(&self) -> bool {
        matches!(self, Self::Uniform(_))
    }

    /// The same shape with `map` applied to each copy.
    pub fn map<U>(self, mut map: impl FnMut(T) -> U) -> Copies<U> {
        match self {
            Self::Uniform(one) => Copies::Uniform(map(one)),
            Self::Each([first, second]) => {
                let first = map(first);
                Copies::Each([first, map(second)])
            }
        }
    }

    /// The distinct copies.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        match self {
            Self::Uniform(one) => std::slice::from_ref(one).iter(),
            Self::Each(both) => both.iter(),
        }
    }
}

/// The pair of threads that a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pair {
    /// Two distinct threads of the same group.
    SameGroup,
    /// Two threads of different groups.
    DifferentGroups,
    /// A thread that is alone in its group. Both threads of the program are this thread: only
    /// properties of a single thread are asserted.
    Alone,
    /// A thread of any group and the copies that it starts for itself. Both threads of the program
    /// are this one; only races with these copies are asserted.
    SameThread,
}

/// A sequential program.
#[derive(Clone, Debug, Hash)]
pub struct Program {
    /// The kernel's name.
    pub name: String,
    /// The pair of threads that it is about.
    pub pair: Pair,
    /// The source files.
    pub files: PrimaryMap<File, String>,
    /// The places in the source.
    pub locations: PrimaryMap<Location, LocationData>,
    /// The expressions, variables and functions.
    pub expressions: Expressions,
    /// The conditions that hold at the start.
    pub preconditions: Vec<Precondition>,
    /// Further conditions on the inputs of every real execution that are too costly for proofs
    /// (products of unknowns). A proof does not use them; an execution that fails an assertion is a
    /// defect only if it satisfies them.
    pub exact: Vec<Precondition>,
    /// The statements.
    pub body: Vec<Statement>,
    /// The loops that `body` mentions, an outer loop before those inside it, otherwise in program
    /// order.
    pub loops: PrimaryMap<Loop, LoopData>,
    /// The race-checked arrays.
    pub arrays: PrimaryMap<Array, ArrayData>,
    /// The access sites, in program order.
    pub sites: PrimaryMap<Site, SiteData>,
    /// The obligations: the subjects of assertions.
    pub obligations: PrimaryMap<Obligation, ObligationData>,
    /// The user's suggestions for loop invariants. They are dropped unless they are proved.
    pub suggested: Vec<Suggestion>,
    /// The data of a counterexample that a report shows.
    pub observables: Observables,
    /// The assumptions that a proof of this program rests on.
    pub assumptions: Assumptions,
}

/// A condition that holds at the start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Precondition {
    /// The condition, over inputs.
    pub condition: Expression,
    /// The ground on which it may be assumed.
    pub ground: Ground,
}

/// The ground on which a precondition holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ground {
    /// The execution model, in words: `thread ids lie in the group`.
    Model(String),
    /// The source requires it (`__requires`).
    Source,
    /// The command line gives it (`--assume`).
    Given,
    /// The host's launch implies it.
    Host,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// `variable := value`
    Assign {
        /// The assigned variable.
        variable: Variable,
        /// Its new value.
        value: Expression,
        /// The place that it comes from.
        location: Option<Location>,
    },
    /// `variable` takes any value.
    Havoc {
        /// The variable that changes.
        variable: Variable,
        /// The origin of the value: the abstraction or unknown that a counterexample may hinge on.
        unknown: Unknown,
        /// The place that it comes from.
        location: Option<Location>,
    },
    /// Restricts executions to those in which this holds.
    Assume {
        /// The condition.
        condition: Expression,
        /// Why it may be assumed, in words.
        reason: String,
        /// The sites to whose accesses alone the assumption matters; `None` if it may matter to
        /// anything. It is a hint about the facts that a question needs, and has no effect on the
        /// meaning of the program.
        about: Option<Vec<Site>>,
        /// The place that it comes from.
        location: Option<Location>,
    },
    /// The program is wrong if this does not hold.
    Assert {
        /// The condition.
        condition: Expression,
        /// The obligation.
        obligation: Obligation,
        /// The place that it comes from.
        location: Option<Location>,
    },
    /// The loop.
    Loop(Loop),
}

/// The origin of an arbitrary value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unknown {
    /// The value loaded from this array, by name, under the adversarial abstraction.
    Load(String),
    /// The old value an atomic returned from this array, by name.
    Atomic(String),
    /// A new state of the array's contents, by name, at a synchronisation.
    Contents(String),
    /// A value the source leaves undefined or uninitialised.
    Undefined,
    /// Something read from an image, a warp exchange, or another source that is not modelled, in
    /// words.
    Unmodelled(String),
    /// The free choice of the race instrumentation: which of the matching accesses is the hit.
    Choice,
}

/// A loop.
#[derive(Clone, Debug, Hash)]
pub struct LoopData {
    /// The ghost that counts completed iterations, 64 bits.
    pub counter: Variable,
    /// Whether at least one thread executes another iteration; over variables at the loop head.
    pub guard: Expression,
    /// Whether a thread executes another iteration.
    pub active: Copies<Variable>,
    /// The statements of an iteration.
    pub body: Vec<Statement>,
    /// The enclosing loop.
    pub parent: Option<Loop>,
    /// The loop's invariants: they hold at each evaluation of the guard. They are the user's, and
    /// proved candidates once there are some.
    pub invariants: Vec<Invariant>,
    /// The variables of the source that change from one iteration to the next.
    pub carried: Vec<Carried>,
    /// Whether the body executes a barrier of the group or of the launch.
    pub has_barrier: bool,
    /// The place of the loop in the source.
    pub location: Option<Location>,
}

/// A loop invariant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    /// The condition.
    pub condition: Expression,
    /// The family that proposed it, or `user`.
    pub family: String,
}

/// A guess at a loop invariant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Suggestion {
    /// The loop.
    pub loop_: Loop,
    /// The condition that may hold at each evaluation of the guard.
    pub condition: Expression,
}

/// A variable of the source that a loop changes.
#[derive(Clone, Debug, Hash)]
pub struct Carried {
    /// Its name in the source, if known.
    pub name: Option<String>,
    /// The variable.
    pub variable: Copies<Variable>,
    /// Its value before the loop, over variables that the loop does not change.
    pub initial: Copies<Expression>,
    /// Its value after an iteration in which the thread was active throughout and returned to the
    /// loop head. It is over the values of variables at the loop head and variables assigned in the
    /// body.
    pub next: Copies<Expression>,
}

/// A race-checked array.
#[derive(Clone, Debug, Hash)]
pub struct ArrayData {
    /// The name in the source.
    pub name: String,
    /// Whether each group has its own copy: then threads of different groups do not access the same
    /// cell.
    pub group_shared: bool,
    /// The cell size in bytes, in which offsets are counted. It is the largest number that divides
    /// every access's width and offset.
    pub cell_bytes: u64,
    /// The watched cell, an input.
    pub watched: Variable,
    /// The digits of the watched cell, if accesses are compared digit by digit; else empty. The
    /// digits are inputs, too. The program does not state that they are the cell's digits, but an
    /// assignment of inputs must satisfy it.
    pub digits: Vec<Digit>,
    /// The declared element's type name and size in bytes, for display.
    pub element: Option<ElementLayout>,
    /// The dimensions of an image, whose cells are packed coordinates of 32 bits each, the first in
    /// the low bits; `None` for memory.
    pub image: Option<u8>,
}

/// A digit of a watched cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// The digit, an input.
    pub variable: Variable,
    /// Its definition in terms of the watched cell and other inputs.
    pub value: Expression,
}

/// An access site.
#[derive(Clone, Debug, Hash)]
pub struct SiteData {
    /// The array accessed.
    pub array: Array,
    /// The kind of access.
    pub kind: AccessKind,
    /// Whether it is a volatile access, in a language in which those are relaxed atomic ones.
    pub volatile: bool,
    /// The place in the source.
    pub location: Option<Location>,
    /// The loops around it, outermost first.
    pub loops: Vec<Loop>,
    /// Whether thread 1 has hit the watched cell here.
    pub hit: Variable,
    /// The value that thread 1 wrote into the watched cell, if it is tracked.
    pub written: Option<Variable>,
    /// The recorded values: each a changing variable, and its value when the site was hit. Counters
    /// of the loops around the site are among them.
    pub recorded: Vec<Recorded>,
    /// The conditions that held when the site was hit, over recorded variables and variables that
    /// cannot have changed since. The first states that the access touches the watched cell; the
    /// others are the conditions under which the site is reached. Each is true whenever `hit` is,
    /// and is a candidate invariant of every loop that changes the hit.
    pub facts: Vec<Expression>,
    /// The first cell each thread accesses here, over the variables at the site, for reports.
    pub offset: Copies<Expression>,
    /// Whether each thread executes the site, over the variables at the site, for reports.
    pub active: Copies<Expression>,
}

/// A recorded value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recorded {
    /// Thread 1's variable.
    pub original: Variable,
    /// Its value when the site was hit.
    pub recorded: Variable,
}

/// The kind of an access to an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes indivisibly.
    Atomic,
    /// Reads on behalf of an asynchronous copy.
    AsyncRead,
    /// Writes on behalf of an asynchronous copy.
    AsyncWrite,
}

impl AccessKind {
    /// Whether the access changes memory.
    pub fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Atomic | Self::AsyncWrite)
    }

    /// Whether two such accesses of different threads to one cell are a race.
    pub fn conflicts(self, other: Self) -> bool {
        (self.writes() || other.writes()) && !(self == Self::Atomic && other == Self::Atomic)
    }
}

/// Data about an obligation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObligationData {
    /// The property that is asserted.
    pub kind: ObligationKind,
    /// The place in the source.
    pub location: Option<Location>,
}

/// The property that an assertion is about, named by its violation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ObligationKind {
    /// Thread 1's access at `logged` races with thread 2's at `checked`.
    Race {
        /// The site of thread 1.
        logged: Site,
        /// The site of thread 2.
        checked: Site,
    },
    /// One thread reaches a barrier and the other does not. The copies state whether each thread
    /// reaches it.
    BarrierDivergence {
        /// Whether each thread reaches the barrier.
        active: Copies<Expression>,
    },
    /// The event or the arguments of a group-wide operation differ between the threads.
    GroupOperationDivergence,
    /// A claim about one thread does not hold.
    Claim {
        /// The claim.
        claim: Claim,
        /// The thread that it is about, 0 for the first; `None` if it is the same for both.
        thread: Option<usize>,
    },
    /// A thread waits for another thread of its warp, which its mask names. The other thread does
    /// not arrive, or arrives with another mask. The copies state whether each thread arrives.
    WarpDivergence {
        /// Whether each thread arrives.
        active: Copies<Expression>,
    },
    /// An operation on a barrier of some of the group's threads breaks a rule.
    NamedBarrier(BarrierRule),
    /// An operation on a place through which threads synchronise breaks a rule.
    Signal(SignalRule),
    /// A digit of an index into this array, by name, is not below its radix. This is no defect, but
    /// such an index cannot be compared digit by digit.
    Digits {
        /// The array's name.
        array: String,
    },
    /// An access outside an array of known size.
    OutOfBounds {
        /// The array's name.
        array: String,
        /// Its size in cells; `None` if that is a number of the program.
        cells: Option<u64>,
        /// The size of a cell in bytes.
        cell_bytes: u64,
        /// The first cell that is accessed.
        cell: Expression,
        /// The accessing thread.
        thread: Option<usize>,
        /// The declared element's type name and size in bytes, for display.
        element: Option<ElementLayout>,
    },
    /// A user's invariant does not hold before the loop.
    InvariantEntry,
    /// A user's invariant is not kept by the loop's body.
    InvariantStep,
}

impl ObligationKind {
    /// Whether no other obligation rests on it ([`Claim::stands_alone`]).
    pub fn stands_alone(&self) -> bool {
        matches!(self, Self::Claim { claim, .. } if claim.stands_alone())
    }
}

/// A rule for barriers of some of the group's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BarrierRule {
    /// The operation is on the barrier that is next in its ring.
    Number,
    /// The operation is for as many threads as take part.
    Count,
    /// The warp takes part in the barrier, as a whole.
    Participants,
    /// All that take part come equally often.
    EquallyOften,
    /// The barrier's round before is complete.
    Recycled,
    /// The other rounds before the operation are as complete as in small launches.
    Order,
    /// The thread does not wait for ever.
    Progress,
    /// Somebody waits for those that only arrive.
    Awaited,
    /// The barrier in shared memory has been initialised, once.
    Initialised,
    /// No later phase of the same parity is complete where the thread waits.
    Parity,
}

impl BarrierRule {
    /// All rules.
    pub const ALL: [Self; 10] = [
        Self::Number,
        Self::Count,
        Self::Participants,
        Self::EquallyOften,
        Self::Recycled,
        Self::Order,
        Self::Progress,
        Self::Awaited,
        Self::Initialised,
        Self::Parity,
    ];

    /// The rule's word in the text format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Count => "count",
            Self::Participants => "participants",
            Self::EquallyOften => "equally-often",
            Self::Recycled => "recycled",
            Self::Order => "order",
            Self::Progress => "progress",
            Self::Awaited => "awaited",
            Self::Initialised => "initialised",
            Self::Parity => "parity",
        }
    }

    /// The rule in words.
    pub fn statement(self) -> &'static str {
        match self {
            Self::Number => "the barrier is the next one in turn",
            Self::Count => "the barrier is for the threads that take part",
            Self::Participants => "the same threads take part in all rounds of the barrier",
            Self::EquallyOften => "all threads come to the barrier equally often",
            Self::Recycled => "the barrier's last round is complete before it is used again",
            Self::Order => "rounds follow each other as they do in small launches",
            Self::Progress => "nobody waits at the barrier for ever",
            Self::Awaited => "somebody waits in each round of the barrier",
            Self::Initialised => {
                "the mbarrier is initialised once, and a barrier of the whole block comes before its first use"
            }
            Self::Parity => "no more than one phase of the mbarrier completes while a thread waits for it",
        }
    }
}

/// A rule for places in memory through which threads synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SignalRule {
    /// No two stores write the same value to a flag.
    Unique,
    /// No other thread stores to the cell that tells how far a thread has come.
    Owned,
    /// A thread stores more there each time.
    Grows,
    /// At most one thread of the group executes the operation.
    Elected,
    /// A counter does not wrap before everybody has counted.
    Limit,
    /// A counter is set only by a thread that knows that everybody has counted.
    Reset,
    /// A lock is taken with a value that differs from that of a free one.
    Taken,
    /// The next ticket is served.
    Next,
    /// No two threads wait for the same number in one cell.
    Distinct,
    /// A lock is given back by the thread that holds it.
    Held,
    /// The accesses of the holder are released before the lock is given back.
    Released,
    /// A thread that waits for all groups has read what all of them have counted.
    Awaited,
}

impl SignalRule {
    /// All rules.
    pub const ALL: [Self; 12] = [
        Self::Unique,
        Self::Owned,
        Self::Grows,
        Self::Elected,
        Self::Limit,
        Self::Reset,
        Self::Taken,
        Self::Next,
        Self::Distinct,
        Self::Held,
        Self::Released,
        Self::Awaited,
    ];

    /// The rule's word in the text format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::Owned => "owned",
            Self::Grows => "grows",
            Self::Elected => "elected",
            Self::Limit => "limit",
            Self::Reset => "reset",
            Self::Taken => "taken",
            Self::Next => "next",
            Self::Distinct => "distinct",
            Self::Held => "held",
            Self::Released => "released",
            Self::Awaited => "awaited",
        }
    }

    /// The rule in words.
    pub fn statement(self) -> &'static str {
        match self {
            Self::Unique => "no other store writes the same value to the flag",
            Self::Owned => "no other thread stores to the cell in which a thread tells how far it has come",
            Self::Grows => "a thread tells how far it has come by a greater number each time",
            Self::Elected => "at most one thread of the group signals for all",
            Self::Limit => "the counter does not wrap before everybody has counted",
            Self::Reset => "the counter is set only when everybody has counted",
            Self::Taken => "the lock is taken with another value than that of a free lock",
            Self::Next => "the next ticket is served",
            Self::Distinct => "no other thread waits for the same turn",
            Self::Held => "the lock is given back by the thread that holds it",
            Self::Released => "the accesses under the lock are released before it is given back",
            Self::Awaited => "all groups have counted when a thread goes on behind its wait",
        }
    }
}

/// A claim about one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Claim {
    /// A user's assertion holds.
    Assertion,
    /// A call through a pointer leads to a known function.
    KnownTarget,
    /// The thread writes no constant memory.
    ConstantWrite,
    /// The thread accesses nothing through the null pointer.
    NullDereference,
    /// The thread's lane is in the mask with which it calls a warp function.
    LaneInMask,
    /// The lane that the thread reads from takes part.
    ActiveSource,
    /// The access has the alignment that its type requires.
    Alignment,
    /// The shared memory that the thread reads has been written.
    Initialised,
    /// The index does not overflow.
    Overflow,
}

impl Claim {
    /// All claims.
    pub const ALL: [Self; 9] = [
        Self::Assertion,
        Self::KnownTarget,
        Self::ConstantWrite,
        Self::NullDereference,
        Self::LaneInMask,
        Self::ActiveSource,
        Self::Alignment,
        Self::Initialised,
        Self::Overflow,
    ];

    /// Whether no other obligation rests on the claim: an execution that violates it goes on, and
    /// may show more defects.
    pub fn stands_alone(self) -> bool {
        match self {
            Self::Alignment | Self::Initialised => true,
            Self::Assertion
            | Self::KnownTarget
            | Self::ConstantWrite
            | Self::NullDereference
            | Self::LaneInMask
            | Self::ActiveSource
            | Self::Overflow => false,
        }
    }

    /// The claim's word in the text format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::KnownTarget => "known-target",
            Self::ConstantWrite => "constant-write",
            Self::NullDereference => "null-dereference",
            Self::LaneInMask => "lane-in-mask",
            Self::ActiveSource => "active-source",
            Self::Alignment => "alignment",
            Self::Initialised => "initialised",
            Self::Overflow => "overflow",
        }
    }

    /// The claim in words.
    pub fn said(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::KnownTarget => "the function that is called is known",
            Self::ConstantWrite => "no write to constant memory",
            Self::NullDereference => "no access through the null pointer",
            Self::LaneInMask => "the lane is in its own mask",
            Self::ActiveSource => "the lane that is read from takes part",
            Self::Alignment => "the access is aligned",
            Self::Initialised => "what is read has been written",
            Self::Overflow => "the index does not overflow",
        }
    }
}

/// The data of a counterexample that a report shows.
#[derive(Clone, Debug, Default, Hash)]
pub struct Observables {
    /// The threads' ids in their group, per dimension.
    pub local_ids: Vec<Copies<Expression>>,
    /// The threads' groups, per dimension.
    pub group_ids: Vec<Copies<Expression>>,
    /// The group size, per dimension.
    pub local_sizes: Vec<Expression>,
    /// The number of groups, per dimension.
    pub num_groups: Vec<Expression>,
    /// The threads' groups times the group size, per dimension: their first global id without the
    /// offset.
    pub group_starts: Vec<Copies<Expression>>,
    /// The number of threads in the launch, per dimension.
    pub global_sizes: Vec<Expression>,
    /// The scalar kernel parameters, by name.
    pub parameters: Vec<(String, Expression)>,
    /// The host's numbers in relations of the launch, by name; the kernel does not get them.
    pub host: Vec<(String, Expression)>,
}

impl Program {
    /// A program that does nothing.
    pub fn empty(name: impl Into<String>, pair: Pair) -> Self {
        Self {
            name: name.into(),
            pair,
            files: PrimaryMap::new(),
            locations: PrimaryMap::new(),
            expressions: Expressions::new(),
            preconditions: Vec::new(),
            exact: Vec::new(),
            body: Vec::new(),
            loops: PrimaryMap::new(),
            arrays: PrimaryMap::new(),
            sites: PrimaryMap::new(),
            obligations: PrimaryMap::new(),
            suggested: Vec::new(),
            observables: Observables::default(),
            assumptions: Assumptions::default(),
        }
    }

    /// The variables that a loop changes: its counter, and those assigned or made arbitrary in its
    /// body and in the loops inside it.
    pub fn changed_in(&self, loop_: Loop) -> BTreeSet<Variable> {
        let mut changed = BTreeSet::new();
        let mut loops = vec![loop_];
        while let Some(loop_) = loops.pop() {
            let data = &self.loops[loop_];
            changed.insert(data.counter);
            for statement in &data.body {
                match statement {
                    Statement::Assign { variable, .. } | Statement::Havoc { variable, .. } => {
                        changed.insert(*variable);
                    }
                    Statement::Assume { .. } | Statement::Assert { .. } => {}
                    Statement::Loop(inner) => loops.push(*inner),
                }
            }
        }
        changed
    }
}
