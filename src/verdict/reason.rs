//! The reasons why a kernel has no verdict, as plain data. [`lockstep_report::reasons`] has the
//! sentences.

use std::time::Duration;

use lockstep_ir::assumption::Assumption;
use lockstep_ir::sequential::{AccessKind, BarrierRule, Claim, Obligation, Pair, SignalRule};
use lockstep_ir::source::Place;
use serde::{Deserialize, Serialize};

use super::Undecided;
use super::hinge::{Hinge, Stop};

/// A reason why a kernel is unknown, or an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The import does not support a construct.
    NotRead {
        /// Its name.
        construct: String,
        /// Its file and line, if these are known.
        place: Option<Place>,
    },
    /// The lock-step transformation does not support a construct.
    NotLowered {
        /// Its name.
        construct: String,
        /// Its file and line, if these are known.
        place: Option<Place>,
    },
    /// The kernel has more pairs of accesses to compare than this limit.
    TooManyPairs(usize),
    /// The time limit passed while the kernel was lowered.
    LoweringOutOfTime(Duration),
    /// Some assertion is neither proved nor refuted.
    Unproved(Box<Unproved>),
    /// Other threads of the kernel have a defect, so these threads were not decided.
    BrokenOff,
    /// The preconditions could not be shown to be satisfiable.
    PreconditionsUndecided,
    /// The end of the kernel could not be shown to be reachable.
    EndUndecided,
    /// The end of the kernel cannot be reached: a proof would be vacuous.
    EndUnreachable,
    /// No path through the kernel leads to a return.
    NeverReturns,
    /// Lockstep only searched for defects, and found none.
    NoDefectFound {
        /// The iterations of each loop.
        depth: u32,
        /// The limit that ended the search, if one did.
        spent: Option<Spent>,
    },
    /// Possible findings, none of which a run has confirmed.
    Possible {
        /// The kind of the finding.
        kind: String,
        /// The array.
        array: Option<String>,
        /// The lines of its accesses.
        places: Vec<Place>,
    },
    /// More possible findings than are named.
    MorePossible(usize),
    /// A read may access memory that nobody has written, depending on unknown values.
    MaybeUnwritten {
        /// The line of the read.
        place: Option<Place>,
        /// The values.
        hinges: Vec<Hinge>,
    },
    /// A rule for named barriers has no proof, and no run breaks it.
    BarrierRule {
        /// The rule.
        rule: BarrierRule,
        /// The line of the operation.
        place: Option<Place>,
    },
    /// A fence may order the accesses of a race.
    FenceOrdering {
        /// The fence, if its line is known.
        fence: Option<Place>,
        /// The array.
        array: String,
        /// The lines of the accesses, 0 if unknown.
        lines: [u32; 2],
    },
    /// A counterexample was contradicted by its run: a fault in Lockstep.
    Contradicted {
        /// The kind of the finding.
        kind: String,
        /// The lines of its accesses.
        places: Vec<Place>,
    },
    /// The launch passes one pointer to two parameters that a proof treats as different arrays.
    SamePointer([String; 2]),
    /// Every run breaks an assumption.
    Refuted(Box<Refuted>),
    /// The time limit passed.
    OutOfTime(Work, Duration),
    /// The memory limit, in bytes, was exceeded.
    OutOfMemory(Work, u64),
    /// A panic, with its message.
    Fault(Work, String),
    /// A worker process ended early.
    WorkerEnded {
        /// The work it did.
        work: Work,
        /// How it ended.
        end: String,
        /// The last line that it wrote.
        last: Option<String>,
    },
    /// A second solver found a model of this question, so the proof is not confirmed.
    NotConfirmed(String),
}

/// The work that was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// Reading a file.
    Reading,
    /// Judging a kernel.
    Judging,
}

/// A limit that ended a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spent {
    /// The time limit passed.
    Time(Duration),
    /// The solver budget for this time limit is exhausted.
    Budget(Duration),
}

