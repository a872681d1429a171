//! The pairs of threads of a kernel, lowered and decided concurrently.

use std::time::Instant;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::VerifiedKernel;
use lockstep_ir::sequential::{Ground, Pair, VerifiedProgram};
use lockstep_options::techniques::Technique;

use crate::launch::Launch;
use crate::lockstep::{LockstepOptions, NotLowered, has_signals, lower_pairs};
use crate::pipeline::settings::Settings;
use crate::prove::{Conclusion, Outcome, conclude_all, conclude_and_recheck, satisfying};
use crate::signals::may_have_signals;
use crate::verdict::Rechecked;
use crate::verdict::reason::Reason;

/// The number of kinds of pairs.
pub const PAIRS: usize = 4;

/// The result for one pair of threads.
pub enum Pairwise {
    /// There is nothing to check.
    Nothing,
    /// The kernel cannot be lowered.
    Refused(NotLowered),
    /// The program, and the prover's conclusion.
    Proof(Box<(VerifiedProgram, Conclusion)>),
}

/// The results for the pairs of threads of a kernel.
pub struct Decided {
    /// The result for each pair.
    pub results: [Pairwise; PAIRS],
    /// The seconds from kernel IR to the programs.
    pub lower_seconds: f64,
    /// A second solver's verdict on the proofs, if it was asked.
    pub rechecked: Option<Recheck>,
}

/// A second solver's verdict on the proofs of a kernel, or the query to which it found a model.
pub type Recheck = Result<Rechecked, String>;

/// Lowers the kernel for the requested kinds of pairs, and decides the programs concurrently.
pub fn decide_pairs(
    kernel: &VerifiedKernel,
    launch: &Launch,
    pairs: [Option<Pair>; PAIRS],
    options: &LockstepOptions,
    settings: &Settings,
) -> Decided {
    let started = Instant::now();
    let lowered = lower_pairs(kernel, launch, pairs, options);
    let lower_seconds = started.elapsed().as_secs_f64();
    let variants = lowered.each_ref().map(|lowered| lowered.as_ref().ok()?.as_ref());
    let (proofs, rechecked) = match &settings.recheck {
        None => (conclude_all(&variants, &settings.prove, settings.cache.as_ref(), settings.drawn), None),
        Some(solver) => conclude_and_recheck(&variants, &settings.prove, solver, settings.drawn),
    };
    let mut proofs = proofs.into_iter();
    let results = lowered.map(|lowered| match (lowered, proofs.next().flatten()) {
        (Err(unsupported), _) => Pairwise::Refused(unsupported),
        (Ok(Some(variants)), Some(proof)) => Pairwise::Proof(Box::new((variants.into_plain(), proof))),
        // A fault of Lockstep: no verdict may come of it.
        (Ok(Some(_)), None) => panic!("a program has no conclusion"),
        (Ok(None), _) => Pairwise::Nothing,
    });
    Decided { results, lower_seconds, rechecked }
}

/// The share of a kernel's time for a proof that uses synchronisation through memory.
const SIGNALS_SHARE: f64 = 0.4;

/// The result of a proof that uses synchronisation through memory.
pub enum BySignals {
    /// Its threads do not synchronise so, or it is not asked.
    Nothing,
    /// The kernel is not proved by it. A refuted statement need not be a defect.
    Open,
    /// The kernel is proved.
    Proved(Box<Decided>),
}

/// Tries to prove a kernel whose threads synchronise through memory.
pub fn by_signals(
    kernel: &VerifiedKernel,
    launch: &Launch,
    pairs: [Option<Pair>; PAIRS],
    options: &LockstepOptions,
    settings: &Settings,
) -> BySignals {
    let is_wanted = options.techniques.has(Technique::Signals) && settings.prove.only_defects.is_none();
    if !is_wanted {
        return BySignals::Nothing;
    }
    if !has_signals(kernel, launch, options) {
        return if may_have_signals(kernel) { BySignals::Open } else { BySignals::Nothing };
    }
    let options = LockstepOptions { signals: true, ..options.clone() };
    let settings = settings.briefly(settings.prove.timeout.mul_f64(SIGNALS_SHARE));
    let decided = decide_pairs(kernel, launch, pairs, &options, &settings);
    let is_proved = |result: &Pairwise| match result {
        Pairwise::Nothing => true,
        Pairwise::Refused(_) => false,
        Pairwise::Proof(decided) => matches!(decided.1.outcome, Outcome::Proved | Outcome::Impossible(_)),
    };
    if decided.results.iter().all(is_proved) { BySignals::Proved(Box::new(decided)) } else { BySignals::Open }
}

/// The grounds on which no launch exists at all, if none does. A launch that merely lacks two
/// threads of one group, for example, is no mistake. It is one if the source's preconditions on
/// threads' ids exclude them, because the threads exist all the same.
pub fn contradiction(results: &[Pairwise]) -> Option<Vec<Ground>> {
    let (mut found, mut some) = (None, false);
    for result in results {
        match result {
            Pairwise::Nothing => {}
            Pairwise::Refused(_) => some = true,
            Pairwise::Proof(decided) => match &decided.1.outcome {
                Outcome::Impossible(grounds) if restricts_ids(&decided.0) => return Some(grounds.clone()),
                Outcome::Impossible(grounds) => found = found.or(Some(grounds.clone())),
                Outcome::Proved | Outcome::Refuted(_) | Outcome::Unknown(_) => some = true,
            },
        }
    }
    found.filter(|_| !some)
}

/// Whether a precondition of the source concerns ids of threads.
pub fn restricts_ids(program: &VerifiedProgram) -> bool {
    let expressions = &program.expressions;
    program.preconditions.iter().filter(|precondition| precondition.ground == Ground::Source).any(|precondition| {
        let mut found = false;
        expressions.for_each_variable(precondition.condition, |variable| {
            found |= expressions.variables()[variable].thread.is_some();
        });
        found || expressions.as_boolean(precondition.condition) == Some(false)
    })
}

/// Whether a pair was left undecided because another one has a defect.
pub fn is_broken_off(result: &Pairwise) -> bool {
    matches!(result, Pairwise::Proof(decided) if matches!(&decided.1.outcome, Outcome::Unknown(Reason::BrokenOff)))
}

/// Parameters with which the preconditions of a kernel hold, if it is proved for all pairs of
/// threads; otherwise none.
pub fn satisfying_if_proved(results: &[Pairwise], settings: &Settings) -> Vec<(String, Bits)> {
    let mut programs = results.iter().filter_map(|result| match result {
        Pairwise::Proof(decided) => Some((&decided.0, &decided.1.outcome)),
        Pairwise::Nothing | Pairwise::Refused(_) => None,
    });
    let is_proved = programs.clone().all(|(_, outcome)| matches!(outcome, Outcome::Proved));
    programs.next().filter(|_| is_proved).map(|(program, _)| satisfying(program, &settings.prove)).unwrap_or_default()
}
