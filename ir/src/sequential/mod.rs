//! The sequential program: what two arbitrary threads of a launch execute in lock-step.
//!
//! # Meaning
//!
//! A [`Program`] is structured: a list of [`Statement`]s, among them loops, executed in order. There is
//! no other control flow: predication (the lock-step paper, section 4.1) has turned branches into
//! conditional expressions. Whatever belongs to one of the two threads exists twice, as the variables
//! `x$1` and `x$2`; what is equal for both (uniform) exists once.
//!
//! The program is **correct** if no execution fails an [`Statement::Assert`], over all values of its
//! inputs that satisfy the preconditions and all choices of [`Statement::Havoc`]. Execution stops
//! silently at an [`Statement::Assume`] that does not hold, and so do executions after a failed
//! assertion: each assertion may assume the earlier ones.
//!
//! **Variables** are *inputs* (never assigned, constrained by preconditions alone) or assigned.
//! An assigned variable is arbitrary before its first assignment.
//!
//! **Loops** are `while (guard) { body }`. The guard is "one of the two threads is still active at the
//! loop head"; a thread that is not active does nothing in the body, since everything the body does is
//! predicated. Each loop has a **counter**, a ghost that starts at 0 and counts completed iterations; it
//! is one for both threads since they iterate in lock-step, 64 bits wide and assumed not to wrap.
//! Assigning counter and guard is part of the loop statement's meaning:
//!
//! ```text
//! counter := 0;
//! while (guard) invariants { body; counter := counter + 1; }
//! ```
//!
//! **Race instrumentation** (DESIGN 2.2). Each race-checked array has one *watched* cell, an input.
//! Each access site has a Boolean **hit**: "thread 1 executed this access on the watched cell, and
//! nothing has ordered that before what follows". Thread 1 logs, thread 2 checks. With the hit, the
//! site's *recorded* variables keep the values that the loop counters and other changing variables had
//! at that moment.

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

/// Something that is asserted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Obligation(u32);
entity_impl!(Obligation, "ob");

/// Something of a thread: one for both if uniform, else one each.
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

    /// Whether there is one for both.
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

    /// Each copy once.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        match self {
            Self::Uniform(one) => std::slice::from_ref(one).iter(),
            Self::Each(both) => both.iter(),
        }
    }
}

/// Which pair of threads a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pair {
    /// Two distinct threads of the same group.
    SameGroup,
    /// Two threads of different groups.
    DifferentGroups,
    /// A thread that is alone in its group. Both threads of the program are this one: nothing but what concerns a
    /// single thread is asserted.
    Alone,
}

/// A sequential program.
#[derive(Clone, Debug, Hash)]
pub struct Program {
    /// The kernel's name.
    pub name: String,
    /// Which two threads it is about.
    pub pair: Pair,
    /// The source files.
    pub files: PrimaryMap<File, String>,
    /// The places in the source.
    pub locations: PrimaryMap<Location, LocationData>,
    /// The expressions, variables and functions.
    pub expressions: Expressions,
    /// What holds at the start.
    pub preconditions: Vec<Precondition>,
    /// What else holds of the inputs of every real execution, and is too costly for proofs (products of unknowns). A proof does
    /// not use it; an execution that fails an assertion is a defect only if it satisfies it.
    pub exact: Vec<Precondition>,
    /// What is executed.
    pub body: Vec<Statement>,
    /// The loops that `body` mentions, an outer loop before those inside it, otherwise in program order.
    pub loops: PrimaryMap<Loop, LoopData>,
    /// The race-checked arrays.
    pub arrays: PrimaryMap<Array, ArrayData>,
    /// The access sites, in program order.
    pub sites: PrimaryMap<Site, SiteData>,
    /// What is asserted.
    pub obligations: PrimaryMap<Obligation, ObligationData>,
    /// What the user suggests as loop invariants. They are proved before they are used, or dropped.
    pub suggested: Vec<Suggestion>,
    /// What a report shows of a counterexample.
    pub observables: Observables,
    /// The assumptions that a proof of this program rests on.
    pub assumptions: Assumptions,
}

