//! The search beyond the first defects of a kernel, so that no defect hides another.
//!
//! An execution ends at the first assertion that fails. With one defect known, whatever comes
//! after it, or is decided later, has not been looked at. So each assertion that has a
//! counterexample is **taken as mended**, and the programs are decided again: a pair of accesses
//! that races is taken as ordered, an access out of bounds as guarded, a divergent barrier as
//! reached by both threads. This repeats until nothing new is found, or the budget is spent.
//!
//! **A defect found this way is one of the kernel as it is.** An assertion that is taken as mended
//! becomes an assumption, followed by an assertion of `true`. This restricts executions and adds
//! none. An execution of such a program that fails an assertion is an execution of the original
//! program that fails the same assertion, after it has passed the others. Nothing is ever *proved*
//! this way: a proof under these assumptions is one for a kernel that nobody has, and is dropped.
//!
//! An assertion on which no other rests ([`ObligationKind::stands_alone`]) does not end an
//! execution. It becomes `true`, and nothing is assumed.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lockstep_ir::sequential::{Obligation, ObligationKind, Program, Statement, VerifiedProgram, verify};
use lockstep_options::deadline::Deadline;
use lockstep_options::techniques::Technique;
use lockstep_transform::lockstep::Variants;

use super::Stage;
use crate::{Counterexample, Outcome, Proof, ProveOptions, decide_in_stages};

/// The maximum number of repetitions.
const ROUNDS: usize = 4;

/// The time that stands for the budget of one repetition.
const EACH: Duration = Duration::from_secs(3);

/// The stages of a repetition: those in which most defects are found.
const STAGES: [Stage; 2] = [Stage::Short, Stage::Look];

/// Adds the defects behind those that are known to the proofs of a kernel's pairs of threads.
pub fn go_on(pairs: &[Option<&Variants>], options: &ProveOptions, start: Instant, proofs: &mut [Option<Proof>]) {
    if !options.goes_on || !options.techniques.has(Technique::FurtherDefects) {
        return;
    }
    let budget = ProveOptions {
        timeout: options.timeout.min(EACH),
        deadline: Deadline::at(options.ends(start)),
        ..options.clone()
    };
    for _ in 0..ROUNDS {
        let known = Known::of(pairs, proofs);
        if known.is_empty() || budget.deadline.passed() {
            return;
        }
        let mended: Vec<Option<Variants>> =
            pairs.iter().enumerate().map(|(pair, variants)| Some(known.mend(pair, (*variants)?.plain()))).collect();
        let mended: Vec<Option<&Variants>> = mended.iter().map(Option::as_ref).collect();
        let more = decide_in_stages(&mended, &budget, &STAGES);
        let mut is_new = false;
        for (proof, more) in proofs.iter_mut().zip(more) {
            if let Some((proof, more)) = proof.as_mut().zip(more) {
                is_new |= add(proof, more);
            }
        }
        if !is_new {
            return;
        }
    }
}

/// Adds the defects of a repetition to a proof, and returns whether there are any.
fn add(proof: &mut Proof, more: Proof) -> bool {
    proof.statistics.queries += more.statistics.queries;
    proof.statistics.infer_seconds += more.statistics.infer_seconds;
    proof.statistics.prove_seconds += more.statistics.prove_seconds;
    let Outcome::Refuted(found) = more.outcome else { return false };
    match &mut proof.outcome {
        Outcome::Refuted(known) => known.extend(found),
        other => *other = Outcome::Refuted(found),
    }
    true
}

/// The assertions with counterexamples, by pair of threads.
struct Known<'a> {
    obligations: Vec<BTreeSet<Obligation>>,
    /// The defects that do not concern two accesses. All pairs of threads have them.
    shared: Vec<(&'a ObligationKind, Option<Place>)>,
}

impl<'a> Known<'a> {
    fn of(pairs: &[Option<&'a Variants>], proofs: &[Option<Proof>]) -> Self {
        let mut known = Self { obligations: Vec::new(), shared: Vec::new() };
        for (variants, proof) in pairs.iter().zip(proofs) {
            let found: &[Counterexample] = match proof.as_ref().map(|proof| &proof.outcome) {
                Some(Outcome::Refuted(found)) => found,
                _ => &[],
            };
            known.obligations.push(found.iter().map(|one| one.obligation).collect());
            let Some(variants) = variants else { continue };
            let program: &'a Program = variants.plain();
            for one in found {
                let kind = &program.obligations[one.obligation].kind;
                if !matches!(kind, ObligationKind::Race { .. }) {
                    known.shared.push((kind, place(program, one.obligation)));
                }
            }
        }
        known
    }

    fn is_empty(&self) -> bool {
        self.obligations.iter().all(BTreeSet::is_empty)
    }

    /// The program of a pair of threads with these assertions taken as mended.
    fn mend(&self, pair: usize, program: &VerifiedProgram) -> Variants {
        let is_known = |obligation: Obligation| {
            let kind = &program.obligations[obligation].kind;
            let is_like = |known: &ObligationKind| std::mem::discriminant(known) == std::mem::discriminant(kind);
            let at = place(program, obligation);
            self.obligations[pair].contains(&obligation)
                || self.shared.iter().any(|(known, place)| is_like(known) && place.is_some() && *place == at)
        };
        let known: BTreeSet<Obligation> = program.obligations.keys().filter(|&one| is_known(one)).collect();
        let mut mended: Program = (**program).clone();
        let holds = mended.expressions.boolean(true);
        let mend = |statement: Statement| match statement {
            Statement::Assert { condition, obligation, location } if known.contains(&obligation) => {
                let reason = "the defect found here is taken as mended".to_owned();
                let assumed = Statement::Assume { condition, reason, about: None, location };
                let ends_execution = !program.obligations[obligation].kind.stands_alone();
                let asserted = Statement::Assert { condition: holds, obligation, location };
                [ends_execution.then_some(assumed), Some(asserted)]
            }
            other => [Some(other), None],
        };
        for loop_ in mended.loops.values_mut() {
            loop_.body = std::mem::take(&mut loop_.body).into_iter().flat_map(mend).flatten().collect();
        }
        mended.body = std::mem::take(&mut mended.body).into_iter().flat_map(mend).flatten().collect();
        verify(mended).expect("an assumption may stand before any assertion").into()
    }
}

/// A file, a line and a column.
type Place = (String, u32, u32);

/// The place of an assertion in the source.
fn place(program: &Program, obligation: Obligation) -> Option<Place> {
    let location = &program.locations[program.obligations[obligation].location?];
    Some((program.files[location.file].clone(), location.line, location.column))
}
