//! Remembers the results for a kernel's programs, so that an unchanged kernel is not proved again.
//!
//! **Why a recalled answer is right.** [`prove_all`] is a function of the programs, the options,
//! and the clock. The key of an entry is a hash of *all* programs and of all options, including the
//! granted effort. It covers every field of [`Program`](lockstep_ir::sequential::Program), the
//! arena of expressions included. It also covers the sources of Lockstep and the version of Z3
//! ([`lockstep_system::cache`]). Nothing in it depends on addresses or on the order of hash tables.
//! So an entry that is found was written by this very function, for these very arguments.
//!
//! The clock is kept out. A result decided when time was nearly up is not remembered, because
//! something may have ended early. Results of spent effort, which does not depend on the machine,
//! are remembered. A recalled result has everything that a report contains, except the seconds, so
//! the report is the same as without the cache. The front end and the lowering are not remembered:
//! they run each time, and a changed file gives different programs.
//!
//! Individual solver queries are not remembered. Z3's answers and their costs also depend on what
//! its context has seen before. A run that recalled some answers and asked for others could end
//! differently from one that asked for all.

use std::time::{Duration, Instant};

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Ground, Loop, Obligation, Program, Unknown, VerifiedProgram};
use lockstep_ir::source::Location;
use lockstep_system::cache::{Cache, Key};
use lockstep_transform::lockstep::{VariantForm, Variants};
use lockstep_verdict::reason::Reason;
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use crate::decision::reasoning_time;
use crate::{ArrayContents, Counterexample, Outcome, Proof, ProofStatistics, ProveOptions, prove_all};

/// The part of a proof that a report needs.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// The outcome.
    pub outcome: Outcome,
    /// The costs, measured when it was decided; the seconds are those of the current run.
    pub statistics: ProofStatistics,
    /// The program with the proved invariants, if requested.
    pub annotated: Option<Program>,
}

/// Decides the programs of a kernel as [`prove_all`] does, unless the results are remembered.
///
/// With `annotated`, the programs with their invariants are returned too. These are not remembered,
/// so everything is decided again.
pub fn conclude_all(
    pairs: &[Option<&Variants>],
    options: &ProveOptions,
    cache: Option<&Cache>,
    annotated: bool,
) -> Vec<Option<Conclusion>> {
    let started = Instant::now();
    let Some(cache) = cache.filter(|_| !annotated) else { return decide(pairs, options, annotated) };
    let key = cache.key("proof", &(pairs.iter().map(|pair| pair.map(contents)).collect::<Vec<_>>(), options));
    if let Some(mut known) = recall(cache, &key, pairs) {
        if let Some(first) = known.iter_mut().flatten().next() {
            first.statistics.prove_seconds = started.elapsed().as_secs_f64();
        }
        return known;
    }
    let begun = Instant::now();
    let conclusions = decide(pairs, options, false);
    let margin = MARGIN + reasoning_time(options);
    if begun.elapsed() + margin < options.timeout && options.deadline.remaining() > margin {
        remember(cache, &key, &conclusions);
    }
    conclusions
}

/// Everything that a proof depends on.
fn contents(variants: &Variants) -> Vec<(VariantForm, &Program)> {
    variants.all().iter().map(|variant| (variant.form, &*variant.program)).collect()
}

/// The time that must remain at the end for a result to count as independent of the clock.
///
/// All time limits are set to the timeout, to the kernel's deadline, or to a fixed time before the
/// earlier one. So if this much time remained, nothing ended early because of the clock.
const MARGIN: Duration = Duration::from_millis(200);

fn decide(pairs: &[Option<&Variants>], options: &ProveOptions, annotated: bool) -> Vec<Option<Conclusion>> {
    let conclusion = |proof: Proof| Conclusion {
        outcome: proof.outcome,
        statistics: proof.statistics,
        annotated: annotated.then_some(proof.annotated),
    };
    prove_all(pairs, options).into_iter().map(|proof| proof.map(conclusion)).collect()
}

fn remember(cache: &Cache, key: &Key, conclusions: &[Option<Conclusion>]) {
    let entry: Entry = conclusions.iter().map(|conclusion| conclusion.as_ref().map(ConclusionEntry::of)).collect();
    if let Ok(text) = serde_json::to_vec(&entry) {
        cache.write(key, &text);
    }
}

fn recall(cache: &Cache, key: &Key, pairs: &[Option<&Variants>]) -> Option<Vec<Option<Conclusion>>> {
    let entry: Entry = serde_json::from_slice(&cache.read(key)?).ok()?;
    let same = entry.iter().zip(pairs).all(|both| match both {
        (None, None) => true,
        (Some(entry), Some(variants)) => entry.fits(variants.plain()),
        (None, Some(_)) | (Some(_), None) => false,
    });
    let same = same && entry.len() == pairs.len();
    let conclusion = |entry: Option<ConclusionEntry>| match entry {
        None => Some(None),
        Some(entry) => entry.conclusion().map(Some),
    };
    same.then(|| entry.into_iter().map(conclusion).collect::<Option<_>>())?
}

/// The data of an entry: a conclusion for each existing program.
type Entry = Vec<Option<ConclusionEntry>>;

#[derive(Serialize, Deserialize)]
struct ConclusionEntry {
    outcome: OutcomeEntry,
    candidates_proposed: usize,
    candidates_kept: usize,
    obligations: usize,
    queries: usize,
}

#[derive(Serialize, Deserialize)]
enum OutcomeEntry {
    Proved,
    Refuted(Vec<CounterexampleEntry>),
    Unknown(Reason),
    Impossible(Vec<Ground>),
}