/// Something that holds at the start.
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
    /// The host launches the kernel so.
    Host,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// `variable := value`
    Assign {
        /// What changes.
        variable: Variable,
        /// Its new value.
        value: Expression,
        /// Where this comes from.
        location: Option<Location>,
    },
    /// `variable` takes any value.
    Havoc {
        /// What changes.
        variable: Variable,
        /// What it stands for: the abstraction or unknown a counterexample may hinge on.
        unknown: Unknown,
        /// Where this comes from.
        location: Option<Location>,
    },
    /// Only executions in which this holds are considered.
    Assume {
        /// The condition.
        condition: Expression,
        /// Why it may be assumed, in words.
        reason: String,
        /// The sites whose accesses are all that it matters to; `None` if it may matter to anything. That is advice
        /// about which facts a question needs, and changes nothing of what the program means.
        about: Option<Vec<Site>>,
        /// Where this comes from.
        location: Option<Location>,
    },
    /// The program is wrong if this does not hold.
    Assert {
        /// The condition.
        condition: Expression,
        /// What it is about.
        obligation: Obligation,
        /// Where this comes from.
        location: Option<Location>,
    },
    /// The loop.
    Loop(Loop),
}

/// What an arbitrary value stands for.
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
    /// Something read from an image, a warp exchange, or another source that is not modelled, in words.
    Unmodelled(String),
    /// The free choice of the race instrumentation: which of the matching accesses is the hit.
    Choice,
}

/// A loop.
#[derive(Clone, Debug, Hash)]
pub struct LoopData {
    /// The ghost that counts completed iterations, 64 bits.
    pub counter: Variable,
    /// Whether one of the threads executes another iteration; over variables at the loop head.
    pub guard: Expression,
    /// Whether a thread executes another iteration.
    pub active: Copies<Variable>,
    /// What is executed in an iteration.
    pub body: Vec<Statement>,
    /// The loop around this one.
    pub parent: Option<Loop>,
    /// What holds at each evaluation of the guard: user invariants, and proved candidates once there are some.
    pub invariants: Vec<Invariant>,
    /// The variables of the source that change from one iteration to the next.
    pub carried: Vec<Carried>,
    /// Whether the body executes a barrier of the group or of the launch.
    pub has_barrier: bool,
    /// Where the loop stands in the source.
    pub location: Option<Location>,
}

/// A loop invariant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    /// What holds.
    pub condition: Expression,
    /// The family that proposed it, or `user`.
    pub family: String,
}

/// A guess at a loop invariant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Suggestion {
    /// The loop.
    pub loop_: Loop,
    /// What may hold at each evaluation of the guard.
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
    /// Its value after an iteration in which the thread was active throughout and came back to the loop head, over the
    /// values of variables at the loop head and variables assigned in the body.
    pub next: Copies<Expression>,
}

/// A race-checked array.
#[derive(Clone, Debug, Hash)]
pub struct ArrayData {
    /// The name in the source.
    pub name: String,
    /// Whether each group has its own: two threads of different groups do not meet on it.
    pub group_shared: bool,
    /// The size in bytes of the cells in which offsets are counted: the largest that divides every
    /// access's width and offset.
    pub cell_bytes: u64,
    /// The watched cell, an input.
    pub watched: Variable,
    /// The digits of the watched cell, where accesses are compared digit by digit instead; else none. They are inputs, too: nothing
    /// says that they are its digits, but for those who make up inputs.
    pub digits: Vec<Digit>,
    /// The declared element's type name and size in bytes, for display.
    pub element: Option<ElementLayout>,
    /// The dimensions of an image, whose cells are packed coordinates of 32 bits each, the first in the low bits; `None`
    /// for memory.
    pub image: Option<u8>,
}

/// A digit of a watched cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// The digit, an input.
    pub variable: Variable,
    /// What it is of the watched cell, over that and other inputs.
    pub value: Expression,
}

