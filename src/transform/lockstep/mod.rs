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
//!   [`recompute`] computes values again for annotations that hold in several places;
//! * [`memory`] lowers accesses: the cells they access, and the contents of memory;
//! * [`instrument`] turns accesses into hits for thread 1 and checks for thread 2, and asserts the
//!   conditions that concern one thread by itself;
//! * [`synchronise`] gives barriers and asynchronous copies their meaning;
//! * [`annotations`] lowers the source's statements about loops, both threads and accesses;
//! * [`axioms`] assumes the axioms about uninterpreted functions;
//! * [`threads`] defines the two threads' ids and the launch's sizes.
//!
//! [`lowering`] is the state of the walk, [`facts`] the facts that it rests on. [`variants`] lowers
//! a kernel in several forms, of which some are easier to prove.
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

mod annotations;
mod axioms;
mod dualise;
mod facts;
mod instances;
mod instrument;
mod loops;
mod lowering;
mod memory;
mod names;
mod one_thread;
mod options;
mod predicate;
mod recompute;
mod slots;
mod stated_contents;
mod synchronise;
mod threads;
mod variants;

use std::cell::LazyCell;

use lockstep_ir::assumption::Assumptions;
use lockstep_ir::kernel::{Unsupported, VerifiedKernel};
use lockstep_ir::sequential::{Pair, VerifiedProgram};
use lockstep_options::launch::Launch;

use facts::{Facts, with_rounds};
pub use instrument::claims::LARGEST;
pub use instrument::races::MOST_RACES;
use lowering::{ELSEWHERE, Form, Lowered, Lowering, NULL, PointerExpression, TAG_WIDTH, lower_as, sort};
pub use one_thread::lower_one_thread;
pub use options::LockstepOptions;
use variants::lower_variants;
pub use variants::{Variant, VariantForm, Variants};

use crate::signals::{may_draw_for_groups, may_have_signals};

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

/// The program of one pair of threads; `None` if there is nothing to check for that pair.
///
/// For a proof of a kernel the programs of all three kinds of pairs are needed (see
/// [`instrument::claims`]).
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
    let lowered = lower_as(&facts, launch, pair, options, Form::default())?.map(|lowered| lowered.program);
    Ok(lowered.filter(|program| !has_nothing_to_prove(program, pair, options)))
}

/// The program of one pair of threads, as [`lower`] makes it, with variants that are easier to
/// prove.
pub fn lower_for_proof(
    kernel: &VerifiedKernel,
    launch: &Launch,
    pair: Pair,
    options: &LockstepOptions,
) -> Result<Option<Variants>, NotLowered> {
    let [variants] = lower_pairs(kernel, launch, [Some(pair)], options);
    variants
}

/// Lowers several pairs of threads like [`lower_for_proof`], with `None` for a pair that is not
/// asked for. The facts about the kernel are computed once.
pub fn lower_pairs<const PAIRS: usize>(
    kernel: &VerifiedKernel,
    launch: &Launch,
    pairs: [Option<Pair>; PAIRS],
    options: &LockstepOptions,
) -> [Result<Option<Variants>, NotLowered>; PAIRS] {
    let facts = LazyCell::new(|| Facts::of(kernel, launch, options));
    pairs.map(|pair| match pair.filter(|&pair| threads_exist(launch, pair, options)) {
        None => Ok(None),
        Some(pair) => lower_variants(facts.as_ref().map_err(Clone::clone)?, launch, pair, options),
    })
}

/// Whether a program of a thread that is alone in its group asserts nothing.
fn has_nothing_to_prove(program: &VerifiedProgram, pair: Pair, options: &LockstepOptions) -> bool {
    program.obligations.is_empty() && matches!(pair, Pair::Alone | Pair::SameThread) && !options.one_thread
}

/// The plan of the proof about named barriers, in words; `None` for a kernel without such.
pub fn roles(
    kernel: &VerifiedKernel,
    launch: &Launch,
    options: &LockstepOptions,
) -> Result<Option<String>, Unsupported> {
    let (kernel, _, rounds) = with_rounds(kernel, launch, options)?;
    Ok(rounds.map(|rounds| rounds.describe(&kernel)))
}

/// Whether a kernel has places through which threads synchronise, so that
/// [`LockstepOptions::signals`] makes a difference.
pub fn has_signals(kernel: &VerifiedKernel, launch: &Launch, options: &LockstepOptions) -> bool {
    let options = LockstepOptions { signals: true, ..options.clone() };
    (may_have_signals(kernel) || may_draw_for_groups(kernel))
        && Facts::of(kernel, launch, &options)
            .is_ok_and(|facts| facts.signals.is_some() || !facts.grid_arrays.is_empty())
}

/// Whether a launch has such a pair of threads.
fn threads_exist(launch: &Launch, pair: Pair, options: &LockstepOptions) -> bool {
    options.one_thread || threads::possible(launch, pair)
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
    let facts = Facts::of(kernel, launch, options)?;
    let lowered = lower_as(&facts, launch, Pair::Alone, options, Form::default())?;
    Ok(lowered.map_or_else(Assumptions::default, |lowered| lowered.program.assumptions.clone()))
}