#[derive(Serialize, Deserialize)]
struct CounterexampleEntry {
    obligation: u32,
    local_ids: [Vec<u64>; 2],
    group_ids: [Vec<u64>; 2],
    local_sizes: Vec<u64>,
    num_groups: Vec<u64>,
    parameters: Vec<(String, BitsEntry)>,
    cell: Option<u64>,
    offsets: Option<[BitsEntry; 2]>,
    arrives: Option<[bool; 2]>,
    iterations: [Vec<(u32, u64)>; 2],
    unknowns: Vec<(Unknown, Option<u32>)>,
    hinges: Vec<String>,
    contents: Vec<ArrayContents>,
}

/// A bit-vector: the width, and the number in decimal digits.
#[derive(Serialize, Deserialize)]
struct BitsEntry(u32, String);

impl ConclusionEntry {
    fn of(conclusion: &Conclusion) -> Self {
        let outcome = match &conclusion.outcome {
            Outcome::Proved => OutcomeEntry::Proved,
            Outcome::Refuted(all) => OutcomeEntry::Refuted(all.iter().map(CounterexampleEntry::of).collect()),
            Outcome::Unknown(why) => OutcomeEntry::Unknown(why.clone()),
            Outcome::Impossible(why) => OutcomeEntry::Impossible(why.clone()),
        };
        let &ProofStatistics { candidates_proposed, candidates_kept, obligations, queries, .. } =
            &conclusion.statistics;
        Self { outcome, candidates_proposed, candidates_kept, obligations, queries }
    }

    /// Whether everything that the entry mentions exists in the program.
    fn fits(&self, program: &VerifiedProgram) -> bool {
        match &self.outcome {
            OutcomeEntry::Refuted(all) => !all.is_empty() && all.iter().all(|one| one.fits(program)),
            OutcomeEntry::Proved | OutcomeEntry::Unknown(_) | OutcomeEntry::Impossible(_) => true,
        }
    }

    fn conclusion(self) -> Option<Conclusion> {
        let outcome = match self.outcome {
            OutcomeEntry::Proved => Outcome::Proved,
            OutcomeEntry::Refuted(all) => {
                Outcome::Refuted(all.into_iter().map(CounterexampleEntry::counterexample).collect::<Option<_>>()?)
            }
            OutcomeEntry::Unknown(why) => Outcome::Unknown(why),
            OutcomeEntry::Impossible(why) => Outcome::Impossible(why),
        };
        let statistics = ProofStatistics {
            infer_seconds: 0.0,
            prove_seconds: 0.0,
            candidates_proposed: self.candidates_proposed,
            candidates_kept: self.candidates_kept,
            obligations: self.obligations,
            queries: self.queries,
        };
        Some(Conclusion { outcome, statistics, annotated: None })
    }
}

impl CounterexampleEntry {
    fn of(defect: &Counterexample) -> Self {
        let Counterexample {
            obligation,
            local_ids,
            group_ids,
            local_sizes,
            num_groups,
            parameters,
            cell,
            offsets,
            arrives,
            iterations,
            unknowns,
            hinges,
            contents,
        } = defect.clone();
        Self {
            obligation: obligation.as_u32(),
            local_ids,
            group_ids,
            local_sizes,
            num_groups,
            parameters: parameters.into_iter().map(|(name, bits)| (name, BitsEntry::of(&bits))).collect(),
            cell,
            offsets: offsets.map(|both| both.map(|bits| BitsEntry::of(&bits))),
            arrives,
            iterations: iterations.map(|all| all.into_iter().map(|(loop_, count)| (loop_.as_u32(), count)).collect()),
            unknowns: unknowns
                .into_iter()
                .map(|(unknown, location)| (unknown, location.map(Location::as_u32)))
                .collect(),
            hinges,
            contents,
        }
    }

    fn fits(&self, program: &VerifiedProgram) -> bool {
        program.obligations.is_valid(Obligation::from_u32(self.obligation))
            && self.iterations.iter().flatten().all(|&(loop_, _)| program.loops.is_valid(Loop::from_u32(loop_)))
            && self.unknowns.iter().all(|(_, location)| {
                location.is_none_or(|location| program.locations.is_valid(Location::from_u32(location)))
            })
    }

    fn counterexample(self) -> Option<Counterexample> {
        let parameters = self.parameters.into_iter().map(|(name, bits)| Some((name, bits.bits()?)));
        let unknowns = self.unknowns.into_iter();
        let unknowns = unknowns.map(|(unknown, location)| (unknown, location.map(Location::from_u32)));
        Some(Counterexample {
            obligation: Obligation::from_u32(self.obligation),
            local_ids: self.local_ids,
            group_ids: self.group_ids,
            local_sizes: self.local_sizes,
            num_groups: self.num_groups,
            parameters: parameters.collect::<Option<_>>()?,
            cell: self.cell,
            offsets: match self.offsets {
                None => None,
                Some([first, second]) => Some([first.bits()?, second.bits()?]),
            },
            arrives: self.arrives,
            iterations: self
                .iterations
                .map(|all| all.into_iter().map(|(loop_, count)| (Loop::from_u32(loop_), count)).collect()),
            unknowns: unknowns.collect(),
            hinges: self.hinges,
            contents: self.contents,
        })
    }
}

impl BitsEntry {
    fn of(bits: &Bits) -> Self {
        Self(bits.width(), bits.unsigned().to_string())
    }

    fn bits(self) -> Option<Bits> {
        let number = BigUint::parse_bytes(self.1.as_bytes(), 10)?;
        (self.0 > 0).then(|| Bits::new(self.0, number))
    }
}