/// An assertion without a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unproved {
    /// The end of the attempt.
    pub cause: Cause,
    /// The threads that it is about.
    pub pair: Pair,
    /// The goals that are not proved; the rest is about the first.
    pub goals: Vec<Goal>,
    /// Further goals.
    pub more: usize,
    /// The indices of the accesses that the first goal compares: `out[i*64 + get_local_id(0)]`.
    pub accesses: Vec<String>,
    /// The loop invariant that is missing.
    pub missing: Missing,
    /// The unknown values that the first goal mentions.
    pub hinges: Vec<Hinge>,
    /// Remedies for the user.
    pub advice: Vec<Advice>,
}

/// The end of an attempt to prove something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// A limit ended it.
    Spent(Spent),
    /// The share of the budget for loop invariants is exhausted.
    InferenceBudget,
    /// The solver gave up on every goal.
    SolverGaveUp,
    /// The loop invariants found do not suffice.
    WeakInvariants,
}

/// A goal of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// The claim.
    pub claim: GoalClaim,
    /// The line of the claim, if it has one.
    pub place: Option<Place>,
    /// The loop around it.
    pub in_loop: Option<LoopPlace>,
}

/// A loop, by its line; `None` if that is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopPlace(pub Option<Place>);

/// The claim of a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoalClaim {
    /// No race between two accesses.
    NoRace {
        /// The array.
        array: String,
        /// The accesses.
        accesses: [AccessPlace; 2],
    },
    /// No divergence at a barrier.
    NoBarrierDivergence,
    /// No divergence at a group operation.
    NoGroupDivergence,
    /// The lanes named in a mask arrive.
    LanesArrive,
    /// A rule for barriers of some of the group's threads holds.
    NamedBarrier(BarrierRule),
    /// A rule for places through which threads synchronise holds.
    Signal(SignalRule),
    /// A claim about one thread.
    Thread(Claim),
    /// The digits of an index are below their radices.
    DigitsInRange {
        /// The array.
        array: String,
    },
    /// No access outside of an array.
    InBounds {
        /// The array.
        array: String,
    },
    /// The user's invariant holds before the loop.
    UserInvariantEntry,
    /// An iteration keeps the user's invariant.
    UserInvariantStep,
    /// An invariant that was found holds before its loop, or is kept by an iteration.
    Invariant(Phase),
}

/// A claim of a question to the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionClaim {
    /// An assertion.
    Assertion(Obligation, Goal),
    /// An invariant, as the program writes it.
    Invariant {
        /// Its family.
        family: String,
        /// The condition.
        condition: String,
    },
}

/// A half of an induction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Before the loop.
    Entry,
    /// An iteration.
    Step,
}

/// An access in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessPlace {
    /// The kind.
    pub kind: AccessKind,
    /// The line, if it is known.
    pub place: Option<Place>,
}

/// The loop invariant that a proof lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Missing {
    /// It is not known.
    Unclear,
    /// None of the lost candidates, whose number this is, would have sufficed.
    NotProposed(usize),
    /// This candidate would have.
    Lost(Box<LostInvariant>),
}

/// A candidate that was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostInvariant {
    /// The invariant, as the sequential program writes it.
    pub invariant: String,
    /// The loop.
    pub of_loop: LoopPlace,
    /// Further candidates that are needed as well.
    pub others: usize,
    /// The way in which it was lost.
    pub lost: Loss,
    /// The meanings of names in it that are not the source's.
    pub names: Vec<(String, Meaning)>,
}

/// The way in which a candidate was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Loss {
    /// An execution falsifies it.
    Falsified,
    /// The budget was exhausted, at this question of this loop.
    Unsettled(Option<(Phase, LoopPlace)>),
    /// It was refuted or could not be shown.
    Dropped {
        /// Whether it was refuted.
        refuted: bool,
        /// Before the loop or in an iteration.
        phase: Phase,
        /// The lines of the loop that change the variables that it mentions.
        lines: Vec<u32>,
    },
}