/// An access site.
#[derive(Clone, Debug, Hash)]
pub struct SiteData {
    /// The array accessed.
    pub array: Array,
    /// How.
    pub kind: AccessKind,
    /// Where in the source.
    pub location: Option<Location>,
    /// The loops around it, outermost first.
    pub loops: Vec<Loop>,
    /// Whether thread 1 has hit the watched cell here.
    pub hit: Variable,
    /// What thread 1 wrote into the watched cell, where that is tracked.
    pub written: Option<Variable>,
    /// The recorded values: the changing variable, and what it was when the site was hit. Counters of
    /// the loops around the site are among them.
    pub recorded: Vec<Recorded>,
    /// What held when the site was hit, over recorded variables and variables that cannot have changed
    /// since: first that the access touches the watched cell, then the conditions under which the site is reached. Each is true
    /// whenever `hit` is; each is a candidate invariant of every loop that changes the hit.
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
    /// What it was when the site was hit.
    pub recorded: Variable,
}

/// How a site accesses its array.
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
    /// Whether memory changes.
    pub fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Atomic | Self::AsyncWrite)
    }

    /// Whether two such accesses of different threads to one cell are a race.
    pub fn conflicts(self, other: Self) -> bool {
        (self.writes() || other.writes()) && !(self == Self::Atomic && other == Self::Atomic)
    }
}

/// What an assertion is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObligationData {
    /// What fails if it does not hold.
    pub kind: ObligationKind,
    /// Where in the source.
    pub location: Option<Location>,
}

/// What fails if an assertion does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ObligationKind {
    /// Thread 1's access at `logged` races with thread 2's at `checked`.
    Race {
        /// Thread 1's.
        logged: Site,
        /// Thread 2's.
        checked: Site,
    },
    /// One thread reaches a barrier and the other does not. The copies say whether each thread reaches it.
    BarrierDivergence {
        /// Whether each thread is there.
        active: Copies<Expression>,
    },
    /// The event or the arguments of a group-wide operation differ between the threads.
    GroupOperationDivergence,
    /// What is claimed of a thread by itself does not hold.
    Claim {
        /// What.
        claim: Claim,
        /// The thread of which it is claimed, 0 for the first; `None` if it is the same for both.
        thread: Option<usize>,
    },
    /// A thread waits for another of its warp, which it names in its mask, and which does not arrive, or with another mask.
    /// The copies say whether each thread is there.
    WarpDivergence {
        /// Whether each thread is there.
        active: Copies<Expression>,
    },
    /// The digits of an index into this array, by name, stay below their radices: not so is no defect, but such an index cannot be
    /// compared digit by digit.
    Digits {
        /// The array's name.
        array: String,
    },
    /// An access outside an array of known size.
    OutOfBounds {
        /// The array's name.
        array: String,
        /// Its size in cells.
        cells: u64,
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
    /// Whether nothing else rests on it ([`Claim::stands_alone`]).
    pub fn stands_alone(&self) -> bool {
        matches!(self, Self::Claim { claim, .. } if claim.stands_alone())
    }
}

/// What is claimed of a thread by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Claim {
    /// A user's assertion holds.
    Assertion,
    /// A call through a pointer leads to a function that is known.
    KnownTarget,
    /// It writes no constant memory.
    ConstantWrite,
    /// It accesses nothing through the null pointer.
    NullDereference,
    /// Its lane is in the mask with which it calls a function of the warp.
    LaneInMask,
    /// The lane it reads from takes part.
    ActiveSource,
    /// Its access has the alignment that its type asks for.
    Alignment,
    /// What it reads of shared memory has been written.
    Initialised,
    /// Its index does not overflow.
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

    /// Whether nothing else rests on the claim: an execution in which it does not hold goes on, and may show more defects.
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

    /// What is claimed.
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

/// What a report shows of a counterexample.
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
    /// The threads' groups times the group size, per dimension: their first global id without the offset.
    pub group_starts: Vec<Copies<Expression>>,
    /// The number of threads in the launch, per dimension.
    pub global_sizes: Vec<Expression>,
    /// The scalar kernel parameters, by name.
    pub parameters: Vec<(String, Expression)>,
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

    /// What a loop changes: its counter, and what is assigned or made arbitrary in its body and in the loops inside it.
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