/// The meaning of a name in an invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Meaning {
    /// Thread 1 has made this access to the cell that thread 2 accesses.
    Hit(AccessPlace),
    /// The value of a variable at that access.
    Recorded(String),
    /// The value that was written by that access.
    Written,
    /// The completed iterations of a loop.
    Iterations(LoopPlace),
    /// The iterations of a loop when the thread left it.
    ExitIterations(LoopPlace),
}

/// A remedy for the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Advice {
    /// A longer `--timeout`.
    LongerTimeout,
    /// Sizes of the launch.
    Sizes,
    /// A lower bound of a parameter that an index is multiplied by.
    AssumeFactor(String),
    /// Upper bounds of parameters that loops count to.
    AssumeLimits(Vec<String>),
    /// An invariant of a loop.
    Invariant(LoopPlace),
}

/// An assumption that no run keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refuted {
    /// The assumption.
    pub assumption: Assumption,
    /// A run that breaks it.
    pub instead: Instead,
    /// The number of runs that broke it.
    pub runs: usize,
}

/// The way in which a run breaks an assumption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Instead {
    /// An event.
    Event(Stop),
    /// A counter has more draws than assumed.
    Draws {
        /// The number of draws.
        drawn: u64,
        /// The counter.
        counter: String,
    },
    /// Some of the threads alone draw this many numbers.
    DrawsOfSome {
        /// The number of draws.
        drawn: u64,
        /// The counter.
        counter: String,
        /// The number of threads that began.
        threads: u64,
        /// The number of all threads.
        all: u64,
    },
    /// A byte is accessed through two arrays that overlap in the launch.
    Shared {
        /// The arrays.
        arrays: [String; 2],
        /// The distance of the second one's beginning from the first one's, in bytes.
        distance: i64,
        /// The byte of the first one.
        byte: i64,
    },
}

impl Reason {
    /// The class of the reason, if it makes the kernel unknown; `None` for an error.
    pub fn undecided(&self) -> Option<Undecided> {
        match self {
            Self::NotRead { .. } => Some(Undecided::NotRead),
            Self::NotLowered { .. } | Self::TooManyPairs(_) => Some(Undecided::NotLowered),
            Self::LoweringOutOfTime(_) | Self::OutOfTime(..) | Self::NoDefectFound { spent: Some(_), .. } => {
                Some(Undecided::OutOfTime)
            }
            Self::OutOfMemory(..) => Some(Undecided::OutOfMemory),
            Self::Unproved(unproved) => Some(match unproved.cause {
                Cause::Spent(_) => Undecided::OutOfTime,
                Cause::InferenceBudget | Cause::SolverGaveUp | Cause::WeakInvariants => Undecided::Unproved,
            }),
            Self::NoDefectFound { spent: None, .. } => Some(Undecided::NoDefectFound),
            Self::Possible { .. } | Self::MorePossible(_) => Some(Undecided::Unconfirmed),
            Self::BrokenOff
            | Self::PreconditionsUndecided
            | Self::EndUndecided
            | Self::EndUnreachable
            | Self::NeverReturns
            | Self::MaybeUnwritten { .. }
            | Self::BarrierRule { .. }
            | Self::FenceOrdering { .. }
            | Self::Contradicted { .. }
            | Self::SamePointer(_)
            | Self::Refuted(_) => Some(Undecided::Unproved),
            Self::Fault(..) | Self::WorkerEnded { .. } | Self::NotConfirmed(_) => None,
        }
    }

    /// The place of a construct that is not supported.
    pub fn refused_at(&self) -> Option<&Place> {
        match self {
            Self::NotRead { place, .. } | Self::NotLowered { place, .. } => place.as_ref(),
            _ => None,
        }
    }
}
